// Builds a uniform grid from scratch.

#include "base/box_reader.hpp"
#include "structures/src/uniform_grid/state.hpp"
#include "throng/compiler.hpp"

namespace throng::structures {

using namespace detail;

namespace {

// Boxes are read in pieces that fit on the stack. The lists of their cells are anywhere in memory, and are
// fetched `fetches_ahead` elements early: all at once would wait for each other. Elements are fetched
// `stores_ahead` early, since stores wait for each other, too.
constexpr std::size_t piece_size = 512, fetches_ahead = 32, stores_ahead = 96;

}  // namespace

bool UniformGrid::State::all_fit(const Boxes& boxes) const noexcept {
    const float reach = reach_;
    bool fit = true;
    read_boxes(boxes, 0, boxes.size(), [&](const simd::Columns& columns, std::size_t, std::size_t count) {
        unsigned misfits = 0;
        for (std::size_t i = 0; i < count; ++i) {
            float x, y;
            const Box box = box_at(columns, i);
            const bool in_x = centre_of(box.min_x, box.max_x, reach, x);
            const bool in_y = centre_of(box.min_y, box.max_y, reach, y);
            misfits |= !(in_x & in_y);
        }
        return fit = misfits == 0;
    });
    return fit;
}

Status UniformGrid::State::first_that_does_not_fit(const Boxes& boxes) const noexcept {
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box box = boxes[i];
        float x, y;
        if (const Code code = check(box); code != Code::ok) return {code, i};
        if (!fits(box, x, y)) return {Code::too_large, i};
    }
    return {};
}

Status UniformGrid::State::assign_all(const Boxes& boxes) noexcept {
    if (!all_fit(boxes)) return first_that_does_not_fit(boxes);
    if (!elements_.fill(boxes.size())) return {Code::out_of_memory};
    std::fill(heads_.begin(), heads_.end(), no_element);
    std::fill(row_sizes_.begin(), row_sizes_.end(), 0u);
    place_all(boxes);
    return {};
}

// From the last to the first, so every cell lists its elements in ascending order: moving all elements at one
// point, one after the other, finds each at the front.
void UniformGrid::State::place_all(const Boxes& boxes) noexcept {
    std::uint32_t columns[piece_size], rows[piece_size];
    float x[piece_size], y[piece_size];
    for (std::size_t end = boxes.size(); end > 0;) {
        const std::size_t begin = (end - 1) / piece_size * piece_size;
        const auto work_out = [&](const simd::Columns& some, std::size_t first, std::size_t count) {
            float* const to_x = x + (first - begin);
            float* const to_y = y + (first - begin);
            for (std::size_t i = 0; i < count; ++i) {
                const Box box = box_at(some, i);
                centre_of(box.min_x, box.max_x, reach_, to_x[i]);
                centre_of(box.min_y, box.max_y, reach_, to_y[i]);
            }
            return true;
        };
        read_boxes(boxes, begin, end, work_out);
        const std::size_t count = end - begin;
        for (std::size_t i = 0; i < count; ++i) {
            columns[i] = columns_.cell(x[i]);
            rows[i] = rows_.cell(y[i]);
        }
        const auto fetch = [&](std::size_t i) { THRONG_PREFETCH(&heads_[cell({columns[i], rows[i]})], 1); };
        for (std::size_t i = count - std::min(count, fetches_ahead); i < count; ++i) fetch(i);
        for (std::size_t i = count; i-- > 0;) {
            if (i >= fetches_ahead) fetch(i - fetches_ahead);
            ++row_sizes_[rows[i]];
            ElementId& head = heads_[cell({columns[i], rows[i]})];
            const auto id = static_cast<ElementId>(begin + i);
            THRONG_PREFETCH(&elements_[id - std::min<ElementId>(id, stores_ahead)], 1);
            elements_[id] = {x[i], y[i], head};
            head = id;
        }
        end = begin;
    }
}

}  // namespace throng::structures
