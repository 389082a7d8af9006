// The agents of the smaller of two frames are queries to the larger one, some hundred of them in a block, or
// fewer oversized ones: shared by the works for pairs of two frames (pair_output.hpp). Ghosts of the first
// frame are in no pair. They look for none; and if the other frame looks, they are left out of its answers,
// or it looks in a copy without them.
#pragma once

#include <cstddef>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/neighbours/sites.hpp"
#include "engine/src/pairs/pair_output.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

class SmallerSearches : public PairSearch {
public:
    // `owned` is such a copy, or null.
    SmallerSearches(const FrameState& one, const FrameState& other, const simd::View* owned,
                    const Executor& executor) noexcept
        : one_searches_(first_searches(one, other)),
          searching_(one_searches_ ? one : other),
          searched_(one_searches_ ? other : one),
          view_(owned == nullptr ? searched_.view : *owned),
          ghosts_(one_searches_ || owned != nullptr ? simd::GhostIds{} : one.ghosts),
          store_(*one.store),
          sites_(searching_, one_searches_),
          stop_(executor),
          oversized_(searching_.view.oversized.count),
          row_blocks_(parallel::blocks_for(executor, searching_.agents, 512)),
          oversized_blocks_(oversized_ == 0 ? 0 : parallel::blocks_for(executor, oversized_, 64)) {}

    static bool first_searches(const FrameState& one, const FrameState& other) noexcept {
        return one.agents - one.ghost_count <= other.agents;
    }

    std::size_t blocks() const noexcept override { return row_blocks_ + oversized_blocks_; }
    const parallel::Stop& stop() const noexcept override { return stop_; }
    std::size_t agents_in_block() const noexcept override { return sites_.size() / row_blocks_ + 1; }
    bool prepare(const Executor& executor) const noexcept override {
        return store_.spaces.pairs.prepare(parallel::at_once(executor, blocks()),
                                           [](PairSpace&) { return true; });
    }

protected:
    // Calls use(row, begin, end) for the agents of a block, piece by piece.
    template <class Use>
    void each_piece(std::size_t block, const Use& to_use) const noexcept {
        const auto use = [&](const simd::Row& row, std::uint32_t begin, std::uint32_t end) {
            if (!stop_.is_wanted()) to_use(row, begin, end);
        };
        const std::size_t common = sites_.size() - oversized_;
        if (block < row_blocks_)
            return sites_.each_piece(parallel::range_of(common, row_blocks_, block), use);
        const parallel::Range part = parallel::range_of(oversized_, oversized_blocks_, block - row_blocks_);
        sites_.each_piece({common + part.begin, common + part.end}, use);
    }

    const bool one_searches_;  // so an agent that searches is `a` of its pairs
    const FrameState &searching_, &searched_;
    const simd::View& view_;       // of what is searched
    const simd::GhostIds ghosts_;  // which are `a` of no pair, but may be found

private:
    Store& store_;
    const AgentSites sites_;
    const parallel::Stop stop_;
    const std::size_t oversized_, row_blocks_, oversized_blocks_;
};

}  // namespace throng::detail
