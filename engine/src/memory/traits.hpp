// What an agent has beside its box, outside of rows: by id, in lists, in the tree. Rows have an array for
// each number (simd/types.hpp).
#pragma once

#include <cstddef>

#include "throng/labels.hpp"
#include "throng/status.hpp"

namespace throng::detail {

struct Traits {
    Label label;
    Band height;
    friend bool operator==(const Traits&, const Traits&) = default;
};

static_assert(sizeof(Traits) == 4 * sizeof(float));

inline Labels labels_in(const Traits* first, std::size_t count) noexcept {
    if (count == 0) return {};
    return Labels::arrays(&first->label.categories, &first->label.group, count, sizeof(Traits));
}
inline Heights heights_in(const Traits* first, std::size_t count) noexcept {
    if (count == 0) return {};
    return Heights::arrays(&first->height.min_z, &first->height.max_z, count, sizeof(Traits));
}

// The fault of a band of heights.
inline Code check(const Band& band) noexcept {
    if (band.min_z != band.min_z || band.max_z != band.max_z) return Code::not_finite;
    return band.min_z <= band.max_z ? Code::ok : Code::inverted;
}
// Names the first illegal one of some, which are counted without a branch.
template <class Read>
Status check_each(std::size_t count, const Read& read) noexcept {
    std::size_t illegal = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Band band = read(i);
        illegal += band.min_z <= band.max_z ? 0 : 1;
    }
    for (std::size_t i = 0; i < count && illegal != 0; ++i)
        if (const Code bad = check(read(i)); bad != Code::ok) return {bad, i, Argument::heights};
    return {};
}
inline Status check(const Heights& heights) noexcept {
    return heights.with_reader(
        [count = heights.size()](const auto& read) { return check_each(count, read); });
}

// The heights of a filter.
inline bool has_band(const Filter& filter) noexcept { return filter.heights.min_z <= filter.heights.max_z; }
inline Status check_band(const Filter& filter) noexcept { return {check(filter.heights), Argument::heights}; }
// The heights of a batch's filters: one for all, or an array.
inline Status check_bands(const Filters& filters) noexcept {
    if (filters.one_for_all()) return check_band(filters[0]);
    if (filters.heights() == nullptr) return {};
    const Strided<Band> bands(filters.heights(), filters.size(), filters.height_stride());
    return check_each(bands.size(), [&](std::size_t i) { return bands[i]; });
}

}  // namespace throng::detail
