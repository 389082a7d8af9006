// Stacked bars that lie one under the other, with a name before and a label behind each of them.
#pragma once

#include <string>
#include <vector>

#include "bench/common/plot/canvas.hpp"

namespace throng::picture {

struct Bar {
    std::string name;
    std::vector<double> parts;  // as many as there are names of parts
    std::string label;
};

struct Bars {
    std::string title, subtitle, axis;
    std::vector<std::string> parts;  // their names, at most as many as the theme has colours
    std::vector<Bar> bars;
};

// How high the area has to be for that many bars.
double bars_height(std::size_t count);

void draw(Canvas& canvas, const Area& area, const Bars& bars);

}  // namespace throng::picture
