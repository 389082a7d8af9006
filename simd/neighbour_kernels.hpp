// The kernels for neighbours: agents within a radius, and the nearest ones.
#pragma once

#include <cstddef>
#include <cstdint>

#include "simd/query_kernels.hpp"
#include "simd/types.hpp"
#include "throng/agents_as.hpp"

namespace throng::simd {

// The sites around which a search looks, one after the other. Neighbours in the list should be neighbours in
// the world, since the nearest ones of one are a guess for the next.
struct Queriers {
    const float *x, *y;
    const std::uint32_t* number;  // the ids of agents, or the numbers of points
    // Where the ids of the queriers lie in the rows that are searched, so that each is left out of its own
    // list. Null: none is left out.
    const std::uint32_t* selves;
    std::uint32_t count;
    // The bands of the queriers, in a frame with heights: each finds those that share a height with it. Null:
    // at every height.
    const float *min_z = nullptr, *max_z = nullptr;
};

// The most that are looked for as the nearest.
inline constexpr std::uint32_t count_limit = 64;

// What is looked for; see engine/include/throng/queries/neighbours.hpp.
struct NeighbourQuery {
    float radius = 0;
    const float* radii = nullptr;  // by number; null if `radius` is that of all
    std::uint32_t max_count = 0;   // zero: all
    AgentsAs agents_as = AgentsAs::centres;
    bool half = false;  // only ids above the querier's number
    bool distances = false;
};

// How many ids a search may write past the limit of a list sink.
inline constexpr std::uint32_t gathered = 256;
inline constexpr std::uint32_t list_slack = gathered + 2 * gap + 2;

// In a stream, a list of neighbours has one word before its ids: the highest `shift` bits are the lowest ones
// of its number, and the others say how many ids it has. If they are too many to be said so, all of these
// bits are set, and a word more says it.
inline constexpr std::uint32_t most_in_header(std::uint32_t shift) noexcept {
    return (1u << (32 - shift)) - 1;
}

// An IdSink for lists: it holds the squared distance of ids[i] in distances[i], where those are wanted.
struct ListSink {
    std::uint32_t* begin = nullptr;
    std::uint32_t* at = nullptr;
    std::uint32_t* limit = nullptr;
    float* distances = nullptr;  // of the ids from `begin` on; null if not wanted
    std::uint64_t headers = 0;   // how many words of it are those before lists
    void (*full)(ListSink& sink) = nullptr;
    void* context = nullptr;
    bool stopped = false;
};

// What becomes of the list of querier n.
struct NeighbourOutput {
    // Either lists: to sinks[n >> shift], behind a header with n and their length, if `headers`; the shift is
    // below 32. Without headers, list after list to the first sink, and `ends` gets how many ids it has after
    // each.
    ListSink* sinks = nullptr;
    std::uint32_t shift = 32;
    bool headers = false;
    std::uint64_t* ends = nullptr;
    // Or only their lengths, to counts[n].
    std::uint32_t* counts = nullptr;
    // If there are any, most of these go to count_sinks[n >> shift] instead, each as the header of a list
    // without ids.
    ListSink* count_sinks = nullptr;
    // Or the nearest ones, where each list has as many as are wanted: that of querier n from spot n *
    // query.max_count on. What is found by ways that write more than that goes to sinks[0] first, without
    // headers.
    std::uint32_t* spots = nullptr;
    float* distance_spots = nullptr;  // null if not wanted
    // A querier with this number gets no list, as a ghost between owned agents. Where it is cheaper to make
    // its list than to leave it out, the list goes to sinks[nowhere >> shift], where the next one overwrites
    // it.
    std::uint32_t nowhere = no_id;
    // The radius at which the search for the nearest begins; each search leaves one for the next.
    float guess = 0;
    // How many searches were made and agents compared, but for those in patches: tests count them instead of
    // time.
    std::uint64_t searches = 0, compared = 0;
};

// Some agents of a row, in slots that follow each other.
struct RowPart {
    std::uint32_t row, first, end;
};

// How far an agent may move: the squared distance, times the square of `scale`, is no more than the limit.
// The scale is a power of two that keeps squares from overflow; zero if no agent may move at all.
struct Margin {
    float scale, limit;
};

// Where agents were: agent n at was[2 * n] and was[2 * n + 1]. An agent that is no stray has moved by
// `allowed` at most.
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
// At most `near_room` agents are looked at for it, and `gap` slots more are written to.
inline constexpr std::uint32_t near_room = 256, not_near = 0xFFFFFFFFu;

struct NeighbourKernels {
    // How many there are, as lists of `around` have them, with room for `near_room` and `gap` of each.
    // `not_near` if this search cannot tell: where agents are on islands or in the tree, too many, or too far
    // away.
    std::uint32_t (*near)(const View&, const NearQuery&, std::uint32_t* ids, float* distances);
    void (*around)(const View&, const LabelFilters&, const Queriers&, const NeighbourQuery&,
                   NeighbourOutput&);
    // The centres of some agents of a row, from the first on. May write a vector past the last.
    void (*centres_in_row)(const Row&, std::uint32_t first, std::uint32_t count, float* x, float* y);
    // All pairs of these agents with those behind them in their row or in rows above, where all agents are in
    // one grid and the square of the radius is finite: the lower id and the higher one, to sinks[lower >>
    // shift], in the order of the frame by either.
    void (*pairs)(const View&, const RowPart&, float radius, NeighbourOutput&);
    // The centres of some boxes, as those of the agents that they become: x and y of the first, of the next
    // and so on.
    void (*centres_of_boxes)(const Columns& boxes, std::size_t count, float* to);
    // The numbers of those of the agents [first, first + count) that are beyond a margin from where they
    // were: agent n is at now[2 * n] and now[2 * n + 1], and was at the same slot of `was`. Numbers that are
    // not finite are beyond any. There is room for `count` at `to`, and half as many slots as `gap` may be
    // read behind the last. Returns how many they are.
    std::uint32_t (*strays)(const float* now, const float* was, std::uint32_t first, std::uint32_t count,
                            const Margin&, std::uint32_t* to);
    // For each agent that is within the radius of a stray, and was not within `apart` of it: the numbers of
    // both, to the sink. The square of the radius is finite. Returns how many strays it looked around: not
    // all if that cannot be done in one grid.
    std::uint32_t (*meet_others)(const View&, const Queriers& strays, float radius, const SitesThen&,
                                 ListSink& missed);
};

}  // namespace throng::simd
