// What the search for the nearest costs in the worst worlds, in counted steps: searches, and agents compared.
#include "engine/src/neighbours/sites.hpp"
#include "simd/neighbour_kernels.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr std::uint32_t nearest_wanted = 8;

// On average for an agent.
struct Cost {
    double searches, compared;
};
Cost cost_of_nearest(const std::vector<Box>& boxes, simd::NeighbourOutput& output, std::uint64_t* ends) {
    const Frame frame = engine_with(boxes, {.executor = serial_executor()}).frame();
    const detail::FrameState& state = state_behind(frame);
    output.guess = 1.0f / state.view.grid.inverse_height;
    const simd::NeighbourQuery query{.radius = std::numeric_limits<float>::infinity(),
                                     .radii = nullptr,
                                     .max_count = nearest_wanted,
                                     .half = false,
                                     .distances = false};
    (void)detail::AgentSites(state).each({0, boxes.size()}, true, [&](const simd::Queriers& some) {
        output.ends = ends;
        state.kernels->neighbours->around(state.view, {}, some, query, output);
        ends += some.count;
        return true;
    });
    const auto agents = static_cast<double>(boxes.size());
    return {static_cast<double>(output.searches) / agents, static_cast<double>(output.compared) / agents};
}
// Without the shortcut of patches, whose cost has a bound of its own.
Cost cost_of_nearest(const std::vector<Box>& boxes) {
    std::vector<std::uint32_t> counts(boxes.size());
    std::vector<std::uint64_t> no_ends(boxes.size());
    simd::NeighbourOutput output{};
    output.counts = counts.data();
    const Cost cost = cost_of_nearest(boxes, output, no_ends.data());
    for (const std::uint32_t count : counts)
        EXPECT_EQ(count, std::min<std::size_t>(nearest_wanted, boxes.size() - 1));
    return cost;
}
// With it, as lists are made in row order.
Cost cost_of_lists(const std::vector<Box>& boxes) {
    const std::size_t room = nearest_wanted * boxes.size() + simd::list_slack;
    std::vector<std::uint32_t> ids(room + simd::list_slack);
    std::vector<std::uint64_t> ends(boxes.size());
    simd::ListSink sink{.begin = ids.data(),
                        .at = ids.data(),
                        .limit = ids.data() + room,
                        .distances = nullptr,
                        .headers = 0,
                        .full = [](simd::ListSink&) {},
                        .context = nullptr,
                        .stopped = false};
    simd::NeighbourOutput output{};
    output.sinks = &sink;
    output.shift = 32;
    const Cost cost = cost_of_nearest(boxes, output, ends.data());
    EXPECT_EQ(ends.back(), nearest_wanted * boxes.size());
    return cost;
}

std::vector<Box> boxes_of(const Scene& scene) { return scene.agents(); }

TEST(CostOfNearest, is_a_few_searches_wherever_agents_stand) {
    for (const SceneRecipe& recipe : scene_recipes()) {
        const std::vector<Box> boxes =
            boxes_of(Scene(recipe, std::min<std::size_t>(4000, recipe.max_count), 1));
        if (boxes.size() < 100) continue;
        // Most where coordinates are any floats, and no guess fits the next agent.
        EXPECT_LT(cost_of_nearest(boxes).searches, 4.2) << recipe.name;
    }
    for (const SceneRecipe& recipe : island_recipes())
        EXPECT_LT(cost_of_nearest(boxes_of(Scene(recipe, enough_for_islands, 1))).searches, 4) << recipe.name;
}

TEST(CostOfNearest, is_a_few_searches_where_there_are_fewer_than_are_wanted) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < nearest_wanted; ++i)
        boxes.push_back(Box::around(static_cast<float>(3 * i), 7, 1, 1));
    EXPECT_LE(cost_of_nearest(boxes).searches, 3);
}

// From left to right agents stand ever further apart, and then closer again.
TEST(CostOfNearest, in_patches_follows_the_density) {
    std::vector<Box> boxes;
    Random random(1);
    for (std::size_t i = 0; i < 20000; ++i) {
        const float u = random.uniform(-1, 1);
        boxes.push_back(Box::around(400 * u * u * u * u * u, random.uniform(0, 40), 0.4f, 0.4f));
    }
    const double searches = cost_of_lists(boxes).searches;
    RecordProperty("searches", std::to_string(searches));
    EXPECT_LT(searches, 0.35);
}

TEST(CostOfNearest, is_next_to_nothing_where_all_are_at_one_place) {
    const std::vector<Box> boxes(20000, Box{5, 5, 6, 6});
    const Cost cost = cost_of_nearest(boxes);
    EXPECT_LT(cost.searches, 0.1);
    EXPECT_LT(cost.compared, 60);
}

// Where places take turns no search is shared.
TEST(CostOfNearest, of_places_in_and_beside_piles_does_not_grow_with_these) {
    const auto compared = [](std::size_t in_a_pile) {
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < in_a_pile; ++i)
            for (const float x : {5.0f, 1e5f}) boxes.push_back({x, 5, x + 1, 6});
        const Frame frame = engine_with(boxes, {.executor = serial_executor()}).frame();
        const detail::FrameState& state = state_behind(frame);
        std::vector<float> x, y;
        std::vector<std::uint32_t> numbers, counts(100);
        for (std::uint32_t i = 0; i < counts.size(); ++i) {
            x.push_back(i % 2 == 0 ? 5.5f : 1e5f + static_cast<float>(i % 3));
            y.push_back(5.5f);
            numbers.push_back(i);
        }
        x.resize(x.size() + simd::gap), y.resize(y.size() + simd::gap);
        simd::NeighbourOutput output{};
        output.guess = 1;
        output.counts = counts.data();
        const simd::NeighbourQuery query{.radius = std::numeric_limits<float>::infinity(),
                                         .radii = nullptr,
                                         .max_count = nearest_wanted,
                                         .half = false,
                                         .distances = false};
        state.kernels->neighbours->around(state.view, {}, {x.data(), y.data(), numbers.data(), nullptr, 100},
                                          query, output);
        for (const std::uint32_t count : counts) EXPECT_EQ(count, nearest_wanted);
        return output.compared;
    };
    const std::uint64_t few = compared(1'000), many = compared(100'000);
    EXPECT_GT(few, 0u);
    EXPECT_LE(many, 6 * few);
}

TEST(CostOfNearest, does_not_explode_for_one_agent_far_away) {
    std::vector<Box> boxes;
    Random random(1);
    for (std::size_t i = 0; i < 5000; ++i) {
        const float x = random.uniform(0, 140), y = random.uniform(0, 140);
        boxes.push_back(Box::around(x, y, 0.4f, 0.4f));
    }
    const Cost before = cost_of_nearest(boxes);
    boxes.push_back(Box::around(1e30f, -1e30f, 1, 1));
    const Cost after = cost_of_nearest(boxes);
    EXPECT_LT(after.searches, before.searches + 0.1);
    EXPECT_LT(after.compared, 1.5 * before.compared + 10);
}

// Each agent is ten times as far from the first as the one before; ids are in random order.
TEST(CostOfNearest, does_not_grow_with_the_octaves_that_a_world_spans) {
    std::vector<Box> boxes;
    Random random(1);
    for (std::size_t i = 0; i < 2000; ++i) {
        const float x = random.decades(-30, 36), y = random.decades(-30, 36);
        boxes.push_back({x, y, x, y});
    }
    EXPECT_LT(cost_of_nearest(boxes).searches, 12);
}

TEST(CostOfNearest, is_bounded_where_there_are_fewer_than_are_wanted) {
    for (const std::size_t agents : {1u, 2u, 5u, 8u}) {
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < agents; ++i)
            boxes.push_back({1e10f * static_cast<float>(i), 0, 1e10f * static_cast<float>(i), 1e-30f});
        EXPECT_LE(cost_of_nearest(boxes).searches, 26) << agents;
    }
}

// Counts what the searches of calls for a frame compare.
class Comparing {
public:
    explicit Comparing(const Frame& frame) : state_(state_behind(frame)), kernels_(*state_.kernels) {
        own = kernels_.neighbours;
        counting_ = *own;
        counting_.around = [](const simd::View& view, const simd::LabelFilters& filters,
                              const simd::Queriers& sites, const simd::NeighbourQuery& query,
                              simd::NeighbourOutput& output) {
            const std::uint64_t before = output.compared, made = output.searches;
            own->around(view, filters, sites, query, output);
            compared += output.compared - before;
            searches += output.searches - made;
        };
        kernels_.neighbours = &counting_;
        state_.kernels = &kernels_;
    }
    template <class Call>
    double by(const Call& call, std::size_t sites) const {
        compared = 0;
        EXPECT_EQ(call(), Status{});
        return static_cast<double>(compared) / static_cast<double>(sites);
    }
    // How many searches it makes.
    template <class Call>
    double searches_by(const Call& call, std::size_t sites) const {
        searches = 0;
        EXPECT_EQ(call(), Status{});
        return static_cast<double>(searches) / static_cast<double>(sites);
    }

private:
    static inline const simd::NeighbourKernels* own;
    static inline std::uint64_t compared, searches;
    detail::FrameState& state_;
    simd::Kernels kernels_;
    simd::NeighbourKernels counting_{};
};

// As many agents on each octave of the distance from a point: all are in the tree, and there are no cells
// that say how far to look.
TEST(CostOfNearest, of_one_point_is_small_where_all_agents_are_in_the_tree) {
    constexpr std::size_t agents = 2000;
    std::vector<Box> boxes;
    Random random(1);
    for (std::size_t i = 0; i < agents; ++i) {
        const float far = std::exp2(random.uniform(-10, 15)), angle = random.uniform(0, 6.28f);
        boxes.push_back(Box::around(far * std::cos(angle), far * std::sin(angle), 0.01f * far, 0.01f * far));
    }
    const Frame frame = engine_with(boxes, {.executor = serial_executor()}).frame();
    ASSERT_EQ(frame.tuning().reason, TuningReason::all_oversized);
    const Comparing comparing(frame);
    const auto one_by_one = [&] {
        Status status;
        for (std::size_t i = 0; i < agents && status.ok(); ++i)
            status = frame.nearest(boxes[i].centre(), {.self = static_cast<AgentId>(i)}).status;
        return status;
    };
    EXPECT_LT(comparing.by(one_by_one, agents), 0.1 * agents);
}

// By turns two spots, and one where agents stand a hundred times as far apart. At each place are `stacked`
// agents.
std::vector<Box> spots(std::size_t stacked) {
    std::vector<Point> places;
    Random random(1);
    for (std::size_t i = 0; i < 9000 / stacked; ++i) {
        const float side = i % 3 == 2 ? 5e3f : 5e1f, at = 3e5f * static_cast<float>(i % 3);
        places.push_back({at + random.uniform(0, side), random.uniform(0, side)});
    }
    std::vector<Box> boxes;
    for (std::size_t k = 0; k < stacked; ++k)
        for (const Point& place : places) boxes.push_back(Box::around(place, 0.4f));
    return boxes;
}

// Their distance does not tell how far to look for the next.
TEST(CostOfNearest, is_as_ever_where_all_that_are_wanted_are_at_the_site) {
    for (const std::uint32_t wanted : {1u, 8u}) {
        const std::size_t stacked = wanted == 1 ? 1 : wanted + 1;
        const std::vector<Box> boxes = spots(stacked);
        const Engine engine = engine_with(boxes, {.executor = serial_executor()}),
                     before = engine_with(boxes);
        const Frame frame = engine.frame();
        ASSERT_GE(engine.frame().tuning().islands, 3u);
        std::vector<Point> centres;
        for (const Box& box : boxes) centres.push_back(box.centre());
        const Comparing comparing(frame);
        NeighbourLists lists;
        const double bound = 60 + 10 * wanted;
        for (const AgentsAs as : {AgentsAs::centres, AgentsAs::boxes})
            EXPECT_LT(
                comparing.by(
                    [&] { return frame.neighbours(centres, {.count = wanted, .agents_as = as}, lists); },
                    boxes.size()),
                bound);
        EXPECT_LT(comparing.by([&] { return frame.neighbours({.count = wanted}, lists); }, boxes.size()),
                  bound);
        EXPECT_LT(comparing.by([&] { return before.frame().neighbours_in(frame, {.count = wanted}, lists); },
                               boxes.size()),
                  bound);
    }
}

// In their order: a small batch does not sort its sites.
TEST(CostOfNearest, of_a_few_sites_follows_the_density_from_one_to_the_next) {
    const std::vector<Box> boxes = spots(1);
    const Frame frame = engine_with(boxes, {.executor = serial_executor()}).frame();
    const Comparing comparing(frame);
    NeighbourLists lists;
    for (const float beside : {0.0f, 0.3f})
        for (const std::size_t sites : {1u, 10u, 100u}) {
            std::vector<Point> points;
            for (std::size_t i = 0; i < sites; ++i)
                points.push_back({boxes[i].centre().x + beside, boxes[i].centre().y});
            for (const std::uint32_t wanted : {1u, 8u})
                EXPECT_LT(
                    comparing.by([&] { return frame.neighbours(points, {.count = wanted}, lists); }, sites),
                    300)
                    << sites << " sites, " << wanted << " wanted";
        }
}

// One agent is as wide as the world. Once all others looked for it by eight images.
TEST(CostAroundSeams, is_that_of_a_crowd_beside_an_agent_as_wide_as_the_world) {
    constexpr std::size_t agents = 4000;
    constexpr float side = 76;
    Random random(2);
    std::vector<Box> boxes;
    std::vector<Point> points;
    for (std::size_t i = 0; i < agents; ++i) {
        points.push_back({random.uniform(0, side), random.uniform(0, side)});
        boxes.push_back(Box::around(points[i], 0.35f));
    }
    for (const float half : {0.5f * side, 0.3f * side}) {
        boxes[0] = Box::around(Point{side / 2, side / 2}, half);
        const Engine engine =
            engine_with(boxes, {.executor = serial_executor(), .period_x = side, .period_y = side});
        const Frame frame = engine.frame();
        const Comparing comparing(frame);
        std::vector<std::uint32_t> counts(agents);
        const Within wanted{.radius = 1.5f, .agents_as = AgentsAs::circles};
        EXPECT_LT(comparing.searches_by([&] { return frame.count_neighbours(wanted, counts); }, agents), 1.3);
        EXPECT_LT(
            comparing.searches_by([&] { return frame.count_neighbours(points, wanted, counts); }, agents),
            1.3);
    }
}

// Once each agent was looked for by both of its images.
TEST(CostAroundSeams, is_that_of_two_searches_in_a_world_of_a_few_agents_around) {
    constexpr std::size_t agents = 4000;
    for (const float around : {1.0f, 2.0f}) {
        Random random(3);
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < agents; ++i)
            boxes.push_back(
                Box::around(random.uniform(0, around), random.uniform(0, 0.7f * agents), 0.35f, 0.35f));
        const Engine engine = engine_with(boxes, {.executor = serial_executor(), .period_x = around});
        const Frame frame = engine.frame();
        const Comparing comparing(frame);
        std::vector<std::uint32_t> counts(agents);
        for (const AgentsAs as : {AgentsAs::centres, AgentsAs::boxes, AgentsAs::circles}) {
            const Within wanted{.radius = 1.5f, .agents_as = as};
            EXPECT_LT(comparing.searches_by([&] { return frame.count_neighbours(wanted, counts); }, agents),
                      2.05);
        }
    }
}

}  // namespace
}  // namespace throng::test
