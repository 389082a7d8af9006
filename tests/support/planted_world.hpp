// A small world whose inside can be reached, and damaged, for the tests of `validate`.
#pragma once

#include "engine/src/edit/staging.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/validation/validation.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {

// Rows of a row's arrays that may be written to.
struct WritableRow {
    explicit WritableRow(const simd::Row& row);
    Box box(std::uint32_t slot) const { return {min_x[slot], min_y[slot], max_x[slot], max_y[slot]}; }
    void put(std::uint32_t slot, const Box& box);

    float *min_x, *min_y, *max_x, *max_y;
    AgentId* id;
    std::uint32_t* cells;
};

// Three agents in each cell of a grid of sixty-four cells, and three giants. One id is free.
class PlantedWorld {
public:
    PlantedWorld();

    // A row in the middle, where three common agents share a cell.
    simd::Row& row() { return state().rows[middle_]; }
    std::uint32_t row_number() const { return middle_; }
    WritableRow arrays() { return WritableRow(row()); }
    // The row that keeps the first of the giants, behind its gap.
    simd::Row& oversized_row() { return state().rows[oversized_]; }
    // The list of all giants that queries read.
    WritableRow giants_list() { return WritableRow(state().view.oversized); }

    detail::FrameState& state() { return state_behind(frame_); }
    // The engine's table of where agents are; made from the frame, with one edit staged.
    detail::Staging& table() { return table_; }
    AgentId free_id() const { return 5; }

    Validation validate() { return detail::validate(state(), &table_, nullptr); }

private:
    Engine engine_;
    Frame frame_;
    CountingResource memory_;
    detail::Staging table_{&memory_};
    std::uint32_t middle_ = 0, oversized_ = 0;
};

// The same agents with labels: every one has the category 1 and every fifth also 2; of the giants one has 4.
class LabelledPlantedWorld {
public:
    LabelledPlantedWorld();

    detail::FrameState& state() { return state_behind(frame_); }
    // The categories of the agents in a row that has some.
    std::uint32_t* categories_of_a_row();
    std::uint32_t* categories_of_the_list();
    Validation validate() { return detail::validate(state(), nullptr, nullptr); }

private:
    Engine engine_;
    Frame frame_;
};

// Damages a value for as long as it lives.
template <class T>
class Planted {
public:
    Planted(T& place, T value) : place_(place), before_(place) { place = value; }
    ~Planted() { place_ = before_; }
    Planted(const Planted&) = delete;
    Planted& operator=(const Planted&) = delete;

private:
    T& place_;
    T before_;
};

}  // namespace throng::test
