// Builds a frame from scratch: all agents' boxes in, rows out. A parallel grid sort (as in Green 2008) by two
// counting sorts, in the steps that docs/design.md lists: two streaming passes over the boxes and one over
// the rows, without locks or atomics. Small frames on many workers take one step less: the two passes over a
// chunk are then one block.
//
// A row is the same for any number of chunks: by cell, and in a cell by id. Nothing is published before all
// is done, so an illegal box found on the way is simply refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/blocks.hpp"
#include "engine/src/build/agent_list.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "simd/kernels.hpp"
#include "simd/types.hpp"
#include "throng/executor.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// The rows in which an update found its agents: noted in its first step for the third one, and kept. Look
// there first for an agent of a later frame, though it may be elsewhere by then.
struct NotedRows {
    std::span<const std::uint16_t> bundle_of;  // by id
    std::span<const std::uint32_t> bundles;    // the first row of each, and then the number of rows

    // None for an id without a note.
    RowGroup of(AgentId id) const noexcept {
        if (id >= bundle_of.size()) return {0, 0};
        return {bundles[bundle_of[id]], bundles[bundle_of[id] + std::size_t{1}]};
    }
};

class FrameBuilder {
public:
    explicit FrameBuilder(ScratchList& scratch) noexcept : scratch_(scratch) {}

    struct Input : AgentList {
        WorldMap map;
        const simd::Kernels* kernels;
        Executor executor;
    };
    // On success `frame` is a state with one reference, complete except for its tuning, its number and its
    // view. Only the number of oversized agents is known of the view. So a frame that is replaced before it
    // is published costs no tree over its oversized agents.
    Status build(Store& store, const Input& input, FrameState*& frame) noexcept;
    // Only makes records of the agents: each row is a bundle, for the two calls below.
    Status collect(const Input& input) noexcept;
    // How many agents a bundle of rows has, and their records, from all chunks.
    std::uint32_t agents_of(std::size_t b) const noexcept { return starts_[b + 1] - starts_[b]; }
    void join(std::size_t b, simd::Record* to) const noexcept;
    // For the last agents that were counted, unless the host gave them ids.
    NotedRows noted_rows() const noexcept {
        return {{bundle_of_.data(), std::min(noted_, bundle_of_.size())}, {bundles_.data(), bundles_.size()}};
    }

private:
    // Agents of a small island go to a bundle of all its rows, and from there to their cells while they are
    // in a cache. With very many rows, each would wait for the memory of its next agent.
    bool bundle_rows(const WorldMap& map, bool joined) noexcept;
    bool prepare(const Input& input, bool collects) noexcept;
    bool read_structures(const Input& input) noexcept;
    void gather(const Boxes& from, const parallel::Range& part) noexcept;
    void count(const Input& input, std::size_t chunk, const parallel::Range& part) noexcept;
    void lead_agents(const Input& input, std::size_t first, std::size_t count,
                     std::uint32_t* histogram) noexcept;
    static bool read_heights(const Input& input, const parallel::Range& part, float* to) noexcept;
    std::size_t scatter(const Input& input, const FrameState* frame, const parallel::Range& part,
                        std::size_t chunk) noexcept;
    void begin_in_chunk(std::size_t chunk, std::size_t first_agent) noexcept;
    void begin_in_rows(std::size_t chunk) noexcept;
    // The status of the first illegal height, or else of the first illegal box from agent `bad` on.
    static Status fault_of(const Input& input, std::size_t bad) noexcept;
    // Calls step(chunk, range), which returns where the chunk is illegal, or no_bad_box.
    template <class Step>
    Status for_chunks(const Input& input, const Step& step) noexcept;
    Status count_chunks(const Input& input, const FrameState* frame) noexcept;
    Status scatter_chunks(const Input& input, const FrameState& frame) noexcept;
    void add_up() noexcept;
    Status make_room(Store& store, const Input& input, FrameState& frame) noexcept;
    std::uint32_t* counts_of(std::size_t chunk) noexcept { return counts_.data() + chunk * bundle_count_; }
    simd::Record** cursors_of(std::size_t chunk) noexcept {
        return cursors_.data() + chunk * (bundle_count_ + 1) + 1;
    }
    simd::Record* behind(simd::Record* first, std::size_t records) const noexcept {
        return reinterpret_cast<simd::Record*>(reinterpret_cast<std::byte*>(first) + records * record_size_);
    }
    std::uint32_t rows_of(std::size_t b) const noexcept { return bundles_[b + 1] - bundles_[b]; }
    std::size_t bytes_of(const WorldMap& map, simd::Extras extras, std::size_t b) const noexcept;
    bool lay_out(Store& store, const Input& input, FrameState& frame) noexcept;
    struct Sorted {
        std::uint64_t sharing = 0;  // how many pairs share a cell
        std::uint32_t oversized = 0;
    };
    bool sort_bundle(const Input& input, FrameState& frame, std::size_t b, std::byte* scratch,
                     Sorted& sorted) const noexcept;
    Sorted sort_bundles(const Input& input, FrameState& frame, const RowGroup& group,
                        std::byte* scratch) const noexcept;
    Status sort(Store& store, const Input& input, FrameState& frame) noexcept;
    // One chunk.
    Status scatter_and_sort(Store& store, const Input& input, FrameState& frame) noexcept;

    static constexpr std::size_t no_bad_box = std::numeric_limits<std::size_t>::max();

    ScratchList& scratch_;
    // Scratch while a frame is built.
    Boxes boxes_;                           // the host's, or gathered from them
    bool gathers_ = false;                  // whether they are members of structures: read once, into arrays
    Scratch<float> gathered_{scratch_, 4};  // one after the other
    bool in_place_ = false;  // no agent is common, so each goes straight to the arrays of its row
    std::size_t chunks_ = 0;
    std::size_t noted_ = 0;                          // for so many agents, bundles are noted by id
    Scratch<std::uint16_t> bundle_of_{scratch_};     // by agent
    Buffer<simd::RegionRows> regions_{scratch_};     // those of the map, with bundles instead of rows
    Buffer<std::uint32_t> bundles_{scratch_};        // the first row of each, and then the number of rows
    std::size_t bundle_count_ = 0, sort_bytes_ = 0;  // what sorting any of them needs
    // By chunk and bundle: how many agents, and then how many are in chunks before; and where the next record
    // goes, with one entry more before those of each chunk.
    Buffer<std::uint32_t> counts_{scratch_};
    Buffer<simd::Record*> cursors_{scratch_};
    bool in_chunks_ = false;  // chunks sort their records before it is known where bundles begin
    Scratch<std::byte> chunk_records_{scratch_};
    std::size_t record_size_ = sizeof(simd::Record);
    Buffer<std::uint32_t> starts_{scratch_};   // the number of agents in the bundles before
    Buffer<simd::Record*> records_{scratch_};  // by bundle: where its memory begins
};

// --- The view ---
//
// The part of a frame that queries read is its last step, after its rows: regions get their views, islands
// their bounds, and the oversized agents their tree.

// Returns false if there is no memory.
[[nodiscard]] bool finish_view(FrameState& frame) noexcept;
// How a frame differs from the one before.
struct Changes {
    std::span<const std::uint32_t> touched;  // rows, in ascending order
    bool up_to_date;                         // from Store::take_frame_after
    OversizedEdits oversized;
};
// The same for a frame on the same map as the one before.
[[nodiscard]] bool finish_view(FrameState& frame, const FrameState& before, const Changes& changes) noexcept;

}  // namespace throng::detail
