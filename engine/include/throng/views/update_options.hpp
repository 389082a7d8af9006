// What an update takes besides the boxes.
//
//     status = engine.update(boxes, {.labels = labels});
//     status = engine.update(boxes, {.heights = throng::Heights::bases(feet, 1.8f)});
//     status = engine.update(boxes, {.owned = own});     // agents from `own` on are ghosts
//
// A ghost is a copy of an agent that another engine owns, for the next tile of a streamed world, in another
// process or on another machine. A host gives each engine its own agents first, and behind them copies of the
// other engines' agents that are within reach of its own. Then all engines together answer what one engine
// with all agents would: each agent gets its list from its owner, and each pair comes from the owners of its
// agents. In calls about all agents at once:
//
// - Pairs of two ghosts are not listed and not counted; so they do not begin or end.
// - Only owned agents get lists and counts of neighbours. The list of a ghost is empty, its count is 0, and
//   in row order it has no list. Ghosts are in the lists of others.
// - Pairs with another frame and `neighbours_in` start from the owned agents of the frame. What they find in
//   the other frame may be ghosts there.
//
// Queries with the host's own boxes, shapes, points or casts find ghosts like all other agents. Edits and
// commits leave an agent owned or a ghost; inserted agents are owned. Ghosts whose ids follow each other, as
// they do without ids of the host's own, take no memory. Otherwise they take a bit for each id from the
// lowest to the highest. Ghosts with higher ids than owned agents are the cheapest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "throng/geometry.hpp"
#include "throng/heights.hpp"
#include "throng/labels.hpp"

namespace throng {

inline constexpr std::size_t all_owned = std::numeric_limits<std::size_t>::max();

// The agents that an update of untrusted input leaves out, so that one NaN does not stop a world:
//
//     throng::LeftOut left_out{.ids = some};      // some = a std::array<AgentId, 16>
//     status = engine.update(boxes, {.left_out = &left_out});
//
// Their ids are free until a later update gives them legal boxes: an insert may take them, and handles to
// them stay stale. An illegal id still fails the update. One illegal box in a batch of queries also refuses
// the whole batch, and the status names the first; take the boxes of these agents out of it.
struct LeftOut {
    // The host's memory for their ids, in ascending order: as many as fit.
    std::span<AgentId> ids = {};
    // How many the last update left out (none if it failed), and how many of them were written.
    std::uint64_t total = 0, written = 0;
};

struct UpdateOptions {
    Labels labels = {};
    Heights heights = {};
    // How many of the boxes are owned agents: the first ones. A larger number is refused as `bad_config`.
    std::size_t owned = all_owned;
    // Gets the agents whose boxes or heights are illegal; without it they refuse the update. `insert` and
    // `StaticLayer` refuse it as `bad_config`.
    LeftOut* left_out = nullptr;
};

}  // namespace throng
