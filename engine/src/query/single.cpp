// Single queries: straight to the kernel, on the calling thread.

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>

#include "engine/src/base/box_check.hpp"
#include "engine/src/base/query_box.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// A sink for a visitor: a buffer on the stack, and covered runs in place. An exception of the visitor is held
// back until the kernel has returned.
struct Visit {
    IdVisitor visitor;
    std::exception_ptr thrown;
    std::array<AgentId, 1024 + simd::gap> buffer;

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
    static void run(simd::IdSink& sink, const AgentId* ids, std::size_t count) {
        static_cast<Visit*>(sink.context)->pass_on(sink, ids, count);
    }
};

// A sink for the host's memory. The kernel writes there directly while a vector still fits, and then into a
// buffer, from which as many ids are copied as fit.
struct Fill {
    std::span<AgentId> out;
    std::uint64_t found = 0;  // what was passed on before the sink's present buffer
    std::array<AgentId, 256 + simd::gap> buffer;

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
    void pass_on(simd::IdSink& sink) noexcept {
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

void find(const FrameState& frame, const Box& box, const Filter& filter, simd::IdSink& sink) noexcept {
    const simd::Query q = query_of(box);
    if (admits_all(frame, filter)) return frame.kernels->find(frame.view, q, sink);
    std::uint64_t end;
    frame.kernels->find_in_order(frame.view, {as_kernel(&filter)}, &q, 1, sink, &end);
}

}  // namespace

Status Frame::visit_overlaps(const Box& box, const Filter& filter, IdVisitor visitor) const {
    if (const Code code = check(box); code != Code::ok) return {code, 0};
    if (state_ == nullptr) return status();
    Visit visit;
    visit.visitor = visitor;
    AgentId* buffer = visit.buffer.data();
    simd::IdSink sink{buffer, buffer, buffer + visit.buffer.size() - simd::gap, Visit::full, Visit::run,
                      &visit, false};
    find(*state_, box, filter, sink);
    Visit::full(sink);
    if (visit.thrown) std::rethrow_exception(visit.thrown);
    return {};
}

Filled Frame::overlaps(const Box& box, std::span<AgentId> out, const Filter& filter) const noexcept {
    if (const Code code = check(box); code != Code::ok) return {.status = {code, 0}};
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view}};
    if (state_ == nullptr) return {.status = status()};
    Fill fill{.out = out};
    simd::IdSink sink = fill.sink();
    find(*state_, box, filter, sink);
    fill.pass_on(sink);
    return {.status = {}, .total = fill.found, .written = std::min<std::uint64_t>(fill.found, out.size())};
}

Count Frame::count(const Box& box, const Filter& filter) const noexcept {
    if (const Code code = check(box); code != Code::ok) return {.status = {code, 0}};
    if (state_ == nullptr) return {.status = status()};
    const simd::Query q = query_of(box);
    if (admits_all(*state_, filter)) return {.status = {}, .total = state_->kernels->count(state_->view, q)};
    std::uint32_t total;
    state_->kernels->count_in_order(state_->view, {as_kernel(&filter)}, &q, 1, &total);
    return {.status = {}, .total = total};
}

Found Frame::any(const Box& box, const Filter& filter) const noexcept {
    if (const Code code = check(box); code != Code::ok) return {.status = {code, 0}};
    if (state_ == nullptr) return {.status = status()};
    const simd::Query q = query_of(box);
    if (admits_all(*state_, filter)) return {.status = {}, .found = state_->kernels->any(state_->view, q)};
    std::uint8_t found;
    state_->kernels->any_in_order(state_->view, {as_kernel(&filter)}, &q, 1, &found);
    return {.status = {}, .found = found != 0};
}

}  // namespace throng
