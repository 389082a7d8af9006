#include "engine/src/writer/folded_boxes.hpp"

#include <limits>
#include <mutex>

#include "base/box_reader.hpp"
#include "base/fold.hpp"
#include "base/outcome.hpp"
#include "engine/src/memory/growth.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

namespace {

// How large the boxes of a piece are, if all lie where they are to be.
struct Extremes {
    float width = 0, height = 0;
    bool are_folded = true;
};

// Branch-free, so the compiler vectorises it. Where the world does not wrap around, all are inside.
template <bool centre_half>
void look(const simd::Columns& boxes, std::size_t count, float around_x, float around_y,
          Extremes& extremes) noexcept {
    float width = extremes.width, height = extremes.height;
    std::uint32_t outside = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Box box = box_of_form<centre_half>(boxes, i);
        const float w = box.max_x - box.min_x, h = box.max_y - box.min_y;
        width = w > width ? w : width;
        height = h > height ? h : height;
        const float x = box.min_x + box.max_x, y = box.min_y + box.max_y;
        outside |= ((x >= 0) & (x < 2 * around_x) & (w < around_x)) ? 0u : 1u;
        outside |= ((y >= 0) & (y < 2 * around_y) & (h < around_y)) ? 0u : 2u;
    }
    extremes.width = width;
    extremes.height = height;
    if (around_x == 0) outside &= 2u;
    if (around_y == 0) outside &= 1u;
    extremes.are_folded = extremes.are_folded && outside == 0;
}

Extremes look(const Boxes& boxes, const parallel::Range& part, const Period& period) noexcept {
    Extremes extremes;
    read_boxes(boxes, part.begin, part.end, [&](const simd::Columns& some, std::size_t, std::size_t count) {
        if (some.centre_half)
            look<true>(some, count, period.x, period.y, extremes);
        else
            look<false>(some, count, period.x, period.y, extremes);
        return extremes.are_folded;
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
            if (extremes.are_folded) some.add(Box{0, 0, extremes.width, extremes.height});
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
            const Box box = folded(at(i), period);
            boxes_[i] = box;
            if (check(box) == Code::ok) some.add(box);
        }
        add(some);
    });
    boxes = Boxes::of({boxes_.data(), boxes_.size()});
    return outcome(ran);
}

void FoldedBoxes::give_back_excess(std::size_t agents) noexcept { release_excess(boxes_, agents); }

}  // namespace throng::detail
