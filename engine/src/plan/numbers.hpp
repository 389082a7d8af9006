// All numbers of the planner, each with its unit and its reason. docs/decisions/planner.md and islands.md
// have the measurements.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/legal.hpp"

namespace throng::detail::tuned {

// --- One grid ----------------------------------------------------------------------------------------------

// Agents in a cell where the crowd is; a cell's width over the largest common agent's, and a row's height
// over it; the area of a cell over the square of its width. Rows are several times higher than cells are
// wide, so most pairs are within one row.
inline constexpr double agents_in_a_cell = 1.875, cell_over_agent = 1.25, row_over_agent = 2,
                        cell_shape = 4.8;
// Cells in all: an empty world costs no memory. Agents in a row on average: a row has a cost of its own.
inline constexpr double cells_an_agent = 0.62, fewest_cells = 256, agents_in_a_row = 24;
// For cells fixed by the host: cells in all, for each cell of the engine's own choice, and in addition.
inline constexpr double fixed_cells = 4, fewest_fixed_cells = 4096;
// Cells grow at least by this factor until they are few enough, at most so often.
inline constexpr double grows = 1.02;
inline constexpr int most_growths = 64;
// The height of a line, in its lengths. If nothing has a size: the smallest divisor and the largest factor.
inline constexpr double thinnest = 1e-6, least_length = 1e-37, huge = 1e30;
// The largest common size, and the widest grid.
inline constexpr double largest_size = 3e38;

// A cell's number has to fit into 31 bits (edit/staging.hpp). Sides of cells that floats can handle.
inline constexpr double most_cells = 1 << 28, widest_cell = 1e30, narrowest_cell = 1e-30;
// Room for common agents that are larger than the largest one in a sample.
inline constexpr double sample_room = 1.05;

// --- The survey --------------------------------------------------------------------------------------------

// Agents in the sample of a plan, and of the check whether the plan still fits. At most one agent in eight,
// unless these are less than `fewest_surveyed`: a surveyed agent costs as much as several in a frame.
inline constexpr std::size_t surveyed = 2048, surveyed_again = 1024, fewest_surveyed = 256, survey_one_in = 8;
// Storeys. A floor is taken if it saves searches on its storey that share of the agents that they look at,
// and at least so many agents of the sample. All floors are taken if they make it so much less crowded. A
// storey has at least so many agents.
inline constexpr double worth_a_floor = 0.25, fewest_on_storey = 32, less_crowded = 1.5;
inline constexpr std::size_t agents_on_storey = 512;
// The fewest agents of a region among others with storeys. For each layer, a search must look at so many
// times fewer of them, since each layer has rows and cells of its own.
inline constexpr double fewest_on_storeys = 256, least_of_layers = 1.0 / 6;
// For a region among many: a survey takes a few times as long as a look at its points.
inline constexpr std::size_t surveyed_in_region = 128, region_one_in = 4, fewest_in_region = 32;
// The share of agents that may lie outside of the grid on each side, so that strays do not stretch it.
inline constexpr double outside = 1.0 / 256;
// The range is widened again on each side by so many shares.
inline constexpr double widened = 1.5;
// Corners whose quantiles tell whether agents are like those of an earlier sample.
inline constexpr std::size_t corners_sorted = 256;
// The least pairs of the sample in squares of one size for an estimate of density. The share of the fullest
// squares that is left out, so that a pile at one point does not count.
inline constexpr double fewest_pairs = 512;
// An estimate may be too high by so many deviations, by chance.
inline constexpr double by_chance = 2;
inline constexpr std::size_t pile_one_in = 100;
// How often the world is quartered, at most.
inline constexpr unsigned quarterings = 16;
// A world is a line if squares are so many times as wide as it is high.
inline constexpr double flat = 8;

// --- The common size ---------------------------------------------------------------------------------------

// In tested agents: an agent in the tree for each frame; a search's way through the tree, and one more level.
inline constexpr double agent_in_tree = 200, walk = 16, walk_deeper = 2;
// What an oversized agent looks at: for each row that it crosses, for all rows at most, and usually; and how
// many of them look together. Slivers of two directions took 57 times a crowd's time without it, 1.8 times
// with it.
inline constexpr double looks_a_row = 8, looks_for_rows = 1000, usual_looks = 100, in_a_leaf = 16;
// Oversized agents of the sample whose rows are counted.
inline constexpr double asked_oversized = 16;
// The typical query, in medians of the agents' sizes.
inline constexpr double query_over_median = 4;
// A larger size is better if it costs at most so much more, and lets in an eighth of the oversized agents.
inline constexpr double same_cost = 1.02, lets_in = 0.875;
// No agent is common if the oversized ones cost so many times as much as all agents in the tree.
inline constexpr double far_less = 2.5;
// If the largest agent is at most so many times as large as the median, all are common.
inline constexpr double alike = 2;
// The sizes that are tried: those of these shares of agents.
constexpr double shares[] = {0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 1.0};
// Cells pay from this share of common agents on.
inline constexpr double share_in_cells = 0.375;

// --- How long a grid stays ---------------------------------------------------------------------------------

// Frames from one check to the next, and the share of agents updated or edited since.
inline constexpr std::uint32_t frames_to_check = 32;
inline constexpr std::size_t check_one_in = 8;
// A grid is too fine to keep if it has so many times as many cells as a new one may have.
inline constexpr double far_too_fine = 16;
// Agents are few again if a grid is made for so many times as many.
inline constexpr std::uint32_t few_again = 2;
// Numbers of cells, and shortages of cells, are alike within this factor.
inline constexpr double other_count = 2;
// Agents have not left a grid that held this share of them. Cells of this share of the size do not part
// agents that shared one.
inline constexpr double mostly = 0.5;
// A grid stays while a new one would differ by no more than these factors in its cells and in the common
// size, and while the agents reach over its edges by at most one share of its size, and cover another.
inline constexpr double other_cell = 1.3, other_common = 1.5, over_the_edge = 0.04, covered = 0.7;
// Islands stay while a frame costs at most so many times as much as the first one on them.
inline constexpr double other_work = 1.25;
// Floors stay while they are at most so many times as many as the best ones, and searches look at no more
// than so many times as many agents.
inline constexpr double other_floors = 1.5, other_storeys = 2;

// --- Islands -----------------------------------------------------------------------------------------------

// Islands pay if there are so many times fewer cells than the crowd wants, or so many agents in a cell for
// each of that.
inline constexpr double crowded_spots = 6, crowded_cell = 4;
// With fewer agents a query compares all of them faster than it finds an island; the second is for a region
// that is cut again.
inline constexpr std::size_t fewest_for_islands = 4 * few_agents, fewest_to_cut = 96;
// Levels of islands. Places that are still crowded are left to the tree.
inline constexpr std::uint32_t most_levels = 2;
// Agents in the sample: one in eight of them, within limits.
inline constexpr std::size_t points_one_in = 8, fewest_points = 2048, most_points = 32768;
// If the last frame on a new plan is expensive, the next plan has so many times as many points.
inline constexpr std::size_t closer = 8;
// Agents in a tile of a crowded spot; tiles of a region.
inline constexpr double agents_in_a_spot = 512, fewest_tiles = 64, most_tiles = 1 << 24;
// Agents on an island, outer and inner, and points of the sample.
inline constexpr double on_outer_island = 32, on_inner_island = 16;
inline constexpr std::uint32_t points_on_an_island = 4;
// Region numbers have 16 bits; rows of all regions, too.
inline constexpr std::size_t most_regions = 16384, most_rows = 65000;
// How much higher rows of islands are than others, since they are short.
inline constexpr double row_over_row = 1.5;
// The least side of tiles, in sizes of a common agent of the world, and of an island; along slivers, where
// few share a row.
inline constexpr double tile_over_agent = 8, tile_over_islander = 16.0 / 3, tile_over_sliver = 2;
// Tiles are square unless common agents are so many times as long as tiles would be.
inline constexpr double long_from = 8;
// Agents much larger than those around an island are common on it up to this part of a tile.
inline constexpr double part_of_a_tile = 3.0 / 16;
// Steps between floats by which sizes may be rounded.
inline constexpr double rounding = 4;
// Islands with less than this share of a region's agents do not pay, unless pairs on islands are so many for
// each of these.
inline constexpr double least_on_islands = 1.0 / 16, many_pairs = 16;
// With so many agents in a cell beside the islands, tiles are joined to larger ones; and tiles that stay.
inline constexpr double most_beside = 8;
inline constexpr std::size_t few_tiles = 256;
// The side, in squares, of the board on which these are counted.
inline constexpr std::uint32_t squares_beside = 64;
// Points in a tile of an inner region, on average.
inline constexpr double points_in_a_tile = 2;
// A region is uneven if an agent finds so many times as many others in its cell as in an even spread.
inline constexpr double uneven = 3;
// Points of a region that tell how crowded it is.
inline constexpr std::size_t enough_points = 2048;
// A crowded region that cannot be cut again goes to the tree, unless one in so many pairs of some of its
// points overlaps.
inline constexpr std::size_t compared_points = 64, overlap_one_in = 8;
// There are no islands or cells if more than this share of all agents would be oversized.
inline constexpr double most_oversized = 6.0 / 11;

// --- What a frame costs ------------------------------------------------------------------------------------

// Work is counted while a frame is built: pairs of agents that share a cell, and so many for each oversized
// agent. Up to so much work for an agent, as in a plain crowd, a frame is cheap and is not probed.
inline constexpr std::uint32_t work_of_oversized = 100;
inline constexpr double cheap_work = 16;
// The probe: how many middles are looked up. Lookups of middles or of boxes end when they have looked at that
// many agents.
inline constexpr std::size_t probed_points = 32, most_looks = 1 << 19;
// The cost of a lookup's steps, in nodes of the tree: itself, a row, an island, an agent that it compares,
// and one that it takes unseen. As weighed in bench/common/worlds/steps.hpp.
inline constexpr double looks_of_lookup = 8, looks_of_row = 4, looks_of_island = 8, looks_of_agent = 1.0 / 8,
                        looks_of_covered = 1.0 / 16;
// Cells serve few if more than this share of all agents is too large for them.
inline constexpr double too_large = 0.75;
// A frame is expensive from so many looks for a lookup and each of its answers: four times a plain crowd's.
// Or from `expensive_wide` on for boxes ten times as wide as agents, which take one in a plain crowd.
// How many looks an oversized agent counts for: it is put into the tree and searched for alone.
inline constexpr double expensive_looks = 24, looks_of_oversized = 6;
// Another plan is better if a frame on it costs half, or if these wide boxes are expensive on the present one
// alone.
inline constexpr double better = 0.5, expensive_wide = 20;

// --- When another plan is tried ----------------------------------------------------------------------------

// After a try without success on such agents, the next one waits, each time twice as many frames. Other
// agents wait at most as long, or not at all if they cost clearly more.
inline constexpr std::uint32_t longest_pause = 32;
// A plan with fewer frames did not last. After two of these another one would not last either.
inline constexpr std::uint32_t frames_to_last = 4;
// Differences by this factor are clear: numbers of agents, which need a check at once, work, looks.
inline constexpr double clearly = 1.5;

}  // namespace throng::detail::tuned
