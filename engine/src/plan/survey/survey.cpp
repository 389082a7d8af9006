#include "engine/src/plan/survey/survey.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "base/sample.hpp"
#include "throng/detail/grid_axis.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

// The first of some numbers in an order, and the one with so many before it, which are few.
template <class Before>
class Outermost {
public:
    static constexpr std::size_t most_before = 15;

    explicit Outermost(std::size_t before) noexcept : last_(before) {
        constexpr float never = std::numeric_limits<float>::infinity();
        kept_.fill(Before()(0.0f, never) ? never : -never);
    }
    void add(float number) noexcept {
        if (!Before()(number, kept_[last_])) return;
        std::size_t at = last_;
        for (; at > 0 && Before()(number, kept_[at - 1]); --at) kept_[at] = kept_[at - 1];
        kept_[at] = number;
    }
    float first() const noexcept { return kept_[0]; }
    float innermost() const noexcept { return kept_[last_]; }

private:
    std::size_t last_;
    std::array<float, most_before + 1> kept_;
};

}  // namespace

float Survey::at(const Values& sorted, double share) const noexcept {
    return size_ == 0 ? 0 : sorted[place_of(share)];
}

std::size_t Survey::place_of(double share) const noexcept {
    const auto last = static_cast<double>(size_ - 1);
    return static_cast<std::size_t>(std::clamp(share * last + 0.5, 0.0, last));
}

Sizes Survey::sides() const noexcept {
    return {double(extent_.max_x) - extent_.min_x, double(extent_.max_y) - extent_.min_y};
}

void Survey::summarise() noexcept {
    for (std::size_t i = 0; i < size_; ++i) {
        const Box& b = sample_[i];
        widths_[i] = b.max_x - b.min_x;
        heights_[i] = b.max_y - b.min_y;
        exact_widths_[i] = double(b.max_x) - b.min_x;
        exact_heights_[i] = double(b.max_y) - b.min_y;
    }
    sort_numbers<most>(widths_.data(), size_);
    sort_numbers<most>(heights_.data(), size_);
    find_extent();
    floors_.count = 0;
    find_density();
    if (has_bands_) find_storeys();
}

// Floors are no use if agents do not stand above each other, as on a slope. At one point they do.
void Survey::find_storeys() noexcept {
    const double crowded = density_;
    floors_ = find_floors({bands_.data(), size_}, agents_ / agents_on_storey);
    if (floors_.count == 0) return;
    find_density();
    if (crowded < huge && less_crowded * density_ > crowded) divide({});
}

// The range without its outermost agents, widened again by as much as an even spread would have lost. The
// outermost are few, so the sample need not be sorted.
void Survey::find_extent() noexcept {
    static_assert(outside * most + 1 <= Outermost<std::less<>>::most_before);
    extent_ = {};
    if (size_ == 0) return;
    const auto range = [&](auto corner, float& low, float& high) {
        Outermost<std::less<>> lowest(place_of(outside));
        Outermost<std::greater<>> highest(size_ - 1 - place_of(1 - outside));
        for (std::size_t i = 0; i < size_; ++i) {
            lowest.add(corner(sample_[i]));
            highest.add(corner(sample_[i]));
        }
        const float from = lowest.innermost(), to = highest.innermost();
        const float margin = (to * 0.5f - from * 0.5f) * static_cast<float>(2 * widened * outside);
        low = std::max(from - margin, lowest.first());
        high = std::min(to + margin, highest.first());
    };
    range([](const Box& b) { return b.min_x; }, extent_.min_x, extent_.max_x);
    range([](const Box& b) { return b.min_y; }, extent_.min_y, extent_.max_y);
}

// Some of the sample are enough for quantiles. Returns how many.
template <class Corner>
std::size_t Survey::sort_some(Some& some, Corner&& corner) const noexcept {
    const std::size_t count = std::min(size_, some.size());
    for (std::size_t k = 0; k < count; ++k) some[k] = corner(sample_[k * size_ / count]);
    sort_numbers<std::tuple_size_v<Some>>(some.data(), count);
    return count;
}

Survey::Eighths Survey::eighths() const noexcept {
    Eighths eighths{};
    if (size_ == 0) return eighths;
    constexpr std::size_t last = Eighths::count - 1;
    for (std::size_t k = 0; k <= last; ++k) {
        eighths.of[2][k] = width_at(static_cast<double>(k) / last);
        eighths.of[3][k] = height_at(static_cast<double>(k) / last);
    }
    Some corners;
    const auto fill = [&](std::array<float, Eighths::count>& quantiles, auto corner) {
        const std::size_t count = sort_some(corners, corner);
        for (std::size_t k = 0; k <= last; ++k) quantiles[k] = corners[(count - 1) * k / last];
    };
    fill(eighths.of[0], [](const Box& b) { return b.min_x; });
    fill(eighths.of[1], [](const Box& b) { return b.min_y; });
    return eighths;
}

bool Survey::Eighths::are_about(const Eighths& other) const noexcept {
    for (std::size_t k = 0; k < of.size(); ++k)
        for (std::size_t quarter = 2; quarter + 2 < count; quarter += 2)
            if (of[k][quarter] < other.of[k][quarter - 1] || of[k][quarter] > other.of[k][quarter + 1])
                return false;
    return true;
}

// Density depends on scale: a village is crowded, the land around it is not. So the sample is counted in
// squares of the extent, in their quarters, and so on. An agent in a square with c sampled agents has c - 1
// others. The mean of that over the agents, not over the squares, is the crowding around the average agent;
// for an even spread it gives exactly the density, at every scale. The finest scale with enough pairs
// decides, if it gives a higher density than the others.
void Survey::find_density() noexcept {
    density_ = 0;
    levels_ = 0;
    if (size_ < 2) return;
    const double longer =
        std::max(double(extent_.max_x) - extent_.min_x, double(extent_.max_y) - extent_.min_y);
    if (!(longer > 0)) {
        density_ = huge;
        return;
    }
    const std::size_t inside = mark_quarters(longer);
    if (inside < 2) return;
    const double all_over_sample = static_cast<double>(agents_) / static_cast<double>(size_);
    side_ = longer;
    double side = longer;
    const unsigned deepest = floors_.count == 0 ? quarterings : quarterings - quarterings_for_storeys;
    for (unsigned level = 0; level <= deepest; ++level, side /= 2) {
        const double pairs = others_seen(inside, level);
        if (pairs < fewest_pairs && level != 0) break;
        others_[level] = pairs / static_cast<double>(inside) * all_over_sample;
        levels_ = level + 1;
        // Reduced by what chance may have added.
        const double sure = std::max(1 - by_chance / std::sqrt(pairs), 0.0);
        density_ = std::max(density_, sure * others_[level] / area_of(side));
    }
}

// Between two sizes of squares, and below the smallest one, the others are taken to be spread evenly, but
// never fewer than in a smaller square.
double Survey::others_within(double side) const noexcept {
    if (levels_ == 0) return 0;
    unsigned level = 0;
    double larger = side_;
    while (level + 1 < levels_ && larger / 2 >= side) larger /= 2, ++level;
    const double share = std::min(side / larger, 1.0);
    const Sizes all = sides();
    // Along a line, the number of agents follows the part of it that is inside.
    const bool is_line = std::min(all.width, all.height) * flat < side;
    const double here = others_[level] * (is_line ? share : share * share);
    return level + 1 < levels_ ? std::max(here, others_[level + 1]) : here;
}

double Survey::others_within(double width, double height) const noexcept {
    const Sizes all = sides();
    const bool is_wide = all.height < all.width;
    const double thinner = is_wide ? all.height : all.width, along = is_wide ? width : height,
                 across = std::min(is_wide ? height : width, thinner);
    // The side of a square with as much of the world in it.
    const bool is_inside = thinner > 0 && along * across <= thinner * thinner;
    return others_within(is_inside     ? std::sqrt(along * across)
                         : thinner > 0 ? along * (across / thinner)
                                       : along);
}

Sizes Survey::largest_within(const Sizes& limit) const noexcept {
    const auto largest = [this](const Values& sorted, double most_of_it) {
        const float* const behind = std::upper_bound(sorted.data(), sorted.data() + size_, most_of_it);
        return behind == sorted.data() ? most_of_it : double(behind[-1]);
    };
    return {largest(widths_, limit.width), largest(heights_, limit.height)};
}

double Survey::share_within(double width, double height) const noexcept {
    std::int64_t within = 0;
    for (std::size_t i = 0; i < size_; ++i)
        within += std::int64_t{exact_widths_[i] <= width} & std::int64_t{exact_heights_[i] <= height};
    return size_ == 0 ? 1 : static_cast<double>(within) / static_cast<double>(size_);
}

double Survey::share_in(const Box& box) const noexcept {
    std::int64_t inside = 0;
    for (std::size_t i = 0; i < size_; ++i) {
        const Box& b = sample_[i];
        inside += std::int64_t{b.min_x >= box.min_x} & std::int64_t{b.min_x <= box.max_x} &
                  std::int64_t{b.min_y >= box.min_y} & std::int64_t{b.min_y <= box.max_y};
    }
    return size_ == 0 ? 1 : static_cast<double>(inside) / static_cast<double>(size_);
}

// The Morton code of the square of each sampled agent: two bits for every quartering, the first ones highest.
// Sorted, so agents in the same square are adjacent; and up to which level each shares a square with the
// last.
std::size_t Survey::mark_quarters(double longer) noexcept {
    std::size_t inside = 0;
    constexpr double squares = 1u << quarterings;
    for (std::size_t i = 0; i < size_; ++i) {
        const Box& b = sample_[i];
        if (b.min_x < extent_.min_x || b.min_x > extent_.max_x || b.min_y < extent_.min_y ||
            b.min_y > extent_.max_y)
            continue;
        const auto along = [&](float at, float from) {
            return static_cast<std::uint32_t>(std::min((double(at) - from) / longer * squares, squares - 1));
        };
        const std::uint32_t x = along(b.min_x, extent_.min_x), y = along(b.min_y, extent_.min_y);
        quarters_[inside] = interleaved(x, y);
        if (floors_.count != 0) {
            // Agents on different storeys share no square. A storey's number replaces the smallest squares.
            quarters_[inside] = quarters_[inside] >> 2 * quarterings_for_storeys |
                                layer_of(floors_, bands_[i]) << 2 * (quarterings - quarterings_for_storeys);
        }
        ++inside;
    }
    sort_numbers<most>(quarters_.data(), inside);
    // By how many squares: one more than levels.
    const int skipped = floors_.count == 0 ? 0 : 2 * static_cast<int>(quarterings_for_storeys);
    for (std::size_t i = 1; i < inside; ++i) {
        const int same = std::countl_zero(quarters_[i - 1] ^ quarters_[i]) - skipped;
        together_until_[i] = static_cast<std::uint8_t>(same < 0 ? 0 : same / 2 + 1);
    }
    return inside;
}

// The total number of others in their squares, over all agents. The most crowded hundredth is left out, so a
// pile at one point does not skew the estimate.
double Survey::others_seen(std::size_t inside, unsigned level) noexcept {
    std::array<std::uint16_t, most + 1> squares_with;
    std::memset(squares_with.data(), 0, (inside + 1) * sizeof(squares_with[0]));
    std::size_t largest = 0, begin = 0, seen = 0;
    const auto end_square = [&](std::size_t end) {
        const std::size_t agents = end - begin;
        ++squares_with[agents];
        largest = std::max(largest, agents);
        seen += agents * (agents - 1);
        begin = end;
    };
    for (std::size_t i = 1; i < inside; ++i)
        if (together_until_[i] <= level) end_square(i);
    end_square(inside);
    std::size_t left_out = level == 0 ? 0 : inside / pile_one_in;
    for (std::size_t c = largest; c > 1 && left_out != 0; --c) {
        const std::size_t skipped = std::min<std::size_t>(squares_with[c] * c, left_out);
        left_out -= skipped;
        seen -= skipped * (c - 1);
    }
    return static_cast<double>(seen);
}

// Flat worlds have an area too: a line is as high as one of its squares is wide.
double Survey::area_of(double side) const noexcept {
    const auto along = [&](double length) { return std::clamp(length, side * thinnest, side); };
    const Sizes all = sides();
    return along(all.width) * along(all.height);
}

}  // namespace throng::detail
