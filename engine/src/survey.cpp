#include "engine/src/survey.hpp"

#include <algorithm>
#include <cmath>

namespace throng::detail {

namespace {

// The share of agents on either side that may lie outside the grid's range.
constexpr double outside = 1.0 / 256;
constexpr std::size_t most_squares = 32;

}  // namespace

float Survey::at(const Values& sorted, double share) const noexcept {
    if (size_ == 0) return 0;
    const auto last = static_cast<double>(size_ - 1);
    return sorted[static_cast<std::size_t>(std::clamp(share * last + 0.5, 0.0, last))];
}

void Survey::summarise() noexcept {
    for (std::size_t i = 0; i < size_; ++i) {
        widths_[i] = sample_[i].max_x - sample_[i].min_x;
        heights_[i] = sample_[i].max_y - sample_[i].min_y;
    }
    std::sort(widths_.begin(), widths_.begin() + size_);
    std::sort(heights_.begin(), heights_.begin() + size_);
    find_extent();
    find_density();
}

// The range without its outermost agents, made wider again by as much as an even spread would have lost.
void Survey::find_extent() noexcept {
    extent_ = {};
    if (size_ == 0) return;
    const auto range = [&](auto corner, float& low, float& high) {
        for (std::size_t i = 0; i < size_; ++i) scratch_[i] = corner(sample_[i]);
        std::sort(scratch_.begin(), scratch_.begin() + size_);
        const float first = at(scratch_, outside), last = at(scratch_, 1 - outside);
        const float margin = (last * 0.5f - first * 0.5f) * static_cast<float>(3 * outside);
        low = std::max(first - margin, scratch_[0]);
        high = std::min(last + margin, scratch_[size_ - 1]);
    };
    range([](const Box& b) { return b.min_x; }, extent_.min_x, extent_.max_x);
    range([](const Box& b) { return b.min_y; }, extent_.min_y, extent_.max_y);
}

// The sample is counted in squares of the extent. An agent in a square with c of the sample sees c - 1
// others; the mean of that over the agents, not over the squares, is the crowding as an agent meets it, and
// for an even spread it is exactly the density.
void Survey::find_density() noexcept {
    density_ = 0;
    if (size_ < 2) return;
    const double width = double(extent_.max_x) - extent_.min_x,
                 height = double(extent_.max_y) - extent_.min_y;
    const double longer = std::max(width, height);
    if (!(longer > 0)) {
        density_ = 1e30;
        return;
    }
    const double squares = std::clamp(std::sqrt(static_cast<double>(size_) / 16), 1.0, double{most_squares});
    const auto along = [&](double side) {
        return std::clamp(std::floor(squares * side / longer), 1.0, squares);
    };
    const double columns = along(width), rows = along(height);
    std::array<std::uint32_t, most_squares * most_squares> count{};
    std::size_t inside = 0;
    for (std::size_t i = 0; i < size_; ++i) {
        const Box& b = sample_[i];
        if (b.min_x < extent_.min_x || b.min_x > extent_.max_x || b.min_y < extent_.min_y ||
            b.min_y > extent_.max_y)
            continue;
        const auto square = [](double offset, double side, double parts) {
            return side > 0 ? std::min(std::floor(offset / side * parts), parts - 1) : 0.0;
        };
        const double column = square(double(b.min_x) - extent_.min_x, width, columns);
        const double row = square(double(b.min_y) - extent_.min_y, height, rows);
        ++count[static_cast<std::size_t>(row * columns + column)];
        ++inside;
    }
    double others = 0;
    for (const std::uint32_t c : count) others += double(c) * (double(c) - 1);
    if (inside == 0) return;
    // Flat worlds have an area all the same: a line is as high as one of its squares is wide.
    const double side = longer / squares;
    const double area = std::max(width / columns, side * 1e-6) * std::max(height / rows, side * 1e-6);
    density_ = others / static_cast<double>(inside) / area * static_cast<double>(agents_) /
               static_cast<double>(size_);
}

}  // namespace throng::detail
