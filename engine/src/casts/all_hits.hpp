// All hits of casts, in order: those of a batch are found in the caller's order, block by block, and then joined.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/store/store.hpp"
#include "simd/types.hpp"
#include "throng/executor.hpp"
#include "throng/queries/cast_views.hpp"
#include "throng/queries/casts.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// What may be hit: the agents of a frame, and the elements of its static layer unless that is null. Each with the filters
// that the casts have there.
struct HitTargets {
    const FrameState& agents;
    simd::LabelFilters filters;
    const FrameState* elements = nullptr;
    simd::LabelFilters element_filters = {};
};

// Appends all hits of a cast in their order. The filters are those of number `n`. Unless `boxes` is null, it gets the boxes in
// the order in which they are found, and `is_static` of each hit holds the number of its box above the lowest bit. Returns false
// if there is no memory.
bool append_hits(const HitTargets& targets, const Cast& cast, std::size_t n, Buffer<CastHit>& hits,
                 Buffer<Box>* boxes = nullptr) noexcept;

class AllHits {
public:
    // The casts are legal. A room that is exceeded counts as a lack of memory.
    AllHits(const HitTargets& targets, const Executor& executor, const Casts& casts, ListRoom* room) noexcept
        : targets_(targets),
          executor_(executor),
          casts_(casts),
          room_(room),
          space_(targets.agents.store->cast_spaces) {}

    // Sets `ends`, one for each cast, to where its hits end among all.
    Status find(std::uint64_t* ends, Buffer<CastHit>& hits) noexcept;

private:
    bool take_blocks(std::size_t count) noexcept;
    void release_blocks() noexcept;
    void keep_blocks_ample() noexcept;
    bool find_block(std::size_t begin, std::size_t end, CastSpace& block, std::uint64_t* ends) const noexcept;
    Status find_blocks(std::uint64_t* ends) noexcept;
    Status join_blocks(std::uint64_t* ends, Buffer<CastHit>& hits) const noexcept;

    const HitTargets& targets_;
    const Executor& executor_;
    const Casts& casts_;
    ListRoom* const room_;  // null if there is no bound
    Lease<CastSpace> space_;
};

}  // namespace throng::detail
