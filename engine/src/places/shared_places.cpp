#include "engine/src/places/shared_places.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>

#include "engine/src/base/cell_math.hpp"
#include "engine/src/frame/curve.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/plan/sample.hpp"

namespace throng::detail {

namespace {

constexpr std::size_t most_looked_at = 512;
constexpr std::size_t one_in = 16;  // fewer oversized agents than that are few

// Calls `f` with the places of some oversized agents, taken evenly from all rows.
template <class F>
void for_some_places(const FrameState& frame, std::size_t wanted, F&& f) noexcept {
    const std::size_t all = frame.view.oversized.count;
    const Curve curve(frame.map);
    std::size_t r = 0, before = 0;
    for (std::size_t k = 0; k < wanted; ++k) {
        const std::size_t number = sampled(k, wanted, all);
        while (number - before >= frame.rows[r].oversized) before += frame.rows[r++].oversized;
        const simd::Row& row = frame.rows[r];
        f(curve(RowArrays(row).box(oversized_begin(row) + static_cast<std::uint32_t>(number - before))));
    }
}

}  // namespace

std::size_t pairs_at_one_place(std::span<std::uint64_t> places) noexcept {
    std::sort(places.begin(), places.end());
    std::size_t pairs = 0, run = 0;
    for (std::size_t i = 1; i < places.size(); ++i) {
        run = places[i] == places[i - 1] ? run + 1 : 0;
        pairs += run;
    }
    return pairs;
}

std::uint64_t pairs_that_share_places(const FrameState& frame) noexcept {
    const std::size_t oversized = frame.view.oversized.count;
    if (oversized <= frame.agents / one_in) return 0;
    std::array<std::uint64_t, most_looked_at> places;
    const std::size_t wanted = std::min(oversized, most_looked_at);
    std::size_t found = 0;
    for_some_places(frame, wanted, [&](std::uint64_t place) { places[found++] = place; });
    // Reduced by what may be due to chance.
    const double all = static_cast<double>(pairs_at_one_place({places.data(), found})),
                 sure = std::max(all - 2 * std::sqrt(all), 0.0);
    const double weight = static_cast<double>(oversized) / static_cast<double>(wanted);
    return static_cast<std::uint64_t>(sure * weight * weight);
}

}  // namespace throng::detail
