#include "support/filtered_answers.hpp"

#include "support/test.hpp"

namespace throng::test {

namespace {

using ::testing::AssertionResult;

constexpr std::uint32_t last_category = 0x80000000u, rare_category = 64;

}  // namespace

std::vector<PairQuery> all_pair_queries() {
    return {{},
            PairFilter{.a = 1, .b = 2},
            PairFilter{.a = 1, .b = 1, .other_groups_only = true},
            PairFilter{.a = rare_category},
            PairFilter{.a = rare_category, .b = last_category},
            PairFilter{.a = 0},
            PairFilter{.a = all_categories, .b = all_categories, .other_groups_only = true},
            {.within = 0.7f},
            {.filter = {.a = 1, .b = ~1u, .other_groups_only = true}, .within = 2},
            {.agents_as = AgentsAs::circles},
            {.within = 0.7f, .agents_as = AgentsAs::circles},
            {.filter = {.a = 1, .b = 3}, .agents_as = AgentsAs::circles},
            {.within = 1.5f, .agents_as = AgentsAs::centres}};
}

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

Band random_band(Random& random) {
    constexpr float all = std::numeric_limits<float>::infinity();
    // In steps, so that many bands have an edge in common.
    const float low = 1.5f * static_cast<float>(random.below(8)),
                high = low + 0.5f * static_cast<float>(random.below(4));
    switch (random.below(10)) {
    case 0: return {};
    case 1: return {-all, high};
    case 2: return {low, all};
    case 3: return {random.one_in(2) ? -0.0f : 0.0f, 0.0f};
    default: return {low, high};
    }
}

std::vector<Band> random_bands(Random& random, std::size_t count) {
    std::vector<Band> bands;
    for (std::size_t i = 0; i < count; ++i) bands.push_back(random_band(random));
    return bands;
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
                              const FilteredQueries& queries) {
    const auto asked = std::make_shared<Asked>();
    asked->boxes = queries.queries;
    asked->each = queries.filters;
    asked->filtered = Filtered::each_by_its_own;
    return Expectation(twin, asked, {"boxes"}).met_by(frame);
}

Expectation expect_filtered_pairs(const oracle::BruteForceFrame& twin, bool with_distances) {
    const auto asked = std::make_shared<Asked>();
    asked->pair_queries = all_pair_queries();
    if (!with_distances)
        std::erase_if(asked->pair_queries, [](const PairQuery& wanted) { return wanted.within != 0; });
    return {twin, asked, {"pairs"}};
}

}  // namespace throng::test
