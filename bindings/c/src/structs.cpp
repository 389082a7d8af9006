#include "bindings/c/src/structs.hpp"

#include <cstdint>
#include <limits>

namespace throng::c_api {

namespace {
template <class Sized>
Sized only_size() noexcept {
    Sized own;
    std::memset(static_cast<void*>(&own), 0, sizeof own);
    own.size = sizeof own;
    return own;
}
}  // namespace

template <>
throng_status_details defaults() noexcept {
    auto details = only_size<throng_status_details>();
    details.index = THRONG_NO_INDEX;
    return details;
}
template <>
throng_boxes defaults() noexcept {
    return only_size<throng_boxes>();
}
template <>
throng_labels defaults() noexcept {
    return only_size<throng_labels>();
}
template <>
throng_points defaults() noexcept {
    return only_size<throng_points>();
}
template <>
throng_engine_config defaults() noexcept {
    auto config = only_size<throng_engine_config>();
    config.workers = 1;
    return config;
}
template <>
throng_memory_report defaults() noexcept {
    return only_size<throng_memory_report>();
}
template <>
throng_tuning defaults() noexcept {
    return only_size<throng_tuning>();
}
template <>
throng_validation defaults() noexcept {
    return only_size<throng_validation>();
}
template <>
throng_origin_choice defaults() noexcept {
    return only_size<throng_origin_choice>();
}
template <>
throng_filter defaults() noexcept {
    auto filter = only_size<throng_filter>();
    filter.categories = filter.self = filter.not_in_group = UINT32_MAX;
    filter.min_z = -std::numeric_limits<float>::infinity();
    filter.max_z = std::numeric_limits<float>::infinity();
    return filter;
}
template <>
throng_pair_query defaults() noexcept {
    auto query = only_size<throng_pair_query>();
    query.a = query.b = UINT32_MAX;
    return query;
}
template <>
throng_kept_neighbourhood defaults() noexcept {
    auto wanted = only_size<throng_kept_neighbourhood>();
    wanted.radius = std::numeric_limits<float>::infinity();
    return wanted;
}
template <>
throng_explanation defaults() noexcept {
    return only_size<throng_explanation>();
}
template <>
throng_within defaults() noexcept {
    auto within = only_size<throng_within>();
    within.radius = std::numeric_limits<float>::infinity();
    within.agents_as = THRONG_AGENTS_AS_CENTRES;
    return within;
}
template <>
throng_nearest defaults() noexcept {
    auto nearest = only_size<throng_nearest>();
    nearest.count = 1;
    nearest.max_radius = std::numeric_limits<float>::infinity();
    nearest.agents_as = THRONG_AGENTS_AS_CENTRES;
    return nearest;
}

template <>
throng_links defaults() noexcept {
    return only_size<throng_links>();
}
template <>
throng_trial_rule defaults() noexcept {
    auto rule = only_size<throng_trial_rule>();
    rule.radius = std::numeric_limits<float>::infinity();
    rule.agents_as = THRONG_AGENTS_AS_CIRCLES;
    return rule;
}

template <>
throng_fold defaults() noexcept {
    auto fold = only_size<throng_fold>();
    fold.empty = std::numeric_limits<double>::quiet_NaN();
    return fold;
}

}  // namespace throng::c_api

using throng::c_api::init;

int32_t throng_init_status_details(throng_status_details* details, uint32_t size) {
    return init(details, size);
}
int32_t throng_init_boxes(throng_boxes* boxes, uint32_t size) { return init(boxes, size); }
int32_t throng_init_labels(throng_labels* labels, uint32_t size) { return init(labels, size); }
int32_t throng_init_points(throng_points* points, uint32_t size) { return init(points, size); }
int32_t throng_init_filter(throng_filter* filter, uint32_t size) { return init(filter, size); }
int32_t throng_init_pair_query(throng_pair_query* query, uint32_t size) { return init(query, size); }
int32_t throng_init_within(throng_within* within, uint32_t size) { return init(within, size); }
int32_t throng_init_nearest(throng_nearest* nearest, uint32_t size) { return init(nearest, size); }
int32_t throng_init_kept_neighbourhood(throng_kept_neighbourhood* wanted, uint32_t size) {
    return init(wanted, size);
}
int32_t throng_init_explanation(throng_explanation* explanation, uint32_t size) {
    return init(explanation, size);
}
int32_t throng_init_memory_report(throng_memory_report* report, uint32_t size) { return init(report, size); }
int32_t throng_init_origin_choice(throng_origin_choice* choice, uint32_t size) { return init(choice, size); }
int32_t throng_init_tuning(throng_tuning* tuning, uint32_t size) { return init(tuning, size); }
int32_t throng_init_validation(throng_validation* validation, uint32_t size) {
    return init(validation, size);
}
int32_t throng_init_links(throng_links* links, uint32_t size) { return init(links, size); }
int32_t throng_init_trial_rule(throng_trial_rule* rule, uint32_t size) { return init(rule, size); }
int32_t throng_init_fold(throng_fold* fold, uint32_t size) { return init(fold, size); }
int32_t throng_init_engine_config(throng_engine_config* config, uint32_t size, uint32_t header_version) {
    const int32_t status = init(config, size);
    if (status == THRONG_OK) config->header_version = header_version;
    return status;
}
