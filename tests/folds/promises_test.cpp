// What else folds promise: bad input is named and nothing is written, out of memory is a status and all
// memory comes back, and an executor that breaks its promise is found out.
#include "support/test.hpp"

namespace throng::test {
namespace {

// Two lists of the ids 1, 2 and 0, and the same as pairs.
struct Small {
    std::vector<std::uint64_t> offsets{0, 2, 3};
    std::vector<AgentId> ids{1, 2, 0};
    std::vector<Pair> pairs{{0, 1}, {2, 0}};
    std::vector<float> values{1, 2, 4};
    std::vector<double> results{77, 77, 77};

    Links lists() const { return Links::lists(offsets, ids); }
    Links as_pairs() const { return Links::pairs(pairs); }
    bool untouched() const { return results == std::vector<double>{77, 77, 77}; }
};

void expect_refused(const Status& status, const Status& expected, const Small& small) {
    EXPECT_EQ(status, expected);
    EXPECT_EQ(status.argument, expected.argument);
    EXPECT_TRUE(small.untouched());
}

TEST(FoldPromises, an_id_without_a_value_is_named) {
    Small small;
    small.ids[1] = 3;
    expect_refused(fold(small.lists(), {small.values}, {small.results}),
                   {Code::unknown_id, 1, Argument::lists}, small);
    small.pairs[1].b = no_agent;
    expect_refused(fold(small.as_pairs(), {small.values}, {small.results}),
                   {Code::unknown_id, 3, Argument::lists}, small);
    // The shortest column decides.
    const std::vector<double> longer{1, 2, 3, 4};
    expect_refused(fold(small.lists(), {longer, small.values}, {small.results, small.results}),
                   {Code::unknown_id, 1, Argument::lists}, small);
    EXPECT_NE(std::string_view(Status(Code::unknown_id, 1, Argument::lists).message()).find("value"),
              std::string_view::npos);
}

TEST(FoldPromises, the_lowest_of_many_bad_ids_is_named_on_every_executor) {
    std::vector<AgentId> ids(300000, 2);
    const std::vector<std::uint64_t> offsets{0, 150000, 300000};
    const std::vector<float> values(3, 1);
    std::vector<double> results(2, 77);
    for (std::size_t i = 170001; i < ids.size(); i += 999) ids[i] = 3;
    for (const auto& where : all_workplaces({2, 5, 64}))
        where->run([&] {
            const Status status =
                fold(Links::lists(offsets, ids), {values}, {results}, {.executor = where->executor()});
            EXPECT_EQ(status, Status(Code::unknown_id, 170001)) << where->name();
        });
    EXPECT_EQ(results[1], 77);
}

TEST(FoldPromises, lists_that_run_back_or_beyond_the_ids_are_named) {
    Small small;
    small.offsets = {0, 2, 4};
    expect_refused(fold(small.lists(), {small.values}, {small.results}),
                   {Code::size_mismatch, 1, Argument::lists}, small);
    small.offsets = {2, 0, 3};
    expect_refused(fold(small.lists(), {small.values}, {small.results}),
                   {Code::size_mismatch, 0, Argument::lists}, small);
}

TEST(FoldPromises, results_that_are_too_short_are_refused) {
    Small small;
    const ResultColumn one(small.results.data(), 1), two(small.results.data(), 2);
    expect_refused(fold(small.lists(), {small.values}, {one}), {Code::size_mismatch, Argument::output},
                   small);
    expect_refused(fold(small.lists(), {}, {one}, {.by = Fold::count}),
                   {Code::size_mismatch, Argument::output}, small);
    expect_refused(fold(small.as_pairs(), {small.values}, {two}), {Code::size_mismatch, Argument::output},
                   small);
    expect_refused(fold(small.as_pairs(), {}, {two}, {.by = Fold::count}),
                   {Code::unknown_id, 2, Argument::lists}, small);
    const std::vector<std::uint32_t> places{0, 3};
    expect_refused(fold(Links::lists(small.offsets, small.ids, places), {small.values}, {small.results}),
                   {Code::size_mismatch, 1, Argument::output}, small);
}

TEST(FoldPromises, columns_that_do_not_fit_are_refused) {
    Small small;
    const Column null(static_cast<const float*>(nullptr), 3), narrow(small.values.data(), 3, 2);
    const auto refused = [&](std::initializer_list<Column> values,
                             std::initializer_list<ResultColumn> results, const FoldConfig& config,
                             const Status& expected) {
        expect_refused(fold(small.lists(), values, results, config), expected, small);
    };
    const ResultColumn to(small.results), nowhere(static_cast<double*>(nullptr), 3);
    refused({}, {to}, {}, {Code::size_mismatch, Argument::values});
    refused({small.values}, {to}, {.by = Fold::count}, {Code::size_mismatch, Argument::values});
    refused({small.values}, {to, to}, {}, {Code::size_mismatch, Argument::output});
    refused({small.values, null}, {to, to}, {}, {Code::null_view, 1, Argument::values});
    refused({narrow}, {to}, {}, {Code::bad_stride, 0, Argument::values});
    refused({small.values}, {nowhere}, {}, {Code::null_view, 0, Argument::output});
    refused({small.values}, {ResultColumn(small.results.data(), 3, 4)}, {},
            {Code::bad_stride, 0, Argument::output});
    refused({small.values}, {to}, {.weights = narrow}, {Code::bad_stride, Argument::weights});
    refused({small.values}, {to}, {.weights = null}, {Code::null_view, Argument::weights});
    refused({small.values}, {to}, {.weights = Column(small.values.data(), 2)},
            {Code::size_mismatch, Argument::weights});
    refused({small.values}, {to}, {.by = Fold::least, .weights = small.values},
            {Code::bad_config, Argument::weights});
    refused({small.values}, {to}, {.by = Fold{9}}, {Code::bad_config, Argument::options});
    refused({small.values}, {to}, {.executor = {.workers = 4}}, {Code::bad_config, Argument::executor});
}

TEST(FoldPromises, null_columns_are_refused) {
    Small small;
    const std::vector<Column> values{small.values};
    const std::vector<ResultColumn> results{small.results};
    expect_refused(fold(small.lists(), {nullptr, 1}, results), {Code::null_view, Argument::values}, small);
    expect_refused(fold(small.lists(), values, {nullptr, 1}), {Code::null_view, Argument::output}, small);
}

TEST(FoldPromises, null_lists_are_refused) {
    Small small;
    const detail::ViewedSpan<AgentId> ids(nullptr, 3);
    expect_refused(fold(Links::lists({nullptr, 3}, small.ids), {small.values}, {small.results}),
                   {Code::null_view, Argument::lists}, small);
    expect_refused(fold(Links::lists(small.offsets, ids), {small.values}, {small.results}),
                   {Code::null_view, Argument::lists}, small);
    expect_refused(
        fold(Links::lists(small.offsets, small.ids, {nullptr, 2}), {small.values}, {small.results}),
        {Code::null_view, Argument::lists}, small);
    expect_refused(fold(Links::pairs({nullptr, 2}), {small.values}, {small.results}),
                   {Code::null_view, Argument::lists}, small);
}

// Enough for several blocks of each step.
struct Large {
    std::vector<std::uint64_t> offsets{0};
    std::vector<AgentId> ids;
    std::vector<Pair> pairs;
    std::vector<float> values = std::vector<float>(100000, 1);
    std::vector<double> results = std::vector<double>(100000, 77);

    Large() {
        for (AgentId i = 0; i < values.size(); ++i) {
            for (AgentId k = 1; k < 4; ++k) ids.push_back((i * k) % 100000);
            offsets.push_back(ids.size());
            pairs.push_back({i, (i * 7) % 100000});
        }
    }
};

TEST(FoldPromises, a_bad_executor_is_found_out_at_every_step) {
    using Habit = FaultyExecutor::Habit;
    Large large;
    for (const Links& links : {Links::lists(large.offsets, large.ids), Links::pairs(large.pairs)})
        for (const Habit habit : {Habit::runs_nothing, Habit::skips_the_first, Habit::skips_the_last,
                                  Habit::repeats_the_last, Habit::runs_one_for_another}) {
            std::uint64_t from = 0;
            for (bool guilty = true; guilty; ++from) {
                FaultyExecutor executor(habit, from);
                const Status status =
                    fold(links, {large.values}, {large.results}, {.executor = executor.executor()});
                guilty = executor.guilty();
                EXPECT_EQ(status, guilty ? Code::bad_executor : Code::ok) << from;
            }
            EXPECT_GT(from, 2u);
        }
}

TEST(FoldPromises, without_memory_nothing_is_written_and_all_of_it_comes_back) {
    Large large;
    CountingResource memory;
    CountingExecutor executor(4);
    for (std::uint64_t successes = 0;; ++successes) {
        memory.fail_after(successes);
        const Status status = fold(Links::pairs(large.pairs), {large.values}, {large.results},
                                   {.by = Fold::mean, .executor = executor.executor(), .memory = &memory});
        EXPECT_EQ(memory.blocks_out(), 0u);
        EXPECT_FALSE(memory.misused());
        if (status.ok()) {
            EXPECT_EQ(successes, 4u);
            break;
        }
        EXPECT_EQ(status, Code::out_of_memory);
        EXPECT_EQ(large.results, std::vector<double>(100000, 77));
    }
}

TEST(FoldPromises, lists_take_no_memory) {
    Large large;
    CountingResource memory;
    EXPECT_EQ(
        fold(Links::lists(large.offsets, large.ids), {large.values}, {large.results}, {.memory = &memory}),
        Status{});
    EXPECT_EQ(memory.calls(), 0u);
}

}  // namespace
}  // namespace throng::test
