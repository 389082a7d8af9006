// All numbers of the planner, each with its unit and its reason. What each is worth is in
// docs/decisions/planner.md.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/limits.hpp"

namespace throng::detail::tuned {

// --- Of all ------------------------------------------------------------------------------------------------

// What differs by this factor is clearly another: numbers of agents or cells, common sizes, work, looks.
inline constexpr double clearly = 1.5;
// Where nothing has a size, or all agents one place: lengths and densities are between this and its inverse.
inline constexpr double huge = 1e30;
// How far floats are apart, as a share of them. A line is as high as that share of its length.
inline constexpr double float_step = 0x1p-24;

// --- One grid ----------------------------------------------------------------------------------------------

// Agents in a cell where the crowd is.
inline constexpr double agents_in_a_cell = 1.875;
// A cell's width over the largest common agent's, and a row's height over it.
inline constexpr double cell_over_agent = 1.25, row_over_agent = 2;
// The area of a cell over the square of its width. Rows are several times higher than cells are wide, so most
// pairs are within one row.
inline constexpr double cell_shape = 4.8;
// Cells in all: an empty world costs no memory. Agents in a row on average: a row has a cost of its own.
inline constexpr double cells_an_agent = 0.62, fewest_cells = 256, agents_in_a_row = 24;
// A grid that the host fixes may have this many times as many cells.
inline constexpr double fixed_cells = 4;
// Cells grow by this factor at least until they are few enough.
inline constexpr double grows = 1.02;
// A cell's number has to fit into 31 bits (edit/staging.hpp).
inline constexpr double most_cells = 1 << 28;
// Room for common agents that are larger than the largest one in a sample.
inline constexpr double sample_room = 1.05;

// --- The survey --------------------------------------------------------------------------------------------

// Agents in the sample of a plan, and of the check whether the plan still fits; and points that tell how
// crowded a region is.
inline constexpr std::size_t surveyed = 2048, surveyed_again = 1024;
// Not more than one agent in eight, since a surveyed agent costs as much as several in a frame; but 256 are
// enough for quantiles and for a mean of lookups, and fewer are not.
inline constexpr std::size_t sample_one_in = 8, fewest_surveyed = 256;
// Of a region among many: a survey takes a few times as long as a look at its points.
inline constexpr std::size_t surveyed_in_region = 128;
// The share of agents that may lie outside of the grid on either side: strays do not stretch it. By how many
// of these shares it is widened again.
inline constexpr double outside = 1.0 / 256, widened = 1.5;
// Pairs of the sample in one square that make an estimate of density, and by how many deviations it is
// reduced, since it may be too high by chance.
inline constexpr double fewest_pairs = 512, by_chance = 2;
// The share of the fullest squares that is left out, so that a pile at one point does not count.
inline constexpr std::size_t pile_one_in = 100;
// How often the world is quartered, at most.
inline constexpr unsigned quarterings = 16;

// --- The common size ---------------------------------------------------------------------------------------

// In tested agents: what an agent in the tree costs each frame, and what a search does to come there at all.
inline constexpr double agent_in_tree = 200, way_to_tree = 16;
// The typical query, in medians of the agents' sizes.
inline constexpr double query_over_median = 4;
// Oversized agents of the sample for which it is counted what they look at.
inline constexpr double asked_oversized = 16;
// Where the largest agent is at most this many times as large as the median, all are common.
inline constexpr double alike = 2;
// The shares of agents whose size is tried.
inline constexpr double shares[] = {0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 1.0};
// The share of all agents above which oversized ones leave too few for cells or islands to pay.
inline constexpr double most_oversized = 6.0 / 11;

// --- How long a grid stays ---------------------------------------------------------------------------------

// Frames from one check to the next, and the share of agents that were updated or edited since.
inline constexpr std::uint32_t frames_to_check = 32;
inline constexpr std::size_t check_one_in = 8;
// Agents are few again below `few_agents` by this factor, so that no plan is made whenever one comes or goes.
inline constexpr std::uint32_t few_again = 2;
// A grid stays while the sides of the next one's cells would differ by no more than this factor, and agents
// reach over its edges by no more than this share of its size.
inline constexpr double other_cell = 1.3, over_the_edge = 0.04;
// This share is most of it: of a grid's size that agents cover, of agents that a grid holds, of a cell's
// area.
inline constexpr double mostly = 0.5;

// --- Islands -----------------------------------------------------------------------------------------------

// Islands pay where the crowd wants this many times as many cells as there may be, or where a cell has this
// many agents for each of these times.
inline constexpr double crowded_spots = 6, crowded_cell = 4;
// Agents below which a query compares all of them in less time than it takes to find an island.
inline constexpr std::size_t fewest_for_islands = 4 * few_agents;
// Levels of islands. What crowds after these is left to the tree.
inline constexpr std::uint32_t most_levels = 2;
// Points of the sample of a plan.
inline constexpr std::size_t most_points = 32768;
// Where the first frame on a new plan is expensive, the next plan has this many times as many points.
inline constexpr std::size_t closer = 8;
// Agents in a tile of a crowded spot; tiles of a region.
inline constexpr double agents_in_a_spot = 512, fewest_tiles = 64, most_tiles = 1 << 24;
// Agents on an island, and points of the sample.
inline constexpr double on_an_island = 16;
inline constexpr std::uint32_t points_on_an_island = 4;
// Region numbers have 16 bits; rows of all regions, too.
inline constexpr std::size_t most_regions = 16384, most_rows = 65000;
// The least side of tiles, in sizes of a common agent; along slivers, where few share a row. Tiles are square
// unless common agents are as many times as long as tiles would be.
inline constexpr double tile_over_agent = 8, tile_over_sliver = 2;
// The part of a tile up to which agents much larger than those around an island may be common on it.
inline constexpr double part_of_a_tile = 3.0 / 16;
// Steps between floats by which sizes may be rounded.
inline constexpr double rounding = 4;
// Agents in a cell beside the islands from which on tiles are joined to larger ones, and squares on a side in
// which these are counted.
inline constexpr double most_beside = 8;
inline constexpr std::uint32_t squares_beside = 64;
// A crowded region that cannot be cut again goes to the tree unless one in eight pairs of some of its points
// overlaps.
inline constexpr std::size_t overlap_one_in = 8;

// --- What a frame costs ------------------------------------------------------------------------------------

// Work is counted while a frame is built: pairs of agents that share a cell, and for each oversized agent as
// many as this. Up to 16 for an agent a frame is cheap, and not looked at: a plain crowd has one.
inline constexpr std::uint32_t work_of_oversized = 100;
inline constexpr double cheap_work = 16;
// The probe looks up agents' own boxes and some middles, and no more of either once this many agents were
// looked at.
inline constexpr std::size_t probed_points = 32, most_looks = 1 << 19;
// Looks are counted in nodes of the tree: what it takes to begin with a lookup or an island, and with a row,
// and an agent of eight that are compared at once.
inline constexpr double looks_to_begin = 8, looks_of_row = 4, looks_of_agent = 1.0 / 8;
// How many more an oversized agent counts for, which is put into the tree and searched for alone.
inline constexpr double looks_of_oversized = 6;
// Looks for a lookup and each of its answers from which on a frame is expensive: four times a plain crowd's.
inline constexpr double expensive_looks = 24;
// A frame is expensive, too, where this share of the agents is too large for its cells.
inline constexpr double too_large = 0.75;
// Another plan is better if a frame on it costs half.
inline constexpr double better = 0.5;

// --- When another plan is tried ----------------------------------------------------------------------------

// Frames from a try that was no use to the next one on the same agents: 2, 4 and so on, up to as many as from
// check to check.
inline constexpr std::uint32_t longest_pause = frames_to_check;
// Frames below which a plan did not last. After two of these another one would not, either.
inline constexpr std::uint32_t few_frames = 4;

}  // namespace throng::detail::tuned
