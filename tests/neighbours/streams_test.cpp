// How lists and counts of neighbours get into the caller's order: headers that cannot tell how long a list
// is, counts of many agents, and lists whose places are known before they are made.
#include "engine/src/neighbours/sites.hpp"
#include "simd/neighbour_kernels.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// A crowd with a neighbour or two each, and a few places where many stand.
std::vector<Box> crowd(std::size_t agents) {
    Random random(17);
    const float side = 1.5f * std::sqrt(static_cast<float>(agents));
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < agents; ++i) {
        const float x = random.uniform(0, side), y = random.uniform(0, side), half = random.uniform(0, 0.5f);
        boxes.push_back(i % 7 == 0 ? Box::around(5, 5, half, half) : Box::around(x, y, half, half));
        if (i >= 700) boxes.back() = Box::around(x, y, half, half);
    }
    return boxes;
}

void expect_equal(const NeighbourLists& one, const NeighbourLists& other, bool distances) {
    ASSERT_EQ(one.size(), other.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        ASSERT_TRUE(equal_ranges(one[i], other[i])) << i;
        ASSERT_TRUE(!distances || equal_ranges(one.squared_distances(i), other.squared_distances(i))) << i;
    }
}

class Streams : public ::testing::TestWithParam<Isa> {
protected:
    Engine engine_{{.executor = serial_executor(), .isa = GetParam()}};

    // Has the kernels search around all agents. A header of these streams tells no more than two ids.
    static constexpr std::uint32_t shift = 30, most = simd::most_in_header(shift);
    void search(const simd::NeighbourQuery& query, simd::NeighbourOutput& output) const {
        const Frame frame = engine_.frame();
        const detail::FrameState& state = state_behind(frame);
        output.shift = shift;
        output.guess = 1.0f;
        (void)detail::AgentSites(state).each({0, state.agents}, true, [&](const simd::Queriers& some) {
            state.kernels->neighbours->around(state.view, {}, some, query, output);
            return true;
        });
    }
    static simd::ListSink sink_to(std::vector<std::uint32_t>& ids, float* distances) {
        return {.begin = ids.data(),
                .at = ids.data(),
                .limit = ids.data() + ids.size() - simd::list_slack,
                .distances = distances,
                .headers = 0,
                .full = [](simd::ListSink& sink) { sink.stopped = true; },
                .context = nullptr,
                .stopped = false};
    }
};

TEST_P(Streams, place_lists_of_one_length_by_their_numbers) {
    const std::vector<Box> boxes = crowd(3000);
    ASSERT_EQ(engine_.update(boxes), Status{});
    for (const std::uint32_t count : {1u, 8u, 9u}) {
        NeighbourLists placed, streamed;
        ASSERT_EQ(engine_.frame().neighbours({.count = count, .distances = true}, placed), Status{});
        // With a bound on the radius they go through streams.
        ASSERT_EQ(
            engine_.frame().neighbours({.count = count, .max_radius = 500, .distances = true}, streamed),
            Status{});
        expect_equal(placed, streamed, true);
    }
}

// A filter admits one less than are wanted; just as many; one more, of which the list of an agent among them
// has one less; and two more.
TEST_P(Streams, place_lists_only_where_a_filter_leaves_enough_for_each) {
    const std::vector<Box> boxes = crowd(600);
    for (const std::uint32_t count : {1u, 8u, 64u})
        for (std::uint32_t admitted = count - 1; admitted <= count + 2; ++admitted) {
            std::vector<Label> labels(boxes.size());
            for (std::uint32_t i = 0; i < admitted; ++i) labels[8 * i + 3].categories = i % 2 == 0 ? 2 : 4;
            ASSERT_EQ(engine_.update(boxes, {.labels = labels}), Status{});
            for (const AgentId self : {no_agent, AgentId{3}, AgentId{5}})
                for (const bool with_self : {false, true}) {
                    const Filter filter{.categories = 2 | 4, .self = self};
                    NeighbourLists placed, streamed;
                    Nearest wanted{.count = count, .with_self = with_self, .distances = true};
                    ASSERT_EQ(engine_.frame().neighbours(wanted, placed, filter), Status{});
                    wanted.max_radius = 500;
                    ASSERT_EQ(engine_.frame().neighbours(wanted, streamed, filter), Status{});
                    expect_equal(placed, streamed, true);
                }
        }
}

TEST_P(Streams, have_lists_that_are_longer_than_a_header_can_tell) {
    const std::vector<Box> boxes = crowd(1500);
    ASSERT_EQ(engine_.update(boxes), Status{});
    for (const bool half : {false, true}) {
        NeighbourLists lists;
        ASSERT_EQ(engine_.frame().neighbours({.radius = 2, .half = half, .distances = true}, lists),
                  Status{});
        std::vector<std::uint32_t> ids(1 << 16);
        std::vector<float> distances(ids.size());
        simd::ListSink sink = sink_to(ids, distances.data());
        simd::NeighbourOutput output{};
        output.sinks = &sink;
        output.headers = true;
        search({.radius = 2, .radii = nullptr, .max_count = 0, .half = half, .distances = true}, output);
        ASSERT_FALSE(sink.stopped);
        std::size_t headers = 0, seen = 0, long_ones = 0;
        for (const std::uint32_t* at = ids.data(); at != sink.at; ++seen) {
            const std::uint32_t number = *at >> (32 - shift);
            std::size_t count = *at++ & most;
            ++headers;
            if (count == most) {
                count = *at++;
                ++headers;
                ++long_ones;
            }
            ASSERT_LT(number, lists.size());
            ASSERT_EQ(count, lists[number].size()) << number;
            ASSERT_TRUE(std::equal(at, at + count, lists[number].begin())) << number;
            const float* const beside = distances.data() + (at - ids.data());
            ASSERT_TRUE(std::equal(beside, beside + count, lists.squared_distances(number).begin()))
                << number;
            at += count;
        }
        EXPECT_EQ(seen, lists.size());
        EXPECT_EQ(sink.headers, headers);
        EXPECT_GT(long_ones, 100u);
    }
}

TEST_P(Streams, have_counts_unless_these_are_more_than_a_header_can_tell) {
    const std::vector<Box> boxes = crowd(1500);
    ASSERT_EQ(engine_.update(boxes), Status{});
    const std::size_t agents = engine_.frame().size();
    std::vector<std::uint32_t> expected(agents);
    ASSERT_EQ(engine_.frame().count_neighbours({.radius = 2}, expected), Status{});
    constexpr std::uint32_t none = 0xFFFFFFFFu;
    std::vector<std::uint32_t> words(1 << 16), counts(agents, none);
    simd::ListSink sink = sink_to(words, nullptr);
    simd::NeighbourOutput output{};
    output.counts = counts.data();
    output.count_sinks = &sink;
    search({.radius = 2, .radii = nullptr, .max_count = 0, .half = false, .distances = false}, output);
    std::size_t told = 0;
    for (const std::uint32_t* at = words.data(); at != sink.at; ++at, ++told) {
        ASSERT_EQ(counts[*at >> (32 - shift)], none);
        counts[*at >> (32 - shift)] = *at & most;
    }
    EXPECT_GT(told, 100u);
    EXPECT_LT(told, agents - 100);
    EXPECT_EQ(counts, expected);
}

// A radius that reaches all agents: then nobody knows beforehand that all lists are full.
TEST_P(Streams, have_the_lists_that_may_also_go_straight_to_their_places) {
    for (const std::size_t agents : {std::size_t{12}, std::size_t{1500}}) {
        const std::vector<Box> boxes = crowd(agents);
        ASSERT_EQ(engine_.update(boxes), Status{});
        for (const std::uint32_t wanted : {1u, 5u, 8u, 9u, 11u, 64u})
            for (const bool distances : {false, true})
                for (const bool with_self : {false, true}) {
                    Nearest nearest{.count = wanted, .with_self = with_self, .distances = distances};
                    NeighbourLists straight, through_streams;
                    ASSERT_EQ(engine_.frame().neighbours(nearest, straight), Status{});
                    nearest.max_radius = 1e6f;
                    ASSERT_EQ(engine_.frame().neighbours(nearest, through_streams), Status{});
                    expect_equal(straight, through_streams, distances);
                }
    }
}

INSTANTIATE_TEST_SUITE_P(every, Streams, every_instruction_set(), isa_name);

TEST(ManyCounts, are_how_long_the_lists_are) {
    const std::vector<Box> boxes = crowd((std::size_t{1} << 18) + 5);
    ThreadPool pool(3);
    for (const Executor& executor : {serial_executor(), pool.executor()}) {
        Engine engine = engine_with(boxes, {.executor = executor});
        NeighbourLists lists;
        std::vector<std::uint32_t> counts(boxes.size(), 77);
        ASSERT_EQ(engine.frame().neighbours({.radius = 2}, lists), Status{});
        ASSERT_EQ(engine.frame().count_neighbours({.radius = 2}, counts), Status{});
        for (std::size_t i = 0; i < boxes.size(); ++i) ASSERT_EQ(counts[i], lists[i].size()) << i;
    }
}

// Its header does not tell the length of the list of an agent that sees all others.
TEST(LongList, has_all_ids_of_a_world) {
    const std::vector<Box> boxes = crowd((std::size_t{1} << 18) + 5);
    std::vector<float> radii(boxes.size(), 0.0f);
    constexpr AgentId far_sighted = 1234;
    radii[far_sighted] = 1e6f;
    NeighbourLists lists;
    ASSERT_EQ(engine_with(boxes, {.executor = serial_executor()})
                  .frame()
                  .neighbours({.radii = radii, .distances = true}, lists),
              Status{});
    const auto centre = [&](AgentId id) {
        return std::pair(boxes[id].min_x / 2 + boxes[id].max_x / 2,
                         boxes[id].min_y / 2 + boxes[id].max_y / 2);
    };
    const auto [x, y] = centre(far_sighted);
    std::vector<bool> seen(boxes.size());
    for (std::size_t k = 0; k < lists[far_sighted].size(); ++k) {
        const AgentId id = lists[far_sighted][k];
        const float dx = x - centre(id).first, dy = y - centre(id).second;
        ASSERT_EQ(lists.squared_distances(far_sighted)[k], dx * dx + dy * dy) << id;
        ASSERT_FALSE(seen[id]) << id;
        seen[id] = true;
    }
    EXPECT_EQ(lists[far_sighted].size(), boxes.size() - 1);
    EXPECT_FALSE(seen[far_sighted]);
    for (AgentId id = 0; id < boxes.size(); ++id)
        ASSERT_TRUE(id == far_sighted || centre(id) == std::pair(5.0f, 5.0f) || lists[id].empty()) << id;
}

// How long each stream becomes changes from frame to frame, and the short ones change most.
TEST(ManyStreams, need_no_more_memory_once_a_walking_crowd_has_settled) {
    constexpr std::size_t agents = 5000, settling = 100, frames = 100;
    const float side = 2 * std::sqrt(static_cast<float>(agents));
    Random random(5);
    std::vector<float> x, y, speed_x, speed_y, halves(agents, 0.5f);
    for (std::size_t i = 0; i < agents; ++i) {
        x.push_back(random.uniform(0, side));
        y.push_back(random.uniform(0, side));
        speed_x.push_back(random.uniform(-0.1f, 0.1f));
        speed_y.push_back(random.uniform(-0.1f, 0.1f));
    }
    const auto walk = [&](float& at, float& speed) {
        at += speed;
        if (at < 0 || at > side) speed = -speed;
    };
    ThreadPool pool(4);
    CountingResource memory;
    Engine engine({.executor = pool.executor(), .memory = &memory});
    NeighbourLists whole(&memory), half(&memory);
    KeptNeighbours kept({.radius = 2, .skin = 0.5f}, &memory);
    std::uint64_t settled = 0;
    for (std::size_t frame = 0; frame < settling + frames; ++frame) {
        if (frame == settling) settled = memory.calls();
        for (std::size_t i = 0; i < agents; ++i) walk(x[i], speed_x[i]), walk(y[i], speed_y[i]);
        ASSERT_EQ(engine.update(Boxes::centre_half(x, y, halves, halves)), Status{});
        ASSERT_EQ(engine.frame().neighbours({.radius = 2}, whole), Status{});
        ASSERT_EQ(engine.frame().neighbours({.radius = 2, .half = true}, half), Status{});
        ASSERT_EQ(kept.update(engine.frame()), Status{});
    }
    EXPECT_EQ(memory.calls(), settled);
}

}  // namespace
}  // namespace throng::test
