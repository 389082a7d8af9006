// Uses something of every structure that is not in its header, so that a library which does not export it
// cannot be linked. Returns whether all of them answer.
#include <cstddef>
#include <utility>

#include <throng/structures.hpp>

namespace {

constexpr throng::Box boxes[] = {{0, 0, 1, 1}, {0.5f, 0.5f, 2, 2}, {5, 5, 6, 6}};

// What all structures have: an answer to one box, all pairs, and edits one by one where there are any.
template <class Index>
bool answers(Index index) {
    if (!index.assign(throng::Boxes::of(boxes))) return false;
    if constexpr (requires(throng::structures::ElementId id) { index.insert(boxes[0], id); }) {
        throng::structures::ElementId id = 0;
        if (!index.insert(boxes[2], id) || !index.move(id, boxes[0]) || !index.remove(id)) return false;
    }
    if constexpr (requires { index.clean_up(); }) index.clean_up();
    std::size_t found = 0, pairs = 0, elements = 0, parts = 0;
    if (!index.for_each_overlap({0, 0, 3, 3}, [&](throng::structures::ElementId) { ++found; })) return false;
    if (!index.for_each_pair([&](throng::Pair) { ++pairs; })) return false;
    index.for_each_element([&](throng::structures::ElementId) { ++elements; });
    index.for_each_part([&](const throng::structures::Part&) { ++parts; });
    Index moved(std::move(index));
    return found == 2 && pairs == 1 && elements == 3 && parts != 0 && moved.size() == 3 &&
           moved.validate().sound() && moved.bytes() != 0;
}

template <class Index>
bool suited_answers() {
    return answers(Index(Index::recommended({.extents = {0, 0, 8, 8}, .elements = 3, .largest_size = 2})));
}

}  // namespace

bool every_structure_answers() {
    return suited_answers<throng::structures::GridHierarchy>() &&
           suited_answers<throng::structures::LooseGrid>() &&
           suited_answers<throng::structures::LooseQuadtree>() &&
           suited_answers<throng::structures::Quadtree>() &&
           suited_answers<throng::structures::UniformGrid>() &&
           suited_answers<throng::structures::StaticIndex>() && suited_answers<throng::structures::RowGrid>();
}
