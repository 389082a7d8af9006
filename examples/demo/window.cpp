#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "bench/common/plot/theme.hpp"
#include "examples/demo/simulation.hpp"
#include "examples/demo/view.hpp"

namespace throng::demo {

namespace {

using picture::Area;
using picture::Canvas;
using picture::Color;
using workload::World;

constexpr Color ground = picture::rgb(0x0b0f1a), calm = picture::rgb(0x33507e),
                calm_edge = picture::rgb(0x5f86c4);
constexpr Color lit = picture::rgb(0xff9d3c), lit_edge = picture::rgb(0xffd39a),
                joined = picture::rgb(0xfff4e0);
constexpr Color seen = picture::rgb(0x5de4c7), grid = picture::rgb(0x2a3a5c), tree = picture::rgb(0x8a5fc4);

// Pixels from which on an agent counts as large.
constexpr double large = 60;

// The rows of the frame and their cells, if they are wide enough to be told apart, its islands, and the nodes
// of its tree.
void draw_part(Canvas& canvas, const View& view, const FramePart& part) {
    if (!view.shows(part.box)) return;
    const Area area = view.place(part.box);
    const bool is_row = part.kind == FramePartKind::row;
    canvas.outline(area, 1, is_row ? grid : tree, is_row ? 0.9 : 0.5);
    const double cell = area.width() / std::max(part.cells, 1u);
    if (!is_row || cell < 3) return;
    const auto first = static_cast<std::uint32_t>(std::max(0.0, (view.area.left - area.left) / cell));
    for (std::uint32_t k = first; k < part.cells && area.left + k * cell < view.area.right; ++k)
        canvas.line({area.left + k * cell, area.top}, {area.left + k * cell, area.bottom}, 0.7, grid, 0.6);
}

Box box_of(const World& w, std::size_t i) { return Box::around(w.x[i], w.y[i], w.hx[i], w.hy[i]); }

void draw_agent(Canvas& canvas, const View& view, const World& w, std::size_t i, bool touching) {
    const Area area = view.place(box_of(w, i));
    // Large agents let the small ones on top of them be seen.
    const double opacity = area.width() > large ? 0.45 : 0.92;
    canvas.fill(area, touching ? lit : calm, opacity);
    canvas.outline(area, 1.2, touching ? lit_edge : calm_edge, opacity);
    const double x = view.x(w.x[i]), y = view.y(w.y[i]);
    const double vx = static_cast<double>(w.vx[i]), vy = static_cast<double>(w.vy[i]),
                 speed = std::hypot(vx, vy);
    if (speed <= 0 || area.width() < 6) return;
    const double length = 0.42 * std::fmin(area.width(), area.height()) / speed;
    canvas.line({x, y}, {x + vx * length, y - vy * length}, 1.4,
                touching ? picture::rgb(0x6b3500) : calm_edge);
}

// The agent whose query is shown: the nearest to the middle that is small enough to look round.
std::size_t asking_agent(const View& view, const World& w, float radius) {
    const float x = view.left + view.side / 2, y = view.bottom + view.side / 2;
    std::size_t nearest = 0;
    float best = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < w.size(); ++i) {
        const float away = std::hypot(w.x[i] - x, w.y[i] - y) + (w.hx[i] < radius ? 0 : w.side);
        if (away >= best) continue;
        best = away;
        nearest = i;
    }
    return nearest;
}

// A stroke from one touching agent to the other. Large agents touch so many that strokes would hide them.
void draw_touch(Canvas& canvas, const View& view, const World& w, const Pair& pair) {
    const Box a = box_of(w, pair.a), b = box_of(w, pair.b);
    if (!view.shows(a) && !view.shows(b)) return;
    if (view.place(a).width() > large || view.place(b).width() > large) return;
    canvas.line(view.point(w.x[pair.a], w.y[pair.a]), view.point(w.x[pair.b], w.y[pair.b]), 1.6, joined, 0.7);
}

// The box of one agent's query, and a frame round each of the neighbours in the answer.
void draw_query(Canvas& canvas, const View& view, const World& w, float radius) {
    const std::size_t asking = asking_agent(view, w, radius);
    const Box query = Box::around(w.x[asking], w.y[asking], radius, radius);
    canvas.fill(view.place(query), seen, 0.12);
    for (std::size_t i = 0; i < w.size(); ++i)
        if (i != asking && box_of(w, i).overlaps(query)) canvas.outline(view.place(box_of(w, i)), 2.5, seen);
    canvas.outline(view.place(query), 2, seen);
    canvas.disc(view.point(w.x[asking], w.y[asking]), 5, seen);
}

}  // namespace

void draw_window(Canvas& canvas, const View& view, const Result& result, float radius) {
    const World& w = result.world;
    std::vector<bool> touches(w.size());
    for (const Pair& pair : result.touching) touches[pair.a] = touches[pair.b] = true;

    canvas.fill(view.area, ground);
    canvas.clip(view.area);
    for (const FramePart& part : result.parts) draw_part(canvas, view, part);
    for (std::size_t i = 0; i < w.size(); ++i)
        if (view.shows(box_of(w, i))) draw_agent(canvas, view, w, i, touches[i]);
    for (const Pair& pair : result.touching) draw_touch(canvas, view, w, pair);
    draw_query(canvas, view, w, radius);
    canvas.clip_nothing();
    canvas.outline(view.area, 1, picture::theme::border);
}

}  // namespace throng::demo
