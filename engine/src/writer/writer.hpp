// Writes the frames of an engine. Only the writer knows the three things that a frame is made of: the store,
// which has the memory; the plan; and the edits that wait for a commit. It builds a frame from all agents
// (build/), or edits the newest one (edit/), and publishes it:
//
//     all agents -----------------> Planner, FrameBuilder ---+
//     edits, from scratch --------> Planner, FrameBuilder ---+--> publish --> the newest frame, for readers
//     edits, merged or by rows ---> RowMerger, FrameEditor --+
//
// A frame that is built goes on the plan that fits its agents: the plan is checked before, the frame judged
// after, and at most one more is built on another plan. The planner decides (plan/planner.hpp), the builder
// builds (build/frame_builder.hpp), and neither knows the other.
//
// Engine has checked the arguments (api/engine.cpp). A failed call has changed nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>

#include "engine/src/build/agent_list.hpp"
#include "engine/src/build/frame_builder.hpp"
#include "engine/src/edit/frame_editor.hpp"
#include "engine/src/edit/gathered_agents.hpp"
#include "engine/src/edit/row_merger.hpp"
#include "engine/src/edit/staging.hpp"
#include "engine/src/plan/planner.hpp"
#include "engine/src/store/store.hpp"
#include "simd/kernels.hpp"
#include "throng/engine.hpp"
#include "throng/memory.hpp"
#include "throng/reports.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// A host's boxes for an engine whose world wraps around, folded into the one world. A pass tells whether all
// lie there already: then the host's own are used.
class FoldedBoxes {
public:
    explicit FoldedBoxes(ScratchList& scratch) noexcept : boxes_(scratch) {}

    // `boxes` becomes a view of the folded ones, and `torus` takes account of them. Illegal ones stay.
    Status fold(const Executor& executor, Boxes& boxes, Torus& torus) noexcept;

private:
    Scratch<Box> boxes_;
};

// Tells a frame that is built which of its agents are ghosts (simd/types.hpp). Each function returns
// false if there is no memory. The ghosts of an update: the ids behind the owned ones, or as many ids from 0
// on, except those left out.
struct GhostsGiven {
    std::size_t owned, count;
    const AgentId* ids = nullptr;            // null if agent i has id i
    std::span<const AgentId> left_out = {};  // ascending
};
[[nodiscard]] bool give_ghosts(Store& store, const GhostsGiven& given, FrameState& frame) noexcept;

// The ghosts of the frame before: all of them, or with the new numbers of their ids, or those left after
// edits.
void keep_ghosts(Store& store, const FrameState& before, FrameState& frame) noexcept;
[[nodiscard]] bool renumber_ghosts(Store& store, const FrameState& before, std::span<const AgentId> order,
                                   FrameState& frame) noexcept;
[[nodiscard]] bool edit_ghosts(Store& store, const FrameState& before, const Staging& staging,
                               FrameState& frame) noexcept;

// The ways of a commit, all of which give the same rows, bit for bit, if the grid is the same.
enum class Way : std::uint8_t {
    by_rows,       // few edits: only the rows that they touch are written (frame_editor.hpp)
    merged,        // many, all over the world: each row is merged with the agents that come (row_merger.hpp)
    from_scratch,  // very many: all rows are built, as by an update (gathered_agents.hpp)
};

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
          planner_(store, kernels, config) {}
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
        return wraps() ? folded_.fold(serial_executor(), boxes, of_these) : Status{};
    }

    // The pairs of the new frame are listed before it is published, unless `pairs` is null. With an id for
    // each box, unless `ids` is null; and a label and a height for each or none.
    Status update(const std::span<const AgentId>* ids, const Boxes& boxes, Buffer<Pair>* pairs,
                  const UpdateOptions& options) noexcept;
    // As Engine::rebase and Engine::renumber.
    Status rebase(float dx, float dy) noexcept;
    Status renumber(std::span<const AgentId> order) noexcept;

    // --- Edits ---

    Staging& staging() noexcept { return staging_; }
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
    Planner& planner() noexcept { return planner_; }

    // --- Memory ---

    MemoryReport memory() const noexcept;
    Status reserve(std::size_t agents, std::size_t edits) noexcept;
    void release_memory() noexcept;

private:
    Status fail(Status failure) noexcept {
        planner_.go_back();
        return failure;
    }
    // A frame with its view on the plan that fits; `due` says whether to check the present one first.
    Status build_planned(const AgentList& agents, bool due, FrameState*& frame) noexcept;
    // The same on the present plan.
    Status build(const AgentList& agents, FrameState*& frame) noexcept {
        return build_on(planner_.plan(), agents, frame);
    }
    // The same on that plan moved by (dx, dy), like all agents.
    Status build_moved(const AgentList& agents, float dx, float dy, FrameState*& frame) noexcept;
    Status build_on(const Plan& plan, const AgentList& agents, FrameState*& frame) noexcept;
    // Completes a frame without a view, or gives it back.
    Status finish(FrameState*& frame) noexcept;
    // Builds a frame of the same agents on another plan. `taken` tells whether it is the better one, and
    // `frame` is now that one. If this fails, the frame is given back.
    Status try_another_plan(const AgentList& list, const Agents& agents, FrameState*& frame,
                            bool& taken) noexcept;
    bool became_expensive(const FrameState& frame, std::size_t edits) noexcept;
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
    Portion next_portion(std::size_t boxes) noexcept;

    Store& store_;
    const simd::Kernels& kernels_;
    const Executor executor_;
    const Period period_;
    Planner planner_;
    FrameBuilder builder_{store_.scratch};
    Staging staging_{&store_.memory()};
    FrameEditor editor_{store_.scratch};
    RowMerger merger_{store_.scratch};
    GatheredAgents gathered_{store_.scratch};
    NamedAgents named_{store_.scratch};
    LegalAgents legal_{store_.scratch};
    FoldedBoxes folded_{store_.scratch};
    Torus updated_{period_};  // for the update that is being made

    // Readers take the newest frame under this lock; it is held only while a reference is counted.
    mutable std::mutex mutex_;
    FrameState* newest_ = nullptr;
    FrameState* layer_ = nullptr;
    std::uint64_t number_ = 0;
    std::size_t most_history_ = 0;  // bytes, since it was small
    std::size_t usual_ = 0;         // agents, and places by id, after the last call
    std::uint64_t allocations_ = 0;
};

}  // namespace throng::detail
