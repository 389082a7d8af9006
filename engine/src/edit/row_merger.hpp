// Makes the next frame after many edits all over the world. The agents that come become records, as for a
// frame that is built. Then each row is merged from that of the last frame and its records. It is read once
// and written once, in order. The frame is the same as from a build from scratch, bit for bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/build/frame_builder.hpp"
#include "engine/src/edit/box_arrays.hpp"
#include "engine/src/edit/staging.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/store.hpp"
#include "throng/executor.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class RowMerger {
public:
    explicit RowMerger(ScratchList& scratch) noexcept : scratch_(scratch) {}

    // The frame has no labels. On success `next` is a state like that of FrameBuilder::build.
    Status merge(Store& store, FrameBuilder& builder, const Executor& executor, const FrameState& frame,
                 const Staging& staging, FrameState*& next) noexcept;

private:
    struct Input {
        const FrameState& frame;
        const FrameBuilder& coming;   // has the agents of the edits, except those that leave
        const std::uint32_t* edited;  // a bit for each id: whether its agent moves or leaves
        Executor executor;
    };
    bool list_coming(const Staging& staging) noexcept;
    bool lay_out(const Input& input) noexcept;
    Status merge_rows(Store& store, const Input& input, FrameState& next) noexcept;
    static std::uint64_t merge_row(const Input& input, std::size_t r, std::byte* scratch, std::byte*& target,
                                   FrameState& next) noexcept;

    ScratchList& scratch_;
    Scratch<std::uint32_t> edited_{scratch_};  // a bit for each id
    Scratch<AgentId> coming_ids_{scratch_};
    BoxArrays coming_boxes_{scratch_};  // if some edits bring no box
    AgentList coming_;
    // Of the rows before: the agents that are or come there, and the bytes that they need at most.
    Buffer<std::uint32_t> before_{scratch_};
    Buffer<std::size_t> offsets_{scratch_};
    // Of any row: the bytes for merging it, and the agents; and how many rows have any.
    std::size_t most_bytes_ = 0, most_agents_ = 0, used_rows_ = 0;
};

}  // namespace throng::detail
