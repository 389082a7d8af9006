#include <cmath>
#include <stdexcept>

#include "bench/micro/kernel_benches.hpp"
#include "bench/micro/registration.hpp"
#include "throng/engine.hpp"

namespace throng::bench {

namespace {

constexpr float shape_size = 4;

struct ShapeWorld {
    workload::World world = workload::make("crowd", micro_agents);
    Engine engine;
    std::vector<Point> corners;  // of the polygons, three each
    std::vector<Shape> circles, wedges, segments;

    explicit ShapeWorld(Isa isa) : engine(EngineConfig{.isa = isa}) {
        const Boxes boxes = Boxes::centre_half(world.x.data(), world.y.data(), world.hx.data(),
                                               world.hy.data(), world.size());
        if (!engine.update(boxes).ok()) throw std::runtime_error("no engine for shapes");
        for (std::size_t i = 0; i < world.size(); ++i) add(static_cast<float>(i), {world.x[i], world.y[i]});
        for (std::size_t i = 0; i < world.size(); ++i)
            wedges.emplace_back(ConvexPolygon(std::span(corners).subspan(3 * i, 3)));
    }

private:
    // Each looks in a direction of its own.
    void add(float angle, const Point& at) {
        const Point left{at.x + shape_size * std::cos(angle), at.y + shape_size * std::sin(angle)},
            right{at.x + shape_size * std::cos(angle + 1), at.y + shape_size * std::sin(angle + 1)};
        circles.emplace_back(Circle{at.x, at.y, shape_size / 2});
        segments.emplace_back(ThickSegment{at, left, 0.25f});
        corners.insert(corners.end(), {at, left, right});
    }
};

std::size_t count_in(benchmark::State& state, const ShapeWorld& w, const std::vector<Shape>& shapes) {
    std::vector<std::uint32_t> counts(shapes.size());
    const Frame frame = w.engine.frame();
    for (auto _ : state) (void)frame.count(shapes, counts);
    return shapes.size();
}
std::size_t find_in(benchmark::State& state, const ShapeWorld& w, const std::vector<Shape>& shapes) {
    OverlapLists hits;
    const Frame frame = w.engine.frame();
    for (auto _ : state) (void)frame.overlaps(shapes, hits);
    return shapes.size();
}

template <class Body>
void add_shapes(const std::string& what, Isa isa, Body body) {
    const std::string title = "shapes, " + what + "/" + to_string(isa);
    const auto run = [isa, body](benchmark::State& state) {
        const ShapeWorld world(isa);
        const std::size_t items = body(state, world);
        state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(items));
    };
    benchmark::RegisterBenchmark(title.c_str(), run)->Unit(benchmark::kMicrosecond);
}

}  // namespace

void register_shapes(Isa isa) {
    add_shapes("count in circles", isa, [](auto& state, auto& w) { return count_in(state, w, w.circles); });
    add_shapes("count in wedges", isa, [](auto& state, auto& w) { return count_in(state, w, w.wedges); });
    add_shapes("count on segments", isa, [](auto& state, auto& w) { return count_in(state, w, w.segments); });
    add_shapes("find in circles", isa, [](auto& state, auto& w) { return find_in(state, w, w.circles); });
    add_shapes("find in wedges", isa, [](auto& state, auto& w) { return find_in(state, w, w.wedges); });
    add_shapes("find on segments", isa, [](auto& state, auto& w) { return find_in(state, w, w.segments); });
}

}  // namespace throng::bench
