// Whether very many ghosts are at each other, for example if all agents before the gate of the next tile are
// ghosts. Pairs of two ghosts are not listed, but kernels for pairs find them, and a pile of n ghosts has n *
// n / 2. So if ghosts are piled, the search uses a copy of the frame without them (grown_frame.hpp), where
// they look for partners one by one. Otherwise leaving out such pairs is faster.
#pragma once

#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/pairs/grown_frame.hpp"
#include "parallel/blocks.hpp"
#include "simd/pair_kernels.hpp"

namespace throng::detail {

// For boxes that have grown by a distance. A sample of agents tells, evenly spread over the rows: a pile that
// costs more than all other agents has some of them.
bool are_ghosts_piled(const FrameState& frame, double distance) noexcept;

// Finds owned agents in a grown copy without ghosts for the ghosts in some of its slots, and passes pairs of
// slots on.
class PartnersOfGhosts : public HandOn<PartnersOfGhosts, simd::IdSink, 256> {
public:
    // For a frame whose labels or heights the copy has, there may be a filter; otherwise it is null.
    PartnersOfGhosts(const FrameState& frame, const GrownFrame& grown, double distance,
                     const simd::PairLabelFilter* filter, simd::PairSink& pairs) noexcept
        : HandOn(pairs.stopped),
          frame_(frame),
          grown_(grown),
          growth_(distance),
          filter_(filter),
          pairs_(pairs) {}

    void find(const parallel::Range& slots, const parallel::Stop& stop) noexcept;
    bool take(const AgentId* ids, const Box* boxes, std::size_t count) noexcept;

private:
    static constexpr std::size_t ghosts_at_once = 32;

    void find_for_some(std::size_t count, const Box& around) noexcept;
    Filter filter_for(const Traits& traits) const noexcept;

    const FrameState& frame_;
    const GrownFrame& grown_;
    const Growth growth_;
    const simd::PairLabelFilter* const filter_;
    simd::PairSink& pairs_;
    std::uint32_t slots_[ghosts_at_once];
    std::uint32_t slot_ = 0;  // of the ghost that looks
};

}  // namespace throng::detail
