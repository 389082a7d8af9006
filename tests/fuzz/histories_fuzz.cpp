// The engine against its twin by brute force, in a world with edges.
#include "fuzz/contest.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    throng::fuzz::hold_contest(throng::fuzz::decode({data, size}));
    return 0;
}
