#include "engine/src/frame/row_labels.hpp"

#include <algorithm>

#include "engine/src/frame/row_agents.hpp"

namespace throng::detail {

namespace {

std::uint32_t* writable(const std::uint32_t* array) noexcept { return const_cast<std::uint32_t*>(array); }

template <class LabelOf>
std::uint32_t write_labels(const simd::Row& row, LabelOf&& label_of) noexcept {
    const RowLabels to(row);
    const AgentId* ids = RowArrays(row).id;
    std::uint32_t shared = 0xFFFFFFFFu;
    const auto write = [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) {
            const Label label = label_of(ids[i]);
            shared &= label.categories;
            writable(to.categories)[i] = label.categories;
            writable(to.group)[i] = label.group;
        }
    };
    write(0, row.count);
    clear_label_gap(row);
    write(oversized_begin(row), oversized_begin(row) + row.oversized);
    return shared;
}

}  // namespace

std::uint32_t gather_labels(const simd::Row& row, const Labels& labels) noexcept {
    return write_labels(row, [&](AgentId id) { return labels[id]; });
}

std::uint32_t gather_labels(const simd::Row& row, const Labels& labels,
                            std::span<const AgentId> ids) noexcept {
    return write_labels(row, [&](AgentId id) {
        return labels[static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin())];
    });
}

void clear_label_gap(const simd::Row& row) noexcept {
    const RowLabels to(row);
    std::fill_n(writable(to.categories) + row.count, simd::gap, 0u);
    std::fill_n(writable(to.group) + row.count, simd::gap, 0u);
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

void note_stretches(const simd::Row& row, std::uint32_t columns, std::uint32_t stride,
                    std::uint32_t* stretches) noexcept {
    std::fill_n(stretches, stride, 0u);
    if (row.count == 0) return;
    for (std::uint32_t s = 0; s < simd::stretches_in(columns); ++s)
        stretches[s] = note_stretch(row, columns, s);
}

}  // namespace throng::detail
