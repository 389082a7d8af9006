// Single queries, on the calling thread: straight to the kernel, or part by part and image by image.

#include <cstdint>

#include "base/as_kernel.hpp"
#include "base/box_check.hpp"
#include "base/unwritten.hpp"
#include "engine/src/ask/kept.hpp"
#include "engine/src/ask/scope.hpp"
#include "engine/src/frame/row_agents.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/shape_reader.hpp"
#include "engine/src/torus/each_once.hpp"
#include "engine/src/torus/images.hpp"
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
        : fault(check(box)), query_(query_of(box)) {}
    const Code fault;

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
    const simd::Query query_;
};

class AnyQuery {
public:
    explicit AnyQuery(const Shape& shape) noexcept : fault(read_shape(shape, query_, edges_)) {}
    const Code fault;

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

    simd::ShapeQuery query_;
    simd::PolygonEdge edges_[ConvexPolygon::max_corners];
};

// The query's form for the kernels.
THRONG_ALWAYS_INLINE inline BoxQuery opened(const Box& box) noexcept { return BoxQuery(box); }
AnyQuery opened(const Shape& shape) noexcept { return AnyQuery(shape); }

// All agents: those in cells, row by row, and then the oversized ones.
void add_all(const FrameState& frame, Visit<BoxVisitor>& visit) noexcept {
    for (const simd::Row& row : frame.rows)
        if (row.count != 0 && !visit.add_row(row)) return;
    if (frame.view.oversized.count == 0) return;
    for (std::uint32_t g = 0; g < grove_count(frame); ++g)
        if (!visit.add_row(grove_at(frame, g).oversized)) return;
}

// Puts a query and its images to each part, until `keep` has enough.
template <class Given, class Keep>
void add_images(const Scope& scope, const Given& there, const Moves& moves, const Filter& filter,
                const Period& period, Keep& keep) noexcept {
    const auto query = opened(there);
    scope.each([&](const Part& part) {
        const Filter own = filter_for(part, filter);
        if constexpr (requires { keep.begin_part(); }) keep.begin_part();
        return keep.add(*part.frame, query, own) && moves.each([&](int k, int l) {
            const auto image = moved(there, k, l, period);
            return keep.add(*part.frame, opened(image), own);
        });
    });
}

template <class Given, class Keep>
THRONG_NOINLINE Status ask_parts(const FrameCalls& frame, const Given& given, const Filter& filter,
                                 Keep& keep) noexcept {
    const Scope scope = Keep::of_both_kinds ? Scope(frame) : Scope::of_agents(frame);
    if (!has_band(filter)) return check_band(filter);
    if (scope.is_empty() && !scope.status().ok()) return scope.status();
    const Torus torus = scope.torus();
    if (const Code bad = fault_of(given, torus); bad != Code::ok) return refusal(bad, 0);
    if (!scope.wraps()) {
        add_images(scope, given, Moves(), filter, torus.period, keep);
        return {};
    }
    const auto place = folded(given, torus.period);
    const Given& there = place;
    const Moves moves(torus, extent_of(there, torus));
    if (!Keep::counts_each || !moves.repeats()) {
        add_images(scope, there, moves, filter, torus.period, keep);
        return {};
    }
    EachOnce once(keep, scope.agents());
    add_images(scope, there, moves, filter, torus.period, once);
    return {once.has_memory() ? Code::ok : Code::out_of_memory};
}

// What one part without seams takes is expanded where it is used: a small query takes a hundred nanoseconds.
#define THRONG_EXPANDED THRONG_ALWAYS_INLINE inline

template <class Given, class Keep>
THRONG_EXPANDED Status ask(const FrameCalls& frame, const Given& given, const Filter& filter,
                           Keep& keep) noexcept {
    if (!Scope::is_plain(frame)) [[unlikely]]
        return ask_parts(frame, given, filter, keep);
    if (!has_band(filter)) return check_band(filter);
    const auto query = opened(given);
    if (query.fault != Code::ok) return {query.fault, 0};
    (void)keep.add(Scope::only_part(frame), query, filter);
    return {};
}

template <class Given, class Visitor>
THRONG_EXPANDED Status pass_to_visitor(const FrameCalls& frame, const Given& given, const Filter& filter,
                                       Visitor visitor) {
    Visit keep(visitor);
    const Status status = ask(frame, given, filter, keep);
    keep.finish();
    return status;
}

template <class Given>
THRONG_EXPANDED Filled fill_memory(const FrameCalls& frame, const Given& given, const Filter& filter,
                                   std::span<AgentId> out) noexcept {
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view, Argument::output}};
    Fill keep(out);
    const Status status = ask(frame, given, filter, keep);
    return status.ok() ? keep.finish() : Filled{.status = status};
}

// A number and a yes are returned by value, also from where there are parts: an accumulator whose address is
// taken would be kept in memory on the usual way, too.
template <class Given>
THRONG_NOINLINE Count sum_up_parts(const FrameCalls& frame, const Given& given,
                                   const Filter& filter) noexcept {
    Sum keep;
    const Status status = ask_parts(frame, given, filter, keep);
    return {.status = status, .total = status.ok() ? keep.total : 0};
}
template <class Given>
THRONG_NOINLINE Found find_in_parts(const FrameCalls& frame, const Given& given,
                                    const Filter& filter) noexcept {
    AnyOf keep;
    const Status status = ask_parts(frame, given, filter, keep);
    return {.status = status, .found = keep.found};
}

template <class Given>
THRONG_EXPANDED Count sum_up(const FrameCalls& frame, const Given& given, const Filter& filter) noexcept {
    if (!Scope::is_plain(frame)) [[unlikely]]
        return sum_up_parts(frame, given, filter);
    if (!has_band(filter)) [[unlikely]]
        return {.status = check_band(filter)};
    const auto query = opened(given);
    if (query.fault != Code::ok) return {.status = {query.fault, 0}};
    return {.status = {}, .total = query.count(Scope::only_part(frame), filter)};
}

template <class Given>
THRONG_EXPANDED Found found_any(const FrameCalls& frame, const Given& given, const Filter& filter) noexcept {
    if (!Scope::is_plain(frame)) [[unlikely]]
        return find_in_parts(frame, given, filter);
    if (!has_band(filter)) [[unlikely]]
        return {.status = check_band(filter)};
    const auto query = opened(given);
    if (query.fault != Code::ok) return {.status = {query.fault, 0}};
    return {.status = {}, .found = query.any(Scope::only_part(frame), filter)};
}

}  // namespace

Status FrameCalls::visit_overlaps(const Box& box, const Filter& filter, IdVisitor visitor) const {
    return pass_to_visitor(*this, box, filter, visitor);
}
Status FrameCalls::visit_overlaps(const Shape& shape, const Filter& filter, IdVisitor visitor) const {
    return pass_to_visitor(*this, shape, filter, visitor);
}
Status FrameCalls::visit_boxes(const Shape& shape, const Filter& filter, BoxVisitor visitor) const {
    return pass_to_visitor(*this, shape, filter, visitor);
}
Status FrameCalls::visit_agents(BoxVisitor visitor) const {
    if (state_ == nullptr) return failure_;
    Visit keep(visitor);
    add_all(*state_, keep);
    keep.finish();
    return {};
}

Filled FrameCalls::list_overlaps(const Box& box, std::span<AgentId> out,
                                 const Filter& filter) const noexcept {
    return fill_memory(*this, box, filter, out);
}
Filled FrameCalls::list_overlaps(const Shape& shape, std::span<AgentId> out,
                                 const Filter& filter) const noexcept {
    return fill_memory(*this, shape, filter, out);
}
Count FrameCalls::count_overlaps(const Box& box, const Filter& filter) const noexcept {
    return sum_up(*this, box, filter);
}
Count FrameCalls::count_overlaps(const Shape& shape, const Filter& filter) const noexcept {
    return sum_up(*this, shape, filter);
}
Found FrameCalls::find_overlap(const Box& box, const Filter& filter) const noexcept {
    return found_any(*this, box, filter);
}
Found FrameCalls::find_overlap(const Shape& shape, const Filter& filter) const noexcept {
    return found_any(*this, shape, filter);
}

}  // namespace throng
