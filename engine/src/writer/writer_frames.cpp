// How a writer makes its frames: from all agents, from edits, or from the frame before.
#include <algorithm>

#include "base/box_check.hpp"
#include "base/box_reader.hpp"
#include "engine/src/build/renumbering.hpp"
#include "engine/src/pairs/pair_output.hpp"
#include "engine/src/writer/writer.hpp"

namespace throng::detail {

// --- All agents --------------------------------------------------------------------------------------------

// Builds the frame of an update, and lists its pairs unless `pairs` is null.
Status Writer::build_update(const AgentList& agents, Buffer<Pair>* pairs, FrameState*& frame) noexcept {
    const std::size_t count = agents.boxes.size();
    const Planner::State before = builder_.planner().state();
    Status status = builder_.build_planned(agents, builder_.planner().is_due(count, count), frame);
    if (pairs == nullptr || !status.ok()) return status;
    status = list_all_pairs(*frame, executor_, *pairs);
    if (status.ok()) return status;
    store_.abandon(frame);
    return fail(before, status);
}

Status Writer::update(const AgentList& agents, Buffer<Pair>* pairs) noexcept {
    const std::size_t count = agents.boxes.size();
    store_.collect(Portion::of(count));
    if (!staging_.prepare_reset(count, false)) return {Code::out_of_memory};
    FrameState* frame = nullptr;
    if (const Status bad = build_update(agents, pairs, frame); !bad.ok()) return bad;
    staging_.reset(count);
    publish(frame, count);
    tidy_up(count);
    return {};
}

Status Writer::update(std::span<const AgentId> ids, const Boxes& boxes, const Labels& labels,
                      Buffer<Pair>* pairs) noexcept {
    store_.collect(Portion::of(boxes.size()));
    if (const Status bad = named_.take(executor_, ids, boxes, labels); !bad.ok()) return bad;
    const std::size_t bound = named_.bound();
    const bool gaps = bound != boxes.size();
    if (!staging_.prepare_reset(bound, gaps)) return {Code::out_of_memory};
    FrameState* frame = nullptr;
    const Status status = build_update(named_.list(), pairs, frame);
    // The list may be in another order than the host's boxes.
    if (status.code == Code::not_finite || status.code == Code::inverted) return check(boxes);
    if (!status.ok()) return status;
    if (gaps)
        staging_.reset(bound, ids);
    else
        staging_.reset(bound);
    publish(frame, boxes.size());
    tidy_up(boxes.size());
    return {};
}

Filled Writer::update_legal(const AgentList& agents, std::size_t bound,
                            std::span<AgentId> left_out) noexcept {
    if (!legal_.gather(agents) || !staging_.prepare_reset(bound, true))
        return {.status = {Code::out_of_memory}};
    FrameState* frame = nullptr;
    if (const Status bad = build_update(legal_.list(), nullptr, frame); !bad.ok()) return {.status = bad};
    const std::span<const AgentId> out = legal_.left_out();
    const std::size_t total = out.size(), written = std::min(total, left_out.size());
    staging_.reset(bound, legal_.ids());
    std::copy_n(out.begin(), written, left_out.begin());
    publish(frame, legal_.size());
    tidy_up(agents.boxes.size());
    return {.status = {}, .total = total, .written = written};
}

// As in a commit without edits; rounding may change the order of the agents in the rows.
Status Writer::rebase(float dx, float dy) noexcept {
    store_.collect(Portion::of(newest_->agents));
    AgentList agents;
    if (const Status bad = gathered_.list_moved(executor_, *newest_, staging_, dx, dy, agents); !bad.ok())
        return bad;
    const Planner::State before = builder_.planner().state();
    const BoxAt box_at(agents.boxes);
    FrameState* frame = nullptr;
    Status status = builder_.planner().move(-dx, -dy, {agents.boxes.size(), box_at});
    if (status.ok()) status = builder_.build(agents, frame);
    if (!status.ok()) return fail(before, status);
    staging_.lose_cells();
    publish(frame, 0);
    tidy_up(agents.boxes.size());
    return {};
}

// The plan was made for these very agents. Memory that is needed this rarely is not kept.
Status Writer::renumber(std::span<const AgentId> order) noexcept {
    const std::size_t agents = newest_->agents;
    store_.collect(Portion::of(agents));
    Renumbering renumbering(&store_.memory());
    if (const Status bad = renumbering.take(executor_, *newest_, order); !bad.ok()) return bad;
    if (!staging_.prepare_reset(agents, false)) return {Code::out_of_memory};
    FrameState* frame = nullptr;
    if (const Status bad = builder_.build(renumbering.list(), frame); !bad.ok()) return bad;
    staging_.reset(agents);
    staging_.make_handles_stale();
    publish(frame, 0);
    tidy_up(agents);
    return {};
}

// --- Edits -------------------------------------------------------------------------------------------------

Status Writer::commit() noexcept {
    const std::size_t edits = staging_.size();
    if (edits == 0 && layer_ == newest_->layer) return {};
    store_.collect(Portion::of(edits));
    if (const Status bad = staging_.find_few(executor_, *newest_, builder_.builder().noted_rows()); !bad.ok())
        return bad;
    const Planner::State before = builder_.planner().state();
    Way way = way_of(*newest_, staging_);
    bool due = false;
    FrameState* frame = nullptr;
    Status status = check_plan(way, due);
    if (status.ok()) status = make_frame(way, due, frame);
    if (status.ok() && way != Way::from_scratch && builder_.became_expensive(*frame, edits))
        status = try_another_plan(way, frame);
    if (!status.ok()) return fail(before, status);
    const std::span<const std::uint32_t> touched = editor_.touched();
    note_published(way, *frame);
    publish(frame, edits, way == Way::by_rows ? &touched : nullptr);
    if (way == Way::from_scratch) gathered_.keep(number_);
    tidy_up(edits + (way == Way::by_rows ? 0 : newest_->agents));
    return {};
}

// Before a frame that is built from scratch a check that is due is left to the builder, which has all agents.
// Before others it is made with those of the newest frame, and another plan means to build from scratch.
Status Writer::check_plan(Way& way, bool& due) noexcept {
    const std::size_t agents = staging_.agents_after(*newest_);
    due = builder_.planner().is_due(agents, way == Way::from_scratch ? agents : staging_.size());
    if (!due || way == Way::from_scratch) return {};
    bool changed = false;
    const Status status = builder_.check(*newest_, changed);
    if (changed) way = Way::from_scratch;
    due = false;
    return status;
}

Status Writer::make_frame(Way way, bool due, FrameState*& frame) noexcept {
    switch (way) {
    case Way::by_rows:
        staging_.find_cells(*newest_);
        return editor_.edit(store_, executor_, *newest_, staging_, frame);
    case Way::merged: {
        const Status bad = merger_.merge(store_, builder_.builder(), executor_, *newest_, staging_, frame);
        return bad.ok() ? builder_.finish(frame) : bad;
    }
    case Way::from_scratch: break;
    }
    AgentList agents;
    const Status bad = list_agents(agents);
    return bad.ok() ? builder_.build_planned(agents, due, frame) : bad;
}

// The frame was made by edits, and is kept if another plan is no better.
Status Writer::try_another_plan(Way& way, FrameState*& frame) noexcept {
    AgentList agents;
    bool taken = false;
    Status status = list_agents(agents);
    if (status.ok())
        status = builder_.try_another_plan(agents, frame, taken);
    else
        store_.abandon(frame);
    if (taken) way = Way::from_scratch;
    return status;
}

// What is known of the edited agents and rows, before the frame is published.
void Writer::note_published(Way way, const FrameState& frame) noexcept {
    switch (way) {
    case Way::by_rows:
        staging_.published_by_rows([&](std::size_t i) { return editor_.new_cell(i); });
        editor_.note_spares(store_, *newest_, frame);
        return;
    case Way::merged: return staging_.published_merged(*newest_);
    case Way::from_scratch: return staging_.published_from_scratch();
    }
}

}  // namespace throng::detail
