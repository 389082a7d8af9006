// Worlds that wrap around, on all ranks and in one engine with the same period, which the ranks must equal.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "support/scale.hpp"
#include "support/test.hpp"
#include "throng/queries/neighbours.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

// How agents lie in a world with periods of 100 and 60.
enum class Wrapped { crowd, at_the_seams, large, some_cover_all, lattice, one_column, few };
inline constexpr Wrapped all_wrapped[] = {
    Wrapped::crowd,   Wrapped::at_the_seams, Wrapped::large, Wrapped::some_cover_all,
    Wrapped::lattice, Wrapped::one_column,   Wrapped::few};
inline constexpr float wrapped_x = 100, wrapped_y = 60;

// Worlds with both periods, or with one: in a quick run some of each.
struct WrappedCase {
    Wrapped how;
    int axes;
};
inline std::vector<WrappedCase> wrapped_cases(std::size_t start) {
    std::vector<WrappedCase> cases;
    for (const int axes : {0, 1, 2})
        for (const Wrapped how : all_wrapped) cases.push_back({how, axes});
    return enough_of(cases, start);
}

// Half sizes, and places in [0, period) or, on an axis that does not wrap around, around zero.
inline std::vector<Box> wrapped_boxes(Wrapped how, std::uint64_t seed) {
    Random random(seed);
    std::vector<Box> boxes;
    const std::size_t count = how == Wrapped::few ? 9 : how == Wrapped::large ? 60 : 300;
    for (std::size_t i = 0; i < count; ++i) {
        float x = random.uniform(0, wrapped_x), y = random.uniform(0, wrapped_y);
        float wide = random.uniform(0.1f, 1), high = random.uniform(0.1f, 1);
        if (how == Wrapped::at_the_seams) (i % 2 == 0 ? x : y) = i % 7 == 0 ? 0 : random.uniform(-1, 1);
        if (how == Wrapped::large) wide = random.uniform(1, 26), high = random.uniform(1, 16);
        if (how == Wrapped::some_cover_all && i % 125 == 1) wide = i % 250 == 1 ? wrapped_x / 2 : 70;
        if (how == Wrapped::some_cover_all && i % 125 == 2) high = 31, wide = 20;
        if (how == Wrapped::lattice) {
            x = static_cast<float>(random.below(500)) / 5, y = static_cast<float>(random.below(300)) / 5;
            wide = high = 0.1f * static_cast<float>(1 + i % 5);
        }
        if (how == Wrapped::one_column) x = random.uniform(98, 101);
        boxes.push_back(Box::around(x, y, wide, high));
    }
    return boxes;
}
// The same world: boxes that a host has not folded for a while.
inline std::vector<Box> unfolded(std::vector<Box> boxes, const EngineConfig& config, std::uint64_t seed) {
    Random random(seed);
    for (Box& box : boxes) {
        const auto times = [&] { return static_cast<float>(static_cast<int>(random.below(5)) - 2); };
        box = box.moved(times() * config.period_x, times() * config.period_y);
    }
    return boxes;
}

struct WrappedLink {
    std::uint64_t from, to;
    float number;
    friend bool operator==(const WrappedLink&, const WrappedLink&) = default;
    friend bool operator<(const WrappedLink& one, const WrappedLink& other) {
        return std::tie(one.from, one.number, one.to) < std::tie(other.from, other.number, other.to);
    }
};
inline std::vector<WrappedLink> in_order(std::vector<WrappedLink> links) {
    std::sort(links.begin(), links.end());
    return links;
}
// Ids become those of the scene; `numbers(i)` are those of list i.
template <class Numbers>
std::vector<WrappedLink> links_of(const cluster::Lists& lists, const Numbers& numbers,
                                  std::span<const cluster::GlobalId> from = {}) {
    std::vector<WrappedLink> links;
    for (std::size_t i = 0; i < lists.size(); ++i)
        for (std::size_t k = 0; k < lists[i].size(); ++k)
            links.push_back({from.empty() ? i : place_of(from[i]), place_of(lists[i][k]), numbers(i)[k]});
    return links;
}

class WrappedTwins {
public:
    WrappedTwins(const cluster::ClusterConfig& config, const EngineConfig& around)
        : config_(with(config, around)), engine(MPI_COMM_WORLD, config_), one(around) {
        EXPECT_TRUE(engine.status().ok());
    }
    void update(const std::vector<Box>& boxes, const Held& held) {
        const cluster::ClusterStatus status = engine.update(held.view());
        EXPECT_TRUE(all_agree(status) && status.ok()) << int(status.trouble);
        const auto labels = is_anywhere(held.labels) ? labels_by_id(boxes.size()) : std::vector<Label>();
        const auto heights = is_anywhere(held.heights) ? bands_by_id(boxes.size()) : std::vector<Band>();
        EXPECT_TRUE(one.update(boxes, traits_of(labels, heights)).ok());
        EXPECT_EQ(engine.size(), boxes.size());
    }
    void expect_pairs(const PairQuery& wanted = {}) {
        cluster::PairList list;
        EXPECT_TRUE(engine.pairs(list, wanted).ok());
        std::vector<WrappedLink> mine, expected;
        for (const cluster::ClusterPair& pair : list) mine.push_back({place_of(pair.a), place_of(pair.b), 0});
        PairList all;
        EXPECT_TRUE(one.frame().pairs(all, wanted).ok() && all.sort().ok());
        for (const Pair& pair : all) expected.push_back({pair.a, pair.b, 0});
        EXPECT_EQ(in_order(gathered(mine)), in_order(expected)) << wanted.within;
    }
    template <class Wanted>
    void expect_neighbours(Wanted wanted, const Filter& filter = {}) {
        wanted.distances = true;
        cluster::Lists lists;
        EXPECT_TRUE(engine.neighbours(wanted, lists, filter).ok());
        const bool stay = config_.agents_stay;
        const std::vector<WrappedLink> mine = links_of(
            lists, [&](std::size_t i) { return lists.squared_distances(i); },
            stay ? held_ids : engine.owned().ids);
        NeighbourLists all;
        EXPECT_TRUE(one.frame().neighbours(wanted, all, filter).ok());
        EXPECT_EQ(in_order(gathered(mine)), in_order(links_of_one(all)));
    }
    static std::vector<WrappedLink> links_of_one(const NeighbourLists& all) {
        std::vector<WrappedLink> links;
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t k = 0; k < all[i].size(); ++k)
                links.push_back({i, all[i][k], all.squared_distances(i)[k]});
        return links;
    }

private:
    static cluster::ClusterConfig with(cluster::ClusterConfig config, const EngineConfig& around) {
        config.engine = around;
        return config;
    }
    template <class T>
    static bool is_anywhere(const std::vector<T>& held) {
        const std::vector<int> ranks = gathered(std::vector{held.empty() ? 0 : 1});
        return std::count(ranks.begin(), ranks.end(), 1) != 0;
    }

    const cluster::ClusterConfig config_;

public:
    cluster::ClusterEngine engine;
    Engine one;
    std::span<const cluster::GlobalId> held_ids;  // where agents stay
};

// Both axes wrap around, or one.
inline EngineConfig wrapped_config(int axes) {
    return {.period_x = axes == 2 ? 0 : wrapped_x, .period_y = axes == 1 ? 0 : wrapped_y};
}
inline std::string wrapped_trace(Wrapped how, int axes) {
    return "world " + std::to_string(int(how)) + ", axes " + std::to_string(axes);
}

}  // namespace throng::test
