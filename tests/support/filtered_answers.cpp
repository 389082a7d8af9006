#include "support/filtered_answers.hpp"

#include "support/test.hpp"

namespace throng::test {

namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

constexpr std::uint32_t last_category = 0x80000000u, rare_category = 64;

std::vector<AgentId> sorted(std::vector<AgentId> ids) {
    std::sort(ids.begin(), ids.end());
    return ids;
}

// Those with a distance come last.
std::vector<PairQuery> pair_queries() {
    return {{},
            PairFilter{.a = 1, .b = 2},
            PairFilter{.a = 1, .b = 1, .other_groups_only = true},
            PairFilter{.a = rare_category},
            PairFilter{.a = rare_category, .b = last_category},
            PairFilter{.a = 0},
            PairFilter{.a = all_categories, .b = all_categories, .other_groups_only = true},
            {.within = 0.7f},
            {.filter = {.a = 1, .b = ~1u, .other_groups_only = true}, .within = 2}};
}

// What is found without a filter, less what the filter does not admit.
std::vector<AgentId> admitted(const Frame& frame, const Box& box, const Filter& filter,
                              const std::vector<Label>& label_of) {
    std::vector<AgentId> ids = hits_of(frame, box);
    std::erase_if(ids, [&](AgentId id) { return !filter.admits(id, label_of[id]); });
    return ids;
}

}  // namespace

Label random_label(Random& random) {
    constexpr std::uint32_t some[] = {1, 1, 1, 2, 3, 0, last_category, last_category | 1};
    Label label{some[random.below(8)],
                random.one_in(3) ? no_group : static_cast<std::uint32_t>(random.below(6))};
    if (random.one_in(50)) label.categories |= rare_category;
    return label;
}

std::vector<Label> random_labels(Random& random, std::size_t count) {
    std::vector<Label> labels;
    for (std::size_t i = 0; i < count; ++i) labels.push_back(random_label(random));
    return labels;
}

Filter random_filter(Random& random, std::size_t agents) {
    constexpr std::uint32_t some[] = {all_categories, 1, 2, 3, rare_category, 0, last_category, 4};
    Filter filter{.categories = some[random.below(8)]};
    if (random.one_in(2)) filter.self = static_cast<AgentId>(random.below(agents + 1));
    if (random.one_in(2)) filter.not_in_group = static_cast<std::uint32_t>(random.below(7));
    return filter;
}

FilteredQueries random_filters(Random& random, std::size_t agents, std::vector<Box> queries) {
    FilteredQueries asked{std::move(queries), {}};
    for (std::size_t i = 0; i < asked.queries.size(); ++i)
        asked.filters.push_back(random_filter(random, agents));
    return asked;
}

AssertionResult filters_agree(const Frame& frame, const oracle::BruteForceFrame& twin,
                              const FilteredQueries& asked) {
    Hits hits;
    oracle::HitLists expected;
    const Boxes boxes = Boxes::of(asked.queries);
    const Filters filters = Filters::of(asked.filters);
    if (!twin.overlaps(boxes, expected, filters)) return AssertionFailure() << "brute force failed";
    if (!frame.overlaps(boxes, hits, filters)) return AssertionFailure() << "the batch failed";
    std::vector<Label> label_of;
    const std::vector<AgentId> ids = twin.ids();
    const std::vector<Label> labels = twin.labels();
    label_of.resize(ids.empty() ? 0 : ids.back() + std::size_t{1});
    for (std::size_t i = 0; i < ids.size(); ++i) label_of[ids[i]] = labels[i];
    for (std::size_t q = 0; q < boxes.size(); ++q) {
        const std::vector<AgentId> answer(hits[q].begin(), hits[q].end());
        if (sorted(answer) != std::vector<AgentId>(expected[q].begin(), expected[q].end()))
            return AssertionFailure()
                   << "query " << q << " has " << answer.size() << " answers, not " << expected[q].size();
        if (answer != admitted(frame, boxes[q], asked.filters[q], label_of))
            return AssertionFailure() << "the order of the answers to query " << q;
        if (auto result = single_forms_agree(frame, boxes[q], answer, asked.filters[q]); !result)
            return result << ", query " << q;
    }
    return batch_forms_agree(frame, boxes, hits, filters);
}

FilteredPairs expect_filtered_pairs(const oracle::BruteForceFrame& twin, bool with_distances) {
    FilteredPairs expected;
    for (const PairQuery& wanted : pair_queries()) {
        if (wanted.within != 0 && !with_distances) break;
        oracle::PairLists pairs;
        (void)twin.pairs(pairs, wanted);
        expected.emplace_back(pairs.begin(), pairs.end());
    }
    return expected;
}

AssertionResult pair_filters_agree(const Frame& frame, const FilteredPairs& expected) {
    const std::vector<PairQuery> queries = pair_queries();
    for (std::size_t i = 0; i < expected.size(); ++i)
        if (auto result = pair_forms_agree(frame, expected[i], queries[i]); !result)
            return result << ", pairs of " << queries[i].filter.a << " and " << queries[i].filter.b
                          << (queries[i].filter.other_groups_only ? " of other groups" : "");
    return AssertionSuccess();
}

FilteredAnswers ask_filtered(const Frame& frame, const FilteredQueries& asked) {
    FilteredAnswers answers;
    Hits hits;
    EXPECT_EQ(frame.overlaps(Boxes::of(asked.queries), hits, Filters::of(asked.filters)), Status{});
    answers.ids.assign(hits.ids().begin(), hits.ids().end());
    answers.offsets.assign(hits.offsets().begin(), hits.offsets().end());
    for (const PairQuery& wanted : pair_queries()) {
        PairList list = listed_pairs(frame, wanted);
        answers.pairs.insert(answers.pairs.end(), list.begin(), list.end());
    }
    return answers;
}

}  // namespace throng::test
