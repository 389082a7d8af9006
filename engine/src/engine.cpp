#include "throng/engine.hpp"

#include <cmath>
#include <mutex>

#include "engine/src/committer.hpp"
#include "engine/src/find_kernels.hpp"
#include "engine/src/frame_builder.hpp"
#include "engine/src/frame_reader.hpp"
#include "engine/src/planning.hpp"
#include "engine/src/rebase.hpp"
#include "engine/src/staging.hpp"
#include "engine/src/store.hpp"
#include "engine/src/validation.hpp"
#include "simd/kernels.hpp"

namespace throng {

using namespace detail;

// What one engine has to itself; what it shares with its frames is in the store.
struct THRONG_INSIDE Engine::State {
    State(std::pmr::memory_resource* memory, Store& shared, const EngineConfig& c,
          const simd::Kernels& k) noexcept
        : store(shared),
          config(c),
          kernels(k),
          plan(first_plan(shared, c)),
          planning(memory),
          builder(memory),
          committer(memory),
          staging(memory) {}
    ~State() {
        drop(current);
        // Frames that readers dropped, and the one above, are taken back by whoever lets go of the store
        // last.
    }

    Store& store;
    EngineConfig config;
    const simd::Kernels& kernels;
    Plan plan;  // what frames are built on
    Planning planning;
    FrameBuilder builder;
    Committer committer;
    Staging staging;

    // Readers take the newest frame under this lock; it is held for no longer than it takes to count a
    // reference.
    mutable std::mutex mutex;
    FrameState* current = nullptr;
    std::uint64_t number = 0;
    Tuning tuning;
    Frame layer;  // of the frames to come; empty if there is none

    static Plan first_plan(Store& store, const EngineConfig& c) noexcept {
        const Tuner tuner(c.cell_width, c.row_height, c.common_size);
        return {tuner, HeldMap(store.blocks, WorldMap(tuner.grid()))};
    }
    // The agents of a frame that is to be built from nothing.
    struct Input {
        Boxes boxes;
        const AgentId* ids;
        Labels labels;
        bool labels_are_by_id = true;
    };
    Status build(const Input& input, const Plan& on, FrameState*& frame) noexcept {
        return builder.build(store,
                             {input.boxes, input.ids, input.labels, input.labels_are_by_id, *on.map, &kernels,
                              config.executor},
                             frame);
    }
    // On failure the plan is as it was.
    Status review_and_build(const Input& input, bool review_first, FrameState*& frame) noexcept;
    Status build_on_better_plan(const Input& input, FrameState*& frame) noexcept;
    // `touched` are the rows that differ from the frame before; null if all may.
    void publish(FrameState* frame, const std::span<const std::uint32_t>* touched = nullptr) noexcept;
    // After a call that read or wrote so many boxes: what has no use any more goes back.
    void tidy_up(std::size_t boxes) noexcept;
    Status commit() noexcept;
    bool became_dear(const FrameState& frame, std::size_t edits) noexcept;
    Status commit_from_nothing(std::size_t agents, FrameState*& frame, bool review_first) noexcept;
    Status rebase(float dx, float dy) noexcept;
};

Status Engine::State::review_and_build(const Input& input, bool review_first, FrameState*& frame) noexcept {
    const Plan before = plan;
    bool changed = false;
    Status status;
    if (review_first)
        status = planning.review(
            store, input.boxes.size(), [&](std::size_t i) { return input.boxes[i]; }, plan, changed);
    if (status.ok()) status = build(input, plan, frame);
    if (status.ok()) status = build_on_better_plan(input, frame);
    if (!status.ok()) plan = before;
    return status;
}

// A frame that turned out dear is built on a plan made for its agents, and kept if that is much better: first with a
// sample, and if that is not enough with many more.
Status Engine::State::build_on_better_plan(const Input& input, FrameState*& frame) noexcept {
    const std::size_t agents = input.boxes.size();
    const auto box_at = [&](std::size_t i) { return input.boxes[i]; };
    if (!planning.may_do_better(plan, agents, work_of(*frame), box_at)) return {};
    for (const std::size_t points : {IslandPlanner::points_at_first(agents), IslandPlanner::points_at_most}) {
        Plan other = plan;
        FrameState* again = nullptr;
        Status status = planning.start_again(store, agents, box_at, points, other);
        if (status.ok()) status = build(input, other, again);
        if (!status.ok()) {
            store.abandon(frame);
            return status;
        }
        if (2 * work_of(*again) <= work_of(*frame)) {
            std::swap(frame, again);
            plan = other;
        }
        store.abandon(again);
        plan.tuner.count_rebuild();
        if (agents <= points || !planning.may_do_better(plan, agents, work_of(*frame), box_at)) break;
    }
    planning.accept(plan, agents, work_of(*frame), box_at);
    return {};
}

namespace {

// An expectation as a number of pairs. Where boxes are wider than the floats it may be no number at all; then
// none are expected.
std::size_t as_count(double expected) noexcept {
    constexpr double most = 1e12;
    return expected > 0 ? static_cast<std::size_t>(std::min(expected, most)) : 0;
}

}  // namespace

void Engine::State::publish(FrameState* frame, const std::span<const std::uint32_t>* touched) noexcept {
    frame->number = ++number;
    frame->id_bound = staging.id_bound();
    frame->pairs_expected = as_count(plan.tuner.pairs_expected(frame->agents));
    frame->tuning = plan.tuner.tuning();
    frame->tuning.sharing = frame->sharing;
    store.set_layer(*frame, layer.state_);
    frame->tuning.oversized = frame->view.oversized.count;
    frame->tuning.islands = plan.map->regions() - 1;
    if (plan.map->has_islands()) frame->tuning.reason = TuningReason::islands;
    for (std::uint32_t r = 0; r < plan.map->open().rows && plan.map->has_islands(); ++r)
        frame->tuning.strays += frame->rows[r].count;
    if (touched == nullptr)
        store.publish(*frame);
    else
        store.publish(*frame, *touched);
    plan.tuner.count_frame();
    FrameState* old = frame;
    {
        const std::lock_guard lock(mutex);
        std::swap(current, old);
    }
    drop(old);
}

// The frame before is taken back at once if nobody holds it, while the work that made it what it was pays.
void Engine::State::tidy_up(std::size_t boxes) noexcept {
    const Portion portion = Portion::of(boxes);
    store.collect(portion);
    staging.give_back_excess(current->agents);
    committer.give_back_excess(current->agents);
    builder.give_back_excess(current->agents);
    store.trim(portion);
}

// --- Making an engine --------------------------------------------------------------------------------------

namespace {

Status check(const EngineConfig& config) noexcept {
    const auto legal = [](float size) { return size >= 0 && size <= 1e30f; };
    if (!legal(config.cell_width) || !legal(config.row_height) || !legal(config.common_size))
        return {Code::bad_config};
    if (config.executor.parallel_for == nullptr && config.executor.workers > 1) return {Code::bad_config};
    return {};
}

}  // namespace

Engine::Engine(const EngineConfig& config) noexcept {
    const simd::Kernels* kernels = nullptr;
    status_ = check(config);
    if (status_.ok()) status_ = find_kernels(config.isa, kernels);
    if (!status_.ok()) return;
    status_ = {Code::out_of_memory};
    Store* store = Store::create(config.memory);
    if (store == nullptr) return;
    state_ = make<State>(store->memory(), &store->memory(), *store, config, *kernels);
    FrameState* empty = nullptr;
    if (state_ != nullptr && state_->build({}, state_->plan, empty).ok()) {
        state_->current = empty;
        store->publish(*empty);
        status_ = {};
        return;
    }
    destroy(store->memory(), std::exchange(state_, nullptr));
    store->drop_reference();
}

Engine::~Engine() {
    if (state_ == nullptr) return;
    Store& store = state_->store;
    destroy(store.memory(), state_);
    store.drop_reference();
}

// --- Labels ------------------------------------------------------------------------------------------------

namespace {

// Labels that are all the default one need not be carried.
Labels carried(const Labels& labels) noexcept {
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] != Label{}) return labels;
    return {};
}

}  // namespace

// --- In bulk -----------------------------------------------------------------------------------------------

Status Engine::update(const Boxes& boxes) noexcept { return update(boxes, Labels()); }

Status Engine::update(const Boxes& boxes, const Labels& labels) noexcept {
    if (state_ == nullptr) return status_;
    State& s = *state_;
    if (boxes.null() || labels.null()) return {Code::null_view};
    if (!labels.empty() && labels.size() != boxes.size()) return {Code::size_mismatch};
    if (boxes.size() > most_agents) return {Code::too_many_agents, most_agents};
    if (s.staging.size() != 0) return {Code::edits_pending};
    s.store.collect(Portion::of(boxes.size()));
    FrameState* frame = nullptr;
    const Status status =
        s.review_and_build({boxes, nullptr, carried(labels)}, s.plan.tuner.wants_survey(boxes.size()), frame);
    if (!status.ok()) return status;
    s.staging.reset(boxes.size());
    s.publish(frame);
    s.tidy_up(boxes.size());
    return {};
}

// --- Edit by edit ------------------------------------------------------------------------------------------

Status Engine::insert(const Box& box, AgentId& id) noexcept { return insert(Boxes::of({&box, 1}), {&id, 1}); }

Status Engine::insert(const Box& box, const Label& label, AgentId& id) noexcept {
    return insert(Boxes::of({&box, 1}), Labels::of({&label, 1}), {&id, 1});
}

Status Engine::insert(const Boxes& boxes, std::span<AgentId> ids) noexcept {
    return insert(boxes, Labels(), ids);
}

Status Engine::insert(const Boxes& boxes, const Labels& labels, std::span<AgentId> ids) noexcept {
    if (state_ == nullptr) return status_;
    if (boxes.size() != ids.size()) return {Code::size_mismatch};
    if (!labels.empty() && labels.size() != boxes.size()) return {Code::size_mismatch};
    if (boxes.null() || labels.null() || (ids.data() == nullptr && !ids.empty())) return {Code::null_view};
    return state_->staging.insert(*state_->current, boxes, labels, ids.data());
}

Status Engine::move(AgentId id, const Box& box) noexcept { return move({&id, 1}, Boxes::of({&box, 1})); }

Status Engine::move(std::span<const AgentId> ids, const Boxes& boxes) noexcept {
    if (state_ == nullptr) return status_;
    if (boxes.size() != ids.size()) return {Code::size_mismatch};
    if (boxes.null() || (ids.data() == nullptr && !ids.empty())) return {Code::null_view};
    return state_->staging.move(*state_->current, ids.data(), boxes);
}

Status Engine::relabel(AgentId id, const Label& label) noexcept {
    return relabel({&id, 1}, Labels::of({&label, 1}));
}

Status Engine::relabel(std::span<const AgentId> ids, const Labels& labels) noexcept {
    if (state_ == nullptr) return status_;
    if (labels.size() != ids.size()) return {Code::size_mismatch};
    if (labels.null() || (ids.data() == nullptr && !ids.empty())) return {Code::null_view};
    return state_->staging.relabel(*state_->current, ids.data(), labels);
}

Status Engine::remove(AgentId id) noexcept { return remove({&id, 1}); }

Status Engine::remove(std::span<const AgentId> ids) noexcept {
    if (state_ == nullptr) return status_;
    if (ids.data() == nullptr && !ids.empty()) return {Code::null_view};
    return state_->staging.remove(*state_->current, ids.data(), ids.size());
}

void Engine::discard() noexcept {
    if (state_ != nullptr) state_->staging.discard();
}

std::size_t Engine::staged() const noexcept { return state_ == nullptr ? 0 : state_->staging.size(); }

Status Engine::commit() noexcept { return state_ == nullptr ? status_ : state_->commit(); }

Status Engine::State::commit() noexcept {
    if (staging.size() == 0) return {};
    const std::span<const Edit> edits = staging.edits();
    store.collect(Portion::of(edits.size()));
    const std::size_t agents = Committer::agents_after(*current, edits);
    const Plan before = plan;
    const bool due = plan.tuner.wants_survey(agents), many = Committer::are_many(*current, edits);
    bool rebuild = many || (!current->labelled && staging.brings_labels());
    const std::size_t work = edits.size() + (rebuild ? agents : 0);
    Status status;
    if (due && !many) {
        FrameReader reader(*current);
        bool changed = false;
        status = planning.review(
            store, current->agents, [&](std::size_t i) { return reader.box(i); }, plan, changed);
        rebuild = rebuild || changed;
    }
    FrameState* frame = nullptr;
    if (status.ok())
        status = rebuild ? commit_from_nothing(agents, frame, due && many)
                         : committer.edit(store, config.executor, *current, staging, frame);
    if (status.ok() && !rebuild && became_dear(*frame, edits.size())) {
        rebuild = true;
        store.abandon(frame);
        status = commit_from_nothing(agents, frame, false);
    }
    if (!status.ok()) {
        plan = before;
        return status;
    }
    // After a rebuild all cells are written below.
    staging.published([&](std::size_t i) { return rebuild ? CellNumber{0} : committer.new_cell(i); });
    const std::span<const std::uint32_t> touched = committer.touched();
    if (rebuild) staging.relocate(*frame);
    publish(frame, rebuild ? nullptr : &touched);
    tidy_up(work);
    return {};
}

// Whether edits have made a frame dear for which a much better plan is to be expected.
bool Engine::State::became_dear(const FrameState& frame, std::size_t edits) noexcept {
    const std::uint64_t work = work_of(frame);
    if (!plan.tuner.wants_look(work, frame.agents, edits)) return false;
    plan.tuner.count_look(work, frame.agents);
    FrameReader reader(frame);
    return planning.may_do_better(plan, frame.agents, work, [&](std::size_t i) { return reader.box(i); });
}

Status Engine::State::commit_from_nothing(std::size_t agents, FrameState*& frame,
                                          bool review_first) noexcept {
    if (!committer.gather(*current, staging, agents)) return {Code::out_of_memory};
    return review_and_build({committer.gathered_boxes(), committer.gathered_ids(),
                             committer.gathered_labels(), committer.labels_are_by_id()},
                            review_first, frame);
}

// --- Another origin ----------------------------------------------------------------------------------------

Status Engine::rebase(float dx, float dy) noexcept {
    if (state_ == nullptr) return status_;
    if (const Status bad = check_rebase(dx, dy); !bad.ok()) return bad;
    if (state_->staging.size() != 0) return {Code::edits_pending};
    return state_->rebase(dx, dy);
}

// The agents by id, as in a commit without edits; their order in the rows may change where boxes are rounded.
Status Engine::State::rebase(float dx, float dy) noexcept {
    store.collect(Portion::of(current->agents));
    if (!committer.gather(*current, staging, current->agents)) return {Code::out_of_memory};
    if (const Status bad = rebase_all(committer.gathered(), committer.gathered_ids(), dx, dy); !bad.ok())
        return bad;
    const Plan before = plan;
    const Boxes boxes = committer.gathered_boxes();
    plan.tuner.rebase(dx, dy);
    FrameState* frame = nullptr;
    Status status = planning.draw(
        store, boxes.size(), [&](std::size_t i) { return boxes[i]; },
        IslandPlanner::points_at_first(boxes.size()), plan);
    if (status.ok())
        status = build(
            {boxes, committer.gathered_ids(), committer.gathered_labels(), committer.labels_are_by_id()},
            plan, frame);
    if (!status.ok()) {
        plan = before;
        return status;
    }
    if (staging.has_table()) staging.relocate(*frame);
    publish(frame);
    tidy_up(boxes.size());
    return {};
}

// --- What never moves --------------------------------------------------------------------------------------

Status Engine::set_static_layer(const StaticLayer& layer) noexcept {
    if (state_ == nullptr) return status_;
    if (!layer.status().ok()) return layer.status();
    state_->layer = layer.frame();
    return {};
}

void Engine::clear_static_layer() noexcept {
    if (state_ != nullptr) state_->layer = {};
}

// --- The published world -----------------------------------------------------------------------------------

Frame Engine::frame() const noexcept {
    if (state_ == nullptr) return {};
    const std::lock_guard lock(state_->mutex);
    share(state_->current);
    return {state_->current, state_->config.executor};
}

std::size_t Engine::size() const noexcept { return frame().size(); }

Isa Engine::isa() const noexcept { return state_ == nullptr ? Isa::automatic : state_->kernels.isa; }

Tuning Engine::tuning() const noexcept { return frame().tuning(); }

MemoryReport Engine::memory() const noexcept {
    if (state_ == nullptr) return {};
    const State& s = *state_;
    MemoryReport report;
    report.rows = s.store.row_bytes();
    report.history = s.store.blocks.bytes() - report.rows;
    report.tables = s.store.table_bytes();
    report.agents = s.staging.table_bytes();
    report.staged = s.staging.edit_bytes();
    // Whatever else was taken from the host is work space.
    const std::size_t known = report.total();
    const std::size_t held = s.store.memory().bytes() + sizeof(Store);
    report.scratch = held > known ? held - known : 0;
    report.allocations = s.store.memory().allocations() + 1;
    return report;
}

Validation Engine::validate() const noexcept {
    if (state_ == nullptr) return {.status = status_};
    return detail::validate(*state_->current, &state_->staging, &state_->store.memory());
}

}  // namespace throng
