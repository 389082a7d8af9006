// Uses something of every public class that is not in its header, so that a library which does not export it
// cannot be linked. Returns whether all of them answer.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <throng/containers/hierarchical_bitset.hpp>
#include <throng/structures/grid_hierarchy.hpp>
#include <throng/structures/loose_grid.hpp>
#include <throng/structures/loose_quadtree.hpp>
#include <throng/structures/quadtree.hpp>
#include <throng/structures/row_grid.hpp>
#include <throng/structures/static_index.hpp>
#include <throng/structures/uniform_grid.hpp>
#include <throng/throng.hpp>

namespace {

constexpr throng::Box boxes[] = {{0, 0, 1, 1}, {0.5f, 0.5f, 2, 2}, {5, 5, 6, 6}};

// What all structures have: an answer to one box, all pairs, and edits one by one where there are any.
template <class Index>
bool answers(Index index) {
    if (!index.assign(throng::Boxes::of(boxes))) return false;
    if constexpr (requires(throng::ElementId id) { index.insert(boxes[0], id); }) {
        throng::ElementId id = 0;
        if (!index.insert(boxes[2], id) || !index.move(id, boxes[0]) || !index.remove(id)) return false;
    }
    if constexpr (requires { index.clean_up(); }) index.clean_up();
    std::size_t found = 0, pairs = 0, elements = 0, parts = 0;
    if (!index.for_each_overlap({0, 0, 3, 3}, [&](throng::ElementId) { ++found; })) return false;
    if (!index.for_each_pair([&](throng::Pair) { ++pairs; })) return false;
    index.for_each_element([&](throng::ElementId) { ++elements; });
    index.for_each_part([&](const throng::Part&) { ++parts; });
    Index moved(std::move(index));
    return found == 2 && pairs == 1 && elements == 3 && parts != 0 && moved.size() == 3 &&
           moved.validate().sound() && moved.bytes() != 0;
}

template <class Index>
bool suited_answers() {
    return answers(Index(Index::recommended({.extents = {0, 0, 8, 8}, .elements = 3, .largest_size = 2})));
}

bool bitset_answers() {
    throng::HierarchicalBitset bits;
    if (!bits.resize(1000)) return false;
    bits.set_range(100, 200);
    return bits.count_in(0, 1000) == 100 && bits.find_previous(1000) == 199;
}

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
    throng::Hits hits;
    std::size_t visited = 0;
    const bool batches = frame.overlaps(throng::Boxes::of(boxes), hits).ok() &&
                         frame.count(throng::Boxes::of(boxes), counts).ok() &&
                         frame.for_each_overlap(all, [&](throng::AgentId) { ++visited; }).ok() &&
                         frame.for_each_pair_concurrently([](std::span<const throng::Pair>) {}).ok();
    std::array<char, 200> text{};
    return batches && visited == 3 && frame.count(all).total == 3 && frame.any(all).found &&
           frame.pairs(pairs).total == 1 && frame.count_pairs_with(frame.static_layer()).status.ok() &&
           frame.with_static().count(all).total == 6 && frame.explain(all).hits == 3 &&
           frame.on(throng::serial_executor()).validate().sound() && frame.fingerprint() != 0 &&
           walls.rebased(1, 1).size() == 3 && throng::describe(engine.tuning(), text) != 0 &&
           engine.memory().total() != 0 && engine.validate().sound();
}

// What results show as spans.
bool results_answer() {
    throng::Engine engine;
    throng::AgentHandle handle;
    if (!engine.update(throng::Boxes::of(boxes)) || !engine.insert(boxes[2], handle) || !engine.commit())
        return false;
    const throng::Frame frame = engine.frame();
    const std::array<throng::Cast, 1> casts{throng::Cast::ray(-1, 0.75f, 9, 0)};
    const std::array<throng::Point, 3> corners{{{0, 0}, {9, 0}, {0, 9}}};
    const throng::ConvexPolygon polygon(corners);
    throng::Hits hits;
    throng::HitsAsFound found;
    throng::PairList pairs;
    throng::PairChanges changes;
    throng::CastHits cast_hits;
    throng::Neighbours lists;
    if (!frame.overlaps(boxes, hits) || !frame.overlaps(boxes, found) || !frame.pairs(pairs) ||
        !frame.pair_changes(changes) || !frame.all_hits(casts, cast_hits) ||
        !frame.neighbours({.radius = 1, .distances = true, .in_row_order = true}, lists))
        return false;
    std::array<char, 200> text{};
    return hits.ids().size() == found.ids().size() && found.queries().size() == 3 &&
           found.offsets().size() == 4 && pairs.pairs().size() == changes.began().size() &&
           changes.ended().empty() && changes.pairs().size() == 2 && cast_hits.hits().size() == 2 &&
           lists.agents().size() == 4 && lists.ids().size() == lists.squared_distances().size() &&
           lists.squared_distances(0).size() == lists[0].size() && polygon.corners().size() == 3 &&
           frame.any(polygon).yes() && throng::describe(engine.remove(handle), text) != 0;
}

}  // namespace

bool every_class_answers() {
    return frame_answers() && results_answer() && bitset_answers() &&
           suited_answers<throng::GridHierarchy>() && suited_answers<throng::LooseGrid>() &&
           suited_answers<throng::LooseQuadtree>() && suited_answers<throng::Quadtree>() &&
           suited_answers<throng::UniformGrid>() && suited_answers<throng::StaticIndex>() &&
           suited_answers<throng::RowGrid>();
}
