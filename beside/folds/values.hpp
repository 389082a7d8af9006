// The host's numbers as a fold reads and writes them, and what it does with each.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>

#include "throng/queries/folds.hpp"

namespace throng::detail {

// Columns of one type and stride, `width` of them, which are read together.
template <class Number, std::size_t width_>
struct Values {
    static constexpr std::size_t width = width_;

    const char* first[width];
    std::size_t stride;

    double at(std::size_t column, std::size_t id) const noexcept {
        return double{read_as<Number>(first[column] + id * stride)};
    }
};

// A weight for each entry: for each id of the lists, or each pair.
struct AllOnes {
    double times(double value, std::size_t) const noexcept { return value; }
};
template <class Number>
struct Weights {
    const char* first;
    std::size_t stride;

    double times(double value, std::size_t entry) const noexcept {
        return value * double{read_as<Number>(first + entry * stride)};
    }
};

// The values so far, and one more.
struct Sum {
    static constexpr double start = 0;
    static double with(double sum, double value) noexcept { return sum + value; }
};
// A NaN stays. It is tested apart, so that the comparison is an instruction instead of a branch.
struct Least {
    static constexpr double start = std::numeric_limits<double>::infinity();
    static double with(double least, double value) noexcept {
        if (value != value) [[unlikely]]
            return value;
        return value < least ? value : least;
    }
};
struct Greatest {
    static constexpr double start = -std::numeric_limits<double>::infinity();
    static double with(double greatest, double value) noexcept {
        if (value != value) [[unlikely]]
            return value;
        return value > greatest ? value : greatest;
    }
};

// Calls f(Values, number of the first column) for all columns, two at once if they have one type and one
// stride: each id is then read once for both.
template <class F>
void for_each_two(const ViewedSpan<Column>& columns, const F& f) noexcept {
    const auto place = [&](std::size_t c) { return static_cast<const char*>(columns[c].data()); };
    const auto call = [&]<class Number>(Number, std::size_t c, bool two) {
        if (two)
            f(Values<Number, 2>{{place(c), place(c + 1)}, columns[c].stride()}, c);
        else
            f(Values<Number, 1>{{place(c)}, columns[c].stride()}, c);
    };
    for (std::size_t c = 0, width = 1; c < columns.size(); c += width) {
        const bool two = c + 1 < columns.size() && columns[c].stride() == columns[c + 1].stride() &&
                         columns[c].is_double() == columns[c + 1].is_double();
        width = two ? 2 : 1;
        if (columns[c].is_double())
            call(0.0, c, two);
        else
            call(0.0f, c, two);
    }
}

template <class F>
void with_weights(const Column& weights, const F& f) noexcept {
    const auto* first = static_cast<const char*>(weights.data());
    if (first == nullptr)
        f(AllOnes{});
    else if (weights.is_double())
        f(Weights<double>{first, weights.stride()});
    else
        f(Weights<float>{first, weights.stride()});
}

// Calls f(Operation, Weights) for what is wanted.
template <class F>
void with_operation(const FoldConfig& config, const F& f) noexcept {
    switch (config.by) {
    case Fold::sum:
    case Fold::mean: with_weights(config.weights, [&](const auto& weights) { f(Sum{}, weights); }); break;
    case Fold::least: f(Least{}, AllOnes{}); break;
    case Fold::greatest: f(Greatest{}, AllOnes{}); break;
    case Fold::count: break;
    }
}

inline void write(const ResultColumn& to, std::size_t row, double number) noexcept {
    char* const place = static_cast<char*>(to.data()) + row * to.stride();
    const float rounded = static_cast<float>(number);
    if (to.is_double())
        std::memcpy(place, &number, sizeof number);
    else
        std::memcpy(place, &rounded, sizeof rounded);
}

// The host's result for folded values. `total` is the sum of the weights, or the number of values.
inline double outcome_of(double folded, double total, const FoldConfig& config) noexcept {
    switch (config.by) {
    case Fold::sum: return folded;
    case Fold::mean: return total == 0 ? config.empty : folded / total;
    case Fold::count: return total;
    case Fold::least:
    case Fold::greatest: break;
    }
    return total == 0 ? config.empty : folded;
}

// Ids with a value are below. None is `no_agent`, however many rows there are.
inline AgentId bound_of_ids(std::size_t rows) noexcept {
    return rows < no_agent ? static_cast<AgentId>(rows) : no_agent;
}

}  // namespace throng::detail
