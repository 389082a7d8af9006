// Folds in C give what those in C++ give, and a status names what is wrong.

#include "bindings/c/tests/both_worlds.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

throng_column column_in_c(const std::vector<float>& of) {
    return {of.data(), of.size(), 0, THRONG_FLOATS, 0};
}
throng_column column_in_c(const std::vector<double>& of) {
    return {of.data(), of.size(), 0, THRONG_DOUBLES, 0};
}
throng_result_column result_in_c(std::vector<float>& of) {
    return {of.data(), of.size(), 0, THRONG_FLOATS, 0};
}
throng_result_column result_in_c(std::vector<double>& of) {
    return {of.data(), of.size(), sizeof(double), THRONG_DOUBLES, 0};
}

// Two columns, one of floats and one of doubles, with results and weights.
struct Numbers {
    std::vector<float> light, light_result;
    std::vector<double> heavy, heavy_result, weights;

    Numbers(std::size_t rows, std::size_t entries) : light_result(rows, 7), heavy_result(rows, 7) {
        Random random(5);
        for (std::size_t i = 0; i < rows; ++i)
            light.push_back(random.uniform(-1, 1)), heavy.push_back(double{random.uniform(0, 9)} / 7);
        for (std::size_t e = 0; e < entries; ++e) weights.push_back(double{random.uniform(0, 1)});
    }
};

void expect_same_folds(const Links& links, const throng_links& given, std::size_t rows) {
    const std::size_t entries = links.are_pairs() ? links.pairs().size() : links.ids().size();
    for (const Fold by : {Fold::sum, Fold::mean, Fold::least, Fold::greatest, Fold::count})
        for (const bool weighted : {false, true}) {
            if (weighted && by != Fold::sum && by != Fold::mean) continue;
            Numbers ours(rows, entries), in_c(rows, entries);
            FoldConfig config{.by = by, .empty = -3};
            auto fold_in_c = made(throng_init_fold);
            const throng_column weights = column_in_c(in_c.weights);
            fold_in_c.by = static_cast<std::uint32_t>(by);
            fold_in_c.empty = -3;
            if (weighted) config.weights = ours.weights, fold_in_c.weights = &weights;
            const bool counts = by == Fold::count;
            const throng_column values[] = {column_in_c(in_c.light), column_in_c(in_c.heavy)};
            const throng_result_column results[] = {result_in_c(in_c.light_result),
                                                    result_in_c(in_c.heavy_result)};
            ASSERT_TRUE(counts ? fold(links, {}, {ours.light_result}, config)
                               : fold(links, {ours.light, ours.heavy}, {ours.light_result, ours.heavy_result},
                                      config));
            ASSERT_EQ(throng_arrays_fold(&given, values, counts ? 0 : 2, results, counts ? 1 : 2, &fold_in_c,
                                         nullptr, nullptr),
                      THRONG_OK);
            EXPECT_EQ(ours.light_result, in_c.light_result);
            EXPECT_EQ(ours.heavy_result, in_c.heavy_result);
        }
}

TEST(CFolds, are_those_of_cpp) {
    Both both("uniform", 3000);
    for (const bool in_row_order : {false, true}) {
        NeighbourLists lists;
        auto within = made(throng_init_within);
        within.radius = 3;
        within.in_row_order = in_row_order ? 1 : 0;
        ASSERT_TRUE(both.frame.neighbours({.radius = 3, .in_row_order = in_row_order}, lists));
        ASSERT_EQ(throng_frame_neighbours_within(both.c.frame, &within, nullptr, both.c.lists, nullptr),
                  THRONG_OK);
        auto links = made(throng_init_links);
        links.offsets = throng_neighbours_offsets(both.c.lists, &links.offset_count);
        links.ids = throng_neighbours_ids(both.c.lists, &links.id_count);
        links.places = throng_neighbours_agents(both.c.lists, &links.place_count);
        expect_same_folds(lists, links, 3000);
    }
    PairList pairs;
    ASSERT_TRUE(both.frame.pairs(pairs));
    ASSERT_EQ(throng_frame_pairs(both.c.frame, nullptr, both.c.pairs, nullptr), THRONG_OK);
    auto links = made(throng_init_links);
    links.are_pairs = 1;
    links.pairs = throng_pairs_get(both.c.pairs, &links.pair_count);
    expect_same_folds(pairs, links, 3000);
}

TEST(CFolds, take_the_hosts_threads_and_memory) {
    std::vector<throng_pair> pairs(50000, {0, 1});
    std::vector<float> values{1, 2}, sums(2);
    auto links = made(throng_init_links);
    links.are_pairs = 1;
    links.pairs = pairs.data();
    links.pair_count = pairs.size();
    CountingResource memory;
    throng_engine_config config = config_with(memory);
    std::uint64_t blocks = 0;
    config.workers = 4;
    config.executor_context = &blocks;
    config.parallel_for = [](void* counted, std::uint64_t count, throng_block body, void* argument) {
        *static_cast<std::uint64_t*>(counted) += count;
        for (std::uint64_t b = 0; b < count; ++b) body(argument, b);
    };
    const throng_column from = column_in_c(values);
    const throng_result_column to = result_in_c(sums);
    ASSERT_EQ(throng_arrays_fold(&links, &from, 1, &to, 1, nullptr, &config, nullptr), THRONG_OK);
    EXPECT_EQ(sums, (std::vector<float>{100000, 50000}));
    EXPECT_GT(blocks, 4u);
    EXPECT_GT(memory.calls(), 0u);
    EXPECT_EQ(memory.blocks_out(), 0u);
    memory.fail_after(0);
    EXPECT_EQ(throng_arrays_fold(&links, &from, 1, &to, 1, nullptr, &config, nullptr), THRONG_OUT_OF_MEMORY);
}

TEST(CFolds, that_are_wrong_name_the_argument) {
    const std::vector<std::uint64_t> offsets{0, 2};
    const std::vector<std::uint32_t> ids{0, 2};
    const std::vector<float> values{1, 2};
    std::vector<float> sums(1, 7);
    auto links = made(throng_init_links);
    links.offsets = offsets.data();
    links.offset_count = 2;
    links.ids = ids.data();
    links.id_count = 2;
    const throng_column from = column_in_c(values), none{};
    throng_column odd = from;
    odd.type = 2;
    throng_result_column to = result_in_c(sums), odd_result = to;
    odd_result.type = 2;
    auto fold = made(throng_init_fold), odd_fold = fold, weighted = fold;
    odd_fold.by = 5;
    weighted.weights = &odd;
    struct Wrong {
        std::int32_t code, argument;
        std::uint64_t index;
        const throng_links* links;
        const throng_column* values;
        const throng_result_column* results;
        const throng_fold* fold;
    };
    const std::uint64_t none_of_them = THRONG_NO_INDEX;
    const Wrong all[] = {
        {THRONG_UNKNOWN_ID, THRONG_ARGUMENT_LISTS, 1, &links, &from, &to, &fold},
        {THRONG_NULL_POINTER, THRONG_ARGUMENT_LISTS, none_of_them, nullptr, &from, &to, &fold},
        {THRONG_NULL_VIEW, THRONG_ARGUMENT_VALUES, none_of_them, &links, nullptr, &to, &fold},
        {THRONG_NULL_VIEW, THRONG_ARGUMENT_OUTPUT, none_of_them, &links, &from, nullptr, &fold},
        {THRONG_BAD_CONFIG, THRONG_ARGUMENT_VALUES, 0, &links, &odd, &to, &fold},
        {THRONG_BAD_CONFIG, THRONG_ARGUMENT_OUTPUT, 0, &links, &from, &odd_result, &fold},
        {THRONG_BAD_CONFIG, THRONG_ARGUMENT_WEIGHTS, none_of_them, &links, &from, &to, &weighted},
        {THRONG_BAD_CONFIG, THRONG_ARGUMENT_OPTIONS, none_of_them, &links, &from, &to, &odd_fold},
        {THRONG_UNKNOWN_ID, THRONG_ARGUMENT_LISTS, 0, &links, &none, &to, &fold},
    };
    for (const Wrong& wrong : all) {
        auto details = made(throng_init_status_details);
        EXPECT_EQ(
            throng_arrays_fold(wrong.links, wrong.values, 1, wrong.results, 1, wrong.fold, nullptr, &details),
            wrong.code);
        EXPECT_EQ(details.argument, wrong.argument);
        EXPECT_EQ(details.index, wrong.index);
        EXPECT_EQ(sums[0], 7);
    }
}

}  // namespace
}  // namespace throng::test
