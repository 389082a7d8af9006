// What an update may be given beside the boxes.
//
//     status = engine.update(boxes, {.labels = labels});
//     status = engine.update(boxes, {.heights = throng::Heights::bases(feet, 1.8f)});
//     status = engine.update(boxes, {.owned = own});     // agents from `own` on are ghosts
//
// Ghosts are copies of agents that another engine owns: that of the next tile of a streamed world, of another
// process, or of another machine. A host gives each engine its own agents first, and behind them copies of
// other engines' agents within their reach. Then what all engines answer together is what one engine of all
// agents would: each agent gets its list from its owner, and a pair of two owned agents, or of
// an owned one and a ghost, is listed by the owners. Of what calls answer for all agents at once:
//
// - Pairs of two ghosts are not listed, nor counted; so they neither begin nor end.
// - Lists and counts of neighbours are made for owned agents alone. The list of a ghost is empty, its count
//   is 0, and in row order it has none. Ghosts are in the lists of others.
// - `pairs_with` and `neighbours_in` start from the owned agents of the frame. What they find in the other
//   frame may be ghosts there.
//
// What is asked for with boxes, shapes, points or casts of the host's own finds ghosts as all other agents.
// Edits and commits leave an agent what it is; inserted ones are owned. Ghosts whose ids follow each other,
// as without ids of the host's own, take no memory, and others a bit for each id from the lowest to the
// highest. Cheapest are ghosts whose ids are higher than those of owned agents. Without ghosts nothing costs
// more.
#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>

#include "throng/heights.hpp"
#include "throng/labels.hpp"

namespace throng {

inline constexpr std::size_t all_owned = std::numeric_limits<std::size_t>::max();

struct UpdateOptions {
    Labels labels = {};
    Heights heights = {};
    // How many of the boxes are those of owned agents: the first ones. A number that is larger than that of
    // the boxes is refused as `bad_config`.
    std::size_t owned = all_owned;
};

namespace detail {
// What stands for options that have labels alone.
template <class Given>
concept GivenLabels = std::is_convertible_v<Given, Labels>;
}  // namespace detail

}  // namespace throng
