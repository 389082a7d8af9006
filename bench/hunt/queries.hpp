// The queries and edits that a world is measured with. All of them are made from its own boxes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/queries/shapes.hpp"
#include "worlds/hunted/questions.hpp"

namespace throng::hunt {

// Each at the heights of the agent that it was made from; without filters, if the world is flat.
template <class Query>
struct Batch {
    std::vector<Query> queries;
    std::vector<Filter> filters = {};

    std::size_t size() const { return queries.size(); }
    Filter filter(std::size_t i) const { return filters.empty() ? Filter{} : filters[i]; }
    // One for each, or the one that admits all.
    Filters all_filters() const { return filters.empty() ? Filters() : Filters(filters); }
    // The first ones, so many at most.
    Batch first(std::size_t count) const {
        const auto some = [count](const auto& all) {
            return std::vector(all.begin(),
                               all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size())));
        };
        return {some(queries), some(filters)};
    }
};
using BoxBatch = Batch<Box>;
using ShapeBatch = Batch<Shape>;

BoxBatch shuffled(const worlds::Scene& scene, worlds::Random& random);
// Neighbours one after the other.
BoxBatch coherent(const worlds::Scene& scene);
// So many of their boxes, and some perhaps twice.
BoxBatch sample(const worlds::Scene& scene, std::size_t count, worlds::Random& random);
// Squares around agents, with a hundred times the area of the typical agent.
BoxBatch wide(const worlds::Scene& scene, std::size_t count, worlds::Random& random);
// Circles around agents, five times as wide as the typical agent is long, and thin segments from agents in
// all directions, twenty times as long as it.
ShapeBatch circles(const worlds::Scene& scene, std::size_t count, worlds::Random& random);
ShapeBatch segments(const worlds::Scene& scene, std::size_t count, worlds::Random& random);
// The box a small step further.
Box nudged(const Box& box);

}  // namespace throng::hunt
