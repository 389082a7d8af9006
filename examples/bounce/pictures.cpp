#include "examples/bounce/pictures.hpp"

#include <algorithm>

#include "bench/common/machine.hpp"
#include "bench/common/numbers.hpp"
#include "bench/common/plot/bars.hpp"
#include "bench/common/plot/chart.hpp"
#include "bench/common/plot/theme.hpp"

namespace throng::bounce {

namespace {

namespace theme = picture::theme;

constexpr double margin = 32, footer = 40;

// One unit for all, chosen by the slowest.
bench::TimeUnit unit_of(const std::vector<Costs>& all) {
    double longest = 0;
    for (const Costs& costs : all) longest = std::max(longest, costs.frame);
    return bench::time_unit(longest);
}

std::string headline(const Options& options) {
    return bench::number(static_cast<double>(options.agents)) + " agents (" + options.scenario +
           "), one thread; " + (options.by_moves ? "each agent is moved" : "built again in every frame");
}

void sign(picture::Canvas& canvas, double height) {
    canvas.text(margin, height - 18, bench::cpu_name() + ", " + bench::compiler_name(), theme::soft_text);
    canvas.write();
}

// What the parts of a frame cost, with the memory.
void draw_costs(const Options& options, const std::vector<Costs>& all, const std::string& path) {
    const bench::TimeUnit unit = unit_of(all);
    picture::Bars bars{.title = "A frame with each structure",
                       .subtitle = headline(options) + "; medians, and the memory",
                       .axis = unit.name,
                       .parts = {"update", "clean-up", "pairs", "the host's own motion"},
                       .bars = {}};
    for (const Costs& costs : all) {
        picture::Bar bar{.name = costs.name,
                         .parts = {costs.update, costs.clean_up, costs.pairs, costs.motion},
                         .label = bench::duration(costs.frame) + ", " + bench::memory(costs.bytes)};
        for (double& part : bar.parts) part *= unit.in_a_millisecond;
        bars.bars.push_back(bar);
    }
    const double height = margin + picture::bars_height(all.size()) + footer;
    picture::Canvas canvas(path, 1200, static_cast<int>(height), theme::background);
    picture::draw(canvas, {margin, margin, 1200 - margin, height - footer}, bars);
    sign(canvas, height);
}

picture::Chart frames_of(const Costs& costs, const bench::TimeUnit& unit, double highest) {
    picture::Line line{.name = "", .color = theme::series[0], .points = {}};
    for (std::size_t i = 0; i < costs.frames.size(); ++i)
        line.points.push_back({static_cast<double>(i + 1), costs.frames[i] * unit.in_a_millisecond});
    return {.title = costs.name,
            .subtitle = "median " + bench::duration(costs.frame) + ", 99th percentile " +
                        bench::duration(costs.slowest),
            .x = {.label = "frame",
                  .whole = true,
                  .low = 0,
                  .high = static_cast<double>(costs.frames.size()) + 1},
            .y = {.label = unit.name, .low = 0, .high = highest * 1.08},
            .lines = {line},
            .shaded_from = 0,
            .shaded_to = warm_up + 0.5};
}

// Every frame, in a chart for each structure; all have the same axes.
void draw_frames(const Options& options, const std::vector<Costs>& all, const std::string& path) {
    constexpr double width = 560, height = 420, header = 124;
    const bench::TimeUnit unit = unit_of(all);
    double highest = 0;
    for (const Costs& costs : all)
        highest = std::max(highest, *std::max_element(costs.frames.begin(), costs.frames.end()));
    const std::size_t columns = std::min<std::size_t>(all.size(), 3),
                      rows = (all.size() + columns - 1) / columns;
    const double right = margin + static_cast<double>(columns) * (width + margin),
                 bottom = header + static_cast<double>(rows) * (height + margin) + footer;
    picture::Canvas canvas(path, static_cast<int>(std::max(right, 900.0)), static_cast<int>(bottom),
                           theme::background);
    canvas.text(margin, margin + 22, "Frame times: " + headline(options), theme::text, picture::Align::left,
                picture::title_size);
    canvas.text(margin, margin + 50,
                "the first " + std::to_string(warm_up) +
                    " frames (shaded), in which memory grows, are left out of "
                    "medians and percentiles",
                theme::soft_text);
    for (std::size_t k = 0; k < all.size(); ++k) {
        const double left = margin + static_cast<double>(k % columns) * (width + margin),
                     top = header + static_cast<double>(k / columns) * (height + margin);
        picture::draw(canvas, {left, top, left + width, top + height},
                      frames_of(all[k], unit, highest * unit.in_a_millisecond));
    }
    sign(canvas, bottom);
}

}  // namespace

std::vector<std::string> draw_pictures(const Options& options, const std::vector<Costs>& all) {
    const std::string costs = options.directory + "/structures." + options.format,
                      frames = options.directory + "/structures-frame-times." + options.format;
    draw_costs(options, all, costs);
    draw_frames(options, all, frames);
    return {costs, frames};
}

}  // namespace throng::bounce
