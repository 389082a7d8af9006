// Queries straight on the host's arrays.

#include <cstdint>
#include <span>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/queries/configured.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/structs.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/boxes.hpp"
#include "throng/queries/without_engine.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

// A fault of a view is reported as one of boxes; here it is of queries.
Status of_queries(const Status& status) noexcept {
    return status.argument == Argument::boxes ? Status{status.code, status.index, Argument::queries} : status;
}

template <class Kind, class Given>
Status find(const throng_boxes* boxes, const throng_points* points, const Given* given,
            const throng_engine_config* given_config, throng_neighbours* lists) noexcept {
    Boxes all;
    Points places;
    Kind wanted;
    Configured config;
    Status status = first_fault(view(boxes, all), of_queries(view(points, places)), view(given, wanted),
                                config.view(given_config), needs(lists, Argument::output), is_whole(lists));
    if (status) status = check_radii(wanted, places.size());
    return status ? neighbours(all, places, wanted, lists->lists, config) : status;
}

}  // namespace

int32_t throng_arrays_overlaps_of(const throng_boxes* boxes, const throng_boxes* queries,
                                  const throng_engine_config* config, throng_hits* hits,
                                  throng_status_details* details) {
    Boxes all, asked;
    Configured own;
    const Status status = first_fault(view(boxes, all), of_queries(view(queries, asked)), own.view(config),
                                      needs(hits, Argument::output), is_whole(hits));
    return report(details, status ? overlaps(all, asked, hits->lists, own) : status);
}

int32_t throng_arrays_count_of(const throng_boxes* boxes, const throng_boxes* queries,
                               const throng_engine_config* config, uint32_t* counts, uint64_t room,
                               throng_status_details* details) {
    Boxes all, asked;
    Configured own;
    const Status status = first_fault(view(boxes, all), of_queries(view(queries, asked)), own.view(config),
                                      check_output(counts, room));
    if (!status) return report(details, status);
    return report(details, count(all, asked, std::span<uint32_t>(counts, as_size(room)), own));
}

int32_t throng_arrays_any_of(const throng_boxes* boxes, const throng_boxes* queries,
                             const throng_engine_config* config, uint8_t* answers, uint64_t room,
                             throng_status_details* details) {
    Boxes all, asked;
    Configured own;
    const Status status = first_fault(view(boxes, all), of_queries(view(queries, asked)), own.view(config),
                                      check_output(answers, room));
    if (!status) return report(details, status);
    return report(details, any(all, asked, std::span<uint8_t>(answers, as_size(room)), own));
}

int32_t throng_arrays_neighbours_within_of(const throng_boxes* boxes, const throng_points* points,
                                           const throng_within* wanted, const throng_engine_config* config,
                                           throng_neighbours* lists, throng_status_details* details) {
    return report(details, find<Within>(boxes, points, wanted, config, lists));
}

int32_t throng_arrays_neighbours_nearest_of(const throng_boxes* boxes, const throng_points* points,
                                            const throng_nearest* wanted, const throng_engine_config* config,
                                            throng_neighbours* lists, throng_status_details* details) {
    return report(details, find<Nearest>(boxes, points, wanted, config, lists));
}

int32_t throng_arrays_choose_origin(const throng_boxes* boxes, double current_x, double current_y,
                                    double least_spread, throng_origin_choice* choice,
                                    throng_status_details* details) {
    Boxes all;
    UpdateOptions theirs;  // of no effect here
    Status status = first_fault(view(boxes, all, theirs), needs(choice, Argument::output));
    if (status && all.fault() != Code::ok) status = {all.fault(), Argument::boxes};
    if (!status) return report(details, status);
    const OriginChoice chosen = choose_origin(all, {current_x, current_y}, least_spread);
    auto own = defaults<throng_origin_choice>();
    own.x = chosen.origin.x;
    own.y = chosen.origin.y;
    own.spacing = chosen.spacing;
    own.extent = chosen.extent;
    own.spread = chosen.spread;
    return report(details, write_sized(own, choice) ? Status{} : Status{bad_struct, Argument::output});
}
