#include "harness/asked.hpp"

#include "harness/wrong.hpp"
#include "support/casts.hpp"
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Boxes of agents, in any order or in the order of their places, as a host has that queries for its agents.
std::vector<Box> neighbourhoods(const Scene& scene, std::size_t count, bool in_coherent_order) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) boxes.push_back(scene.agents()[i * 1237 % scene.agents().size()]);
    if (in_coherent_order)
        std::sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) {
            return std::pair(a.min_y, a.min_x) < std::pair(b.min_y, b.min_x);
        });
    return boxes;
}

}  // namespace

Asked::Asked(const Scene& scene, std::size_t id_bound, const Amounts& amounts, Filtered how,
             std::uint64_t seed)
    : boxes(scene.queries(amounts.boxes, seed)),
      shapes(scene, amounts.shapes, seed),
      pair_queries(all_pair_queries()),
      one_in(amounts.one_in),
      filtered(how),
      ids(id_bound) {
    Random random(seed);
    if (random.one_in(3) && !scene.agents().empty())
        boxes = neighbourhoods(scene, amounts.boxes, random.one_in(2));
    points = random_points(random, scene.agents(), amounts.points);
    cast(at_some_heights(casts_for(scene, amounts.casts, seed), seed));
    of_agents = OwnNeighbourhood(random, scene.agents(), id_bound, true);
    of_both = OwnNeighbourhood(random, scene.agents(), id_bound, false);
    of_points = OwnNeighbourhood(random, scene.agents(), points.size(), false);
    shuffle(pair_queries, random);
    pair_queries.resize(std::min(pair_queries.size(), amounts.pair_queries));
    const std::size_t most =
        std::max({id_bound, boxes.size(), shapes.all().size(), points.size(), casts.size()});
    while (each.size() < most + 1) {
        each.push_back(random_filter(random, id_bound));
        if (random.one_in(2)) each.back().heights = random_band(random);
    }
}

void Asked::cast(std::vector<Cast> some) {
    casts = std::move(some);
    cast_boxes.clear();
    for (const Cast& one : casts) cast_boxes.push_back(one.start);
}

void Asked::fit_into(const oracle::Around& world) {
    around = world;
    shapes.shrink_if([&](const Shape& shape) { return oracle::is_too_long(shape, world); });
    std::vector<Cast> some = casts;
    for (Cast& one : some)
        if (oracle::is_too_long(one, world)) one = Cast::ray(1, 1, 0, 0);
    cast(std::move(some));
}

Filters Asked::filters(std::size_t count) const {
    switch (filtered) {
    case Filtered::all_by_one: return Filters(each[0]);
    case Filtered::each_by_its_own: {
        if (count != 0 && wrongs().are(short_filters)) --count;
        const bool are_null = count != 0 && wrongs().are(null_filters);
        return Filters::of(std::span(are_null ? nullptr : each.data(), count));
    }
    case Filtered::each_without_itself: return Filters::each_without_itself(each[0]);
    default: return {};
    }
}

Filter Asked::filter(std::size_t i) const {
    (void)wrongs().are(one_filter);
    switch (filtered) {
    case Filtered::each_by_its_own: return each[i];
    default: return filters(each.size())[i];
    }
}

std::vector<Filter> Asked::filters_of_elements(std::size_t count) const {
    std::vector<Filter> filters;
    for (std::size_t i = 0; i < count; ++i) {
        filters.push_back(filter(i));
        filters.back().self = no_agent;
    }
    return filters;
}

Casts Asked::cast_arrays() const {
    if (casts.empty()) return {};
    const float* const dx = wrongs().are(null_queries) ? nullptr : &casts[0].dx;
    const Points movements = Points::arrays(dx, &casts[0].dy, casts.size(), sizeof(Cast));
    return Casts::boxes(cast_boxes, movements, 1, Radii::members(casts, &Cast::radius))
        .at_heights(Floats::members(casts, member_path(&Cast::heights, &Band::min_z)),
                    Floats::members(casts, member_path(&Cast::heights, &Band::max_z)),
                    Floats::members(casts, &Cast::dz));
}

}  // namespace throng::test
