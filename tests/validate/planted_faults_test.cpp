// `validate` finds each of these planted faults, and names it, its row, its place and its agent.
#include "engine/src/frame/row_layout.hpp"
#include "support/filtered_answers.hpp"
#include "support/planted_world.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Planting {
    const char* name;
    Fault fault;
    std::function<Validation(PlantedWorld& world)> plant;
};

void PrintTo(const Planting& planting, std::ostream* out) { *out << planting.name; }

// Damages one value and looks.
template <class World, class T>
Validation with(World& world, T& place, std::type_identity_t<T> value) {
    const Planted<T> planted(place, value);
    return world.validate();
}

// Gives the agent in a place another box and looks.
Validation with_box(PlantedWorld& world, WritableRow arrays, std::uint32_t slot, const Box& box) {
    const Box before = arrays.box(slot);
    arrays.put(slot, box);
    const Validation validation = world.validate();
    arrays.put(slot, before);
    return validation;
}

Box moved(Box box, float x, float y) { return {box.min_x + x, box.min_y + y, box.max_x + x, box.max_y + y}; }

std::vector<Planting> of_the_frame() {
    return {
        {"fewer_rows_than_the_grid_has", Fault::row_table_size,
         [](PlantedWorld& w) {
             const std::uint32_t rows = w.state().view.grid.rows;
             return with(w, w.state().view.grid.rows, rows + 1);
         }},
        {"no_rows_at_all", Fault::row_table_size,
         [](PlantedWorld& w) { return with(w, w.state().view.grid.rows, 0u); }},
        {"a_view_of_other_rows", Fault::row_table_size,
         [](PlantedWorld& w) { return with(w, w.state().view.rows, w.state().view.rows + 1); }},
        {"one_agent_too_many", Fault::agent_count,
         [](PlantedWorld& w) { return with(w, w.state().agents, w.state().agents + 1); }},
        {"one_agent_too_few", Fault::agent_count,
         [](PlantedWorld& w) { return with(w, w.state().agents, w.state().agents - 1); }},
        {"a_reach_that_is_too_narrow", Fault::common_size_too_small,
         [](PlantedWorld& w) { return with(w, w.state().view.reach_x, 0.5f); }},
        {"a_reach_that_is_too_low", Fault::common_size_too_small,
         [](PlantedWorld& w) { return with(w, w.state().view.reach_y, 0.5f); }},
        {"a_giant_missing_in_the_list", Fault::oversized_list_differs,
         [](PlantedWorld& w) { return with(w, w.state().view.oversized.count, 2u); }},
        {"a_giant_of_another_name_in_the_list", Fault::oversized_list_differs,
         [](PlantedWorld& w) { return with(w, w.giants_list().id[1], 7u); }},
        {"a_giant_of_another_size_in_the_list", Fault::oversized_list_differs,
         [](PlantedWorld& w) { return with(w, w.giants_list().max_y[2], 76.0f); }},
        {"a_tree_that_is_too_narrow", Fault::oversized_tree_unsound,
         [](PlantedWorld& w) { return with(w, w.state().nodes[0].min_x, w.state().nodes[0].min_x + 0.5f); }},
        {"a_tree_that_is_too_high", Fault::oversized_tree_unsound,
         [](PlantedWorld& w) { return with(w, w.state().nodes[0].negated_max_y, -1000.0f); }},
        {"a_tree_that_leaps_too_far", Fault::oversized_tree_unsound,
         [](PlantedWorld& w) { return with(w, w.state().nodes[0].next, 1000u); }},
        {"a_tree_that_leaves_a_giant_out", Fault::oversized_tree_unsound,
         [](PlantedWorld& w) { return with(w, w.state().nodes[0].end, 2u); }},
        {"an_id_bound_that_is_too_low", Fault::id_out_of_range,
         [](PlantedWorld& w) { return with(w, w.state().id_bound, std::size_t{20}); }},
    };
}

std::vector<Planting> of_a_row() {
    return {
        {"a_row_without_a_block", Fault::store_reference,
         [](PlantedWorld& w) { return with(w, w.state().blocks[w.row_number()], nullptr); }},
        {"a_row_whose_memory_is_not_held", Fault::store_reference,
         [](PlantedWorld& w) { return with(w, w.state().blocks[w.row_number()]->taken, false); }},
        {"a_row_in_the_memory_of_another", Fault::store_reference,
         [](PlantedWorld& w) {
             static const float elsewhere[4] = {};
             return with(w, w.row().data, +elsewhere);
         }},
        {"a_row_without_room_for_its_agents", Fault::row_capacity,
         [](PlantedWorld& w) { return with(w, w.row().stride, w.row().count); }},
        {"cells_that_are_not_the_rows_own", Fault::row_capacity,
         [](PlantedWorld& w) { return with(w, w.row().cells, w.row().cells + 1); }},
        {"a_cell_that_begins_after_the_next", Fault::cells_not_ascending,
         [](PlantedWorld& w) { return with(w, w.arrays().cells[2], 1000u); }},
        {"a_first_cell_that_does_not_begin_at_the_start", Fault::cells_not_ascending,
         [](PlantedWorld& w) { return with(w, w.arrays().cells[0], 1u); }},
        {"a_last_cell_that_ends_too_late", Fault::cells_do_not_end_at_count,
         [](PlantedWorld& w) {
             return with(w, w.arrays().cells[w.state().view.grid.columns], w.row().count + 1);
         }},
        {"a_number_in_the_padding", Fault::padding_not_nan,
         [](PlantedWorld& w) { return with(w, w.arrays().max_y[w.row().count + 3], 1.0f); }},
        {"a_number_at_the_end_of_the_padding", Fault::padding_not_nan,
         [](PlantedWorld& w) { return with(w, w.arrays().min_x[w.row().count + simd::gap - 1], 1.0f); }},
    };
}

std::vector<Planting> of_an_agent() {
    return {
        {"an_infinite_edge", Fault::box_not_finite,
         [](PlantedWorld& w) { return with(w, w.arrays().max_x[4], infinity); }},
        {"an_edge_that_is_no_number", Fault::box_not_finite,
         [](PlantedWorld& w) {
             return with(w, w.arrays().min_y[4], std::numeric_limits<float>::quiet_NaN());
         }},
        {"a_box_inside_out", Fault::box_inverted,
         [](PlantedWorld& w) { return with(w, w.arrays().max_y[4], -1000.0f); }},
        {"an_agent_that_belongs_to_another_row", Fault::agent_in_wrong_row,
         [](PlantedWorld& w) { return with_box(w, w.arrays(), 4, moved(w.arrays().box(4), 0, 20)); }},
        {"an_agent_that_belongs_to_another_cell", Fault::agent_in_wrong_cell,
         [](PlantedWorld& w) { return with_box(w, w.arrays(), 4, moved(w.arrays().box(4), 20, 0)); }},
        {"an_agent_in_the_cell_of_another", Fault::agent_in_wrong_cell,
         [](PlantedWorld& w) { return with(w, w.arrays().cells[1], w.arrays().cells[1] - 1); }},
        {"a_giant_among_the_common_agents", Fault::oversized_in_cell,
         [](PlantedWorld& w) { return with(w, w.arrays().max_x[4], 1000.0f); }},
        {"a_common_agent_among_the_giants", Fault::common_among_oversized,
         [](PlantedWorld& w) {
             const WritableRow arrays(w.oversized_row());
             const std::uint32_t slot = detail::oversized_begin(w.oversized_row());
             return with_box(w, arrays, slot, {arrays.min_x[slot], arrays.min_y[slot], 1, 1});
         }},
        {"an_id_that_was_never_handed_out", Fault::id_out_of_range,
         [](PlantedWorld& w) { return with(w, w.arrays().id[5], 100000u); }},
        {"an_id_twice", Fault::id_twice,
         [](PlantedWorld& w) { return with(w, w.arrays().id[3], w.arrays().id[0]); }},
        {"two_agents_in_the_wrong_order", Fault::agents_out_of_order,
         [](PlantedWorld& w) {
             const WritableRow arrays = w.arrays();
             const Planted first(arrays.id[3], arrays.id[4]);
             // Otherwise the table would be the one that differs.
             return with(w, arrays.id[4], arrays.id[3] - 1);
         }},
    };
}

std::vector<Planting> of_the_table() {
    return {
        {"an_agent_that_the_table_has_elsewhere", Fault::locator_differs,
         [](PlantedWorld& w) {
             std::uint32_t& entry = w.table().locator_entry(30);
             return with(w, entry, entry + 1);
         }},
        {"an_agent_that_the_table_does_not_have", Fault::locator_differs,
         [](PlantedWorld& w) { return with(w, w.table().locator_entry(30), detail::no_cell); }},
        {"an_agent_that_only_the_table_has", Fault::id_table_differs,
         [](PlantedWorld& w) { return with(w, w.table().locator_entry(w.free_id()), 3u); }},
    };
}

struct LabelPlanting {
    const char* name;
    Fault fault;
    std::function<Validation(LabelledPlantedWorld& world)> plant;
};

std::vector<LabelPlanting> of_the_labels() {
    return {
        {"an_agent_with_a_category_that_is_not_noted", Fault::stretches_differ,
         [](LabelledPlantedWorld& w) { return with(w, w.categories_of_a_row()[4], 8u); }},
        {"a_category_that_no_agent_has", Fault::stretches_differ,
         [](LabelledPlantedWorld& w) { return with(w, w.state().stretches[0], 255u); }},
        {"a_category_that_is_left_out", Fault::stretches_differ,
         [](LabelledPlantedWorld& w) { return with(w, w.state().stretches[0], 0u); }},
        {"a_note_of_other_categories", Fault::stretches_differ,
         [](LabelledPlantedWorld& w) {
             return with(w, w.state().view.stretches, w.state().view.stretches + 1);
         }},
        {"a_category_that_not_all_agents_have", Fault::stretches_differ,
         [](LabelledPlantedWorld& w) { return with(w, w.state().shared_categories, 1u << 30); }},
        {"no_note_of_categories_at_all", Fault::stretches_differ,
         [](LabelledPlantedWorld& w) { return with(w, w.state().view.stretches, nullptr); }},
        {"a_giant_with_another_label_in_the_list", Fault::oversized_list_differs,
         [](LabelledPlantedWorld& w) { return with(w, w.categories_of_the_list()[1], 16u); }},
        {"a_tree_that_leaves_a_category_out", Fault::oversized_tree_unsound,
         [](LabelledPlantedWorld& w) { return with(w, w.state().nodes[0].categories, 3u); }},
    };
}

TEST(PlantedFaults, of_labels_are_found_and_named) {
    LabelledPlantedWorld world;
    for (const LabelPlanting& planting : of_the_labels()) {
        const Validation spoiled = planting.plant(world);
        EXPECT_FALSE(spoiled.sound()) << planting.name;
        EXPECT_EQ(spoiled.first, planting.fault) << planting.name << ::testing::PrintToString(spoiled);
        EXPECT_TRUE(world.validate().sound()) << planting.name;
    }
}

// A crowd with heights, of which the last fifty are ghosts.
class PlantedStoreys {
public:
    PlantedStoreys() {
        Random random(3);
        const Scene scene = make_scene("uniform", 200);
        const std::vector<Band> bands = random_bands(random, 200);
        EXPECT_EQ(engine_.update(scene.boxes(), {.heights = bands, .owned = 150}), Status{});
        frame_ = engine_.frame();
    }
    detail::FrameState& state() { return state_behind(frame_); }
    const simd::Row& row() { return state().rows[row_number()]; }
    std::size_t row_number() {
        std::size_t r = 0;
        while (state().rows[r].count <= 2) ++r;
        return r;
    }
    Validation validate() { return detail::validate(state(), nullptr, nullptr); }

private:
    Engine engine_;
    Frame frame_;
};

TEST(PlantedFaults, of_heights_and_ghosts_are_found_and_named) {
    PlantedStoreys world;
    ASSERT_TRUE(world.validate().sound());
    const auto expect = [&](const char* what, const Validation& found, Fault fault) {
        EXPECT_EQ(found.first, fault) << what << ::testing::PrintToString(found);
        EXPECT_TRUE(world.validate().sound()) << what;
    };
    const detail::RowHeights heights(world.row());
    float &low = const_cast<float&>(heights.min_z[2]), &high = const_cast<float&>(heights.max_z[2]);
    expect("a foot above the head", with(world, low, 100.0f), Fault::height_not_legal);
    expect("a head that is no number", with(world, high, std::numeric_limits<float>::quiet_NaN()),
           Fault::height_not_legal);
    detail::FrameState& state = world.state();
    expect("a shared height below a foot", with(world, state.shared_heights.from, -100.0f),
           Fault::heights_differ);
    expect("a shared height above a head", with(world, state.row_heights[world.row_number()].to, 100.0f),
           Fault::heights_differ);
    expect("one ghost more", with(world, state.ghost_count, std::size_t{51}), Fault::ghosts_differ);
    expect("a ghost that is owned", with(world, state.ghosts.lowest, 149u), Fault::ghosts_differ);
    expect("a ghost that is none", with(world, state.ghosts.lowest, 151u), Fault::ghosts_differ);
    expect("a ghost that is no agent", with(world, state.ghosts.bound, 201u), Fault::ghosts_differ);
    expect("no ghosts", with(world, state.ghosts.bound, 0u), Fault::ghosts_differ);
}

class PlantedFault : public ::testing::TestWithParam<Planting> {};

TEST_P(PlantedFault, is_found_and_named_and_gone_when_it_is_mended) {
    PlantedWorld world;
    const Validation spoiled = GetParam().plant(world);
    EXPECT_FALSE(spoiled.sound());
    EXPECT_FALSE(static_cast<bool>(spoiled));
    EXPECT_GT(spoiled.faults, 0u);
    EXPECT_EQ(spoiled.first, GetParam().fault) << ::testing::PrintToString(spoiled);
    EXPECT_EQ(spoiled.status, Status{});
    EXPECT_TRUE(world.validate().sound()) << ::testing::PrintToString(world.validate());
}

std::string planting_name(const ::testing::TestParamInfo<Planting>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(of_the_frame, PlantedFault, ::testing::ValuesIn(of_the_frame()), planting_name);
INSTANTIATE_TEST_SUITE_P(of_a_row, PlantedFault, ::testing::ValuesIn(of_a_row()), planting_name);
INSTANTIATE_TEST_SUITE_P(of_an_agent, PlantedFault, ::testing::ValuesIn(of_an_agent()), planting_name);
INSTANTIATE_TEST_SUITE_P(of_the_table, PlantedFault, ::testing::ValuesIn(of_the_table()), planting_name);

TEST(PlantedFaults, are_named_with_their_row_and_place_and_agent) {
    PlantedWorld world;
    const AgentId agent = world.arrays().id[4];
    const Validation found = with(world, world.arrays().max_x[4], infinity);
    EXPECT_EQ(found.row, world.row_number());
    EXPECT_EQ(found.slot, 4u);
    EXPECT_EQ(found.agent, agent);
}

TEST(PlantedFaults, are_counted_and_the_first_is_named) {
    PlantedWorld world;
    const Planted later(world.arrays().max_x[7], infinity);
    const Planted last(world.arrays().max_x[9], infinity);
    const Validation found = with(world, world.arrays().max_y[4], -1000.0f);
    EXPECT_GE(found.faults, 3u);
    EXPECT_EQ(found.first, Fault::box_inverted);
    EXPECT_EQ(found.slot, 4u);
}

// Every fault that has a name is planted above at least once.
TEST(PlantedFaults, leave_no_name_unused) {
    std::vector<bool> planted(static_cast<std::size_t>(Fault::store_reference) + 1);
    planted[static_cast<std::size_t>(Fault::island_unsound)] = true;  // planted_islands_test.cpp
    planted[static_cast<std::size_t>(Fault::heights_differ)] = true;  // of heights and ghosts
    for (const auto& some : {of_the_frame(), of_a_row(), of_an_agent(), of_the_table()})
        for (const Planting& planting : some) planted[static_cast<std::size_t>(planting.fault)] = true;
    for (const LabelPlanting& planting : of_the_labels())
        planted[static_cast<std::size_t>(planting.fault)] = true;
    for (std::size_t fault = 1; fault < planted.size(); ++fault)
        EXPECT_TRUE(planted[fault]) << describe(static_cast<Fault>(fault));
}

}  // namespace
}  // namespace throng::test
