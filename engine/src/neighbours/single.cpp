// The neighbours of one point: on the calling thread, for a visitor or into the host's memory.

#include <algorithm>
#include <array>
#include <exception>

#include "engine/src/base/box_check.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/list_sinks.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// Hands on what the kernel leaves in a buffer on the stack.
template <class Take>
class OnePoint {
public:
    explicit OnePoint(Take& take) noexcept : take_(take) {}

    void search(const FrameState& frame, const Point& point, const Neighbourhood& wanted,
                const Filter& filter) noexcept {
        simd::ListSink sink{.begin = ids_.data(),
                            .at = ids_.data(),
                            .limit = ids_.data() + (ids_.size() - simd::list_slack),
                            .distances = distances_.data(),
                            .full = full,
                            .context = this};
        std::uint64_t end = 0;
        simd::NeighbourOutput output = lists_to(sink, &end, 1.0f / frame.view.grid.inverse_height);
        simd::NeighbourQuery query = kernel_query(wanted);
        query.distances = true;
        const std::uint32_t number = 0;
        const simd::Queriers one{&point.x, &point.y, &number, nullptr, 1};
        frame.kernels->neighbours->around(frame.view, kernel_filters(frame, filter), one, query, output);
        full(sink);
    }

private:
    static void full(simd::ListSink& sink) {
        OnePoint& self = *static_cast<OnePoint*>(sink.context);
        const auto count = static_cast<std::size_t>(sink.at - sink.begin);
        for (std::size_t i = 0; i < count; ++i) self.found_[i] = {self.ids_[i], self.distances_[i]};
        if (!sink.stopped && count != 0) sink.stopped = !self.take_(self.found_.data(), count);
        sink.at = sink.begin;
    }

    static constexpr std::size_t room = 1024;
    Take& take_;
    std::array<AgentId, room> ids_;
    std::array<float, room> distances_;
    std::array<Neighbour, room> found_;
};

Status check_all(const Point& point, const Neighbourhood& wanted) noexcept {
    if (const Status bad = check(wanted, From::points, 1); !bad.ok()) return bad;
    if (!wanted.radii.empty())
        if (const Code bad = check_radius(wanted.radii[0], wanted.is_nearest); bad != Code::ok)
            return {bad, 0, Argument::radii};
    return check({point.x, point.y, point.x, point.y}) == Code::ok ? Status{} : Status{Code::not_finite, 0};
}

}  // namespace

Status Frame::visit_neighbours(const Point& point, const Neighbourhood& wanted, const Filter& filter,
                               NeighbourVisitor visitor) const {
    if (const Status bad = check_all(point, wanted); !bad.ok()) return bad;
    if (state_ == nullptr) return status();
    // An exception of the visitor is held back until the kernel has returned.
    std::exception_ptr thrown;
    auto take = [&](const Neighbour* some, std::size_t count) noexcept {
        try {
            return visitor(some, count);
        } catch (...) {
            thrown = std::current_exception();
            return false;
        }
    };
    OnePoint(take).search(*state_, point, wanted, filter);
    if (thrown) std::rethrow_exception(thrown);
    return {};
}

Filled Frame::list_neighbours(const Point& point, const Neighbourhood& wanted, std::span<Neighbour> out,
                              const Filter& filter) const noexcept {
    if (const Status bad = check_all(point, wanted); !bad.ok()) return {.status = bad};
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view, Argument::output}};
    if (state_ == nullptr) return {.status = status()};
    std::uint64_t total = 0;
    auto take = [&](const Neighbour* some, std::size_t count) noexcept {
        if (total < out.size())
            std::copy_n(some, std::min<std::size_t>(count, out.size() - static_cast<std::size_t>(total)),
                        out.data() + total);
        total += count;
        return true;
    };
    OnePoint(take).search(*state_, point, wanted, filter);
    return {.status = {}, .total = total, .written = std::min<std::uint64_t>(total, out.size())};
}

Filled Frame::neighbours(const Point& point, const Within& wanted, std::span<Neighbour> out,
                         const Filter& filter) const noexcept {
    return list_neighbours(point, wanted, out, filter);
}
Filled Frame::neighbours(const Point& point, const Nearest& wanted, std::span<Neighbour> out,
                         const Filter& filter) const noexcept {
    return list_neighbours(point, wanted, out, filter);
}

NearestNeighbour Frame::nearest(const Point& point, const Filter& filter) const noexcept {
    NearestNeighbour nearest;
    nearest.status = neighbours(point, {.count = 1}, {&nearest.neighbour, 1}, filter).status;
    return nearest;
}

}  // namespace throng
