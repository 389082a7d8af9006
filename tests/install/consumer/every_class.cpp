// Uses something of every public class that is not in its header, so that a library which does not export it
// cannot be linked. Returns whether all of them answer.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <throng/throng.hpp>

namespace {

constexpr throng::Box boxes[] = {{0, 0, 1, 1}, {0.5f, 0.5f, 2, 2}, {5, 5, 6, 6}};

bool frame_answers() {
    throng::Engine engine;
    const throng::StaticLayer walls(throng::Boxes::of(boxes));
    if (!engine.set_static_layer(walls) || !engine.update(throng::Boxes::of(boxes))) return false;
    throng::AgentId id = 0;
    if (!engine.insert(boxes[2], id) || !engine.move(id, boxes[0]) || !engine.commit()) return false;
    if (!engine.remove(id) || !engine.commit() || !engine.rebase(1, 1)) return false;
    const throng::Frame frame = engine.frame();
    const throng::Box all{-9, -9, 9, 9};
    std::array<std::uint32_t, 3> counts{};
    std::array<throng::Pair, 1> pairs{};
    throng::OverlapLists hits;
    std::size_t visited = 0;
    const bool batches = frame.overlaps(throng::Boxes::of(boxes), hits).ok() &&
                         frame.count(throng::Boxes::of(boxes), counts).ok() &&
                         frame.for_each_overlap(all, [&](throng::AgentId) { ++visited; }).ok() &&
                         frame.for_each_pair_concurrently([](std::span<const throng::Pair>) {}).ok();
    std::array<char, 200> text{};
    return batches && visited == 3 && frame.count(all).total == 3 && frame.any(all).found &&
           frame.pairs(pairs).total == 1 && frame.count_pairs({.with = &frame}).status.ok() &&
           frame.with_static().count(all).total == 6 && frame.explain(all).hits == 3 &&
           frame.on(throng::serial_executor()).validate().sound() && frame.fingerprint() != 0 &&
           walls.rebased(1, 1).size() == 3 && throng::describe(engine.frame().tuning(), text) != 0 &&
           engine.memory().total() != 0 && engine.validate().sound();
}

// What results show as spans.
bool results_answer() {
    throng::Engine engine;
    throng::AgentHandle handle;
    if (!engine.update(throng::Boxes::of(boxes)) || !engine.insert(boxes[2], handle.id) ||
        !engine.handle(handle.id, handle) || !engine.commit())
        return false;
    const throng::Frame frame = engine.frame();
    const std::array<throng::Cast, 1> casts{throng::Cast::ray(-1, 0.75f, 9, 0)};
    const std::array<throng::Point, 3> corners{{{0, 0}, {9, 0}, {0, 9}}};
    const throng::ConvexPolygon polygon(corners);
    throng::OverlapLists hits;
    throng::OverlapsAsFound found;
    throng::PairList pairs;
    throng::PairChanges changes;
    throng::CastHits cast_hits;
    throng::NeighbourLists lists;
    if (!frame.overlaps(boxes, hits) || !frame.overlaps(boxes, found) || !frame.pairs(pairs) ||
        !changes.update(frame) || !frame.all_hits(casts, cast_hits) ||
        !frame.neighbours({.radius = 1, .distances = true, .in_row_order = true}, lists))
        return false;
    std::array<char, 200> text{};
    return hits.ids().size() == found.ids().size() && found.queries().size() == 3 &&
           found.offsets().size() == 4 && pairs.pairs().size() == changes.began().size() &&
           changes.ended().empty() && changes.pairs().size() == 2 && cast_hits.hits().size() == 2 &&
           lists.agents().size() == 4 && lists.ids().size() == lists.squared_distances().size() &&
           lists.squared_distances(0).size() == lists[0].size() && polygon.corners().size() == 3 &&
           frame.any(polygon).found && throng::describe(engine.remove(engine.id(handle)), text) != 0;
}

}  // namespace

bool every_class_answers() { return frame_answers() && results_answer(); }
