#include "engine/src/row_editor.hpp"

namespace throng::detail {

std::size_t agents_after(const simd::Row& old, std::span<const RowEdit> edits) noexcept {
    std::size_t agents = agents_in(old);
    for (const RowEdit& edit : edits) {
        if (edit.kind == RowEditKind::insert) ++agents;
        if (edit.kind == RowEditKind::remove) --agents;
    }
    return agents;
}

simd::Row copy_row(const simd::Row& old, std::uint32_t columns, float* data) noexcept {
    const std::uint32_t places = oversized_begin(old) + old.oversized;
    for (std::size_t k = 0; k < 5; ++k)
        std::memcpy(data + k * old.stride, old.data + k * old.stride, places * sizeof(float));
    std::uint32_t* cells = cells_in(data, old.stride);
    std::memcpy(cells, old.cells, (columns + std::size_t{1}) * sizeof(std::uint32_t));
    return {data, cells, old.stride, old.count, old.oversized};
}

}  // namespace throng::detail
