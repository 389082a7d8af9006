#include "bench/common/plot/bars.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bench/common/numbers.hpp"
#include "bench/common/plot/scale.hpp"
#include "bench/common/plot/theme.hpp"

namespace throng::picture {

namespace {

constexpr double header = 104, footer = 56, bar_height = 40, gap = 12, half_letter = 5.5;

double length_of(const Bar& bar) { return std::accumulate(bar.parts.begin(), bar.parts.end(), 0.0); }

// What each colour means, in a row above the bars.
void draw_parts(Canvas& canvas, double x, double baseline, const std::vector<std::string>& parts) {
    for (std::size_t k = 0; k < parts.size(); ++k) {
        canvas.fill({x, baseline - 13, x + 16, baseline + 3}, theme::series[k]);
        canvas.text(x + 24, baseline, parts[k], theme::soft_text);
        x += 24 + canvas.text_width(parts[k]) + 28;
    }
}

void draw_bar(Canvas& canvas, const Bar& bar, const Scale& x, double top) {
    double begin = 0;
    for (std::size_t k = 0; k < bar.parts.size(); ++k) {
        const double end = begin + bar.parts[k];
        canvas.fill({x.place(begin), top, x.place(end), top + bar_height - gap}, theme::series[k]);
        begin = end;
    }
    const double baseline = top + (bar_height - gap) / 2 + half_letter;
    canvas.text(x.place(0) - 12, baseline, bar.name, theme::text, Align::right);
    // Over the grid lines, which would cross the letters.
    const double label = x.place(begin) + 12;
    canvas.fill({label - 6, top, label + canvas.text_width(bar.label) + 6, top + bar_height - gap},
                theme::panel);
    canvas.text(label, baseline, bar.label, theme::soft_text);
}

}  // namespace

double bars_height(std::size_t count) {
    return header + footer + gap + bar_height * static_cast<double>(count);
}

void draw(Canvas& canvas, const Area& area, const Bars& bars) {
    double longest = 0, names = 0, labels = 0;
    for (const Bar& bar : bars.bars) {
        longest = std::max(longest, length_of(bar));
        names = std::max(names, canvas.text_width(bar.name));
        labels = std::max(labels, canvas.text_width(bar.label));
    }
    const Area plot{area.left + names + 12, area.top + header, area.right - labels - 24,
                    area.bottom - footer};
    const Scale x(false, 0, longest, plot.left, plot.right);
    canvas.text(area.left, area.top + 22, bars.title, theme::text, Align::left, title_size);
    canvas.text(area.left, area.top + 50, bars.subtitle, theme::soft_text);
    draw_parts(canvas, plot.left, plot.top - 14, bars.parts);
    canvas.fill({plot.left, plot.top, area.right, plot.bottom}, theme::panel);
    for (const double tick : x.ticks(static_cast<int>(plot.width() / 90))) {
        const double at = std::round(x.place(tick));
        canvas.fill({at, plot.top, at + 1, plot.bottom}, theme::grid);
        canvas.text(at, plot.bottom + 22, bench::number(tick), theme::soft_text, Align::centre);
    }
    canvas.text((plot.left + plot.right) / 2, plot.bottom + 46, bars.axis, theme::soft_text, Align::centre);
    for (std::size_t k = 0; k < bars.bars.size(); ++k)
        draw_bar(canvas, bars.bars[k], x, plot.top + gap + bar_height * static_cast<double>(k));
}

}  // namespace throng::picture
