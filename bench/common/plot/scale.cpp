#include "bench/common/plot/scale.hpp"

#include <algorithm>
#include <cmath>

namespace throng::picture {

Scale::Scale(bool logarithmic, double low, double high, double first, double last)
    : logarithmic_(logarithmic), low_(low), high_(high), first_(first), last_(last) {
    if (!(high_ > low_)) high_ = logarithmic_ ? low_ * 10 : low_ + 1;
}

double Scale::place(double value) const {
    const double share =
        logarithmic_ ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
    return first_ + share * (last_ - first_);
}

std::vector<double> Scale::ticks(int wanted) const {
    return logarithmic_ ? logarithmic_ticks(wanted) : linear_ticks(wanted);
}

std::vector<double> Scale::linear_ticks(int wanted) const {
    const double rough = (high_ - low_) / wanted, magnitude = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * magnitude;
    for (const double round : {5.0, 2.0, 1.0})
        if (round * magnitude >= rough) step = round * magnitude;
    std::vector<double> ticks;
    for (double k = std::ceil(low_ / step - 1e-9) + 0.0; k * step <= high_ + step * 1e-9; ++k)
        ticks.push_back(k * step);
    return ticks;
}

std::vector<double> Scale::logarithmic_ticks(int wanted) const {
    // The steps inside a power of ten, from the coarsest to the finest that does not give too many.
    const std::vector<double> choices[] = {{1}, {1, 3}, {1, 2, 5}};
    const double from = std::floor(std::log10(low_) + 1e-9), to = std::ceil(std::log10(high_) - 1e-9);
    std::vector<double> ticks;
    for (const std::vector<double>& choice : choices) {
        std::vector<double> some;
        for (double power = from; power <= to; ++power)
            for (const double digit : choice) {
                const double value = digit * std::pow(10.0, power);
                if (value >= low_ * (1 - 1e-9) && value <= high_ * (1 + 1e-9)) some.push_back(value);
            }
        if (!ticks.empty() && some.size() > static_cast<std::size_t>(wanted)) break;
        ticks = some;
    }
    return ticks;
}

}  // namespace throng::picture
