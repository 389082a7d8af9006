// A model of more workers than the machine has. Its executor says that it has them, runs the blocks of each
// step one after the other on the calling thread, and times each. What a call would take on those workers is
// then
//
//     what it took outside of blocks
//     + for each step, when the last block ends if each worker that is free takes the next one
//     + for each step, a fixed time for waking the workers and waiting for the last
//
// So it tells what the division of the work allows. It does not know that workers share caches and memory, or
// that a block reads what another worker wrote: a machine gives less.
//
// The blocks of a list of pairs are workers, each of which fetches pieces until none is left, so the first
// one that runs does all of the work. `for_each_pair_concurrently` cuts the work into the same pieces, and
// each is a block of it: those are timed, and the time of the list is divided as they are.
#pragma once

#include "bench/scaling/measure.hpp"

namespace throng::bench {

// As `measure`, but what `workers` would take, each step `wake` microseconds more. One worker is measured as
// it is.
Point model(const Study& study, std::size_t agents, unsigned workers, double wake);

// The first line of its table.
inline constexpr const char* model_header =
    "cpu,compiler,isa,workers,agents,update_ms,pairs_ms,frame_ms,wake_us";

}  // namespace throng::bench
