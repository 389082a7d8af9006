#include "engine/src/plan/survey.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

#include "base/legal.hpp"
#include "base/sample.hpp"
#include "engine/src/memory/traits.hpp"
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

void Survey::take(const Agents& agents, std::size_t max_looked_at, std::size_t stand_for) noexcept {
    agents_ = stand_for;
    size_ = 0;
    has_bands_ = agents.have_heights();
    const std::size_t wanted = std::min(agents.count(), max_looked_at);
    for (std::size_t k = 0; k < wanted; ++k) {
        const std::size_t i = sampled(k, wanted, agents.count());
        const Box box = agents(i);
        if (check(box) != Code::ok) continue;
        if (has_bands_ && check(bands_[size_] = agents.band(i)) != Code::ok) continue;
        sample_[size_++] = box;
    }
    summarise();
}

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
    const auto range = [&](float Box::*corner, float& low, float& high) {
        Outermost<std::less<>> lowest(place_of(outside));
        Outermost<std::greater<>> highest(size_ - 1 - place_of(1 - outside));
        for (std::size_t i = 0; i < size_; ++i) {
            lowest.add(sample_[i].*corner);
            highest.add(sample_[i].*corner);
        }
        const float from = lowest.innermost(), to = highest.innermost();
        const float margin = (to * 0.5f - from * 0.5f) * static_cast<float>(2 * widened * outside);
        low = std::max(from - margin, lowest.first());
        high = std::min(to + margin, highest.first());
    };
    range(&Box::min_x, extent_.min_x, extent_.max_x);
    range(&Box::min_y, extent_.min_y, extent_.max_y);
}

Survey::Eighths Survey::eighths() const noexcept {
    Eighths eighths{};
    if (size_ == 0) return eighths;
    constexpr std::size_t last = Eighths::count - 1;
    for (std::size_t k = 0; k <= last; ++k) {
        eighths.of[2][k] = width_at(static_cast<double>(k) / last);
        eighths.of[3][k] = height_at(static_cast<double>(k) / last);
    }
    // Some of the sample are enough for quantiles.
    std::array<float, corners_sorted> corners;
    const std::size_t some = std::min(size_, corners_sorted);
    const auto fill = [&](std::array<float, Eighths::count>& quantiles, float Box::*corner) {
        for (std::size_t k = 0; k < some; ++k) corners[k] = sample_[k * size_ / some].*corner;
        sort_numbers<corners_sorted>(corners.data(), some);
        for (std::size_t k = 0; k <= last; ++k) quantiles[k] = corners[(some - 1) * k / last];
    };
    fill(eighths.of[0], &Box::min_x);
    fill(eighths.of[1], &Box::min_y);
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

// --- Floors ------------------------------------------------------------------------------------------------

namespace {

// Agents of the sample between two floors, and the floor that would divide them best.
struct SampledStorey {
    std::size_t begin, end;  // in a list that is ordered by lower edges
    float floor;
    double saved;  // looks saved over all searches; 0 if a floor is not worth it
};

class DivisionByFloors {
public:
    // An agent with every height is between storeys, whatever the floors are.
    explicit DivisionByFloors(std::span<const Band> bands) noexcept {
        for (const Band& band : bands)
            if (band != Band{}) bands_[count_++] = band;
        std::sort(bands_.data(), bands_.data() + count_,
                  [](const Band& a, const Band& b) { return a.min_z < b.min_z; });
        storeys_[size_++] = best_of(0, count_);
    }

    // Divides the storey that saves most.
    bool divide() noexcept {
        SampledStorey& storey = *std::max_element(storeys_.data(), storeys_.data() + size_, saves_less);
        if (storey.saved == 0) return false;
        const float floor = floors_[size_ - 1] = storey.floor;
        // Agents that end below stay below.
        Band* const first = bands_.data() + storey.begin;
        Band* const last = bands_.data() + storey.end;
        Band* const above =
            std::lower_bound(first, last, floor, [](const Band& b, float z) { return b.min_z < z; });
        Band* const below = std::remove_if(first, above, [&](const Band& b) { return b.max_z >= floor; });
        const auto place = [&](const Band* at) { return static_cast<std::size_t>(at - bands_.data()); };
        storeys_[size_++] = best_of(place(above), place(last));
        storey = best_of(storey.begin, place(below));
        return true;
    }
    simd::Floors floors() noexcept {
        simd::Floors floors;
        std::fill(std::begin(floors.at), std::end(floors.at), simd::not_a_number);
        floors.count = static_cast<std::uint32_t>(size_ - 1);
        std::copy_n(floors_.data(), floors.count, floors.at);
        std::sort(floors.at, floors.at + floors.count);
        return floors;
    }
    std::size_t storeys() const noexcept { return size_; }

private:
    static double number(std::size_t count) noexcept { return static_cast<double>(count); }
    static bool saves_less(const SampledStorey& a, const SampledStorey& b) noexcept {
        return a.saved < b.saved;
    }

    // A floor lies in the middle between the edges beside it, so that it parts agents outside the sample too.
    static float between(float low, float high) noexcept {
        const float middle = low / 2 + high / 2;
        return low < middle && middle < high ? middle : high;
    }

    // Every search looks at the agents of its storey, and at all agents that a floor goes through. These look
    // at all agents.
    SampledStorey best_of(std::size_t begin, std::size_t end) noexcept {
        SampledStorey storey{begin, end, 0, 0};
        const std::size_t all = end - begin;
        const float* const tops = tops_.data();
        for (std::size_t i = 0; i < all; ++i) tops_[i] = bands_[begin + i].max_z;
        sort_numbers<surveyed>(tops_.data(), all);
        std::size_t below = 0;
        for (std::size_t i = 1; i < all; ++i) {
            const float low = bands_[begin + i].min_z, before = bands_[begin + i - 1].min_z;
            if (!(before < low) || low == std::numeric_limits<float>::infinity()) continue;
            while (below < all && tops[below] < low) ++below;
            const double above = number(all - i), cut = number(i - below),
                         saved = number(all) * number(all) - number(below) * number(below) - above * above -
                                 cut * number(all + count_);
            if (saved <= storey.saved) continue;
            storey.saved = saved;
            storey.floor = between(below == 0 ? before : std::max(before, tops[below - 1]), low);
        }
        const double here = number(all);
        if (here < fewest_on_storey || storey.saved < worth_a_floor * here * here) storey.saved = 0;
        return storey;
    }

    std::array<Band, surveyed> bands_;
    std::array<float, surveyed> tops_;
    std::size_t count_ = 0;
    std::array<SampledStorey, simd::Floors::most + 1> storeys_;
    std::array<float, simd::Floors::most + 1> floors_;
    std::size_t size_ = 0;
};

}  // namespace

simd::Floors find_floors(std::span<const Band> bands, std::size_t most) noexcept {
    DivisionByFloors division(bands);
    const std::size_t storeys = std::min<std::size_t>(most, simd::Floors::most + 1);
    while (division.storeys() < storeys && division.divide()) {
    }
    return division.floors();
}

double looks_with(const simd::Floors& floors, std::span<const Band> bands) noexcept {
    std::array<std::size_t, simd::Floors::most + 2> on_layer{};
    for (const Band& band : bands) ++on_layer[layer_of(floors, band)];
    const double all = static_cast<double>(bands.size()), between = static_cast<double>(on_layer[0]);
    double looks = between * all;
    for (std::size_t k = 1; k < on_layer.size(); ++k)
        looks += static_cast<double>(on_layer[k]) * (static_cast<double>(on_layer[k]) + between);
    return looks / std::max(all, 1.0);
}

}  // namespace throng::detail
