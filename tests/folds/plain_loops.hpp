// What a fold is to give, by a plain loop: the oracle of these tests.
#pragma once

#include "support/test.hpp"

namespace throng::test {

inline constexpr Fold all_folds[] = {Fold::sum, Fold::mean, Fold::least, Fold::greatest, Fold::count};

// One list, or all that one agent is paired with: values with their weights.
struct Gathered {
    std::vector<double> values, weights;

    double fold(Fold by, bool weighted, double empty) const {
        double sum = 0, total = 0, least = std::numeric_limits<double>::infinity(), greatest = -least;
        bool odd = false;
        for (std::size_t i = 0; i < values.size(); ++i) {
            sum += weighted ? weights[i] * values[i] : values[i];
            total += weighted ? weights[i] : 1.0;
            least = std::min(least, values[i]);
            greatest = std::max(greatest, values[i]);
            odd = odd || std::isnan(values[i]);
        }
        const double nan = std::numeric_limits<double>::quiet_NaN();
        if (by == Fold::count) return static_cast<double>(values.size());
        if (by == Fold::sum) return sum;
        if (by == Fold::mean) return total == 0 ? empty : sum / total;
        if (values.empty()) return empty;
        if (odd) return nan;
        return by == Fold::least ? least : greatest;
    }
};

// For each row of the results, the entries whose values go there, as (id, number of the weight).
using Entries = std::vector<std::vector<std::pair<AgentId, std::size_t>>>;

inline Entries entries_of(const Links& links, std::size_t rows) {
    Entries entries(rows);
    for (std::size_t k = 0; k + 1 < links.offsets().size(); ++k)
        for (auto e = static_cast<std::size_t>(links.offsets()[k]); e < links.offsets()[k + 1]; ++e)
            entries[links.places().empty() ? k : links.places()[k]].emplace_back(links.ids()[e], e);
    for (std::size_t p = 0; p < links.pairs().size(); ++p) {
        const Pair pair = links.pairs()[p];
        entries[pair.a].emplace_back(pair.b, p);
        entries[pair.b].emplace_back(pair.a, p);
    }
    return entries;
}

inline bool same_number(double a, double b) {
    return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

}  // namespace throng::test
