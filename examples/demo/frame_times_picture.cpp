#include "bench/common/machine.hpp"
#include "bench/common/statistics.hpp"
#include "bench/plot/chart.hpp"
#include "bench/plot/png.hpp"
#include "bench/plot/theme.hpp"
#include "examples/demo/pictures.hpp"
#include "examples/demo/report.hpp"

namespace throng::demo {

namespace {

using picture::theme::series;

picture::Line line(const char* name, picture::Color color, const std::vector<double>& times,
                   double thickness) {
    picture::Line line{.name = name, .color = color, .points = {}, .thickness = thickness};
    for (std::size_t i = 0; i < times.size(); ++i)
        line.points.push_back({static_cast<double>(i + 1), times[i]});
    return line;
}

std::string rounded(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    return text;
}

}  // namespace

void draw_frame_times(const Options& options, const Result& result, const std::string& path) {
    const std::vector<double> frames = settled(result.times.frame);
    picture::Chart chart{.title = "Frame times",
                         .subtitle = headline(options, result) + "; median " +
                                     rounded(bench::median(frames)) + " ms, 99th percentile " +
                                     rounded(bench::quantile(frames, 0.99)) + " ms",
                         .x = {.label = "frame", .low = 0, .high = static_cast<double>(options.frames) + 1},
                         .y = {.label = "milliseconds"},
                         .lines = {line("frame: update and pairs", series[0], result.times.frame, 3),
                                   line("update", series[1], result.times.update, 2),
                                   line("pairs", series[3], result.times.pairs, 2),
                                   line("questions", series[2], result.times.questions, 2)}};
    picture::Canvas canvas(1440, 780, picture::theme::background);
    picture::draw(canvas, {32, 32, 1408, 724}, chart);
    canvas.text(32, 748, bench::cpu_name() + ", " + bench::compiler_name(), 2, picture::theme::soft_text);
    picture::write_png(canvas, path);
}

}  // namespace throng::demo
