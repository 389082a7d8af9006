// The sweep over crowded places, by itself: what it sorts by, what it finds, and in how many steps. It is
// compiled here for the lowest instruction set, with a count of its steps.
#include "simd/isa/lowest.hpp"

#include "simd/kernels/pairs/sweep.hpp"
#include "support/test.hpp"
#include "worlds/scenes/crowded_boxes.hpp"

namespace throng::simd {
namespace {

using test::Random;

using Vocabulary = Lowest;

struct CountedSteps {
    std::uint64_t count = 0;
    void add(std::uint64_t steps) { count += steps; }
};
const MeasuredView no_world{{}, {}, FoundBy::boxes};
const Match<Vocabulary> match{no_world};
using Boxes = SortedBoxes<Vocabulary>;
using CountedSweep = Sweep<Vocabulary, CountedSteps>;
using CountedJoin = RankJoin<Vocabulary, CountedSteps>;
using FoundPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// A row of boxes, whose ids are not their places.
struct TestRow {
    std::uint32_t stride;
    std::vector<float> data;
    Row row;

    static std::uint32_t id_of(std::uint32_t place) { return place * 7 + 3; }

    explicit TestRow(const std::vector<Box>& boxes)
        : stride(static_cast<std::uint32_t>(boxes.size()) + gap),
          data(std::size_t{5} * stride, std::numeric_limits<float>::quiet_NaN()),
          row{data.data(), nullptr, stride, static_cast<std::uint32_t>(boxes.size()), 0} {
        for (std::uint32_t i = 0; i < row.count; ++i) {
            const float edges[4] = {boxes[i].min_x, boxes[i].min_y, boxes[i].max_x, boxes[i].max_y};
            for (std::size_t a = 0; a < 4; ++a) data[a * stride + i] = edges[a];
            const std::uint32_t id = id_of(i);
            std::memcpy(&data[std::size_t{4} * stride + i], &id, sizeof id);
        }
    }
    Chosen all() const { return {&row, nullptr, 0, row.count}; }
};

struct Result {
    FoundPairs pairs;
    std::uint64_t steps = 0;
};

// Runs something that writes pairs to a sink of a few, which is emptied when it is full.
template <class Work>
Result collect(const Work& work) {
    struct Context {
        std::vector<Pair> room = std::vector<Pair>(2 * pair_slack + 100);
        FoundPairs pairs;
        static void full(PairSink& sink) {
            Context& self = *static_cast<Context*>(sink.context);
            for (const Pair* p = self.room.data(); p != sink.at; ++p) self.pairs.emplace_back(p->a, p->b);
            sink.at = self.room.data();
        }
    } context;
    PairSink sink{context.room.data(), context.room.data() + context.room.size() - pair_slack, Context::full,
                  &context};
    CountedSteps steps;
    {
        PairWriter<Vocabulary> out(sink);
        work(out, steps);
    }
    Context::full(sink);
    return {std::move(context.pairs), steps.count};
}

std::vector<char> scratch_for(std::size_t count) {
    return std::vector<char>(CountedSweep::scratch_bytes(match, count) + 64);
}
char* aligned(std::vector<char>& bytes) {
    void* at = bytes.data();
    std::size_t room = bytes.size();
    return static_cast<char*>(std::align(64, bytes.size() - 64, at, room));
}

Result within(const std::vector<Box>& boxes, std::uint32_t near = 0) {
    const TestRow row(boxes);
    std::vector<char> scratch = scratch_for(boxes.size());
    return collect([&](PairWriter<Vocabulary>& out, CountedSteps& steps) {
        CountedSweep(match, near, out, steps).within(row.all(), aligned(scratch));
    });
}
Result between(const std::vector<Box>& some, const std::vector<Box>& others) {
    const TestRow a(some), b(others);
    std::vector<char> scratch = scratch_for(some.size() + others.size());
    return collect([&](PairWriter<Vocabulary>& out, CountedSteps& steps) {
        CountedSweep(match, 0, out, steps).between(a.all(), b.all(), aligned(scratch));
    });
}
// What the sweep falls back on, used from the start.
Result joined(const std::vector<Box>& boxes) {
    std::vector<Box> sorted = boxes;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const Box& a, const Box& b) { return a.min_y < b.min_y; });
    TestRow row(sorted);
    std::vector<std::uint32_t> places(sorted.size());
    for (std::uint32_t i = 0; i < places.size(); ++i) places[i] = i;
    Boxes ordered;
    ordered.row = row.row;
    ordered.slot = places.data();
    std::vector<char> scratch = scratch_for(boxes.size());
    return collect([&](PairWriter<Vocabulary>& out, CountedSteps& steps) {
        ScratchCutter cutter{aligned(scratch)};
        CountedJoin(match, 0, out, steps, true).run(ordered, 0, Boxes{}, 0, Boxes::y, cutter);
    });
}

FoundPairs expected_within(const std::vector<Box>& boxes, std::uint32_t near = 0) {
    FoundPairs pairs;
    for (std::uint32_t i = 0; i < boxes.size(); ++i)
        for (std::uint32_t j = i + 1 + near; j < boxes.size(); ++j)
            if (boxes[i].overlaps(boxes[j])) pairs.emplace_back(TestRow::id_of(i), TestRow::id_of(j));
    return pairs;
}
FoundPairs expected_between(const std::vector<Box>& some, const std::vector<Box>& others) {
    FoundPairs pairs;
    for (std::uint32_t i = 0; i < some.size(); ++i)
        for (std::uint32_t j = 0; j < others.size(); ++j)
            if (some[i].overlaps(others[j])) pairs.emplace_back(TestRow::id_of(i), TestRow::id_of(j));
    return pairs;
}
FoundPairs sorted(FoundPairs pairs) {
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

// Boxes with corners on a few numbers, so that edges touch all the time.
std::vector<Box> boxes_on(const std::vector<float>& numbers, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Box> boxes;
    const auto any = [&] { return numbers[random.below(numbers.size())]; };
    for (std::size_t i = 0; i < count; ++i) {
        const float a = any(), b = any(), c = any(), d = any();
        boxes.push_back({std::min(a, b), std::min(c, d), std::max(a, b), std::max(c, d)});
    }
    return boxes;
}
std::vector<float> awkward_numbers() {
    constexpr float tiny = std::numeric_limits<float>::denorm_min(), large = 3.4e38f;
    return {-large, -1, -1e-38f, -tiny, -0.0f, 0.0f, tiny, 1e-38f, 0.5f, 1, std::nextafter(1.0f, 2.0f),
            large};
}

TEST(RadixSort, orders_all_floats_and_keeps_equal_ones_in_order) {
    for (const std::size_t count : {0u, 1u, 2u, 100u, 3000u}) {
        Random random(count);
        std::vector<float> floats;
        for (std::size_t i = 0; i < count; ++i)
            floats.push_back(random.one_in(3)   ? awkward_numbers()[random.below(12)]
                             : random.one_in(2) ? random.any_finite()
                                                : random.subnormal());
        std::vector<std::uint64_t> entries, spare(count);
        for (std::uint32_t i = 0; i < count; ++i)
            entries.push_back(RadixSort<Vocabulary>::entry(floats[i], i));
        NoSteps steps;
        const std::uint64_t* result = RadixSort<Vocabulary>::sort(entries.data(), spare.data(),
                                                                  static_cast<std::uint32_t>(count), steps);
        std::vector<std::uint32_t> expected(count);
        for (std::uint32_t i = 0; i < count; ++i) expected[i] = i;
        std::stable_sort(expected.begin(), expected.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return floats[a] < floats[b]; });
        for (std::size_t i = 0; i < count; ++i)
            ASSERT_EQ(RadixSort<Vocabulary>::number(result[i]), expected[i]) << i << " of " << count;
    }
}

TEST(Sweep, finds_each_pair_once_with_the_first_in_the_row_first) {
    for (const test::CrowdedBoxes& kind : test::crowded_boxes)
        for (const std::size_t count : {2u, 3u, 17u, 64u, 65u, 700u, 3000u}) {
            const std::vector<Box> boxes = kind.make(count);
            ASSERT_EQ(sorted(within(boxes).pairs), expected_within(boxes)) << kind.name << ", " << count;
        }
}

TEST(Sweep, leaves_out_the_nearest_in_the_row) {
    const std::vector<Box> boxes(40, Box{0, 0, 1, 1});
    for (const std::uint32_t near : {1u, 8u, 39u})
        EXPECT_EQ(sorted(within(boxes, near).pairs), expected_within(boxes, near)) << near;
}

TEST(Sweep, finds_each_pair_of_two_sets_once_with_the_first_sets_first) {
    for (const test::CrowdedBoxes& kind : test::crowded_boxes)
        for (const std::size_t count : {1u, 40u, 700u, 2500u}) {
            const std::vector<Box> some = kind.make(count, 1), others = kind.make(count / 2 + 1, 2);
            ASSERT_EQ(sorted(between(some, others).pairs), expected_between(some, others))
                << kind.name << ", " << count;
        }
}

TEST(Sweep, compares_floats_as_they_are) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        const std::vector<Box> some = boxes_on(awkward_numbers(), 500, seed),
                               others = boxes_on(awkward_numbers(), 300, seed + 9);
        EXPECT_EQ(sorted(within(some).pairs), expected_within(some));
        EXPECT_EQ(sorted(between(some, others).pairs), expected_between(some, others));
    }
}

TEST(RankJoin, finds_each_pair_once_by_itself) {
    const auto unordered = [](FoundPairs pairs) {
        for (auto& [a, b] : pairs)
            if (a > b) std::swap(a, b);
        return sorted(std::move(pairs));
    };
    const auto check = [&](std::vector<Box> boxes, const char* name) {
        std::stable_sort(boxes.begin(), boxes.end(),
                         [](const Box& a, const Box& b) { return a.min_y < b.min_y; });
        EXPECT_EQ(unordered(joined(boxes).pairs), expected_within(boxes)) << name << ", " << boxes.size();
    };
    for (const test::CrowdedBoxes& kind : test::crowded_boxes)
        for (const std::size_t count : {1u, 31u, 32u, 33u, 64u, 100u, 1500u})
            check(kind.make(count), kind.name);
    for (const std::uint64_t seed : {1u, 2u, 3u}) check(boxes_on(awkward_numbers(), 400, seed), "awkward");
    check(std::vector<Box>(300, Box{1, 1, 1, 1}), "one point");
}

double log2_of(std::size_t count) { return std::log2(static_cast<double>(count)); }

TEST(Sweep, takes_steps_like_sorting_where_one_axis_tells_boxes_apart) {
    for (const test::CrowdedBoxes& kind : test::crowded_boxes) {
        if (!kind.alike) continue;
        for (std::size_t count = 1000; count <= 16000; count *= 2) {
            const Result result = within(kind.make(count));
            const double n = static_cast<double>(count), sides = 0.4 * std::sqrt(n);
            EXPECT_LE(static_cast<double>(result.steps), n * (12 + sides)) << kind.name << ", " << count;
        }
    }
}

// Comparing all with all would fail this from 2,000 on: it takes n / 2 steps for each of n boxes.
TEST(RankJoin, takes_steps_like_sorting_and_one_for_each_pair_whatever_the_shapes) {
    for (const test::CrowdedBoxes& kind : test::crowded_boxes)
        for (std::size_t count = 1000; count <= 16000; count *= 2) {
            const Result result = joined(kind.make(count));
            const double bound = static_cast<double>(count) * (20 + 7 * log2_of(count)) +
                                 2 * static_cast<double>(result.pairs.size());
            EXPECT_LE(static_cast<double>(result.steps), bound) << kind.name << ", " << count;
        }
}

TEST(Sweep, gives_up_before_it_has_cost_more_than_what_takes_over) {
    for (const test::CrowdedBoxes& kind : test::crowded_boxes)
        for (std::size_t count = 4000; count <= test::scaled(64000, 16000); count *= 4) {
            const std::vector<Box> boxes = kind.make(count), half = kind.make(count / 2, 2);
            for (const Result& result : {within(boxes), between(boxes, half)}) {
                const double bound = static_cast<double>(count) * (700 + 24 * log2_of(count)) +
                                     20 * static_cast<double>(result.pairs.size());
                EXPECT_LE(static_cast<double>(result.steps), bound) << kind.name << ", " << count;
            }
        }
}

}  // namespace
}  // namespace throng::simd
