#include <cstdint>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/frame.hpp"
#include "throng/queries/neighbours.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

// Of agents or of points, within a radius or the nearest. There are points, or `points` is not read.
template <class Wanted, class Given>
Status find(const throng_frame* frame, const throng_points* points, bool of_points, const Given* given,
            const throng_filter* filter, throng_neighbours* lists) noexcept {
    Wanted wanted;
    Points places;
    Filters filters;
    const Status status =
        first_fault(needs(frame, handle), of_points ? view(points, places) : Status{}, view(given, wanted),
                    view(filter, filters), needs(lists, Argument::output));
    if (!status) return status;
    if (of_points) return frame->frame.neighbours(places, wanted, lists->lists, filters);
    return frame->frame.neighbours(wanted, lists->lists, filters);
}

}  // namespace

int32_t throng_frame_within(const throng_frame* frame, const throng_within* wanted,
                            const throng_filter* filter, throng_neighbours* lists,
                            throng_status_details* details) {
    return report(details, find<Within>(frame, nullptr, false, wanted, filter, lists));
}

int32_t throng_frame_nearest(const throng_frame* frame, const throng_nearest* wanted,
                             const throng_filter* filter, throng_neighbours* lists,
                             throng_status_details* details) {
    return report(details, find<Nearest>(frame, nullptr, false, wanted, filter, lists));
}

int32_t throng_frame_within_of(const throng_frame* frame, const throng_points* points,
                               const throng_within* wanted, const throng_filter* filter,
                               throng_neighbours* lists, throng_status_details* details) {
    return report(details, find<Within>(frame, points, true, wanted, filter, lists));
}

int32_t throng_frame_nearest_of(const throng_frame* frame, const throng_points* points,
                                const throng_nearest* wanted, const throng_filter* filter,
                                throng_neighbours* lists, throng_status_details* details) {
    return report(details, find<Nearest>(frame, points, true, wanted, filter, lists));
}

int32_t throng_frame_nearest_one(const throng_frame* frame, float x, float y, const throng_filter* filter,
                                 throng_neighbour* nearest, throng_status_details* details) {
    Filter wanted;
    const Status status =
        first_fault(needs(frame, handle), view(filter, wanted), needs(nearest, Argument::output));
    if (!status) return report(details, status);
    const NearestNeighbour found = frame->frame.nearest({x, y}, wanted);
    *nearest = {found.neighbour.id, found.neighbour.squared_distance};
    return report(details, found.status);
}
