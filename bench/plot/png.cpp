#include "bench/plot/png.hpp"

#include <png.h>

#include <stdexcept>

namespace throng::picture {

void write_png(const Canvas& canvas, const std::string& path) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = static_cast<png_uint_32>(canvas.width());
    image.height = static_cast<png_uint_32>(canvas.height());
    image.format = PNG_FORMAT_RGB;
    const int stride = 3 * canvas.width();
    if (png_image_write_to_file(&image, path.c_str(), 0, canvas.row(0), stride, nullptr) == 0) {
        const std::string reason = image.message;
        png_image_free(&image);
        throw std::runtime_error("cannot write " + path + ": " + reason);
    }
}

}  // namespace throng::picture
