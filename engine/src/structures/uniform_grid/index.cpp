#include "engine/src/structures/uniform_grid/state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/src/base/box_check.hpp"
#include "engine/src/base/box_reader.hpp"
#include "engine/src/base/find_kernels.hpp"
#include "engine/src/base/refusals.hpp"
#include "throng/memory.hpp"

namespace throng {

namespace {

// Boxes are read in pieces that fit on the stack.
constexpr std::size_t piece = 256;

float magnitude_of(const Box& b) noexcept {
    return std::max(std::max(std::abs(b.min_x), std::abs(b.max_x)),
                    std::max(std::abs(b.min_y), std::abs(b.max_y)));
}

// The middle of a side, and whether the element fits: also false for a NaN, an infinity and an inverted box.
// A side of length zero is its own middle.
inline bool centre_of(float min, float max, float reach, float& centre) noexcept {
    centre = min + (max - min) * 0.5f;
    return (min <= max) & (centre - reach <= min) & (max <= centre + reach);
}

}  // namespace

UniformGrid::Config UniformGrid::recommended(const Expected& expected) noexcept {
    const Box& e = expected.extents;
    const double width = detail::GridAxis::extent(e.min_x, e.max_x),
                 height = detail::GridAxis::extent(e.min_y, e.max_y);
    const auto elements = static_cast<double>(std::max<std::size_t>(expected.elements, 1));
    // A world that is nearly a line is divided along it only, and has no more cells than elements.
    const double side =
        std::max(std::sqrt(0.8 * width * height / elements), std::max(width, height) / elements);
    const double smallest = std::max(expected.largest_size, 1e-30f) * 0.5;
    return {.extents = e,
            .largest_size = expected.largest_size,
            .cell_size = static_cast<float>(std::min(std::max(side, smallest), 1e38))};
}

UniformGrid::UniformGrid(const Config& config, MemoryResource* memory) noexcept
    : DynamicStructure(detail::make_state<State>(config, memory)) {}

UniformGrid::State::State(const Config& config, MemoryResource* memory, Status& status) noexcept
    : StateOf(memory), elements_(memory), heads_(memory), row_sizes_(memory), pair_space_(memory) {
    constexpr float largest = std::numeric_limits<float>::max();
    if (!detail::are_legal_extents(config.extents) || !(config.largest_size >= 0) ||
        !(config.cell_size > 0) || !(config.largest_size <= largest) || !(config.cell_size <= largest)) {
        status = {Code::bad_config};
        return;
    }
    if (status = detail::find_kernels(Isa::automatic, kernels_); !status) return;
    // A little more than half, so no box is refused because of the rounding of its centre.
    const float magnitude = magnitude_of(config.extents);
    reach_ = config.largest_size * 0.5f * 1.00001f + magnitude * 5e-7f + std::numeric_limits<float>::min();

    // Rows are high enough that pairs reach at most into the next one, with room for what `upper` adds.
    const Box& e = config.extents;
    const double width = config.cell_size * 0.4;
    const double height = std::max(config.cell_size / 0.4, 2.0 * reach_ + magnitude * 1e-6);
    const auto cells = [](double extent, double side) {
        return static_cast<std::uint32_t>(std::min(std::max(extent / side, 1.0), double{max_cells}));
    };
    std::uint32_t columns = cells(detail::GridAxis::extent(e.min_x, e.max_x), width);
    std::uint32_t rows = cells(detail::GridAxis::extent(e.min_y, e.max_y), height);
    while (std::uint64_t{columns} * rows > max_cells) (columns > rows ? columns : rows) /= 2;
    columns_ = {e.min_x, e.max_x, columns};
    rows_ = {e.min_y, e.max_y, rows};
    if (!heads_.resize_exactly(std::size_t{columns} * rows) || !row_sizes_.resize_exactly(rows)) {
        status = {Code::out_of_memory};
        return;
    }
    clear();
}

// --- Edits -------------------------------------------------------------------------------------------------

bool UniformGrid::State::fits(const Box& box, float& x, float& y) const noexcept {
    const bool in_x = centre_of(box.min_x, box.max_x, reach_, x);
    return centre_of(box.min_y, box.max_y, reach_, y) && in_x;
}

bool UniformGrid::State::all_fit(const Boxes& boxes) const noexcept {
    const float reach = reach_;
    bool fit = true;
    detail::read_boxes(boxes, 0, boxes.size(),
                       [&](const simd::Columns& columns, std::size_t, std::size_t count) {
                           unsigned misfits = 0;
                           for (std::size_t i = 0; i < count; ++i) {
                               float x, y;
                               const Box box = detail::box_at(columns, i);
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
        if (const Code code = detail::check(box); code != Code::ok) return {code, i};
        if (!fits(box, x, y)) return {Code::too_large, i};
    }
    return {};
}

Status UniformGrid::State::assign(const Boxes& boxes) noexcept {
    if (const Status refused = detail::refused_assign(boxes); !refused) return refused;
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
    std::uint32_t columns[piece], rows[piece];
    float x[piece], y[piece];
    for (std::size_t end = boxes.size(); end > 0;) {
        const std::size_t begin = (end - 1) / piece * piece;
        const auto work_out = [&](const simd::Columns& some, std::size_t first, std::size_t count) {
            float* const to_x = x + (first - begin);
            float* const to_y = y + (first - begin);
            for (std::size_t i = 0; i < count; ++i) {
                const Box box = detail::box_at(some, i);
                centre_of(box.min_x, box.max_x, reach_, to_x[i]);
                centre_of(box.min_y, box.max_y, reach_, to_y[i]);
            }
            return true;
        };
        detail::read_boxes(boxes, begin, end, work_out);
        const std::size_t count = end - begin;
        for (std::size_t i = 0; i < count; ++i) {
            columns[i] = columns_.cell(x[i]);
            rows[i] = rows_.cell(y[i]);
        }
        for (std::size_t i = 0; i < count; ++i) __builtin_prefetch(&heads_[cell({columns[i], rows[i]})], 1);
        for (std::size_t i = count; i-- > 0;) {
            ++row_sizes_[rows[i]];
            ElementId& head = heads_[cell({columns[i], rows[i]})];
            const auto id = static_cast<ElementId>(begin + i);
            elements_[id] = {x[i], y[i], head};
            head = id;
        }
        end = begin;
    }
}

Status UniformGrid::State::insert(const Box& box, ElementId& id) noexcept {
    if (const Status refused = detail::refused_insert(*this, box); !refused) return refused;
    Element element{0, 0, no_element};
    if (!fits(box, element.x, element.y)) return {Code::too_large, 0};
    const ElementId made = elements_.insert(element);
    if (made == no_element) return {Code::out_of_memory};
    link(made);
    id = made;
    return {};
}

Status UniformGrid::State::move(ElementId id, const Box& box) noexcept {
    if (const Status refused = detail::refused_move(*this, id, box); !refused) return refused;
    Element moved{0, 0, no_element};
    if (!fits(box, moved.x, moved.y)) return {Code::too_large, 0};
    Element& element = elements_[id];
    if (cell(place(moved)) == cell(place(element))) {
        element.x = moved.x;
        element.y = moved.y;
        return {};
    }
    unlink(id);
    element = moved;
    link(id);
    return {};
}

Status UniformGrid::State::remove(ElementId id) noexcept {
    if (const Status refused = detail::refused_remove(*this, id); !refused) return refused;
    unlink(id);
    elements_.erase(id);
    return {};
}

void UniformGrid::State::clear() noexcept {
    elements_.clear();
    std::fill(heads_.begin(), heads_.end(), no_element);
    std::fill(row_sizes_.begin(), row_sizes_.end(), 0u);
}

UniformGrid::State::Place UniformGrid::State::place(const Element& element) const noexcept {
    return {columns_.cell(element.x), rows_.cell(element.y)};
}

void UniformGrid::State::link(ElementId id) noexcept {
    const Place at = place(elements_[id]);
    ++row_sizes_[at.row];
    elements_[id].next = std::exchange(heads_[cell(at)], id);
}

void UniformGrid::State::unlink(ElementId id) noexcept {
    const Place at = place(elements_[id]);
    --row_sizes_[at.row];
    ElementId* link = &heads_[cell(at)];
    while (*link != id) link = &elements_[*link].next;
    *link = elements_[id].next;
}

// --- About the structure -----------------------------------------------------------------------------------

std::size_t UniformGrid::State::bytes_held() const noexcept {
    return elements_.bytes() + heads_.bytes() + row_sizes_.bytes() + pair_space_.bytes();
}

}  // namespace throng
