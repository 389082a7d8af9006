#include "engine/src/islands/planning.hpp"

#include <cmath>

namespace throng::detail {

std::uint64_t Planning::work_in_sample(std::span<CellNumber> cells, std::size_t oversized,
                                       double weight) noexcept {
    std::sort(cells.begin(), cells.end());
    std::size_t pairs = 0, run = 0;
    for (std::size_t i = 1; i < cells.size(); ++i) {
        run = cells[i] == cells[i - 1] ? run + 1 : 0;
        pairs += run;
    }
    // Both reduced by what may be due to chance.
    const auto sure = [](std::size_t found) {
        const auto all = static_cast<double>(found);
        return std::max(all - 2 * std::sqrt(all), 0.0);
    };
    return static_cast<std::uint64_t>(sure(pairs) * weight * weight +
                                      sure(oversized) * weight * Tuner::work_of_oversized);
}

}  // namespace throng::detail
