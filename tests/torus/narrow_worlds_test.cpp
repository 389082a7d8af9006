// Worlds that are few agents around: most agents find others through images, and some of these more than
// once.
#include <algorithm>
#include <tuple>
#include <utility>

#include "support/counting_resource.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using Found = std::vector<std::pair<AgentId, float>>;

// What a place finds as it lies and by its images, each agent once: at its first place, and at its least
// distance.
class AllImages {
public:
    AllImages(const Frame& frame, const EngineConfig& config) : config_(config) {
        std::vector<AgentId> ids(frame.size());
        EXPECT_EQ(frame.row_order(ids).status, Status{});
        for (const AgentId id : ids) agents_.emplace_back(id, frame.box(id).centre());
    }
    template <class Admits>
    Found within(const Point& at, float radius, const Admits& admits) const {
        Found found;
        look(at, 0, 0, radius, admits, found);
        for (int l = config_.period_y == 0 ? 0 : -1; l <= (config_.period_y == 0 ? 0 : 1); ++l)
            for (int k = config_.period_x == 0 ? 0 : -1; k <= (config_.period_x == 0 ? 0 : 1); ++k)
                if (k != 0 || l != 0) look(at, k, l, radius, admits, found);
        return found;
    }

private:
    template <class Admits>
    void look(const Point& at, int k, int l, float radius, const Admits& admits, Found& found) const {
        const auto moved = [](float from, int periods, float period) {
            return static_cast<float>(double{from} + periods * double{period});
        };
        const float x = moved(at.x, k, config_.period_x), y = moved(at.y, l, config_.period_y);
        for (const auto& [id, centre] : agents_) {
            const float dx = centre.x - x, dy = centre.y - y, distance = dx * dx + dy * dy;
            if (!(distance <= radius * radius) || !admits(id)) continue;
            const auto same = [id = id](const auto& one) { return one.first == id; };
            const auto known = std::find_if(found.begin(), found.end(), same);
            if (known == found.end())
                found.emplace_back(id, distance);
            else
                known->second = std::min(known->second, distance);
        }
    }

    const EngineConfig config_;
    std::vector<std::pair<AgentId, Point>> agents_;
};

Found nearest_of(Found found, std::size_t count) {
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        return std::tie(a.second, a.first) < std::tie(b.second, b.first);
    });
    found.resize(std::min(count, found.size()));
    return found;
}
Found list_of(const NeighbourLists& lists, std::size_t list) {
    Found found;
    for (std::size_t k = 0; k < lists[list].size(); ++k)
        found.emplace_back(lists[list][k], lists.squared_distances(list)[k]);
    return found;
}

// From one agent around to six, along an axis or both, in random places or on a lattice, where many distances
// are equal.
struct NarrowWorld {
    EngineConfig config;
    std::vector<Box> boxes;

    explicit NarrowWorld(int number) {
        Random random(static_cast<std::uint64_t>(number));
        const float around = static_cast<float>(1 + number % 6);
        if (number % 3 != 1) config.period_x = around;
        if (number % 3 != 0) config.period_y = number % 2 == 0 ? around : around + 0.7f;
        const auto place = [&](float period) {
            const float at = random.uniform(0, period == 0 ? 40 : period);
            return number % 4 == 0 ? std::floor(8 * at) / 8 : at;
        };
        for (int i = 0; i < 250; ++i) {
            const float x = place(config.period_x), y = place(config.period_y);
            boxes.push_back(Box::around(x, y, random.uniform(0, 0.5f), random.uniform(0, 0.5f)));
        }
        if (number % 5 == 0) boxes[7] = Box::around(1, 1, 3, 0.4f);  // oversized, and wider than some periods
    }
};

TEST(NarrowWorlds, have_lists_with_what_all_images_find_in_order) {
    for (int number = 0; number < 24; ++number) {
        const NarrowWorld world(number);
        for (const Executor& executor : {serial_executor(), default_executor()}) {
            EngineConfig config = world.config;
            config.executor = executor;
            Engine engine(config);
            ASSERT_EQ(engine.update(world.boxes), Status{});
            const Frame frame = engine.frame();
            const AllImages images(frame, config);
            NeighbourLists within, half, nearest, in_rows;
            std::vector<std::uint32_t> counts(world.boxes.size());
            const float radius = 0.4f * static_cast<float>(1 + number % 7);
            const std::uint32_t wanted = number % 2 == 0 ? 5 : Nearest::count_limit;
            ASSERT_EQ(frame.neighbours({.radius = radius, .distances = true}, within), Status{});
            ASSERT_EQ(frame.neighbours({.radius = radius, .half = true, .distances = true}, half), Status{});
            ASSERT_EQ(frame.neighbours({.count = wanted, .distances = true}, nearest), Status{});
            ASSERT_EQ(frame.neighbours({.radius = radius, .distances = true, .in_row_order = true}, in_rows),
                      Status{});
            ASSERT_EQ(frame.count_neighbours({.radius = radius}, counts), Status{});
            for (AgentId id = 0; id < world.boxes.size(); ++id) {
                const Point at = frame.box(id).centre();
                const auto others = [=](AgentId other) { return other != id; };
                const Found all = images.within(at, radius, others);
                ASSERT_EQ(list_of(within, id), all) << "world " << number << ", agent " << id;
                ASSERT_EQ(list_of(half, id),
                          images.within(at, radius, [=](AgentId other) { return other > id; }));
                ASSERT_EQ(list_of(nearest, id), nearest_of(images.within(at, 1e9f, others), wanted))
                    << "world " << number << ", agent " << id;
                ASSERT_EQ(counts[id], all.size());
            }
            for (std::size_t i = 0; i < in_rows.size(); ++i)
                ASSERT_EQ(list_of(in_rows, i), list_of(within, in_rows.agents()[i]));
        }
    }
}

TEST(NarrowWorlds, have_lists_around_points_with_what_all_images_find_in_order) {
    for (int number = 0; number < 12; ++number) {
        const NarrowWorld world(number);
        Engine engine(world.config);
        ASSERT_EQ(engine.update(world.boxes), Status{});
        const Frame frame = engine.frame();
        const AllImages images(frame, world.config);
        Random random(1);
        std::vector<Point> points;
        for (int i = 0; i < 600; ++i) points.push_back({random.uniform(0, 1), random.uniform(0, 1)});
        const float radius = 0.4f * static_cast<float>(1 + number % 7);
        NeighbourLists within, nearest;
        ASSERT_EQ(frame.neighbours(points, {.radius = radius, .distances = true}, within), Status{});
        ASSERT_EQ(frame.neighbours(points, {.count = 7, .distances = true}, nearest), Status{});
        const auto all = [](AgentId) { return true; };
        for (std::size_t i = 0; i < points.size(); ++i) {
            ASSERT_EQ(list_of(within, i), images.within(points[i], radius, all)) << number << ' ' << i;
            ASSERT_EQ(list_of(nearest, i), nearest_of(images.within(points[i], 1e9f, all), 7));
        }
    }
}

// Ids are far apart: once there was a table with room for all of them.
TEST(Torus, lists_in_row_order_take_memory_for_the_agents_and_not_for_the_largest_id) {
    constexpr std::size_t agents = 1000;
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory, .period_x = 32, .period_y = 32});
    std::vector<AgentId> ids;
    std::vector<Box> boxes;
    for (AgentId i = 0; i < agents; ++i) {
        ids.push_back(50'000 * i + 49'999);
        const float x = static_cast<float>(i % 32), y = static_cast<float>(i / 32);
        boxes.push_back({x, y, x + 0.5f, y + 0.5f});
    }
    ASSERT_EQ(engine.update(ids, boxes), Status{});
    const std::size_t before = memory.bytes_out();
    NeighbourLists lists;
    ASSERT_EQ(engine.frame().neighbours({.radius = 1, .in_row_order = true}, lists), Status{});
    ASSERT_EQ(engine.frame().neighbours({.count = 8, .in_row_order = true}, lists), Status{});
    EXPECT_LT(memory.bytes_out() - before, 1000 * agents);
}

}  // namespace
}  // namespace throng::test
