// Nothing is lost in silence: with any room, a call says how much there was and how much it wrote, and it
// writes nothing outside.
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr AgentId untouched = 0xABABABAB;
constexpr Box whole_world{-1e30f, -1e30f, 1e30f, 1e30f};

std::vector<std::size_t> rooms(std::size_t found) {
    std::set<std::size_t> sizes{0, 1, found / 2, found, found + 1, found + 100};
    if (found > 0) sizes.insert(found - 1);
    return {sizes.begin(), sizes.end()};
}

// An output of some size, called the room, inside of a larger array whose rest must stay as it is.
template <class T>
class Guarded {
public:
    Guarded(std::size_t size, T value) : size_(size), value_(value), memory_(size + 200, value) {}
    std::span<T> room() { return std::span(memory_).subspan(100, size_); }
    // The room, and behind it what a call has to leave alone.
    std::span<T> too_much_room() { return std::span(memory_).subspan(100, size_ + 50); }
    // Whether only the room was written. Behind the part that it says it wrote, a call may leave anything
    // there.
    bool intact() const {
        const auto same = [&](const T& value) { return value == value_; };
        return std::all_of(memory_.begin(), memory_.begin() + 100, same) &&
               std::all_of(memory_.begin() + 100 + static_cast<std::ptrdiff_t>(size_), memory_.end(), same);
    }

private:
    std::size_t size_;
    T value_;
    std::vector<T> memory_;
};

template <class T>
void expect_the_first(const Filled& found, Guarded<T>& out, std::span<const T> all) {
    const std::size_t fit = std::min(all.size(), out.room().size());
    EXPECT_EQ(found.status, Status{});
    EXPECT_EQ(found.total, all.size());
    EXPECT_EQ(found.written, fit);
    EXPECT_EQ(found.truncated(), fit < all.size());
    EXPECT_TRUE(std::equal(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(fit), out.room().begin()));
    EXPECT_TRUE(out.intact()) << "room for " << out.room().size() << " of " << all.size();
}

class BoundedOutputs : public ::testing::TestWithParam<Isa> {
protected:
    Frame frame_of(const Scene& scene) {
        Engine engine =
            engine_with(scene.boxes(), scene.configure({.executor = pool_.executor(), .isa = GetParam()}));
        return engine.frame();
    }
    ThreadPool pool_{3};
};

TEST_P(BoundedOutputs, of_one_query_say_what_was_left_out) {
    for (const char* name : {"uniform", "one_point", "giants_over_small", "one_agent", "none"}) {
        const Scene scene = make_scene(name, 1000);
        const Frame frame = frame_of(scene);
        std::vector<Box> queries = scene.queries(60);
        queries.push_back(whole_world);
        for (const Box& query : queries) {
            const std::vector<AgentId> all = hits_of(frame, query);
            for (const std::size_t room : rooms(all.size())) {
                Guarded<AgentId> out(room, untouched);
                expect_the_first(frame.overlaps(query, out.room()), out, std::span<const AgentId>(all));
            }
        }
    }
}

TEST_P(BoundedOutputs, of_a_batch_say_what_was_left_out) {
    for (const char* name : {"uniform", "one_point", "giants_over_small", "none"}) {
        const Scene scene = make_scene(name, 1000);
        const Frame frame = frame_of(scene);
        for (const std::size_t queries : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{700}}) {
            const std::vector<Box> boxes = scene.queries(queries);
            OverlapLists hits;
            ASSERT_EQ(frame.overlaps(Boxes::of(boxes), hits), Status{});
            for (const std::size_t room : rooms(hits.ids().size())) {
                Guarded<AgentId> out(room, untouched);
                Guarded<std::uint64_t> offsets(queries + 1, 77);
                expect_the_first(frame.overlaps(Boxes::of(boxes), offsets.room(), out.room()), out,
                                 hits.ids());
                EXPECT_EQ(offsets.room()[0], 0u);
                for (std::size_t i = 0; i < queries; ++i)
                    EXPECT_EQ(offsets.room()[i + 1] - offsets.room()[i], hits[i].size());
                EXPECT_TRUE(offsets.intact());
            }
        }
    }
}

TEST_P(BoundedOutputs, of_pairs_say_what_was_left_out) {
    for (const char* name : {"uniform", "clustered", "one_point", "giants_over_small", "one_agent", "none"}) {
        const Frame frame = frame_of(make_scene(name, 3000));
        PairList list = listed_pairs(frame);
        EXPECT_EQ(frame.count_pairs().total, list.size());
        for (const std::size_t room : rooms(list.size())) {
            Guarded<Pair> out(room, Pair{untouched, untouched});
            expect_the_first(frame.pairs(out.room()), out, list.pairs());
        }
    }
}

// Both have one number for each query: of a Frame, or of a WithStatic.
template <class Queried>
void expect_no_more_than_needed(const Queried& queried, const std::vector<Box>& boxes) {
    Guarded<std::uint32_t> counts(boxes.size(), 0xABABABAB);
    Guarded<std::uint8_t> any(boxes.size(), 0xAB), blocked(boxes.size(), 0xAB);
    Guarded<CastHit> hits(boxes.size(), CastHit{.id = untouched});
    std::vector<Cast> casts;
    for (const Box& box : boxes) casts.push_back(Cast::ray(box.min_x, box.min_y, 1, 1));
    ASSERT_EQ(queried.count(boxes, counts.too_much_room()), Status{});
    ASSERT_EQ(queried.any(boxes, any.too_much_room()), Status{});
    ASSERT_EQ(queried.first_hits(casts, hits.too_much_room()), Status{});
    ASSERT_EQ(queried.blocked(casts, blocked.too_much_room()), Status{});
    EXPECT_TRUE(counts.intact() && any.intact() && hits.intact() && blocked.intact());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        EXPECT_EQ(counts.room()[i], queried.count(boxes[i]).total);
        EXPECT_EQ(any.room()[i] != 0, queried.any(boxes[i]).found);
        EXPECT_EQ(hits.room()[i], queried.first_hit(casts[i]).hit);
        EXPECT_EQ(blocked.room()[i] != 0, queried.blocked(casts[i]).found);
    }
    casts.push_back(Cast::ray(0, 0, std::numeric_limits<float>::infinity(), 1));
    EXPECT_FALSE(queried.first_hits(casts, hits.too_much_room()).ok());
    EXPECT_FALSE(queried.blocked(casts, blocked.too_much_room()).ok());
    EXPECT_EQ(hits.too_much_room().back(), CastHit{.id = untouched})
        << "a refusal clears no more than the answers";
    EXPECT_EQ(blocked.too_much_room().back(), 0xAB);
}

TEST_P(BoundedOutputs, that_are_longer_than_needed_keep_their_rest) {
    const Scene scene = make_scene("uniform", 1000), walls = make_scene("uniform", 40);
    Engine engine =
        engine_with_layer(StaticLayer(walls.boxes(), {}, {.executor = pool_.executor()}), scene.boxes(),
                          scene.configure({.executor = pool_.executor(), .isa = GetParam()}));
    const Frame frame = engine.frame();
    // Also where an id has no agent: its count is 0.
    std::vector<AgentId> named(scene.boxes().size());
    for (std::size_t i = 0; i < named.size(); ++i) named[i] = static_cast<AgentId>(2 * i);
    Engine with_holes({.executor = pool_.executor(), .isa = GetParam()});
    ASSERT_EQ(with_holes.update(named, scene.boxes()), Status{});
    for (const Frame& each : {frame, with_holes.frame(), Frame()}) {
        Guarded<std::uint32_t> near(each.id_bound(), 0xABABABAB), both(each.id_bound(), 0xABABABAB);
        ASSERT_EQ(each.count_neighbours({.radius = 1}, near.too_much_room()), Status{});
        ASSERT_EQ(each.with_static().count_neighbours({.radius = 1}, both.too_much_room()), Status{});
        EXPECT_TRUE(near.intact() && both.intact());
        NeighbourLists lists;
        ASSERT_EQ(each.neighbours({.radius = 1}, lists), Status{});
        for (std::size_t i = 0; i < lists.size(); ++i) EXPECT_EQ(near.room()[i], lists[i].size());
    }
    for (const std::size_t queries : {std::size_t{0}, std::size_t{1}, std::size_t{15}, std::size_t{700}}) {
        const std::vector<Box> boxes = scene.queries(queries);
        expect_no_more_than_needed(frame, boxes);
        expect_no_more_than_needed(frame.with_static(), boxes);
        expect_no_more_than_needed(Frame(), boxes);
        std::vector<Point> points;
        for (const Box& box : boxes) points.push_back({box.min_x, box.min_y});
        for (const Frame& each : {frame, Frame()}) {
            Guarded<std::uint32_t> near(queries, 0xABABABAB);
            ASSERT_EQ(each.count_neighbours(points, {.radius = 1}, near.too_much_room()), Status{});
            EXPECT_TRUE(near.intact());
        }
    }
}

TEST_P(BoundedOutputs, hold_every_hit_of_a_query_that_all_agents_answer) {
    // No fixed limit and no stack may lose a hit: more agents at one point than anybody would have.
    const std::size_t count = 50000;
    const std::vector<Box> agents(count, Box{3, 3, 4, 4});
    const Frame frame = engine_with(agents, {.executor = pool_.executor(), .isa = GetParam()}).frame();
    EXPECT_EQ(hits_of(frame, agents[0]).size(), count);
    EXPECT_EQ(frame.count(agents[0]).total, count);
    std::vector<AgentId> out(count);
    EXPECT_EQ(frame.overlaps(agents[0], out).written, count);
    const std::vector<Box> queries(20, agents[0]);
    OverlapLists hits;
    ASSERT_EQ(frame.overlaps(Boxes::of(queries), hits), Status{});
    EXPECT_EQ(hits.ids().size(), count * queries.size());
}

TEST_P(BoundedOutputs, hold_every_pair_of_agents_at_one_point) {
    const std::size_t count = 2500;
    const std::vector<Box> agents(count, Box{3, 3, 4, 4});
    Engine engine = engine_with(agents, {.executor = pool_.executor(), .isa = GetParam()});
    PairList list = listed_pairs(engine.frame());
    EXPECT_EQ(list.size(), count * (count - 1) / 2);
    EXPECT_EQ(engine.frame().count_pairs().total, count * (count - 1) / 2);
}

INSTANTIATE_TEST_SUITE_P(on, BoundedOutputs, every_instruction_set(), isa_name);

}  // namespace
}  // namespace throng::test
