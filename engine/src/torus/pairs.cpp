// Pairs across the seams of a world that wraps around. Two agents are a pair if they are one as they lie, or
// if one is with an image of the other: moved by a period to the right, up, or both, or to the right and
// down. So agents near the lower seams are moved, and searched for among all.

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <span>

#include "base/box_math.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/pairs/closeness.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/torus/moves.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

struct Move {
    int k, l;
};
constexpr std::array<Move, 4> all_moves{{{1, 0}, {0, 1}, {1, 1}, {1, -1}}};

class PairsAround {
public:
    PairsAround(const Frame& flat, const FrameState& frame, const PairQuery& wanted,
                Buffer<Pair>& pairs) noexcept
        : flat_(flat),
          torus_(frame.torus),
          wanted_(wanted),
          are_close_(wanted),
          ghosts_(frame.ghosts),
          checks_labels_(frame.labelled() && wanted.filter != PairFilter{}),
          checks_heights_(frame.has_heights()),
          pairs_(pairs) {
        const bool as_boxes = wanted.agents_as == AgentsAs::boxes;
        // The circle in a box that covers all in one direction does not.
        reach_x_ = torus_.has_wide && !as_boxes ? 2 * double{torus_.period.x} : torus_.reach_x();
        reach_y_ = torus_.has_high && !as_boxes ? 2 * double{torus_.period.y} : torus_.reach_y();
        reach_x_ += double{wanted.within}, reach_y_ += double{wanted.within};
        const auto once = [](bool any, double reach, float period) {
            return period == 0 || (!any && 4 * reach < double{period});
        };
        once_ = once(torus_.has_wide, reach_x_, torus_.period.x) &&
                once(torus_.has_high, reach_y_, torus_.period.y);
    }

    Status run(TorusSpace& space) noexcept {
        for (std::size_t m = 0; m < all_moves.size(); ++m) {
            if ((all_moves[m].k != 0 && torus_.period.x == 0) ||
                (all_moves[m].l != 0 && torus_.period.y == 0))
                continue;
            if (!gather(m, space)) return {Code::out_of_memory};
            const Status status = is_simple() ? search_all(space) : search_each(m, space);
            if (!status.ok()) return status;
        }
        return {};
    }

private:
    // Whether what overlaps is all that counts.
    bool is_simple() const noexcept {
        return once_ && wanted_.within == 0 && wanted_.agents_as == AgentsAs::boxes && !checks_labels_;
    }
    // The agents that may touch others once they are moved.
    bool gather(std::size_t m, TorusSpace& space) noexcept {
        constexpr float most = std::numeric_limits<float>::max();
        Box strip{-most, -most, most, most};
        const int k = all_moves[m].k, l = all_moves[m].l;
        if (k > 0) strip.max_x = float_at_least(reach_x_);
        if (l > 0) strip.max_y = float_at_least(reach_y_);
        if (l < 0) strip.min_y = float_at_most(double{torus_.period.y} - reach_y_);
        space.owners.clear();
        space.boxes.images.clear();
        bool enough = true;
        (void)flat_.for_each_overlap(strip, [&](AgentId id, const Box& box) {
            enough =
                space.owners.push_back(id) && space.boxes.images.push_back(moved(box, k, l, torus_.period));
            return enough;
        });
        return enough;
    }
    Status search_all(TorusSpace& space) noexcept {
        const std::span<const Box> images(space.boxes.images.data(), space.boxes.images.size());
        if (images.empty()) return {};
        if (const Status bad = flat_.overlaps(images, space.hits); !bad.ok()) return bad;
        std::size_t at = pairs_.size();
        if (!resize_amply(pairs_, at + space.hits.ids().size())) return {Code::out_of_memory};
        for (std::size_t i = 0; i < images.size(); ++i)
            for (const AgentId other : space.hits[i])
                if (are_wanted(space.owners[i], other)) pairs_[at++] = {space.owners[i], other};
        (void)pairs_.resize(at);
        return {};
    }
    // One by one, measured, and each pair once.
    Status search_each(std::size_t m, TorusSpace& space) noexcept {
        const Growth growth(wanted_.within);
        Status status;
        for (std::size_t i = 0; i < space.owners.size() && status.ok(); ++i) {
            const AgentId id = space.owners[i];
            const Box image = space.boxes.images[i];
            const Box search{growth.down(image.min_x), growth.down(image.min_y), growth.up(image.max_x),
                             growth.up(image.max_y)};
            const Box own = once_ ? Box{} : flat_.box(id);
            bool enough = true;
            status = flat_.for_each_overlap(search, [&](AgentId other, const Box& its) {
                if (other == id || !are_close_(image, its) || !are_wanted(id, other)) return true;
                if (!once_ && came_before(m, id, own, other, its)) return true;
                return enough = pairs_.push_back({id, other});
            });
            if (!enough) return {Code::out_of_memory};
        }
        return status;
    }
    bool are_wanted(AgentId one, AgentId other) const noexcept {
        if (ghosts_.has(one) && ghosts_.has(other)) return false;
        if (checks_heights_ && !flat_.height(one).overlaps(flat_.height(other))) return false;
        return !checks_labels_ || wanted_.filter.admits(flat_.label(one), flat_.label(other));
    }
    // Whether these two are a pair without this move, by an earlier one, or by this one the other way round.
    bool came_before(std::size_t m, AgentId a, const Box& its, AgentId b, const Box& others) const noexcept {
        if (are_close_(its, others)) return true;
        const auto by = [&](std::size_t n, const Box& from, const Box& to) {
            return are_close_(moved(from, all_moves[n].k, all_moves[n].l, torus_.period), to);
        };
        for (std::size_t n = 0; n < m; ++n) {
            if ((all_moves[n].k != 0 && torus_.period.x == 0) ||
                (all_moves[n].l != 0 && torus_.period.y == 0))
                continue;
            if (by(n, its, others) || by(n, others, its)) return true;
        }
        return b < a && by(m, others, its);
    }

    const Frame& flat_;
    const Torus& torus_;
    const PairQuery& wanted_;
    const Closeness are_close_;
    const simd::GhostIds ghosts_;
    const bool checks_labels_, checks_heights_;
    Buffer<Pair>& pairs_;
    double reach_x_, reach_y_;
    bool once_;  // no two agents touch in more than one way
};

}  // namespace

Status FrameCalls::add_pairs_around(Buffer<Pair>& pairs, const PairQuery& wanted) const noexcept {
    if (!state_->labelled() && wanted.filter != PairFilter{} && !wanted.filter.admits(Label{}, Label{}))
        return {};
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    return PairsAround(unrolled(), *state_, wanted, pairs).run(*space);
}

// What lies across the seams comes behind the other pairs.
Filled FrameCalls::fill_pairs_around(std::span<Pair> out, const PairQuery& wanted) const noexcept {
    Filled filled = unrolled().pairs(out, wanted);
    if (!filled.status.ok()) return filled;
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {.status = {Code::out_of_memory}};
    Buffer<Pair>& more = space->pairs;
    more.clear();
    if (const Status bad = add_pairs_around(more, wanted); !bad.ok()) return {.status = bad};
    const auto written = static_cast<std::size_t>(filled.written),
               fitting = std::min(more.size(), out.size() - written);
    std::copy_n(more.begin(), fitting, out.data() + written);
    return {.status = {}, .total = filled.total + more.size(), .written = written + fitting};
}

Count FrameCalls::count_pairs_around(const PairQuery& wanted) const noexcept {
    const Count inside = unrolled().count_pairs(wanted);
    const Filled across = inside.status.ok() ? fill_pairs_around({}, wanted) : Filled{inside.status};
    return {.status = across.status, .total = across.total};
}

Status FrameCalls::visit_pairs_around(const PairQuery& wanted, PairVisitor visitor) const noexcept {
    std::atomic<bool> stopped{false};
    const auto visit = [&](std::span<const Pair> pairs) {
        const bool more = visitor(pairs.data(), pairs.size());
        if (!more) stopped.store(true, std::memory_order_relaxed);
        return more;
    };
    Status status = unrolled().for_each_pair_concurrently(visit, wanted);
    if (!status.ok() || stopped.load(std::memory_order_relaxed)) return status;
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    space->pairs.clear();
    status = add_pairs_around(space->pairs, wanted);
    if (!status.ok() || space->pairs.size() == 0) return status;
    try {
        (void)visitor(space->pairs.data(), space->pairs.size());
    } catch (...) {
        return {Code::visitor_threw};
    }
    return {};
}

}  // namespace throng
