// Every rank runs every test, and the first one reports; the others only say what failed on them.
#include <mpi.h>

#include <cstdio>
#include <string>

#include "cluster/tests/ranks.hpp"
#include "gtest/gtest.h"

namespace {

class FailuresAlone : public testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo& test) override { running_ = test.name(); }
    void OnTestPartResult(const testing::TestPartResult& result) override {
        if (result.failed())
            std::printf("on rank %d, in %s: %s:%d: %s\n", throng::test::my_rank(), running_.c_str(),
                        result.file_name() == nullptr ? "" : result.file_name(), result.line_number(),
                        result.message());
    }

    std::string running_;
};

}  // namespace

int main(int argc, char** argv) {
    int provided = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    testing::InitGoogleTest(&argc, argv);
    if (throng::test::my_rank() != 0) {
        testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
        delete listeners.Release(listeners.default_result_printer());
        listeners.Append(new FailuresAlone);
    }
    int failed = RUN_ALL_TESTS(), anywhere = 0;
    MPI_Allreduce(&failed, &anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return anywhere;
}
