// A host with threads of its own: the engine runs on them, from one thread or from several at once, and
// answers exactly as it does alone.
#include <cstdint>
#include <cstdio>
#include <random>
#include <thread>
#include <vector>

#include <throng/throng.hpp>

#include "executors/thread_pool.hpp"

namespace {

constexpr std::size_t agents = 100'000;
constexpr float world = 500;

std::vector<throng::Box> random_crowd() {
    std::mt19937 random(2026);
    std::uniform_real_distribution<float> place(0, world);
    std::vector<throng::Box> boxes;
    for (std::size_t i = 0; i < agents; ++i) {
        const float x = place(random);
        const float y = place(random);
        boxes.push_back(throng::Box::around(x, y, 0.5f, 0.5f));
    }
    return boxes;
}

struct Answers {
    std::uint64_t fingerprint = 0;
    std::vector<throng::Pair> pairs;
    friend bool operator==(const Answers&, const Answers&) = default;
};

bool ask(const throng::Executor& executor, const std::vector<throng::Box>& boxes, Answers& answers) {
    throng::Engine engine({.executor = executor});
    throng::PairList pairs;
    if (!engine.update(throng::Boxes::of(boxes)) || !engine.frame().pairs(pairs)) return false;
    answers.fingerprint = engine.frame().fingerprint();
    answers.pairs.assign(pairs.begin(), pairs.end());
    return true;
}

}  // namespace

int main() {
    const std::vector<throng::Box> boxes = random_crowd();
    Answers alone;
    if (!ask(throng::serial_executor(), boxes, alone)) return 1;

    throng_examples::ThreadPool pool(4);
    Answers pooled;
    if (!ask(pool.executor(), boxes, pooled)) return 1;
    std::printf("one thread:   %zu pairs among %zu agents, frame %016llx\n", alone.pairs.size(), boxes.size(),
                static_cast<unsigned long long>(alone.fingerprint));
    std::printf("thread pool:  %zu pairs among %zu agents, frame %016llx\n", pooled.pairs.size(),
                boxes.size(), static_cast<unsigned long long>(pooled.fingerprint));

    // Two engines on one pool, from two threads of the host.
    Answers first, second;
    bool first_done = false;
    std::thread other([&] { first_done = ask(pool.executor(), boxes, first); });
    const bool second_done = ask(pool.executor(), boxes, second);
    other.join();

    const bool same = first_done && second_done && pooled == alone && first == alone && second == alone;
    std::puts(same ? "all answers are the same, in the same order" : "the answers differ");
    return same ? 0 : 1;
}
