#include "bench/common/plot/canvas.hpp"

#include <cairo-svg.h>
#include <cairo.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace throng::picture {

namespace {

std::uint8_t between(std::uint8_t a, std::uint8_t b, double share) {
    return static_cast<std::uint8_t>(std::lround(a + (b - a) * share));
}

bool is_svg(const std::string& path) {
    if (path.ends_with(".svg")) return true;
    if (path.ends_with(".png")) return false;
    throw std::runtime_error("a picture is a .png or a .svg file, which this is not: " + path);
}

cairo_surface_t* make_surface(const std::string& path, bool svg, int width, int height) {
    if (!svg) return cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_surface_t* surface = cairo_svg_surface_create(path.c_str(), width, height);
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    return surface;
}

// Letters at the same places in both formats, smoothed in greys.
void choose_font(cairo_t* context) {
    cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(context, options);
    cairo_font_options_destroy(options);
}

}  // namespace

Color mix(Color a, Color b, double share) {
    share = std::clamp(share, 0.0, 1.0);
    return {between(a.red, b.red, share), between(a.green, b.green, share), between(a.blue, b.blue, share)};
}

void Canvas::Destroy::operator()(_cairo* context) const { cairo_destroy(context); }
void Canvas::Destroy::operator()(_cairo_surface* surface) const { cairo_surface_destroy(surface); }

Canvas::Canvas(const std::string& path, int width, int height, Color background)
    : path_(path),
      svg_(is_svg(path)),
      surface_(make_surface(path, svg_, width, height)),
      context_(cairo_create(surface_.get())) {
    choose_font(context_.get());
    cairo_set_line_cap(context_.get(), CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(context_.get(), CAIRO_LINE_JOIN_ROUND);
    fill({0, 0, static_cast<double>(width), static_cast<double>(height)}, background);
}

void Canvas::paint(Color color, double opacity) {
    cairo_set_source_rgba(context_.get(), color.red / 255.0, color.green / 255.0, color.blue / 255.0,
                          opacity);
}

void Canvas::box(const Area& area) {
    cairo_rectangle(context_.get(), area.left, area.top, area.width(), area.height());
}

void Canvas::fill(const Area& area, Color color, double opacity) {
    paint(color, opacity);
    box(area);
    cairo_fill(context_.get());
}

// The ring between the area and the area without its margin. Where the margin leaves nothing, all of it.
void Canvas::outline(const Area& area, double thickness, Color color, double opacity) {
    const double margin = std::min({thickness, area.width() / 2, area.height() / 2});
    paint(color, opacity);
    box(area);
    box({area.left + margin, area.top + margin, area.right - margin, area.bottom - margin});
    cairo_set_fill_rule(context_.get(), CAIRO_FILL_RULE_EVEN_ODD);
    cairo_fill(context_.get());
    cairo_set_fill_rule(context_.get(), CAIRO_FILL_RULE_WINDING);
}

void Canvas::line(Point from, Point to, double thickness, Color color, double opacity) {
    paint(color, opacity);
    cairo_set_line_width(context_.get(), thickness);
    cairo_move_to(context_.get(), from.x, from.y);
    cairo_line_to(context_.get(), to.x, to.y);
    cairo_stroke(context_.get());
}

void Canvas::path(const std::vector<Point>& points, double thickness, Color color) {
    paint(color, 1);
    cairo_set_line_width(context_.get(), thickness);
    for (const Point& point : points) cairo_line_to(context_.get(), point.x, point.y);
    cairo_stroke(context_.get());
}

void Canvas::disc(Point centre, double radius, Color color) {
    paint(color, 1);
    cairo_arc(context_.get(), centre.x, centre.y, radius, 0, 2 * std::numbers::pi);
    cairo_fill(context_.get());
}

void Canvas::image(double left, double top, const Image& image) {
    const std::unique_ptr<cairo_surface_t, Destroy> pixels(
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, image.width, image.height));
    if (cairo_surface_status(pixels.get()) != CAIRO_STATUS_SUCCESS)
        throw std::runtime_error("cannot draw an image on " + path_);
    unsigned char* data = cairo_image_surface_get_data(pixels.get());
    const int stride = cairo_image_surface_get_stride(pixels.get());
    for (int y = 0; y < image.height; ++y) {
        auto* row = reinterpret_cast<std::uint32_t*>(data + static_cast<std::ptrdiff_t>(y) * stride);
        const Color* from = image.pixels.data() + static_cast<std::ptrdiff_t>(y) * image.width;
        for (int x = 0; x < image.width; ++x)
            row[x] = static_cast<std::uint32_t>(from[x].red << 16 | from[x].green << 8 | from[x].blue);
    }
    cairo_surface_mark_dirty(pixels.get());
    cairo_set_source_surface(context_.get(), pixels.get(), left, top);
    cairo_paint(context_.get());
}

double Canvas::text_width(const std::string& words, double size) {
    cairo_text_extents_t extents;
    cairo_set_font_size(context_.get(), size);
    cairo_text_extents(context_.get(), words.c_str(), &extents);
    return extents.x_advance;
}

void Canvas::text(double x, double baseline, const std::string& words, Color color, Align align,
                  double size) {
    const double width = text_width(words, size);
    if (align == Align::centre) x -= width / 2;
    if (align == Align::right) x -= width;
    paint(color, 1);
    cairo_move_to(context_.get(), x, baseline);
    cairo_show_text(context_.get(), words.c_str());
    cairo_new_path(context_.get());
}

void Canvas::clip(const Area& area) {
    box(area);
    cairo_clip(context_.get());
}

void Canvas::clip_nothing() { cairo_reset_clip(context_.get()); }

void Canvas::write() {
    cairo_status_t status = cairo_status(context_.get());
    if (!svg_ && status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_write_to_png(surface_.get(), path_.c_str());
    cairo_surface_finish(surface_.get());
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface_.get());
    if (status != CAIRO_STATUS_SUCCESS)
        throw std::runtime_error("cannot write " + path_ + ": " + cairo_status_to_string(status));
}

}  // namespace throng::picture
