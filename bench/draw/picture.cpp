#include "bench/draw/picture.hpp"

#include <algorithm>

#include "bench/common/numbers.hpp"
#include "bench/common/plot/canvas.hpp"
#include "bench/common/plot/theme.hpp"

namespace throng::draw {

namespace {

using picture::Area;
using picture::Canvas;
using picture::Color;
namespace theme = picture::theme;

constexpr double margin = 24, panel = 768, header = 76, footer = 44;
constexpr Color ground = picture::rgb(0x0b0f1a), agent = picture::rgb(0xffb454),
                edge = picture::rgb(0xffe0b0);
// From the coarsest part to the finest.
constexpr Color depths[] = {picture::rgb(0x8a93ad), picture::rgb(0xb8a1ff), picture::rgb(0x59c2ff),
                            picture::rgb(0x5de4c7), picture::rgb(0x95e6a2), picture::rgb(0xd9d98c)};

// The world on the panel, with a little of what lies around it; y grows upwards in the world.
struct View {
    Area area;
    float left, bottom, side;

    Area place(const Box& box) const {
        const double scale = area.width() / static_cast<double>(side);
        const auto x = [&](float v) { return area.left + static_cast<double>(v - left) * scale; };
        const auto y = [&](float v) { return area.bottom - static_cast<double>(v - bottom) * scale; };
        return {x(box.min_x), y(box.max_y), x(box.max_x), y(box.min_y)};
    }
    // Parts of a clamped grid may reach far beyond the picture.
    Area place_within(const Box& box) const {
        const Area at = place(box);
        return {std::max(at.left, area.left - 8), std::max(at.top, area.top - 8),
                std::min(at.right, area.right + 8), std::min(at.bottom, area.bottom + 8)};
    }
};

void draw_part(Canvas& canvas, const View& view, const structures::Part& part, std::uint32_t fullest) {
    const Area at = view.place_within(part.box);
    if (at.width() < 0 || at.height() < 0) return;
    const Color color = depths[std::min<std::size_t>(part.depth, std::size(depths) - 1)];
    if (part.leaf && part.elements != 0)
        canvas.fill(at, color, 0.08 + 0.3 * static_cast<double>(part.elements) / fullest);
    canvas.outline(at, part.depth == 0 ? 2 : 1.2, color, part.leaf && part.elements == 0 ? 0.35 : 0.9);
}

void draw_agents(Canvas& canvas, const View& view, const Drawing& drawing) {
    const workload::World& w = *drawing.world;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const Area at = view.place(Box::around(w.x[i], w.y[i], w.hx[i], w.hy[i]));
        if (!drawing.refused[i]) canvas.fill(at, agent, at.width() > 30 ? 0.35 : 0.8);
        canvas.outline(at, 1, drawing.refused[i] ? theme::soft_text : edge);
    }
}

std::string caption(const Drawing& drawing) {
    const auto refused =
        static_cast<std::size_t>(std::count(drawing.refused.begin(), drawing.refused.end(), true));
    const std::size_t kept = drawing.world->size() - refused;
    std::string text = std::to_string(kept) + " agents, " + std::to_string(drawing.parts.size()) +
                       " parts, " + bench::number(static_cast<double>(drawing.bytes)) + " bytes";
    if (refused != 0) text += "; " + std::to_string(refused) + " giants refused";
    return text;
}

}  // namespace

void draw_structure(const Drawing& drawing, const std::string& path) {
    Canvas canvas(path, static_cast<int>(panel + 2 * margin), static_cast<int>(header + panel + footer),
                  theme::background);
    canvas.text(margin, 38, drawing.name, theme::text, picture::Align::left, picture::title_size);
    canvas.text(margin, 62, drawing.what, theme::soft_text);
    const float border = drawing.world->side * 0.02f;
    const View view{
        {margin, header, margin + panel, header + panel}, -border, -border, drawing.world->side + 2 * border};
    canvas.fill(view.area, ground);
    canvas.clip(view.area);
    std::uint32_t fullest = 1;
    for (const structures::Part& part : drawing.parts)
        if (part.leaf) fullest = std::max(fullest, part.elements);
    for (const structures::Part& part : drawing.parts) draw_part(canvas, view, part, fullest);
    draw_agents(canvas, view, drawing);
    canvas.clip_nothing();
    canvas.outline(view.area, 1, theme::border);
    canvas.text(margin, header + panel + 28, caption(drawing), theme::soft_text);
    canvas.write();
}

}  // namespace throng::draw
