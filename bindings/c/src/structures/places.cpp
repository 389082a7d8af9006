// Points in doubles that an engine finds in floats.

#include "throng/structures/point_places.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/structures/points.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

static_assert(sizeof(throng_point_places) == sizeof(structures::PointPlaces) &&
              offsetof(throng_point_places, scale) == offsetof(structures::PointPlaces, scale));

const structures::PointPlaces& places_as(const throng_point_places* places) noexcept {
    return *reinterpret_cast<const structures::PointPlaces*>(places);
}

// Checks the points and the lists of candidates to be measured.
Status check_measured(const throng_point_places* places, const throng_double_point* points,
                      std::uint64_t point_count, const throng_neighbours* candidates) noexcept {
    return first_fault(needs(places, handle), check_array(points, point_count, Argument::boxes),
                       needs(candidates, Argument::queries));
}

}  // namespace

int32_t throng_point_places_of(const throng_double_point* points, uint64_t point_count,
                               throng_point_places* places, throng_status_details* details) {
    const Status status =
        first_fault(check_array(points, point_count, Argument::boxes), needs(places, Argument::output));
    if (!status) return report(details, status);
    structures::PointPlaces found;
    const Status done = structures::PointPlaces::of(span_of(points, point_count), found);
    if (done) *places = {found.centre_x, found.centre_y, found.scale};
    return report(details, done);
}

int32_t throng_point_places_put(const throng_point_places* places, const throng_double_point* points,
                                uint64_t point_count, throng_point* floats, uint8_t* outside, uint64_t room,
                                throng_status_details* details) {
    const Status status =
        first_fault(needs(places, handle), check_array(points, point_count, Argument::boxes),
                    check_output(floats, room), check_output(outside, room));
    if (!status) return report(details, status);
    return report(details, places_as(places).put(span_of(points, point_count),
                                                 span_of(reinterpret_cast<Point*>(floats), room),
                                                 span_of(outside, room)));
}

int32_t throng_point_places_reach(const throng_point_places* places, const throng_point_options* given,
                                  float* reach, uint64_t room, throng_status_details* details) {
    PointOptions options;
    Status status = needs(places, handle);
    if (status) status = read_options(given, options);
    if (status) status = check_output(reach, room);
    const std::uint64_t count = options.given.radii == nullptr ? 1 : options.given.radius_count;
    if (status && room < count) status = {Code::size_mismatch, Argument::output};
    if (!status) return report(details, status);
    for (std::size_t i = 0; i < count; ++i) {
        const double radius = options.given.radii == nullptr ? options.given.radius : options.given.radii[i];
        reach[i] = places_as(places).reach(radius, options.metric);
    }
    return report(details, {});
}

int32_t throng_point_places_nearest(const throng_point_places* places, const throng_point_options* given,
                                    const throng_double_point* points, uint64_t point_count,
                                    const throng_double_point* queries, uint64_t query_count,
                                    const throng_neighbours* candidates, uint8_t* open, uint64_t open_room,
                                    double* distances, int64_t* ids, uint64_t room,
                                    throng_status_details* details) {
    PointOptions options;
    Status status = check_measured(places, points, point_count, candidates);
    if (status) status = read_options(given, options);
    if (status)
        status =
            first_fault(check_array(queries, query_count, Argument::queries), check_output(open, open_room),
                        check_output(distances, room), check_output(ids, room));
    if (!status) return report(details, status);
    return report(details, places_as(places).nearest({span_of(points, point_count),
                                                      span_of(queries, query_count), candidates->lists},
                                                     options.nearest(), span_of(distances, room),
                                                     span_of(ids, room), span_of(open, open_room)));
}

int32_t throng_point_places_find(const throng_point_places* places, const throng_point_options* given,
                                 const throng_double_point* points, uint64_t point_count,
                                 const throng_double_point* queries, uint64_t query_count,
                                 const throng_neighbours* candidates, throng_point_lists* lists,
                                 throng_status_details* details) {
    PointOptions options;
    Status status = check_measured(places, points, point_count, candidates);
    if (status) status = read_options(given, options);
    if (status) status = check_queries(options, queries, query_count);
    if (status) status = needs(lists, Argument::output);
    if (!status) return report(details, status);
    return report(details, places_as(places).find({span_of(points, point_count),
                                                   span_of(queries, query_count), candidates->lists},
                                                  options.within(), lists->lists));
}

int32_t throng_point_places_find_pairs(const throng_point_places* places, const throng_point_options* given,
                                       const throng_double_point* points, uint64_t point_count,
                                       const throng_neighbours* candidates, throng_point_pairs* pairs,
                                       throng_status_details* details) {
    PointOptions options;
    Status status = check_measured(places, points, point_count, candidates);
    if (status) status = read_options(given, options);
    if (status) status = needs(pairs, Argument::output);
    if (!status) return report(details, status);
    return report(details, places_as(places).find_pairs(span_of(points, point_count), candidates->lists,
                                                        options.given.radius, options.metric, pairs->pairs));
}
