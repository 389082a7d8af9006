// Lists of neighbours that are kept while no agent can have crossed their skin.
//
// Why they have all neighbours. Let R be the float `radius + skin` for which the lists were made, r the radius, and m the
// largest distance between the centre of an agent then and now. Two agents within r of each other now were then within
// r + 2m, so with 2m <= R - r each was in the list of the other. That is true of real numbers. The searches compare
// rounded ones:
// - A squared distance of floats has five roundings, r * r has one, each of at most u = 2^-23 in any rounding mode. So what
//   is found is nearer than r (1 + 4u), and all that is nearer than R (1 - 4u) was found. `slack` is twice that.
// - Squares below the least normal float, 1.2e-38, lose digits or become zero, so what is nearer than 2.2e-19 may count
//   as being at the same place. `tiny` is more than that.
// - If r * r is infinite, so is R * R, and the lists have all agents.
// Movements are measured in double, where the difference of two floats has a square without overflow or underflow, and
// errors of a few 2^-52, far below the slack. Where nothing moved at all, the lists are right whatever the skin.
// As soon as one agent has left the margin, no others are looked at.

#include <algorithm>
#include <atomic>
#include <limits>

#include "engine/src/memory/scratch.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/places.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

constexpr std::size_t min_in_a_block = 4096;
constexpr Point no_place{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};

Code check_kept(const KeptNeighbourhood& wanted) noexcept {
    if (const Code bad = check_radius(wanted.radius, 0); bad != Code::ok) return bad;
    if (const Code bad = check_radius(wanted.skin, 0); bad != Code::ok) return bad;
    return check_radius(wanted.radius + wanted.skin, 0);
}

// How far all agents may have moved since lists for `made` were made, so that these have all that is within `radius`.
double allowed_movement(float radius, float made) noexcept {
    constexpr double slack = 0x1p-20, tiny = 1e-18;
    const double reached = double{radius} * (1 + slack) + tiny, found = double{made} * (1 - slack) - tiny;
    return std::max(0.0, (found - reached) / (2 * (1 + slack)));
}

// The centres of all agents of a frame, now and when lists were made.
class Centres {
public:
    Centres(const FrameState& frame, const Executor& executor) noexcept
        : places_(frame),
          executor_(executor),
          blocks_(parallel::blocks_for(executor, frame.agents, min_in_a_block)) {}

    // Finds out whether each agent is within that distance of where it was. One that was nowhere is not. Returns false
    // if the executor failed, as does the next.
    bool compare(const Point* from, double allowed, bool& all_close) const noexcept {
        std::atomic<bool> one_left{false};
        const bool ran = for_blocks([&](const parallel::Range& range) {
            places_.each(range, false, [&](const simd::Queriers& some) {
                if (any_left(some, from, allowed * allowed)) one_left.store(true, std::memory_order_relaxed);
                return !one_left.load(std::memory_order_relaxed);
            });
        });
        all_close = !one_left.load(std::memory_order_relaxed);
        return ran;
    }
    bool write(Point* to) const noexcept {
        return for_blocks([&](const parallel::Range& range) {
            places_.each(range, false, [&](const simd::Queriers& some) {
                for (std::uint32_t i = 0; i < some.count; ++i) {
                    if (i + ahead < some.count) __builtin_prefetch(to + some.number[i + ahead], 1);
                    to[some.number[i]] = {some.x[i], some.y[i]};
                }
                return true;
            });
        });
    }

private:
    // Ids in the order of rows lead to places all over the memory, so these are fetched early.
    static constexpr std::uint32_t ahead = 16;

    static bool any_left(const simd::Queriers& some, const Point* from, double allowed_squared) noexcept {
        unsigned left = 0;
        for (std::uint32_t i = 0; i < some.count; ++i) {
            if (i + ahead < some.count) __builtin_prefetch(from + some.number[i + ahead]);
            const Point was = from[some.number[i]];
            const double dx = double{some.x[i]} - was.x, dy = double{some.y[i]} - was.y;
            left |= dx * dx + dy * dy > allowed_squared;
        }
        return left != 0;
    }
    template <class Use>
    bool for_blocks(const Use& use) const noexcept {
        return parallel::for_blocks(
            executor_, blocks_, [&](std::size_t b) { use(parallel::range_of(places_.size(), blocks_, b)); });
    }

    const AgentPlaces places_;
    const Executor& executor_;
    const std::size_t blocks_;
};

}  // namespace

Status Frame::neighbours(KeptNeighbours& kept) const noexcept {
    const bool had_lists = kept.has_lists();
    kept.was_rebuilt_ = false;
    const auto refuse = [&](Status why) {
        kept.clear();
        return why;
    };
    const KeptNeighbourhood& wanted = kept.wanted_;
    if (const Code bad = check_kept(wanted); bad != Code::ok) return refuse({bad, Argument::options});
    if (state_ == nullptr) return refuse(status());  // an empty frame has no lists

    const Centres centres(*state_, executor_);
    const float made = wanted.radius + wanted.skin;
    if (had_lists && kept.agents_ == state_->agents && kept.lists_.size() == state_->id_bound) {
        bool all_close = false;
        if (!centres.compare(kept.centres_.data(), allowed_movement(wanted.radius, made), all_close))
            return refuse({Code::bad_executor});
        if (all_close) return {};
    }
    kept.lists_.clear();
    if (!resize_amply(kept.centres_, state_->id_bound)) return refuse({Code::out_of_memory});
    if (const Status bad = neighbours({.radius = made, .half = wanted.half}, kept.lists_); !bad.ok())
        return refuse(bad);
    if (state_->agents != state_->id_bound) std::fill(kept.centres_.begin(), kept.centres_.end(), no_place);
    if (!centres.write(kept.centres_.data())) return refuse({Code::bad_executor});
    kept.agents_ = state_->agents;
    kept.was_rebuilt_ = true;
    ++kept.times_rebuilt_;
    return {};
}

}  // namespace throng
