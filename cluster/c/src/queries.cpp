#include <cstddef>
#include <vector>

#include "cluster/c/src/handle.hpp"

namespace throng::cluster::c {

namespace {

PairQuery query_of(const throng_cluster_pair_query* query) noexcept {
    if (query == nullptr) return {};
    return {.filter = {.a = query->a, .b = query->b, .other_groups_only = query->other_groups_only != 0},
            .within = query->within,
            .agents_as = static_cast<AgentsAs>(query->agents_as)};
}

static_assert(sizeof(throng_cluster_pair) == sizeof(ClusterPair) &&
              offsetof(throng_cluster_pair, b_place) == offsetof(ClusterPair, b_place));
static_assert(sizeof(throng_cluster_hit) == sizeof(ClusterHit) &&
              offsetof(throng_cluster_hit, is_found) == offsetof(ClusterHit, is_found));
static_assert(sizeof(Box) == 4 * sizeof(float) && sizeof(Label) == 2 * sizeof(std::uint32_t) &&
              sizeof(Point) == 2 * sizeof(float) && sizeof(Band) == 2 * sizeof(float));

// Of each rank alone, like a list of places, is whether there is memory to read their ids.
throng_cluster_status give_pairs(throng_cluster& handle, ClusterStatus status,
                                 const throng_cluster_pair** pairs, std::uint64_t* count) noexcept {
    throng::detail::Buffer<ClusterPair>& read = handle.read_pairs;
    const PairList& list = handle.pairs;
    read.clear();
    if (status.ok() && !read.resize(list.places().size())) {
        status = refusal(throng::Code::out_of_memory);
        status.rank = handle.engine->rank();
    }
    for (std::size_t i = 0; i < read.size(); ++i) read[i] = list[i];
    const std::span<const ClusterPair> given =
        list.apart().empty() ? std::span<const ClusterPair>(read.data(), read.size()) : list.apart();
    if (pairs != nullptr) *pairs = reinterpret_cast<const throng_cluster_pair*>(given.data());
    if (count != nullptr) *count = given.size();
    return status_of(status);
}

Casts casts_of(const float* casts, std::uint64_t count, const throng_cluster_filter* filter) noexcept {
    const Casts all = Casts::rows(casts, static_cast<std::size_t>(count));
    if (filter == nullptr || filter->cast_heights == nullptr) return all;
    const float* const first = filter->cast_heights;
    const std::size_t heights = static_cast<std::size_t>(filter->cast_heights_count);
    if (heights == 1) return all.at_heights(first[0], first[1], first[2]);
    const auto each = [&](int k) { return Floats::arrays(first + k, heights, 3 * sizeof(float)); };
    return all.at_heights(each(0), each(1), each(2));
}

// Calls it with what is wanted: the nearest, or all within a radius.
template <class Call>
ClusterStatus of_kind(const throng_cluster_neighbourhood* given, std::span<const float> radii,
                      const Call& call) noexcept {
    if (given == nullptr) return call(Within{});  // which is refused where there is a place
    const throng_cluster_neighbourhood& wanted = *given;
    const auto as = static_cast<AgentsAs>(wanted.agents_as);
    if (wanted.nearest == 0)
        return call(Within{.radius = wanted.radius, .radii = radii, .agents_as = as, .distances = true});
    return call(Nearest{.count = wanted.nearest,
                        .max_radius = wanted.radius,
                        .max_radii = radii,
                        .agents_as = as,
                        .distances = true});
}

// Circles as the caller has them, three floats each, become shapes when they are read.
struct ThreeFloats {
    float x, y, radius;
    operator Shape() const noexcept { return Circle{x, y, radius, AgentsAs::boxes}; }
};
struct CentresIn : ThreeFloats {
    operator Shape() const noexcept { return Circle{x, y, radius, AgentsAs::centres}; }
};
struct CirclesIn : ThreeFloats {
    operator Shape() const noexcept { return Circle{x, y, radius, AgentsAs::circles}; }
};
template <class Kind>
Shapes shapes_of(const float* circles, std::uint64_t count) noexcept {
    return std::span<const Kind>(reinterpret_cast<const Kind*>(circles), static_cast<std::size_t>(count));
}

}  // namespace

}  // namespace throng::cluster::c

using throng::cluster::ClusterEngine;
using throng::cluster::ClusterStatus;
using namespace throng::cluster::c;  // NOLINT(google-build-using-namespace): these are its calls

extern "C" {

void throng_cluster_pair_query_init(throng_cluster_pair_query* query) {
    *query = {throng::all_categories, throng::all_categories, 0, 0, THRONG_CLUSTER_BOXES};
}

throng_cluster_status throng_cluster_pairs(throng_cluster* handle, const throng_cluster_pair_query* query,
                                           const throng_cluster_pair** pairs, uint64_t* count) {
    return with(handle, [&](throng_cluster& of, ClusterEngine& engine) {
        return give_pairs(of, engine.pairs(of.pairs, query_of(query)), pairs, count);
    });
}

throng_cluster_status throng_cluster_pairs_with(throng_cluster* handle, const throng_cluster* other,
                                                const throng_cluster_pair_query* query,
                                                const throng_cluster_pair** pairs, uint64_t* count) {
    return with(handle, [&](throng_cluster& of, ClusterEngine& engine) {
        of.pairs.clear();
        const ClusterStatus status = other == nullptr
                                         ? engine.agree(refusal(throng::Code::null_view))
                                         : engine.pairs_with(*other->engine, of.pairs, query_of(query));
        return give_pairs(of, status, pairs, count);
    });
}

throng_cluster_status throng_cluster_neighbours(throng_cluster* handle,
                                                const throng_cluster_neighbourhood* wanted,
                                                const throng_cluster_filter* filter,
                                                throng_cluster_lists* lists) {
    return with(handle, [&](throng_cluster& of, ClusterEngine& engine) {
        const ClusterStatus status = of_kind(wanted, {}, [&](const auto& which) {
            return engine.neighbours(which, of.lists, FilterOf(filter).one());
        });
        return give(of, status, lists);
    });
}

throng_cluster_status throng_cluster_neighbours_of(throng_cluster* handle, const float* points,
                                                   uint64_t count, const throng_cluster_neighbourhood* wanted,
                                                   const float* radii, const throng_cluster_filter* filter,
                                                   const uint64_t* selves, throng_cluster_lists* lists) {
    const FilterOf chosen(filter);
    const auto number = static_cast<std::size_t>(count);
    const throng::Points places(
        std::span<const throng::Point>(reinterpret_cast<const throng::Point*>(points), number));
    const std::span<const float> of_each(radii, radii == nullptr ? 0 : number);
    return with(handle, [&](throng_cluster& of, ClusterEngine& engine) {
        of.lists.clear();
        // Also of no points, for which no radius is needed.
        if (wanted == nullptr)
            return give(of, engine.agree(refusal(throng::Code::null_view, throng::Argument::options)), lists);
        const ClusterStatus status = of_kind(wanted, of_each, [&](const auto& which) {
            return engine.neighbours(places, which, of.lists, chosen.all(), selves_of(selves, count));
        });
        return give(of, status, lists);
    });
}

throng_cluster_status throng_cluster_overlaps(throng_cluster* handle, const float* boxes, uint64_t count,
                                              const throng_cluster_filter* filter, const uint64_t* selves,
                                              throng_cluster_lists* lists) {
    const FilterOf chosen(filter);
    return with(handle, [&](throng_cluster& of, ClusterEngine& engine) {
        return give(of,
                    engine.overlaps(boxes_of(boxes, count), of.lists, chosen.all(), selves_of(selves, count)),
                    lists);
    });
}

throng_cluster_status throng_cluster_circles(throng_cluster* handle, const float* circles, uint64_t count,
                                             int agents_as, const throng_cluster_filter* filter,
                                             const uint64_t* selves, throng_cluster_lists* lists) {
    const FilterOf chosen(filter);
    const throng::Shapes shapes = agents_as == THRONG_CLUSTER_CENTRES ? shapes_of<CentresIn>(circles, count)
                                  : agents_as == THRONG_CLUSTER_CIRCLES
                                      ? shapes_of<CirclesIn>(circles, count)
                                      : shapes_of<ThreeFloats>(circles, count);
    return with(handle, [&](throng_cluster& of, ClusterEngine& engine) {
        return give(of, engine.overlaps(shapes, of.lists, chosen.all(), selves_of(selves, count)), lists);
    });
}

throng_cluster_status throng_cluster_count(throng_cluster* handle, const float* boxes, uint64_t count,
                                           const throng_cluster_filter* filter, const uint64_t* selves,
                                           uint64_t* counts) {
    const FilterOf chosen(filter);
    return with(handle, [&](throng_cluster&, ClusterEngine& engine) {
        return status_of(engine.count(boxes_of(boxes, count), {counts, static_cast<std::size_t>(count)},
                                      chosen.all(), selves_of(selves, count)));
    });
}

throng_cluster_status throng_cluster_first_hits(throng_cluster* handle, const float* casts, uint64_t count,
                                                const throng_cluster_filter* filter, const uint64_t* selves,
                                                throng_cluster_hit* hits) {
    const FilterOf chosen(filter);
    return with(handle, [&](throng_cluster&, ClusterEngine& engine) {
        return status_of(engine.first_hits(
            casts_of(casts, count, filter),
            {reinterpret_cast<throng::cluster::ClusterHit*>(hits), static_cast<std::size_t>(count)},
            chosen.all(), selves_of(selves, count)));
    });
}

throng_cluster_status throng_cluster_all_hits(throng_cluster* handle, const float* casts, uint64_t count,
                                              const throng_cluster_filter* filter, const uint64_t* selves,
                                              throng_cluster_lists* lists) {
    const FilterOf chosen(filter);
    return with(handle, [&](throng_cluster& of, ClusterEngine& engine) {
        return give(
            of,
            engine.all_hits(casts_of(casts, count, filter), of.lists, chosen.all(), selves_of(selves, count)),
            lists);
    });
}

}  // extern "C"
