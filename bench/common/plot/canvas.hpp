// A picture, PNG or SVG, and the few things that can be drawn on it. Cairo does the drawing. Coordinates are
// pixels: (0, 0) is the upper left corner. Whatever lies outside is cut off.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

struct _cairo;
struct _cairo_surface;

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

struct Point {
    double x = 0, y = 0;
};

struct Area {
    double left = 0, top = 0, right = 0, bottom = 0;
    double width() const { return right - left; }
    double height() const { return bottom - top; }
};

// Pixels in rows, all in one array.
struct Image {
    int width = 0, height = 0;
    std::vector<Color> pixels;
};

enum class Align { left, centre, right };

// Heights of letters.
inline constexpr double title_size = 26, text_size = 16;

class Canvas {
public:
    // The file's name ends in .png or .svg and decides which it becomes. Throws std::runtime_error for any
    // other.
    Canvas(const std::string& path, int width, int height, Color background);
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    void fill(const Area& area, Color color, double opacity = 1);
    // The outline of an area, drawn inside it.
    void outline(const Area& area, double thickness, Color color, double opacity = 1);
    void line(Point from, Point to, double thickness, Color color, double opacity = 1);
    void path(const std::vector<Point>& points, double thickness, Color color);
    void disc(Point centre, double radius, Color color);
    // One pixel of the image on one of the canvas, from the upper left corner on.
    void image(double left, double top, const Image& image);

    // A line of text on a baseline; `x` is its left end, middle or right end.
    void text(double x, double baseline, const std::string& words, Color color, Align align = Align::left,
              double size = text_size);
    double text_width(const std::string& words, double size = text_size);

    // What is drawn from now on shows only inside this area.
    void clip(const Area& area);
    void clip_nothing();

    // Writes the file. Throws std::runtime_error if that fails, or if anything before it did.
    void write();

private:
    void paint(Color color, double opacity);
    void box(const Area& area);

    struct Destroy {
        void operator()(_cairo* context) const;
        void operator()(_cairo_surface* surface) const;
    };
    std::string path_;
    bool svg_;
    std::unique_ptr<_cairo_surface, Destroy> surface_;
    std::unique_ptr<_cairo, Destroy> context_;
};

}  // namespace throng::picture
