// The main function of a program that mpirun starts on several ranks.
#pragma once

#include <mpi.h>

#include <functional>

#include "bench/common/command_line.hpp"

namespace throng::bench {

// Reads the arguments and runs it on each rank. Returns what `main` returns.
inline int run_on_ranks(int argc, char** argv, CommandLine& line, const std::function<void()>& run) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    const int result = line.run(argc, argv, run);
    // A rank that failed alone may not wait for the others, nor they for it.
    if (result == 1) MPI_Abort(MPI_COMM_WORLD, result);
    MPI_Finalize();
    return result;
}

}  // namespace throng::bench
