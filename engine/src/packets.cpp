#include "engine/src/packets.hpp"

#include <algorithm>
#include <bit>

#include "engine/src/box_check.hpp"

namespace throng::detail {

namespace {

// How a key is put together: a row and a group of columns, together in less than 16 bits.
struct KeyShape {
    std::uint32_t group_bits, shift, keys;

    explicit KeyShape(const simd::Grid& grid) noexcept {
        const auto row_bits = static_cast<std::uint32_t>(std::bit_width(grid.rows - 1));
        const auto column_bits = static_cast<std::uint32_t>(std::bit_width(grid.columns - 1));
        group_bits = std::min(column_bits, row_bits < 15 ? 15 - row_bits : 0);
        shift = column_bits - group_bits;
        keys = grid.rows << group_bits;
    }
};

// Boxes of corners, one behind the other, are what the kernels read.
const simd::Question* as_they_lie(const Boxes& boxes) noexcept {
    const bool corners = boxes.form() == Boxes::Form::min_max && boxes.stride() == sizeof(simd::Question);
    const float* first = boxes.coordinate(0);
    for (int k = 1; k < 4; ++k)
        if (!corners || boxes.coordinate(k) != first + k) return nullptr;
    return reinterpret_cast<const simd::Question*>(first);
}

// Whether most questions are about the same place as the one before, give or take a row and a group of columns.
bool is_coherent(const std::uint16_t* keys, std::size_t count, std::uint32_t group_bits) noexcept {
    const std::uint32_t group_mask = (1u << group_bits) - 1;
    std::size_t jumps = 0;
    for (std::size_t i = 1; i < count; ++i) {
        const std::uint32_t here = keys[i], before = keys[i - 1];
        // One below, the same, or one above becomes 0, 1 or 2; everything else is larger.
        const std::uint32_t rows = (here >> group_bits) - (before >> group_bits) + 1;
        const std::uint32_t groups = (here & group_mask) - (before & group_mask) + 1;
        jumps += (rows > 2) | (groups > 2);
    }
    return jumps * 8 <= count;
}

void sort_by_key(WindowSpace& space, std::size_t count, std::size_t keys) noexcept {
    std::uint32_t* starts = space.starts.data();
    std::fill_n(starts, keys, 0u);
    for (std::size_t i = 0; i < count; ++i) ++starts[space.keys[i]];
    std::uint32_t sum = 0;
    for (std::size_t k = 0; k < keys; ++k) sum += std::exchange(starts[k], sum);
    for (std::size_t i = 0; i < count; ++i) space.order[starts[space.keys[i]]++] = static_cast<std::uint32_t>(i);
}

}  // namespace

Status prepare_window(const FrameState& frame, const Boxes& boxes, std::size_t begin, std::size_t end, WindowSpace& space,
                      Window& window) noexcept {
    const std::size_t count = end - begin;
    const simd::Grid& grid = frame.view.grid;
    const KeyShape shape(grid);
    if (!space.keys.resize(count) || !space.starts.resize(shape.keys) || !space.order.resize(count))
        return {Code::out_of_memory};

    const simd::Question* questions = as_they_lie(boxes);
    if (questions != nullptr) {
        questions += begin;
    } else {
        if (!space.questions.resize(count)) return {Code::out_of_memory};
        for (std::size_t i = 0; i < count; ++i) {
            const Box box = boxes[begin + i];
            space.questions[i] = {box.min_x, box.min_y, box.max_x, box.max_y};
        }
        questions = space.questions.data();
    }
    const std::size_t legal =
        frame.kernels->keys(grid, questions, count, shape.group_bits, shape.shift, space.keys.data());
    if (legal < count) return check(boxes, begin + legal);

    window = {questions, space.order.data(), count, is_coherent(space.keys.data(), count, shape.group_bits)};
    if (window.as_asked)
        for (std::size_t i = 0; i < count; ++i) space.order[i] = static_cast<std::uint32_t>(i);
    else
        sort_by_key(space, count, shape.keys);
    return {};
}

}  // namespace throng::detail
