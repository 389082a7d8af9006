// A chart of lines over a pair of axes, each linear or logarithmic, with grid lines at round numbers, a
// title, labels, and the name of every line beside its end.
#pragma once

#include <string>
#include <vector>

#include "bench/common/plot/canvas.hpp"

namespace throng::picture {

struct Line {
    std::string name;  // one that is empty takes no room
    Color color;
    std::vector<Point> points;
    bool marks = false;  // a disc at every point
    double thickness = 2;
};

struct Axis {
    std::string label;
    bool logarithmic = false;
    bool whole = false;  // has no ticks between whole numbers
    // Where the axis begins and ends; chosen from the points if both are equal.
    double low = 0, high = 0;
};

struct Chart {
    std::string title, subtitle;
    Axis x, y;
    std::vector<Line> lines;  // the first is drawn on top of the others
    // The part of the x axis that is drawn on a lighter ground; none if both are equal.
    double shaded_from = 0, shaded_to = 0;
};

// Draws the chart so that it fills the area.
void draw(Canvas& canvas, const Area& area, const Chart& chart);

}  // namespace throng::picture
