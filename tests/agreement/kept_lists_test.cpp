// Kept lists against brute force. In every frame they have all neighbours: those of the frame in which they
// were made, and those that have come near since. They are made again when too much came near or too many
// agents have left the margin, and at no other time.
#include <iterator>
#include <map>

#include "oracle/neighbours.hpp"
#include "support/neighbour_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using Ids = std::vector<AgentId>;

Ids sorted(std::span<const AgentId> list) {
    Ids ids(list.begin(), list.end());
    std::sort(ids.begin(), ids.end());
    return ids;
}
Ids ids_of(const std::vector<Neighbour>& list) {
    Ids ids;
    for (const Neighbour& one : list) ids.push_back(one.id);
    std::sort(ids.begin(), ids.end());
    return ids;
}

enum class Expected { kept, rebuilt, either };

// What must become of the lists, by the plainest arithmetic.
class KeptTwin {
public:
    explicit KeptTwin(const KeptNeighbourhood& wanted) : wanted_(wanted) {}

    // `agents` has the box of each agent by id. `now` has the neighbours of each agent within the radius, as
    // they are now.
    Expected next(const std::map<AgentId, Box>& agents, std::size_t id_bound,
                  const oracle::NeighbourLists& now) const {
        if (!made_ || id_bound != id_bound_ || agents.size() != centres_.size()) return Expected::rebuilt;
        const double skin = wanted_.skin, margin = 4e-6 * (double{wanted_.radius} + skin) + 1e-17;
        std::size_t left = 0, may_have_left = 0;
        for (const auto& [id, box] : agents) {
            const auto was = centres_.find(id);
            if (was == centres_.end()) return Expected::rebuilt;
            const double movement = distance(oracle::centre_of(box), was->second);
            left += 2 * movement > skin;
            may_have_left += 2 * movement > 0 && 2 * movement >= skin - margin;
        }
        if (may_have_left == 0 && left == 0) return Expected::kept;
        const std::size_t missing = missing_pairs(now), most = agents.size() / 64;
        if (left > agents.size() / 16 || (skin == 0 && left != 0)) return Expected::rebuilt;
        if (missing != 0 && added_ + missing > most) return Expected::rebuilt;
        // A pair that two agents find may count once for each of them.
        const bool doubtful = skin <= margin || may_have_left > agents.size() / 16 ||
                              (missing != 0 && most_added_ + 2 * missing > most);
        return doubtful ? Expected::either : Expected::kept;
    }
    // The lists were kept, and got what they lacked.
    void complete(const oracle::NeighbourLists& now) {
        const std::size_t missing = missing_pairs(now);
        added_ += missing;
        most_added_ += 2 * missing;
        for (std::size_t i = 0; i < now.size(); ++i)
            for (const AgentId id : missing_in(i, now)) lists_[i].push_back({id, 0});
    }
    void make(const std::map<AgentId, Box>& agents, const oracle::BruteForceFrame& frame,
              std::size_t id_bound) {
        made_ = true;
        added_ = most_added_ = 0;
        id_bound_ = id_bound;
        centres_.clear();
        for (const auto& [id, box] : agents) centres_[id] = oracle::centre_of(box);
        lists_ = oracle::neighbours(frame, {.radius = wanted_.radius + wanted_.skin, .half = wanted_.half});
    }
    const oracle::NeighbourLists& lists() const { return lists_; }

private:
    static double distance(const Point& a, const Point& b) {
        return std::hypot(double{a.x} - b.x, double{a.y} - b.y);
    }
    Ids missing_in(std::size_t list, const oracle::NeighbourLists& now) const {
        const Ids had = ids_of(lists_[list]), has = ids_of(now[list]);
        Ids missing;
        std::set_difference(has.begin(), has.end(), had.begin(), had.end(), std::back_inserter(missing));
        return missing;
    }
    std::size_t missing_pairs(const oracle::NeighbourLists& now) const {
        std::size_t missing = 0;
        for (std::size_t i = 0; i < now.size(); ++i) missing += missing_in(i, now).size();
        return wanted_.half ? missing : missing / 2;
    }

    KeptNeighbourhood wanted_;
    bool made_ = false;
    std::size_t added_ = 0, most_added_ = 0;  // pairs since then: at least, and as they may have been counted
    std::size_t id_bound_ = 0;
    std::map<AgentId, Point> centres_;
    oracle::NeighbourLists lists_;
};

// Engines on all instruction sets, the same agents by brute force, and lists that are kept for all of them.
class Worlds {
public:
    Worlds(const std::vector<Box>& boxes, const KeptNeighbourhood& wanted, const Executor& executor)
        : wanted_(wanted), twin_(wanted) {
        for (const Isa isa : instruction_sets()) {
            engines_.emplace_back(EngineConfig{
                .executor = engines_.size() % 2 == 0 ? executor : serial_executor(), .isa = isa});
            kept_.emplace_back(wanted);
        }
        for (const Box& box : boxes) agents_[static_cast<AgentId>(agents_.size())] = box;
        EXPECT_EQ(brute_.update(boxes), Status{});
        for (Engine& engine : engines_) EXPECT_EQ(engine.update(boxes), Status{});
    }
    std::map<AgentId, Box>& agents() { return agents_; }
    const std::vector<Engine>& engines() const { return engines_; }

    void move_all() {
        for (const auto& [id, box] : agents_) {
            EXPECT_EQ(brute_.move(id, box), Status{});
            for (Engine& engine : engines_) EXPECT_EQ(engine.move(id, box), Status{});
        }
        commit();
    }
    void remove(AgentId id) {
        agents_.erase(id);
        EXPECT_EQ(brute_.remove(id), Status{});
        for (Engine& engine : engines_) EXPECT_EQ(engine.remove(id), Status{});
        commit();
    }
    void insert(const Box& box) {
        AgentId fresh = no_agent, same = no_agent;
        EXPECT_EQ(brute_.insert(box, fresh), Status{});
        for (Engine& engine : engines_) {
            EXPECT_EQ(engine.insert(box, same), Status{});
            EXPECT_EQ(fresh, same);
        }
        agents_[fresh] = box;
        commit();
    }
    // Returns whether lists were made.
    bool compare() {
        const std::size_t id_bound = engines_[0].frame().id_bound();
        const oracle::NeighbourLists now =
            oracle::neighbours(brute_.frame(), {.radius = wanted_.radius, .half = wanted_.half});
        const Expected expected = twin_.next(agents_, id_bound, now);
        for (std::size_t e = 0; e < engines_.size(); ++e) {
            EXPECT_EQ(kept_[e].update(engines_[e].frame()), Status{});
            EXPECT_EQ(kept_[e].was_rebuilt(), kept_[0].was_rebuilt());
        }
        const bool rebuilt = kept_[0].was_rebuilt();
        if (expected != Expected::either) {
            EXPECT_EQ(rebuilt, expected == Expected::rebuilt);
        }
        if (rebuilt)
            twin_.make(agents_, brute_.frame(), id_bound);
        else
            twin_.complete(now);
        expect_lists(kept_[0].lists(), now);
        const ListsAsTheyAre first(kept_[0].lists());
        for (const KeptNeighbours& kept : kept_) EXPECT_TRUE(ListsAsTheyAre(kept.lists()) == first);
        return rebuilt;
    }

private:
    void commit() {
        EXPECT_EQ(brute_.commit(), Status{});
        for (Engine& engine : engines_) EXPECT_EQ(engine.commit(), Status{});
    }
    void expect_lists(const NeighbourLists& lists, const oracle::NeighbourLists& now) const {
        ASSERT_EQ(lists.size(), now.size());
        for (std::size_t i = 0; i < now.size(); ++i) {
            const Ids list = sorted(lists[i]), all = ids_of(now[i]);
            ASSERT_EQ(list, ids_of(twin_.lists()[i]))
                << "list " << i << " as it was made, with what came near";
            ASSERT_TRUE(std::includes(list.begin(), list.end(), all.begin(), all.end()))
                << "list " << i << " lacks a neighbour";
        }
    }

    KeptNeighbourhood wanted_;
    std::vector<Engine> engines_;
    std::vector<KeptNeighbours> kept_;
    oracle::BruteForce brute_;
    std::map<AgentId, Box> agents_;
    KeptTwin twin_;
};

// A radius near a distance that occurs, and a skin from nothing to more than that.
KeptNeighbourhood random_wanted(Random& random, const std::vector<Box>& boxes) {
    if (boxes.empty()) return {.radius = 1, .skin = 0.25f};
    const auto any = [&] { return oracle::centre_of(boxes[random.below(boxes.size())]); };
    const Point a = any(), b = any();
    float radius = std::hypot(a.x - b.x, a.y - b.y) * random.uniform(0.01f, 0.3f);
    if (!std::isfinite(radius)) radius = 1;
    const float share[] = {0, 0.01f, 0.25f, 0.25f, 1.5f};
    return {.radius = radius, .skin = radius * share[random.below(5)], .half = random.one_in(2)};
}

// A walk of all agents by up to `step`; single ones jump now and then.
void walk(Worlds& worlds, const Scene& scene, Random& random, float step) {
    for (auto& [id, box] : worlds.agents()) {
        const float dx = random.uniform(-step, step), dy = random.uniform(-step, step);
        const Box moved{box.min_x + dx, box.min_y + dy, box.max_x + dx, box.max_y + dy};
        if (std::isfinite(moved.min_x) && std::isfinite(moved.max_x) && std::isfinite(moved.min_y) &&
            std::isfinite(moved.max_y))
            box = moved;
    }
    if (!worlds.agents().empty() && random.one_in(8)) worlds.agents().begin()->second = scene.place(random);
    worlds.move_all();
}

void expect_right_lists_in(const Scene& scene, std::size_t steps) {
    ThreadPool pool(3);
    Random random(17);
    std::size_t kept = 0, rebuilt = 0;
    const std::size_t rounds = scaled(4, 2);
    for (std::size_t round = 0; round < rounds; ++round) {
        const KeptNeighbourhood wanted = random_wanted(random, scene.agents());
        SCOPED_TRACE(scene.name() + ", round " + std::to_string(round));
        Worlds worlds(scene.agents(), wanted, pool.executor());
        for (std::size_t step = 0; step < steps; ++step) {
            ++(worlds.compare() ? rebuilt : kept);
            if (::testing::Test::HasFailure()) return;
            if (!random.one_in(6)) {
                walk(worlds, scene, random, wanted.skin * (random.one_in(3) ? 0 : 0.12f));
            } else if (random.one_in(2) || worlds.agents().size() < 2) {
                worlds.insert(scene.place(random));
            } else {
                worlds.remove(worlds.agents().begin()->first);
            }
        }
    }
    EXPECT_GT(kept, 0u);
    EXPECT_GT(rebuilt, rounds);
}

class KeptInScene : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(KeptInScene, have_all_neighbours_and_are_made_again_only_where_they_must) {
    const std::size_t agents = std::min<std::size_t>(scaled(300, 100), GetParam().max_count);
    expect_right_lists_in(Scene(GetParam(), agents, 5), scaled(24, 12));
}

INSTANTIATE_TEST_SUITE_P(every, KeptInScene, enough_scenes(5), scene_name);

TEST(KeptAmongIslands, have_all_neighbours_and_are_made_again_only_where_they_must) {
    expect_right_lists_in(make_island_scene("villages_under_giants", 1500), 6);
}

// Two agents just beyond radius + skin come just within the radius, at any magnitude: rounding decides.
TEST(Kept, have_each_neighbour_to_the_last_bit) {
    Random random(23);
    Engine engine({.executor = serial_executor()});
    const auto ulps_off = [&](float value) {
        for (std::size_t n = random.below(8); n > 0; --n)
            value = std::nextafter(value, random.one_in(2) ? 0.0f : std::numeric_limits<float>::max());
        return value;
    };
    std::size_t stayed = 0, within = 0;
    for (std::size_t i = 0; i < scaled(60000, 2000); ++i) {
        const float radius = random.one_in(12) ? 0 : std::exp2(random.uniform(-90, 60));
        const float skin = radius * std::exp2(random.uniform(-24, 2)) + (radius == 0 ? 1e-21f : 0);
        const float apart = ulps_off(radius + skin), closer = ulps_off(radius);
        const float left = random.one_in(2) ? 0 : random.uniform(-1, 1) * apart,
                    turned = random.uniform(0, 1.6f);
        const float step = apart / 2 - closer / 2;
        const auto boxes = [&](float from, float to) {
            const float c = std::cos(turned), s = std::sin(turned);
            return std::vector<Box>{{left + from * c, from * s, left + from * c, from * s},
                                    {left + to * c, to * s, left + to * c, to * s}};
        };
        KeptNeighbours kept({.radius = radius, .skin = skin});
        const std::vector<Box> before = boxes(0, apart), after = boxes(step, apart - step);
        ASSERT_EQ(engine.update(before), Status{});
        ASSERT_EQ(kept.update(engine.frame()), Status{});
        ASSERT_EQ(engine.update(after), Status{});
        ASSERT_EQ(kept.update(engine.frame()), Status{});
        NeighbourLists now;
        ASSERT_EQ(engine.frame().neighbours({.radius = radius}, now), Status{});
        stayed += !kept.was_rebuilt();
        within += !now[0].empty();
        ASSERT_GE(kept.lists()[0].size(), now[0].size()) << "radius " << radius << ", skin " << skin;
    }
    EXPECT_GT(stayed, 10u);
    EXPECT_GT(within, 1000u);
}

// Where squares become zero, all that is nearer than about 2.6e-23 is found, at any radius.
TEST(Kept, have_each_neighbour_where_squares_underflow) {
    const std::vector<Box> before{{0, 0, 0, 0}, {2.7e-23f, 0, 2.7e-23f, 0}},
        after{{0.4e-23f, 0, 0.4e-23f, 0}, {2.3e-23f, 0, 2.3e-23f, 0}};
    KeptNeighbours kept({.radius = 1e-23f, .skin = 1e-23f});
    Engine engine = engine_with(before);
    ASSERT_EQ(kept.update(engine.frame()), Status{});
    ASSERT_TRUE(kept.lists()[0].empty());
    ASSERT_EQ(engine.update(after), Status{});
    ASSERT_EQ(kept.update(engine.frame()), Status{});
    EXPECT_EQ(kept.lists()[0].size(), 1u);
}

// Either enough agents move that lists are made again, or few of them move far, to others.
void expect_the_same_bytes_on_every_executor(std::size_t one_in, float step_of_one, bool made_again) {
    Scene scene = make_scene("uniform", 30000);
    std::vector<Frame> frames;
    Engine engine;
    std::vector<Box> boxes = scene.agents();
    for (int step = 0; step < 6; ++step) {
        ASSERT_EQ(engine.update(boxes), Status{});
        frames.push_back(engine.frame());
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const float d = i % one_in == 0 ? step_of_one : 0.005f * static_cast<float>(i % 10);
            boxes[i] = {boxes[i].min_x + d, boxes[i].min_y, boxes[i].max_x + d, boxes[i].max_y};
        }
    }
    const KeptNeighbourhood wanted{.radius = 2, .skin = 0.5f};
    KeptNeighbours serial(wanted);
    std::size_t first_ids = 0;
    for (const Frame& frame : frames) {
        ASSERT_EQ(serial.update(frame.on(serial_executor())), Status{});
        if (first_ids == 0) first_ids = serial.lists().ids().size();
    }
    ASSERT_EQ(serial.times_rebuilt(), made_again ? 2u : 1u);
    ASSERT_TRUE(made_again || serial.lists().ids().size() > first_ids);
    for (const std::unique_ptr<Workplace>& place : all_workplaces({1, 2, 5, 16, 33})) {
        KeptNeighbours kept(wanted);
        place->run([&] {
            for (const Frame& frame : frames) ASSERT_EQ(kept.update(frame.on(place->executor())), Status{});
        });
        EXPECT_EQ(kept.times_rebuilt(), serial.times_rebuilt()) << place->name();
        EXPECT_TRUE(ListsAsTheyAre(kept.lists()) == ListsAsTheyAre(serial.lists())) << place->name();
    }
}

// Once a frame was asked where its agents are, later updates write it down; for other frames it is gathered.
// Without a skin, lists would be made again if one bit of a centre differed.
TEST(Kept, are_not_made_again_where_centres_come_from_rows_instead_of_an_update) {
    const Scene scene = make_scene("uniform", 20000);
    std::vector<float> x, y, half_x, half_y;
    for (const Box& box : scene.agents()) {
        x.push_back(box.min_x);
        y.push_back(box.min_y);
        half_x.push_back((box.max_x - box.min_x) * 0.37f);
        half_y.push_back((box.max_y - box.min_y) * 0.61f);
    }
    const Boxes given = Boxes::centre_half(x, y, half_x, half_y);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < given.size(); ++i) boxes.push_back(given[i]);
    ThreadPool pool(3);
    for (const Isa isa : instruction_sets()) {
        KeptNeighbours kept({.radius = 1, .skin = 0});
        Engine engine = engine_with(given, {.executor = pool.executor(), .isa = isa});
        Engine fresh({.isa = isa});
        ASSERT_EQ(kept.update(engine.frame()), Status{});  // gathered, and wanted from now on
        for (const Boxes& same : {given, Boxes::of(boxes)}) {
            ASSERT_EQ(engine.update(same), Status{});
            ASSERT_EQ(kept.update(engine.frame()), Status{});
        }
        ASSERT_EQ(fresh.update(boxes), Status{});
        ASSERT_EQ(kept.update(fresh.frame()), Status{});
        EXPECT_EQ(kept.times_rebuilt(), 1u);
        boxes[4711].max_x = given[4711].max_x + 0.01f;
        ASSERT_EQ(engine.update(boxes), Status{});
        ASSERT_EQ(kept.update(engine.frame()), Status{});
        EXPECT_EQ(kept.times_rebuilt(), 2u);
        boxes[4711] = given[4711];
    }
}

TEST(Kept, are_the_same_bytes_on_every_executor) {
    expect_the_same_bytes_on_every_executor(10, 0.09f, true);
    expect_the_same_bytes_on_every_executor(30, 0.11f, false);
}

}  // namespace
}  // namespace throng::test
