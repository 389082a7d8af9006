// Casts by brute force: the definitions of throng/queries/casts.hpp, word for word.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "oracle/brute_force.hpp"

namespace throng::oracle {

namespace {

constexpr float never = std::numeric_limits<float>::infinity();
constexpr double never_at_all = std::numeric_limits<double>::infinity();

bool is_movement(float d) { return std::abs(d) >= std::numeric_limits<float>::min(); }

// --- Without a radius, in float ---

struct Entry {
    float entry, exit;
};
Entry on_axis(float start_min, float start_max, float movement, float min, float max) {
    if (!is_movement(movement)) {
        if (min <= start_max && start_min <= max) return {-never, never};
        return {never, -never};
    }
    const float before = movement > 0 ? min - start_max : max - start_min,
                behind = movement > 0 ? max - start_min : min - start_max;
    const float inverse = 1 / movement;
    return {before * inverse, behind * inverse};
}

// Edges may be infinite: a bound that is not a number does not count.
Entry in_height(const Cast& cast, const Band& band) {
    Entry z = on_axis(cast.heights.min_z, cast.heights.max_z, cast.dz, band.min_z, band.max_z);
    if (std::isnan(z.entry)) z.entry = -never;
    if (std::isnan(z.exit)) z.exit = never;
    return z;
}

float time_of_box(const Cast& cast, const Box& box, const Band& band) {
    const Entry x = on_axis(cast.start.min_x, cast.start.max_x, cast.dx, box.min_x, box.max_x);
    const Entry y = on_axis(cast.start.min_y, cast.start.max_y, cast.dy, box.min_y, box.max_y);
    const Entry z = in_height(cast, band);
    const float t = std::max({0.0f, x.entry, y.entry, z.entry});
    return t <= 1 && t <= x.exit && t <= y.exit && t <= z.exit ? t : never;
}

// --- With a radius, in double ---

struct Target {
    double left, right, low, high;  // as seen from the start
};

// From when to when; if it is not touched, both are never and before all times.
struct Contact {
    double begin = never_at_all, end = -1;
};

Contact point_in_box(double dx, double dy, const Target& box) {
    double in = 0, out = 1;
    const auto on_axis = [&](double d, double min, double max) {
        if (d == 0) {
            if (min > 0 || max < 0) out = -1;
        } else {
            in = std::max(in, (d > 0 ? min : max) / d);
            out = std::min(out, (d > 0 ? max : min) / d);
        }
    };
    on_axis(dx, box.left, box.right);
    on_axis(dy, box.low, box.high);
    return in <= out ? Contact{in, out} : Contact{};
}

Contact point_in_circle(double dx, double dy, double r, double x, double y) {
    const double b = x * dx + y * dy, c = (x * x + y * y) - r * r, cross = dx * y - dy * x;
    const double length = dx * dx + dy * dy, under_root = r * r * length - cross * cross;
    if (c > 0 && (b <= 0 || under_root < 0)) return {};
    const double root = under_root < 0 ? 0 : std::sqrt(under_root);
    Contact contact;
    contact.begin = c <= 0 ? 0 : std::max(0.0, (b - root) / length);
    if (under_root >= 0 && length > 0) contact.end = (b + root) / length;
    return contact;
}

float time_of_round(const Cast& cast, const Box& box, const Band& band) {
    const Box& s = cast.start;
    const float away_x = std::max({box.min_x - s.max_x, s.min_x - box.max_x, 0.0f}),
                away_y = std::max({box.min_y - s.max_y, s.min_y - box.max_y, 0.0f});
    const float limit = cast.radius * cast.radius;
    const bool at_once =
        limit < std::numeric_limits<float>::max() && away_x * away_x + away_y * away_y <= limit;
    const double dx = is_movement(cast.dx) ? cast.dx : 0, dy = is_movement(cast.dy) ? cast.dy : 0;
    const double r = cast.radius;
    const Target all{double{box.min_x} - s.max_x, double{box.max_x} - s.min_x, double{box.min_y} - s.max_y,
                     double{box.max_y} - s.min_y};
    Contact whole;
    for (const Contact& part :
         {point_in_box(dx, dy, {all.left - r, all.right + r, all.low, all.high}),
          point_in_box(dx, dy, {all.left, all.right, all.low - r, all.high + r}),
          point_in_circle(dx, dy, r, all.left, all.low), point_in_circle(dx, dy, r, all.right, all.low),
          point_in_circle(dx, dy, r, all.left, all.high), point_in_circle(dx, dy, r, all.right, all.high)})
        whole = {std::min(whole.begin, part.begin), std::max(whole.end, part.end)};
    const float entry = at_once ? 0 : static_cast<float>(whole.begin),
                left = std::max(entry, static_cast<float>(whole.end)),
                exit = dx == 0 && dy == 0 ? never : left;
    const Entry z = in_height(cast, band);
    const float t = std::max(entry, z.entry);
    return t <= 1 && t <= exit && t <= z.exit ? t : never;
}

}  // namespace

float time_of_touch(const Cast& cast, const Box& box, const Band& band) {
    return cast.radius > 0 ? time_of_round(cast, box, band) : time_of_box(cast, box, band);
}

Code check(const Cast& cast) {
    const Code code = check(cast.start);
    const auto [low, high] = cast.heights;
    for (const float v : {cast.dx, cast.dy, cast.radius, cast.dz})
        if (!std::isfinite(v)) return Code::not_finite;
    if (code == Code::not_finite || std::isnan(low) || std::isnan(high)) return Code::not_finite;
    return cast.radius < 0 || low > high ? Code::inverted : code;
}

Status BruteForceFrame::find(const Cast& cast, const Filter& filter, std::vector<CastHit>& hits) const {
    hits.clear();
    if (const Code code = check(cast); code != Code::ok) return {code, 0};
    if (is_too_long(cast, around_)) return {Code::too_large, 0};
    if (agents_ == nullptr) return {};
    for (const Agent& agent : *agents_) {
        if (!filter.admits(agent.id, agent.label, agent.height)) continue;
        const float t = around_.wraps() ? time_of_touch_around(cast, agent.box, agent.height, around_)
                                        : time_of_touch(cast, agent.box, agent.height);
        if (t <= 1) hits.push_back({agent.id, t});
    }
    std::sort(hits.begin(), hits.end(), [](const CastHit& a, const CastHit& b) {
        return a.fraction != b.fraction ? a.fraction < b.fraction : a.id < b.id;
    });
    return {};
}

Status BruteForceFrame::all_hits(const Casts& casts, std::vector<std::vector<CastHit>>& hits,
                                 const Filters& filters) const {
    hits.clear();
    if (!filters.one_for_all() && filters.size() != casts.size()) return {Code::size_mismatch};
    for (std::size_t i = 0; i < casts.size(); ++i) {
        if (const Code code = check(casts[i]); code != Code::ok) return {code, i};
        if (is_too_long(casts[i], around_)) return {Code::too_large, i};
    }
    hits.resize(casts.size());
    for (std::size_t i = 0; i < casts.size(); ++i) static_cast<void>(find(casts[i], filters[i], hits[i]));
    return {};
}

Filled BruteForceFrame::all_hits(const Cast& cast, std::span<CastHit> out, const Filter& filter) const {
    std::vector<CastHit> hits;
    const Status status = find(cast, filter, hits);
    const std::size_t some = std::min(hits.size(), out.size());
    std::copy_n(hits.begin(), some, out.begin());
    return {status, hits.size(), some};
}

FirstHit BruteForceFrame::first_hit(const Cast& cast, const Filter& filter) const {
    std::vector<CastHit> hits;
    const Status status = find(cast, filter, hits);
    return {status, hits.empty() ? CastHit{} : hits.front()};
}

Status BruteForceFrame::first_hits(const Casts& casts, std::span<CastHit> hits,
                                   const Filters& filters) const {
    if (casts.size() != hits.size()) return {Code::size_mismatch};
    std::vector<std::vector<CastHit>> all;
    const Status status = all_hits(casts, all, filters);
    for (std::size_t i = 0; i < hits.size(); ++i)
        hits[i] = !status.ok() || all[i].empty() ? CastHit{} : all[i].front();
    return status;
}

Found BruteForceFrame::blocked(const Cast& cast, const Filter& filter) const {
    const FirstHit first = first_hit(cast, filter);
    return {first.status, first.hit.found()};
}

Status BruteForceFrame::blocked(const Casts& casts, std::span<std::uint8_t> answers,
                                const Filters& filters) const {
    if (casts.size() != answers.size()) return {Code::size_mismatch};
    std::vector<CastHit> hits(casts.size());
    const Status status = first_hits(casts, hits, filters);
    for (std::size_t i = 0; i < hits.size(); ++i) answers[i] = hits[i].found();
    return status;
}

Status all_hits_of_both(const BruteForceFrame& agents, const BruteForceFrame& elements, const Casts& casts,
                        std::vector<std::vector<CastHit>>& hits, const Filters& filters) {
    std::vector<Filter> of_elements(casts.size());
    for (std::size_t i = 0; i < casts.size(); ++i) {
        of_elements[i] = filters[i];
        of_elements[i].self = no_agent;
    }
    std::vector<std::vector<CastHit>> of_walls;
    const Status status = agents.all_hits(casts, hits, filters);
    if (!status.ok()) return status;
    static_cast<void>(elements.all_hits(casts, of_walls, Filters::of(of_elements)));
    for (std::size_t i = 0; i < hits.size(); ++i) {
        for (const CastHit& hit : of_walls[i]) hits[i].push_back({hit.id, hit.fraction, 1});
        // Agents stand before elements already, each kind in its order.
        std::stable_sort(hits[i].begin(), hits[i].end(),
                         [](const CastHit& a, const CastHit& b) { return a.fraction < b.fraction; });
    }
    return {};
}

}  // namespace throng::oracle
