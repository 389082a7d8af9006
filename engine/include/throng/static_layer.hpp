// A StaticLayer is what never moves: walls, props, zones. It is built once, packed for being searched, and
// shared by all frames of an engine, and of as many engines as like.
//
//     const throng::StaticLayer walls(wall_boxes);                            // a std::vector<throng::Box>
//     status = engine.set_static_layer(walls);
//     status = engine.update(agent_boxes);
//     throng::Frame frame = engine.frame();
//     status = frame.with_static().overlaps(queries, agents_hit, walls_hit);  // both at once
//     status = frame.pairs_with(frame.static_layer(), list);                  // which agent touches which wall
//     const throng::Count near = walls.frame().count(box);                    // the walls alone
//
// Its elements have ids of their own: element `i` of the boxes has id `i`. They may have labels (labels.hpp).
//
// Copies share one layer, which lives until the last copy and the last frame with it are gone. A layer never
// changes, so any thread may copy and ask it. Making one cannot fail loudly: if a box is not legal, or memory
// ran out, `status` says so, and the layer has no elements. The same is true of one that was moved from.
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

namespace throng {

struct StaticLayerConfig {
    // Where the layer is built, and where batches about it alone run. Its context must outlive the layer.
    Executor executor = default_executor();
    // Where memory comes from; null is the global heap. It must outlive the layer and all frames
    // that have it. The layer makes one call to it at a time, but an engine that has the same
    // one makes others meanwhile.
    MemoryResource* memory = nullptr;
    Isa isa = Isa::automatic;
};

class THRONG_API StaticLayer {
public:
    // No elements.
    StaticLayer() noexcept = default;
    explicit StaticLayer(const Boxes& boxes, const StaticLayerConfig& config = {}) noexcept
        : StaticLayer(boxes, Labels(), config) {}
    StaticLayer(const Boxes& boxes, const Labels& labels, const StaticLayerConfig& config = {}) noexcept;
    StaticLayer(const StaticLayer&) noexcept = default;
    StaticLayer& operator=(const StaticLayer&) noexcept = default;
    // A layer that was moved from has no elements, and says so: no engine takes it for an empty one.
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
    // The elements alone.
    Frame frame() const noexcept { return frame_; }

    // The same elements less (dx, dy), as Engine::rebase does it with the agents. One that could not be made
    // has no elements, and its status says why.
    StaticLayer rebased(float dx, float dy) const noexcept;

private:
    friend class Engine;

    Frame frame_;
    StaticLayerConfig config_;
    Status status_;
};

}  // namespace throng
