#include "engine/src/edit/way.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/src/memory/ids.hpp"

namespace throng::detail {

namespace {

// How many agents there are for each edit, at most, for a build of all rows from scratch: wherever the edits
// are, or if they are all over the world.
constexpr std::size_t scratch_anywhere = 4, scratch_spread = 25;
// The same for merging rows. An oversized agent counts as several, since a merge makes their tree again.
constexpr std::size_t merge_spread = 200, agents_for_oversized = 16;
// How many agents there are at least, for each edit and for each agent that comes: these are the dearest to
// merge.
constexpr std::size_t merge_edits = 3, merge_coming = 6;
// Small worlds are merged earlier, so that tests take all three ways.
constexpr std::size_t small_world = 8192, merge_spread_small = 12;

// Whether a sample of the edits lies in many of the world's rows. Agents that leave are where they were. If
// that is not known, a commit by rows would have to look for them among all agents, so they count as spread.
bool are_spread(const WorldMap& map, const Staging& staging) noexcept {
    const std::span<const Edit> edits = staging.edits();
    constexpr std::size_t sampled = 64, rows_for_each = 4;
    std::array<std::uint32_t, sampled> rows;
    std::size_t count = 0, unknown = 0;
    for (std::size_t i = 0; i < sampled; ++i) {
        const std::size_t edit = edits.size() * i / sampled;
        if (edits[edit].boxed)
            rows[count++] = map.row_of(staging.boxes_after()[edit]);
        else if (!staging.knows_cells())
            ++unknown;
        else if (edits[edit].old_cell != no_cell)
            rows[count++] = map.cell_at(edits[edit].old_cell).row;
    }
    std::sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
    const auto different =
        std::unique(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count)) - rows.begin();
    return (static_cast<std::size_t>(different) + unknown) * rows_for_each >=
           std::min<std::size_t>(sampled, map.rows());
}

bool may_be_merged(const FrameState& frame, const Staging& staging, std::size_t coming) noexcept {
    return staging.size() * merge_edits <= frame.agents &&
           (frame.agents < small_world || coming * merge_coming <= frame.agents) && !frame.labelled() &&
           !are_sparse(staging.id_bound(), frame.agents);
}

}  // namespace

Way way_of(const FrameState& frame, const Staging& staging) noexcept {
    if (staging.extras_after(frame) != frame.extras) return Way::from_scratch;
    const std::size_t edits = staging.size(), agents = frame.agents, left = staging.agents_after(frame),
                      coming = edits - std::min(edits, agents - std::min(agents, left));
    const bool anywhere = edits * scratch_anywhere > agents, is_small = agents < small_world;
    const bool spread = !is_small && edits * scratch_spread > agents;
    const bool merged =
        is_small ? edits * merge_spread_small > agents
                 : edits > frame.rows.size() &&
                       edits * merge_spread > agents + agents_for_oversized * frame.view.oversized.count;
    if (!anywhere && !((spread || merged) && are_spread(frame.map, staging))) return Way::by_rows;
    if (may_be_merged(frame, staging, coming)) return Way::merged;
    return anywhere || (spread && !are_sparse(frame.id_bound, agents)) ? Way::from_scratch : Way::by_rows;
}

}  // namespace throng::detail
