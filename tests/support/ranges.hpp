// Algorithms on whole ranges, for tests: LLVM's standard library has those of std::ranges only since version
// 15.
#pragma once

#include <algorithm>
#include <iterator>

namespace throng::test {

template <class Range, class Other>
bool equal_ranges(const Range& range, const Other& other) {
    return std::equal(std::begin(range), std::end(range), std::begin(other), std::end(other));
}

}  // namespace throng::test
