// What tests on several ranks share: the values of all ranks on every rank, ways to hand out agents, and the
// answers of one engine with all agents.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "support/test.hpp"
#include "throng/cluster.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "worlds/scenes/random.hpp"

namespace throng::test {

// A part of the scenes, except in a full run: ranks that share cores wait for each other at every step.
inline auto some_scenes(std::size_t start) {
    const std::size_t step = scale() < 0.5 ? 3 : 1;
    std::vector<SceneRecipe> some;
    for (std::size_t i = start % step; i < scene_recipes().size(); i += step)
        some.push_back(scene_recipes()[i]);
    return ::testing::ValuesIn(some);
}

inline int my_rank() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}
inline int rank_count() {
    int ranks = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks;
}

// The values of all ranks on every rank, rank after rank.
template <class T>
std::vector<T> gathered(const std::vector<T>& mine) {
    const int bytes = static_cast<int>(mine.size() * sizeof(T));
    std::vector<int> counts(static_cast<std::size_t>(rank_count())), begins(counts.size());
    MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
    int all = 0;
    for (std::size_t r = 0; r < counts.size(); ++r) {
        begins[r] = all;
        all += counts[r];
    }
    std::vector<T> values(static_cast<std::size_t>(all) / sizeof(T));
    MPI_Allgatherv(mine.data(), bytes, MPI_BYTE, values.data(), counts.data(), begins.data(), MPI_BYTE,
                   MPI_COMM_WORLD);
    return values;
}

inline bool all_agree(const cluster::ClusterStatus& status) {
    const std::vector<cluster::ClusterStatus> all = gathered(std::vector{status});
    return std::all_of(all.begin(), all.end(), [&](const auto& one) { return one == status; });
}

// The agents of a rank as a host keeps them.
struct Held {
    std::vector<cluster::GlobalId> ids;
    std::vector<Box> boxes;
    std::vector<Label> labels;
    std::vector<Band> heights;
    std::vector<std::byte> payload;

    cluster::Agents view() const {
        return {ids, Boxes::of(boxes), labels.empty() ? Labels() : Labels::of(labels), payload,
                heights.empty() ? Heights() : Heights::of(heights)};
    }
    void take(const cluster::Table& table) {
        ids.assign(table.ids.begin(), table.ids.end());
        boxes.assign(table.boxes.begin(), table.boxes.end());
        labels.assign(table.labels.begin(), table.labels.end());
        heights.assign(table.heights.begin(), table.heights.end());
        payload.assign(table.payload.begin(), table.payload.end());
    }
};

enum class HandedOut { in_turns, all_on_one, at_random };

// An agent's id in the cluster. Ids have gaps and no order of places, but the order of the scene: of two
// agents, the same one has the lower id.
inline cluster::GlobalId global_of(std::size_t i) { return (std::uint64_t{i} << 33) + 5 + i % 3; }
inline std::size_t place_of(cluster::GlobalId id) { return static_cast<std::size_t>(id >> 33); }

// Three storeys, agents on the stairs between them, and some that have every height.
inline std::vector<Band> bands_by_id(std::size_t count) {
    std::vector<Band> bands(count);
    for (std::size_t i = 0; i < count; ++i) {
        const float floor = 3.0f * static_cast<float>(i * 7 / 5 % 3);
        if (i % 9 != 0) bands[i] = {floor, floor + (i % 11 == 0 ? 4.0f : 1.8f)};
        if (i % 23 == 0) bands[i] = {-0.0f, std::numeric_limits<float>::infinity()};
    }
    return bands;
}

inline UpdateOptions traits_of(const std::vector<Label>& labels, const std::vector<Band>& heights = {}) {
    return {.labels = labels.empty() ? Labels() : Labels::of(labels),
            .heights = heights.empty() ? Heights() : Heights::of(heights)};
}

inline Held hand_out(const std::vector<Box>& all, const std::vector<Label>& labels, HandedOut how,
                     std::uint64_t seed = 1, const std::vector<Band>& heights = {}) {
    Held held;
    Random random(seed);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t ranks = static_cast<std::size_t>(rank_count());
        std::size_t rank = i % ranks;
        if (how == HandedOut::all_on_one) rank = 0;
        if (how == HandedOut::at_random) rank = random.below(ranks);
        if (rank != static_cast<std::size_t>(my_rank())) continue;
        held.ids.push_back(global_of(i));
        held.boxes.push_back(all[i]);
        if (!labels.empty()) held.labels.push_back(labels[i]);
        if (!heights.empty()) held.heights.push_back(heights[i]);
    }
    if (how == HandedOut::at_random) {
        std::reverse(held.ids.begin(), held.ids.end());
        std::reverse(held.boxes.begin(), held.boxes.end());
        std::reverse(held.labels.begin(), held.labels.end());
        std::reverse(held.heights.begin(), held.heights.end());
    }
    return held;
}

// Cuts that have nothing to do with where the agents are.
inline std::vector<Point> random_cuts(const std::vector<Box>& all, std::uint64_t seed) {
    std::vector<Point> points;
    if (all.empty() || my_rank() != 0) return points;
    Random random(seed);
    for (int k = 0; k < 40; ++k) {
        const Point one = all[random.below(all.size())].centre(),
                    other = all[random.below(all.size())].centre();
        points.push_back(
            {random.one_in(2) ? one.x : one.x / 2 + other.x / 2, random.one_in(2) ? one.y : other.y});
    }
    return points;
}

// A distance that some neighbours of a scene have, but not all agents.
inline float typical_distance(const std::vector<Box>& boxes) {
    std::vector<float> extents{0};
    for (const Box& box : boxes) extents.push_back(box.max_x - box.min_x);
    std::nth_element(extents.begin(), extents.begin() + static_cast<std::ptrdiff_t>(extents.size() / 2),
                     extents.end());
    return std::min(extents[extents.size() / 2], 1e18f);
}

}  // namespace throng::test
