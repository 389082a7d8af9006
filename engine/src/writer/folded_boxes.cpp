// Folds the boxes of a world that wraps around.
#include <algorithm>
#include <cstdint>
#include <mutex>

#include "base/blocks.hpp"
#include "base/box_reader.hpp"
#include "base/fold.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/writer/writer.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

namespace {

// The sizes of the boxes of a piece, if all lie inside the world. Sizes are compared by their bits, which are
// in the order of sizes, since compilers make no vectors of the largest of floats. NaN is larger than all,
// and negative sizes are less.
struct Extremes {
    std::int32_t width = 0, height = 0;
    bool are_folded = true;

    Box box() const noexcept { return {0, 0, bits_as<float>(width), bits_as<float>(height)}; }
};

// Branch-free, so the compiler vectorises it. If the world does not wrap around, all are inside.
template <class BoxOf>
void look(const BoxOf& box_of, std::size_t count, float around_x, float around_y,
          Extremes& extremes) noexcept {
    const float twice_x = 2 * around_x, twice_y = 2 * around_y;
    std::int32_t width = 0, height = 0, outside_x = 0, outside_y = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Box box = box_of(i);
        width = std::max(width, bits_as<std::int32_t>(box.max_x - box.min_x));
        height = std::max(height, bits_as<std::int32_t>(box.max_y - box.min_y));
        const float x = box.min_x + box.max_x, y = box.min_y + box.max_y;
        outside_x |= (x >= 0 ? 0 : 1) | (x < twice_x ? 0 : 1);
        outside_y |= (y >= 0 ? 0 : 1) | (y < twice_y ? 0 : 1);
    }
    extremes.width = std::max(extremes.width, width);
    extremes.height = std::max(extremes.height, height);
    const bool inside_x = outside_x == 0 && width < bits_as<std::int32_t>(around_x),
               inside_y = outside_y == 0 && height < bits_as<std::int32_t>(around_y);
    if ((around_x != 0 && !inside_x) || (around_y != 0 && !inside_y)) extremes.are_folded = false;
}

Extremes look(const Boxes& boxes, const parallel::Range& part, const Period& period) noexcept {
    Extremes extremes;
    const auto look_at = [&](const auto& box_of, std::size_t count) {
        look(box_of, count, period.x, period.y, extremes);
        return extremes.are_folded;
    };
    if (are_array_of_boxes(boxes)) {
        // As they lie, which is faster than in columns.
        const float* const first = boxes.coordinate(0);
        for (std::size_t i = part.begin; i < part.end && extremes.are_folded; i += 1024) {
            const float* const from = first + 4 * i;
            look_at(
                [=](std::size_t k) {
                    return Box{from[4 * k], from[4 * k + 1], from[4 * k + 2], from[4 * k + 3]};
                },
                std::min<std::size_t>(1024, part.end - i));
        }
        return extremes;
    }
    read_boxes(boxes, part.begin, part.end, [&](const simd::Columns& some, std::size_t, std::size_t count) {
        return some.centre_half ? look_at([&](std::size_t i) { return box_of_form<true>(some, i); }, count)
                                : look_at([&](std::size_t i) { return box_of_form<false>(some, i); }, count);
    });
    return extremes;
}

}  // namespace

Status FoldedBoxes::fold(const Executor& executor, Boxes& boxes, Torus& torus) noexcept {
    constexpr std::size_t in_a_block = 1 << 15;
    const Period period = torus.period;
    std::mutex mutex;
    bool are_folded = true;
    const auto add = [&](const Torus& more) {
        const std::lock_guard lock(mutex);
        torus.add(more);
    };
    parallel::Ran ran =
        parallel::for_ranges(executor, boxes.size(), in_a_block, [&](const parallel::Range& part) {
            const Extremes extremes = look(boxes, part, period);
            Torus some{period};
            if (extremes.are_folded) some.add(extremes.box());
            add(some);
            const std::lock_guard lock(mutex);
            are_folded = are_folded && extremes.are_folded;
        });
    if (!ran || are_folded) return outcome(ran);
    if (!resize_amply(boxes_, boxes.size())) return {Code::out_of_memory};
    ran = parallel::for_ranges(executor, boxes.size(), in_a_block, [&](const parallel::Range& part) {
        Torus some{period};
        const BoxAt at(boxes);
        for (std::size_t i = part.begin; i < part.end; ++i) {
            const Box box = folded(boxes, i, at(i), period);
            boxes_[i] = box;
            if (check(box) == Code::ok) some.add(box);
        }
        add(some);
    });
    boxes = Boxes::of({boxes_.data(), boxes_.size()});
    return outcome(ran);
}

}  // namespace throng::detail
