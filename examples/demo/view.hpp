// Where in the world a panel of the picture looks, and the two ways of filling one.
#pragma once

#include "bench/common/plot/canvas.hpp"
#include "throng/geometry.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::demo {

// A square of the world on a square of the canvas; y grows upwards in the world.
struct View {
    picture::Area area;
    float left = 0, bottom = 0, side = 0;

    double scale() const { return area.width() / static_cast<double>(side); }
    double x(float world) const { return area.left + static_cast<double>(world - left) * scale(); }
    double y(float world) const { return area.bottom - static_cast<double>(world - bottom) * scale(); }
    picture::Point point(float world_x, float world_y) const { return {x(world_x), y(world_y)}; }
    bool shows(const Box& box) const { return box.overlaps({left, bottom, left + side, bottom + side}); }
    picture::Area place(const Box& box) const {
        return {x(box.min_x), y(box.max_y), x(box.max_x), y(box.min_y)};
    }
};

// The colour of a heading: a wheel of colours round the compass.
picture::Color heading_color(double vx, double vy);

// Whether the overview has room for every agent's box.
bool shows_single_agents(const View& view);

// The whole crowd, however large. The colour tells where to; how bright tells how crowded, unless there is
// room for single agents. Large agents are always drawn.
void draw_overview(picture::Canvas& canvas, const View& view, const workload::World& world);

struct Result;

// Single agents, each with its heading, over the grid that the last frame stands on; those that touch another
// are lit and joined to it. One agent in the middle shows what it sees: the box of its query, and the
// neighbours that are the answer.
void draw_window(picture::Canvas& canvas, const View& view, const Result& result, float radius);

}  // namespace throng::demo
