// What memory alone allows: how long it takes to stream through as many bytes as an engine holds.
#pragma once

#include <cstddef>

#include "throng/executor.hpp"

namespace throng::bench {

// Milliseconds in which all threads together read half of that many bytes and write the other half, each byte
// once: the median of some rounds, after one that touches the pages.
double stream(const Executor& executor, std::size_t bytes);

}  // namespace throng::bench
