// A flock on a torus: birds that leave on one side come in on the other, and see their flock across the
// seams. Each turns to the mean direction of all within 1, with some noise (T. Vicsek and others, 1995). At
// little noise they end up all going one way, whichever that is.
//
//     flocking [birds] [steps]
//
// The host keeps its coordinates as they run on and on: the engine folds them. It fails if the birds do not
// come to agree, or if a bird at a seam does not see across it.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <throng/throng.hpp>

namespace {

constexpr float sight = 1, speed = 0.3f, noise = 0.2f;

struct Flock {
    std::vector<float> x, y, dx, dy, sum_x, sum_y;

    explicit Flock(std::size_t birds, float side, std::mt19937& random)
        : x(birds), y(birds), dx(birds), dy(birds), sum_x(birds), sum_y(birds) {
        std::uniform_real_distribution<float> place(0, side), angle(-3.14159f, 3.14159f);
        for (std::size_t i = 0; i < birds; ++i) {
            x[i] = place(random), y[i] = place(random);
            const float to = angle(random);
            dx[i] = std::cos(to), dy[i] = std::sin(to);
        }
    }
    // The length of the mean direction: 1 where all go one way.
    double agreement() const {
        double east = 0, north = 0;
        for (std::size_t i = 0; i < x.size(); ++i) east += double{dx[i]}, north += double{dy[i]};
        return std::hypot(east, north) / static_cast<double>(x.size());
    }
};

throng::Status step(throng::Engine& engine, Flock& flock, throng::NeighbourLists& lists,
                    std::mt19937& random) {
    throng::Status status = engine.update(throng::Boxes::points(flock.x, flock.y, 0));
    if (status.ok()) status = engine.frame().neighbours({.radius = sight, .with_self = true}, lists);
    // Sums over the lists: the means have the same directions.
    if (status.ok()) status = throng::fold(lists, {flock.dx, flock.dy}, {flock.sum_x, flock.sum_y});
    if (!status.ok()) return status;
    std::uniform_real_distribution<float> turn(-noise, noise);
    for (std::size_t i = 0; i < flock.x.size(); ++i) {
        const float to = std::atan2(flock.sum_y[i], flock.sum_x[i]) + turn(random);
        flock.dx[i] = std::cos(to), flock.dy[i] = std::sin(to);
        flock.x[i] += speed * flock.dx[i], flock.y[i] += speed * flock.dy[i];
    }
    return status;
}

}  // namespace

int main(int count, char** arguments) {
    const std::size_t birds = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 2000;
    const int steps = count > 2 ? std::atoi(arguments[2]) : 150;
    // Four birds in a square of 1.
    const float side = std::sqrt(static_cast<float>(birds) / 4);
    std::mt19937 random(1);
    Flock flock(birds, side, random);
    throng::Engine engine({.period_x = side, .period_y = side});
    throng::NeighbourLists lists;
    const double before = flock.agreement();
    throng::Status status;
    for (int i = 0; i < steps && status.ok(); ++i) status = step(engine, flock, lists, random);
    if (!status.ok()) return std::fprintf(stderr, "flocking: %s\n", status.message()), EXIT_FAILURE;

    // What is a hair beyond the seam is as near as what is a hair before it.
    const throng::Frame frame = engine.frame();
    const throng::Count here = frame.count(throng::Circle{0.01f, 0.01f, side / 3}),
                        there = frame.count(throng::Circle{side + 0.01f, 0.01f - 7 * side, side / 3});
    std::printf("%zu birds, %d steps: agreement %.2f, then %.2f; %llu birds around a corner\n", birds, steps,
                before, flock.agreement(), static_cast<unsigned long long>(here.total));
    return flock.agreement() > 0.5 && here.total != 0 && here.total == there.total ? EXIT_SUCCESS
                                                                                   : EXIT_FAILURE;
}
