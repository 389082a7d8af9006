#include "fuzz/failure.hpp"

#include <cstdio>
#include <cstdlib>

namespace throng::fuzz {

void fail(const History& history, std::size_t at, const std::string& what) {
    std::fprintf(stderr, "%s\nafter operation %zu of:\n%s", what.c_str(), at, describe(history, at).c_str());
    std::abort();
}

}  // namespace throng::fuzz
