#include "support/planted_world.hpp"

#include "support/test.hpp"

namespace throng::test {

WritableRow::WritableRow(const simd::Row& row)
    : min_x(const_cast<float*>(row.data)),
      min_y(min_x + row.stride),
      max_x(min_y + row.stride),
      max_y(max_x + row.stride),
      id(reinterpret_cast<AgentId*>(max_y + row.stride)),
      cells(const_cast<std::uint32_t*>(row.cells)) {}

void WritableRow::put(std::uint32_t slot, const Box& box) {
    min_x[slot] = box.min_x;
    min_y[slot] = box.min_y;
    max_x[slot] = box.max_x;
    max_y[slot] = box.max_y;
}

namespace {

std::vector<Box> planted_agents() {
    std::vector<Box> agents;
    for (int y = 0; y < 8; ++y)
        for (int x = 0; x < 8; ++x)
            for (int k = 0; k < 3; ++k)
                agents.push_back(Box::around(static_cast<float>(10 * x + 3 + k),
                                             static_cast<float>(10 * y + 3 + k), 0.5f, 0.5f));
    for (int k = 0; k < 3; ++k) agents.push_back({static_cast<float>(k), 0, 70, 75});
    return agents;
}

std::uint32_t* categories_in(const simd::Row& row) { return WritableRow(row).id + row.stride; }

}  // namespace

LabelledPlantedWorld::LabelledPlantedWorld()
    : engine_({.executor = serial_executor(), .cell_width = 10, .row_height = 10}) {
    const std::vector<Box> agents = planted_agents();
    std::vector<Label> labels(agents.size());
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = {i % 5 == 0 ? 3u : 1u, no_group};
    labels.back().categories = 4;
    EXPECT_EQ(engine_.update(Boxes::of(agents), {.labels = Labels::of(labels)}), Status{});
    frame_ = engine_.frame();
    EXPECT_EQ(frame_.tuning().oversized, 3u);
    EXPECT_EQ(validate().first, Fault::none);
}

std::uint32_t* LabelledPlantedWorld::categories_of_a_row() {
    return categories_in(state().rows[state().view.grid.rows / 2]);
}
std::uint32_t* LabelledPlantedWorld::categories_of_the_list() {
    return categories_in(state().view.oversized);
}

PlantedWorld::PlantedWorld() : engine_({.executor = serial_executor(), .cell_width = 10, .row_height = 10}) {
    const std::vector<Box> agents = planted_agents();
    EXPECT_EQ(engine_.update(Boxes::of(agents)), Status{});
    EXPECT_EQ(committed(engine_, engine_.remove(free_id())), Status{});
    frame_ = engine_.frame();
    EXPECT_EQ(frame_.tuning().oversized, 3u);

    const AgentId edited = 100;
    table_.reset(state().id_bound);
    table_.follow(state());
    // With few edits there would be no table.
    const std::vector<Box> many(detail::FewIds::most + 1, agents[edited]);
    std::vector<AgentId> ids(many.size());
    EXPECT_EQ(table_.insert(Boxes::of(many), {}, {}, ids.data()), Status{});
    table_.discard();
    EXPECT_TRUE(table_.has_table());
    const Box box = agents[edited];
    EXPECT_EQ(table_.move(&edited, Boxes::of({&box, 1})), Status{});

    middle_ = state().view.grid.rows / 2;
    while (state().rows[oversized_].oversized == 0) ++oversized_;
    EXPECT_GE(row().count, 12u);
    EXPECT_EQ(validate().first, Fault::none);
}

}  // namespace throng::test
