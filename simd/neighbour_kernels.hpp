// The kernels for neighbours: agents within a radius, and the nearest ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/query_kernels.hpp"
#include "simd/types.hpp"
#include "throng/agents_as.hpp"

namespace throng::simd {

// The sites of searches, one after the other. Neighbours in the list should be neighbours in the world, since
// the nearest agents of one are a guess for the next.
struct Queriers {
    const float *x, *y;
    const std::uint32_t* number;  // the ids of agents, or the numbers of points
    // Where the ids of the queriers lie in the searched rows, so that each is left out of its own list. Null:
    // none is left out.
    const std::uint32_t* selves;
    std::uint32_t count;
    // The bands of the queriers, in a frame with heights: each finds those that share a height with it. Null:
    // at every height.
    const float *min_z = nullptr, *max_z = nullptr;
};

// The largest number of nearest agents.
inline constexpr std::uint32_t count_limit = 64;

// The options of a search; see engine/include/throng/queries/neighbours.hpp.
struct NeighbourQuery {
    float radius = 0;
    const float* radii = nullptr;  // by number; null if `radius` is that of all
    std::uint32_t max_count = 0;   // zero: all
    AgentsAs agents_as = AgentsAs::centres;
    bool half = false;  // only ids above the querier's number
    bool distances = false;
    // By number, for the nearest if `radius` is that of all: agents that are further away do not matter to
    // the caller, and may be found or not. Null if all matter.
    const float* far_enough = nullptr;
};

// How many ids a search may write past the limit of a list sink.
inline constexpr std::uint32_t gathered = 256;
inline constexpr std::uint32_t list_slack = gathered + 2 * gap + 2;

// In a stream, a list of neighbours has one word before its ids: the highest `shift` bits are the lowest ones
// of its number, and the others the number of its ids. If that does not fit, all of these bits are set, and a
// word more has it.
inline constexpr std::uint32_t most_in_header(std::uint32_t shift) noexcept {
    return (1u << (32 - shift)) - 1;
}

// An IdSink for lists: it holds the squared distance of ids[i] in distances[i], if wanted.
struct ListSink {
    std::uint32_t* begin = nullptr;
    std::uint32_t* at = nullptr;
    std::uint32_t* limit = nullptr;
    float* distances = nullptr;  // of the ids from `begin` on; null if not wanted
    std::uint64_t headers = 0;   // how many of its words are headers of lists
    void (*full)(ListSink& sink) = nullptr;
    void* context = nullptr;
    bool stopped = false;
};

// The output for the list of querier n.
struct NeighbourOutput {
    // Either lists: to sinks[n >> shift], behind a header with n and their length, if `headers`; the shift is
    // below 32. Without headers, list after list to the first sink, and `ends` gets the number of its ids
    // after each list.
    ListSink* sinks = nullptr;
    std::uint32_t shift = 32;
    bool headers = false;
    std::uint64_t* ends = nullptr;
    // Or only their lengths, to counts[n].
    std::uint32_t* counts = nullptr;
    // If there are any, most counts go to count_sinks[n >> shift] instead, each as the header of a list
    // without ids.
    ListSink* count_sinks = nullptr;
    // Or the nearest ones, if each list is full: that of querier n goes from spot n * query.max_count on.
    // Ways that write more than that write to sinks[0] first, without headers.
    std::uint32_t* spots = nullptr;
    float* distance_spots = nullptr;  // null if not wanted
    // A querier with this number gets no list, as a ghost between owned agents. If making its list is cheaper
    // than leaving it out, the list goes to sinks[nowhere >> shift], where the next one overwrites it.
    std::uint32_t nowhere = no_id;
    // The radius at which the search for the nearest begins; each search leaves one for the next.
    float guess = 0;
    // How many searches were made and agents compared, except in patches: tests count them instead of time.
    std::uint64_t searches = 0, compared = 0;
};

// Some agents of a row, in slots that follow each other.
struct RowPart {
    std::uint32_t row, first, end;
};

// How far an agent may move: the squared distance, times the square of `scale`, is at most the limit. The
// scale is a power of two that keeps squares from overflow; zero if no agent may move at all.
struct Margin {
    float scale, limit;
};

// The earlier places of agents: agent n at was[2 * n] and was[2 * n + 1]. An agent that is no stray has moved
// by at most `allowed`.
struct SitesThen {
    const float* was;
    double apart, allowed;
};

// A search around one point by the centres of agents: all within the radius if `max_count` is zero, or the
// nearest, which are looked for within `guess` first.
struct NearQuery {
    float x, y, radius, guess;
    std::uint32_t max_count;
};
// At most `near_room` agents are looked at for it, and `gap` slots more are written.
inline constexpr std::uint32_t near_room = 256, not_near = 0xFFFFFFFFu;

struct NeighbourKernels {
    // Returns the number of answers, which are like the lists of `around`, with room for `near_room` and
    // `gap` of each. `not_near` if this search cannot tell: agents are on islands or in the tree, too many,
    // or too far away.
    std::uint32_t (*near)(const View&, const NearQuery&, std::uint32_t* ids, float* distances);
    void (*around)(const View&, const LabelFilters&, const Queriers&, const NeighbourQuery&,
                   NeighbourOutput&);
    // The centres of some agents of a row, from the first on. May write a vector past the last.
    void (*centres_in_row)(const Row&, std::uint32_t first, std::uint32_t count, float* x, float* y);
    // All pairs of these agents with those behind them in their row or in rows above, if all agents are in
    // one grid and the square of the radius is finite: the lower id and the higher one, to sinks[lower >>
    // shift], in the order of the frame by either.
    void (*pairs)(const View&, const RowPart&, float radius, NeighbourOutput&);
    // The centres of some boxes, as if they were agents: x and y of the first, of the next and so on.
    void (*centres_of_boxes)(const Columns& boxes, std::size_t count, float* to);
    // The numbers of those of the agents [first, first + count) that have moved beyond a margin: agent n is
    // at now[2 * n] and now[2 * n + 1], and was at the same slot of `was`. Numbers that are not finite are
    // beyond any margin. There is room for `count` at `to`, and half as many slots as `gap` may be read
    // behind the last. Returns how many they are.
    std::uint32_t (*strays)(const float* now, const float* was, std::uint32_t first, std::uint32_t count,
                            const Margin&, std::uint32_t* to);
    // For each agent that is within the radius of a stray, and was not within `apart` of it: the numbers of
    // both, to the sink. The square of the radius is finite. Returns how many strays it looked around: fewer
    // than all if one grid is not enough.
    std::uint32_t (*meet_others)(const View&, const Queriers& strays, float radius, const SitesThen&,
                                 ListSink& missed);
};

}  // namespace throng::simd
