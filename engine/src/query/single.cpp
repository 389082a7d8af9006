// Single queries, on the calling thread: straight to the kernel, or part by part and image by image.

#include <cstdint>

#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "engine/src/ask/one_query.hpp"
#include "engine/src/ask/scope.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/torus/moves.hpp"
#include "simd/query_kernels.hpp"
#include "throng/compiler.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// A query in the form of the kernels, and the kernels for its form.
class BoxQuery {
public:
    THRONG_ALWAYS_INLINE explicit BoxQuery(const Box& box) noexcept
        : fault_(check(box)), query_(query_of(box)) {}
    THRONG_ALWAYS_INLINE Code fault() const noexcept { return fault_; }

    THRONG_ALWAYS_INLINE void find(const FrameState& frame, const Filter& filter,
                                   simd::IdSink& sink) const noexcept {
        if (admits_all(frame, filter)) return frame.kernels->queries->find(frame.view, query_, sink);
        std::uint64_t end;
        frame.kernels->queries->find_in_order(frame.view, one_filter(frame, filter), &query_, 1, sink, &end);
    }
    THRONG_ALWAYS_INLINE std::uint64_t count(const FrameState& frame, const Filter& filter) const noexcept {
        if (admits_all(frame, filter)) return frame.kernels->queries->count(frame.view, query_);
        std::uint32_t total;
        frame.kernels->queries->count_in_order(frame.view, one_filter(frame, filter), &query_, 1, &total);
        return total;
    }
    THRONG_ALWAYS_INLINE bool any(const FrameState& frame, const Filter& filter) const noexcept {
        if (admits_all(frame, filter)) return frame.kernels->queries->any(frame.view, query_);
        std::uint8_t found;
        frame.kernels->queries->any_in_order(frame.view, one_filter(frame, filter), &query_, 1, &found);
        return found != 0;
    }

private:
    const Code fault_;
    const simd::Query query_;
};

class AnyQuery {
public:
    explicit AnyQuery(const Shape& shape) noexcept : fault_(read_shape(shape, query_, edges_)) {}
    Code fault() const noexcept { return fault_; }

    void find(const FrameState& frame, const Filter& filter, simd::IdSink& sink) const noexcept {
        std::uint64_t end;
        kernels(frame).find(frame.view, kernel_filters(frame, filter), batch(), &sink, 0, &end);
    }
    THRONG_ALWAYS_INLINE std::uint64_t count(const FrameState& frame, const Filter& filter) const noexcept {
        std::uint32_t total;
        kernels(frame).count(frame.view, kernel_filters(frame, filter), batch(), &total);
        return total;
    }
    THRONG_ALWAYS_INLINE bool any(const FrameState& frame, const Filter& filter) const noexcept {
        std::uint8_t found;
        kernels(frame).any(frame.view, kernel_filters(frame, filter), batch(), &found);
        return found != 0;
    }

private:
    static const simd::ShapeKernels& kernels(const FrameState& frame) noexcept {
        return *frame.kernels->shapes;
    }
    simd::ShapeBatch batch() const noexcept { return {&query_, nullptr, 1}; }

    const Code fault_;
    simd::ShapeQuery query_;
    simd::PolygonEdge edges_[ConvexPolygon::max_corners];
};

// All agents: those in cells, row by row, and then the oversized ones.
void add_all(const FrameState& frame, Visit<BoxVisitor>& visit) noexcept {
    for (const simd::Row& row : frame.rows)
        if (row.count != 0 && !visit.add_row(row)) return;
    if (frame.view.oversized.count == 0) return;
    for (std::uint32_t g = 0; g < grove_count(frame); ++g)
        if (!visit.add_row(grove_at(frame, g).oversized)) return;
}

// Code for one part without seams is expanded where it is used: a small query takes a hundred nanoseconds.
#define THRONG_EXPANDED THRONG_ALWAYS_INLINE inline

template <class Query, class Given, class Keep>
THRONG_EXPANDED Status ask(const Frame& frame, const Given& given, const Filter& filter,
                           Keep& keep) noexcept {
    if (!(Keep::of_both_kinds ? Scope::is_plain(frame) : Scope::has_plain_agents(frame))) [[unlikely]]
        return ask_parts<Query>(frame, given, filter, keep);
    if (!has_band(filter)) return check_band(filter);
    const Query query(given);
    if (query.fault() != Code::ok) return {query.fault(), 0};
    (void)keep.add(Scope::only_part(frame), query, filter);
    return {};
}

template <class Query, class Given, class Visitor>
THRONG_EXPANDED Status pass_to_visitor(const Frame& frame, const Given& given, const Filter& filter,
                                       Visitor visitor) {
    Visit keep(visitor);
    const Status status = ask<Query>(frame, given, filter, keep);
    keep.finish();
    return status;
}

template <class Query, class Given>
THRONG_EXPANDED Filled fill_memory(const Frame& frame, const Given& given, const Filter& filter,
                                   std::span<AgentId> out) noexcept {
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view, Argument::output}};
    Fill keep(out);
    const Status status = ask<Query>(frame, given, filter, keep);
    return status.ok() ? keep.finish() : Filled{.status = status};
}

// A number, or a yes.
template <class Query, class Keep, class Given>
THRONG_EXPANDED auto answer(const Frame& frame, const Given& given, const Filter& filter) noexcept {
    if (!Scope::is_plain(frame)) [[unlikely]]
        return answer_of_parts<Query, Keep>(frame, given, filter);
    Keep keep;
    if (!has_band(filter)) [[unlikely]]
        return keep.answer(check_band(filter));
    const Query query(given);
    if (query.fault() != Code::ok) return keep.answer({query.fault(), 0});
    (void)keep.add(Scope::only_part(frame), query, filter);
    return keep.answer({});
}

}  // namespace

Status Frame::visit_overlaps(const Box& box, const Filter& filter, IdVisitor visitor) const {
    return pass_to_visitor<BoxQuery>(*this, box, filter, visitor);
}
Status Frame::visit_overlaps(const Shape& shape, const Filter& filter, IdVisitor visitor) const {
    return pass_to_visitor<AnyQuery>(*this, shape, filter, visitor);
}
Status Frame::visit_boxes(const Shape& shape, const Filter& filter, BoxVisitor visitor) const {
    return pass_to_visitor<AnyQuery>(*this, shape, filter, visitor);
}
Status Frame::visit_agents(BoxVisitor visitor) const {
    if (state_ == nullptr) return failure_;
    Visit keep(visitor);
    add_all(*state_, keep);
    keep.finish();
    return {};
}

Filled Frame::list_overlaps(const Box& box, std::span<AgentId> out, const Filter& filter) const noexcept {
    return fill_memory<BoxQuery>(*this, box, filter, out);
}
Filled Frame::list_overlaps(const Shape& shape, std::span<AgentId> out, const Filter& filter) const noexcept {
    return fill_memory<AnyQuery>(*this, shape, filter, out);
}
Count Frame::count_overlaps(const Box& box, const Filter& filter) const noexcept {
    return answer<BoxQuery, KeptCount>(*this, box, filter);
}
Count Frame::count_overlaps(const Shape& shape, const Filter& filter) const noexcept {
    return answer<AnyQuery, KeptCount>(*this, shape, filter);
}
Found Frame::find_overlap(const Box& box, const Filter& filter) const noexcept {
    return answer<BoxQuery, KeptAny>(*this, box, filter);
}
Found Frame::find_overlap(const Shape& shape, const Filter& filter) const noexcept {
    return answer<AnyQuery, KeptAny>(*this, shape, filter);
}

}  // namespace throng
