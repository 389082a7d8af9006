// The neighbours of one point: on the calling thread, for a visitor or into the host's memory.

#include <algorithm>
#include <exception>

#include "base/box_check.hpp"
#include "base/unwritten.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/centres/centre_frames.hpp"
#include "engine/src/neighbours/first_circle.hpp"
#include "engine/src/neighbours/list_sinks.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "throng/compiler.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// Hands on what the kernel leaves in buffers on the stack: take(ids, distances, count) returns whether it
// wants more.
template <class Take>
class OnePoint : public HandOn<OnePoint<Take>, simd::ListSink, 1024 - simd::list_slack, true> {
public:
    explicit OnePoint(Take& take) noexcept : take_(take) {}

    bool take(const AgentId* ids, const float* distances, std::size_t count) noexcept {
        return take_(ids, distances, count);
    }

    // Returns how many agents were compared.
    std::uint64_t search(const FrameState& frame, const Point& point, const Neighbourhood& wanted,
                         const Filter& filter) noexcept {
        std::uint64_t end = 0;
        simd::NeighbourOutput output = lists_to(this->sink_, &end);
        simd::NeighbourQuery query = kernel_query(wanted);
        query.distances = true;
        const std::uint32_t number = 0;
        const simd::Queriers one{&point.x, &point.y, &number, nullptr, 1};
        search_sites(frame, kernel_filters(frame, filter), one, query, output);
        this->flush();
        return output.compared;
    }

private:
    Take& take_;
};

// The same for what is near, if it can be found in that way.
template <class Take>
bool search_near(const FrameState& frame, const Point& point, const Neighbourhood& wanted,
                 Take& take) noexcept {
    constexpr std::size_t room = simd::near_room + 2 * simd::gap;
    Unwritten<AgentId, room> ids;
    Unwritten<float, room> distances;
    const float radius = wanted.radii.empty() ? wanted.radius : wanted.radii[0];
    const std::uint32_t count = frame.kernels->neighbours->near(
        frame.view,
        {.x = point.x,
         .y = point.y,
         .radius = radius,
         .guess = wanted.is_nearest ? likely_radius(frame, point, wanted.max_count) : radius,
         .max_count = wanted.max_count},
        ids.data(), distances.data());
    if (count == simd::not_near) return false;
    if (count != 0) (void)take(ids.data(), distances.data(), count);
    return true;
}

template <class Take>
bool search_if_near(const FrameState& frame, const Point& point, const Neighbourhood& wanted,
                    const Filter& filter, Take& take) noexcept {
    return wanted.agents_as == AgentsAs::centres && admits_all(frame, filter) &&
           search_near(frame, point, wanted, take);
}
template <class Take>
void search_in(const FrameState& frame, const Point& point, const Neighbourhood& wanted, const Filter& filter,
               Take& take) noexcept {
    if (!search_if_near(frame, point, wanted, filter, take))
        (void)OnePoint(take).search(frame, point, wanted, filter);
}

// All within a radius among centres, in the order of the frame. Returns false if there is no memory.
template <class Take>
bool search_in_order(const WhereToLook& where, const FrameState& frame, const Point& point,
                     const Neighbourhood& wanted, const Filter& filter, Take& take) noexcept {
    const Lease<AnswerSpace> space(frame.store->spaces.answers);
    if (!space) return false;
    Buffer<AgentId>& all = space->streams[0];
    Buffer<float>& far = space->distances[0];
    all.clear();
    far.clear();
    bool enough = true;
    auto keep = [&](const AgentId* ids, const float* distances, std::size_t count) noexcept {
        const std::size_t had = all.size();
        enough = resize_amply(all, had + count) && resize_amply(far, had + count);
        if (!enough) return false;
        std::copy_n(ids, count, all.data() + had);
        std::copy_n(distances, count, far.data() + had);
        return true;
    };
    (void)search_in(where.frame(), point, wanted, filter, keep);
    if (!enough || !resize_amply(space->ends, all.size())) return false;
    where.put_in_order(all.data(), far.data(), all.size(), space->ends.data());
    if (all.size() != 0) (void)take(all.data(), far.data(), all.size());
    return true;
}

// What is not near, apart from the short way.
template <class Take>
THRONG_NOINLINE void search_far(const FrameState& frame, const Point& point, const Neighbourhood& wanted,
                                const Filter& filter, Take& take) noexcept {
    const WhereToLook where(frame, wanted);
    if (!where.is_among_centres()) return where.note(OnePoint(take).search(frame, point, wanted, filter));
    if (wanted.is_nearest) return search_in(where.frame(), point, wanted, filter, take);
    if (!search_in_order(where, frame, point, wanted, filter, take))
        (void)OnePoint(take).search(frame, point, wanted, filter);
}

template <class Take>
void search(const FrameState& frame, const Point& point, const Neighbourhood& wanted, const Filter& filter,
            Take& take) noexcept {
    if (!search_if_near(frame, point, wanted, filter, take)) search_far(frame, point, wanted, filter, take);
}

Status check_one(const Point& point, const Neighbourhood& wanted, const Filter& filter) noexcept {
    if (const Status bad = check(wanted, From::points, 1); !bad.ok()) return bad;
    if (!wanted.radii.empty())
        if (const Code bad = check_radius(wanted.radii[0], wanted.is_nearest); bad != Code::ok)
            return {bad, 0, Argument::radii};
    if (check({point.x, point.y, point.x, point.y}) != Code::ok) return {Code::not_finite, 0};
    return has_band(filter) ? Status{} : check_band(filter);
}

}  // namespace

Status FrameCalls::visit_neighbours(const Point& point, const Neighbourhood& wanted, const Filter& filter,
                                    NeighbourVisitor visitor) const {
    if (const Status bad = check_one(point, wanted, filter); !bad.ok()) return bad;
    if (state_ == nullptr) return failure_;
    if (wraps_) return visit_around(point, wanted, filter, visitor);
    // An exception of the visitor is held back until the kernel has returned.
    std::exception_ptr thrown;
    auto take = [&](const AgentId* ids, const float* distances, std::size_t count) noexcept {
        constexpr std::size_t at_once = 64;
        Unwritten<Neighbour, at_once> some;
        for (std::size_t first = 0; first < count; first += at_once) {
            const std::size_t now = std::min(at_once, count - first);
            for (std::size_t i = 0; i < now; ++i) some[i] = {ids[first + i], distances[first + i]};
            try {
                if (!visitor(some.data(), now)) return false;
            } catch (...) {
                thrown = std::current_exception();
                return false;
            }
        }
        return true;
    };
    search(*state_, point, wanted, filter, take);
    if (thrown) std::rethrow_exception(thrown);
    return {};
}

Filled FrameCalls::list_neighbours(const Point& point, const Neighbourhood& wanted, std::span<Neighbour> out,
                                   const Filter& filter) const noexcept {
    if (const Status bad = check_one(point, wanted, filter); !bad.ok()) return {.status = bad};
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view, Argument::output}};
    if (state_ == nullptr) return {.status = failure_};
    if (wraps_) return list_around(point, wanted, out, filter);
    std::uint64_t total = 0;
    auto take = [&](const AgentId* ids, const float* distances, std::size_t count) noexcept {
        for (std::size_t i = 0; i < count && total + i < out.size(); ++i)
            out[static_cast<std::size_t>(total) + i] = {ids[i], distances[i]};
        total += count;
        return true;
    };
    search(*state_, point, wanted, filter, take);
    return filled(total, out.size());
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
