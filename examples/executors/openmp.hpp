// The library on OpenMP: what a host writes whose threads are OpenMP's. Compile with -fopenmp, or link
// OpenMP::OpenMP_CXX.
#pragma once

#include <omp.h>

#include <cstddef>

#include "throng/executor.hpp"

namespace throng_examples {

// Blocks differ in cost, as rows differ in agents, so they are handed out one at a time.
inline throng::Executor openmp_executor() noexcept {
    return {.workers = static_cast<unsigned>(omp_get_max_threads()),
            .parallel_for = [](void*, std::size_t count, throng::Executor::Body body, void* argument) {
#pragma omp parallel for schedule(dynamic, 1)
                for (std::size_t i = 0; i < count; ++i) body(argument, i);
            }};
}

}  // namespace throng_examples
