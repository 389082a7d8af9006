#include "engine/src/writer/writer.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/box_reader.hpp"
#include "base/legal.hpp"
#include "engine/src/build/agent_list.hpp"
#include "engine/src/build/frame_builder.hpp"
#include "engine/src/frame/frame_reader.hpp"
#include "engine/src/frame/lookup/lookup.hpp"
#include "engine/src/memory/ids.hpp"
#include "engine/src/pairs/pair_output.hpp"
#include "engine/src/validation/validation.hpp"

namespace throng::detail {

Status Writer::create(const EngineConfig& config, const simd::Kernels& kernels, Writer*& writer) noexcept {
    Store* store = Store::create(config.memory);
    if (store == nullptr) return {Code::out_of_memory};
    writer = make<Writer>(store->memory(), *store, config, kernels);
    const Status status =
        writer == nullptr ? Status{Code::out_of_memory} : writer->build({}, writer->newest_);
    if (status.ok()) {
        writer->newest_->torus = writer->updated_;
        writer->staging_.follow(*writer->newest_);
        store->publish(*writer->newest_);
        return status;
    }
    detail::destroy(store->memory(), std::exchange(writer, nullptr));
    store->drop_reference();
    return status;
}

void Writer::destroy(Writer* writer) noexcept {
    if (writer == nullptr) return;
    Store& store = writer->store_;
    detail::destroy(store.memory(), writer);
    store.drop_reference();
}

// --- Publishing --------------------------------------------------------------------------------------------

namespace {

// Converts an expected number of pairs. It may be NaN if boxes are wider than the range of floats: then 0.
std::size_t as_count(double expected) noexcept {
    constexpr double most = 1e12;
    return expected > 0 ? static_cast<std::size_t>(std::min(expected, most)) : 0;
}

// The report on a frame without cells. The plan knows the grid that was turned down for it.
void tell_of_no_cells(Tuning& tuning) noexcept {
    tuning.cell_width = tuning.row_height = tuning.common_width = tuning.common_height = tuning.crowding = 0;
    tuning.columns = tuning.rows = 0;
    tuning.reason = TuningReason::all_oversized;
}

}  // namespace

void Writer::publish(FrameState* frame, std::size_t changes,
                     const std::span<const std::uint32_t>* touched) noexcept {
    frame->number = ++number_;
    frame->id_bound = staging_.id_bound();
    frame->piles = {next_pile, next_crowded_cell, frame};
    const Plan& plan = planner_.plan();
    frame->pairs_expected = as_count(plan.grid.pairs_expected(frame->agents));
    frame->tuning = plan.grid.tuning();
    frame->tuning.times_chosen = planner_.times_chosen();
    store_.set_layer(*frame, layer_);
    frame->tuning.oversized = frame->view.oversized.count;
    if (!plan.map->has_cells()) tell_of_no_cells(frame->tuning);
    frame->tuning.islands = plan.map->regions() - 1;
    if (plan.map->has_islands()) frame->tuning.reason = TuningReason::islands;
    if (touched == nullptr)
        store_.publish(*frame);
    else
        store_.publish(*frame, *touched);
    planner_.count_frame(*frame, changes);
    FrameState* old = frame;
    {
        const std::lock_guard lock(mutex_);
        std::swap(newest_, old);
    }
    staging_.follow(*newest_);
    drop(old);
}

FrameState* Writer::share_newest() const noexcept {
    const std::lock_guard lock(mutex_);
    share(newest_);
    return newest_;
}

Validation Writer::validate() noexcept { return detail::validate(*newest_, &staging_, &store_.memory()); }

// --- A frame on the plan that fits -------------------------------------------------------------------------

namespace {

// The agents of a list, as FrameReader reads those of a frame.
struct ListReader {
    const AgentList& list;
    const BoxAt box{list.boxes};
    Band band(std::size_t i) const noexcept {
        return list.heights[list.ids == nullptr || !list.traits_are_by_id ? i : list.ids[i]];
    }
    Agents agents() const noexcept { return {list.boxes.size(), *this, !list.heights.empty()}; }
};

Agents agents_of(const FrameState& frame, FrameReader& reader) noexcept {
    return {frame.agents, reader, frame.has_heights()};
}

}  // namespace

Status Writer::build_planned(const AgentList& agents, bool due, FrameState*& frame) noexcept {
    store_.expect(agents.boxes.size());
    const ListReader reader{agents};
    const Agents all = reader.agents();
    frame = nullptr;
    bool taken = false;
    Status status;
    if (due) status = planner_.check(all).status;
    if (status.ok()) status = build(agents, frame);
    if (status.ok() && planner_.judge(*frame, all) == Planner::Verdict::try_another)
        status = try_another_plan(agents, all, frame, taken);
    return status;
}

Status Writer::build_moved(const AgentList& agents, float dx, float dy, FrameState*& frame) noexcept {
    const Status status = planner_.move(dx, dy, ListReader{agents}.agents());
    return status.ok() ? build(agents, frame) : status;
}

// Builds a frame on another plan as well, and keeps it if it costs at most half.
Status Writer::try_another_plan(const AgentList& list, const Agents& agents, FrameState*& frame,
                                bool& taken) noexcept {
    FrameState* again = nullptr;
    const Planner::Made other = planner_.plan_again(*frame, agents);
    Status status = other.status;
    if (other.plan) status = build_on(*other.plan, list, again);
    if (!status.ok()) {
        store_.abandon(std::exchange(frame, nullptr));
        return status;
    }
    taken = other.plan && planner_.take_if_better(*other.plan, *again, agents);
    if (taken) std::swap(frame, again);
    if (again != nullptr) store_.abandon(again);
    planner_.end_try(taken);
    return {};
}

Status Writer::build_on(const Plan& plan, const AgentList& agents, FrameState*& frame) noexcept {
    const Status status = builder_.build(store_, {agents, *plan.map, &kernels_, executor_}, frame);
    return status.ok() ? finish(frame) : status;
}

Status Writer::finish(FrameState*& frame) noexcept {
    if (finish_view(*frame)) return {};
    store_.abandon(std::exchange(frame, nullptr));
    return {Code::out_of_memory};
}

// --- All agents --------------------------------------------------------------------------------------------

// Builds the frame of an update, and lists its pairs unless `pairs` is null.
Status Writer::build_update(const AgentList& agents, const GhostsGiven& ghosts, Buffer<Pair>* pairs,
                            FrameState*& frame) noexcept {
    const std::size_t count = agents.boxes.size();
    Status status = build_planned(agents, planner_.is_due(count, count), frame);
    if (!status.ok()) return fail(status);
    frame->torus = updated_;
    if (!give_ghosts(store_, ghosts, *frame)) status = {Code::out_of_memory};
    if (pairs != nullptr && status.ok()) {
        // Calls that look agents up by id, across seams, need to know how many ids there may be.
        if (wraps()) frame->id_bound = count;
        for (std::size_t i = 0; wraps() && agents.ids != nullptr && i < count; ++i)
            frame->id_bound = std::max(frame->id_bound, std::size_t{agents.ids[i]} + 1);
        ListedPairs output(*pairs);
        share(frame);
        status = Frame(frame, executor_, wraps()).find_pairs({}, output);
    }
    if (status.ok()) return status;
    store_.abandon(frame);
    return fail(status);
}

namespace {

// Whether a box or a height is to blame.
bool is_illegal(const Status& status) noexcept {
    return status.code == Code::not_finite || status.code == Code::inverted;
}

}  // namespace

Status Writer::update(const std::span<const AgentId>* ids, const Boxes& boxes, Buffer<Pair>* pairs,
                      const UpdateOptions& options) noexcept {
    const std::size_t count = boxes.size();
    AgentList agents{boxes, nullptr, options.labels, options.heights};
    GhostsGiven ghosts{options.owned, count};
    std::size_t bound = count;
    store_.collect(Portion::of(count));
    if (ids != nullptr) {
        const Status bad = named_.take(executor_, *ids, boxes, options.labels, options.heights);
        if (!bad.ok()) return bad;
        agents = named_.list();
        ghosts.ids = ids->data();
        bound = named_.bound();
    }
    const bool gaps = bound != count;
    FrameState* frame = nullptr;
    Status status = staging_.prepare_reset(bound, gaps) ? build_update(agents, ghosts, pairs, frame)
                                                        : Status{Code::out_of_memory};
    if (is_illegal(status) && options.left_out != nullptr)
        return update_legal(agents, bound, ghosts, pairs, *options.left_out);
    // The list may be in another order than the host's boxes.
    if (is_illegal(status)) {
        const Status band = check(options.heights);
        return band.ok() ? check(boxes) : band;
    }
    if (!status.ok()) return status;
    if (gaps)
        staging_.reset(bound, *ids);
    else
        staging_.reset(bound);
    publish(frame, count);
    tidy_up(count);
    return {};
}

Status Writer::update_legal(const AgentList& agents, std::size_t bound, GhostsGiven ghosts,
                            Buffer<Pair>* pairs, LeftOut& left_out) noexcept {
    if (!legal_.gather(agents) || !staging_.prepare_reset(bound, true)) return {Code::out_of_memory};
    const std::span<const AgentId> out = ghosts.left_out = legal_.left_out();
    FrameState* frame = nullptr;
    if (const Status bad = build_update(legal_.list(), ghosts, pairs, frame); !bad.ok()) return bad;
    left_out.total = out.size();
    left_out.written = std::min(out.size(), left_out.ids.size());
    staging_.reset(bound, legal_.ids());
    std::copy_n(out.begin(), left_out.written, left_out.ids.begin());
    publish(frame, legal_.size());
    tidy_up(agents.boxes.size());
    return {};
}

// As in a commit without edits; rounding may change the order of the agents in the rows.
Status Writer::rebase(float dx, float dy) noexcept {
    store_.collect(Portion::of(newest_->agents));
    AgentList agents;
    if (const Status bad = gathered_.list_moved(executor_, *newest_, staging_, dx, dy, agents); !bad.ok())
        return bad;
    if (wraps())
        if (const Status bad = fold_all(agents.boxes); !bad.ok()) return bad;
    FrameState* frame = nullptr;
    // A world that wraps around begins at the origin, and folded agents stay within it.
    const float by_x = period().x != 0 ? 0 : -dx, by_y = period().y != 0 ? 0 : -dy;
    if (const Status bad = build_moved(agents, by_x, by_y, frame); !bad.ok()) return fail(bad);
    keep_ghosts(store_, *newest_, *frame);
    staging_.lose_cells();
    frame->torus = updated_;
    publish(frame, 0);
    tidy_up(agents.boxes.size());
    return {};
}

// The plan was made for these very agents, unless it came as bytes. Memory needed so rarely is not kept.
Status Writer::renumber(std::span<const AgentId> order) noexcept {
    const std::size_t agents = newest_->agents;
    store_.collect(Portion::of(agents));
    Renumbering renumbering(&store_.memory());
    if (const Status bad = renumbering.take(executor_, *newest_, order); !bad.ok()) return bad;
    if (!staging_.prepare_reset(agents, false)) return {Code::out_of_memory};
    const bool due = planner_.is_another() && planner_.is_due(agents, agents);
    FrameState* frame = nullptr;
    const Status status =
        due ? build_planned(renumbering.list(), due, frame) : build(renumbering.list(), frame);
    if (!status.ok()) return fail(status);
    if (!renumber_ghosts(store_, *newest_, order, *frame)) {
        store_.abandon(frame);
        return fail({Code::out_of_memory});
    }
    frame->torus = newest_->torus;
    staging_.reset(agents);
    staging_.make_handles_stale();
    publish(frame, 0);
    tidy_up(agents);
    return {};
}

// --- Edits -------------------------------------------------------------------------------------------------

namespace {

// How many agents there are for each edit, at most, for a build of all rows from scratch: wherever the edits
// are, or if they are all over the world.
constexpr std::size_t scratch_anywhere = 4, scratch_spread = 25;
// The same for merging rows. An oversized agent counts as several, since a merge makes their tree again.
constexpr std::size_t merge_spread = 200, agents_for_oversized = 16;
// How many agents there are at least, for each edit and for each agent that comes: these are the dearest to
// merge.
constexpr std::size_t merge_edits = 3, merge_coming = 6;
// Small worlds are merged earlier, so that tests take all three ways.
constexpr std::size_t small_world = 8192, merge_spread_small = 12;

// Whether a sample of the edits lies in many of the world's rows. Agents that leave are where they were. If
// that is not known, a commit by rows would have to look for them among all agents, so they count as spread.
bool are_spread(const WorldMap& map, const Staging& staging) noexcept {
    const std::span<const Edit> edits = staging.edits();
    constexpr std::size_t sampled = 64, rows_for_each = 4;
    std::array<std::uint32_t, sampled> rows;
    std::size_t count = 0, unknown = 0;
    for (std::size_t i = 0; i < sampled; ++i) {
        const std::size_t edit = edits.size() * i / sampled;
        if (edits[edit].boxed)
            rows[count++] = map.row_of(staging.boxes_after()[edit]);
        else if (!staging.knows_cells())
            ++unknown;
        else if (edits[edit].old_cell != no_cell)
            rows[count++] = map.cell_at(edits[edit].old_cell).row;
    }
    std::sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count));
    const auto different =
        std::unique(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(count)) - rows.begin();
    return (static_cast<std::size_t>(different) + unknown) * rows_for_each >=
           std::min<std::size_t>(sampled, map.rows());
}

bool may_be_merged(const FrameState& frame, const Staging& staging, std::size_t coming) noexcept {
    return staging.size() * merge_edits <= frame.agents &&
           (frame.agents < small_world || coming * merge_coming <= frame.agents) && !frame.labelled() &&
           !are_sparse(staging.id_bound(), frame.agents);
}

// The fastest way for these edits: it depends on how many they are, and whether they are all over the world.
// If the frame gets its first labels or heights, all rows are built.
Way way_of(const FrameState& frame, const Staging& staging) noexcept {
    if (staging.extras_after() != frame.extras) return Way::from_scratch;
    const std::size_t edits = staging.size(), agents = frame.agents, left = staging.agents_after(),
                      coming = edits - std::min(edits, agents - std::min(agents, left));
    const bool anywhere = edits * scratch_anywhere > agents, is_small = agents < small_world;
    const bool spread = !is_small && edits * scratch_spread > agents;
    const bool merged =
        is_small ? edits * merge_spread_small > agents
                 : edits > frame.rows.size() &&
                       edits * merge_spread > agents + agents_for_oversized * frame.view.oversized.count;
    if (!anywhere && !((spread || merged) && are_spread(frame.map, staging))) return Way::by_rows;
    if (may_be_merged(frame, staging, coming)) return Way::merged;
    return anywhere || (spread && !are_sparse(frame.id_bound, agents)) ? Way::from_scratch : Way::by_rows;
}

}  // namespace

Status Writer::commit() noexcept {
    const std::size_t edits = staging_.size();
    if (edits == 0 && layer_ == newest_->layer) return {};
    store_.collect(Portion::of(edits));
    if (const Status bad = staging_.find_few(executor_, builder_.noted_rows()); !bad.ok()) return bad;
    Way way = planner_.is_another() ? Way::from_scratch : way_of(*newest_, staging_);
    bool due = false;
    FrameState* frame = nullptr;
    Status status = check_plan(way, due);
    if (status.ok()) status = make_frame(way, due, frame);
    if (status.ok() && way != Way::from_scratch && became_expensive(*frame, edits))
        status = try_another_plan(way, frame);
    if (status.ok() && newest_->ghost_count != 0 && !edit_ghosts(store_, *newest_, staging_, *frame)) {
        store_.abandon(frame);
        status = {Code::out_of_memory};
    }
    if (!status.ok()) return fail(status);
    const std::span<const std::uint32_t> touched = editor_.touched();
    frame->torus = torus_after_edits();
    note_published(way, *frame);
    publish(frame, edits, way == Way::by_rows ? &touched : nullptr);
    if (way == Way::from_scratch) gathered_.keep(number_);
    tidy_up(edits + (way == Way::by_rows ? 0 : newest_->agents));
    return {};
}

// If a check is due before a frame that is built from scratch, it is left to the builder, which has all
// agents. Before other frames it is made with the agents of the newest frame, and another plan means a build
// from scratch.
Status Writer::check_plan(Way& way, bool& due) noexcept {
    const std::size_t agents = staging_.agents_after();
    due = planner_.is_due(agents, way == Way::from_scratch ? agents : staging_.size());
    if (!due || way == Way::from_scratch) return {};
    due = false;
    FrameReader reader(*newest_);
    const Planner::Made made = planner_.check(agents_of(*newest_, reader));
    if (made.plan) way = Way::from_scratch;
    return made.status;
}

// Whether edits have made a frame so expensive that another plan should be tried.
bool Writer::became_expensive(const FrameState& frame, std::size_t edits) noexcept {
    if (!planner_.is_worth_judging(frame, edits)) return false;
    FrameReader reader(frame);
    return planner_.judge(frame, agents_of(frame, reader)) == Planner::Verdict::try_another;
}

Status Writer::make_frame(Way way, bool due, FrameState*& frame) noexcept {
    switch (way) {
    case Way::by_rows:
        staging_.find_cells();
        return editor_.edit(store_, executor_, *newest_, staging_, frame);
    case Way::merged: {
        const Status bad = merger_.merge(store_, builder_, executor_, *newest_, staging_, frame);
        return bad.ok() ? finish(frame) : bad;
    }
    case Way::from_scratch: break;
    }
    AgentList agents;
    const Status bad = list_agents(agents);
    return bad.ok() ? build_planned(agents, due, frame) : bad;
}

// The frame was made by edits, and is kept if another plan is no better.
Status Writer::try_another_plan(Way& way, FrameState*& frame) noexcept {
    AgentList list;
    bool taken = false;
    Status status = list_agents(list);
    if (status.ok())
        status = try_another_plan(list, ListReader{list}.agents(), frame, taken);
    else
        store_.abandon(frame);
    if (taken) way = Way::from_scratch;
    return status;
}

// Notes what is known of the edited agents and rows, before the frame is published.
void Writer::note_published(Way way, const FrameState& frame) noexcept {
    switch (way) {
    case Way::by_rows:
        staging_.published_by_rows([&](std::size_t i) { return editor_.new_cell(i); });
        editor_.note_spares(store_, *newest_, frame);
        return;
    case Way::merged: return staging_.published_merged();
    case Way::from_scratch: return staging_.published_from_scratch();
    }
}

// Agents that leave or shrink do not count: a frame may reach further than its agents do.
Torus Writer::torus_after_edits() const noexcept {
    Torus torus = newest_->torus;
    const std::span<const Edit> edits = staging_.edits();
    const BoxPointers boxes = staging_.boxes_after();
    for (std::size_t i = 0; wraps() && i < edits.size(); ++i)
        if (edits[i].present && edits[i].boxed) torus.add(boxes[i]);
    return torus;
}

// --- Memory ------------------------------------------------------------------------------------------------

// A fixed part of what is kept beside the newest frame, so that a history goes back in a fixed number of
// calls, however long it was.
Portion Writer::next_portion(std::size_t boxes) noexcept {
    constexpr std::size_t calls = 48, bytes_of_a_block = 512, little = std::size_t{1} << 20;
    const std::size_t rows = store_.row_bytes(), kept = store_.blocks.bytes() - rows;
    most_history_ = kept <= 2 * rows + little ? 0 : std::max(most_history_, kept);
    const Portion portion = Portion::of(boxes);
    return {std::max(portion.blocks, most_history_ / (calls * bytes_of_a_block)),
            std::max(portion.bytes, most_history_ / calls)};
}

// The frame before is reclaimed at once if no reader holds it, as part of the cost of this call.
void Writer::tidy_up(std::size_t boxes) noexcept {
    const Portion portion = next_portion(boxes);
    const std::size_t agents = newest_->agents, places = places_by_id(staging_.id_bound(), agents);
    const std::uint64_t allocations = store_.memory().allocations();
    store_.collect(portion);
    staging_.give_back_excess(agents);
    // Otherwise no buffer can have become too large.
    if (allocations != std::exchange(allocations_, allocations) || agents + places < usual_)
        store_.scratch.release_excess(agents, places);
    usual_ = agents + places;
    store_.expect(agents);
    store_.trim(portion);
}

// Enough for what was measured of even crowds, islands, one spot and piles, with labels, members of
// structures, one held frame, and any number of edits (docs/decisions/memory.md). A part has room for the
// largest block, which is that of a frame's rows.
Status Writer::reserve(std::size_t agents, std::size_t edits) noexcept {
    constexpr std::uint64_t bytes_of_an_agent = 88, bytes_of_an_edit = 107, little = 256 * 1024;
    constexpr std::size_t parts = 2, parts_for_edits = 3;
    if (agents == 0 && edits == 0) return {};
    const std::uint64_t bytes = agents * bytes_of_an_agent + edits * bytes_of_an_edit + little;
    if (bytes > std::numeric_limits<std::size_t>::max() / 4) return {Code::out_of_memory};
    const bool reserved =
        store_.memory().reserve(edits == 0 ? parts : parts_for_edits, static_cast<std::size_t>(bytes));
    return {reserved ? Code::ok : Code::out_of_memory};
}

void Writer::release_memory() noexcept {
    store_.collect(Portion::all());
    store_.release_older();
    store_.spaces.release();
    staging_.give_back_excess(newest_->agents);
    store_.scratch.release_excess(0, 0);
    store_.blocks.release();
    store_.memory().let_go();
    most_history_ = 0;
}

MemoryReport Writer::memory() const noexcept {
    MemoryReport report;
    report.rows = store_.row_bytes();
    report.history = store_.blocks.bytes() - report.rows;
    report.tables = store_.table_bytes();
    report.agents = staging_.table_bytes();
    report.staged = staging_.edit_bytes();
    // All other memory taken from the host is scratch.
    const std::size_t known = report.total();
    const std::size_t held = store_.memory().bytes() + sizeof(Store);
    report.scratch = held > known ? held - known : 0;
    report.allocations = store_.memory().allocations() + 1;
    return report;
}

}  // namespace throng::detail
