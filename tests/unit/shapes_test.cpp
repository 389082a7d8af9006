// Another shape than a box in the kernels' search: a circle, compared with brute force. It offers what
// simd/kernels/search/box_shape.hpp asks of a shape, and so is found in grids, islands and trees, with labels
// and without. It is compiled here for the lowest instruction set.
#if defined(__x86_64__)
#include "simd/isa/sse2.hpp"
#else
#include "simd/isa/neon64.hpp"
#endif

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "simd/kernels/search/box_shape.hpp"
#include "simd/kernels/search/cost.hpp"
#include "simd/kernels/search/search.hpp"
#include "simd/kernels/search/takers.hpp"
#include "support/engine_inside.hpp"
#include "support/island_worlds.hpp"
#include "support/scale.hpp"
#include "support/scenes.hpp"
#include "throng/engine.hpp"

namespace throng::simd {
namespace {

#if defined(__x86_64__)
using Vocabulary = Sse2;
#else
using Vocabulary = Neon64;
#endif

struct Circle {
    float x, y, radius;
    // How far a coordinate is outside [min, max].
    static float outside(float at, float min, float max) {
        return at < min ? min - at : at > max ? at - max : 0.0f;
    }
    bool overlaps(const Box& box) const {
        const float dx = outside(x, box.min_x, box.max_x), dy = outside(y, box.min_y, box.max_y);
        return dx * dx + dy * dy <= radius * radius;
    }
};

template <class V>
class CircleShape {
public:
    using Wide = typename V::Wide;
    using Source = Circle;
    using Arrays = typename Vectors<V>::Arrays;

    explicit CircleShape(const Circle& circle)
        : circle_(circle),
          bounds_(around(circle, 1.01f)),
          inscribed_(around(circle, 0.7f)),
          outer_(bounds_),
          inner_(inscribed_) {}
    CircleShape(const CircleShape&) = delete;  // the boxes refer to its bounds
    const Query& bounds() const { return bounds_; }
    std::uint32_t overlap(const Arrays& a, std::size_t j) const {
        const Wide x(circle_.x), y(circle_.y);
        const Wide dx = outside(x, Wide::load_unaligned(a.min_x + j), Wide::load_unaligned(a.max_x + j)),
                   dy = outside(y, Wide::load_unaligned(a.min_y + j), Wide::load_unaligned(a.max_y + j));
        return outer_.overlap(a, j) & V::bits(dx * dx + dy * dy <= Wide(circle_.radius * circle_.radius));
    }

    class Outline {
    public:
        explicit Outline(const CircleShape& s) : outer_(s.outer_), inner_(s.inner_) {}
        bool misses(const float* bounds) const { return outer_.misses(bounds); }
        bool covers(const float* bounds) const { return inner_.covers(bounds); }

    private:
        typename BoxShape<V>::Outline outer_, inner_;
    };
    struct Covered : BoxShape<V>::Covered {
        Covered(const CircleShape& s, const Locate& l) : BoxShape<V>::Covered(s.inner_, l) {}
    };

private:
    static Query around(const Circle& c, float part) {
        const float half = c.radius * part;
        return {c.x - half, c.y - half, c.x + half, c.y + half};
    }
    static Wide outside(const Wide& at, const Wide& min, const Wide& max) {
        return xsimd::select(at < min, min - at, xsimd::select(at > max, at - max, Wide(0.0f)));
    }

    Circle circle_;
    Query bounds_, inscribed_;
    BoxShape<V> outer_, inner_;
};

using Shape = CircleShape<Vocabulary>;
using Admits = Admission<Vocabulary>;

// Keeps all ids. Its buffer has room for any answer.
struct Ids {
    std::vector<std::uint32_t> buffer;
    IdSink sink{};

    explicit Ids(std::size_t agents) : buffer(agents + gap) {
        sink.begin = sink.at = buffer.data();
        sink.limit = buffer.data() + agents;
        sink.full = [](IdSink&) { ADD_FAILURE() << "found more agents than there are"; };
    }
    std::vector<std::uint32_t> sorted() const {
        std::vector<std::uint32_t> ids(sink.begin, sink.at);
        std::sort(ids.begin(), ids.end());
        return ids;
    }
};

template <class Admit, class Taker>
void search(const View& view, const Circle& circle, const typename Admit::Filter& filter, Taker& taker) {
    const auto reach = Vectors<Vocabulary>::Locator(view).reach(Shape(circle).bounds());
    Search<Vocabulary, Shape, Admit, Taker>::search(view, reach, circle, filter, taker);
}
template <class Admit>
std::vector<std::uint32_t> find(const View& view, std::size_t agents, const Circle& circle,
                                const typename Admit::Filter& filter) {
    Ids ids(agents);
    {
        Takers<Vocabulary>::Collect taker(ids.sink);
        search<Admit>(view, circle, filter, taker);
    }
    return ids.sorted();
}

// Circles around the middle of boxes, from a point to a large part of the world.
std::vector<Circle> circles_in(const test::Scene& scene) {
    std::vector<Circle> circles;
    for (const Box& box : scene.queries(test::scaled(400, 100))) {
        const float width = box.max_x - box.min_x, height = box.max_y - box.min_y;
        if (std::max(width, height) > 1e6f) continue;  // its square would not be finite
        circles.push_back({box.min_x + width / 2, box.min_y + height / 2, std::max(width, height) / 2});
    }
    return circles;
}
template <class Admit>
std::vector<std::uint32_t> expected(const std::vector<Box>& agents, const Circle& circle,
                                    const Admit& admits) {
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 0; id < agents.size(); ++id)
        if (circle.overlaps(agents[id]) && admits(id)) ids.push_back(id);
    return ids;
}

class CircleSearch : public ::testing::TestWithParam<std::string> {
protected:
    test::Scene scene() const {
        if (GetParam() == "a_city_and_hamlets" || GetParam() == "villages_under_giants")
            return test::make_island_scene(GetParam(), test::enough_for_islands);
        return test::make_scene(GetParam(), 2000);
    }
};

TEST_P(CircleSearch, finds_and_counts_the_agents_of_brute_force) {
    const test::Scene scene = this->scene();
    Engine engine(scene.configure());
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
    const Frame frame = engine.frame();
    const View& view = test::state_behind(frame).view;
    const std::size_t agents = scene.agents().size();
    QueryCost cost;
    for (const Circle& circle : circles_in(scene)) {
        const auto wanted = expected(scene.agents(), circle, [](std::uint32_t) { return true; });
        ASSERT_EQ(find<Admits::Everyone>(view, agents, circle, {}), wanted);
        Takers<Vocabulary>::Count count;
        search<Admits::Everyone>(view, circle, {}, count);
        ASSERT_EQ(count.found, wanted.size());
        Takers<Vocabulary>::Any any;
        search<Admits::Everyone>(view, circle, {}, any);
        ASSERT_EQ(any.found, !wanted.empty());
        const auto others = expected(scene.agents(), circle, [](std::uint32_t id) { return id != 17; });
        ASSERT_EQ(find<Admits::NotSelf>(view, agents, circle, {default_category, 17, no_id}), others);
        CostTaker taker(cost);
        search<Admits::Everyone>(view, circle, {}, taker);
    }
    EXPECT_GT(cost.covered, 0u);
    EXPECT_GT(cost.tested, 0u);
    EXPECT_EQ(cost.islands != 0, engine.tuning().islands != 0);
    EXPECT_EQ(engine.tuning().islands != 0, scene.agents().size() == test::enough_for_islands);
    EXPECT_EQ(cost.nodes != 0, engine.tuning().oversized != 0);
}

TEST_P(CircleSearch, finds_only_agents_with_the_wanted_labels) {
    const test::Scene scene = this->scene();
    std::vector<Label> labels(scene.agents().size());
    for (std::uint32_t id = 0; id < labels.size(); ++id) labels[id] = {1u << id % 3, id % 5};
    Engine engine(scene.configure());
    ASSERT_EQ(engine.update(scene.boxes(), Labels(labels)), Status{});
    const Frame frame = engine.frame();
    const View& view = test::state_behind(frame).view;
    ASSERT_NE(view.stretches, nullptr);
    const LabelFilter filter{5, no_id, 2};
    for (const Circle& circle : circles_in(scene))
        ASSERT_EQ(
            find<Admits::Labelled>(view, labels.size(), circle, filter),
            expected(scene.agents(), circle, [](std::uint32_t id) { return id % 3 != 1 && id % 5 != 2; }));
}

INSTANTIATE_TEST_SUITE_P(every, CircleSearch,
                         ::testing::Values("uniform", "giants_over_small", "lattice", "a_city_and_hamlets",
                                           "villages_under_giants"));

}  // namespace
}  // namespace throng::simd
