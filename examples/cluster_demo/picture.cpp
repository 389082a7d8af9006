#include "examples/cluster_demo/picture.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/common/plot/canvas.hpp"
#include "examples/cluster_demo/crowd.hpp"

namespace throng::cluster_demo {

namespace {

constexpr int pixels = 1000, legend = 60;
constexpr std::uint32_t owner_colours[] = {0x2f6db5, 0xd9822b, 0x3a9a5c, 0xb5403f,
                                           0x7d5ba6, 0x8a6a4f, 0xc96aa8, 0x5f6b73};

struct Dot {
    float x, y;
    std::int32_t owner;
    std::int32_t is_copied;
};

picture::Color colour_of(int rank) { return picture::rgb(owner_colours[static_cast<std::size_t>(rank) % 8]); }

int owner_of(const cluster::ClusterEngine& engine, const Point& place) {
    for (int rank = 0; rank < engine.ranks(); ++rank)
        if (engine.domain(rank).overlaps({place.x, place.y, place.x, place.y})) return rank;
    return 0;
}

// The agents of this rank, and behind them its ghosts.
std::vector<Dot> dots_of(const cluster::ClusterEngine& engine) {
    std::vector<Dot> dots;
    for (const Box& box : engine.owned().boxes) {
        const Point at = box.centre();
        dots.push_back({at.x, at.y, engine.rank(), 0});
    }
    for (const Box& box : engine.ghosts().boxes) {
        const Point at = box.centre();
        dots.push_back({at.x, at.y, owner_of(engine, at), 1});
    }
    return dots;
}

std::vector<Dot> gather(const std::vector<Dot>& mine, int ranks) {
    const int bytes = static_cast<int>(mine.size() * sizeof(Dot));
    std::vector<int> counts(static_cast<std::size_t>(ranks)), begins(counts.size());
    MPI_Gather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
    int all = 0;
    for (std::size_t r = 0; r < counts.size(); ++r) {
        begins[r] = all;
        all += counts[r];
    }
    std::vector<Dot> dots(static_cast<std::size_t>(all) / sizeof(Dot));
    MPI_Gatherv(mine.data(), bytes, MPI_BYTE, dots.data(), counts.data(), begins.data(), MPI_BYTE, 0,
                MPI_COMM_WORLD);
    // Copies last, so that they can be seen.
    std::stable_sort(dots.begin(), dots.end(),
                     [](const Dot& a, const Dot& b) { return a.is_copied < b.is_copied; });
    return dots;
}

}  // namespace

void draw(const cluster::ClusterEngine& engine, float side, const std::string& path) {
    const std::vector<Dot> dots = gather(dots_of(engine), engine.ranks());
    if (engine.rank() != 0) return;
    const picture::Color background = picture::rgb(0xffffff), ink = picture::rgb(0x222222);
    const auto to_pixel = [&](float at) {
        return static_cast<double>(std::clamp(at / side, 0.0f, 1.0f)) * pixels;
    };
    picture::Image image{pixels, pixels, std::vector<picture::Color>(pixels * pixels, background)};
    const int size = std::max(1, static_cast<int>(2 * half / side * pixels));
    for (const Dot& dot : dots) {
        const int left = static_cast<int>(to_pixel(dot.x)), top = static_cast<int>(to_pixel(dot.y));
        const picture::Color own = colour_of(dot.owner);
        const picture::Color colour = dot.is_copied != 0 ? mix(own, ink, 0.7) : own;
        for (int row = top; row < std::min(top + size, pixels); ++row)
            for (int column = left; column < std::min(left + size, pixels); ++column)
                image.pixels[static_cast<std::size_t>(row * pixels + column)] = colour;
    }
    picture::Canvas canvas(path, pixels, pixels + legend, background);
    canvas.image(0, 0, image);
    canvas.clip({0, 0, pixels, pixels});
    for (int rank = 0; rank < engine.ranks(); ++rank) {
        const Box part = engine.domain(rank);
        canvas.outline(
            {to_pixel(part.min_x), to_pixel(part.min_y), to_pixel(part.max_x), to_pixel(part.max_y)}, 1.5,
            ink);
    }
    canvas.clip_nothing();
    for (int rank = 0; rank < engine.ranks(); ++rank) {
        const double left = 20 + rank * 90.0;
        if (left > pixels - 300) break;
        canvas.disc({left, pixels + 30}, 8, colour_of(rank));
        canvas.text(left + 14, pixels + 36, "rank " + std::to_string(rank), ink);
    }
    canvas.text(pixels - 20, pixels + 36, "dark: another rank has a copy", ink, picture::Align::right);
    canvas.write();
}

}  // namespace throng::cluster_demo
