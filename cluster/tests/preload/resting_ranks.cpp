// Lets a rank that waits for a message rest, instead of giving its core away again and again. Open MPI calls
// this function between two looks. Under Linux 6.18 each such gift is taken off what the rank may run later,
// so beside a busy program it hardly runs at all: tests of a second took minutes.
#include <sched.h>
#include <time.h>

extern "C" int sched_yield() noexcept {
    const timespec rest{.tv_sec = 0, .tv_nsec = 20'000};
    return nanosleep(&rest, nullptr);
}
