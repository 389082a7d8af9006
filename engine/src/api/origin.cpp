// A box of a world in doubles. And the best origin for such a world, by medians, which a few agents far away
// do not change.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "throng/boxes.hpp"

namespace throng {

Box Boxes::converted(std::size_t i) const noexcept {
    const double x = given(0, i), y = given(1, i);
    switch (form_) {
    case Form::min_max: return origin_.box(x, y, given(2, i), given(3, i));
    case Form::centre_half: return origin_.around(x, y, given(2, i), given(3, i));
    case Form::points: break;
    }
    return origin_.around(x, y, double{radius_}, double{radius_});
}

namespace {

constexpr std::size_t most_seen = 256;

// Some of the boxes: their middles and extents, and what follows from them.
class Sample {
public:
    explicit Sample(const Boxes& boxes) noexcept {
        const std::size_t seen = std::min(boxes.size(), most_seen);
        // A size of 32 bits would not hold the products.
        for (std::uint64_t k = 0; k < seen; ++k)
            add(boxes, static_cast<std::size_t>(k * boxes.size() / seen));
    }
    bool empty() const noexcept { return count_ == 0; }

    Origin middle() noexcept {
        return {median([&](std::size_t i) { return x_[i]; }), median([&](std::size_t i) { return y_[i]; })};
    }
    // Half of them are that near to the middle, or that large.
    double spread(const Origin& middle) noexcept {
        return std::max({median([&](std::size_t i) { return std::abs(x_[i] - middle.x); }),
                         median([&](std::size_t i) { return std::abs(y_[i] - middle.y); }),
                         median([&](std::size_t i) { return half_[i]; })});
    }
    double spacing(const Origin& origin) noexcept {
        const double reach = of_rank(count_ - 1 - count_ / 64, [&](std::size_t i) {
            return std::max(std::abs(x_[i] - origin.x), std::abs(y_[i] - origin.y)) + half_[i];
        });
        return reach == 0 ? 0 : std::ldexp(1.0, std::max(std::ilogb(reach) - 23, -149));
    }
    // Fifteen of sixteen boxes with an extent are larger than this.
    double extent() noexcept {
        if (wide_ == 0) return 0;
        std::nth_element(extents_, extents_ + wide_ / 16, extents_ + wide_);
        return extents_[wide_ / 16];
    }

private:
    void add(const Boxes& boxes, std::size_t i) noexcept {
        double x = boxes.given(0, i), y = boxes.given(1, i), half_x = boxes.radius(), half_y = half_x;
        if (boxes.form() != Boxes::Form::points) half_x = boxes.given(2, i), half_y = boxes.given(3, i);
        if (boxes.form() == Boxes::Form::min_max) {
            const double max_x = half_x, max_y = half_y;
            half_x = (max_x - x) / 2, half_y = (max_y - y) / 2;
            x = x / 2 + max_x / 2, y = y / 2 + max_y / 2;
        }
        // Numbers that are no floats are refused later.
        constexpr double largest = std::numeric_limits<float>::max();
        if (!std::isfinite(x) || !std::isfinite(y) || !(half_x <= largest && half_y <= largest)) return;
        x_[count_] = x, y_[count_] = y, half_[count_++] = std::max({half_x, half_y, 0.0});
        const double least = half_x > 0 && half_y > 0 ? std::min(half_x, half_y) : std::max(half_x, half_y);
        if (least > 0) extents_[wide_++] = least * 2;
    }
    template <class ValueOf>
    double of_rank(std::size_t rank, const ValueOf& value_of) noexcept {
        for (std::size_t i = 0; i < count_; ++i) values_[i] = value_of(i);
        std::nth_element(values_, values_ + rank, values_ + count_);
        return values_[rank];
    }
    template <class ValueOf>
    double median(const ValueOf& value_of) noexcept {
        return of_rank(count_ / 2, value_of);
    }

    double x_[most_seen], y_[most_seen], half_[most_seen], extents_[most_seen], values_[most_seen];
    std::size_t count_ = 0, wide_ = 0;
};

double rounded(double value, double spread) noexcept {
    if (spread == 0) return value;
    const double step = std::ldexp(1.0, std::ilogb(spread) + 2);
    return std::isfinite(value / step) ? std::nearbyint(value / step) * step : value;
}

}  // namespace

OriginChoice choose_origin(const Boxes& boxes, const Origin& current, double least_spread) noexcept {
    constexpr double far = 8, fine = 1000;
    if (boxes.fault() != Code::ok) return {current};
    Sample sample(boxes);
    if (sample.empty()) return {current};
    const Origin middle = sample.middle();
    const double spread = std::max(sample.spread(middle), least_spread);
    const auto is_good = [&](const Origin& origin) {
        return std::max(std::abs(middle.x - origin.x), std::abs(middle.y - origin.y)) <= far * spread ||
               sample.spacing(origin) * fine <= sample.extent();
    };
    Origin origin = current;
    if (!is_good(origin)) origin = {};
    if (!is_good(origin)) origin = {rounded(middle.x, spread), rounded(middle.y, spread)};
    return {origin, sample.spacing(origin), sample.extent(), spread};
}

}  // namespace throng
