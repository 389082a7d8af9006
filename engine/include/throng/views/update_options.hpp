// What an update may be given beside the boxes.
//
//     status = engine.update(boxes, {.labels = labels});
//     status = engine.update(boxes, {.heights = throng::Heights::bases(feet, 1.8f)});
//     status = engine.update(boxes, {.owned = own});     // agents from `own` on are ghosts
//
// Ghosts are copies of agents that another engine owns: that of the next tile of a streamed world, of another
// process, or of another machine. A host gives each engine its own agents first, and behind them copies of
// the other engines' agents that are within reach of its own. Then what all engines answer together is what
// one engine of all agents would: each agent gets its list from its owner, and a pair of two owned agents, or
// of an owned one and a ghost, is listed by the owners. Of what calls answer for all agents at once:
//
// - Pairs of two ghosts are not listed, nor counted; so they neither begin nor end.
// - Lists and counts of neighbours are made for owned agents alone. The list of a ghost is empty, its count
//   is 0, and in row order it has none. Ghosts are in the lists of others.
// - Pairs with another frame and `neighbours_in` start from the owned agents of the frame. What they find in
//   the other frame may be ghosts there.
//
// What is asked for with boxes, shapes, points or casts of the host's own finds ghosts as all other agents.
// Edits and commits leave an agent what it is; inserted ones are owned. Ghosts whose ids follow each other,
// as without ids of the host's own, take no memory, and others a bit for each id from the lowest to the
// highest. Cheapest are ghosts whose ids are higher than those of owned agents. Without ghosts nothing costs
// more.
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
// them stay stale. An id at fault is a failure all the same. A batch of queries is stricter: one illegal box
// refuses the whole batch, and the status names the first. Take the boxes of these agents out of it.
struct LeftOut {
    // The host's memory, for their ids in ascending order: as many as fit.
    std::span<AgentId> ids = {};
    // How many there were in the last update, none where it failed, and how many of them were written.
    std::uint64_t total = 0, written = 0;
};

struct UpdateOptions {
    Labels labels = {};
    Heights heights = {};
    // How many of the boxes are those of owned agents: the first ones. A number that is larger than that of
    // the boxes is refused as `bad_config`.
    std::size_t owned = all_owned;
    // Takes the agents whose boxes or heights are not legal, which otherwise refuse the update. `insert` and
    // `StaticLayer` refuse it as `bad_config`.
    LeftOut* left_out = nullptr;
};

}  // namespace throng
