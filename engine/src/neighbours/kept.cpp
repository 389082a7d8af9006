// Lists of neighbours that are kept while they have all neighbours.
//
// How that is known. Let R be the float `radius + skin` for which the lists were made, and r the radius. If each of two agents
// has moved by m or less since then and they are within r of each other now, then they were within r + 2m, so with 2m <= R - r
// they were in each other's lists. So only around agents that have moved further than that m is there a look at who is within r
// now, and where these were then. That is true of real numbers. The searches compare rounded ones:
// - A squared distance of floats has five roundings, r * r has one, each of at most u = 2^-23 in any rounding mode. So what
//   is found is nearer than r (1 + 4u), and all that is nearer than R (1 - 4u) was found. `slack` is twice that.
// - Squares below the least normal float, 1.2e-38, lose digits or become zero, so what is nearer than 2.2e-19 may count
//   as being at the same place. `tiny` is more than that.
// - If r * r is infinite, so is R * R, and the lists have all agents.
// - Movements are squared distances of floats too, so what counts as m or less is less than m (1 + 3u) + 1.6e-19, for which the
//   same slack has room. Their limit is a little lower yet, since it is rounded itself.
// Who were near then is measured in double, where the difference of two floats has a square without overflow or underflow.
// Where nothing moved at all, the lists are right whatever the skin.

#include <algorithm>
#include <limits>

#include "engine/src/memory/scratch.hpp"
#include "engine/src/neighbours/agent_search.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/movement.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

constexpr Point no_place{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};

Code check_kept(const KeptNeighbourhood& wanted) noexcept {
    if (const Code bad = check_radius(wanted.radius, 0); bad != Code::ok) return bad;
    if (const Code bad = check_radius(wanted.skin, 0); bad != Code::ok) return bad;
    return check_radius(wanted.radius + wanted.skin, 0);
}

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
    // An empty frame has no lists.
    if (state_ == nullptr || !status().ok()) return refuse(status());

    const float made = wanted.radius + wanted.skin;
    if (had_lists && kept.agents_ == state_->agents && kept.lists_.size() == state_->id_bound) {
        bool have_all = false;
        Movement movement(*state_, executor_, KeptMargin(wanted.radius, made), kept.centres_.data());
        if (const Status bad = movement.look(have_all); !bad.ok()) return refuse(bad);
        if (have_all) return {};
    }
    kept.lists_.clear();
    if (!resize_amply(kept.centres_, state_->id_bound)) return refuse({Code::out_of_memory});
    if (state_->agents != state_->id_bound) std::fill(kept.centres_.begin(), kept.centres_.end(), no_place);
    ListResult result{kept.lists_.offsets_, kept.lists_.answers_, nullptr, 0};
    const Status bad = make_lists(*state_, *state_, executor_, {.radius = made, .half = wanted.half},
                                  Filters(), result, kept.lists_.agents_, kept.centres_.data());
    if (!bad.ok()) return refuse(bad);
    kept.agents_ = state_->agents;
    kept.was_rebuilt_ = true;
    ++kept.times_rebuilt_;
    return {};
}

}  // namespace throng
