#include "engine/src/write/rows/row_editor.hpp"

namespace throng::detail {

namespace {

bool precedes(const RowEdit& a, const RowEdit& b) noexcept {
    return a.column != b.column ? a.column < b.column : a.id < b.id;
}

}  // namespace

void order_edits(std::span<const RowEdit> plan, std::span<const std::uint32_t> members, std::uint32_t columns,
                 std::uint32_t* starts, RowEdit* out) noexcept {
    if (members.size() * 16 < columns) {
        for (std::size_t i = 0; i < members.size(); ++i) out[i] = plan[members[i]];
        std::sort(out, out + members.size(), precedes);
        return;
    }
    std::fill_n(starts, columns + std::size_t{2}, 0u);
    for (const std::uint32_t member : members) ++starts[plan[member].column + 1];
    for (std::uint32_t c = 0; c <= columns; ++c) starts[c + 1] += starts[c];
    for (const std::uint32_t member : members) out[starts[plan[member].column]++] = plan[member];
    // Now the edits of each column are together, in the order of staging.
    RowEdit* first = out;
    for (std::uint32_t c = 0; c <= columns; ++c) {
        RowEdit* last = out + starts[c];
        if (!std::is_sorted(first, last, precedes)) std::sort(first, last, precedes);
        first = last;
    }
}

}  // namespace throng::detail
