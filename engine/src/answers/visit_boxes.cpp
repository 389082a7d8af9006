// Single queries whose visitors get ids together with boxes, on the calling thread.

#include <cstddef>
#include <exception>

#include "base/unwritten.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_agents.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/shape_reader.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

static_assert(sizeof(Box) == 4 * sizeof(float));

// A sink for a visitor: buffers on the stack, of which a small part is used at first, so that a visitor that
// soon has enough stops the search soon. An exception of the visitor is held back until the kernel has
// returned.
class VisitBoxes {
public:
    explicit VisitBoxes(BoxVisitor visitor) noexcept : visitor_(visitor) {
        sink_ = {ids_.data(), ids_.data(), ids_.data() + first_ids, first_full, nullptr,
                 this,        false,       &boxes_[0].min_x};
    }

    simd::IdSink& sink() noexcept { return sink_; }
    // Passes on the last agents, and what the visitor threw.
    void finish() {
        full(sink_);
        if (thrown_) std::rethrow_exception(thrown_);
    }
    // All agents of a row. Returns whether to go on.
    bool add(const simd::Row& row) noexcept {
        const RowArrays arrays(row);
        for (std::size_t i = 0; i < row.count && !sink_.stopped; ++i) {
            if (!has_agent(row, i)) continue;
            if (sink_.at == sink_.limit) sink_.full(sink_);
            boxes_[static_cast<std::size_t>(sink_.at - sink_.begin)] = arrays.box(i);
            *sink_.at++ = arrays.id[i];
        }
        return !sink_.stopped;
    }

private:
    static constexpr std::size_t first_ids = 32, ids_at_once = 256;

    static void first_full(simd::IdSink& sink) {
        full(sink);
        sink.full = full;
        sink.limit = sink.begin + ids_at_once;
    }

    static void full(simd::IdSink& sink) {
        VisitBoxes& visit = *static_cast<VisitBoxes*>(sink.context);
        const auto count = static_cast<std::size_t>(sink.at - sink.begin);
        sink.at = sink.begin;
        if (sink.stopped || count == 0) return;
        try {
            sink.stopped = !visit.visitor_(sink.begin, visit.boxes_.data(), count);
        } catch (...) {
            visit.thrown_ = std::current_exception();
            sink.stopped = true;
        }
    }

    BoxVisitor visitor_;
    std::exception_ptr thrown_;
    simd::IdSink sink_;
    Unwritten<AgentId, ids_at_once + simd::gap> ids_;
    Unwritten<Box, ids_at_once + simd::gap> boxes_;
};

// The agents in cells, row by row, and then the oversized ones.
void add_all(const FrameState& frame, VisitBoxes& visit) noexcept {
    for (const simd::Row& row : frame.rows)
        if (row.count != 0 && !visit.add(row)) return;
    if (frame.view.oversized.count == 0) return;
    for (std::uint32_t g = 0; g < grove_count(frame); ++g)
        if (!visit.add(grove_at(frame, g).oversized)) return;
}

}  // namespace

Status FrameCalls::visit_boxes(const Shape& shape, const Filter& filter, BoxVisitor visitor) const {
    return wraps_ ? visit_around(shape, filter, visitor) : visit_unrolled(shape, filter, visitor);
}

Status FrameCalls::visit_unrolled(const Shape& shape, const Filter& filter, BoxVisitor visitor) const {
    simd::ShapeQuery query;
    simd::PolygonEdge edges[ConvexPolygon::max_corners];
    if (const Code fault = read_shape(shape, query, edges); fault != Code::ok) return {fault, 0};
    if (!has_band(filter)) return check_band(filter);
    if (state_ == nullptr) return failure_;
    VisitBoxes visit(visitor);
    std::uint64_t end;
    state_->kernels->shapes->find(state_->view, kernel_filters(*state_, filter), {&query, nullptr, 1},
                                  &visit.sink(), 0, &end);
    visit.finish();
    return {};
}

Status FrameCalls::visit_agents(BoxVisitor visitor) const {
    if (state_ == nullptr) return failure_;
    VisitBoxes visit(visitor);
    add_all(*state_, visit);
    visit.finish();
    return {};
}

}  // namespace throng
