// Circles, segments and polygons against brute force: every form of every query, on every scene and every instruction
// set, with labels and without, alone and in batches that are sorted.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "oracle/brute_force.hpp"
#include "support/executors.hpp"
#include "support/instruction_sets.hpp"
#include "support/island_worlds.hpp"
#include "support/parameters.hpp"
#include "support/printing.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"
#include "support/scenes.hpp"
#include "support/thread_pool.hpp"
#include "throng/engine.hpp"

namespace throng::test {
namespace {

// Shapes around the boxes that a scene is queried with. Polygons are views, so their corners are here.
class ShapesOf {
public:
    ShapesOf(const Scene& scene, std::size_t count, std::uint64_t seed) : random_(seed) {
        const std::vector<Box> boxes = scene.queries(count, seed);
        corners_.reserve(boxes.size() * ConvexPolygon::max_corners);
        for (const Box& box : boxes) {
            const Shape shape = around(box);
            // A few boxes are so large that the differences of their corners are not finite.
            shapes_.push_back(Frame().count(shape).status.ok() ? shape : Shape(box));
        }
    }
    const std::vector<Shape>& all() const { return shapes_; }

private:
    Shape around(const Box& b) {
        const float x = 0.5f * b.min_x + 0.5f * b.max_x, y = 0.5f * b.min_y + 0.5f * b.max_y;
        const float half_x = 0.5f * b.max_x - 0.5f * b.min_x, half_y = 0.5f * b.max_y - 0.5f * b.min_y;
        const float radius = std::min(half_x, half_y);
        switch (random_.below(9)) {
        case 0: return Circle{x, y, radius};
        case 1: return Circle{x, y, std::max(half_x, half_y)};
        case 2: return Circle{x, y, radius, AgentsAs::centres};
        case 3: return Circle{x, y, radius, AgentsAs::circles};
        case 4: return ThickSegment{{b.min_x, b.min_y}, {b.max_x, b.max_y}, radius / 8};
        case 5: return ThickSegment{{b.max_x, b.min_y}, {b.min_x, b.max_y}, 0};
        case 6: return polygon({{b.min_x, b.min_y}, {b.max_x, y}, {x, b.max_y}});
        case 7: return random_.below(4) == 0 ? Shape(Point{x, y}) : Shape(b);
        default: return ellipse(x, y, half_x, half_y);
        }
    }
    Shape polygon(const std::vector<Point>& corners) {
        const std::size_t begin = corners_.size();
        corners_.insert(corners_.end(), corners.begin(), corners.end());
        return ConvexPolygon(std::span(corners_).subspan(begin));
    }
    // Its corners are on an ellipse, in one sense or the other.
    Shape ellipse(float x, float y, float half_x, float half_y) {
        const std::size_t count = 1 + random_.below(ConvexPolygon::max_corners);
        std::vector<Point> corners;
        for (std::size_t i = 0; i < count; ++i) {
            // The part of a turn from the last quarter on, by the tangent of half its angle.
            const std::size_t quarter = 4 * i / count;
            const float t = static_cast<float>(4 * i % count) / static_cast<float>(count);
            const float along = (1 - t * t) / (1 + t * t), across = 2 * t / (1 + t * t);
            const float cosine[] = {along, -across, -along, across},
                        sine[] = {across, along, -across, -along};
            corners.push_back({x + half_x * cosine[quarter], y + half_y * sine[quarter]});
        }
        if (random_.below(2) == 0) std::reverse(corners.begin(), corners.end());
        return polygon(corners);
    }

    Random random_;
    std::vector<Point> corners_;
    std::vector<Shape> shapes_;
};

std::vector<AgentId> sorted(std::span<const AgentId> ids) {
    std::vector<AgentId> all(ids.begin(), ids.end());
    std::sort(all.begin(), all.end());
    return all;
}

void expect_same(const Frame& frame, const oracle::BruteForceFrame& twin, const std::vector<Shape>& shapes,
                 const Filter& filter) {
    oracle::HitLists wanted;
    const Status status = twin.overlaps(shapes, wanted, filter);
    ASSERT_EQ(status, Status{}) << static_cast<int>(shapes[status.index].kind());
    Hits hits;
    ASSERT_EQ(frame.overlaps(shapes, hits, filter), Status{});
    ASSERT_EQ(hits.size(), shapes.size());
    std::vector<std::uint32_t> counts(shapes.size());
    ASSERT_EQ(frame.count(shapes, counts, filter), Status{});
    std::vector<std::uint8_t> any(shapes.size());
    ASSERT_EQ(frame.any(shapes, any, filter), Status{});
    std::vector<std::uint64_t> offsets(shapes.size() + 1);
    std::vector<AgentId> ids(hits.ids().size());
    ASSERT_EQ(frame.overlaps(shapes, offsets, ids, filter).total, hits.ids().size());
    EXPECT_TRUE(std::equal(ids.begin(), ids.end(), hits.ids().begin()));
    std::vector<AgentId> one;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::vector<AgentId> same(wanted[i].begin(), wanted[i].end());
        ASSERT_EQ(sorted(hits[i]), same) << i << ", of kind " << static_cast<int>(shapes[i].kind());
        ASSERT_EQ(counts[i], same.size());
        ASSERT_EQ(any[i], !same.empty());
        one.clear();
        ASSERT_EQ(frame.for_each_overlap(
                      shapes[i], [&](AgentId id) { one.push_back(id); }, filter),
                  Status{});
        ASSERT_TRUE(std::equal(one.begin(), one.end(), hits[i].begin(), hits[i].end()));
        ids.resize(same.size() / 2);
        const Filled half = frame.overlaps(shapes[i], ids, filter);
        ASSERT_EQ(half.total, same.size());
        ASSERT_TRUE(std::equal(ids.begin(), ids.end(), hits[i].begin()));
        ASSERT_EQ(frame.count(shapes[i], filter).total, same.size());
        ASSERT_EQ(frame.any(shapes[i], filter).found, !same.empty());
    }
}

void expect_same_in(Scene scene, std::size_t queries, const std::string& where) {
    ThreadPool pool(3);
    std::vector<Label> labels(scene.agents().size());
    for (std::uint32_t id = 0; id < labels.size(); ++id) labels[id] = {1u << id % 3, id % 5};
    for (const bool labelled : {false, true}) {
        oracle::BruteForce twin;
        ASSERT_EQ(labelled ? twin.update(scene.boxes(), labels) : twin.update(scene.boxes()), Status{});
        const ShapesOf shapes(scene, queries, labelled);
        for (const Isa isa : instruction_sets()) {
            Engine engine(
                scene.configure({.executor = labelled ? pool.executor() : serial_executor(), .isa = isa}));
            ASSERT_EQ(labelled ? engine.update(scene.boxes(), labels) : engine.update(scene.boxes()),
                      Status{});
            SCOPED_TRACE(where + ", " + to_string(isa) + (labelled ? ", labelled" : ""));
            expect_same(engine.frame(), twin.frame(), shapes.all(), {});
            expect_same(engine.frame(), twin.frame(), shapes.all(),
                        labelled ? Filter{.categories = 5, .other_than = 2} : Filter{.self = 17});
            if (::testing::Test::HasFailure()) return;
        }
    }
}

class ShapesInScene : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(ShapesInScene, find_the_agents_of_brute_force) {
    expect_same_in(Scene(GetParam(), std::min<std::size_t>(scaled(2000, 400), GetParam().most), 1),
                   scaled(2000, 600), GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(every, ShapesInScene, every_scene(), scene_name);

class ShapesAmongIslands : public ::testing::TestWithParam<std::string> {};

TEST_P(ShapesAmongIslands, find_the_agents_of_brute_force) {
    expect_same_in(make_island_scene(GetParam(), enough_for_islands), scaled(600, 60), GetParam());
}

INSTANTIATE_TEST_SUITE_P(Worlds, ShapesAmongIslands,
                         ::testing::Values("a_city_and_hamlets", "villages_under_giants"));

}  // namespace
}  // namespace throng::test
