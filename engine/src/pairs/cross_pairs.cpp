// Pairs of two frames.

#include "engine/src/pairs/owned_pairs.hpp"
#include "engine/src/pairs/pair_output.hpp"
#include "engine/src/pairs/pairs_within.hpp"
#include "engine/src/pairs/piled_ghosts.hpp"
#include "engine/src/pairs/smaller_searches.hpp"
#include "simd/pair_kernels.hpp"

namespace throng {

using namespace detail;

namespace {

class CrossWork : public SmallerSearches {
public:
    // `a` is of one frame, `b` of the other.
    CrossWork(const FrameState& one, const FrameState& other, const simd::View* owned,
              const Executor& executor) noexcept
        : SmallerSearches(one, other, owned, executor), kernels_(*one.kernels) {}
    bool run(std::size_t block, PairSpace&, simd::PairSink& sink) const noexcept override {
        without_ghosts(ghosts_, true, sink, [&](simd::PairSink& all) {
            each_piece(block, [&](const simd::Row& row, std::uint32_t begin, std::uint32_t end) {
                if (!all.stopped) kernels_.pairs->cross_pairs(view_, row, begin, end, one_searches_, all);
            });
        });
        return true;
    }

private:
    const simd::Kernels& kernels_;
};

}  // namespace

Status detail::find_cross_pairs(const FrameState& one, const FrameState& other, const PairQuery& wanted,
                                const Executor& executor, PairOutput& output) noexcept {
    if (one.agents == 0 || other.agents == 0) return {};
    const bool by_height = one.has_heights() && other.has_heights();
    const auto search = [&](const simd::View* owned) {
        if (wanted == PairQuery{.with = wanted.with} && !by_height)
            return output.take(*one.store, executor, CrossWork(one, other, owned, executor));
        return output.take(*one.store, executor, PairsWithin(one, other, owned, executor, wanted));
    };
    if (SmallerSearches::first_searches(one, other) || !are_ghosts_piled(one, wanted.within))
        return search(nullptr);
    GrownFrame owned(one, GrownFrame::Ghosts::are_left_out, GrownFrame::NamedBy::id);
    if (const Status bad = owned.make(0, one.extras, executor); !bad.ok()) return bad;
    return search(owned.searched().view);
}

}  // namespace throng
