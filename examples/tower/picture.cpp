#include "examples/tower/picture.hpp"

#include "bench/common/failures.hpp"
#include "bench/common/numbers.hpp"
#include "bench/common/plot/canvas.hpp"
#include "bench/common/plot/theme.hpp"

namespace throng::tower {

namespace {

using picture::Area;
using picture::Canvas;
using picture::Color;
namespace theme = picture::theme;

constexpr int columns = 4, margin = 24, header = 84, footer = 50, above = 26;
constexpr double scale = 11;  // pixels for a unit
constexpr int panel_width = 330, panel_height = 220;
constexpr Color colours[] = {theme::series[0], theme::series[1], picture::rgb(0x5c6886)};

class Storey {
public:
    Storey(Canvas& canvas, const Tower& tower, int number)
        : canvas_(canvas),
          tower_(tower),
          number_(number),
          left_(margin + number % columns * (panel_width + margin)),
          bottom_(header + above + panel_height + number / columns * (panel_height + above + margin)) {}

    // The frame knows who is at these heights. Who is on a flight is on two storeys by and by.
    void draw() {
        const Area area{left_, bottom_ - panel_height, left_ + panel_width, bottom_};
        canvas_.fill(area, theme::panel);
        draw_stairs();
        std::size_t count = 0;
        const float floor = static_cast<float>(number_) * storey_height;
        const Filter on_it{.heights = {floor, floor + storey_height / 2}};
        const auto draw_agent = [&](AgentId id) {
            const Agent& agent = tower_.agents()[id];
            canvas_.disc(place(agent.position()), agent_radius * scale,
                         colours[static_cast<std::size_t>(agent.going)]);
            ++count;
        };
        bench::require(tower_.frame().for_each_overlap(floor_plan, draw_agent, on_it), "those of a storey");
        canvas_.outline(area, 1, theme::border);
        canvas_.text(left_, area.top - 8,
                     "storey " + std::to_string(number_) + ": " + bench::number(static_cast<double>(count)),
                     theme::soft_text);
    }

private:
    picture::Point place(Vec at) const {
        return {left_ + static_cast<double>(at.x) * scale, bottom_ - static_cast<double>(at.y) * scale};
    }
    // Lighter where they are higher.
    void draw_stairs() {
        constexpr int steps = 14;
        for (int i = 0; i < steps; ++i) {
            const float width = (flight.max_x - flight.min_x) / steps,
                        x = flight.min_x + width * static_cast<float>(i);
            const picture::Point low = place({x, flight.min_y}), high = place({x + width, flight.max_y});
            canvas_.fill({low.x, high.y, high.x, low.y}, mix(theme::panel, theme::border, (i + 1.0) / steps));
        }
    }

    Canvas& canvas_;
    const Tower& tower_;
    int number_;
    double left_, bottom_;
};

}  // namespace

void draw(const Tower& tower, const std::string& path) {
    constexpr int rows = storeys / columns, width = margin + columns * (panel_width + margin),
                  height = header + rows * (panel_height + above + margin) + footer;
    Canvas canvas(path, width, height, theme::background);
    canvas.text(
        margin, margin + 22,
        bench::number(static_cast<double>(tower.agents().size())) + " agents in a tower, storey by storey",
        theme::text, picture::Align::left, picture::title_size);
    for (int number = 0; number < storeys; ++number) Storey(canvas, tower, number).draw();
    double x = margin;
    for (const auto& [going, words] : {std::pair{Going::up, "on the way up"},
                                       {Going::down, "on the way down"},
                                       {Going::nowhere, "at a desk"}}) {
        canvas.disc({x + 8, height - 27}, 6, colours[static_cast<std::size_t>(going)]);
        canvas.text(x + 22, height - 22, words, theme::soft_text);
        x += 60 + canvas.text_width(words);
    }
    canvas.write();
}

}  // namespace throng::tower
