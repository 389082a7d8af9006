// Neighbours into the host's memory: how many there are, and those of one point.

#include <cstdint>
#include <span>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/frame.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/static_layer.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

template <class Kind, class Given>
Status list_one(const throng_frame* frame, const Point& point, const Given* given,
                const throng_filter* filter, throng_neighbour* neighbours, uint64_t room,
                uint64_t* total) noexcept {
    Kind kind;
    Filter wanted;
    Status status = first_fault(needs(frame, handle), view(given, kind), view(filter, wanted),
                                check_output(neighbours, room));
    if (status) status = check_radii(kind, 1);
    if (!status) return status;
    const std::span<Neighbour> out(reinterpret_cast<Neighbour*>(neighbours), as_size(room));
    const Filled filled = frame->frame.neighbours(point, kind, out, wanted);
    if (total != nullptr) *total = filled.total;
    return filled.status;
}

// Of agents, where `places` is empty, or of these points.
template <class... Places>
Status count(const throng_frame* frame, const Status& faults, const throng_within* given,
             const throng_filter* filter, uint32_t* counts, uint64_t room, const Places&... places) noexcept {
    Within within;
    Wanted<Filters> wanted;
    Status status = first_fault(needs(frame, handle), faults, view(given, within), view(filter, wanted),
                                check_output(counts, room));
    if (status) status = check_radii(within, places_of(frame, places...));
    if (!status) return status;
    const std::span<uint32_t> out(counts, as_size(room));
    return ask(frame->frame, wanted, [&](const auto& asked, const Filters& filters) noexcept {
        return asked.count_neighbours(places..., within, out, filters);
    });
}

}  // namespace

int32_t throng_frame_count_neighbours(const throng_frame* frame, const throng_within* wanted,
                                      const throng_filter* filter, uint32_t* counts, uint64_t room,
                                      throng_status_details* details) {
    return report(details, count(frame, {}, wanted, filter, counts, room));
}

int32_t throng_frame_count_neighbours_of(const throng_frame* frame, const throng_points* points,
                                         const throng_within* wanted, const throng_filter* filter,
                                         uint32_t* counts, uint64_t room, throng_status_details* details) {
    Points places;
    const Status faults = view(points, places);
    return report(details, count(frame, faults, wanted, filter, counts, room, places));
}

int32_t throng_frame_neighbours_within_into(const throng_frame* frame, float x, float y,
                                            const throng_within* wanted, const throng_filter* filter,
                                            throng_neighbour* neighbours, uint64_t room, uint64_t* total,
                                            throng_status_details* details) {
    return report(details, list_one<Within>(frame, {x, y}, wanted, filter, neighbours, room, total));
}

int32_t throng_frame_neighbours_nearest_into(const throng_frame* frame, float x, float y,
                                             const throng_nearest* wanted, const throng_filter* filter,
                                             throng_neighbour* neighbours, uint64_t room, uint64_t* total,
                                             throng_status_details* details) {
    return report(details, list_one<Nearest>(frame, {x, y}, wanted, filter, neighbours, room, total));
}

int32_t throng_frame_nearest(const throng_frame* frame, float x, float y, const throng_filter* filter,
                             throng_neighbour* nearest, int32_t* is_static, throng_status_details* details) {
    Wanted<Filter> wanted;
    const Status status =
        first_fault(needs(frame, handle), view(filter, wanted), needs(nearest, Argument::output));
    if (!status) return report(details, status);
    const auto call = [&](const auto& asked, const Filter& by) noexcept { return asked.nearest({x, y}, by); };
    const NearestNeighbour found = ask(frame->frame, wanted, call);
    *nearest = {found.neighbour.id, found.neighbour.squared_distance};
    if (is_static != nullptr) *is_static = found.is_static ? 1 : 0;
    return report(details, found.status);
}
