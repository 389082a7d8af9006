// The smallest useful program: a crowd walks, and every frame is queried for the agents in the doorway and
// for those that touch each other.
#include <cstdio>
#include <vector>

#include <throng/throng.hpp>

int main() {
    std::vector<float> x, y;
    for (int i = 0; i < 10'000; ++i) {
        x.push_back(static_cast<float>(i % 100) * 1.5f);
        y.push_back(static_cast<float>(i / 100) * 1.3f);
    }

    throng::Engine engine;
    throng::PairList touching;  // kept from frame to frame: once it has grown, nothing is allocated
    for (int step = 0; step < 5; ++step) {
        // Rows of people who pass each other, a little too close.
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += i / 100 % 2 == 0 ? 0.35f : -0.35f;

        const throng::Status updated = engine.update(throng::Boxes::points(x, y, 0.7f));
        if (!updated) {
            std::fprintf(stderr, "agent %zu: %s\n", updated.index, updated.message());
            return 1;
        }
        const throng::Frame frame = engine.frame();

        int in_doorway = 0;
        const throng::Box doorway = throng::Box::around(75, 75, 4, 2);
        if (!frame.for_each_overlap(doorway, [&](throng::AgentId) { ++in_doorway; })) return 1;
        if (!frame.pairs(touching)) return 1;
        std::printf("step %d: %d agents in the doorway, %zu pairs touch\n", step, in_doorway,
                    touching.size());
    }
}
