// Tests the tests that all structures share: each finds the faults that were planted for it, and none finds
// anything where nothing is planted.
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <tuple>

#include "structures/tests/faults.hpp"
#include "structures/tests/finding.hpp"
#include "structures/tests/index_checks.hpp"
#include "structures/tests/test.hpp"
#include "support/environment.hpp"
#include "support/global_allocations.hpp"

namespace throng::structures::test {
namespace {

struct NamedCheck {
    const char* name;
    void (*run)(const IndexKind&);
};

constexpr NamedCheck checks[] = {
    {"assignments", check_all_assignments},
    {"histories", check_all_histories},
    {"degenerate_worlds", check_degenerate_worlds},
    {"degenerate_worlds_by_edits", check_degenerate_worlds_by_edits},
    {"odd_expectations", check_odd_expectations},
    {"bad_extents", check_bad_extents},
    {"refusals", check_refusals},
    {"visits", check_visits},
    {"determinism", check_determinism},
    {"readers", check_readers},
    {"accounts", check_accounts},
    {"the_global_heap", [](const IndexKind& kind) { check_the_global_heap(kind, global_allocations); }},
    {"out_of_memory", check_out_of_memory},
    {"moves_of_the_structure", check_moves_of_the_structure},
    {"steady_state", [](const IndexKind& kind) { check_steady_state(kind, global_allocations); }},
    {"wandering_crowds", [](const IndexKind& kind) { check_wandering_crowds(kind, global_allocations); }},
};

// Planted faults show with a tenth of the work as well.
class LittleWork : public ::testing::Environment {
    void SetUp() override {
        if (std::getenv("THRONG_TEST_SCALE") == nullptr) set_environment("THRONG_TEST_SCALE", "0.1");
    }
};
const ::testing::Environment* const little_work = ::testing::AddGlobalTestEnvironment(new LittleWork);

using KindAndCheck = std::tuple<IndexKind, NamedCheck>;

class SoundIndex : public ::testing::TestWithParam<KindAndCheck> {};
std::string name_of_both(const ::testing::TestParamInfo<KindAndCheck>& both) {
    const auto& [kind, check] = both.param;
    return std::string(kind.name) + '_' + check.name;
}
INSTANTIATE_TEST_SUITE_P(Planted, SoundIndex,
                         ::testing::Combine(::testing::Values(planted_index(), planted_index_of_candidates()),
                                            ::testing::ValuesIn(checks)),
                         name_of_both);

TEST_P(SoundIndex, gives_the_check_nothing_to_find) {
    const auto& [kind, check] = GetParam();
    EXPECT_EQ(finding_of(check.run, kind), "");
}

struct Planted {
    Fault fault;
    std::string_view check;  // that finds it
    bool candidates = false;
};
void PrintTo(const Planted& planted, std::ostream* out) {
    *out << static_cast<int>(planted.fault) << ' ' << planted.check;
}

class PlantedFault : public ::testing::TestWithParam<Planted> {};

TEST_P(PlantedFault, is_found) {
    const Planted& plant = GetParam();
    const auto check = std::find_if(std::begin(checks), std::end(checks),
                                    [&](const NamedCheck& some) { return some.name == plant.check; });
    ASSERT_NE(check, std::end(checks)) << "no check has this name";
    planted = plant.fault;
    const std::string found =
        finding_of(check->run, plant.candidates ? planted_index_of_candidates() : planted_index());
    planted = Fault::none;
    EXPECT_NE(found, "");
    if (std::getenv("THRONG_PRINT_FINDINGS") != nullptr) std::printf("    %s\n", found.c_str());
}

constexpr Planted all_planted[] = {
    {Fault::answers_twice, "assignments"},
    {Fault::misses_touching_edges, "assignments"},
    {Fault::misses_the_outside, "degenerate_worlds"},
    {Fault::answers_with_the_removed, "histories"},
    {Fault::answers_with_the_omitted, "assignments"},
    {Fault::omits_more_than_one, "degenerate_worlds"},
    {Fault::compares_centres, "assignments"},
    {Fault::takes_subnormals_for_zero, "assignments"},
    {Fault::stops_after_a_thousand, "degenerate_worlds"},
    {Fault::goes_on_when_told_to_stop, "visits"},
    {Fault::order_follows_earlier_queries, "visits"},
    {Fault::order_follows_earlier_queries, "readers"},
    {Fault::order_differs_each_time, "determinism"},
    {Fault::answers_bad_queries, "refusals"},
    {Fault::keeps_what_visitors_throw, "visits"},
    {Fault::cuts_spans_short, "visits"},
    {Fault::takes_silence_for_enough, "visits"},
    {Fault::pairs_twice, "assignments"},
    {Fault::pairs_both_ways, "degenerate_worlds"},
    {Fault::pairs_with_itself, "histories"},
    {Fault::misses_pairs_of_the_last, "assignments"},
    {Fault::gives_the_id_of_another, "histories"},
    {Fault::never_uses_an_id_again, "histories"},
    {Fault::moves_only_in_clean_up, "histories"},
    {Fault::loses_one_in_clean_up, "histories"},
    {Fault::keeps_old_elements, "assignments"},
    {Fault::moves_the_removed, "refusals"},
    {Fault::refuses_giants, "degenerate_worlds"},
    {Fault::changes_when_refused, "refusals"},
    {Fault::names_the_last_bad_box, "refusals"},
    {Fault::takes_nan, "refusals"},
    {Fault::takes_inverted_boxes, "refusals"},
    {Fault::reads_null_views, "refusals"},
    {Fault::takes_any_extents, "bad_extents"},
    {Fault::takes_a_point_for_extents, "bad_extents"},
    {Fault::edits_without_a_config, "odd_expectations"},
    {Fault::answers_without_a_config, "odd_expectations"},
    {Fault::lists_an_element_twice, "visits"},
    {Fault::lists_one_too_few, "assignments"},
    {Fault::contains_the_removed, "histories"},
    {Fault::has_boxes_of_unknown_ids, "refusals"},
    {Fault::finds_faults_in_nothing, "histories"},
    {Fault::counts_half_in_parts, "visits"},
    {Fault::gives_memory_back_never, "out_of_memory"},
    {Fault::gives_memory_back_never, "accounts"},
    {Fault::counts_no_scratch, "accounts"},
    {Fault::counts_too_much, "accounts"},
    {Fault::empties_before_it_asks_for_memory, "out_of_memory"},
    {Fault::throws_without_memory, "out_of_memory"},
    {Fault::takes_half_without_memory, "out_of_memory"},
    {Fault::leaves_pairs_out_without_memory, "out_of_memory"},
    {Fault::takes_memory_in_every_frame, "steady_state"},
    {Fault::grows_with_every_move, "steady_state"},
    {Fault::has_room_for_the_most_yet, "wandering_crowds"},
    {Fault::grows_with_every_move, "wandering_crowds"},
    {Fault::asks_the_global_heap, "the_global_heap"},
    {Fault::asks_the_global_heap, "steady_state"},
    {Fault::takes_too_much_for_piles, "degenerate_worlds"},
    {Fault::loses_all_when_moved, "moves_of_the_structure"},
    {Fault::forgets_that_it_was_moved, "refusals"},
    {Fault::keeps_too_small_boxes, "assignments", true},
    {Fault::answers_by_given_boxes, "assignments", true},
};
INSTANTIATE_TEST_SUITE_P(Shared, PlantedFault, ::testing::ValuesIn(all_planted));

TEST(PlantedFaults, are_all_tried) {
    std::vector<bool> tried(static_cast<std::size_t>(Fault::count));
    for (const Planted& planted : all_planted) tried[static_cast<std::size_t>(planted.fault)] = true;
    for (std::size_t fault = 1; fault < tried.size(); ++fault) EXPECT_TRUE(tried[fault]) << fault;
}

}  // namespace
}  // namespace throng::structures::test
