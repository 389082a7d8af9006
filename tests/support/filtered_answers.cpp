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

std::vector<PairFilter> pair_filters() {
    return {{},
            {.a = 1, .b = 2},
            {.a = 1, .b = 1, .other_groups_only = true},
            {.a = rare_category},
            {.a = rare_category, .b = last_category},
            {.a = 0},
            {.a = all_categories, .b = all_categories, .other_groups_only = true},
            {.within = 0.7f},
            {.a = 1, .b = ~1u, .other_groups_only = true, .within = 2}};
}

// The forms of one query against each other.
AssertionResult forms_agree(const Frame& frame, const Box& box, const Filter& filter,
                            const std::vector<AgentId>& expected) {
    std::vector<AgentId> visited, spans, room(expected.size() + 3), half(expected.size() / 2);
    if (!frame.for_each_overlap(
            box, [&](AgentId id) { visited.push_back(id); }, filter))
        return AssertionFailure() << "the visitor of one query";
    const auto append = [&](std::span<const AgentId> ids) {
        spans.insert(spans.end(), ids.begin(), ids.end());
    };
    if (!frame.for_each_overlap(box, append, filter)) return AssertionFailure() << "the visitor of spans";
    if (visited != expected || spans != expected)
        return AssertionFailure() << "visitors differ from the batch";
    const Filled found = frame.overlaps(box, std::span(room), filter);
    room.resize(static_cast<std::size_t>(found.written));
    if (!found.status || found.total != expected.size() || room != expected)
        return AssertionFailure() << "into memory differs from the batch";
    const Filled some = frame.overlaps(box, std::span(half), filter);
    if (some.total != expected.size() || !std::equal(half.begin(), half.end(), expected.begin()))
        return AssertionFailure() << "into too little memory differs from the batch";
    std::size_t seen = 0;
    (void)frame.for_each_overlap(
        box, [&](AgentId) { return ++seen < 2; }, filter);
    if (seen != std::min<std::size_t>(expected.size(), 2)) return AssertionFailure() << "a search that stops";
    if (frame.count(box, filter).total != expected.size()) return AssertionFailure() << "the count";
    if (frame.any(box, filter).found != (expected.empty() ? 0u : 1u)) return AssertionFailure() << "any";
    return AssertionSuccess();
}

// What is found without a filter, less what the filter does not admit.
std::vector<AgentId> admitted(const Frame& frame, const Box& box, const Filter& filter,
                              const std::vector<Label>& label_of) {
    std::vector<AgentId> ids = hits_of(frame, box);
    std::erase_if(ids, [&](AgentId id) { return !filter.admits(id, label_of[id]); });
    return ids;
}

AssertionResult batches_agree(const Frame& frame, const FilteredQueries& asked, const Hits& hits) {
    const Boxes boxes = Boxes::of(asked.queries);
    const Filters filters = Filters::of(asked.filters);
    std::vector<std::uint32_t> counts(boxes.size(), 77);
    std::vector<std::uint8_t> any(boxes.size(), 77);
    std::vector<std::uint64_t> offsets(boxes.size() + 1);
    std::vector<AgentId> ids(hits.ids().size() / 2 + 1);
    if (!frame.count(boxes, counts, filters) || !frame.any(boxes, any, filters))
        return AssertionFailure() << "a batch of counts or of any failed";
    const Filled found = frame.overlaps(boxes, offsets, ids, filters);
    if (!found.status || found.total != hits.ids().size() ||
        !std::equal(offsets.begin(), offsets.end(), hits.offsets().begin(), hits.offsets().end()) ||
        !std::equal(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(found.written),
                    hits.ids().begin()))
        return AssertionFailure() << "a bounded batch differs";
    for (std::size_t q = 0; q < boxes.size(); ++q)
        if (counts[q] != hits[q].size() || any[q] != (hits[q].empty() ? 0 : 1))
            return AssertionFailure() << "the count or any of query " << q << " in a batch";
    return AssertionSuccess();
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
    if (random.one_in(2)) filter.other_than = static_cast<std::uint32_t>(random.below(7));
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
        if (auto result = forms_agree(frame, boxes[q], asked.filters[q], answer); !result)
            return result << ", query " << q;
    }
    return batches_agree(frame, asked, hits);
}

AssertionResult pair_filters_agree(const Frame& frame, const oracle::BruteForceFrame& twin,
                                   bool with_distances) {
    for (const PairFilter& filter : pair_filters()) {
        if (filter.within != 0 && !with_distances) continue;
        PairList list;
        oracle::PairLists expected;
        if (!frame.pairs(list, filter)) return AssertionFailure() << "the list of pairs failed";
        (void)twin.pairs(expected, filter);
        const auto say = [&] {
            return AssertionFailure() << "pairs of " << filter.a << " and " << filter.b
                                      << (filter.other_groups_only ? " of other groups: " : ": ");
        };
        const std::vector<Pair> listed(list.begin(), list.end());
        const std::vector<Pair> sorted_list = in_order(listed);
        if (!std::equal(sorted_list.begin(), sorted_list.end(), expected.begin(), expected.end()))
            return say() << listed.size() << ", not " << expected.size();
        std::vector<Pair> room(listed.size() / 2 + 1), streamed;
        const Filled found = frame.pairs(std::span(room), filter);
        if (!found.status || found.total != listed.size() || found.written > listed.size() ||
            !std::equal(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(found.written),
                        listed.begin()))
            return say() << "the bounded form differs";
        if (frame.count_pairs(filter).total != listed.size()) return say() << "the count differs";
        std::mutex mutex;
        const Status status = frame.for_each_pair_concurrently(
            [&](std::span<const Pair> pairs) {
                const std::lock_guard lock(mutex);
                streamed.insert(streamed.end(), pairs.begin(), pairs.end());
            },
            filter);
        if (!status || in_order(streamed) != sorted_list) return say() << "the stream differs";
    }
    return AssertionSuccess();
}

FilteredAnswers ask_filtered(const Frame& frame, const FilteredQueries& asked) {
    FilteredAnswers answers;
    Hits hits;
    EXPECT_EQ(frame.overlaps(Boxes::of(asked.queries), hits, Filters::of(asked.filters)), Status{});
    answers.ids.assign(hits.ids().begin(), hits.ids().end());
    answers.offsets.assign(hits.offsets().begin(), hits.offsets().end());
    for (const PairFilter& filter : pair_filters()) {
        PairList list;
        EXPECT_EQ(frame.pairs(list, filter), Status{});
        answers.pairs.insert(answers.pairs.end(), list.begin(), list.end());
    }
    return answers;
}

}  // namespace throng::test
