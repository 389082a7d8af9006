// What a frame takes on one thread: all agents move, the engine is updated, and all overlapping pairs are
// listed.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/common/statistics.hpp"
#include "throng/throng.hpp"
#include "worlds/workload/workload.hpp"

namespace {

std::size_t argument(int count, char** arguments, int which, std::size_t otherwise) {
    return which < count ? std::strtoul(arguments[which], nullptr, 10) : otherwise;
}

}  // namespace

int main(int count, char** arguments) {
    const std::size_t agents = argument(count, arguments, 1, 100000),
                      frames = argument(count, arguments, 2, 100), unmeasured = 10;
    workload::World world = workload::make("crowd", agents);
    throng::Engine engine({.executor = throng::serial_executor()});
    throng::PairList pairs;
    std::vector<double> times;
    for (std::size_t i = 0; i < unmeasured + frames; ++i) {
        world.step();
        const auto boxes = throng::Boxes::centre_half(world.x.data(), world.y.data(), world.hx.data(),
                                                      world.hy.data(), agents);
        const auto begin = std::chrono::steady_clock::now();
        const throng::Status status = engine.update(boxes, pairs);
        const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
        if (!status) {
            std::fprintf(stderr, "%s\n", status.message());
            return 1;
        }
        if (i >= unmeasured) times.push_back(time.count());
    }
    std::printf("%zu agents, %s: %.3f ms a frame, %.3f at best; %zu pairs in the last\n", agents,
                throng::to_string(engine.isa()), throng::bench::median(times),
                throng::bench::quantile(times, 0), pairs.size());
    return 0;
}
