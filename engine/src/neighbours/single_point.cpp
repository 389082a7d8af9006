// The neighbours of one point: on the calling thread, for a visitor or into the host's memory. It goes
// straight to the kernel, or part by part and image by image.

#include <algorithm>
#include <exception>

#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "engine/src/neighbours/centre_frames.hpp"
#include "engine/src/neighbours/points.hpp"
#include "throng/compiler.hpp"
#include "throng/frame.hpp"
#include "throng/static_layer.hpp"

namespace throng {

using namespace detail;

namespace {

// Agents near one point, for a visitor of any kind: take(ids, distances, count) says whether to go on.
using FoundNear = AnyCall<const AgentId*, const float*, std::size_t>;
template <class Take>
FoundNear found_near(Take& take) noexcept {
    return {&take, [](void* to, const AgentId* ids, const float* distances, std::size_t count) {
                return (*static_cast<Take*>(to))(ids, distances, count);
            }};
}

// Hands on what the kernel leaves in buffers on the stack.
class OnePoint : public HandOn<OnePoint, simd::ListSink, 1024 - simd::list_slack, true> {
public:
    explicit OnePoint(const FoundNear& take) noexcept : take_(take) {}

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
    const FoundNear& take_;
};

// The same for near agents, if they can be found in that way.
template <class Take>
bool search_near(const FrameState& frame, const Point& point, const Neighbourhood& wanted,
                 const Filter& filter, const Take& take) noexcept {
    if (wanted.agents_as != AgentsAs::centres || !admits_all(frame, filter)) return false;
    constexpr std::size_t room = simd::near_room + 2 * simd::gap;
    Unwritten<AgentId, room> ids;
    Unwritten<float, room> distances;
    const float radius = radius_at(wanted, 0);
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
void search_in(const FrameState& frame, const Point& point, const Neighbourhood& wanted, const Filter& filter,
               const FoundNear& take) noexcept {
    if (!search_near(frame, point, wanted, filter, take))
        (void)OnePoint(take).search(frame, point, wanted, filter);
}

// All within a radius among centres, in the order of the frame. Returns false if there is no memory.
bool search_in_order(const WhereToLook& where, const FrameState& frame, const Point& point,
                     const Neighbourhood& wanted, const Filter& filter, const FoundNear& take) noexcept {
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
    (void)search_in(where.frame(), point, wanted, filter, found_near(keep));
    if (!enough || !resize_amply(space->ends, all.size())) return false;
    where.put_in_order(all.data(), far.data(), all.size(), space->ends.data());
    if (all.size() != 0) (void)take(all.data(), far.data(), all.size());
    return true;
}

// The other ways, apart from the short one.
THRONG_NOINLINE void search_far(const FrameState& frame, const Point& point, const Neighbourhood& wanted,
                                const Filter& filter, const FoundNear& take) noexcept {
    const WhereToLook where(frame, wanted);
    if (!where.is_among_centres()) return where.note(OnePoint(take).search(frame, point, wanted, filter));
    if (wanted.is_nearest) return search_in(where.frame(), point, wanted, filter, take);
    if (!search_in_order(where, frame, point, wanted, filter, take))
        (void)OnePoint(take).search(frame, point, wanted, filter);
}

template <class Take>
void search(const FrameState& frame, const Point& point, const Neighbourhood& wanted, const Filter& filter,
            Take& take) noexcept {
    if (!search_near(frame, point, wanted, filter, take))
        search_far(frame, point, wanted, filter, found_near(take));
}

// The nearest of all parts and images, each once. At equal distances an agent is nearer than an element.
class NearestOfAll {
public:
    struct One {
        float distance;
        bool is_static;
        AgentId id;
        friend auto operator<=>(const One&, const One&) = default;
    };
    explicit NearestOfAll(std::uint32_t most) noexcept : most_(most) {}

    float radius_left(float radius) const noexcept {
        if (count_ == 0 || count_ < most_) return radius;
        return std::min(radius, radius_of(found_[count_ - 1].distance));
    }
    void add(const One& one) noexcept {
        std::size_t at = 0;
        while (at < count_ && !(found_[at].id == one.id && found_[at].is_static == one.is_static)) ++at;
        if (at == count_ && count_ < most_)
            ++count_;
        else if (!(one < found_[at = std::min(at, count_ - 1)]))
            return;
        for (; at != 0 && one < found_[at - 1]; --at) found_[at] = found_[at - 1];
        found_[at] = one;
    }
    void hand_on(bool is_static, const FoundNear& to) const noexcept {
        for (std::size_t i = 0; i < count_; ++i)
            if (found_[i].is_static == is_static && !to(&found_[i].id, &found_[i].distance, 1)) return;
    }

private:
    const std::size_t most_;
    std::size_t count_ = 0;
    Unwritten<One, Nearest::count_limit> found_;
};

// If two images may find the same agent, it is as far as its nearest image.
Status ask_repeating(const Scope& scope, const Point& point, const Neighbourhood& wanted,
                     const Filter& filter, const FoundNear& agents, const FoundNear& elements) noexcept {
    const Lease<TorusSpace> space(scope.agents().store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    Neighbourhood asked = wanted;
    asked.distances = true;
    const Executor serial = serial_executor();
    const Status bad =
        find_in_parts(scope.on(serial), std::span(&point, 1), asked, filter, space->made, &space->lists);
    const auto hand_on = [](const NeighbourLists& found, const FoundNear& to) {
        if (!found.ids().empty())
            (void)to(found.ids().data(), found.squared_distances().data(), found.ids().size());
    };
    if (!bad.ok()) return bad;
    hand_on(space->made, agents);
    hand_on(space->lists, elements);
    return {};
}

// Searches each part around a point and its images: the nearest so far bound how far the next ones look.
THRONG_NOINLINE Status ask_parts_near(const Scope& scope, const Point& point, const Neighbourhood& wanted,
                                      const Filter& filter, const FoundNear& agents,
                                      const FoundNear& elements) noexcept {
    const Torus torus = scope.torus();
    const PlaceMoves moves(torus, wanted);
    const Point there = folded(point, torus.period);
    const float radius = radius_at(wanted, 0);
    if (!wanted.is_nearest && moves.of(there, radius).repeats())
        return ask_repeating(scope, point, wanted, filter, agents, elements);
    NearestOfAll nearest(wanted.max_count);
    Neighbourhood around = wanted;
    around.radii = {};
    scope.each(filter, [&](const Part& part, const Filter& own) {
        const FoundNear& to = part.is_layer ? elements : agents;
        bool more = true;
        auto take = [&](const AgentId* ids, const float* distances, std::size_t count) noexcept {
            for (std::size_t i = 0; i < count && wanted.is_nearest; ++i)
                nearest.add({distances[i], part.is_layer, ids[i]});
            return more = wanted.is_nearest || to(ids, distances, count);
        };
        const auto look = [&](const Point& at) noexcept {
            around.radius = nearest.radius_left(radius);
            search(*part.frame, at, around, own, take);
            return more;
        };
        if (look(there))
            (void)moves.of(there, nearest.radius_left(radius)).each([&](int k, int l) {
                return look(moved(there, k, l, torus.period));
            });
        return true;
    });
    nearest.hand_on(false, agents);
    nearest.hand_on(true, elements);
    return {};
}

// All faults of a call except in its output.
Status check_one(const Frame& frame, const Point& point, const Neighbourhood& wanted,
                 const Filter& filter) noexcept {
    if (const Status bad = check(wanted, From::points, 1); !bad.ok()) return bad;
    if (!has_band(filter)) return check_band(filter);
    if (const Scope scope(frame); !scope.status().ok()) return scope.status();
    if (check({point.x, point.y, point.x, point.y}) != Code::ok) return {Code::not_finite, 0};
    if (wanted.radii.empty()) return {};
    return {check_radius(wanted.radii[0], wanted.is_nearest), 0, Argument::radii};
}

template <class Take>
Status ask_near(const Frame& frame, const Point& point, const Neighbourhood& wanted, const Filter& filter,
                Take& take) noexcept {
    if (const Status bad = check_one(frame, point, wanted, filter); !bad.ok()) return bad;
    if (!Scope::is_plain(frame)) [[unlikely]]
        return ask_parts_near(Scope::of_agents(frame), point, wanted, filter, found_near(take), {});
    search(Scope::only_part(frame), point, wanted, filter, take);
    return {};
}

// An exception of a visitor is held back until the kernel has returned, and ends the visit.
class VisitNear {
public:
    VisitNear(NeighbourVisitor visitor, std::exception_ptr& thrown) noexcept
        : visitor_(visitor), thrown_(thrown) {}

    bool operator()(const AgentId* ids, const float* distances, std::size_t count) const noexcept {
        constexpr std::size_t at_once = 64;
        Unwritten<Neighbour, at_once> some;
        for (std::size_t first = 0; first < count && !thrown_; first += at_once) {
            const std::size_t now = std::min(at_once, count - first);
            for (std::size_t i = 0; i < now; ++i) some[i] = {ids[first + i], distances[first + i]};
            try {
                if (!visitor_(some.data(), now)) return false;
            } catch (...) {
                thrown_ = std::current_exception();
            }
        }
        return !thrown_;
    }

private:
    const NeighbourVisitor visitor_;
    std::exception_ptr& thrown_;
};

}  // namespace

Status Frame::visit_neighbours(const Point& point, const Neighbourhood& wanted, const Filter& filter,
                               NeighbourVisitor visitor) const {
    std::exception_ptr thrown;
    VisitNear take(visitor, thrown);
    const Status status = ask_near(*this, point, wanted, filter, take);
    if (thrown) std::rethrow_exception(thrown);
    return status;
}

Status WithStatic::visit_neighbours(const Point& point, const Neighbourhood& wanted, const Filter& filter,
                                    NeighbourVisitor agents, NeighbourVisitor elements) const {
    if (const Status bad = check_one(*this, point, wanted, filter); !bad.ok()) return bad;
    std::exception_ptr thrown;
    VisitNear take(agents, thrown), take_elements(elements, thrown);
    const Status status =
        ask_parts_near(Scope(*this), point, wanted, filter, found_near(take), found_near(take_elements));
    if (thrown) std::rethrow_exception(thrown);
    return status;
}

Filled Frame::list_neighbours(const Point& point, const Neighbourhood& wanted, std::span<Neighbour> out,
                              const Filter& filter) const noexcept {
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view, Argument::output}};
    std::uint64_t total = 0;
    auto take = [&](const AgentId* ids, const float* far, std::size_t count) THRONG_ALWAYS_INLINE_LAMBDA {
        for (std::size_t i = 0; i < count && total + i < out.size(); ++i)
            out[static_cast<std::size_t>(total) + i] = {ids[i], far[i]};
        total += count;
        return true;
    };
    const Status status = ask_near(*this, point, wanted, filter, take);
    return status.ok() ? filled(total, out.size()) : Filled{.status = status};
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
NearestNeighbour WithStatic::nearest(const Point& point, const Filter& filter) const noexcept {
    NearestNeighbour nearest;
    const auto take = [&](const Neighbour& one) { nearest.neighbour = one; };
    const auto take_element = [&](const Neighbour& one) {
        nearest.neighbour = one;
        nearest.is_static = true;
    };
    nearest.status = for_each_neighbour(point, Nearest{}, take, take_element, filter);
    return nearest;
}

}  // namespace throng
