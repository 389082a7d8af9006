#include "engine/src/frame/row_layout.hpp"

#include <algorithm>

namespace throng::detail {

namespace {

template <class Number>
Number* writable(const Number* array) noexcept {
    return const_cast<Number*>(array);
}

// Writes one value for all agents of a row that is dense.
template <class Number>
void fill_all(const simd::Row& row, const Number* array, Number value) noexcept {
    std::fill_n(writable(array), row.count, value);
    std::fill_n(writable(array) + oversized_begin(row), row.oversized, value);
}

// `place(id)` is where labels have that of an agent. Without labels all have the default one.
template <class Place>
std::uint32_t write_labels(const simd::Row& row, simd::Extras extras, const Labels& labels,
                           Place&& place) noexcept {
    const RowLabels to(row);
    const AgentId* ids = RowArrays(row).id;
    std::uint32_t shared = 0xFFFFFFFFu;
    clear_trait_gap(row, extras);
    if (labels.empty()) {
        fill_all(row, to.categories, shared = Label{}.categories);
        fill_all(row, to.group, Label{}.group);
        return shared;
    }
    const auto write = [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) {
            const Label label = labels[place(ids[i])];
            shared &= label.categories;
            writable(to.categories)[i] = label.categories;
            writable(to.group)[i] = label.group;
        }
    };
    write(0, row.count);
    write(oversized_begin(row), oversized_begin(row) + row.oversized);
    return shared;
}

}  // namespace

std::uint32_t gather_labels(const simd::Row& row, simd::Extras extras, const Labels& labels) noexcept {
    return write_labels(row, extras, labels, [](AgentId id) -> std::size_t { return id; });
}

std::uint32_t gather_labels(const simd::Row& row, simd::Extras extras, const Labels& labels,
                            std::span<const AgentId> ids) noexcept {
    return write_labels(row, extras, labels, [&](AgentId id) {
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
