// Pairs across the seams of a world that wraps around. Two agents are a pair if they are one as they lie, or
// if one is a pair with an image of the other: moved by a period to the right, up, or both, or to the right
// and down. So agents near the lower seams are moved, and then searched for among all. With two frames,
// agents of the first are moved, to each side. A frame with itself has the pairs of one frame, both ways
// round. Among long boxes all this is done with the squares around circles, or with centres
// (pairs/among_shapes.hpp): only whether two agents are close is a question to their boxes.

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "base/box_math.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/pairs/among_shapes.hpp"
#include "engine/src/pairs/pair_output.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/torus/moves.hpp"
#include "simd/pair_kernels.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

struct Move {
    int k, l;
};
// Along both axes last: an agent that covers everything along one is found by a move along the other.
constexpr std::array<Move, 8> all_moves{
    {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};

class PairsAround {
public:
    // Frames without seams, or one of them. If they are of shapes, `boxes` has the tables of the boxes, and
    // `further` is how far to look at least.
    PairsAround(const Frame& one, const FrameState& one_state, const Frame& other,
                const FrameState& other_state, const PairQuery& wanted, float further,
                const CloseByBoxes& boxes, Buffer<Pair>& pairs) noexcept
        : one_(one),
          other_(other),
          boxes_(boxes),
          period_(one_state.torus.period),
          own_(one_state.torus),
          wanted_(wanted),
          are_close_{wanted.within, wanted.agents_as},
          further_(boxes.one == nullptr ? further : further + slack()),
          ghosts_(one_state.ghosts),
          of_one_frame_(&one_state == &other_state),
          both_ways_(of_one_frame_ && wanted.with != nullptr),
          checks_labels_((one_state.labelled() || other_state.labelled()) && wanted.filter != PairFilter{}),
          checks_heights_(one_state.has_heights() && other_state.has_heights()),
          pairs_(pairs) {
        reach_as(one_state.torus, other_state.torus);
    }

    Status run(TorusSpace& space) noexcept {
        if (of_one_frame_ && !set_apart(space.seen)) return {Code::out_of_memory};
        for (std::size_t m = 0; m < all_moves.size(); ++m) {
            if (!is_possible(m)) continue;
            if (!gather(m, space)) return {Code::out_of_memory};
            const Status status = is_simple() ? search_all(space) : search_each(m, space);
            if (!status.ok()) return status;
        }
        return search_large();
    }

private:
    void reach_as(const Torus& own, const Torus& others) noexcept {
        const bool as_boxes = wanted_.agents_as == AgentsAs::boxes;
        // The circle in a box that covers everything in one direction does not.
        reach_x_ = others.has_wide && !as_boxes ? 2 * double{period_.x} : others.reach_x();
        reach_y_ = others.has_high && !as_boxes ? 2 * double{period_.y} : others.reach_y();
        reach_x_ += double{further_}, reach_y_ += double{further_};
        const auto once = [](bool any, double both, float period) {
            return period == 0 || (!any && 2 * both < double{period});
        };
        once_ = once(own.has_wide || others.has_wide, own.reach_x() + reach_x_, period_.x) &&
                once(own.has_high || others.has_high, own.reach_y() + reach_y_, period_.y);
    }
    // A few agents that are large compared with the world are looked up one by one, so that the others reach
    // no further than their width. Returns false if there is no memory.
    bool set_apart(Buffer<AgentId>& large) noexcept {
        constexpr float share = 8;
        constexpr std::size_t agents_for_a_large_one = 16;
        const auto is_part = [](float size, float period) { return period != 0 && share * size > period; };
        if (!own_.has_wide && !own_.has_high && !is_part(own_.width, period_.x) &&
            !is_part(own_.height, period_.y))
            return true;
        large.clear();
        Torus others{period_};
        bool enough = true;
        (void)one_.for_each_agent([&](AgentId id, const Box& box) {
            if (!is_part(box.max_x - box.min_x, period_.x) && !is_part(box.max_y - box.min_y, period_.y))
                others.add(box);
            else
                enough = large.push_back(id);
            return enough && large.size() * agents_for_a_large_one <= one_.size();
        });
        if (!enough || large.size() * agents_for_a_large_one > one_.size()) return enough;
        std::sort(large.begin(), large.end());
        large_ = {large.data(), large.size()};
        reach_as(others, others);
        return true;
    }
    bool is_large(AgentId id) const noexcept {
        return !large_.empty() && std::binary_search(large_.begin(), large_.end(), id);
    }
    // Each with all others, whichever of the two is moved.
    Status search_large() noexcept {
        Status status;
        for (const AgentId id : large_)
            for (std::size_t m = 0; m < all_moves.size(); ++m)
                for (const bool other_moves : {false, true})
                    if (is_possible(m) && status.ok()) status = search_around(id, m, other_moves);
        return status;
    }
    Status search_around(AgentId id, std::size_t m, bool other_moves) noexcept {
        const Box shape = one_.box(id), own = box_of_one(id, shape), image = moved_by(m, own);
        const Box place =
            other_moves ? moved(shape, -all_moves[m].k, -all_moves[m].l, period_) : moved_by(m, shape);
        Box search = simd::Growth(further_).grown(place);
        if (other_moves) search = simd::Growth(slack()).grown(search);
        bool enough = true;
        const Status status = other_.for_each_overlap(search, [&](AgentId other, const Box& found) {
            const Box its = box_of_other(other, found);
            if (other == id || (other < id && is_large(other))) return true;
            const bool touch = are_close_(image, its);
            if (other_moves ? touch || !are_close_(moved_by(m, its), own) : !touch) return true;
            if (!are_wanted(id, other) || came_earlier(m, own, its)) return true;
            return enough = add(id, other);
        });
        return enough ? status : Status{Code::out_of_memory};
    }
    // The box of an agent that was found, perhaps as a shape.
    Box box_of_one(AgentId id, const Box& found) const noexcept {
        return boxes_.one == nullptr ? found : boxes_.one->box(id);
    }
    Box box_of_other(AgentId id, const Box& found) const noexcept {
        return boxes_.other == nullptr ? found : boxes_.other->box(id);
    }
    // The rounding of moving to and fro.
    float slack() const noexcept {
        return float_at_least(std::max(Torus::slack(period_.x), Torus::slack(period_.y)));
    }
    // Within one frame, half of the moves find all: to the right, or up.
    bool is_possible(std::size_t m) const noexcept {
        const auto [k, l] = all_moves[m];
        if (of_one_frame_ && (k < 0 || (k == 0 && l < 0))) return false;
        return (k == 0 || period_.x != 0) && (l == 0 || period_.y != 0);
    }
    Box moved_by(std::size_t m, const Box& box) const noexcept {
        return moved(box, all_moves[m].k, all_moves[m].l, period_);
    }
    // Whether only overlaps count.
    bool is_simple() const noexcept {
        return once_ && wanted_.within == 0 && wanted_.agents_as == AgentsAs::boxes && !checks_labels_;
    }
    // The agents that may touch others after they are moved.
    bool gather(std::size_t m, TorusSpace& space) noexcept {
        constexpr float most = std::numeric_limits<float>::max();
        Box strip{-most, -most, most, most};
        const int k = all_moves[m].k, l = all_moves[m].l;
        if (k > 0) strip.max_x = float_at_least(reach_x_);
        if (k < 0) strip.min_x = float_at_most(double{period_.x} - reach_x_);
        if (l > 0) strip.max_y = float_at_least(reach_y_);
        if (l < 0) strip.min_y = float_at_most(double{period_.y} - reach_y_);
        space.owners.clear();
        space.boxes.clear();
        bool enough = true;
        (void)one_.for_each_overlap(strip, [&](AgentId id, const Box& box) {
            if ((!of_one_frame_ && ghosts_.has(id)) || is_large(id)) return true;
            return enough = space.owners.push_back(id) && space.boxes.push_back(moved_by(m, box));
        });
        return enough;
    }
    Status search_all(TorusSpace& space) noexcept {
        const std::span<const Box> images(space.boxes.data(), space.boxes.size());
        if (images.empty()) return {};
        if (const Status bad = other_.overlaps(images, space.hits); !bad.ok()) return bad;
        const std::size_t most = space.hits.ids().size() * (both_ways_ ? 2 : 1);
        if (!reserve_amply(pairs_, pairs_.size() + most)) return {Code::out_of_memory};
        for (std::size_t i = 0; i < images.size(); ++i)
            for (const AgentId other : space.hits[i])
                if (!is_large(other) && are_wanted(space.owners[i], other)) (void)add(space.owners[i], other);
        return {};
    }
    // One by one, measured, and each pair once.
    Status search_each(std::size_t m, TorusSpace& space) noexcept {
        const simd::Growth growth(further_);
        Status status;
        for (std::size_t i = 0; i < space.owners.size() && status.ok(); ++i) {
            const AgentId id = space.owners[i];
            const Box search = growth.grown(space.boxes[i]);
            const Box own = boxes_.one != nullptr ? boxes_.one->box(id) : once_ ? Box{} : one_.box(id);
            const Box image = boxes_.one != nullptr ? moved_by(m, own) : space.boxes[i];
            bool enough = true;
            status = other_.for_each_overlap(search, [&](AgentId other, const Box& found) {
                const Box its = box_of_other(other, found);
                if ((of_one_frame_ && other == id) || is_large(other)) return true;
                if (!are_close_(image, its) || !are_wanted(id, other)) return true;
                if (!once_ && came_before(m, id, own, other, its)) return true;
                return enough = add(id, other);
            });
            if (!enough) return {Code::out_of_memory};
        }
        return status;
    }
    // Of two frames, pairs start from owned agents.
    bool add(AgentId one, AgentId other) noexcept {
        if (!both_ways_) return pairs_.push_back({one, other});
        return (ghosts_.has(one) || pairs_.push_back({one, other})) &&
               (ghosts_.has(other) || pairs_.push_back({other, one}));
    }
    bool are_wanted(AgentId one, AgentId other) const noexcept {
        if (of_one_frame_ && ghosts_.has(one) && ghosts_.has(other)) return false;
        if (checks_heights_ && !one_.height(one).overlaps(other_.height(other))) return false;
        return !checks_labels_ || wanted_.filter.admits(one_.label(one), other_.label(other));
    }
    // Whether these two are a pair without this move, by an earlier one, or, within one frame, by this one
    // the other way round.
    bool came_before(std::size_t m, AgentId a, const Box& its, AgentId b, const Box& others) const noexcept {
        return came_earlier(m, its, others) ||
               (of_one_frame_ && b < a && are_close_(moved_by(m, others), its));
    }
    bool came_earlier(std::size_t m, const Box& its, const Box& others) const noexcept {
        if (are_close_(its, others)) return true;
        for (std::size_t n = 0; n < m; ++n) {
            if (!is_possible(n)) continue;
            if (are_close_(moved_by(n, its), others)) return true;
            if (of_one_frame_ && are_close_(moved_by(n, others), its)) return true;
        }
        return false;
    }

    const Frame &one_, &other_;
    const CloseByBoxes boxes_;
    const Period period_;
    const Torus& own_;
    const PairQuery& wanted_;
    const simd::Closeness are_close_;
    const float further_;
    const simd::GhostIds ghosts_;
    const bool of_one_frame_, both_ways_, checks_labels_, checks_heights_;
    Buffer<Pair>& pairs_;
    std::span<const AgentId> large_;  // ascending
    double reach_x_, reach_y_;        // how far beyond a seam agents to find may lie
    bool once_;                       // no two agents touch in more than one way
};

}  // namespace

Status Frame::add_pairs_across(const PairQuery& wanted, PairOutput& output) const noexcept {
    const bool is_alone = wanted.with == nullptr;
    const FrameState& theirs = is_alone ? *state_ : *wanted.with->state_;
    if (!state_->labelled() && !theirs.labelled() && wanted.filter != PairFilter{} &&
        !wanted.filter.admits(Label{}, Label{}))
        return {};
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    space->pairs.clear();
    Buffer<Pair>& pairs = output.list() == nullptr ? space->pairs : *output.list();
    Status status;
    if (AmongShapes::pays(*state_, theirs, wanted)) {
        const AmongShapes shapes(*state_, theirs, wanted);
        if (!shapes.has_memory()) return {Code::out_of_memory};
        const ShapeFrame &one = shapes.one(), &other = shapes.other();
        status = PairsAround(one.frame, one.state(), other.frame, other.state(), wanted,
                             shapes.candidates().within, shapes.close(), pairs)
                     .run(*space);
    } else {
        const Frame flat = unrolled(), others = is_alone ? flat : wanted.with->unrolled();
        status = PairsAround(flat, *state_, others, theirs, wanted, wanted.within, {}, pairs).run(*space);
    }
    return status.ok() ? output.take({pairs.data(), pairs.size()}) : status;
}

}  // namespace throng
