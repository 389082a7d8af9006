// Writes the frames of an engine. Only the writer knows the three things that a frame is made of: the store,
// which has the memory; the plan; and the edits that wait for a commit. It builds a frame from all agents
// (build/), or edits the newest one (edit/), and publishes it:
//
//     all agents -----------------> PlannedBuilder ---+
//     edits, from scratch --------> PlannedBuilder ---+--> publish --> the newest frame, for readers
//     edits, merged or by rows ---> RowMerger, FrameEditor
//
// Engine has checked the arguments (api/engine.cpp). A failed call has changed nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>

#include "engine/src/build/agent_list.hpp"
#include "engine/src/edit/frame_editor.hpp"
#include "engine/src/edit/gathered_agents.hpp"
#include "engine/src/edit/rows/row_merger.hpp"
#include "engine/src/edit/staging.hpp"
#include "engine/src/edit/way.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/writer/folded_boxes.hpp"
#include "engine/src/writer/ghosts.hpp"
#include "engine/src/writer/planned_builder.hpp"
#include "simd/kernels.hpp"
#include "throng/engine.hpp"
#include "throng/memory.hpp"
#include "throng/reports.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class Writer {
public:
    // With a frame without agents. On failure there is no writer.
    [[nodiscard]] static Status create(const EngineConfig& config, const simd::Kernels& kernels,
                                       Writer*& writer) noexcept;
    static void destroy(Writer* writer) noexcept;

    Writer(Store& store, const EngineConfig& config, const simd::Kernels& kernels) noexcept
        : store_(store),
          kernels_(kernels),
          executor_(config.executor),
          period_{config.period_x, config.period_y},
          builder_(store, kernels, config) {}
    // Frames dropped by readers, and the newest one, are reclaimed with the last reference to the store.
    ~Writer() {
        drop(newest_);
        drop(layer_);
    }

    // --- All agents ---

    // In a world that wraps around, before any of these or an edit gets boxes: `boxes` becomes a view of the
    // folded boxes. For an update these are all boxes.
    bool wraps() const noexcept { return period_.wraps(); }
    const Period& period() const noexcept { return period_; }
    Status fold_all(Boxes& boxes) noexcept {
        updated_ = {period_};
        return folded_.fold(executor_, boxes, updated_);
    }
    // Boxes that may still be refused or discarded do not count for a frame yet.
    Status fold_some(Boxes& boxes) noexcept {
        Torus of_these{period_};
        return folded_.fold(serial_executor(), boxes, of_these);
    }

    // The pairs of the new frame are listed before it is published, unless `pairs` is null. With an id for
    // each box, unless `ids` is null; and a label and a height for each or none.
    Status update(const std::span<const AgentId>* ids, const Boxes& boxes, Buffer<Pair>* pairs,
                  const UpdateOptions& options) noexcept;
    // As Engine::rebase and Engine::renumber.
    Status rebase(float dx, float dy) noexcept;
    Status renumber(std::span<const AgentId> order) noexcept;

    // --- Edits ---

    std::size_t staged() const noexcept { return staging_.size(); }
    Status insert(const Boxes& boxes, const Labels& labels, const Heights& heights, AgentId* ids) noexcept {
        return staging_.insert(*newest_, boxes, labels, heights, ids);
    }
    Status move(const AgentId* ids, const Boxes& boxes, const Heights& heights) noexcept {
        return staging_.move(*newest_, ids, boxes, heights, gathered_.boxes_of(*newest_));
    }
    Status relabel(const AgentId* ids, const Labels& labels) noexcept {
        return staging_.relabel(*newest_, ids, labels);
    }
    Status remove(std::span<const AgentId> ids) noexcept {
        return staging_.remove(*newest_, ids.data(), ids.size());
    }
    Status handle(AgentId id, AgentHandle& handle) noexcept { return staging_.handle(*newest_, id, handle); }
    bool is_current(const AgentHandle& handle) const noexcept { return staging_.is_current(handle); }
    void discard() noexcept {
        staging_.discard();
        gathered_.forget();
    }
    Status commit() noexcept;

    // --- The newest frame ---

    const FrameState& newest() const noexcept { return *newest_; }
    // With a reference for the caller; from any thread.
    FrameState* share_newest() const noexcept;
    // For future frames; null for none.
    void set_layer(FrameState* layer) noexcept {
        share(layer);
        drop(std::exchange(layer_, layer));
    }
    Isa isa() const noexcept { return kernels_.isa; }
    const Executor& executor() const noexcept { return executor_; }
    Validation validate() noexcept;

    // --- The plan ---

    std::size_t write_plan(std::span<std::byte> bytes) noexcept { return builder_.planner().write(bytes); }
    Status set_plan(std::span<const std::byte> bytes) noexcept { return builder_.planner().read(bytes); }
    void replan() noexcept { builder_.planner().forget(); }

    // --- Memory ---

    MemoryReport memory() const noexcept;
    Status reserve(std::size_t agents, std::size_t edits) noexcept;
    void release_memory() noexcept;

private:
    Status fail(Status failure) noexcept {
        builder_.planner().go_back();
        return failure;
    }
    Status build_update(const AgentList& agents, const GhostsGiven& ghosts, Buffer<Pair>* pairs,
                        FrameState*& frame) noexcept;
    // After an update that found an illegal box: with the other boxes.
    Status update_legal(const AgentList& agents, std::size_t bound, GhostsGiven ghosts, Buffer<Pair>* pairs,
                        LeftOut& left_out) noexcept;
    Status list_agents(AgentList& agents) noexcept {
        return gathered_.list(executor_, *newest_, staging_, agents);
    }
    Status check_plan(Way& way, bool& due) noexcept;
    Status make_frame(Way way, bool due, FrameState*& frame) noexcept;
    Status try_another_plan(Way& way, FrameState*& frame) noexcept;
    void note_published(Way way, const FrameState& frame) noexcept;
    Torus torus_after_edits() const noexcept;
    // `touched` are the rows that differ from the frame before; null if all may.
    void publish(FrameState* frame, std::size_t changes,
                 const std::span<const std::uint32_t>* touched = nullptr) noexcept;
    // After a call that read or wrote this many boxes: frees what is no longer used.
    void tidy_up(std::size_t boxes) noexcept;
    void give_back_scratch(std::size_t agents) noexcept;
    Portion next_portion(std::size_t boxes) noexcept;

    Store& store_;
    const simd::Kernels& kernels_;
    const Executor executor_;
    const Period period_;
    PlannedBuilder builder_;
    Staging staging_{&store_.memory()};
    FrameEditor editor_{&store_.memory()};
    RowMerger merger_{&store_.memory()};
    GatheredAgents gathered_{&store_.memory()};
    NamedAgents named_{&store_.memory()};
    LegalAgents legal_{&store_.memory()};
    FoldedBoxes folded_{&store_.memory()};
    Torus updated_{period_};  // for the update that is being made

    // Readers take the newest frame under this lock; it is held only while a reference is counted.
    mutable std::mutex mutex_;
    FrameState* newest_ = nullptr;
    FrameState* layer_ = nullptr;
    std::uint64_t number_ = 0;
    std::size_t most_history_ = 0;  // bytes, since it was small
};

}  // namespace throng::detail
