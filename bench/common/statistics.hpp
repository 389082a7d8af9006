// The few statistics that the programs quote.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace throng::bench {

// The value that a share of the others does not exceed: 0.5 is the median, 0.99 the 99th percentile. Zero for
// none.
inline double quantile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    const std::size_t last = values.size() - 1;
    const auto at = std::min(last, static_cast<std::size_t>(share * static_cast<double>(values.size())));
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
    return values[at];
}

inline double median(std::vector<double> values) { return quantile(std::move(values), 0.5); }

}  // namespace throng::bench
