// throng-plot: the table of throng-scaling as a picture, frame time against threads and against agents.
//
//     throng-plot --csv scaling.csv --picture scaling.png
//     throng-plot --csv scaling.csv --model model.csv --picture scaling.png
//
// With a model, what it tells of more workers stands beside what was measured.
#include <set>
#include <utility>

#include "bench/common/command_line.hpp"
#include "bench/common/numbers.hpp"
#include "bench/common/plot/chart.hpp"
#include "bench/common/plot/theme.hpp"
#include "bench/scaling/table.hpp"

namespace throng::bench {

namespace {

using picture::theme::series;
using picture::theme::series_count;

// At most as many lines as there are colours, the first and the last always among them.
template <class T>
std::vector<T> choice(const std::set<T>& all) {
    const std::vector<T> values(all.begin(), all.end());
    if (values.size() <= series_count) return values;
    std::vector<T> some;
    for (std::size_t k = 0; k < series_count; ++k)
        some.push_back(values[k * (values.size() - 1) / (series_count - 1)]);
    return some;
}

picture::Chart against_threads(const std::vector<Point>& points, const std::vector<Point>& model) {
    std::set<std::size_t> agents;
    for (const Point& point : points) agents.insert(point.agents);
    picture::Chart chart{
        .title = "Frame time by threads",
        .subtitle = model.empty()
                        ? "update for all agents, and all pairs"
                        : "lines with discs were measured; thin ones are a model (throng-scaling --model)",
        .x = {.label = "threads", .logarithmic = true, .whole = true},
        .y = {.label = "milliseconds a frame", .logarithmic = true},
        .lines = {}};
    for (const std::size_t n : choice(agents)) {
        picture::Line line{.name = short_number(static_cast<double>(n)) + " agents",
                           .color = series[chart.lines.size()],
                           .points = {},
                           .marks = true};
        for (const Point& point : points)
            if (point.agents == n) line.points.push_back({static_cast<double>(point.threads), point.frame});
        chart.lines.push_back(line);
    }
    for (std::size_t measured = chart.lines.size(), k = 0; k < measured; ++k) {
        picture::Line line{.name = "", .color = chart.lines[k].color, .points = {}, .thickness = 1};
        for (const Point& point : model)
            if (point.agents == choice(agents)[k])
                line.points.push_back({static_cast<double>(point.threads), point.frame});
        if (line.points.empty()) continue;
        line.name = std::exchange(chart.lines[k].name, "") + ", model";
        chart.lines.push_back(line);
    }
    return chart;
}

picture::Chart against_agents(const std::vector<Point>& points) {
    std::set<unsigned> threads;
    for (const Point& point : points) threads.insert(point.threads);
    picture::Chart chart{.title = "Frame time per agent",
                         .subtitle = "level means that time grows just as the crowd does",
                         .x = {.label = "agents", .logarithmic = true},
                         .y = {.label = "nanoseconds an agent"},
                         .lines = {}};
    for (const unsigned count : choice(threads)) {
        picture::Line line{.name = std::to_string(count) + (count == 1 ? " thread" : " threads"),
                           .color = series[chart.lines.size()],
                           .points = {},
                           .marks = true};
        for (const Point& point : points) {
            const auto n = static_cast<double>(point.agents);
            if (point.threads == count) line.points.push_back({n, point.frame * 1e6 / n});
        }
        chart.lines.push_back(line);
    }
    return chart;
}

void plot(const Table& table, const std::vector<Point>& model, const std::string& path) {
    picture::Canvas canvas(path, 1760, 720, picture::theme::background);
    picture::draw(canvas, {32, 32, 864, 660}, against_threads(table.points, model));
    picture::draw(canvas, {896, 32, 1728, 660}, against_agents(table.points));
    canvas.text(32, 700, table.machine, picture::theme::soft_text);
    canvas.write();
}

int run(int argc, char** argv) {
    std::string csv, model, picture;
    CommandLine line("Draws how times grow with threads and agents.", "throng-plot");
    line.required_text("--csv", csv, "The table that throng-scaling wrote");
    line.text("--model", model, "What throng-scaling --model wrote, to be drawn beside it");
    line.required_text("--picture", picture, "Where to draw it; ends in .png or .svg");
    return line.run(argc, argv, [&] {
        plot(read_table(csv), model.empty() ? std::vector<Point>{} : read_model(model).points, picture);
    });
}

}  // namespace

}  // namespace throng::bench

int main(int argc, char** argv) { return throng::bench::run(argc, argv); }
