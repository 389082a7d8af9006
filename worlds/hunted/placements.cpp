#include "worlds/hunted/placements.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace throng::worlds {

namespace {

using Kind = Parameter::Kind;

struct Site {
    const Values& values;
    double side;
    Random& random;
    std::span<Point> points;

    Point anywhere(double width, double height) {
        const double x = random.uniform(-0.5, 0.5), y = random.uniform(-0.5, 0.5);
        return {x * width, y * height};
    }
    Point on_ring(double radius) {
        const Point direction = on_circle(random.uniform());
        return {radius * direction.x, radius * direction.y};
    }
};

// values: aspect
void square(Site& site) {
    const double stretch = std::sqrt(site.values[0]);
    for (Point& point : site.points) point = site.anywhere(site.side * stretch, site.side / stretch);
}

void disc(Site& site) {
    for (Point& point : site.points)
        point = site.on_ring(0.5642 * site.side * std::sqrt(site.random.uniform()));
}

void one_point(Site& site) { std::fill(site.points.begin(), site.points.end(), Point{}); }

std::vector<Point> spots(Site& site, std::size_t count, double side) {
    std::vector<Point> all(count);
    for (Point& spot : all) spot = site.anywhere(side, side);
    return all;
}

std::size_t groups_of(const Site& site, double each) {
    return static_cast<std::size_t>(std::ceil(static_cast<double>(site.points.size()) / each)) + 1;
}

// values: each
void piles(Site& site) {
    const std::vector<Point> all = spots(site, groups_of(site, site.values[0]), site.side);
    for (Point& point : site.points) point = all[site.random.below(all.size())];
}

// values: step, width
void line(Site& site) {
    const double length = site.values[0] * static_cast<double>(site.points.size());
    for (Point& point : site.points) point = site.anywhere(length, site.values[1]);
}

// values: columns (0: as many as rows), step, jitter
void lattice(Site& site) {
    const std::size_t count = site.points.size();
    std::size_t columns = static_cast<std::size_t>(site.values[0]);
    if (columns == 0) columns = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count))));
    columns = std::max<std::size_t>(1, std::min(columns, count));
    const std::size_t left = columns / 2, low = count / columns / 2;
    for (std::size_t i = 0; i < count; ++i) {
        const Point shift = site.values[2] > 0 ? site.anywhere(site.values[2], site.values[2]) : Point{};
        const double x = static_cast<double>(i % columns) - static_cast<double>(left);
        const double y = static_cast<double>(i / columns) - static_cast<double>(low);
        site.points[i] = {site.values[1] * x + shift.x, site.values[1] * y + shift.y};
    }
}

// values: octaves, centres, apart
void radial(Site& site) {
    const auto centres = static_cast<std::size_t>(site.values[1]);
    std::vector<Point> all = spots(site, centres, site.values[2]);
    if (centres == 1) all[0] = {};
    for (Point& point : site.points) {
        const Point centre = all[site.random.below(all.size())];
        const Point away = site.on_ring(exp2(site.random.uniform() * site.values[0]));
        point = {centre.x + away.x, centre.y + away.y};
    }
}

// At each level an agent goes to one of so many spots. They lie by the path to them, or, if there are no
// arms, in the corners of a square.
void nested(Site& site, int levels, std::size_t arms, double ratio) {
    const std::uint64_t salt = site.random.next();
    for (Point& point : site.points) {
        double reach = 1;
        std::uint64_t path = salt;
        point = {};
        for (int level = 0; level < levels; ++level) {
            const std::uint64_t arm = site.random.below(arms == 0 ? 4 : arms);
            path = mix(path + arm + 1);
            const double x =
                arms == 0 ? static_cast<double>(arm & 1) : static_cast<double>(path >> 40) * 0x1p-24;
            const double y =
                arms == 0 ? static_cast<double>(arm >> 1) : static_cast<double>(path & 0xFFFFFF) * 0x1p-24;
            point.x += reach * (x - 0.5);
            point.y += reach * (y - 0.5);
            reach /= ratio;
        }
        // The smallest spots are a few units apart.
        point.x /= reach;
        point.y /= reach;
    }
}

// values: levels, arms, ratio
void clusters(Site& site) {
    nested(site, static_cast<int>(site.values[0]), static_cast<std::size_t>(site.values[1]), site.values[2]);
}
// values: levels, ratio
void cantor(Site& site) { nested(site, static_cast<int>(site.values[0]), 0, site.values[1]); }

// values: each, continent
void villages(Site& site) {
    const std::vector<Point> all = spots(site, groups_of(site, site.values[0]), site.values[1]);
    const double side = 2 * std::sqrt(site.values[0]);
    for (Point& point : site.points) {
        const Point centre = all[site.random.below(all.size())], offset = site.anywhere(side, side);
        point = {centre.x + offset.x, centre.y + offset.y};
    }
}

// values: teeth, width
void comb(Site& site) {
    const auto teeth = static_cast<std::size_t>(site.values[0]);
    for (Point& point : site.points) {
        const Point in_tooth = site.anywhere(site.values[1], site.side);
        const double tooth =
            (static_cast<double>(site.random.below(teeth)) + 0.5) / static_cast<double>(teeth);
        point = {site.side * (tooth - 0.5) + in_tooth.x, in_tooth.y};
    }
}

// values: turns, width
void spiral(Site& site) {
    for (Point& point : site.points) {
        const double t = site.random.uniform();
        const Point direction = on_circle(site.values[0] * t),
                    shift = site.anywhere(site.values[1], site.values[1]);
        point = {0.5 * site.side * t * direction.x + shift.x, 0.5 * site.side * t * direction.y + shift.y};
    }
}

// values: reach
void scouts(Site& site) {
    for (Point& point : site.points) point = site.anywhere(2 * site.values[0], 2 * site.values[0]);
}

// values: octaves. Both coordinates by octaves, so most agents are near one of the axes.
void hinterland(Site& site) {
    const auto coordinate = [&site] {
        const double distance = exp2(site.random.uniform() * site.values[0]);
        return site.random.one_in(2) ? distance : -distance;
    };
    for (Point& point : site.points) {
        point.x = coordinate();
        point.y = coordinate();
    }
}

// values: rays, octaves. As radial, on a few rays from the centre.
void star(Site& site) {
    const auto rays = static_cast<std::size_t>(site.values[0]);
    for (Point& point : site.points) {
        const double turn = static_cast<double>(site.random.below(rays)) / static_cast<double>(rays);
        const double radius = exp2(site.random.uniform() * site.values[1]);
        const Point direction = on_circle(turn);
        point = {radius * direction.x, radius * direction.y};
    }
}

// values: each. Piles of exactly so many.
void stacks(Site& site) {
    const auto each = static_cast<std::size_t>(site.values[0]);
    Point spot;
    for (std::size_t i = 0; i < site.points.size(); ++i) {
        if (i % each == 0) spot = site.anywhere(site.side, site.side);
        site.points[i] = spot;
    }
}

// How far so many agents of a crowd reach that stand side by side.
constexpr double room_of_an_agent = 2;
double length_of_strip(const Site& site, double width) {
    return room_of_an_agent * room_of_an_agent * static_cast<double>(site.points.size()) / width;
}
// values: agents
void strip(Site& site) {
    const double width = room_of_an_agent * site.values[0];
    for (Point& point : site.points) point = site.anywhere(width, length_of_strip(site, width));
}
void ribbon(Site& site) {
    const double width = room_of_an_agent * site.values[0];
    for (Point& point : site.points) point = site.anywhere(length_of_strip(site, width), width);
}

// values: storeys
void tower(Site& site) {
    const double side = site.side / std::sqrt(site.values[0]);
    for (Point& point : site.points) point = site.anywhere(side, side);
}

struct Placement {
    Recipe recipe;
    void (*run)(Site& site);
};

constexpr Parameter octaves(double fallback) { return {"octaves", fallback, 0, 100}; }
constexpr Parameter agents_across{"agents", 3, 0.5, 20};

constexpr Placement all_placements[] = {
    {{"square",
      "evenly in a square, or a rectangle so many times wider than high",
      {{{"aspect", 1, 1e-9, 1e9, Kind::by_magnitude}}}},
     square},
    {{"disc", "evenly in a disc"}, disc},
    {{"point", "all at one point"}, one_point},
    {{"piles", "at points, so many agents at each", {{{"each", 16, 1, 1000, Kind::whole_by_magnitude}}}},
     piles},
    {{"line",
      "a road: an agent to so many units of its length",
      {{{"step", 1, 1e-6, 1e6, Kind::by_magnitude}, {"width", 1, 0, 1000}}}},
     line},
    {{"lattice",
      "in rank and file, as many columns as rows if it does not say how many",
      {{{"columns", 0, 0, 1e6, Kind::whole_by_magnitude},
        {"step", 1, 1e-6, 1e6, Kind::by_magnitude},
        {"jitter", 0, 0, 10}}}},
     lattice},
    {{"radial",
      "as many in each octave of the distance from the centre, or from the nearest of several",
      {{octaves(30),
        {"centres", 1, 1, 1e4, Kind::whole_by_magnitude},
        {"apart", 1e6, 1, 1e30, Kind::by_magnitude}}}},
     radial},
    {{"clusters",
      "clusters in clusters, each so many times smaller than the one around it",
      {{{"levels", 4, 1, 20, Kind::whole_by_magnitude},
        {"arms", 8, 1, 1000, Kind::whole_by_magnitude},
        {"ratio", 10, 1.1, 1000, Kind::by_magnitude}}}},
     clusters},
    {{"cantor",
      "Cantor's dust: four corners of four corners, each so many times smaller",
      {{{"levels", 8, 1, 20, Kind::whole_by_magnitude}, {"ratio", 4, 2, 1000, Kind::by_magnitude}}}},
     cantor},
    {{"villages",
      "squares of crowd, far apart on a continent",
      {{{"each", 1000, 1, 1e5, Kind::whole_by_magnitude}, {"continent", 1e6, 1, 1e30, Kind::by_magnitude}}}},
     villages},
    {{"comb",
      "upright stripes across the crowd's square",
      {{{"teeth", 100, 1, 1e5, Kind::whole_by_magnitude}, {"width", 0.1, 0, 100}}}},
     comb},
    {{"spiral", "along a spiral", {{{"turns", 10, 0.1, 1000, Kind::by_magnitude}, {"width", 1, 0, 100}}}},
     spiral},
    {{"scouts", "evenly, as far out as it says", {{{"reach", 1e6, 1, 1e30, Kind::by_magnitude}}}}, scouts},
    {{"hinterland",
      "as many in each octave of each coordinate: two roads that cross, and the country between",
      {{octaves(20)}}},
     hinterland},
    {{"star",
      "as many in each octave of the distance, on a few rays",
      {{{"rays", 4, 1, 1000, Kind::whole_by_magnitude}, octaves(20)}}},
     star},
    {{"stacks",
      "at points, exactly so many agents at each",
      {{{"each", 1750, 16, 4096, Kind::whole_by_magnitude}}}},
     stacks},
    {{"strip", "a crowd that is so many agents wide, and as high as it takes", {{agents_across}}}, strip},
    {{"ribbon", "a crowd that is so many agents high, and as wide as it takes", {{agents_across}}}, ribbon},
    {{"tower",
      "a square that is as crowded as the crowd's on each of so many storeys",
      {{{"storeys", 200, 1, 10000, Kind::whole_by_magnitude}}}},
     tower},
};

}  // namespace

std::span<const Recipe> placements() noexcept {
    static constexpr auto recipes = [] {
        std::array<Recipe, std::size(all_placements)> all;
        for (std::size_t k = 0; k < all.size(); ++k) all[k] = all_placements[k].recipe;
        return all;
    }();
    return recipes;
}

void place(const Call& call, double side, Random& random, std::span<Point> points) {
    Site site{call.values, side, random, points};
    all_placements[call.recipe].run(site);
}

}  // namespace throng::worlds
