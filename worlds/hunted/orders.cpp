#include "worlds/hunted/orders.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace throng::worlds {

namespace {

using Kind = Parameter::Kind;
using Ids = std::vector<std::uint32_t>;

Ids as_placed(const Values&, const Placed& placed, Random&) {
    Ids ids(placed.centres.size());
    std::iota(ids.begin(), ids.end(), 0u);
    return ids;
}

Ids at_random(const Values& values, const Placed& placed, Random& random) {
    Ids ids = as_placed(values, placed, random);
    for (std::size_t i = ids.size(); i > 1; --i) std::swap(ids[i - 1], ids[random.below(i)]);
    return ids;
}

// Those that are equal stay as they were placed.
template <class Before>
Ids sorted(const Placed& placed, Before&& before) {
    Ids ids(placed.centres.size());
    std::iota(ids.begin(), ids.end(), 0u);
    std::stable_sort(ids.begin(), ids.end(), [&](std::uint32_t a, std::uint32_t b) {
        return before(placed.centres[a], placed.centres[b]);
    });
    return ids;
}

Ids by_x(const Values&, const Placed& placed, Random&) {
    return sorted(placed,
                  [](const Point& a, const Point& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
}
Ids by_y(const Values&, const Placed& placed, Random&) {
    return sorted(placed,
                  [](const Point& a, const Point& b) { return a.y < b.y || (a.y == b.y && a.x < b.x); });
}
Ids by_distance(const Values&, const Placed& placed, Random&) {
    const auto square = [](const Point& point) { return point.x * point.x + point.y * point.y; };
    return sorted(placed, [&](const Point& a, const Point& b) { return square(a) < square(b); });
}
Ids by_morton(const Values&, const Placed& placed, Random&) { return morton_order(placed.centres); }

// values: stride. The first of each squad is of the last layer, as long as it lasts.
Ids squads(const Values& values, const Placed& placed, Random&) {
    const auto stride = static_cast<std::size_t>(values[0]);
    const std::size_t count = placed.centres.size();
    std::size_t other = 0, last = placed.last_layer;
    Ids ids(count);
    for (std::size_t i = 0; i < count; ++i) {
        const bool of_last = other == placed.last_layer || (last < count && i % stride == 0);
        ids[i] = static_cast<std::uint32_t>(of_last ? last++ : other++);
    }
    return ids;
}

// values: step. As placed, but in steps: 0, step, 2 step, ... 1, step + 1, ...
Ids in_steps(const Values& values, const Placed& placed, Random&) {
    const auto step = static_cast<std::size_t>(values[0]);
    Ids ids;
    ids.reserve(placed.centres.size());
    for (std::size_t first = 0; first < step; ++first)
        for (std::size_t i = first; i < placed.centres.size(); i += step)
            ids.push_back(static_cast<std::uint32_t>(i));
    return ids;
}

struct Order {
    Recipe recipe;
    Ids (*make)(const Values& values, const Placed& placed, Random& random);
};

constexpr Order all_orders[] = {
    {{"random", "no order"}, at_random},
    {{"placed", "layer after layer, as they were placed: a lattice row by row"}, as_placed},
    {{"x", "from left to right: a lattice file by file"}, by_x},
    {{"y", "from below"}, by_y},
    {{"distance", "from the origin outwards"}, by_distance},
    {{"morton", "neighbours one after the other"}, by_morton},
    {{"squads",
      "the first of each so many is of the last layer",
      {{{"stride", 48, 1, 65536, Kind::whole_by_magnitude}}}},
     squads},
    {{"steps", "as placed, but in steps of so many", {{{"step", 1024, 1, 65536, Kind::whole_by_magnitude}}}},
     in_steps},
};

// Every second bit.
std::uint64_t spread_bits(std::uint64_t bits) {
    for (int k = 16; k >= 1; k /= 2) {
        constexpr std::uint64_t all = ~std::uint64_t{0};
        const std::uint64_t mask = k == 16  ? all / 0x10001
                                   : k == 8 ? all / 0x101
                                   : k == 4 ? all / 0x11
                                   : k == 2 ? all / 5
                                            : all / 3;
        bits = (bits | bits << k) & mask;
    }
    return bits;
}

}  // namespace

std::vector<std::uint32_t> morton_order(std::span<const Point> centres) {
    if (centres.empty()) return {};
    Point least = centres[0], most = centres[0];
    for (const Point& point : centres) {
        least = {std::min(least.x, point.x), std::min(least.y, point.y)};
        most = {std::max(most.x, point.x), std::max(most.y, point.y)};
    }
    const auto cell = [](double value, double low, double high) {
        return high > low ? static_cast<std::uint64_t>((value - low) / (high - low) * 0xFFFFFFFF) : 0;
    };
    std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(centres.size());
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
        const Point& point = centres[i];
        keys[i] = {spread_bits(cell(point.x, least.x, most.x)) | spread_bits(cell(point.y, least.y, most.y))
                                                                     << 1,
                   i};
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> ids(keys.size());
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = keys[i].second;
    return ids;
}

std::span<const Recipe> orders() noexcept {
    static constexpr auto recipes = [] {
        std::array<Recipe, std::size(all_orders)> all;
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = all_orders[k].recipe;
        return all;
    }();
    return recipes;
}

std::vector<std::uint32_t> order(const Call& call, const Placed& placed, Random& random) {
    return all_orders[call.recipe].make(call.values, placed, random);
}

}  // namespace throng::worlds
