// A host whose threads are OpenMP's: a simulation loop in which the host's own step and the engine's run on
// the same team.
#include <cstdio>
#include <vector>

#include <throng/throng.hpp>

#include "executors/openmp.hpp"

int main() {
    constexpr std::size_t agents = 50'000;
    std::vector<float> x(agents), y(agents), heading(agents);
    for (std::size_t i = 0; i < agents; ++i) {
        x[i] = static_cast<float>(i % 250) * 2;
        y[i] = static_cast<float>(i / 250) * 2;
        heading[i] = i % 3 == 0 ? 0.5f : -0.25f;
    }

    throng::Engine engine({.executor = throng_examples::openmp_executor()});
    throng::Engine reference({.executor = throng::serial_executor()});
    for (int step = 0; step < 10; ++step) {
#pragma omp parallel for
        for (std::size_t i = 0; i < agents; ++i) x[i] += heading[i];

        const throng::Boxes boxes = throng::Boxes::points(x.data(), y.data(), 0.9f, agents);
        if (!engine.update(boxes) || !reference.update(boxes)) return 1;
        if (engine.frame().fingerprint() != reference.frame().fingerprint()) {
            std::puts("the frames differ");
            return 1;
        }
        const throng::Count pairs = engine.frame().count_pairs();
        if (!pairs.status) return 1;
        std::printf("step %d: %llu pairs touch\n", step, static_cast<unsigned long long>(pairs.total));
    }
    std::printf("%u OpenMP threads gave the frames that one thread gives\n",
                throng_examples::openmp_executor().workers);
}
