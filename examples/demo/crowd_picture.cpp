#include <algorithm>
#include <cmath>
#include <numbers>

#include "bench/common/numbers.hpp"
#include "bench/common/plot/canvas.hpp"
#include "bench/common/plot/theme.hpp"
#include "examples/demo/pictures.hpp"
#include "examples/demo/report.hpp"
#include "examples/demo/view.hpp"

namespace throng::demo {

namespace {

using picture::Area;
using picture::Canvas;
using picture::Color;
using workload::World;
namespace theme = picture::theme;

constexpr double margin = 32, panel = 800, header = 96, footer = 60;
constexpr float window_side = 40;

// The part of the world worth a close look: around an agent that is unusually large but fits in, the nearest
// to the middle of the world. If all agents have one size, the middle itself.
View window_of(const World& w, const Area& area) {
    const float side = std::min(window_side, w.side), middle = w.side / 2;
    float x = middle, y = middle, best = w.side;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const float away = std::hypot(w.x[i] - middle, w.y[i] - middle);
        if (w.hx[i] < 2 || w.hx[i] > side / 5 || away >= best) continue;
        best = away;
        x = w.x[i];
        y = w.y[i];
    }
    const auto begin = [&](float centre) { return std::clamp(centre - side / 2, 0.0f, w.side - side); };
    return {area, begin(x), begin(y), side};
}

// Shows where the window lies: its outline, if that can be seen, and lines to the panel that enlarges it.
void mark_window(Canvas& canvas, const View& overview, const View& window) {
    const Area at =
        overview.place({window.left, window.bottom, window.left + window.side, window.bottom + window.side});
    canvas.outline({at.left - 2, at.top - 2, at.right + 2, at.bottom + 2}, 2, theme::text);
    canvas.line({at.right + 2, at.top - 2}, {window.area.left, window.area.top}, 1.2, theme::text, 0.55);
    canvas.line({at.right + 2, at.bottom + 2}, {window.area.left, window.area.bottom}, 1.2, theme::text,
                0.55);
}

// A wheel that says which colour heads where.
void draw_wheel(Canvas& canvas, double x, double y, double radius) {
    constexpr int spokes = 90;
    for (int spoke = 0; spoke < spokes; ++spoke) {
        const double angle = 2 * std::numbers::pi * spoke / spokes, dx = std::cos(angle),
                     dy = std::sin(angle);
        canvas.line({x + dx * radius / 2, y - dy * radius / 2}, {x + dx * radius, y - dy * radius}, 1.5,
                    heading_color(dx, dy));
    }
}

// A swatch with its meaning; returns where the next one goes.
double draw_key(Canvas& canvas, double x, double y, Color color, bool hollow, const char* words) {
    const Area swatch{x, y - 13, x + 16, y + 3};
    if (hollow)
        canvas.outline(swatch, 2.5, color);
    else
        canvas.fill(swatch, color);
    canvas.text(x + 24, y, words, theme::soft_text);
    return x + 24 + canvas.text_width(words) + 28;
}

void draw_window_keys(Canvas& canvas, double x, double y) {
    x = draw_key(canvas, x, y, picture::rgb(0x33507e), false, "walking freely");
    x = draw_key(canvas, x, y, picture::rgb(0xff9d3c), false, "touching another");
    x = draw_key(canvas, x, y, picture::rgb(0x5de4c7), true, "a query and its answer");
    draw_key(canvas, x, y, picture::rgb(0x2a3a5c), true, "rows and cells");
}

void draw_header(Canvas& canvas, const Options& options, const Result& result) {
    const std::string pairs = bench::number(static_cast<double>(result.touching.size()));
    canvas.text(margin, margin + 22, headline(options, result), theme::text, picture::Align::left,
                picture::title_size);
    canvas.text(margin, margin + 48,
                "frame " + std::to_string(options.frames) + ": " + pairs + " pairs touch", theme::soft_text);
}

}  // namespace

std::vector<std::string> draw_pictures(const Options& options, const Result& result) {
    const std::string crowd = options.directory + "/crowd." + options.format,
                      times = options.directory + "/frame-times." + options.format;
    draw_crowd(options, result, crowd);
    draw_frame_times(options, result, times);
    return {crowd, times};
}

void draw_crowd(const Options& options, const Result& result, const std::string& path) {
    const World& world = result.world;
    // A small world fits into the window, and needs no overview.
    const bool both = world.side > 2 * window_side;
    const double width = both ? 3 * margin + 2 * panel : 2 * margin + panel;
    Canvas canvas(path, static_cast<int>(width), static_cast<int>(header + panel + footer),
                  theme::background);
    draw_header(canvas, options, result);

    const Area left{margin, header, margin + panel, header + panel};
    const Area right{width - margin - panel, header, width - margin, header + panel};
    View window = window_of(world, right);
    if (!both) window = {right, 0, 0, world.side};
    draw_window(canvas, window, result, sight);
    draw_window_keys(canvas, right.left, right.bottom + 34);
    if (both) {
        const View overview{left, 0, 0, world.side};
        draw_overview(canvas, overview, world);
        mark_window(canvas, overview, window);
        draw_wheel(canvas, left.left + 16, left.bottom + 28, 14);
        const char* key =
            shows_single_agents(overview) ? "colour: heading" : "colour: heading    brightness: how crowded";
        canvas.text(left.left + 44, left.bottom + 34, key, theme::soft_text);
    }
    canvas.write();
}

}  // namespace throng::demo
