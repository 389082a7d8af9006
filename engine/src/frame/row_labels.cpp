#include "engine/src/frame/row_labels.hpp"

#include <algorithm>

namespace throng::detail {

namespace {

std::uint32_t* writable(const std::uint32_t* array) noexcept { return const_cast<std::uint32_t*>(array); }

template <class LabelOf>
void write_labels(const simd::Row& row, LabelOf&& label_of) noexcept {
    const RowLabels to(row);
    const AgentId* ids = RowArrays(row).id;
    const auto write = [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) {
            const Label label = label_of(ids[i]);
            writable(to.categories)[i] = label.categories;
            writable(to.group)[i] = label.group;
        }
    };
    write(0, row.count);
    clear_label_gap(row);
    write(oversized_begin(row), oversized_begin(row) + row.oversized);
}

}  // namespace

void gather_labels(const simd::Row& row, const Labels& labels) noexcept {
    write_labels(row, [&](AgentId id) { return labels[id]; });
}

void gather_labels(const simd::Row& row, const Labels& labels, std::span<const AgentId> ids) noexcept {
    write_labels(row, [&](AgentId id) {
        return labels[static_cast<std::size_t>(std::lower_bound(ids.begin(), ids.end(), id) - ids.begin())];
    });
}

void clear_label_gap(const simd::Row& row) noexcept {
    const RowLabels to(row);
    std::fill_n(writable(to.categories) + row.count, simd::gap, 0u);
    std::fill_n(writable(to.group) + row.count, simd::gap, 0u);
}

void note_stretches(const simd::Row& row, std::uint32_t columns, std::uint32_t stride,
                    std::uint32_t* stretches) noexcept {
    std::fill_n(stretches, stride, 0u);
    if (row.count == 0) return;
    const RowLabels labels(row);
    for (std::uint32_t s = 0; s < simd::stretches_in(columns); ++s) {
        const std::uint32_t first = s << simd::stretch_shift;
        const std::uint32_t end = row.cells[std::min(first + (1u << simd::stretch_shift), columns)];
        for (std::uint32_t i = row.cells[first]; i < end; ++i)
            stretches[s] |= simd::noted(labels.categories[i]);
    }
}

}  // namespace throng::detail
