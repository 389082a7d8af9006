#include <algorithm>
#include <array>

namespace throng::detail {

// A box as six numbers, the largest of which are the extremes of a row.
using Extents = std::array<float, 6>;

inline Extents extents_of(const Box& box) noexcept {
    return {box.max_x - box.min_x, box.max_y - box.min_y, -box.min_x, -box.min_y, box.max_x, box.max_y};
}
inline Extents extents_of(const RowExtremes& of) noexcept {
    const simd::Bounds& b = of.bounds;
    return {of.reach.width, of.reach.height, -b.min_x, -b.min_y, -b.negated_max_x, -b.negated_max_y};
}
inline RowExtremes extremes_of(const Extents& of) noexcept {
    return {{of[0], of[1]}, {-of[2], -of[3], -of[4], -of[5]}};
}

// Whether some agents of the row are as large as that in each of the first `count` numbers. Where many are, they are among
// the first; looking further costs more than the kernels do.
inline bool first_are_as_large(const simd::Row& row, const Extents& largest, std::size_t count) noexcept {
    const RowArrays agents(row);
    std::uint32_t missing = (1u << count) - 1;
    constexpr std::uint32_t most = 256;
    for (std::uint32_t i = 0; i < std::min(row.count, most) && missing != 0; ++i) {
        const Extents here = extents_of(agents.box(i));
        for (std::size_t k = 0; k < count; ++k)
            if (here[k] >= largest[k]) missing &= ~(1u << k);
    }
    return missing == 0;
}

// From what is noted of a row with holes.
inline RowExtremes extremes_of_chunks(const simd::Row& row, std::uint32_t columns,
                                      bool with_bounds) noexcept {
    const RowChunk* chunks = chunks_of(row, columns);
    RowExtremes all{chunks[0].reach, chunks[0].bounds};
    for (std::uint32_t k = 1; k < chunk_count(row); ++k) {
        const simd::Bounds& b = chunks[k].bounds;
        all.reach = {std::max(all.reach.width, chunks[k].reach.width),
                     std::max(all.reach.height, chunks[k].reach.height)};
        all.bounds = {std::min(all.bounds.min_x, b.min_x), std::min(all.bounds.min_y, b.min_y),
                      std::min(all.bounds.negated_max_x, b.negated_max_x),
                      std::min(all.bounds.negated_max_y, b.negated_max_y)};
    }
    if (!with_bounds) all.bounds = {};
    return all;
}

template <class BoxOf>
RowExtremes extremes_after(const simd::Kernels& kernels, const simd::Row& old, const RowExtremes& before,
                           const simd::Row& row, std::uint32_t columns, std::span<const RowEdit> edits,
                           bool with_bounds, BoxOf&& box_of) noexcept {
    const std::size_t count = with_bounds ? 6 : 2;
    const RowArrays agents(old);
    Extents largest = extents_of(before);
    bool lost = false;
    for (const RowEdit& edit : edits) {
        if (edit.column == columns || edit.kind == RowEditKind::relabel) continue;
        if (edit.kind == RowEditKind::insert) continue;
        const AgentId* const end = agents.id + old.cells[edit.column + 1];
        const AgentId* const at = std::lower_bound(agents.id + old.cells[edit.column], end, edit.id);
        const Extents gone = extents_of(agents.box(static_cast<std::size_t>(at - agents.id)));
        for (std::size_t k = 0; k < count; ++k) lost = lost || gone[k] >= largest[k];
    }
    for (const RowEdit& edit : edits) {
        if (edit.column == columns || edit.kind == RowEditKind::relabel || edit.kind == RowEditKind::remove)
            continue;
        const Extents come = extents_of(box_of(edit.edit));
        for (std::size_t k = 0; k < count; ++k) largest[k] = std::max(largest[k], come[k]);
    }
    if (!lost || first_are_as_large(row, largest, count)) return extremes_of(largest);
    if (row.holes != 0) return extremes_of_chunks(row, columns, with_bounds);
    return {kernels.measure_row(row), with_bounds ? kernels.bound_row(row) : simd::Bounds{}};
}

}  // namespace throng::detail
