// What a host gains from memory in huge pages (throng/adapters/huge_pages.hpp): frames and queries of one
// crowd, by an engine with the heap's memory and by one with huge pages, in turns.
//
//     huge_pages [agents]
//
// It checks that both answer alike.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <throng/adapters/huge_pages.hpp>
#include <throng/throng.hpp>

namespace {

using throng::Boxes;

struct Crowd {
    std::vector<float> x, y;

    explicit Crowd(std::size_t agents) {
        std::mt19937 random(1);
        std::uniform_real_distribution<float> anywhere(0, 2 * std::sqrt(static_cast<float>(agents)));
        for (std::size_t i = 0; i < agents; ++i) {
            x.push_back(anywhere(random));
            y.push_back(anywhere(random));
        }
    }
    Boxes boxes(float radius) const { return Boxes::points(x.data(), y.data(), radius, x.size()); }
    void move() {
        for (float& each : x) each += 0.01f;
    }
};

// One engine, its results, and what they took.
class Contestant {
public:
    explicit Contestant(throng::MemoryResource* memory)
        : engine_({.executor = throng::serial_executor(), .memory = memory}), pairs_(memory), hits_(memory) {}

    bool step(const Crowd& crowd) {
        using Clock = std::chrono::steady_clock;
        const auto begin = Clock::now();
        const bool updated = engine_.update(crowd.boxes(0.5f)).ok() && engine_.frame().pairs(pairs_).ok();
        const auto middle = Clock::now();
        const bool answered = engine_.frame().overlaps(crowd.boxes(2), hits_).ok();
        const auto end = Clock::now();
        frames_.push_back(std::chrono::duration<double, std::milli>(middle - begin).count());
        batches_.push_back(std::chrono::duration<double, std::milli>(end - middle).count());
        return updated && answered;
    }
    bool answers_as(const Contestant& other) const {
        return pairs_.size() == other.pairs_.size() &&
               std::equal(hits_.ids().begin(), hits_.ids().end(), other.hits_.ids().begin(),
                          other.hits_.ids().end());
    }
    double frame() const { return median(frames_); }
    double batch() const { return median(batches_); }

private:
    static double median(std::vector<double> times) {
        std::sort(times.begin(), times.end());
        return times[times.size() / 2];
    }

    throng::Engine engine_;
    throng::PairList pairs_;
    throng::OverlapLists hits_;
    std::vector<double> frames_, batches_;
};

}  // namespace

int main(int count, char** arguments) {
    const std::size_t agents = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 20000;
    Crowd crowd(agents);
    throng::HugePages pages;
    Contestant plain(nullptr), huge(&pages);
    for (int step = 0; step < 15; ++step) {
        crowd.move();
        if (!plain.step(crowd) || !huge.step(crowd) || !huge.answers_as(plain)) {
            std::puts("the engine with huge pages failed, or answers otherwise");
            return 1;
        }
    }
    std::printf("%zu agents, medians of 15 frames on one thread, in huge pages against the heap's:\n",
                agents);
    std::printf("frame   %8.3f ms against %8.3f: %.3f\n", huge.frame(), plain.frame(),
                huge.frame() / plain.frame());
    std::printf("queries %8.3f ms against %8.3f: %.3f\n", huge.batch(), plain.batch(),
                huge.batch() / plain.batch());
    return 0;
}
