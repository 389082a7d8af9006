// Lists of neighbours: of agents, of points, or of agents in another frame; within a radius, or the nearest.

#include <cstdint>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/frame.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/static_layer.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

// What a C host gave.
template <class Kind>
struct Search {
    Kind kind;
    Filters filters;

    // Around `count` places.
    template <class Given>
    Status view(const throng_frame* frame, const Status& places, std::uint64_t count, const Given* given,
                const throng_filter* filter) noexcept {
        const Status status =
            first_fault(needs(frame, handle), places, c_api::view(given, kind), c_api::view(filter, filters));
        return status ? check_radii(kind, count) : status;
    }
};

template <class Kind, class Given>
Status of_agents(const throng_frame* frame, const Given* given, const throng_filter* filter,
                 throng_neighbours* lists) noexcept {
    Search<Kind> search;
    const Status status =
        first_fault(search.view(frame, {}, places_of(frame), given, filter), needs(lists, Argument::output));
    if (!status) return status;
    return fill(
        *lists, [&] { return frame->frame.neighbours(search.kind, lists->lists, search.filters); },
        [&](const AnswerLimit& limit, const auto& visitor) {
            return frame->frame.for_each_answer(search.kind, lists->lists, visitor, limit, search.filters);
        });
}

template <class Kind, class Given>
Status of_points(const throng_frame* frame, const throng_points* points, const Given* given,
                 const throng_filter* filter, throng_neighbours* lists) noexcept {
    Points places;
    Search<Kind> search;
    const Status faults = view(points, places);
    const Status status =
        first_fault(search.view(frame, faults, places.size(), given, filter), needs(lists, Argument::output));
    if (!status) return status;
    return fill(
        *lists, [&] { return frame->frame.neighbours(places, search.kind, lists->lists, search.filters); },
        [&](const AnswerLimit& limit, const auto& visitor) {
            return frame->frame.for_each_answer(places, search.kind, lists->lists, visitor, limit,
                                                search.filters);
        });
}

template <class Kind, class Given>
Status in_other(const throng_frame* frame, const throng_frame* others, const Given* given,
                const throng_filter* filter, throng_neighbours* lists) noexcept {
    Search<Kind> search;
    const Status status =
        first_fault(search.view(frame, needs(others, handle), places_of(frame), given, filter),
                    needs(lists, Argument::output));
    if (!status) return status;
    return fill(
        *lists,
        [&] { return frame->frame.neighbours_in(others->frame, search.kind, lists->lists, search.filters); },
        [&](const AnswerLimit& limit, const auto& visitor) {
            return frame->frame.for_each_answer(others->frame, search.kind, lists->lists, visitor, limit,
                                                search.filters);
        });
}

// Of agents, where `places` is empty, or of these points.
template <class Kind, class Given, class... Places>
Status of_both(const throng_frame* frame, const Status& faults, const Given* given,
               const throng_filter* filter, throng_neighbours* agents, throng_neighbours* elements,
               const Places&... places) noexcept {
    Search<Kind> search;
    const Status status =
        first_fault(search.view(frame, faults, places_of(frame, places...), given, filter),
                    needs(agents, Argument::output), needs(elements, Argument::output), is_whole(elements));
    if (!status) return status;
    const WithStatic both = frame->frame.with_static();
    return fill(
        *agents,
        [&] {
            return both.neighbours(places..., search.kind, agents->lists, elements->lists, search.filters);
        },
        [&](const AnswerLimit& limit, const auto& visitor) {
            return both.for_each_answer(places..., search.kind, agents->lists, elements->lists, visitor,
                                        limit, search.filters);
        });
}

}  // namespace

int32_t throng_frame_neighbours_within(const throng_frame* frame, const throng_within* wanted,
                                       const throng_filter* filter, throng_neighbours* lists,
                                       throng_status_details* details) {
    return report(details, of_agents<Within>(frame, wanted, filter, lists));
}
int32_t throng_frame_neighbours_nearest(const throng_frame* frame, const throng_nearest* wanted,
                                        const throng_filter* filter, throng_neighbours* lists,
                                        throng_status_details* details) {
    return report(details, of_agents<Nearest>(frame, wanted, filter, lists));
}

int32_t throng_frame_neighbours_within_of(const throng_frame* frame, const throng_points* points,
                                          const throng_within* wanted, const throng_filter* filter,
                                          throng_neighbours* lists, throng_status_details* details) {
    return report(details, of_points<Within>(frame, points, wanted, filter, lists));
}
int32_t throng_frame_neighbours_nearest_of(const throng_frame* frame, const throng_points* points,
                                           const throng_nearest* wanted, const throng_filter* filter,
                                           throng_neighbours* lists, throng_status_details* details) {
    return report(details, of_points<Nearest>(frame, points, wanted, filter, lists));
}

int32_t throng_frame_neighbours_within_in(const throng_frame* frame, const throng_frame* others,
                                          const throng_within* wanted, const throng_filter* filter,
                                          throng_neighbours* lists, throng_status_details* details) {
    return report(details, in_other<Within>(frame, others, wanted, filter, lists));
}
int32_t throng_frame_neighbours_nearest_in(const throng_frame* frame, const throng_frame* others,
                                           const throng_nearest* wanted, const throng_filter* filter,
                                           throng_neighbours* lists, throng_status_details* details) {
    return report(details, in_other<Nearest>(frame, others, wanted, filter, lists));
}

int32_t throng_frame_neighbours_within_both(const throng_frame* frame, const throng_within* wanted,
                                            const throng_filter* filter, throng_neighbours* agents,
                                            throng_neighbours* elements, throng_status_details* details) {
    return report(details, of_both<Within>(frame, {}, wanted, filter, agents, elements));
}
int32_t throng_frame_neighbours_nearest_both(const throng_frame* frame, const throng_nearest* wanted,
                                             const throng_filter* filter, throng_neighbours* agents,
                                             throng_neighbours* elements, throng_status_details* details) {
    return report(details, of_both<Nearest>(frame, {}, wanted, filter, agents, elements));
}

int32_t throng_frame_neighbours_within_of_both(const throng_frame* frame, const throng_points* points,
                                               const throng_within* wanted, const throng_filter* filter,
                                               throng_neighbours* agents, throng_neighbours* elements,
                                               throng_status_details* details) {
    Points places;
    const Status faults = view(points, places);
    return report(details, of_both<Within>(frame, faults, wanted, filter, agents, elements, places));
}
int32_t throng_frame_neighbours_nearest_of_both(const throng_frame* frame, const throng_points* points,
                                                const throng_nearest* wanted, const throng_filter* filter,
                                                throng_neighbours* agents, throng_neighbours* elements,
                                                throng_status_details* details) {
    Points places;
    const Status faults = view(points, places);
    return report(details, of_both<Nearest>(frame, faults, wanted, filter, agents, elements, places));
}

int32_t throng_frame_neighbours_kept(const throng_frame* frame, throng_kept_neighbours* kept,
                                     throng_status_details* details) {
    const Status status = first_fault(needs(frame, handle), needs(kept, Argument::output));
    return report(details, status ? kept->kept.update(frame->frame) : status);
}
