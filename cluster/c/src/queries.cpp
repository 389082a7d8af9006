#include <cstddef>

#include "bindings/c/src/views.hpp"
#include "cluster/c/src/handle.hpp"

namespace throng::cluster::c {

namespace {

static_assert(sizeof(throng_cluster_pair) == sizeof(ClusterPair) &&
              offsetof(throng_cluster_pair, b_place) == offsetof(ClusterPair, b_place));
static_assert(sizeof(throng_cluster_hit) == sizeof(ClusterHit) &&
              offsetof(throng_cluster_hit, is_found) == offsetof(ClusterHit, is_found));
static_assert(sizeof(throng_box) == sizeof(Box) && sizeof(throng_label) == sizeof(Label));

// Of each rank alone, like a list of places, is whether there is memory to read their ids.
ClusterStatus give_pairs(throng_cluster& handle, const ClusterStatus& status,
                         const throng_cluster_pair** pairs, std::uint64_t* count) noexcept {
    throng::detail::Buffer<ClusterPair>& read = handle.read_pairs;
    const PairList& list = handle.pairs;
    const bool is_read = read.resize(status.ok() && pairs != nullptr ? list.places().size() : 0);
    if (!is_read) read.clear();
    for (std::size_t i = 0; i < read.size(); ++i) read[i] = list[i];
    const std::span<const ClusterPair> given =
        list.apart().empty() ? std::span<const ClusterPair>(read.data(), read.size()) : list.apart();
    if (pairs != nullptr) *pairs = reinterpret_cast<const throng_cluster_pair*>(given.data());
    if (count != nullptr) *count = is_read ? list.size() : 0;
    return is_read ? status : alone(handle.engine, Code::out_of_memory);
}

// What was listed, or nothing where the call failed.
ClusterStatus give(const throng_cluster& cluster, const ClusterStatus& status,
                   throng_cluster_lists* lists) noexcept {
    if (lists == nullptr) return status;
    const Lists& from = cluster.lists;
    lists->count = from.size();
    lists->offsets = from.offsets().data();
    lists->ids = from.ids().data();
    lists->numbers = from.numbers().empty() ? nullptr : from.numbers().data();
    return status;
}

// The answers of a call of all ranks that gives lists.
template <class Call>
throng_cluster_status listed(throng_cluster* handle, const Status& read, throng_cluster_lists* lists,
                             const Call& call) noexcept {
    return with(handle, [&](throng_cluster& of, ClusterEngine& engine) {
        of.lists.clear();
        return give(of, if_read(read, engine, [&] { return call(engine, of.lists); }), lists);
    });
}

// Neighbours of all agents; within a radius a call of each rank alone, unless agents stay.
template <class Kind, class Given>
throng_cluster_status neighbours_of_all(throng_cluster* handle, const Given* given,
                                        const throng_filter* filter, throng_cluster_lists* lists,
                                        bool is_alone) noexcept {
    Kind wanted;
    Filters admitted;
    Status read = c_api::first_fault(c_api::view(given, wanted), c_api::view(filter, admitted));
    if (read && (!admitted.one_for_all() || admitted.each_leaves_out_itself()))
        read = {Code::bad_config, Argument::filters};
    if (handle != nullptr && is_alone && !handle->agents_stay && !read) {
        handle->lists.clear();
        return status_of(give(*handle, alone(handle->engine, read), lists));
    }
    return listed(handle, read, lists, [&](ClusterEngine& engine, Lists& to) {
        return engine.neighbours(wanted, to, admitted[0]);
    });
}

template <class Kind, class Given>
throng_cluster_status neighbours_of_points(throng_cluster* handle, const throng_points* points,
                                           const Given* given, const throng_filter* filter,
                                           const std::uint64_t* selves,
                                           throng_cluster_lists* lists) noexcept {
    Kind wanted;
    Points places;
    Filters admitted;
    Status read = c_api::first_fault(c_api::view(points, places), c_api::view(given, wanted),
                                     c_api::view(filter, admitted));
    if (read) read = c_api::check_radii(wanted, places.size());
    return listed(handle, read, lists, [&](ClusterEngine& engine, Lists& to) {
        return engine.neighbours(places, wanted, to, admitted, selves_of(selves, places.size()));
    });
}

// Casts as they are given, with a filter that may have heights for them.
struct GivenCasts {
    GivenCasts(const throng_cast* first, std::uint64_t count, const throng_filter* given) noexcept {
        read = c_api::view(given, wanted);
        if (read && wanted.with_static) read = {Code::bad_config, Argument::filters};
        if (read) read = c_api::view(first, count, wanted, casts);
    }
    Status read;
    c_api::Wanted<Filters> wanted;
    Casts casts;
};

}  // namespace

}  // namespace throng::cluster::c

using throng::Status;
using throng::cluster::ClusterEngine;
using throng::cluster::Lists;
using namespace throng::cluster::c;  // NOLINT(google-build-using-namespace): these are its calls

extern "C" {

throng_cluster_status throng_cluster_pairs(throng_cluster* handle, const throng_pair_query* query,
                                           const throng_cluster_pair** pairs, uint64_t* count) {
    return with(handle, [&](throng_cluster& of, ClusterEngine& engine) {
        throng::PairQuery wanted;
        of.pairs.clear();
        const Status read = throng::c_api::view(query, wanted);
        const bool is_alone = !read && !of.agents_stay;
        return give_pairs(of,
                          is_alone ? alone(engine, read)
                                   : if_read(read, engine, [&] { return engine.pairs(of.pairs, wanted); }),
                          pairs, count);
    });
}

void throng_cluster_pair_places(const throng_cluster* handle, const throng_pair** places, uint64_t* count) {
    const std::span<const throng::Pair> found = handle->pairs.places();
    *places = reinterpret_cast<const throng_pair*>(found.data());
    *count = found.size();
}

throng_cluster_status throng_cluster_pairs_with(throng_cluster* handle, const throng_cluster* other,
                                                const throng_pair_query* query,
                                                const throng_cluster_pair** pairs, uint64_t* count) {
    return with(handle, [&](throng_cluster& of, ClusterEngine& engine) {
        throng::PairQuery wanted;
        of.pairs.clear();
        const Status read = throng::c_api::first_fault(throng::c_api::needs(other, throng::c_api::handle),
                                                       throng::c_api::view(query, wanted));
        return give_pairs(
            of, if_read(read, engine, [&] { return engine.pairs_with(other->engine, of.pairs, wanted); }),
            pairs, count);
    });
}

throng_cluster_status throng_cluster_neighbours_within(throng_cluster* handle, const throng_within* wanted,
                                                       const throng_filter* filter,
                                                       throng_cluster_lists* lists) {
    return neighbours_of_all<throng::Within>(handle, wanted, filter, lists, true);
}
throng_cluster_status throng_cluster_neighbours_nearest(throng_cluster* handle, const throng_nearest* wanted,
                                                        const throng_filter* filter,
                                                        throng_cluster_lists* lists) {
    return neighbours_of_all<throng::Nearest>(handle, wanted, filter, lists, false);
}

throng_cluster_status throng_cluster_neighbours_within_of(throng_cluster* handle, const throng_points* points,
                                                          const throng_within* wanted,
                                                          const throng_filter* filter, const uint64_t* selves,
                                                          throng_cluster_lists* lists) {
    return neighbours_of_points<throng::Within>(handle, points, wanted, filter, selves, lists);
}
throng_cluster_status throng_cluster_neighbours_nearest_of(
    throng_cluster* handle, const throng_points* points, const throng_nearest* wanted,
    const throng_filter* filter, const uint64_t* selves, throng_cluster_lists* lists) {
    return neighbours_of_points<throng::Nearest>(handle, points, wanted, filter, selves, lists);
}

throng_cluster_status throng_cluster_overlaps(throng_cluster* handle, const throng_boxes* queries,
                                              const throng_filter* filter, const uint64_t* selves,
                                              throng_cluster_lists* lists) {
    throng::BoxesOrShapes asked{throng::Boxes()};
    throng::Filters admitted;
    const Status read = throng::c_api::first_fault(throng::c_api::view(queries, asked),
                                                   throng::c_api::view(filter, admitted));
    return listed(handle, read, lists, [&](ClusterEngine& engine, Lists& to) {
        return engine.overlaps(asked, to, admitted, selves_of(selves, asked.size()));
    });
}

throng_cluster_status throng_cluster_count(throng_cluster* handle, const throng_boxes* queries,
                                           const throng_filter* filter, const uint64_t* selves,
                                           uint64_t* counts) {
    throng::BoxesOrShapes asked{throng::Boxes()};
    throng::Filters admitted;
    const Status read = throng::c_api::first_fault(throng::c_api::view(queries, asked),
                                                   throng::c_api::view(filter, admitted));
    return with(handle, [&](throng_cluster&, ClusterEngine& engine) {
        return if_read(read, engine, [&] {
            return engine.count(asked, {counts, asked.size()}, admitted, selves_of(selves, asked.size()));
        });
    });
}

throng_cluster_status throng_cluster_first_hits(throng_cluster* handle, const throng_cast* casts,
                                                uint64_t count, const throng_filter* filter,
                                                const uint64_t* selves, throng_cluster_hit* hits) {
    const GivenCasts given(casts, count, filter);
    return with(handle, [&](throng_cluster&, ClusterEngine& engine) {
        return if_read(given.read, engine, [&] {
            return engine.first_hits(
                given.casts, {reinterpret_cast<throng::cluster::ClusterHit*>(hits), given.casts.size()},
                given.wanted.filter, selves_of(selves, count));
        });
    });
}

throng_cluster_status throng_cluster_all_hits(throng_cluster* handle, const throng_cast* casts,
                                              uint64_t count, const throng_filter* filter,
                                              const uint64_t* selves, throng_cluster_lists* lists) {
    const GivenCasts given(casts, count, filter);
    return listed(handle, given.read, lists, [&](ClusterEngine& engine, Lists& to) {
        return engine.all_hits(given.casts, to, given.wanted.filter, selves_of(selves, count));
    });
}

}  // extern "C"
