#include "engine/src/query/query_batch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "base/kernels.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/tree_ranks.hpp"
#include "engine/src/store/spaces.hpp"
#include "simd/query_kernels.hpp"

namespace throng::detail {

namespace {

using Kind = simd::ShapeQuery::Kind;

// --- The bounds of shapes: a box that overlaps the box of each agent that the shape finds ---

// A little further out, by more than the rounding of `v`.
float below(float v) noexcept {
    constexpr float lowest = std::numeric_limits<float>::lowest();
    const float lower = v - (v < 0 ? -v : v) * 0x1p-22f;
    return lower > lowest ? lower : lowest;
}
float above(float v) noexcept { return -below(-v); }

// How far a circle may find something: more than the radius, by the rounding of distances and squares that
// are too small for a float, or flushed to zero.
float reach_of_circle(float radius) noexcept { return radius * (1 + 0x1p-20f) + 0x1p-62f; }

// The margins cover the rounding of sums. If agents are boxes or centres, it is `close`, without margins: the
// edge of a box that is found is at most x + reach. It is a float, so it is at most what that is rounded to,
// in any mode. Far from the origin the margin would be wider than many agents. If the square of the radius is
// too large for a float, so are those of some distances, and everything is found.
simd::Query bounds_of_circle(float x, float y, float radius, bool close = false) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    if (!(radius * radius < largest)) return {-largest, -largest, largest, largest};
    const float reach = reach_of_circle(radius);
    if (!close) return {below(x - reach), below(y - reach), above(x + reach), above(y + reach)};
    return {std::max(x - reach, -largest), std::max(y - reach, -largest), std::min(x + reach, largest),
            std::min(y + reach, largest)};
}

// --- Shapes as the kernels take them ---

bool finite(float v) noexcept { return std::isfinite(v); }
bool finite(const Point& p) noexcept { return finite(p.x) && finite(p.y); }

Code read(const Box& box, simd::ShapeQuery& q) noexcept {
    q.kind = Kind::polygon;
    q.edge_count = 0;
    q.circle.bounds = query_of(box);
    return check(box);
}

Code read(const Circle& c, simd::ShapeQuery& q) noexcept {
    if (!finite(c.x) || !finite(c.y)) return Code::not_finite;
    if (c.agents_as > AgentsAs::circles) return Code::bad_config;
    q.kind = Kind::circle;
    q.agents_as = c.agents_as;
    // For agents as circles it is part of the definition.
    const bool as_circles = c.agents_as == AgentsAs::circles;
    q.circle = {bounds_of_circle(c.x, c.y, c.radius, !as_circles), c.x, c.y, c.radius};
    return check_radius(c.radius);
}

Code read(const ThickSegment& s, simd::ShapeQuery& q) noexcept {
    if (!finite(s.from) || !finite(s.to)) return Code::not_finite;
    const double dx = static_cast<double>(s.to.x) - s.from.x, dy = static_cast<double>(s.to.y) - s.from.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    if (!finite(static_cast<float>(length))) return Code::not_finite;
    q.kind = Kind::segment;
    const simd::Query from = bounds_of_circle(s.from.x, s.from.y, s.radius),
                      to = bounds_of_circle(s.to.x, s.to.y, s.radius);
    q.circle = {{std::min(from.min_x, to.min_x), std::min(from.min_y, to.min_y),
                 std::max(from.max_x, to.max_x), std::max(from.max_y, to.max_y)},
                s.from.x,
                s.from.y,
                s.radius};
    q.to_x = s.to.x;
    q.to_y = s.to.y;
    q.length = static_cast<float>(length);
    q.unit_x = length > 0 ? static_cast<float>(dx / length) : 0;
    q.unit_y = length > 0 ? static_cast<float>(dy / length) : 0;
    return check_radius(s.radius);
}

double cross(const simd::PolygonEdge& a, const simd::PolygonEdge& b) noexcept {
    return static_cast<double>(a.unit_x) * b.unit_y - static_cast<double>(a.unit_y) * b.unit_x;
}

// Whether the edges turn left all the way, and once around. A right turn within the rounding of corners does
// not count.
bool is_convex(std::span<const simd::PolygonEdge> edges) noexcept {
    const simd::PolygonEdge* before = nullptr;
    for (const simd::PolygonEdge& e : edges)
        if (e.unit_x != 0 || e.unit_y != 0) before = &e;
    if (before == nullptr) return true;
    int turns_x = 0, turns_y = 0, side_x = 0, side_y = 0, first_x = 0, first_y = 0;
    const auto turn = [](float d, int& side, int& first, int& turns) {
        if (d == 0) return;
        const int now = d > 0 ? 1 : -1;
        if (first == 0) first = now;
        turns += side != 0 && now != side;
        side = now;
    };
    for (const simd::PolygonEdge& e : edges) {
        if (e.unit_x == 0 && e.unit_y == 0) continue;
        if (cross(*before, e) < -1e-6) return false;
        turn(e.unit_x, side_x, first_x, turns_x);
        turn(e.unit_y, side_y, first_y, turns_y);
        before = &e;
    }
    return turns_x + (side_x != first_x) <= 2 && turns_y + (side_y != first_y) <= 2;
}

Code read(const ConvexPolygon& polygon, simd::ShapeQuery& q, simd::PolygonEdge* edges) noexcept {
    const std::span<const Point> corners = polygon.corners();
    const std::size_t count = corners.size();
    if (count == 0 || count > ConvexPolygon::max_corners) return Code::bad_shape;
    if (corners.data() == nullptr) return Code::null_view;
    simd::Query bounds{corners[0].x, corners[0].y, corners[0].x, corners[0].y};
    double area = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Point &p = corners[i], &next = corners[i + 1 < count ? i + 1 : 0];
        if (!finite(p)) return Code::not_finite;
        bounds = {std::min(bounds.min_x, p.x), std::min(bounds.min_y, p.y), std::max(bounds.max_x, p.x),
                  std::max(bounds.max_y, p.y)};
        area += (static_cast<double>(p.x) - corners[0].x) * (static_cast<double>(next.y) - corners[0].y) -
                (static_cast<double>(p.y) - corners[0].y) * (static_cast<double>(next.x) - corners[0].x);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = area < 0 ? count - 1 - i : i;
        const std::size_t to = area < 0 ? (at == 0 ? count - 1 : at - 1) : (at + 1 < count ? at + 1 : 0);
        const double dx = static_cast<double>(corners[to].x) - corners[at].x,
                     dy = static_cast<double>(corners[to].y) - corners[at].y,
                     length = std::sqrt(dx * dx + dy * dy);
        edges[i] = {corners[at].x, corners[at].y, 0, 0};
        if (length == 0) continue;
        edges[i].unit_x = static_cast<float>(dx / length);
        edges[i].unit_y = static_cast<float>(dy / length);
    }
    q.kind = Kind::polygon;
    q.circle.bounds = bounds;
    q.edge_count = static_cast<std::uint32_t>(count);
    q.edges = edges;
    return MovedShape::was_convex(polygon) || is_convex({edges, count}) ? Code::ok : Code::bad_shape;
}

}  // namespace

Code read_shape(const Shape& shape, simd::ShapeQuery& query, simd::PolygonEdge* edges) noexcept {
    query = {};
    switch (shape.kind()) {
    case Shape::Kind::box: return read(shape.box(), query);
    case Shape::Kind::circle: return read(shape.circle(), query);
    case Shape::Kind::segment: return read(shape.segment(), query);
    case Shape::Kind::polygon: return read(shape.polygon(), query, edges);
    }
    return Code::bad_shape;
}

Status check(const Shapes& shapes) noexcept {
    simd::ShapeQuery query;
    simd::PolygonEdge edges[ConvexPolygon::max_corners];
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (const Code code = read_shape(shapes[i], query, edges); code != Code::ok) return {code, i};
    return {};
}

// --- Batches -----------------------------------------------------------------------------------------------

Status QueryBatch::read(const Shapes& shapes, BatchSpace& space) noexcept {
    count_ = shapes.size();
    const Circle* const circles = shapes.circles();
    std::size_t edges = 0;
    for (std::size_t i = 0; circles == nullptr && i < count_; ++i) edges += edges_of(shapes[i]);
    if (!resize_amply(space.queries, count_) || !resize_amply(space.shapes, count_) ||
        !resize_amply(space.edges, edges))
        return {Code::out_of_memory};
    queries_ = space.queries.data();
    shapes_ = space.shapes.data();
    simd::PolygonEdge* next = space.edges.data();
    const auto each = [&](const auto& read_one) -> Status {
        for (std::size_t i = 0; i < count_; ++i) {
            if (const Code code = read_one(i, space.shapes[i]); code != Code::ok) return {code, i};
            space.queries[i] = space.shapes[i].circle.bounds;
        }
        return {};
    };
    // Circles are small and come in large numbers.
    if (circles != nullptr)
        return each([&](std::size_t i, simd::ShapeQuery& query) { return detail::read(circles[i], query); });
    return each([&](std::size_t i, simd::ShapeQuery& query) {
        const Shape shape = shapes[i];
        simd::PolygonEdge* const own = next;
        next += edges_of(shape);
        return read_shape(shape, query, own);
    });
}

template <class Add>
double QueryBatch::mean_of_some(parallel::Range some, const Add& add, std::size_t most) const noexcept {
    const std::size_t looked_at = std::min(some.size(), most);
    double sum = 0;
    for (std::size_t i = 0; i < looked_at; ++i) {
        const simd::Query& q = queries_[some.begin + some.size() / looked_at * i];
        if (check(box_of(q)) == Code::ok) sum += static_cast<double>(add(q));
    }
    return 1 + (looked_at == 0 ? 0 : sum / static_cast<double>(looked_at));
}
double QueryBatch::expected_candidates(const FrameState& frame) const noexcept {
    return mean_of_some({0, count_}, [&](const simd::Query& q) {
        simd::QueryCost cost;
        simd::add_cost(frame.view, q, {}, cost);
        return cost.tested + cost.covered;
    });
}
double QueryBatch::expected_answers(const FrameState& frame, parallel::Range some) const noexcept {
    return mean_of_some(some,
                        [&](const simd::Query& q) { return frame.kernels->queries->count(frame.view, q); });
}

bool QueryBatch::is_far_in_tree(const FrameState& frame) const noexcept {
    constexpr std::uint64_t far = 10;
    constexpr std::size_t looked_at = 16, in_a_walk = 64;
    const simd::View& view = frame.view;
    const bool fills_walks = count_ >= in_a_walk * frame.map.regions();  // row by row
    if (fills_walks || view.groves == nullptr || view.stretches != nullptr || frame.tree_marks() == nullptr)
        return false;
    const auto is_far = [&](const simd::Query& q) {
        simd::QueryCost cost;
        simd::add_cost(view, q, {}, cost);
        const std::uint64_t in_tree = cost.nodes + cost.oversized / 16;
        return in_tree > far && in_tree > 2 * (cost.rows + cost.islands);
    };
    return mean_of_some({0, count_}, is_far, looked_at) > 1.5;
}

bool QueryBatch::is_coherent(const FrameState& frame) const noexcept {
    constexpr std::size_t runs = 32, run = 16;
    constexpr std::uint32_t near_columns = 32;
    const WorldMap& map = frame.map;
    if (count_ < runs * run) return true;         // too few to gain anything
    if (is_ordered_by_rank(frame)) return false;  // large agents are apart from small ones beside them
    std::size_t jumps = 0;
    for (std::size_t r = 0; r < runs && jumps * 8 <= runs * run; ++r) {
        const simd::Query* q = queries_ + (count_ - run) / (runs - 1) * r;
        Cell before{};
        for (std::size_t i = 0; i < run; ++i) {
            const std::uint32_t region = map.region_at(q[i].min_x, q[i].min_y);
            const simd::Grid& g = map.grid_of_region(region);
            const Cell cell{map.first_row(region) + row_at(g, q[i].min_y), column_at(g, q[i].min_x)};
            const auto apart = [](std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; };
            jumps += i != 0 &&
                     (apart(cell.row, before.row) > 1 || apart(cell.column, before.column) > near_columns);
            before = cell;
        }
    }
    return jumps * 8 <= runs * run;
}

bool FilterBatch::are_selective(const FrameState& frame, const QueryBatch& batch) const noexcept {
    if (filters.are_unfiltered()) return false;
    const std::size_t looked_at = std::min<std::size_t>(batch.size(), 64);
    std::uint64_t all = 0, matching = 0;
    for (std::size_t i = 0; i < looked_at; ++i) {
        const std::size_t n = batch.size() / looked_at * i;
        const simd::Query& q = batch.data()[n];
        const std::uint32_t categories = filters[n].categories;
        if (check(box_of(q)) != Code::ok) continue;
        const std::uint32_t region = frame.map.region_at(q.min_x, q.min_y);
        const simd::Grid& g = frame.map.grid_of_region(region);
        const std::uint32_t layer = layer_of_query(frame.map, filters, n);
        const std::size_t r = frame.map.first_row(region, layer) + row_at(g, q.min_y);
        const std::uint32_t s = column_at(g, q.min_x) >> simd::stretch_shift;
        // Queries on all storeys are not counted.
        const bool is_known = frame.labelled() && (layer != 0 || !frame.map.has_storeys(region));
        const std::uint32_t here = is_known           ? frame.stretches[r * frame.view.stretches_in_row + s]
                                   : frame.labelled() ? categories
                                                      : std::uint32_t{simd::default_category};
        ++all;
        matching += (here & categories) != 0;
    }
    return matching * 4 <= all;
}

}  // namespace throng::detail
