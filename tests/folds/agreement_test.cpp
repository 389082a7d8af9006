// Folds over every kind of list and over pairs give what plain loops give, to the last bit, on all executors.
#include "folds/plain_loops.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr double of_nothing = -7.25;

// Lists and pairs of a world; its ids have holes.
struct Found {
    NeighbourLists by_id, by_row;
    OverlapLists overlaps;
    OverlapsAsFound as_found;
    PairList pairs;
    std::size_t ids = 0, queries = 0;
};

Found find(std::string_view name, std::size_t agents) {
    const Scene scene = make_scene(name, agents);
    std::vector<AgentId> ids;
    for (AgentId i = 0; i < agents; ++i) ids.push_back(static_cast<AgentId>(3 * (agents - i) + i % 2));
    Engine engine({.executor = serial_executor()});
    EXPECT_EQ(engine.update(ids, scene.boxes()), Status{});
    const Frame frame = engine.frame();
    Found found;
    const std::vector<Box> queries = scene.queries(300);
    EXPECT_EQ(frame.neighbours({.radius = 2, .with_self = true}, found.by_id), Status{});
    EXPECT_EQ(frame.neighbours({.radius = 2, .in_row_order = true}, found.by_row), Status{});
    EXPECT_EQ(frame.overlaps(queries, found.overlaps), Status{});
    EXPECT_EQ(frame.overlaps(queries, found.as_found), Status{});
    EXPECT_EQ(frame.pairs(found.pairs, {.within = 1}), Status{});
    found.ids = frame.id_bound();
    found.queries = queries.size();
    return found;
}

// The host's numbers: two floats that lie together, a float and a double alone, and weights of both types.
struct Numbers {
    struct Two {
        float x, y;
    };
    std::vector<Two> two;
    std::vector<float> one, light;
    std::vector<double> wide, heavy;

    Numbers(std::size_t ids, std::size_t entries) {
        Random random(7);
        for (std::size_t i = 0; i < ids; ++i) {
            two.push_back({random.uniform(-9, 9), random.uniform(0, 1e6f)});
            one.push_back(random.uniform(-1, 1));
            wide.push_back(std::ldexp(double{random.uniform(-1, 1)}, static_cast<int>(i % 60)));
        }
        // Where they are found, the least and the greatest too are NaN.
        for (std::size_t i = 5; i < ids; i += 97) one[i] = std::numeric_limits<float>::quiet_NaN();
        for (std::size_t e = 0; e < entries; ++e) {
            light.push_back(random.uniform(-1, 2));
            heavy.push_back(double{random.uniform(0, 1)} / 3);
        }
    }
    // Groups of two columns, of one, of one type after another.
    std::vector<Column> columns() const {
        return {Column::member(two, &Two::x), Column::member(two, &Two::y), one, wide, one, one};
    }
    double value(std::size_t column, AgentId id) const {
        switch (column) {
        case 0: return double{two[id].x};
        case 1: return double{two[id].y};
        case 3: return wide[id];
        default: return double{one[id]};
        }
    }
    double weight(const Column& weights, std::size_t entry) const {
        return weights.is_double() ? heavy[entry] : double{light[entry]};
    }
};

// Results of both types. Every second number is not theirs.
struct Answers {
    std::vector<double> wide;
    std::vector<float> narrow;
    std::size_t columns;

    Answers(std::size_t rows, std::size_t columns_)
        : wide(2 * rows * columns_, 77), narrow(2 * rows * columns_, 77), columns(columns_) {}
    // Doubles in even columns, floats in odd ones.
    std::vector<ResultColumn> views(std::size_t rows) {
        std::vector<ResultColumn> all;
        for (std::size_t c = 0; c < columns; ++c)
            all.push_back(c % 2 == 0
                              ? ResultColumn(wide.data() + 2 * c, rows, 2 * columns * sizeof(double))
                              : ResultColumn(narrow.data() + 2 * c, rows, 2 * columns * sizeof(float)));
        return all;
    }
};

// What the columns of each row come to, row by row.
std::vector<double> plain(const Links& links, std::size_t rows, const Numbers& numbers,
                          const FoldConfig& config) {
    const bool counts = config.by == Fold::count, weighted = config.weights.size() != 0;
    const Entries entries = entries_of(links, rows);
    std::vector<bool> has_list(rows, links.places().empty());
    for (const std::uint32_t place : links.places()) has_list[place] = true;
    std::vector<double> expected;
    Gathered all;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t c = 0; c < (counts ? 1 : numbers.columns().size()); ++c) {
            all.values.clear(), all.weights.clear();
            for (const auto& [id, entry] : entries[row]) {
                all.values.push_back(counts ? 0 : numbers.value(c, id));
                all.weights.push_back(weighted ? numbers.weight(config.weights, entry) : 1);
            }
            // Ids without an agent have no list in row order, and keep what they had.
            expected.push_back(has_list[row] ? all.fold(config.by, weighted, config.empty) : 77);
        }
    return expected;
}

void expect_plain(const std::vector<double>& expected, const Links& links, std::size_t rows,
                  const Numbers& numbers, const FoldConfig& config) {
    const std::vector<Column> values = config.by == Fold::count ? std::vector<Column>() : numbers.columns();
    Answers answers(rows, std::max<std::size_t>(values.size(), 1));
    const std::vector<ResultColumn> results = answers.views(rows);
    ASSERT_EQ(fold(links, values, results, config), Status{});
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const bool is_float = i % results.size() % 2 != 0;
        const double given = is_float ? double{answers.narrow[2 * i]} : answers.wide[2 * i];
        ASSERT_TRUE(same_number(given, is_float ? double{static_cast<float>(expected[i])} : expected[i]))
            << given << " is not " << expected[i] << " in row " << i / results.size() << ", column "
            << i % results.size();
        ASSERT_EQ(is_float ? double{answers.narrow[2 * i + 1]} : answers.wide[2 * i + 1], 77);
    }
}

using Workplaces = std::vector<std::unique_ptr<Workplace>>;

void expect_plain_everywhere(const Links& links, std::size_t rows, std::size_t ids, const Workplaces& all) {
    const Numbers numbers(ids, links.are_pairs() ? links.pairs().size() : links.ids().size());
    for (const Fold by : all_folds)
        for (const Column& weights : {Column(), Column(numbers.light), Column(numbers.heavy)}) {
            if (weights.size() != 0 && by != Fold::sum && by != Fold::mean) continue;
            SCOPED_TRACE(testing::Message() << "fold " << static_cast<int>(by));
            FoldConfig config{.by = by, .weights = weights, .empty = of_nothing};
            const std::vector<double> expected = plain(links, rows, numbers, config);
            for (const auto& where : all)
                where->run([&] {
                    SCOPED_TRACE(where->name());
                    config.executor = where->executor();
                    expect_plain(expected, links, rows, numbers, config);
                });
        }
}

class FoldAgreement : public ::testing::TestWithParam<const char*> {};

TEST_P(FoldAgreement, with_plain_loops_on_all_executors) {
    const Found found = find(GetParam(), scaled(6000, 1000));
    const Workplaces all = all_workplaces({2, 5});
    expect_plain_everywhere(found.by_id, found.ids, found.ids, all);
    expect_plain_everywhere(found.by_row, found.ids, found.ids, all);
    expect_plain_everywhere(found.overlaps, found.queries, found.ids, all);
    expect_plain_everywhere(found.as_found, found.queries, found.ids, all);
    expect_plain_everywhere(found.pairs, found.ids, found.ids, all);
}

INSTANTIATE_TEST_SUITE_P(in, FoldAgreement, ::testing::Values("uniform", "clustered"),
                         [](const auto& name) { return std::string(name.param); });

// Several turns of pairs, and rows with very many.
TEST(Folds, over_pairs_add_in_the_order_of_the_pairs) {
    const std::size_t ids = 1000;
    std::vector<Pair> pairs;
    Random random(3);
    for (std::size_t p = 0; p < scaled(100000, 40000); ++p)
        pairs.push_back({static_cast<AgentId>(random.below(p % 2 == 0 ? ids : 5)),
                         static_cast<AgentId>(random.below(ids))});
    expect_plain_everywhere(Links::pairs(pairs), ids, ids, all_workplaces({2, 3, 8}));
}

// One list has nearly all ids.
TEST(Folds, over_lists_of_very_different_lengths_are_plain_loops) {
    const std::size_t lists = 3000;
    std::vector<std::uint64_t> offsets{0};
    std::vector<AgentId> ids;
    Random random(4);
    for (std::size_t k = 0; k < lists; ++k) {
        for (std::size_t i = 0; i < (k == 1000 ? 100000u : k % 3); ++i)
            ids.push_back(static_cast<AgentId>(random.below(500)));
        offsets.push_back(ids.size());
    }
    expect_plain_everywhere(Links::lists(offsets, ids), lists, 500, all_workplaces({2, 8}));
}

TEST(Folds, of_nothing_are_zero_or_empty) {
    const std::vector<float> values{3};
    std::vector<double> result(1, 77);
    const std::vector<std::uint64_t> offsets{0, 0};
    for (const Links& links : {Links::lists(offsets, {}), Links::pairs({})})
        for (const Fold by : {Fold::sum, Fold::mean, Fold::least, Fold::greatest}) {
            ASSERT_EQ(fold(links, {values}, {result}, {.by = by}), Status{});
            EXPECT_TRUE(by == Fold::sum ? result[0] == 0 : std::isnan(result[0]));
            ASSERT_EQ(fold(links, {values}, {result}, {.by = by, .empty = 5}), Status{});
            EXPECT_EQ(result[0], by == Fold::sum ? 0 : 5);
        }
    EXPECT_EQ(fold(Links::lists({}, {}), {values}, {result}), Status{});
    EXPECT_EQ(fold(NeighbourLists(), {values}, {result}), Status{});
}

TEST(Folds, of_floats_are_rounded_once) {
    // As floats, one after the other, all but the first would be lost.
    const std::vector<float> values{16777216, 1, 1, 1};
    const std::vector<AgentId> ids{0, 1, 2, 3};
    const std::vector<std::uint64_t> offsets{0, 4};
    std::vector<float> sum(1);
    ASSERT_EQ(fold(Links::lists(offsets, ids), {values}, {sum}), Status{});
    EXPECT_EQ(sum[0], 16777220.0f);
}

}  // namespace
}  // namespace throng::test
