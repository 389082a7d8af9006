#include "bench/common/plot/chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/common/numbers.hpp"
#include "bench/common/plot/scale.hpp"
#include "bench/common/plot/theme.hpp"

namespace throng::picture {

namespace {

// How far a baseline lies below the middle of its letters, and how far apart the names of lines are.
constexpr double half_letter = 5.5, name_height = 20;

struct Range {
    double low, high;
};

// What an axis shows: what it was set to, or the points with some room, from zero where it is linear.
Range range(const Axis& axis, const Chart& chart, double Point::*coordinate) {
    if (axis.high > axis.low) return {axis.low, axis.high};
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Line& line : chart.lines)
        for (const Point& point : line.points) {
            low = std::min(low, point.*coordinate);
            high = std::max(high, point.*coordinate);
        }
    if (!(low <= high)) return {0, 1};
    if (axis.logarithmic) return {low / 1.15, high * 1.15};
    return {std::min(0.0, low), high * 1.08};
}

double room_for_names(Canvas& canvas, const std::vector<Line>& lines) {
    double width = 0;
    for (const Line& line : lines)
        if (!line.name.empty()) width = std::max(width, canvas.text_width(line.name) + 12);
    return width;
}

void draw_axes(Canvas& canvas, const Area& plot, const Chart& chart, const Scale& x, const Scale& y) {
    for (const double tick : y.ticks(static_cast<int>(plot.height() / 55))) {
        const double at = std::round(y.place(tick));
        canvas.fill({plot.left, at, plot.right, at + 1}, theme::grid);
        canvas.text(plot.left - 10, at + half_letter, bench::number(tick), theme::soft_text, Align::right);
    }
    for (const double tick : x.ticks(static_cast<int>(plot.width() / 90))) {
        if (chart.x.whole && std::fabs(tick - std::round(tick)) > 1e-9) continue;
        const double at = std::round(x.place(tick));
        canvas.fill({at, plot.top, at + 1, plot.bottom}, theme::grid);
        canvas.text(at, plot.bottom + 22, bench::short_number(tick), theme::soft_text, Align::centre);
    }
    canvas.outline(plot, 1, theme::border);
    canvas.text(plot.left, plot.top - 10, chart.y.label, theme::soft_text);
    canvas.text((plot.left + plot.right) / 2, plot.bottom + 46, chart.x.label, theme::soft_text,
                Align::centre);
}

void draw_line(Canvas& canvas, const Line& line, const Scale& x, const Scale& y) {
    std::vector<Point> points;
    for (const Point& point : line.points) points.push_back({x.place(point.x), y.place(point.y)});
    canvas.path(points, line.thickness, line.color);
    if (!line.marks && points.size() > 1) return;
    for (const Point& point : points) canvas.disc(point, 4, line.color);
}

// The names in the order of the ends of their lines, and moved apart where these lie close together.
void draw_names(Canvas& canvas, const Area& plot, const std::vector<Line>& lines, const Scale& y) {
    struct Name {
        const Line* line;
        double at;
    };
    std::vector<Name> names;
    for (const Line& line : lines)
        if (!line.name.empty() && !line.points.empty())
            names.push_back({&line, y.place(line.points.back().y)});
    std::stable_sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.at < b.at; });
    for (std::size_t i = 1; i < names.size(); ++i)
        names[i].at = std::max(names[i].at, names[i - 1].at + name_height);
    double lowest = plot.bottom - half_letter;
    for (std::size_t i = names.size(); i-- > 0; lowest -= name_height)
        lowest = names[i].at = std::min(names[i].at, lowest);
    for (const Name& name : names)
        canvas.text(plot.right + 12, name.at + half_letter, name.line->name, name.line->color);
}

}  // namespace

void draw(Canvas& canvas, const Area& area, const Chart& chart) {
    const Area plot{area.left + 64, area.top + 104,
                    area.right - std::max(16.0, room_for_names(canvas, chart.lines)), area.bottom - 56};
    const Range xs = range(chart.x, chart, &Point::x), ys = range(chart.y, chart, &Point::y);
    const Scale x(chart.x.logarithmic, xs.low, xs.high, plot.left, plot.right);
    const Scale y(chart.y.logarithmic, ys.low, ys.high, plot.bottom, plot.top);
    canvas.text(area.left, area.top + 22, chart.title, theme::text, Align::left, title_size);
    canvas.text(area.left, area.top + 50, chart.subtitle, theme::soft_text);
    canvas.fill(plot, theme::panel);
    if (chart.shaded_to > chart.shaded_from)
        canvas.fill({x.place(chart.shaded_from), plot.top, x.place(chart.shaded_to), plot.bottom},
                    theme::shade);
    draw_axes(canvas, plot, chart, x, y);
    canvas.clip(plot);
    for (std::size_t k = chart.lines.size(); k-- > 0;) draw_line(canvas, chart.lines[k], x, y);
    canvas.clip_nothing();
    draw_names(canvas, plot, chart.lines, y);
}

}  // namespace throng::picture
