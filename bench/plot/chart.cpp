#include "bench/plot/chart.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "bench/plot/font.hpp"
#include "bench/plot/scale.hpp"
#include "bench/plot/theme.hpp"

namespace throng::picture {

namespace {

constexpr int small = 2, large = 3;
constexpr double small_height = glyph_rows * small;

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

void draw_titles(Canvas& canvas, const Area& area, const Chart& chart) {
    canvas.text(area.left, area.top, chart.title, large, theme::text);
    canvas.text(area.left, area.top + glyph_rows * large + 12, chart.subtitle, small, theme::soft_text);
}

// The names of the lines in a row, each behind a stroke of its colour.
void draw_legend(Canvas& canvas, double right, double top, const std::vector<Line>& lines) {
    double width = 0;
    for (const Line& line : lines) width += 28 + text_width(line.name) * small + 24;
    double x = right - width + 24;
    for (const Line& line : lines) {
        canvas.line(x, top + small_height / 2, x + 20, top + small_height / 2, 4, line.color);
        canvas.text(x + 28, top, line.name, small, theme::soft_text);
        x += 28 + text_width(line.name) * small + 24;
    }
}

void draw_axes(Canvas& canvas, const Area& plot, const Chart& chart, const Scale& x, const Scale& y) {
    canvas.fill(plot, theme::panel);
    for (const double tick : y.ticks(static_cast<int>(plot.height() / 55))) {
        const double at = std::round(y.place(tick));
        canvas.fill({plot.left, at, plot.right, at + 1}, theme::grid);
        canvas.text(plot.left - 12, at - small_height / 2, number(tick), small, theme::soft_text,
                    Align::right);
    }
    for (const double tick : x.ticks(static_cast<int>(plot.width() / 90))) {
        const double at = std::round(x.place(tick));
        canvas.fill({at, plot.top, at + 1, plot.bottom}, theme::grid);
        canvas.text(at, plot.bottom + 12, short_number(tick), small, theme::soft_text, Align::centre);
    }
    canvas.outline(plot, 1, theme::border);
    canvas.text(plot.left, plot.top - small_height - 12, chart.y.label, small, theme::soft_text);
    canvas.text((plot.left + plot.right) / 2, plot.bottom + 38, chart.x.label, small, theme::soft_text,
                Align::centre);
}

void draw_line(Canvas& canvas, const Line& line, const Scale& x, const Scale& y) {
    for (std::size_t i = 1; i < line.points.size(); ++i) {
        const Point a = line.points[i - 1], b = line.points[i];
        canvas.line(x.place(a.x), y.place(a.y), x.place(b.x), y.place(b.y), line.thickness, line.color);
    }
    if (!line.marks && line.points.size() > 1) return;
    for (const Point& point : line.points) canvas.disc(x.place(point.x), y.place(point.y), 4, line.color);
}

}  // namespace

void draw(Canvas& canvas, const Area& area, const Chart& chart) {
    const Area plot{area.left + 80, area.top + 104, area.right - 16, area.bottom - 56};
    const Range xs = range(chart.x, chart, &Point::x), ys = range(chart.y, chart, &Point::y);
    const Scale x(chart.x.logarithmic, xs.low, xs.high, plot.left, plot.right);
    const Scale y(chart.y.logarithmic, ys.low, ys.high, plot.bottom, plot.top);
    draw_titles(canvas, area, chart);
    draw_axes(canvas, plot, chart, x, y);
    draw_legend(canvas, plot.right, plot.top - small_height - 12, chart.lines);
    canvas.clip(plot);
    for (std::size_t k = chart.lines.size(); k-- > 0;) draw_line(canvas, chart.lines[k], x, y);
    canvas.clip_nothing();
}

std::string number(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.3f", value);
    std::string digits = text;
    while (digits.back() == '0') digits.pop_back();
    if (digits.back() == '.') digits.pop_back();
    const std::size_t whole = std::min(digits.find('.'), digits.size()), first = digits[0] == '-' ? 1 : 0;
    for (std::size_t at = whole; at > first + 3; at -= 3) digits.insert(at - 3, ",");
    return digits;
}

std::string short_number(double value) {
    if (value >= 1e6) return number(value / 1e6) + "M";
    if (value >= 1e4) return number(value / 1e3) + "k";
    return number(value);
}

}  // namespace throng::picture
