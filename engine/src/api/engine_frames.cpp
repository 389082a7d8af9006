// How an engine makes its frames: from all boxes, from edits or from the frame before, and how they are
// published.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/box_check.hpp"
#include "base/box_reader.hpp"
#include "engine/src/api/engine_state.hpp"
#include "engine/src/api/rebase.hpp"
#include "engine/src/frame/lookup/crowded_cells.hpp"
#include "engine/src/frame/lookup/piles.hpp"
#include "engine/src/pairs/pair_output.hpp"
#include "engine/src/write/ids/renumbering.hpp"

namespace throng {

using namespace detail;

namespace {

// Converts an expected number of pairs. It may be NaN where boxes are wider than the range of floats; then
// none are expected.
std::size_t as_count(double expected) noexcept {
    constexpr double most = 1e12;
    return expected > 0 ? static_cast<std::size_t>(std::min(expected, most)) : 0;
}

// What is said of a frame without cells. The plan knows the grid that was turned down for it.
void tell_of_no_cells(Tuning& tuning) noexcept {
    tuning.cell_width = tuning.row_height = tuning.common_width = tuning.common_height = tuning.crowding = 0;
    tuning.columns = tuning.rows = 0;
    tuning.reason = TuningReason::all_oversized;
}

}  // namespace

void Engine::State::publish(FrameState* frame, std::size_t changes,
                            const std::span<const std::uint32_t>* touched) noexcept {
    frame->number = ++number;
    frame->id_bound = staging.id_bound();
    frame->piles = {next_pile, next_crowded_cell, frame};
    const Plan& plan = builder.planner().plan();
    frame->pairs_expected = as_count(plan.grid.pairs_expected(frame->agents));
    frame->tuning = plan.grid.tuning();
    frame->tuning.times_chosen = builder.planner().times_chosen();
    store.set_layer(*frame, layer.state_);
    frame->tuning.oversized = frame->view.oversized.count;
    if (!plan.map->has_cells()) tell_of_no_cells(frame->tuning);
    frame->tuning.islands = plan.map->regions() - 1;
    if (plan.map->has_islands()) frame->tuning.reason = TuningReason::islands;
    if (touched == nullptr)
        store.publish(*frame);
    else
        store.publish(*frame, *touched);
    builder.planner().count_frame(*frame, changes);
    FrameState* old = frame;
    {
        const std::lock_guard lock(mutex);
        std::swap(current, old);
    }
    drop(old);
}

// A fixed part of what is kept beside the newest frame, so that a history goes back in so many calls, however
// long it was.
Portion Engine::State::next_portion(std::size_t boxes) noexcept {
    constexpr std::size_t calls = 48, bytes_of_a_block = 512, little = std::size_t{1} << 20;
    const std::size_t rows = store.row_bytes(), kept = store.blocks.bytes() - rows;
    most_history = kept <= 2 * rows + little ? 0 : std::max(most_history, kept);
    const Portion portion = Portion::of(boxes);
    return {std::max(portion.blocks, most_history / (calls * bytes_of_a_block)),
            std::max(portion.bytes, most_history / calls)};
}

// The frame before is reclaimed at once if no reader holds it, as part of the cost of this call.
void Engine::State::tidy_up(std::size_t boxes) noexcept {
    const Portion portion = next_portion(boxes);
    store.collect(portion);
    staging.give_back_excess(current->agents);
    committer.give_back_excess(current->agents);
    builder.give_back_excess(current->agents);
    named.give_back_excess(current->agents);
    legal.give_back_excess(current->agents);
    store.expect(current->agents);
    store.give_back_excess(current->agents);
    store.trim(portion);
}

// Enough for what was measured of even crowds, islands, one spot and piles, with labels, members of
// structures, one frame that is held, and edits of any number (docs/decisions/memory.md). A part has room for
// the largest block, which is that of a frame's rows.
Status Engine::State::reserve(std::size_t agents, std::size_t edits) noexcept {
    constexpr std::uint64_t bytes_of_an_agent = 88, bytes_of_an_edit = 107, little = 256 * 1024;
    constexpr std::size_t parts = 2, parts_for_edits = 3;
    if (agents == 0 && edits == 0) return {};
    const std::uint64_t bytes = agents * bytes_of_an_agent + edits * bytes_of_an_edit + little;
    if (bytes > std::numeric_limits<std::size_t>::max() / 4) return {Code::out_of_memory};
    const bool reserved =
        store.memory().reserve(edits == 0 ? parts : parts_for_edits, static_cast<std::size_t>(bytes));
    return {reserved ? Code::ok : Code::out_of_memory};
}

void Engine::State::release_memory() noexcept {
    store.collect(Portion::all());
    store.release_older();
    store.spaces.release();
    store.oversized_tree.give_back_excess(0);
    staging.give_back_excess(current->agents);
    committer.give_back_excess(0);
    builder.give_back_excess(0);
    named.give_back_excess(0);
    legal.give_back_excess(0);
    store.blocks.release();
    store.memory().let_go();
    most_history = 0;
}

// --- All agents --------------------------------------------------------------------------------------------

// Builds the frame of an update, and lists its pairs unless `pairs` is null.
Status Engine::State::build_update(const Input& input, Buffer<Pair>* pairs, FrameState*& frame) noexcept {
    const bool due = builder.planner().is_due(input.boxes.size(), input.boxes.size());
    Status status = builder.build_planned(input, due, frame);
    if (pairs == nullptr || !status.ok()) return status;
    status = list_all_pairs(*frame, config.executor, *pairs);
    if (status.ok()) return status;
    store.abandon(frame);
    return go_back(status);
}

Status Engine::State::update_all(const Input& input, Buffer<Pair>* pairs) noexcept {
    const std::size_t agents = input.boxes.size();
    store.collect(Portion::of(agents));
    if (!staging.prepare_reset(agents, false)) return {Code::out_of_memory};
    FrameState* frame = nullptr;
    const Status status = build_update(input, pairs, frame);
    if (!status.ok()) return status;
    staging.reset(agents);
    publish(frame, agents);
    tidy_up(agents);
    return {};
}

// --- By ids ------------------------------------------------------------------------------------------------

Status Engine::State::update_named(std::span<const AgentId> ids, const Boxes& boxes, const Labels& labels,
                                   Buffer<Pair>* pairs) noexcept {
    store.collect(Portion::of(boxes.size()));
    if (const Status bad = named.take(config.executor, ids, boxes, labels); !bad.ok()) return bad;
    const std::size_t bound = named.bound();
    const bool holes = bound != boxes.size();
    if (!staging.prepare_reset(bound, holes)) return {Code::out_of_memory};
    FrameState* frame = nullptr;
    const Status status = build_update(named.list(), pairs, frame);
    // The list may be in another order than the host's boxes.
    if (status.code == Code::not_finite || status.code == Code::inverted) return check(boxes);
    if (!status.ok()) return status;
    if (holes)
        staging.reset(bound, ids);
    else
        staging.reset(bound);
    publish(frame, boxes.size());
    tidy_up(boxes.size());
    return {};
}

// --- Without those that are not legal ----------------------------------------------------------------------

Filled Engine::State::update_legal(const Input& input, std::size_t bound,
                                   std::span<AgentId> left_out) noexcept {
    if (!legal.gather(input) || !staging.prepare_reset(bound, true)) return {.status = {Code::out_of_memory}};
    FrameState* frame = nullptr;
    const Status status =
        builder.build_planned(legal.list(), builder.planner().is_due(legal.size(), legal.size()), frame);
    if (!status.ok()) return {.status = status};
    const std::span<const AgentId> out = legal.left_out();
    const std::size_t total = out.size(), written = std::min(total, left_out.size());
    staging.reset(bound, legal.ids());
    std::copy_n(out.begin(), written, left_out.begin());
    publish(frame, legal.size());
    tidy_up(input.boxes.size());
    return {.status = {}, .total = total, .written = written};
}

// --- Edit by edit ------------------------------------------------------------------------------------------

Status Engine::State::commit() noexcept {
    if (staging.size() == 0 && layer.state_ == current->layer) return {};
    const std::span<const Edit> edits = staging.edits();
    store.collect(Portion::of(edits.size()));
    const NotedRows noted = builder.builder().noted_rows();
    if (const Status bad = staging.find_few(config.executor, *current, noted); !bad.ok()) return bad;
    const std::size_t agents = staging.agents_after(*current);
    const Committer::Way way = Committer::choose_way(*current, staging);
    const bool many = way == Committer::Way::from_scratch;
    const bool due = builder.planner().is_due(agents, many ? agents : edits.size());
    bool rebuild = many || (!current->labelled && staging.brings_labels());
    const bool by_rows = !rebuild && way == Committer::Way::by_rows;
    Status status;
    if (due && !many) {
        bool changed = false;
        status = builder.check(*current, changed);
        rebuild = rebuild || changed;
    }
    FrameState* frame = nullptr;
    if (status.ok())
        status = rebuild   ? commit_from_nothing(agents, frame, due && many)
                 : by_rows ? edit_rows(frame)
                           : merge_rows(frame);
    if (status.ok() && !rebuild && builder.became_expensive(*frame, edits.size()))
        status = try_another_plan(agents, frame, rebuild);
    if (!status.ok()) return go_back(status);
    const std::span<const std::uint32_t> touched = committer.touched();
    if (rebuild || !by_rows)
        note_cells(rebuild);
    else
        staging.published_by_rows([&](std::size_t i) { return committer.new_cell(i); });
    if (!rebuild && by_rows) committer.note_spares(store, *current, *frame);
    publish(frame, edits.size(), rebuild || !by_rows ? nullptr : &touched);
    if (rebuild) committer.keep_gathered(number);
    tidy_up(edits.size() + (by_rows ? 0 : agents));
    return {};
}

Status Engine::State::edit_rows(FrameState*& frame) noexcept {
    staging.find_cells(*current);
    return committer.edit(store, config.executor, *current, staging, frame);
}

Status Engine::State::merge_rows(FrameState*& frame) noexcept {
    const Status bad = committer.merge(store, builder.builder(), config.executor, *current, staging, frame);
    return bad.ok() ? builder.finish(frame) : bad;
}

// After a commit that was not by rows. The map is still that of the frame before where rows were merged, and
// a host of which each commit merges a few rows would rather have its next small one by rows.
void Engine::State::note_cells(bool rebuilt) noexcept {
    constexpr std::size_t agents_for_each_edit = 25;
    if (rebuilt || !staging.knows_cells() || staging.size() * agents_for_each_edit > current->agents)
        return staging.published_from_scratch();
    const WorldMap& map = current->map;
    staging.published_by_rows([&](std::size_t i) {
        const Edit& edit = staging.edits()[i];
        return edit.boxed ? map.number_of(map.cell_of(staging.boxes_after()[i])) : edit.old_cell;
    });
}

Status Engine::State::commit_from_nothing(std::size_t agents, FrameState*& frame, bool due) noexcept {
    Input input;
    const Status bad = list_agents(agents, input);
    return bad.ok() ? builder.build_planned(input, due, frame) : bad;
}

// The frame was made by edits, and is kept if another plan is no better.
Status Engine::State::try_another_plan(std::size_t agents, FrameState*& frame, bool& taken) noexcept {
    Input input;
    const Status bad = list_agents(agents, input);
    if (bad.ok()) return builder.try_another_plan(input, frame, taken);
    store.abandon(frame);
    return bad;
}

// The agents after a commit, by id.
Status Engine::State::list_agents(std::size_t agents, Input& input) noexcept {
    committer.begin();
    if (staging.are_an_update(*current)) {
        input = {staging.boxes_of_edits(), nullptr, {}};
        return {};
    }
    if (const Status bad = committer.gather(config.executor, *current, staging, agents); !bad.ok())
        return bad;
    input = {committer.gathered_boxes(), committer.gathered_ids(), committer.gathered_labels(),
             committer.labels_are_by_id()};
    return {};
}

// --- Another origin ----------------------------------------------------------------------------------------

// The agents by id, as in a commit without edits; rounding may change their order in the rows.
Status Engine::State::rebase(float dx, float dy) noexcept {
    store.collect(Portion::of(current->agents));
    if (const Status bad = committer.gather(config.executor, *current, staging, current->agents); !bad.ok())
        return bad;
    if (const Status bad = rebase_all(committer.gathered(), committer.gathered_ids(), dx, dy); !bad.ok())
        return bad;
    const Boxes boxes = committer.gathered_boxes();
    const Input input{boxes, committer.gathered_ids(), committer.gathered_labels(),
                      committer.labels_are_by_id()};
    const BoxAt box_at(boxes);
    FrameState* frame = nullptr;
    Status status = builder.planner().move(-dx, -dy, {boxes.size(), box_at});
    if (status.ok()) status = builder.build(input, frame);
    if (!status.ok()) return go_back(status);
    staging.lose_cells();
    publish(frame, 0);
    tidy_up(boxes.size());
    return {};
}

// --- Another order -----------------------------------------------------------------------------------------

// The plan was made for these very agents. Memory that is needed this rarely is not kept.
Status Engine::State::renumber(std::span<const AgentId> order) noexcept {
    const std::size_t agents = current->agents;
    store.collect(Portion::of(agents));
    Renumbering renumbering(&store.memory());
    if (const Status bad = renumbering.take(config.executor, *current, order); !bad.ok()) return bad;
    if (!staging.prepare_reset(agents, false)) return {Code::out_of_memory};
    FrameState* frame = nullptr;
    if (const Status bad = builder.build(renumbering.list(), frame); !bad.ok()) return bad;
    staging.reset(agents);
    staging.make_handles_stale();
    publish(frame, 0);
    tidy_up(agents);
    return {};
}

}  // namespace throng
