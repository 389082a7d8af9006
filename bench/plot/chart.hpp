// A chart of lines over a pair of axes, each linear or logarithmic, with grid lines at round numbers, a
// title, labels, and the name of every line, either where it ends or in a row above the plot.
#pragma once

#include <string>
#include <vector>

#include "bench/plot/canvas.hpp"

namespace throng::picture {

struct Point {
    double x = 0, y = 0;
};

struct Line {
    std::string name;
    Color color;
    std::vector<Point> points;
    bool marks = false;  // a disc at every point
    double thickness = 2;
};

struct Axis {
    std::string label;
    bool logarithmic = false;
    // Where the axis begins and ends; chosen from the points if both are equal.
    double low = 0, high = 0;
};

struct Chart {
    std::string title, subtitle;
    Axis x, y;
    std::vector<Line> lines;  // the first is drawn on top of the others
};

// Draws the chart so that it fills the area.
void draw(Canvas& canvas, const Area& area, const Chart& chart);

// 1234567 as "1,234,567"; fractions with as many digits as they need, up to three.
std::string number(double value);
// 1200000 as "1.2M", 10000 as "10k".
std::string short_number(double value);

}  // namespace throng::picture
