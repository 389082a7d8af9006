#include <algorithm>
#include <cmath>

#include "bench/common/plot/theme.hpp"
#include "bench/common/statistics.hpp"
#include "examples/demo/view.hpp"

namespace throng::demo {

namespace {

using workload::World;

constexpr picture::Color night = picture::rgb(0x05070d);

// One value a pixel, in rows.
struct Raster {
    int side;
    std::vector<double> values;

    explicit Raster(int pixels)
        : side(pixels), values(static_cast<std::size_t>(pixels) * static_cast<std::size_t>(pixels)) {}
    double& at(int x, int y) { return values[static_cast<std::size_t>(y * side + x)]; }

    // Spreads each value over its neighbours: [1 4 6 4 1] / 16 along the rows, and then along the columns.
    void soften() {
        blur(1, side);
        blur(side, 1);
    }

private:
    void blur(int along, int across) {
        constexpr double weights[] = {1 / 16.0, 4 / 16.0, 6 / 16.0, 4 / 16.0, 1 / 16.0};
        std::vector<double> line(static_cast<std::size_t>(side));
        for (int row = 0; row < side; ++row) {
            for (int i = 0; i < side; ++i) {
                double sum = 0;
                for (int k = -2; k <= 2; ++k)
                    sum += weights[k + 2] * value(row * across + std::clamp(i + k, 0, side - 1) * along);
                line[static_cast<std::size_t>(i)] = sum;
            }
            for (int i = 0; i < side; ++i)
                value(row * across + i * along) = line[static_cast<std::size_t>(i)];
        }
    }
    double& value(int index) { return values[static_cast<std::size_t>(index)]; }
};

// Agents and their velocities, summed up for every pixel.
struct Flow {
    Raster count, vx, vy;

    Flow(const View& view, const World& w, int pixels) : count(pixels), vx(pixels), vy(pixels) {
        for (std::size_t i = 0; i < w.size(); ++i) {
            const int x = static_cast<int>(view.x(w.x[i]) - view.area.left);
            const int y = static_cast<int>(view.y(w.y[i]) - view.area.top);
            if (x < 0 || x >= pixels || y < 0 || y >= pixels) continue;
            count.at(x, y) += 1;
            vx.at(x, y) += static_cast<double>(w.vx[i]);
            vy.at(x, y) += static_cast<double>(w.vy[i]);
        }
        for (Raster* raster : {&count, &vx, &vy}) {
            raster->soften();
            raster->soften();
        }
    }
};

void draw_flow(picture::Canvas& canvas, const View& view, const World& w) {
    const int pixels = static_cast<int>(view.area.width());
    Flow flow(view, w, pixels);
    // Otherwise the most crowded places would leave all others dark, so brightness grows with the logarithm.
    const double full = std::max(bench::quantile(flow.count.values, 0.995), 1e-9);
    const double average = static_cast<double>(w.size()) / (static_cast<double>(pixels) * pixels);
    const double bend = 0.6 * full / average;
    picture::Image image{.width = pixels, .height = pixels};
    for (int y = 0; y < pixels; ++y)
        for (int x = 0; x < pixels; ++x) {
            const double share = std::min(flow.count.at(x, y) / full, 1.0);
            const double light = std::log1p(bend * share) / std::log1p(bend);
            const picture::Color color = heading_color(flow.vx.at(x, y), flow.vy.at(x, y));
            image.pixels.push_back(picture::mix(night, color, light));
        }
    canvas.image(view.area.left, view.area.top, image);
}

// Only the agents that are at least so many pixels wide.
void draw_boxes(picture::Canvas& canvas, const View& view, const World& w, double pixels) {
    for (std::size_t i = 0; i < w.size(); ++i) {
        if (2 * static_cast<double>(w.hx[i]) * view.scale() < pixels) continue;
        const picture::Area area = view.place(Box::around(w.x[i], w.y[i], w.hx[i], w.hy[i]));
        const picture::Color color =
            heading_color(static_cast<double>(w.vx[i]), static_cast<double>(w.vy[i]));
        const bool large = area.width() > 8;
        canvas.fill(area, color, large ? 0.3 : 0.9);
        if (large) canvas.outline(area, 1, color, 0.9);
    }
}

}  // namespace

// A ring of colours of about the same brightness, so that no heading stands out.
picture::Color heading_color(double vx, double vy) {
    constexpr double turn = 6.283185307179586;
    constexpr std::size_t count = 6;
    constexpr picture::Color ring[count] = {picture::rgb(0xf2a65a), picture::rgb(0xd8cf6a),
                                            picture::rgb(0x4fc3a1), picture::rgb(0x4a90d9),
                                            picture::rgb(0x8a6fd1), picture::rgb(0xdf6a8f)};
    const double place = (std::atan2(vy, vx) / turn + 1) * count;
    const auto at = static_cast<std::size_t>(place);
    return picture::mix(ring[at % count], ring[(at + 1) % count], place - static_cast<double>(at));
}

bool shows_single_agents(const View& view) { return view.scale() >= 2; }

void draw_overview(picture::Canvas& canvas, const View& view, const World& world) {
    canvas.fill(view.area, night);
    canvas.clip(view.area);
    const bool single = shows_single_agents(view);
    if (!single) draw_flow(canvas, view, world);
    draw_boxes(canvas, view, world, single ? 0 : 4);
    canvas.clip_nothing();
    canvas.outline(view.area, 1, picture::theme::border);
}

}  // namespace throng::demo
