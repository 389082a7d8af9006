#include "bench/hunt/child.hpp"

#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace throng::hunt {

static_assert(std::is_trivially_copyable_v<Message> && sizeof(Message) <= 512);

namespace {

void limit_memory(std::size_t mebibytes) {
    const rlim_t bytes = static_cast<rlim_t>(mebibytes) << 20;
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_AS, &limit);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
}

// Memory that is given back stays in the process, so that most pages are touched once (touched_memory.hpp),
// and not each time that they are taken.
void keep_freed_memory() {
#ifdef M_TRIM_THRESHOLD
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most it may be
#endif
}

}  // namespace

void Pipe::send(const Message& message) const {
    while (write(descriptor_, &message, sizeof message) < 0)
        // Without a parent there is nothing left to do.
        if (errno != EINTR) _exit(1);
}

Child::Child(const std::function<void(const Pipe&)>& body, std::size_t mebibytes)
    : begin_(std::chrono::steady_clock::now()) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("there can be no further pipe");
    process_ = fork();
    if (process_ < 0) {
        close(ends[0]);
        close(ends[1]);
        throw std::runtime_error("there can be no further process");
    }
    if (process_ == 0) {
        close(ends[0]);
        limit_memory(mebibytes);
        keep_freed_memory();
        body(Pipe(ends[1]));
        _exit(0);
    }
    close(ends[1]);
    descriptor_ = ends[0];
}

Child::~Child() {
    close(descriptor_);
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

double Child::age() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

double Child::busy() const {
    clockid_t clock{};
    timespec time{};
    if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Child::Received Child::receive(Message& message, double until) {
    for (;;) {
        const double left = until - age();
        if (left <= 0) return Received::late;
        pollfd waiting{descriptor_, POLLIN, 0};
        const int ready = poll(&waiting, 1, static_cast<int>(std::min(left, 1e6) * 1000) + 1);
        if (ready <= 0) continue;
        const ssize_t count = read(descriptor_, &message, sizeof message);
        if (count < 0 && errno == EINTR) continue;
        return count == static_cast<ssize_t>(sizeof message) ? Received::message : Received::nothing;
    }
}

}  // namespace throng::hunt
