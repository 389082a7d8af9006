#include "bench/plot/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "bench/plot/font.hpp"

namespace throng::picture {

namespace {

std::uint8_t between(std::uint8_t a, std::uint8_t b, double share) {
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * share));
}

int pixel(double coordinate, int low, int high) {
    return static_cast<int>(std::clamp(coordinate, static_cast<double>(low), static_cast<double>(high)));
}

// How much of the pixel [at, at + 1] lies in [low, high].
double covered(int at, double low, double high) {
    return std::clamp(std::min(high, at + 1.0) - std::max(low, static_cast<double>(at)), 0.0, 1.0);
}

}  // namespace

Color mix(Color a, Color b, double share) {
    share = std::clamp(share, 0.0, 1.0);
    return {between(a.red, b.red, share), between(a.green, b.green, share), between(a.blue, b.blue, share)};
}

Canvas::Canvas(int width, int height, Color background) : width_(width), height_(height) {
    pixels_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
    for (std::size_t i = 0; i < pixels_.size(); i += 3) {
        pixels_[i] = background.red;
        pixels_[i + 1] = background.green;
        pixels_[i + 2] = background.blue;
    }
    clip_nothing();
}

void Canvas::clip(const Area& area) {
    clip_left_ = pixel(area.left, 0, width_);
    clip_top_ = pixel(area.top, 0, height_);
    clip_right_ = pixel(area.right, 0, width_);
    clip_bottom_ = pixel(area.bottom, 0, height_);
}

void Canvas::clip_nothing() { clip({0, 0, static_cast<double>(width_), static_cast<double>(height_)}); }

void Canvas::blend(int x, int y, Color color, double share) {
    if (x < clip_left_ || x >= clip_right_ || y < clip_top_ || y >= clip_bottom_) return;
    std::uint8_t* p = &pixels_[index(x, y)];
    p[0] = between(p[0], color.red, share);
    p[1] = between(p[1], color.green, share);
    p[2] = between(p[2], color.blue, share);
}

void Canvas::fill(const Area& area, Color color, double opacity) {
    const int left = pixel(std::floor(area.left), clip_left_, clip_right_);
    const int right = pixel(std::ceil(area.right), clip_left_, clip_right_);
    const int top = pixel(std::floor(area.top), clip_top_, clip_bottom_);
    const int bottom = pixel(std::ceil(area.bottom), clip_top_, clip_bottom_);
    for (int y = top; y < bottom; ++y) {
        const double share = opacity * covered(y, area.top, area.bottom);
        for (int x = left; x < right; ++x) blend(x, y, color, share * covered(x, area.left, area.right));
    }
}

void Canvas::outline(const Area& area, double thickness, Color color, double opacity) {
    const double inner_top = std::min(area.top + thickness, area.bottom);
    const double inner_bottom = std::max(area.bottom - thickness, inner_top);
    fill({area.left, area.top, area.right, inner_top}, color, opacity);
    fill({area.left, inner_bottom, area.right, area.bottom}, color, opacity);
    fill({area.left, inner_top, std::min(area.left + thickness, area.right), inner_bottom}, color, opacity);
    fill({std::max(area.right - thickness, area.left), inner_top, area.right, inner_bottom}, color, opacity);
}

void Canvas::line(double x0, double y0, double x1, double y1, double thickness, Color color, double opacity) {
    const double reach = thickness / 2 + 1, dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
    const int top = pixel(std::floor(std::min(y0, y1) - reach), clip_top_, clip_bottom_);
    const int bottom = pixel(std::ceil(std::max(y0, y1) + reach), clip_top_, clip_bottom_);
    const int left = pixel(std::floor(std::min(x0, x1) - reach), clip_left_, clip_right_);
    const int right = pixel(std::ceil(std::max(x0, x1) + reach), clip_left_, clip_right_);
    for (int y = top; y < bottom; ++y)
        for (int x = left; x < right; ++x) {
            // The distance of the pixel's middle from the nearest point of the segment.
            const double px = x + 0.5 - x0, py = y + 0.5 - y0;
            const double along = length > 0 ? std::clamp((px * dx + py * dy) / length, 0.0, 1.0) : 0.0;
            const double distance = std::hypot(px - along * dx, py - along * dy);
            const double share = std::clamp(thickness / 2 + 0.5 - distance, 0.0, 1.0);
            if (share > 0) blend(x, y, color, share * opacity);
        }
}

void Canvas::disc(double x, double y, double radius, Color color, double opacity) {
    line(x, y, x, y, 2 * radius, color, opacity);
}

void Canvas::text(double x, double top, std::string_view words, int size, Color color, Align align) {
    const double width = static_cast<double>(text_width(words) * size);
    double left = x;
    if (align == Align::centre) left -= width / 2;
    if (align == Align::right) left -= width;
    left = std::round(left);
    top = std::round(top);
    for (const char letter : words) {
        const Glyph& shape = glyph(letter);
        const Extent columns = extent(shape);
        for (int row = 0; row < glyph_rows; ++row)
            for (int column = 0; column < columns.count; ++column) {
                if (!shape.dot(columns.first + column, row)) continue;
                const double dot_x = left + column * size, dot_y = top + (row + shape.drop) * size;
                fill({dot_x, dot_y, dot_x + size, dot_y + size}, color);
            }
        left += (columns.count + 1) * size;
    }
}

}  // namespace throng::picture
