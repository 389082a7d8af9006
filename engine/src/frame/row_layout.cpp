#include "engine/src/frame/row_layout.hpp"

#include <algorithm>

namespace throng::detail {

namespace {

template <class Number>
Number* writable(const Number* array) noexcept {
    return const_cast<Number*>(array);
}

// Calls write(slot) for all agents of a row that is dense.
template <class Write>
void for_all(const simd::Row& row, Write&& write) noexcept {
    for (std::uint32_t i = 0; i < row.count; ++i) write(i);
    for (std::uint32_t i = oversized_begin(row); i < oversized_begin(row) + row.oversized; ++i) write(i);
}

// The same with one value for an array.
template <class Number>
void fill_all(const simd::Row& row, const Number* array, Number value) noexcept {
    std::fill_n(writable(array), row.count, value);
    std::fill_n(writable(array) + oversized_begin(row), row.oversized, value);
}

// `place(id)` is where labels and heights have those of an agent. Without labels all have the default one.
template <class Place>
std::uint32_t write_traits(const simd::Row& row, const Labels& labels, const Heights& heights,
                           Place&& place) noexcept {
    const RowLabels to(row);
    const AgentId* ids = RowArrays(row).id;
    std::uint32_t shared = 0xFFFFFFFFu;
    clear_trait_gap(row, heights.empty() ? simd::Extras::labels : simd::Extras::heights);
    if (labels.empty()) {
        fill_all(row, to.categories, shared = Label{}.categories);
        fill_all(row, to.group, Label{}.group);
    } else {
        for_all(row, [&](std::uint32_t i) {
            const Label label = labels[place(ids[i])];
            shared &= label.categories;
            writable(to.categories)[i] = label.categories;
            writable(to.group)[i] = label.group;
        });
    }
    if (heights.empty()) return shared;
    const RowHeights at(row);
    heights.with_reader([&](const auto& read) {
        float *const min_z = writable(at.min_z), *const max_z = writable(at.max_z);
        for_all(row, [&](std::uint32_t i) {
            const Band height = read(place(ids[i]));
            min_z[i] = height.min_z;
            max_z[i] = height.max_z;
        });
    });
    return shared;
}

}  // namespace

std::uint32_t gather_traits(const simd::Row& row, const Labels& labels, const Heights& heights) noexcept {
    return write_traits(row, labels, heights, [](AgentId id) -> std::size_t { return id; });
}

std::uint32_t gather_traits(const simd::Row& row, const Labels& labels, const Heights& heights,
                            std::span<const AgentId> ids) noexcept {
    return write_traits(row, labels, heights, [&](AgentId id) {
        return static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin());
    });
}

void clear_trait_gap(const simd::Row& row, simd::Extras extras) noexcept {
    for (std::size_t k = 5; k < arrays_of_a_row(extras); ++k)
        std::fill_n(writable(row.data) + k * row.stride + row.count, simd::gap, 0.0f);
}

std::uint32_t note_stretch(const simd::Row& row, std::uint32_t columns, std::uint32_t s,
                           std::uint32_t possible) noexcept {
    constexpr std::uint32_t agents_at_once = 256;
    const RowLabels labels(row);
    const std::uint32_t first = s << simd::stretch_shift,
                        end = row.cells[std::min(first + (1u << simd::stretch_shift), columns)];
    std::uint32_t found = 0;
    for (std::uint32_t begin = row.cells[first]; begin < end && found != possible; begin += agents_at_once)
        for (std::uint32_t i = begin; i < std::min(end, begin + agents_at_once); ++i)
            if (row.is_dense() || has_agent(row, i)) found |= simd::noted(labels.categories[i]);
    return found;
}

void note_usual_stretches(const simd::Row& row, std::uint32_t columns, std::uint32_t stride,
                          std::uint32_t* stretches) noexcept {
    std::fill_n(stretches, stride, 0u);
    if (row.count == 0) return;
    for (std::uint32_t s = 0; s < simd::stretches_in(columns); ++s) {
        const std::uint32_t first = s << simd::stretch_shift, behind = first + (1u << simd::stretch_shift);
        if (row.cells[first] != row.cells[std::min(behind, columns)]) stretches[s] = Label{}.categories;
    }
}

void note_stretches(const simd::Row& row, std::uint32_t columns, std::uint32_t stride,
                    std::uint32_t* stretches) noexcept {
    std::fill_n(stretches, stride, 0u);
    if (row.count == 0) return;
    for (std::uint32_t s = 0; s < simd::stretches_in(columns); ++s)
        stretches[s] = note_stretch(row, columns, s);
}

}  // namespace throng::detail
