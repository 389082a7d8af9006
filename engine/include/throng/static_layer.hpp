// A StaticLayer is what never moves: walls, props, zones. It is built once, packed for searching, and shared
// by every frame of one or more engines.
//
//     const throng::StaticLayer walls(wall_boxes, {.executor = executor});    // a std::vector<throng::Box>
//     status = engine.set_static_layer(walls);
//     status = engine.update(agent_boxes);
//     throng::Frame frame = engine.frame();
//     status = frame.with_static().overlaps(queries, agents_hit, walls_hit);  // both at once
//     const throng::Frame layer = frame.static_layer();
//     status = frame.pairs(list, {.with = &layer});                           // who touches which wall
//     const throng::Count near = walls.frame().count(box);                    // the walls alone
//
// In a world that wraps around, the engine makes a copy of the layer, with the elements folded as agents are.
// `frame.static_layer()` is that copy; the layer itself stays as it is.
//
// Its elements have ids of their own: element `i` of the boxes has id `i`. They may have labels (labels.hpp).
// Without labels they are of the first category, which matters to filters.
//
// Copies share one layer, which lives until the last copy and the last frame with it are gone. A layer never
// changes, so any thread may copy and query it. The constructor never throws: if a box is illegal or memory
// runs out, `status` reports it, and the layer has no elements. A moved-from layer has a bad status too.
#pragma once

#include <cstddef>
#include <utility>

#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/frame.hpp"
#include "throng/isa.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"
#include "throng/views/update_options.hpp"

namespace throng {

struct StaticLayerConfig {
    // Builds the layer, and runs batches over the layer alone. Its context must outlive the layer. The
    // default is the engine's: a host with threads of its own gives its executor here as well.
    Executor executor = default_executor();
    // The source of memory; null is the global heap. It must outlive the layer and all frames that have it.
    // The layer makes one call to it at a time, but an engine with the same resource may call it meanwhile.
    MemoryResource* memory = nullptr;
    Isa isa = Isa::automatic;
};

class THRONG_API StaticLayer {
public:
    // No elements.
    StaticLayer() noexcept = default;
    explicit StaticLayer(const Boxes& boxes, const StaticLayerConfig& config = {}) noexcept
        : StaticLayer(boxes, UpdateOptions(), config) {}
    StaticLayer(const Boxes& boxes, const UpdateOptions& options,
                const StaticLayerConfig& config = {}) noexcept;
    StaticLayer(const StaticLayer&) noexcept = default;
    StaticLayer& operator=(const StaticLayer&) noexcept = default;
    // A moved-from layer has no elements and a bad status, so no engine takes it for an empty one.
    StaticLayer(StaticLayer&& other) noexcept
        : frame_(std::move(other.frame_)),
          config_(other.config_),
          status_(std::exchange(other.status_, Status{Code::moved_from})) {}
    StaticLayer& operator=(StaticLayer&& other) noexcept {
        StaticLayer moved(std::move(other));
        std::swap(frame_, moved.frame_);
        std::swap(config_, moved.config_);
        std::swap(status_, moved.status_);
        return *this;
    }

    // Names the element at fault, as Engine::update does.
    Status status() const noexcept { return status_; }
    std::size_t size() const noexcept { return frame_.size(); }
    // The elements of the layer alone. If the layer failed, queries of the frame return the layer's status.
    Frame frame() const noexcept { return frame_; }

    // The same elements with (dx, dy) subtracted, as Engine::rebase does with agents. If that fails, the
    // result has no elements, and its status says why.
    StaticLayer rebased(float dx, float dy) const noexcept;

private:
    friend class Engine;

    void build(const Boxes& boxes, const UpdateOptions& options, float period_x, float period_y) noexcept;
    StaticLayer made_again(float dx, float dy, float period_x, float period_y) const noexcept;

    Frame frame_;
    StaticLayerConfig config_;
    Status status_;
};

}  // namespace throng
