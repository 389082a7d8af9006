// The common workload for figures.py, by ctypes: the same agents in C++ and in Python, which take turns in
// one process.
#include <memory>
#include <string>

#include "throng/throng.hpp"
#include "worlds/workload/workload.hpp"

namespace {

// One world, and the engine that the C++ calls have for it.
struct Side {
    workload::World world;
    throng::Engine engine;
    throng::Frame frame{};
    throng::PairList pairs{};
};

Side& side_of(void* handle) { return *static_cast<Side*>(handle); }

}  // namespace

extern "C" {

__attribute__((visibility("default"))) void* workload_make(const char* scenario, std::uint64_t agents,
                                                           std::int32_t serial) {
    const throng::Executor executor = serial != 0 ? throng::serial_executor() : throng::default_executor();
    auto side = std::make_unique<Side>(Side{workload::make(scenario, static_cast<std::size_t>(agents), 1),
                                            throng::Engine(throng::EngineConfig{.executor = executor})});
    return side.release();
}
__attribute__((visibility("default"))) void workload_drop(void* handle) {
    const std::unique_ptr<Side> side(&side_of(handle));
}
// The array x, y, hx or hy, in which agents move.
__attribute__((visibility("default"))) float* workload_array(void* handle, std::int32_t which) {
    workload::World& w = side_of(handle).world;
    return which == 0 ? w.x.data() : which == 1 ? w.y.data() : which == 2 ? w.hx.data() : w.hy.data();
}
__attribute__((visibility("default"))) void workload_step(void* handle) { side_of(handle).world.step(); }

// Update for all agents, then all overlapping pairs: the seconds it took, or a negative number if it failed.
__attribute__((visibility("default"))) double workload_frame(void* handle, std::uint64_t* pairs) {
    Side& side = side_of(handle);
    const workload::World& w = side.world;
    const double begin = workload::now();
    const throng::Boxes boxes =
        throng::Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
    if (!side.engine.update(boxes).ok()) return -1;
    side.frame = side.engine.frame();
    if (!side.frame.pairs(side.pairs).ok()) return -1;
    const double seconds = workload::now() - begin;
    *pairs = side.pairs.size();
    return seconds;
}

}  // extern "C"
