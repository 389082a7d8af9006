// The private state of an Engine. engine.cpp has its public calls, engine_frames.cpp builds its frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "engine/src/api/planned_builder.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/write/committer.hpp"
#include "engine/src/write/ids/agent_list.hpp"
#include "engine/src/write/ids/legal_agents.hpp"
#include "engine/src/write/ids/named_agents.hpp"
#include "engine/src/write/staging.hpp"
#include "simd/kernels.hpp"
#include "throng/engine.hpp"
#include "throng/memory.hpp"

namespace throng {

// The state that one engine owns alone; what it shares with its frames is in the store.
struct THRONG_INSIDE Engine::State {
    State(detail::Store& shared, const EngineConfig& c, const simd::Kernels& k) noexcept
        : store(shared), config(c), kernels(k), builder(shared, k, c) {}
    ~State() {
        drop(current);
        // Frames that readers dropped, and the one above, are reclaimed with the last reference to the store.
    }

    detail::Store& store;
    EngineConfig config;
    const simd::Kernels& kernels;
    detail::PlannedBuilder builder;
    detail::Committer committer{&store.memory()};
    detail::Staging staging{&store.memory()};
    detail::NamedAgents named{&store.memory()};
    detail::LegalAgents legal{&store.memory()};

    // Readers take the newest frame under this lock; it is held only while a reference is counted.
    mutable std::mutex mutex;
    detail::FrameState* current = nullptr;
    std::uint64_t number = 0;
    std::size_t most_history = 0;  // bytes, since it was small
    Frame layer;                   // of the frames to come; empty if there is none

    Status go_back(Status failure) noexcept {
        builder.planner().go_back();
        return failure;
    }
    using Input = detail::AgentList;
    // `touched` are the rows that differ from the frame before; null if all may.
    void publish(detail::FrameState* frame, std::size_t changes,
                 const std::span<const std::uint32_t>* touched = nullptr) noexcept;
    // After a call that read or wrote `boxes` boxes: frees what is no longer used.
    void tidy_up(std::size_t boxes) noexcept;
    detail::Portion next_portion(std::size_t boxes) noexcept;
    Status reserve(std::size_t agents, std::size_t edits) noexcept;
    void release_memory() noexcept;
    Status build_update(const Input& input, detail::Buffer<Pair>* pairs, detail::FrameState*& frame) noexcept;
    // The updates of an engine, by ids unless `ids` is null, and with the pairs of the new frame unless
    // `pairs` is.
    static Status update(Engine& engine, const std::span<const AgentId>* ids, const Boxes& boxes,
                         const Labels& labels, PairList* pairs) noexcept;
    // The pairs are found before the frame is published, unless `pairs` is null.
    Status update_all(const Input& input, detail::Buffer<Pair>* pairs) noexcept;
    Status update_named(std::span<const AgentId> ids, const Boxes& boxes, const Labels& labels,
                        detail::Buffer<Pair>* pairs) noexcept;
    // Of ids below `bound`. If all are legal, none is left out.
    Filled update_legal(const Input& input, std::size_t bound, std::span<AgentId> left_out) noexcept;
    Status commit() noexcept;
    Status edit_rows(detail::FrameState*& frame) noexcept;
    Status merge_rows(detail::FrameState*& frame) noexcept;
    void note_cells(bool rebuilt) noexcept;
    Status commit_from_nothing(std::size_t agents, detail::FrameState*& frame, bool due) noexcept;
    Status try_another_plan(std::size_t agents, detail::FrameState*& frame, bool& taken) noexcept;
    Status list_agents(std::size_t agents, Input& input) noexcept;
    Status rebase(float dx, float dy) noexcept;
    Status renumber(std::span<const AgentId> order) noexcept;
};

}  // namespace throng
