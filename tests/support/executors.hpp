// Executors of every kind, good and bad.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "throng/executor.hpp"

namespace throng::test {

// An executor, and the place from which the library must be called to use it: oneTBB's works in the arena of
// the caller.
class Workplace {
public:
    virtual ~Workplace() = default;
    virtual std::string name() const = 0;
    virtual Executor executor() = 0;
    virtual void run(const std::function<void()>& work) { work(); }
};

// Whether there is a oneTBB executor to test. The thread sanitizer leaves it out: oneTBB would have to be
// built again for it.
bool can_test_tbb();

std::unique_ptr<Workplace> serial_workplace();
std::unique_ptr<Workplace> pool_workplace(unsigned workers);
std::unique_ptr<Workplace> tbb_workplace(unsigned workers);
// Claims to have that many workers and runs all blocks on the calling thread, last to first or shuffled.
std::unique_ptr<Workplace> backward_workplace(unsigned workers);
std::unique_ptr<Workplace> shuffled_workplace(unsigned workers, std::uint64_t seed);

// Serial, and all others with each number of workers.
std::vector<std::unique_ptr<Workplace>> all_workplaces(const std::vector<unsigned>& workers);

// Runs blocks in order on the calling thread and counts what it was given.
class CountingExecutor {
public:
    explicit CountingExecutor(unsigned workers = 4) : workers_(workers) {}
    Executor executor();
    std::uint64_t calls() const { return calls_; }
    std::uint64_t blocks() const { return blocks_; }
    // Of one call.
    std::size_t fewest_blocks() const { return fewest_; }
    std::size_t most_blocks() const { return most_; }

private:
    unsigned workers_;
    std::atomic<std::uint64_t> calls_ = 0, blocks_ = 0;
    std::atomic<std::size_t> fewest_ = ~std::size_t{0}, most_ = 0;
};

// Wants each call to end from the question with this number on (counted from zero).
class CancellingHost {
public:
    explicit CancellingHost(std::uint64_t from) : from_(from) {}
    // This executor, with this host's questions.
    Executor on(Executor executor);
    // Whether it has said so at least once.
    bool has_cancelled() const { return cancelled_; }
    // While it is content it says no, and is not asked.
    void content(bool yes) { content_ = yes; }

private:
    const std::uint64_t from_;
    std::atomic<std::uint64_t> questions_ = 0;
    std::atomic<bool> cancelled_ = false, content_ = false;
};

// Breaks its promise in one way, from the call with this number on (counted from zero).
class FaultyExecutor {
public:
    enum class Habit {
        runs_nothing,
        skips_the_first,
        skips_the_last,
        repeats_the_first,
        repeats_the_last,
        runs_one_for_another,  // as many calls as there are blocks, but one block twice and another never
    };

    FaultyExecutor(Habit habit, std::uint64_t from) : habit_(habit), from_(from) {}
    Executor executor();
    // Whether it has broken its promise at least once.
    bool guilty() const { return guilty_; }
    // While it is reformed it does everything right, and its calls are not counted.
    void reform(bool yes) { reformed_ = yes; }

private:
    void run(std::size_t count, Executor::Body body, void* argument);

    Habit habit_;
    std::uint64_t from_;
    std::uint64_t calls_ = 0;
    bool guilty_ = false, reformed_ = false;
};

}  // namespace throng::test
