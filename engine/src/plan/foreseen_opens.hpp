// What a few agents tell of searches that go from islands to what is left beside these.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/base/box_check.hpp"
#include "engine/src/frame/world_map.hpp"
#include "engine/src/plan/sample.hpp"

namespace throng::detail {

// No more agents than so many tell what a frame would cost.
inline constexpr std::size_t max_closely = 4096;

// As a frame counts it (pairs_beside_islands), in pairs of agents, by the sorted cells of a sample.
class ForeseenOpens {
public:
    ForeseenOpens(const WorldMap& map, std::span<CellNumber> cells) noexcept : map_(map) {
        if (map.cuts() > max_cuts) return;
        const WorldMap::Tables& tables = map.tables();
        const auto before = [&](std::uint32_t region) {
            return region == map.regions() ? cells.end()
                                           : std::lower_bound(cells.begin(), cells.end(),
                                                              region == 0 ? 0 : tables.first_cell[region]);
        };
        // An inner cut comes after that around it.
        for (std::uint32_t c = map.cuts(); c-- != 0;) {
            const WorldMap::Cut& cut = tables.cuts[c];
            const std::span<CellNumber> open(before(cut.region), before(cut.region + 1));
            const std::uint64_t pairs = open.size() < 2 ? 0 : pairs_of_equals<max_closely>(open);
            for_each_[c] = pairs == 0 ? 0 : static_cast<double>(pairs) / static_cast<double>(open.size());
            looking_[c] += static_cast<double>(before(cut.end_island) - before(cut.first_island));
            pairs_ += pairs;
            if (c != 0) looking_[tables.places[cut.region].cut] += looking_[c];
        }
    }

    // Where each agent of the sample stands for so many. If that comes to more than one pair for each of these, some of the sample
    // tell how many look into more than one tile: `box_at(k)`, in one of `regions`.
    template <class BoxAt>
    double looks(double weight, std::span<const std::uint16_t> regions, BoxAt&& box_at) noexcept {
        if (pairs_ == 0) return 0;
        const auto sample = static_cast<double>(regions.size());
        const double weighted = weight * weight * surely(pairs_) / static_cast<double>(pairs_);
        if (all() * weighted <= weight * sample) return all() * weighted;
        const std::size_t some = std::min<std::size_t>(regions.size(), max_looked_at);
        count_leaving(some, regions, box_at);
        return all() * weighted * sample / static_cast<double>(some);
    }

private:
    static constexpr std::uint32_t max_cuts = 256;
    static constexpr std::size_t max_looked_at = 512;

    double all() const noexcept {
        double looks = 0;
        for (std::uint32_t c = 0; c < map_.cuts(); ++c) looks += for_each_[c] * looking_[c];
        return looks;
    }
    template <class BoxAt>
    void count_leaving(std::size_t some, std::span<const std::uint16_t> regions, BoxAt&& box_at) noexcept {
        const WorldMap::Tables& tables = map_.tables();
        std::array<simd::RowReach, max_cuts> reach{};
        const auto visit_some = [&](auto&& visit) {
            for (std::size_t k = 0; k < some; ++k) {
                const std::size_t at = sampled(k, some, regions.size());
                const Box box = box_at(at);
                if (check(box) == Code::ok && is_common(map_.grid_of_region(regions[at]), box))
                    visit(regions[at], box);
            }
        };
        visit_some([&](std::uint32_t region, const Box& box) {
            const auto reach_from = [&](std::uint32_t cut) {
                if (for_each_[cut] == 0) return;
                reach[cut] = {std::max(reach[cut].width, box.max_x - box.min_x),
                              std::max(reach[cut].height, box.max_y - box.min_y)};
            };
            const std::uint32_t own = tables.regions[region].cut;
            if (region == 0 || own != 0) reach_from(own);
            map_.visit_cuts_around(region, reach_from);
        });
        looking_.fill(0);
        visit_some([&](std::uint32_t region, const Box& box) {
            map_.visit_cuts_around(region, [&](std::uint32_t cut) {
                if (for_each_[cut] == 0) return;
                looking_[cut] += WorldMap::leaves_tile(tables.tiles[cut], box, reach[cut]);
            });
        });
    }

    const WorldMap& map_;
    // What an agent on the islands of a cut looks at in the open beside them, and how many do.
    std::array<double, max_cuts> for_each_{}, looking_{};
    std::uint64_t pairs_ = 0;
};

}  // namespace throng::detail
