// Shapes and casts made of boxes, for a transcript: of a frame, or of its twin.
#pragma once

#include "fuzz/transcript.hpp"
#include "support/test.hpp"

namespace throng::fuzz {

// From each box and the next a circle, a segment with a width, or a triangle.
template <class AnyHits, class AnyFrame>
void ask_shapes(const AnyFrame& frame, const Boxes& boxes, Transcript& out) {
    std::vector<Shape> shapes;
    std::vector<Point> corners;
    corners.reserve(3 * boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box one = boxes[i], next = boxes[(i + 1) % boxes.size()];
        const float width = next.max_x - next.min_x;
        if (i % 3 == 0) {
            shapes.push_back(Circle{one.min_x, one.max_y, width, static_cast<AgentsAs>(i / 3 % 3)});
        } else if (i % 3 == 1) {
            shapes.push_back(ThickSegment{{one.min_x, one.min_y}, {next.max_x, next.min_y}, width});
        } else {
            corners.insert(corners.end(),
                           {{one.min_x, one.min_y}, {one.max_x, one.min_y}, {next.max_x, next.max_y}});
            shapes.push_back(ConvexPolygon(std::span(corners).last(3)));
        }
    }
    AnyHits hits;
    out.note("shapes", frame.overlaps(shapes, hits));
    for (std::size_t i = 0; i < hits.size(); ++i) out.note("hits of a shape", hits[i]);
}

// Each box moves to the place of the next, as a box, a ray from its corner, or rounded; some at heights.
inline std::vector<Cast> casts_of(const Boxes& boxes) {
    std::vector<Cast> casts;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box from = boxes[i], to = boxes[(i + 1) % boxes.size()];
        const float dx = to.min_x - from.min_x, dy = to.max_y - from.max_y;
        casts.push_back(i % 3 == 0 ? Cast::ray(from.min_x, from.max_y, dx, dy) : Cast::box(from, dx, dy));
        if (i % 4 == 1) casts.back().radius = to.max_x - to.min_x;
        if (i % 5 == 2) casts.back() = casts.back().at_heights({from.min_x, from.max_x}, dy);
    }
    return casts;
}
template <class CastHitRange>
void note_hits(const CastHitRange& hits, Transcript& out) {
    for (const CastHit& hit : hits) {
        out.note("touched", hit.id);
        out.note("when", detail::bits_as<std::uint32_t>(hit.fraction));
    }
}
template <class AnyCastHits, class AnyFrame>
void ask_casts(const AnyFrame& frame, const Boxes& boxes, Transcript& out) {
    const std::vector<Cast> casts = casts_of(boxes);
    std::vector<CastHit> first(casts.size());
    out.note("first hits", frame.first_hits(casts, first));
    note_hits(first, out);
    AnyCastHits hits;
    out.note("all hits", frame.all_hits(casts, hits));
    for (std::size_t i = 0; i < hits.size(); ++i) note_hits(hits[i], out);
    std::vector<std::uint8_t> blocked(casts.size());
    out.note("blocked", frame.blocked(casts, blocked));
    for (const std::uint8_t one : blocked) out.note("one of them", one);
    // Half of each movement, of the boxes as they lie.
    const Points movements = Points::members(casts, &Cast::dx, &Cast::dy);
    const Casts halves = Casts::boxes(boxes, movements, 0.5f, Radii::members(casts, &Cast::radius));
    out.note("first hits of halves", frame.first_hits(halves, first));
    note_hits(first, out);
    if (casts.empty()) return;
    const FirstHit one = frame.first_hit(casts[0]);
    out.note("first hit of one", one.status.code);
    note_hits(std::span(&one.hit, 1), out);
}

}  // namespace throng::fuzz
