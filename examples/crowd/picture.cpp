#include "examples/crowd/picture.hpp"

#include <algorithm>
#include <cmath>

#include "bench/common/numbers.hpp"
#include "bench/common/plot/canvas.hpp"
#include "bench/common/plot/theme.hpp"
#include "examples/crowd/report.hpp"

namespace throng::crowd {

namespace {

using picture::Area;
using picture::Canvas;
using picture::Color;
namespace theme = picture::theme;

constexpr double margin = 28, panel = 620, header = 112, footer = 52;
constexpr Color ground = picture::rgb(0x0b0f1a), house = picture::rgb(0x38445f),
                house_edge = picture::rgb(0x6b7a9e);

Color color_of(std::uint32_t goal) { return theme::series[goal % theme::series_count]; }

// The view of a scenario on a square of the canvas; y grows upwards in the world.
class Panel {
public:
    Panel(Canvas& canvas, double left, const Scenario& scenario)
        : canvas_(canvas),
          scenario_(scenario),
          area_{left, header, left + panel, header + panel},
          scale_(panel / static_cast<double>(scenario.view.max_x - scenario.view.min_x)) {}

    void draw(const Moment& moment) {
        canvas_.text(area_.left, header - 14, title(moment), theme::soft_text);
        canvas_.fill(area_, ground);
        canvas_.clip(area_);
        draw_goals();
        for (const Box& wall : scenario_.walls) draw_wall(wall);
        for (std::size_t i = 0; i < moment.trails.size(); ++i)
            draw_trail(moment.trails[i], color_of(goal_of(moment.agents[i])));
        for (const Agent& agent : moment.agents) draw_agent(agent);
        canvas_.clip_nothing();
        canvas_.outline(area_, 1, theme::border);
    }

private:
    static std::string title(const Moment& moment) {
        const std::string step = "frame " + bench::number(moment.step);
        if (moment.agents.empty()) return step + ": all have arrived";
        return step + ": " + bench::number(static_cast<double>(moment.agents.size())) + " on their way";
    }
    picture::Point place(Vec at) const {
        return {area_.left + static_cast<double>(at.x - scenario_.view.min_x) * scale_,
                area_.bottom - static_cast<double>(at.y - scenario_.view.min_y) * scale_};
    }
    std::uint32_t goal_of(const Agent& agent) const { return scenario_.routes[agent.route].goal; }

    // Where agents leave the world.
    void draw_goals() {
        for (const Route& route : scenario_.routes)
            canvas_.line(place(route.gates.back().from), place(route.gates.back().to), 3,
                         color_of(route.goal), 0.5);
    }
    void draw_wall(const Box& wall) {
        const picture::Point low = place({wall.min_x, wall.min_y}), high = place({wall.max_x, wall.max_y});
        const Area area{low.x, high.y, high.x, low.y};
        canvas_.fill(area, house);
        canvas_.outline(area, 1, house_edge, 0.6);
    }
    // Fades towards its old end.
    void draw_trail(const std::vector<Vec>& trail, Color color) {
        const double width = std::clamp(0.6 * scale_, 0.8, 4.0);
        for (std::size_t i = 1; i < trail.size(); ++i)
            canvas_.line(place(trail[i - 1]), place(trail[i]), width, color,
                         0.4 * static_cast<double>(i) / static_cast<double>(trail.size()));
    }
    void draw_agent(const Agent& agent) {
        const double radius = std::max(static_cast<double>(agent.radius) * scale_, 0.6);
        canvas_.disc(place(agent.position()), radius, color_of(goal_of(agent)));
    }

    Canvas& canvas_;
    const Scenario& scenario_;
    Area area_;
    double scale_;
};

void draw_key(Canvas& canvas, const Scenario& scenario, double baseline) {
    double x = margin;
    for (std::uint32_t goal = 0; goal < scenario.goals.size(); ++goal) {
        canvas.disc({x + 8, baseline - 5}, 7, color_of(goal));
        canvas.text(x + 24, baseline, scenario.goals[goal], theme::soft_text);
        x += 24 + canvas.text_width(scenario.goals[goal]) + 28;
    }
}

}  // namespace

std::string draw_picture(const Options& options, const Result& result) {
    const std::string path = options.directory + "/" + options.scenario + "." + options.format;
    const auto panels = static_cast<double>(std::max<std::size_t>(result.moments.size(), 1));
    const double width = margin + panels * (panel + margin);
    Canvas canvas(path, static_cast<int>(width), static_cast<int>(header + panel + footer),
                  theme::background);
    canvas.text(margin, margin + 22, headline(options, result), theme::text, picture::Align::left,
                picture::title_size);
    double left = margin;
    for (const Moment& moment : result.moments) {
        Panel(canvas, left, result.scenario).draw(moment);
        left += panel + margin;
    }
    draw_key(canvas, result.scenario, header + panel + 34);
    canvas.write();
    return path;
}

}  // namespace throng::crowd
