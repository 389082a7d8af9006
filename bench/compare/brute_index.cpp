// Brute force: the tests' oracle, for checksums that need no trust. It answers on one thread.
#include "bench/compare/frame_index.hpp"
#include "oracle/brute_force.hpp"

namespace throng::bench {

namespace {

class BruteIndex final : public FrameIndex<oracle::BruteForce, oracle::PairLists, oracle::HitLists> {
public:
    using FrameIndex::FrameIndex;

    bool can(Ability ability) const override {
        return ability == Ability::edits || ability == Ability::labels || ability == Ability::casts ||
               ability == Ability::single_casts;
    }
    // The agents' boxes and ids in its frame.
    std::size_t bytes() const override { return frame_.size() * (sizeof(Box) + sizeof(AgentId)); }
};

}  // namespace

std::unique_ptr<Index> make_brute_index(const Setup& setup) { return std::make_unique<BruteIndex>(setup); }

}  // namespace throng::bench
