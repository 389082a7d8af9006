#include "bench/common/machine.hpp"
#include "bench/common/numbers.hpp"
#include "bench/common/plot/chart.hpp"
#include "bench/common/plot/theme.hpp"
#include "bench/common/statistics.hpp"
#include "examples/demo/pictures.hpp"
#include "examples/demo/report.hpp"

namespace throng::demo {

namespace {

using picture::theme::series;

picture::Line line(const char* name, picture::Color color, const std::vector<double>& times,
                   const bench::TimeUnit& unit, double thickness) {
    picture::Line line{.name = name, .color = color, .points = {}, .thickness = thickness};
    for (std::size_t i = 0; i < times.size(); ++i)
        line.points.push_back({static_cast<double>(i + 1), times[i] * unit.in_a_millisecond});
    return line;
}

// What the frames took, and which of them count.
std::string summary(const Times& times) {
    const std::vector<double> frames = settled(times.frame);
    std::string text = "median " + bench::duration(bench::median(frames)) + ", 99th percentile " +
                       bench::duration(bench::quantile(frames, 0.99));
    if (frames.size() < times.frame.size())
        text +=
            ", both without the first " + std::to_string(warm_up) + " frames (shaded), in which memory grows";
    return text;
}

}  // namespace

void draw_frame_times(const Options& options, const Result& result, const std::string& path) {
    const Times& times = result.times;
    const bench::TimeUnit unit = bench::time_unit(bench::median(settled(times.frame)));
    const bool leaves_out = settled(times.frame).size() < times.frame.size();
    picture::Chart chart{
        .title = "Frame times: " + headline(options, result),
        .subtitle = summary(times),
        .x = {.label = "frame", .whole = true, .low = 0, .high = static_cast<double>(options.frames) + 1},
        .y = {.label = unit.name},
        .lines = {line("update and pairs", series[0], times.frame, unit, 3),
                  line("update", series[1], times.update, unit, 2),
                  line("pairs", series[3], times.pairs, unit, 2),
                  line("queries", series[2], times.queries, unit, 2)},
        .shaded_from = 0,
        .shaded_to = leaves_out ? warm_up + 0.5 : 0};
    picture::Canvas canvas(path, 1440, 780, picture::theme::background);
    picture::draw(canvas, {32, 32, 1408, 724}, chart);
    canvas.text(32, 762, bench::cpu_name() + ", " + bench::compiler_name(), picture::theme::soft_text);
    canvas.write();
}

}  // namespace throng::demo
