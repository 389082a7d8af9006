#include "bindings/c/src/views.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

#include "bindings/c/src/structs.hpp"

namespace throng::c_api {

namespace {

std::size_t stride_or(std::uint64_t given, std::size_t natural) noexcept {
    return given == 0 ? natural : as_size(given);
}

// Doubles, or floats if there are none.
detail::RealPointer either(const double* doubles, const float* floats) noexcept {
    return doubles != nullptr ? detail::RealPointer(doubles) : detail::RealPointer(floats);
}

Filter one_of(const throng_filter& given) noexcept {
    return {.categories = given.categories,
            .self = given.self,
            .not_in_group = given.not_in_group,
            .heights = {given.min_z, given.max_z}};
}

// Reads an element of the host's as a shape.
struct GivenShape : throng_shape {
    operator Shape() const noexcept { return shape_of(*this); }  // NOLINT(google-explicit-constructor)
};
static_assert(sizeof(GivenShape) == sizeof(throng_shape));

// One for each, or none. A view of nothing would mean one for all, so NULL with a count is refused here.
Status view_radii(const float* radii, std::uint64_t count, detail::ViewedSpan<float>& view) noexcept {
    if (radii == nullptr && count != 0) return {Code::null_view, Argument::radii};
    view = {radii, as_size(count)};
    return {};
}
Status check_none(const detail::ViewedSpan<float>& radii, float& radius, std::uint64_t places) noexcept {
    if (radii.data() == nullptr || !radii.empty()) return {};
    radius = 0;
    return {places == 0 ? Code::ok : Code::size_mismatch, Argument::radii};
}

Status view_boxes(throng_boxes& own, Boxes& boxes) noexcept {
    if (own.form > THRONG_POINTS) return {Code::bad_config, Argument::boxes};
    static_assert(static_cast<int>(Boxes::Form::min_max) == THRONG_MIN_MAX &&
                  static_cast<int>(Boxes::Form::centre_half) == THRONG_CENTRE_HALF &&
                  static_cast<int>(Boxes::Form::points) == THRONG_POINTS);
    const auto form = static_cast<Boxes::Form>(own.form);
    const bool are_points = form == Boxes::Form::points;
    if (are_points) own.last_x = own.last_y = nullptr, own.double_last_x = own.double_last_y = nullptr;
    const std::array<detail::RealPointer, 4> arrays = {
        either(own.double_x, own.x), either(own.double_y, own.y), either(own.double_last_x, own.last_x),
        either(own.double_last_y, own.last_y)};
    const std::array<std::size_t, 4> strides = {
        stride_or(own.stride_x, arrays[0].stride()), stride_or(own.stride_y, arrays[1].stride()),
        stride_or(are_points ? own.stride_x : own.stride_last_x, arrays[2].stride()),
        stride_or(are_points ? own.stride_y : own.stride_last_y, arrays[3].stride())};
    const Origin origin{own.origin_x, own.origin_y};
    const bool has_doubles = own.double_x != nullptr || own.double_y != nullptr ||
                             own.double_last_x != nullptr || own.double_last_y != nullptr;
    boxes = has_doubles || origin != Origin{}
                ? Boxes::strided(form, arrays, strides, as_size(own.count), origin, own.radius)
                : Boxes::strided(form, {own.x, own.y, own.last_x, own.last_y}, strides, as_size(own.count),
                                 own.radius);
    return {};
}
bool has_heights(const throng_boxes& own) noexcept { return own.min_z != nullptr || own.max_z != nullptr; }

Status view_heights(const throng_boxes& own, Heights& heights) noexcept {
    if (!has_heights(own)) return {};
    if (own.min_z == nullptr && own.count != 0) return {Code::null_view, Argument::heights};
    const std::size_t stride = stride_or(own.stride_z, sizeof(float));
    heights = own.max_z == nullptr ? Heights::bases(own.min_z, own.height, as_size(own.count), stride)
                                   : Heights::arrays(own.min_z, own.max_z, as_size(own.count), stride);
    return {};
}

Status read_without_ghosts(const throng_boxes* given, throng_boxes& own) noexcept {
    if (const Status status = read(given, own, Argument::boxes, false); !status) return status;
    return {own.ghosts == 0 ? Code::ok : Code::bad_config, Argument::owned};
}
Status read_boxes_alone(const throng_boxes* given, throng_boxes& own) noexcept {
    if (const Status status = read_without_ghosts(given, own); !status) return status;
    return {has_heights(own) ? Code::bad_config : Code::ok, Argument::heights};
}

// What an older host does not know of was not read, so it cannot be viewed.
const Band* band_of_all(const throng_filter& given) noexcept {
    constexpr std::uint32_t size_with_band = offsetof(throng_filter, max_z) + sizeof(float);
    return given.size < size_with_band ? nullptr : reinterpret_cast<const Band*>(&given.min_z);
}

}  // namespace

Status view(const throng_boxes* given, Boxes& boxes) noexcept {
    throng_boxes own;
    const Status status = read_boxes_alone(given, own);
    return status ? view_boxes(own, boxes) : status;
}

Status view(const throng_boxes* given, Boxes& boxes, UpdateOptions& options) noexcept {
    throng_boxes own;
    if (const Status status = read(given, own, Argument::boxes, false); !status) return status;
    if (own.ghosts > own.count) return {Code::bad_config, Argument::owned};
    options.owned = as_size(own.count - own.ghosts);
    const Status status = view_boxes(own, boxes);
    return status ? view_heights(own, options.heights) : status;
}

Status view_without_ghosts(const throng_boxes* given, Boxes& boxes, UpdateOptions& options) noexcept {
    throng_boxes own;
    if (const Status status = read_without_ghosts(given, own); !status) return status;
    const Status status = view_boxes(own, boxes);
    return status ? view_heights(own, options.heights) : status;
}

Status view(const throng_boxes* given, BoxesOrShapes& queries) noexcept {
    throng_boxes own;
    if (const Status status = read_boxes_alone(given, own); !status) return status;
    if (own.form == THRONG_CIRCLES) {
        queries = std::span(reinterpret_cast<const Circle*>(own.circles), as_size(own.count));
        return check_array(own.circles, own.count, Argument::boxes);
    }
    if (own.form == THRONG_SHAPES) {
        queries = std::span(static_cast<const GivenShape*>(own.shapes), as_size(own.count));
        return check_array(own.shapes, own.count, Argument::boxes);
    }
    Boxes boxes;
    const Status status = view_boxes(own, boxes);
    queries = boxes;
    return status;
}

Shape shape_of(const throng_shape& shape) noexcept {
    switch (shape.kind) {
    case THRONG_BOX: return Box{shape.x, shape.y, shape.to_x, shape.to_y};
    case THRONG_CIRCLE: return Circle{shape.x, shape.y, shape.radius, agents_as(shape.agents_as)};
    case THRONG_SEGMENT: return ThickSegment{{shape.x, shape.y}, {shape.to_x, shape.to_y}, shape.radius};
    case THRONG_POLYGON: break;
    default: return Circle{0, 0, 0, agents_as(UINT32_MAX)};  // which is refused as bad_config
    }
    const std::size_t corners = shape.corners == nullptr ? 0 : shape.corner_count;
    return ConvexPolygon(std::span(reinterpret_cast<const Point*>(shape.corners), corners));
}

Status view(const throng_points* given, Points& points) noexcept {
    throng_points own;
    if (const Status status = read(given, own, Argument::boxes, false); !status) return status;
    const auto x = either(own.double_x, own.x), y = either(own.double_y, own.y);
    const std::size_t stride_x = stride_or(own.stride, x.stride()),
                      stride_y = stride_or(own.stride, y.stride());
    const Origin origin{own.origin_x, own.origin_y};
    points = own.double_x != nullptr || own.double_y != nullptr || origin != Origin{}
                 ? Points::strided(x, y, stride_x, stride_y, as_size(own.count), origin)
                 : Points::arrays(own.x, own.y, as_size(own.count), stride_x);
    return {};
}

Status view(const throng_labels* given, Labels& labels) noexcept {
    throng_labels own;
    if (const Status status = read(given, own, Argument::labels, true); !status) return status;
    if (given != nullptr)
        labels = Labels::arrays(own.categories, own.groups, as_size(own.count),
                                stride_or(own.stride, sizeof(std::uint32_t)));
    return {};
}

Status view(const throng_cast* first, std::uint64_t count, const Wanted<Filters>& wanted,
            Casts& casts) noexcept {
    casts = Casts::rows(reinterpret_cast<const float*>(first), as_size(count), sizeof *first);
    const auto heights = wanted.cast_heights;
    if (heights.data() != nullptr) {
        const auto each = [&](const float& edge) {
            return Floats::arrays(&edge, heights.size(), sizeof(throng_cast_heights));
        };
        const throng_cast_heights* const all = heights.data();
        casts = casts.at_heights(each(all->min_z), each(all->max_z), each(all->dz));
    }
    return check_array(first, count, Argument::boxes);
}

namespace {

// Those that a filter has for casts.
Status view_cast_heights(const throng_filter& own, std::span<const throng_cast_heights>& heights) noexcept {
    heights = {own.cast_heights, own.cast_heights == nullptr ? 0 : as_size(own.cast_heights_count)};
    return check_array(own.cast_heights, own.cast_heights_count, Argument::heights);
}

}  // namespace

Status read_filter(const throng_filter& given, Wanted<Filter>& wanted) noexcept {
    throng_filter own;
    if (const Status status = read(&given, own, Argument::filters, true); !status) return status;
    wanted = {one_of(own), own.with_static != 0};
    return view_cast_heights(own, wanted.cast_heights);
}

Status view(const throng_filter* given, Wanted<Filters>& wanted) noexcept {
    if (given == nullptr) return {};
    throng_filter own;
    if (const Status status = read(given, own, Argument::filters, true); !status) return status;
    wanted.with_static = own.with_static != 0;
    const bool has_each = own.each != nullptr, has_bands = own.each_band != nullptr;
    if (const Status status = first_fault(check_array(own.each, own.each_count, Argument::filters),
                                          check_array(own.each_band, own.each_band_count, Argument::heights),
                                          view_cast_heights(own, wanted.cast_heights));
        !status)
        return status;
    if (!has_each && !has_bands) {
        const Filter one = one_of(own);
        wanted.filter = own.each_without_itself != 0 ? Filters::each_without_itself(one) : Filters(one);
        return {};
    }
    if (own.each_without_itself != 0) return {Code::bad_config, Argument::filters};
    if (has_each && has_bands && own.each_count != own.each_band_count)
        return {Code::size_mismatch, Argument::heights};
    // A stride of 0 stays at the host's one filter, or at its one band.
    const auto* band = has_bands ? reinterpret_cast<const Band*>(own.each_band) : band_of_all(*given);
    wanted.filter = Filters::strided(has_each ? &own.each->categories : &given->categories,
                                     has_each ? sizeof *own.each : 0, band, has_bands ? sizeof(Band) : 0,
                                     as_size(has_each ? own.each_count : own.each_band_count));
    return {};
}

Status view(const throng_filter* given, Filter& filter) noexcept {
    Wanted<Filter> wanted;
    const Status status = view(given, wanted);
    filter = wanted.filter;
    return status && wanted.with_static ? Status{Code::bad_config, Argument::filters} : status;
}

Status view(const throng_filter* given, Filters& filters) noexcept {
    Wanted<Filters> wanted;
    const Status status = view(given, wanted);
    filters = wanted.filter;
    return status && wanted.with_static ? Status{Code::bad_config, Argument::filters} : status;
}

Status view(const throng_pair_query* given, PairQuery& query) noexcept {
    throng_pair_query own;
    if (const Status status = read(given, own, Argument::options, true); !status) return status;
    query = {.filter = {.a = own.a, .b = own.b, .other_groups_only = own.other_groups_only != 0},
             .within = own.within,
             .agents_as = agents_as(own.agents_as)};
    return {};
}

Status view(const throng_within* given, Within& within) noexcept {
    throng_within own;
    if (const Status status = read(given, own, Argument::options, false); !status) return status;
    within.radius = own.radius;
    within.agents_as = agents_as(own.agents_as);
    within.either_reaches = own.either_reaches != 0;
    within.half = own.half != 0;
    within.with_self = own.with_self != 0;
    within.distances = own.distances != 0;
    within.in_row_order = own.in_row_order != 0;
    return view_radii(own.radii, own.radii_count, within.radii);
}

Status view(const throng_nearest* given, Nearest& nearest) noexcept {
    throng_nearest own;
    if (const Status status = read(given, own, Argument::options, false); !status) return status;
    nearest.count = own.count;
    nearest.max_radius = own.max_radius;
    nearest.agents_as = agents_as(own.agents_as);
    nearest.with_self = own.with_self != 0;
    nearest.distances = own.distances != 0;
    nearest.in_row_order = own.in_row_order != 0;
    return view_radii(own.max_radii, own.radii_count, nearest.max_radii);
}

Status check_radii(Within& within, std::uint64_t places) noexcept {
    return check_none(within.radii, within.radius, places);
}
Status check_radii(Nearest& nearest, std::uint64_t places) noexcept {
    return check_none(nearest.max_radii, nearest.max_radius, places);
}

}  // namespace throng::c_api

namespace {

// The size of a struct that has room for doubles, whatever later versions put behind them.
constexpr std::uint32_t size_with_doubles = offsetof(throng_boxes, origin_y) + sizeof(double);

int32_t fill(throng_boxes* boxes, uint32_t form, uint64_t count, uint64_t stride) noexcept {
    throng_boxes own;
    if (boxes == nullptr) return THRONG_NULL_POINTER;
    if (!throng::c_api::read_sized(boxes, own)) return THRONG_BAD_STRUCT;
    boxes->form = form;
    boxes->count = count;
    boxes->stride_x = boxes->stride_y = boxes->stride_last_x = boxes->stride_last_y = stride;
    boxes->x = boxes->y = boxes->last_x = boxes->last_y = nullptr;
    boxes->radius = 0;
    boxes->circles = nullptr;
    boxes->shapes = nullptr;
    if (boxes->size >= size_with_doubles) {
        boxes->double_x = boxes->double_y = boxes->double_last_x = boxes->double_last_y = nullptr;
        boxes->origin_x = boxes->origin_y = 0;
    }
    return THRONG_OK;
}

int32_t fill_doubles(throng_boxes* boxes, uint32_t form, const double* const (&arrays)[4], uint64_t count,
                     uint64_t stride, const throng::Origin& origin) noexcept {
    if (boxes != nullptr && boxes->size < size_with_doubles) return THRONG_BAD_STRUCT;  // of an older header
    if (const int32_t status = fill(boxes, form, count, stride); status != THRONG_OK) return status;
    boxes->double_x = arrays[0];
    boxes->double_y = arrays[1];
    boxes->double_last_x = arrays[2];
    boxes->double_last_y = arrays[3];
    boxes->origin_x = origin.x;
    boxes->origin_y = origin.y;
    return THRONG_OK;
}

int32_t fill_four(throng_boxes* boxes, uint32_t form, const float* const (&arrays)[4], uint64_t count,
                  uint64_t stride) noexcept {
    if (const int32_t status = fill(boxes, form, count, stride); status != THRONG_OK) return status;
    boxes->x = arrays[0];
    boxes->y = arrays[1];
    boxes->last_x = arrays[2];
    boxes->last_y = arrays[3];
    return THRONG_OK;
}

}  // namespace

int32_t throng_boxes_min_max(throng_boxes* boxes, const float* min_x, const float* min_y, const float* max_x,
                             const float* max_y, uint64_t count, uint64_t stride) {
    return fill_four(boxes, THRONG_MIN_MAX, {min_x, min_y, max_x, max_y}, count, stride);
}

int32_t throng_boxes_centre_half(throng_boxes* boxes, const float* x, const float* y, const float* half_x,
                                 const float* half_y, uint64_t count, uint64_t stride) {
    return fill_four(boxes, THRONG_CENTRE_HALF, {x, y, half_x, half_y}, count, stride);
}

int32_t throng_boxes_points(throng_boxes* boxes, const float* x, const float* y, float radius, uint64_t count,
                            uint64_t stride) {
    const int32_t status = fill_four(boxes, THRONG_POINTS, {x, y, nullptr, nullptr}, count, stride);
    if (status == THRONG_OK) boxes->radius = radius;
    return status;
}

int32_t throng_boxes_double_min_max(throng_boxes* boxes, const double* min_x, const double* min_y,
                                    const double* max_x, const double* max_y, uint64_t count, uint64_t stride,
                                    double origin_x, double origin_y) {
    return fill_doubles(boxes, THRONG_MIN_MAX, {min_x, min_y, max_x, max_y}, count, stride,
                        {origin_x, origin_y});
}

int32_t throng_boxes_double_centre_half(throng_boxes* boxes, const double* x, const double* y,
                                        const double* half_x, const double* half_y, uint64_t count,
                                        uint64_t stride, double origin_x, double origin_y) {
    return fill_doubles(boxes, THRONG_CENTRE_HALF, {x, y, half_x, half_y}, count, stride,
                        {origin_x, origin_y});
}

int32_t throng_boxes_double_points(throng_boxes* boxes, const double* x, const double* y, float radius,
                                   uint64_t count, uint64_t stride, double origin_x, double origin_y) {
    const int32_t status =
        fill_doubles(boxes, THRONG_POINTS, {x, y, nullptr, nullptr}, count, stride, {origin_x, origin_y});
    if (status == THRONG_OK) boxes->radius = radius;
    return status;
}

int32_t throng_boxes_of(throng_boxes* boxes, const throng_box* first, uint64_t count) {
    if (first == nullptr) return fill_four(boxes, THRONG_MIN_MAX, {}, count, sizeof(throng_box));
    return fill_four(boxes, THRONG_MIN_MAX, {&first->min_x, &first->min_y, &first->max_x, &first->max_y},
                     count, sizeof(throng_box));
}

int32_t throng_boxes_circles(throng_boxes* boxes, const throng_circle* first, uint64_t count) {
    const int32_t status = fill(boxes, THRONG_CIRCLES, count, 0);
    if (status == THRONG_OK) boxes->circles = first;
    return status;
}

int32_t throng_boxes_shapes(throng_boxes* boxes, const throng_shape* first, uint64_t count) {
    const int32_t status = fill(boxes, THRONG_SHAPES, count, 0);
    if (status == THRONG_OK) boxes->shapes = first;
    return status;
}
