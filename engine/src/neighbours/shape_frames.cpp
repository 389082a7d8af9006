#include "engine/src/neighbours/shape_frames.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>

#include "engine/src/frame/frame_reader.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/neighbours/sites.hpp"
#include "engine/src/store/store.hpp"
#include "simd/kernels.hpp"
#include "simd/pair_kernels.hpp"

namespace throng::detail {

void ShapeFrame::follow(const FrameState& of) const noexcept {
    FrameState& state = *frame.state_;
    state.id_bound = of.id_bound;
    state.ghosts = of.ghosts;
    state.ghost_count = of.ghost_count;
    state.torus = {of.torus.period};
    for (std::size_t i = 0; of.torus.wraps() && i < of.agents; ++i) state.torus.add(shapes[i]);
}

namespace {

// The circle, and more than rounding takes from the distance of two circles and from an edge. The square of a
// tiny distance is zero, as if circles that near touched. One that is too large for a float touches all.
Box square_around(const simd::CircleIn& circle) noexcept {
    static constexpr float largest = std::numeric_limits<float>::max();
    constexpr float too_large = 0x1p61f;
    if (circle.radius >= too_large) return {-largest, -largest, largest, largest};
    const float half = circle.radius * (1 + 0x1p-20f) + 0x1p-60f;
    const auto reach = [&](float at) { return half + std::abs(at) * 0x1p-22f; };
    const auto edge = [](float at) { return at < -largest ? -largest : at > largest ? largest : at; };
    const float x = reach(circle.x), y = reach(circle.y);
    return {edge(circle.x - x), edge(circle.y - y), edge(circle.x + x), edge(circle.y + y)};
}

Box shape_of(const Box& box, AgentsAs agents_as) noexcept {
    const simd::CircleIn circle(box);
    return agents_as == AgentsAs::circles ? square_around(circle)
                                          : Box{circle.x, circle.y, circle.x, circle.y};
}

bool make_room(const FrameState& frame, ShapeFrame& to) noexcept {
    const std::size_t ids = frame.id_bound, some_ids = frame.agents == ids ? 0 : frame.agents;
    return resize_amply(to.rank, ids) && resize_amply(to.by_rank, frame.agents) &&
           resize_amply(to.shapes, ids) && resize_amply(to.ids, some_ids) &&
           resize_amply(to.traits, frame.labelled() ? ids : 0);
}
void list_agents(const FrameState& frame, AgentsAs agents_as, ShapeFrame& to) noexcept {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    if (frame.agents != frame.id_bound) std::fill(to.rank.begin(), to.rank.end(), none);
    std::uint32_t rank = 0;
    AgentSites(frame).each_piece({0, frame.agents},
                                 [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
                                     const RowArrays arrays(row);
                                     for (std::uint32_t i = first; i < end; ++i) {
                                         const AgentId id = arrays.id[i];
                                         to.shapes[id] = shape_of(arrays.box(i), agents_as);
                                         if (frame.labelled())
                                             to.traits[id] = traits_in(row, frame.extras, i);
                                         to.rank[id] = rank;
                                         to.by_rank[rank++] = id;
                                     }
                                 });
    if (frame.agents == frame.id_bound) return;
    // Ids in use move up.
    std::size_t k = 0;
    for (std::size_t id = 0; id < frame.id_bound; ++id) {
        if (to.rank[id] == none) continue;
        to.ids[k] = static_cast<AgentId>(id);
        to.shapes[k] = to.shapes[id];
        if (frame.labelled()) to.traits[k] = to.traits[id];
        ++k;
    }
}
// Returns false if there is no memory. On one thread, since other readers wait, also those of the executor.
bool make(const FrameState& frame, AgentsAs agents_as, ShapeFrame& to) noexcept {
    if (!to.engine || !to.engine->status().ok())
        to.engine.emplace(
            EngineConfig{.executor = serial_executor(), .memory = to.host, .isa = frame.kernels->isa});
    to.frame = Frame();
    if (!to.engine->replan().ok() || !make_room(frame, to)) return false;
    list_agents(frame, agents_as, to);
    const Boxes shapes(std::span<const Box>(to.shapes.data(), frame.agents));
    UpdateOptions options;
    if (frame.labelled()) options.labels = labels_in(to.traits.data(), frame.agents);
    if (frame.has_heights()) options.heights = heights_in(to.traits.data(), frame.agents);
    const Status status = to.ids.size() == 0
                              ? to.engine->update(shapes, options)
                              : to.engine->update({to.ids.data(), to.ids.size()}, shapes, options);
    if (!status.ok()) return false;
    to.frame = to.engine->frame();
    to.follow(frame);
    return true;
}

std::atomic<ShapeFrame*>& place_of(const FrameState& frame, AgentsAs agents_as) noexcept {
    return agents_as == AgentsAs::circles ? frame.circle_frame : frame.centre_frame;
}

}  // namespace

const ShapeFrame* known_shapes(const FrameState& frame, AgentsAs agents_as) noexcept {
    return rounds_to_nearest() ? place_of(frame, agents_as).load(std::memory_order_acquire) : nullptr;
}

const ShapeFrame* make_shapes(const FrameState& frame, AgentsAs agents_as) noexcept {
    if (!rounds_to_nearest()) return nullptr;
    std::atomic<ShapeFrame*>& place = place_of(frame, agents_as);
    if (const ShapeFrame* known = place.load(std::memory_order_acquire); known != nullptr) return known;
    const std::lock_guard lock(frame.store->making_shape_frame);
    if (const ShapeFrame* known = place.load(std::memory_order_relaxed); known != nullptr) return known;
    ShapeFrame* const shapes = frame.store->spaces.shape_frames.take();
    if (shapes == nullptr) return nullptr;
    if (!make(frame, agents_as, *shapes)) {
        frame.store->spaces.shape_frames.put_back(shapes);
        return nullptr;
    }
    place.store(shapes, std::memory_order_release);
    return shapes;
}

}  // namespace throng::detail
