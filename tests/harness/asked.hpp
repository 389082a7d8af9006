// What is asked of a world: queries of every kind that are awkward for its agents, with filters or without.
#pragma once

#include "support/neighbour_answers.hpp"
#include "support/shapes.hpp"
#include "support/test.hpp"

namespace throng::test {

enum class Filtered { not_at_all, all_by_one, each_by_its_own, each_without_itself };

// How many queries of each kind.
struct Amounts {
    std::size_t boxes = 60, shapes = 60, points = 60, casts = 60;
    // Where queries are made one by one, only one in `one_in` is made.
    std::size_t one_in = 7;
    std::size_t pair_queries = 13;

    Amounts fewer() const { return {boxes / 8, shapes / 8, points / 8, casts / 8, one_in, 2}; }
};

struct Asked {
    // Nothing yet.
    Asked() = default;
    // `id_bound` is that of the frame, whose agents the scene has.
    Asked(const Scene& scene, std::size_t id_bound, const Amounts& amounts, Filtered filtered,
          std::uint64_t seed);

    std::vector<Box> boxes;
    ShapesOf shapes;
    std::vector<Point> points;
    std::vector<Cast> casts;
    std::vector<Box> cast_boxes;  // where these casts start

    // Of agents among each other, of agents and elements, and of points. The latter two list no pair only
    // once.
    OwnNeighbourhood of_agents, of_both, of_points;
    std::vector<PairQuery> pair_queries{{}};
    // The pairs by the first of these queries that a host knew before; changes are counted from these.
    std::vector<Pair> known_pairs;
    std::size_t one_in = 1;
    // A filter for each query of any kind and for each id, unless there are none.
    Filtered filtered = Filtered::not_at_all;
    std::vector<Filter> each;
    std::size_t ids = 0;
    oracle::Around around;  // of a world that wraps around

    void cast(std::vector<Cast> some);
    // In a world that wraps around: leaves out what goes around it too often.
    void fit_into(const oracle::Around& world);
    // The same casts in arrays of the host's.
    Casts cast_arrays() const;
    Filters filters(std::size_t count) const;
    Filters filters_of_agents() const { return filters(ids); }
    // That of one query, of any number of them.
    Filter filter(std::size_t i) const;
    // The same for elements of a static layer, of which none is left out.
    std::vector<Filter> filters_of_elements(std::size_t count) const;
    std::vector<Filter> filters_of_elements() const { return filters_of_elements(ids); }
};

}  // namespace throng::test
