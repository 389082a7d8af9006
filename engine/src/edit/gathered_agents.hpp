// All agents of a frame with the staged edits, as a list by ascending id: the input for a frame that is built
// from scratch. If the next commit is as large, only the changes by its edits are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/src/build/agent_list.hpp"
#include "engine/src/edit/box_arrays.hpp"
#include "engine/src/edit/staging.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "throng/executor.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class GatheredAgents {
public:
    explicit GatheredAgents(ScratchList& scratch) noexcept : scratch_(scratch) {}

    // The agents after the edits. The list is valid until the next call, or as long as the edits: if these
    // give each agent a box, they are the list.
    Status list(const Executor& executor, const FrameState& frame, const Staging& staging,
                AgentList& agents) noexcept;
    // The same around an origin at (dx, dy). The status names the first agent whose box would overflow.
    Status list_moved(const Executor& executor, const FrameState& frame, const Staging& staging, float dx,
                      float dy, AgentList& agents) noexcept;

    // A frame with this number was published that was built from the last list.
    void keep(std::uint64_t frame_number) noexcept {
        gathered_for_ = std::exchange(may_be_kept_, false) ? frame_number : 0;
        kept_room_ = room();
    }

private:
    struct Gathered {
        AgentId id;
        Box box;
        Traits traits;
    };
    Status gather(const Executor& executor, const FrameState& frame, const Staging& staging,
                  AgentList& list) noexcept;
    Status gather_by_id(const Executor& executor, const FrameState& frame, const Staging& staging,
                        bool kept) noexcept;
    Status gather_traits_by_id(const Executor& executor, const FrameState& frame, const Staging& staging,
                               bool kept) noexcept;
    std::size_t room() const noexcept { return boxes_.bytes() + traits_.bytes(); }
    bool list_without_gaps(std::size_t agents) noexcept;
    bool mark_leaving(const FrameState& frame, const Staging& staging) noexcept;
    bool gather_few(const FrameState& frame, const Staging& staging) noexcept;

    ScratchList& scratch_;
    BoxArrays boxes_{scratch_, scratch_.by_id};  // unless ids are far apart
    // If ids have gaps: the boxes of agents, and their ids.
    BoxArrays without_gaps_{scratch_};
    Scratch<AgentId> ids_{scratch_};
    Scratch<Traits> traits_{scratch_, scratch_.by_id};  // none in a frame without labels
    simd::Extras extras_ = simd::Extras::none;
    Scratch<Gathered> few_agents_{scratch_};
    Scratch<std::uint32_t> leaving_{scratch_};  // a bit for each id
    std::uint64_t gathered_for_ = 0;            // the number of the frame of these boxes, ids and traits
    bool may_be_kept_ = false;                  // whether they may be those of the next frame
    std::size_t kept_room_ = 0;                 // none of it was freed since
};

}  // namespace throng::detail
