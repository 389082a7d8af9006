// Single queries: straight to the kernel, on the calling thread.

#include <algorithm>
#include <cstring>
#include <exception>

#include "base/as_kernel.hpp"
#include "base/box_check.hpp"
#include "base/unwritten.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/shape_reader.hpp"
#include "simd/query_kernels.hpp"
#include "throng/compiler.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// A sink for a visitor: a buffer on the stack, and covered runs in place. An exception of the visitor is held
// back until the kernel has returned. At first a small part of the buffer is used: a visitor that soon has
// enough stops the search soon, and one that wants all is called once more.
struct Visit {
    IdVisitor visitor;
    std::exception_ptr thrown;
    static constexpr std::size_t first_room = 32, room = 1024;
    Unwritten<AgentId, room + simd::gap> buffer;

    simd::IdSink sink() noexcept {
        AgentId* const begin = buffer.data();
        return {begin, begin, begin + first_room, first_full, run, this, false};
    }

    void pass_on(simd::IdSink& sink, const AgentId* ids, std::size_t count) noexcept {
        if (sink.stopped || count == 0) return;
        try {
            sink.stopped = !visitor(ids, count);
        } catch (...) {
            thrown = std::current_exception();
            sink.stopped = true;
        }
    }
    static void full(simd::IdSink& sink) {
        static_cast<Visit*>(sink.context)
            ->pass_on(sink, sink.begin, static_cast<std::size_t>(sink.at - sink.begin));
        sink.at = sink.begin;
    }
    static void first_full(simd::IdSink& sink) {
        full(sink);
        sink.full = full;
        sink.limit = sink.begin + room;
    }
    static void run(simd::IdSink& sink, const AgentId* ids, std::size_t count) {
        static_cast<Visit*>(sink.context)->pass_on(sink, ids, count);
    }
};

// A sink for the host's memory. The kernel writes there directly while a vector still fits, and then into a
// buffer, from which as many ids are copied as fit.
struct Fill {
    std::span<AgentId> out;
    std::uint64_t found = 0;  // what was passed on before the sink's present buffer
    Unwritten<AgentId, 256 + simd::gap> buffer;

    // Of an aggregate GCC would clear the buffer, too.
    explicit Fill(std::span<AgentId> to) noexcept : out(to) {}
    simd::IdSink sink() noexcept {
        simd::IdSink s{nullptr, nullptr, nullptr, full, nullptr, this, false};
        if (out.size() > simd::gap)
            s.begin = out.data(), s.limit = out.data() + out.size() - simd::gap;
        else
            s.begin = buffer.data(), s.limit = buffer.data() + buffer.size() - simd::gap;
        s.at = s.begin;
        return s;
    }
    static void full(simd::IdSink& sink) { static_cast<Fill*>(sink.context)->pass_on(sink); }
    THRONG_ALWAYS_INLINE void pass_on(simd::IdSink& sink) noexcept {
        const auto count = static_cast<std::size_t>(sink.at - sink.begin);
        if (sink.begin == buffer.data() && found < out.size())
            std::memcpy(
                out.data() + found, buffer.data(),
                std::min<std::size_t>(count, out.size() - static_cast<std::size_t>(found)) * sizeof(AgentId));
        found += count;
        sink.begin = sink.at = buffer.data();
        sink.limit = buffer.data() + buffer.size() - simd::gap;
    }
};

// A query in the form of the kernels, and the kernels for its form.
class BoxQuery {
public:
    explicit BoxQuery(const Box& box) noexcept : fault(check(box)), query_(query_of(box)) {}
    const Code fault;

    void find(const FrameState& frame, const Filter& filter, simd::IdSink& sink) const noexcept {
        if (admits_all(frame, filter)) return frame.kernels->queries->find(frame.view, query_, sink);
        std::uint64_t end;
        frame.kernels->queries->find_in_order(frame.view, one_filter(frame, filter), &query_, 1, sink, &end);
    }
    std::uint64_t count(const FrameState& frame, const Filter& filter) const noexcept {
        if (admits_all(frame, filter)) return frame.kernels->queries->count(frame.view, query_);
        std::uint32_t total;
        frame.kernels->queries->count_in_order(frame.view, one_filter(frame, filter), &query_, 1, &total);
        return total;
    }
    bool any(const FrameState& frame, const Filter& filter) const noexcept {
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
    std::uint64_t count(const FrameState& frame, const Filter& filter) const noexcept {
        std::uint32_t total;
        kernels(frame).count(frame.view, kernel_filters(frame, filter), batch(), &total);
        return total;
    }
    bool any(const FrameState& frame, const Filter& filter) const noexcept {
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

// The calls of a frame, for one form of query. They are expanded where they are used: a small query takes a
// hundred nanoseconds. Without a state, the answer is the frame's status.
#define THRONG_EXPANDED THRONG_ALWAYS_INLINE inline

template <class Query>
THRONG_EXPANDED Status visit(const FrameState* frame, const Status& none, const Query& query,
                             const Filter& filter, IdVisitor visitor) {
    if (query.fault != Code::ok) return {query.fault, 0};
    if (!has_band(filter)) return check_band(filter);
    if (frame == nullptr) return none;
    Visit visit;
    visit.visitor = visitor;
    simd::IdSink sink = visit.sink();
    query.find(*frame, filter, sink);
    Visit::full(sink);
    if (visit.thrown) std::rethrow_exception(visit.thrown);
    return {};
}

template <class Query>
THRONG_EXPANDED Filled fill(const FrameState* frame, const Status& none, const Query& query,
                            const Filter& filter, std::span<AgentId> out) noexcept {
    if (query.fault != Code::ok) return {.status = {query.fault, 0}};
    if (!has_band(filter)) return {.status = check_band(filter)};
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view, Argument::output}};
    if (frame == nullptr) return {.status = none};
    Fill fill(out);
    simd::IdSink sink = fill.sink();
    query.find(*frame, filter, sink);
    fill.pass_on(sink);
    return {.status = {}, .total = fill.found, .written = std::min<std::uint64_t>(fill.found, out.size())};
}

template <class Query>
THRONG_EXPANDED Count count_of(const FrameState* frame, const Status& none, const Query& query,
                               const Filter& filter) noexcept {
    if (query.fault != Code::ok) return {.status = {query.fault, 0}};
    if (!has_band(filter)) return {.status = check_band(filter)};
    if (frame == nullptr) return {.status = none};
    return {.status = {}, .total = query.count(*frame, filter)};
}

template <class Query>
THRONG_EXPANDED Found any_of(const FrameState* frame, const Status& none, const Query& query,
                             const Filter& filter) noexcept {
    if (query.fault != Code::ok) return {.status = {query.fault, 0}};
    if (!has_band(filter)) return {.status = check_band(filter)};
    if (frame == nullptr) return {.status = none};
    return {.status = {}, .found = query.any(*frame, filter)};
}

}  // namespace

Status FrameCalls::visit_overlaps(const Box& box, const Filter& filter, IdVisitor visitor) const {
    if (wraps_) [[unlikely]]
        return visit_ids_around(box, filter, visitor);
    return visit(state_, failure_, BoxQuery(box), filter, visitor);
}
Status FrameCalls::visit_overlaps(const Shape& shape, const Filter& filter, IdVisitor visitor) const {
    if (wraps_) [[unlikely]]
        return visit_ids_around(shape, filter, visitor);
    return visit(state_, failure_, AnyQuery(shape), filter, visitor);
}
Filled FrameCalls::list_overlaps(const Box& box, std::span<AgentId> out,
                                 const Filter& filter) const noexcept {
    if (wraps_) [[unlikely]]
        return list_around(Shape(box), out, filter);
    return fill(state_, failure_, BoxQuery(box), filter, out);
}
Filled FrameCalls::list_overlaps(const Shape& shape, std::span<AgentId> out,
                                 const Filter& filter) const noexcept {
    if (wraps_) [[unlikely]]
        return list_around(shape, out, filter);
    return fill(state_, failure_, AnyQuery(shape), filter, out);
}
Count FrameCalls::count_overlaps(const Box& box, const Filter& filter) const noexcept {
    if (wraps_) [[unlikely]]
        return count_around(Shape(box), filter);
    return count_of(state_, failure_, BoxQuery(box), filter);
}
Count FrameCalls::count_overlaps(const Shape& shape, const Filter& filter) const noexcept {
    if (wraps_) [[unlikely]]
        return count_around(shape, filter);
    return count_of(state_, failure_, AnyQuery(shape), filter);
}
Found FrameCalls::find_overlap(const Box& box, const Filter& filter) const noexcept {
    if (wraps_) [[unlikely]]
        return any_around(Shape(box), filter);
    return any_of(state_, failure_, BoxQuery(box), filter);
}
Found FrameCalls::find_overlap(const Shape& shape, const Filter& filter) const noexcept {
    if (wraps_) [[unlikely]]
        return any_around(shape, filter);
    return any_of(state_, failure_, AnyQuery(shape), filter);
}

}  // namespace throng
