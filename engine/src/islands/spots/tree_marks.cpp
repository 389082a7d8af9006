#include "engine/src/islands/spots/tree_marks.hpp"

#include <algorithm>
#include <span>

#include "engine/src/frame/curve.hpp"
#include "engine/src/places/shared_places.hpp"

namespace throng::detail {

namespace {

template <class Centre>
void mark(AxisMarks& axis, const Giants& giants, Centre&& centre) noexcept {
    std::array<float, Giants::most> centres;
    for (std::size_t i = 0; i < giants.count; ++i) centres[i] = centre(giants.boxes[i]);
    std::sort(centres.begin(), centres.begin() + static_cast<std::ptrdiff_t>(giants.count));
    axis.set({centres.data(), giants.count});
}

std::size_t pairs_sharing(const WorldMap& map, const Giants& giants) noexcept {
    std::array<std::uint64_t, Giants::most> places;
    const Curve curve(map);
    for (std::size_t i = 0; i < giants.count; ++i) places[i] = curve(giants.boxes[i]);
    return pairs_at_one_place({places.data(), giants.count});
}

}  // namespace

void choose_tree_marks(WorldMap& map, const Giants& giants) noexcept {
    const std::size_t before = pairs_sharing(map, giants);
    if (before < giants.count / 4) return;
    TreeMarks marks;
    mark(marks.x, giants, [](const Box& b) { return b.min_x * 0.5f + b.max_x * 0.5f; });
    mark(marks.y, giants, [](const Box& b) { return b.min_y * 0.5f + b.max_y * 0.5f; });
    map.set_tree_marks(marks);
    if (2 * pairs_sharing(map, giants) > before) map.forget_tree_marks();
}

}  // namespace throng::detail
