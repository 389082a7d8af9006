// Queries with filters, and the labels and heights of all agents, for a transcript: of a frame, or of its
// twin.
#pragma once

#include "fuzz/ask_neighbours.hpp"
#include "fuzz/history.hpp"
#include "fuzz/transcript.hpp"
#include "support/test.hpp"

namespace throng::fuzz {

inline void note_label(const Label& label, Transcript& out) {
    out.note("categories", label.categories);
    out.note("group", label.group);
}
inline void note_height(const Band& height, Transcript& out) {
    out.note("feet", detail::bits_as<std::uint32_t>(height.min_z));
    out.note("head", detail::bits_as<std::uint32_t>(height.max_z));
}
inline void note_labels(const Frame& frame, Transcript& out) {
    std::vector<AgentId> ids(frame.size());
    static_cast<void>(frame.row_order(ids));
    std::sort(ids.begin(), ids.end());
    for (const AgentId id : ids) note_label(frame.label(id), out);
    for (const AgentId id : ids) note_height(frame.height(id), out);
    for (const AgentId id : ids) out.note("ghost", frame.is_ghost(id));
}
inline void note_labels(const oracle::BruteForceFrame& frame, Transcript& out) {
    for (const Label& label : frame.labels()) note_label(label, out);
    for (const Band& height : frame.heights()) note_height(height, out);
    for (const bool is_ghost : frame.ghosts()) out.note("ghost", is_ghost);
}

// One by one, each with the filter that it has in the batch.
template <class AnyFrame>
void ask_one_filtered(const AnyFrame& frame, const Box& box, const Filter& filter, Transcript& out) {
    std::vector<AgentId> ids;
    const auto keep = [&](AgentId id) { ids.push_back(id); };
    out.note("filtered, one", frame.for_each_overlap(box, keep, filter).code);
    out.note("visited", ids);
    out.note("count", frame.count(box, filter).total);
    out.note("any", frame.any(box, filter).found);
    const Cast cast = Cast::box(box, box.max_y - box.min_y, box.min_x - box.max_x);
    const FirstHit first = frame.first_hit(cast, filter);
    out.note("first hit", first.status.code);
    if (!first.status) return;
    out.note("touched", first.hit.id);
    out.note("when", detail::bits_as<std::uint32_t>(first.hit.fraction));
}

template <class AnyHits, class AnyPairs, class AnyFrame>
void ask_filtered(const AnyFrame& frame, const Operation& operation, Transcript& out) {
    const Boxes boxes = operation.boxes.view();
    const Filters filters = filters_of(operation);
    AnyHits hits;
    const Status status = frame.overlaps(boxes, hits, filters);
    out.note("filtered overlaps", status);
    for (std::size_t i = 0; i < hits.size(); ++i) out.note("hits", hits[i]);
    std::vector<std::uint32_t> counts(boxes.size(), 77);
    out.note("filtered counts", frame.count(boxes, counts, filters));
    if (status)
        for (const std::uint32_t count : counts) out.note("one of the counts", count);
    for (std::size_t i = 0; i < boxes.size(); ++i) ask_one_filtered(frame, boxes[i], filters[i], out);
    const Filter& one = operation.filters.front();
    note_lists(neighbours_of(frame, {.radius = 2}, one), "filtered neighbours", false, out);
    note_lists(neighbours_of(frame, {.max_count = 3}, one), "the nearest, filtered", true, out);
    AnyPairs list;
    const PairFilter kinds{.a = one.categories,
                           .b = operation.filters.back().categories,
                           .other_groups_only = one.self % 2 == 1};
    out.note("filtered pairs", frame.pairs(list, kinds));
    out.note("list of those", std::vector<Pair>(list.begin(), list.end()));
}

}  // namespace throng::fuzz
