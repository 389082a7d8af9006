#include "throng/engine.hpp"

#include <cmath>
#include <mutex>

#include "engine/src/committer.hpp"
#include "engine/src/find_kernels.hpp"
#include "engine/src/frame_builder.hpp"
#include "engine/src/frame_reader.hpp"
#include "engine/src/held_map.hpp"
#include "engine/src/island_planner.hpp"
#include "engine/src/rebase.hpp"
#include "engine/src/staging.hpp"
#include "engine/src/store.hpp"
#include "engine/src/survey.hpp"
#include "engine/src/tuner.hpp"
#include "engine/src/validation.hpp"
#include "simd/kernels.hpp"

namespace throng {

using namespace detail;

// What one engine has to itself; what it shares with its frames is in the store.
struct Engine::State {
    State(std::pmr::memory_resource* memory, Store& shared, const EngineConfig& c,
          const simd::Kernels& k) noexcept
        : store(shared),
          config(c),
          kernels(k),
          tuner(c.cell_width, c.row_height, c.common_size),
          map(shared.blocks, WorldMap(tuner.grid())),
          planner(memory),
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
    Tuner tuner;
    Survey survey;
    HeldMap map;  // what frames are built on
    IslandPlanner planner;
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

    Status build(const Boxes& boxes, const AgentId* ids, const Labels& labels, FrameState*& frame,
                 bool labels_are_by_id = true) noexcept {
        return builder.build(store, {boxes, ids, labels, labels_are_by_id, *map, &kernels, config.executor},
                             frame);
    }
    // The map for the grid that was chosen, with the islands it may need. False if there is no memory.
    template <class BoxAt>
    bool draw_map(std::size_t agents, BoxAt&& box_at, WorldMap& drawn) noexcept {
        drawn = WorldMap(tuner.grid());
        if (!tuner.wants_islands()) return true;
        Ground ground = tuner.ground();
        ground.agents = agents;
        return planner.plan(store, ground, tuner.shortage(), box_at, drawn);
    }
    // Looks at the agents and reconsiders the map; `changed` tells whether it is another one now. On failure
    // the tuner and the map may have changed all the same.
    template <class BoxAt>
    Status review(std::size_t agents, BoxAt&& box_at, bool& changed) noexcept {
        if (tuner.suits_few(agents)) {
            changed = tuner.settle_for_few(agents);
            if (changed) map = HeldMap(store.blocks, WorldMap(tuner.grid()));
            return {};
        }
        survey.take(agents, tuner.survey_size(), box_at);
        changed = tuner.review(survey);
        WorldMap better;
        if (!draw_map(agents, box_at, better)) return {Code::out_of_memory};
        const HeldMap held(store.blocks, better);
        if (!changed && tuner.wants_islands() && !planner.serves(*map, better)) {
            changed = true;
            tuner.count_choice();
        }
        if (changed) map = held;
        return {};
    }
    // On failure the tuner and the map are as they were.
    Status survey_and_build(const Boxes& boxes, const Labels& labels, FrameState*& frame) noexcept {
        const Tuner before = tuner;
        const HeldMap map_before = map;
        bool changed = false;
        Status status = review(
            boxes.size(), [&](std::size_t i) { return boxes[i]; }, changed);
        if (status.ok()) status = build(boxes, nullptr, labels, frame);
        if (!status.ok()) {
            tuner = before;
            map = map_before;
        }
        return status;
    }
    // `touched` are the rows that differ from the frame before; null if all may.
    void publish(FrameState* frame, const std::span<const std::uint32_t>* touched = nullptr) noexcept;
    // After a call that read or wrote so many boxes: what has no use any more goes back.
    void tidy_up(std::size_t boxes) noexcept;
    Status commit() noexcept;
    Status commit_from_nothing(std::size_t agents, FrameState*& frame, bool review_first) noexcept;
    Status rebase(float dx, float dy) noexcept;
};

void Engine::State::publish(FrameState* frame, const std::span<const std::uint32_t>* touched) noexcept {
    frame->number = ++number;
    frame->id_bound = staging.id_bound();
    frame->pairs_expected = static_cast<std::size_t>(std::min(tuner.pairs_expected(frame->agents), 1e12));
    frame->tuning = tuner.tuning();
    store.set_layer(*frame, layer.state_);
    frame->tuning.oversized = frame->view.oversized.count;
    frame->tuning.islands = map->regions() - 1;
    if (map->has_islands()) frame->tuning.reason = TuningReason::islands;
    for (std::uint32_t r = 0; r < map->open().rows && map->has_islands(); ++r)
        frame->tuning.strays += frame->rows[r].count;
    if (touched == nullptr)
        store.publish(*frame);
    else
        store.publish(*frame, *touched);
    tuner.count_frame();
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
    if (state_ != nullptr && state_->build({}, nullptr, {}, empty).ok()) {
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
    const Status status = s.tuner.wants_survey(boxes.size())
                              ? s.survey_and_build(boxes, carried(labels), frame)
                              : s.build(boxes, nullptr, carried(labels), frame);
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
    const Tuner before = tuner;
    const bool due = tuner.wants_survey(agents), many = Committer::are_many(*current, edits);
    const HeldMap map_before = map;
    bool rebuild = many || (!current->labelled && staging.brings_labels());
    const std::size_t work = edits.size() + (rebuild ? agents : 0);
    Status status;
    if (due && !many) {
        FrameReader reader(*current);
        bool changed = false;
        status = review(
            current->agents, [&](std::size_t i) { return reader.box(i); }, changed);
        rebuild = rebuild || changed;
    }
    FrameState* frame = nullptr;
    if (status.ok())
        status = rebuild ? commit_from_nothing(agents, frame, due && many)
                         : committer.edit(store, config.executor, *current, staging, frame);
    if (!status.ok()) {
        tuner = before;
        map = map_before;
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

Status Engine::State::commit_from_nothing(std::size_t agents, FrameState*& frame,
                                          bool review_first) noexcept {
    if (!committer.gather(*current, staging, agents)) return {Code::out_of_memory};
    const Boxes boxes = committer.gathered_boxes();
    bool changed = false;
    if (review_first)
        if (const Status status = review(
                agents, [&](std::size_t i) { return boxes[i]; }, changed);
            !status.ok())
            return status;
    return build(boxes, committer.gathered_ids(), committer.gathered_labels(), frame,
                 committer.labels_are_by_id());
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
    const Tuner before = tuner;
    const HeldMap map_before = map;
    const Boxes boxes = committer.gathered_boxes();
    tuner.rebase(dx, dy);
    WorldMap moved;
    if (!draw_map(
            boxes.size(), [&](std::size_t i) { return boxes[i]; }, moved)) {
        tuner = before;
        return {Code::out_of_memory};
    }
    map = HeldMap(store.blocks, moved);
    FrameState* frame = nullptr;
    const Status status = build(boxes, committer.gathered_ids(), committer.gathered_labels(), frame,
                                committer.labels_are_by_id());
    if (!status.ok()) {
        tuner = before;
        map = map_before;
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
