// A picture in memory, and the few things that can be drawn on it. Coordinates are pixels, (0, 0) the upper
// left corner of the upper left pixel; edges that do not fall on pixels are smoothed. Whatever lies outside
// is cut off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace throng::picture {

struct Color {
    std::uint8_t red = 0, green = 0, blue = 0;
};

constexpr Color rgb(std::uint32_t hex) {
    return {static_cast<std::uint8_t>(hex >> 16 & 255), static_cast<std::uint8_t>(hex >> 8 & 255),
            static_cast<std::uint8_t>(hex & 255)};
}

// Between two colours: 0 is the first, 1 the second.
Color mix(Color a, Color b, double share);

struct Area {
    double left = 0, top = 0, right = 0, bottom = 0;
    double width() const { return right - left; }
    double height() const { return bottom - top; }
    // The same with a margin taken off all round.
    Area within(double margin) const {
        return {left + margin, top + margin, right - margin, bottom - margin};
    }
};

enum class Align { left, centre, right };

class Canvas {
public:
    Canvas(int width, int height, Color background);

    int width() const { return width_; }
    int height() const { return height_; }
    const std::uint8_t* row(int y) const { return &pixels_[index(0, y)]; }

    // One pixel, covered by a share from 0 to 1.
    void blend(int x, int y, Color color, double share);
    void fill(const Area& area, Color color, double opacity = 1);
    // The outline of an area, drawn inside it.
    void outline(const Area& area, double thickness, Color color, double opacity = 1);
    void line(double x0, double y0, double x1, double y1, double thickness, Color color, double opacity = 1);
    void disc(double x, double y, double radius, Color color, double opacity = 1);

    // A line of text whose capital letters stand between `top` and `top + 7 * size`; `x` is its left end,
    // middle or right end. A dot is `size` pixels wide.
    void text(double x, double top, std::string_view words, int size, Color color, Align align = Align::left);

    // What is drawn from now on shows only inside this area.
    void clip(const Area& area);
    void clip_nothing();

private:
    std::size_t index(int x, int y) const {
        return (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                static_cast<std::size_t>(x)) *
               3;
    }

    int width_ = 0, height_ = 0;
    int clip_left_ = 0, clip_top_ = 0, clip_right_ = 0, clip_bottom_ = 0;
    std::vector<std::uint8_t> pixels_;
};

}  // namespace throng::picture
