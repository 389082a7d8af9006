// Makes a new input out of old ones. The same seed and number give the same input from the
// same corpus, on every machine.
#pragma once

#include "support/test.hpp"

namespace throng::fuzz {

using Input = std::vector<std::uint8_t>;

// No input is longer than that.
inline constexpr std::size_t max_bytes = 4096;

// One of the corpus with a few changes, or, now and then, nothing but random bytes.
Input mutated(const std::vector<Input>& corpus, test::Random& random);

}  // namespace throng::fuzz
