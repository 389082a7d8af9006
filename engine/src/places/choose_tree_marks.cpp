#include "engine/src/places/choose_tree_marks.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <span>

#include "engine/src/frame/tree/curve.hpp"
#include "engine/src/frame/tree_marks.hpp"
#include "engine/src/places/shared_places.hpp"
#include "engine/src/store/store.hpp"

namespace throng::detail {

namespace {

// Fewer oversized agents are in a few leaves, wherever they are.
constexpr std::size_t fewest = 64;

template <class Centre>
void mark(AxisMarks& axis, std::span<const Box> oversized, Centre&& centre) noexcept {
    std::array<float, max_sampled> centres;
    std::transform(oversized.begin(), oversized.end(), centres.begin(), centre);
    const std::span<float> all{centres.data(), oversized.size()};
    std::sort(all.begin(), all.end());
    axis.set(all);
}

std::size_t pairs_sharing(const Curve& curve, std::span<const Box> oversized) noexcept {
    std::array<std::uint64_t, max_sampled> places;
    std::transform(oversized.begin(), oversized.end(), places.begin(), curve);
    return pairs_at_one_place({places.data(), oversized.size()});
}

}  // namespace

bool choose_tree_marks(FrameState& frame) noexcept {
    if (frame.view.oversized.count < fewest) {
        frame.sharing_places = pairs_that_share_places(frame);
        return true;
    }
    std::array<Box, max_sampled> boxes;
    const std::span<const Box> oversized = take_some_oversized(frame, boxes);
    // Rows without cells do not say where agents are.
    const std::size_t before = frame.map.has_cells() ? pairs_sharing({frame.map, nullptr}, oversized)
                                                     : oversized.size() * oversized.size();
    frame.sharing_places = pairs_in_frame(frame, before, oversized.size());
    if (before < oversized.size() / 4) return true;
    TreeMarks marks;
    mark(marks.x, oversized, [](const Box& b) { return b.min_x * 0.5f + b.max_x * 0.5f; });
    mark(marks.y, oversized, [](const Box& b) { return b.min_y * 0.5f + b.max_y * 0.5f; });
    const std::size_t after = pairs_sharing({frame.map, &marks}, oversized);
    if (2 * after > before) return true;
    Block* block = frame.store->take(sizeof(TreeMarks));
    if (block == nullptr) return false;
    ::new (block->memory) TreeMarks(marks);
    frame.store->set_marks(frame, block);
    frame.sharing_places = pairs_in_frame(frame, after, oversized.size());
    return true;
}

}  // namespace throng::detail
