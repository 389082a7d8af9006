// Pairs of two frames.

#include <atomic>
#include <utility>

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
    bool run(std::size_t block, PairSpace&, simd::PairSink& sink) const noexcept {
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

bool nothing_to_find(const FrameState* one, const FrameState* other) noexcept {
    return one == nullptr || other == nullptr || one->agents == 0 || other->agents == 0;
}
// Two frames can be searched unless one belongs to an unusable engine, or to another world.
Status check_both(const Frame& one, const Frame& other, bool are_alike, const PairQuery& wanted) noexcept {
    if (const Status bad = check(wanted); !bad.ok()) return bad;
    if (!one.status().ok() || !other.status().ok()) return one.status().ok() ? other.status() : one.status();
    return {are_alike ? Code::ok : Code::bad_config, Argument::period};
}

// Calls use(work) with the work that finds these pairs.
template <class Use>
auto with_work(const FrameState* one, const FrameState* other, const PairQuery& wanted,
               const Executor& executor, const Use& use) noexcept
    -> decltype(use(std::declval<const CrossWork&>())) {
    if (nothing_to_find(one, other)) return {};
    const bool by_height = one->has_heights() && other->has_heights();
    const auto search = [&](const simd::View* owned) {
        if (wanted == PairQuery{} && !by_height) return use(CrossWork(*one, *other, owned, executor));
        return use(PairsWithin(*one, *other, owned, executor, wanted));
    };
    if (SmallerSearches::first_searches(*one, *other) || !are_ghosts_piled(*one, wanted.within))
        return search(nullptr);
    GrownFrame owned(*one, GrownFrame::Ghosts::are_left_out, GrownFrame::NamedBy::id);
    if (const Status bad = owned.make(0, one->extras, executor); !bad.ok()) return {bad};
    return search(owned.searched().view);
}

}  // namespace

Status Frame::pairs_with(const Frame& other, PairList& list, const PairQuery& wanted) const noexcept {
    list.clear();
    list.id_bound_ = id_bound();
    list.of_one_frame_ = false;
    if (const Status bad = check_both(*this, other, wraps_like(other), wanted); !bad.ok()) return bad;
    Status status = with_work(state_, other.state_, wanted, executor_, [&](const auto& work) {
        return detail::list_pairs(*state_->store, executor_, work, list.pairs_);
    });
    if (status.ok()) status = add_pairs_around(&other, list.pairs_, wanted);
    if (!status.ok()) list.clear();
    return status;
}

Filled Frame::pairs_with(const Frame& other, std::span<Pair> out, const PairQuery& wanted) const noexcept {
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view, Argument::output}};
    if (const Status bad = check_both(*this, other, wraps_like(other), wanted); !bad.ok())
        return {.status = bad};
    const Filled filled = with_work(state_, other.state_, wanted, executor_, [&](const auto& work) {
        return detail::fill_pairs(*state_->store, executor_, work, out);
    });
    return fill_pairs_around(&other, out, wanted, filled);
}

Count Frame::count_pairs_with(const Frame& other, const PairQuery& wanted) const noexcept {
    if (const Status bad = check_both(*this, other, wraps_like(other), wanted); !bad.ok())
        return {.status = bad};
    const Count count = with_work(state_, other.state_, wanted, executor_, [&](const auto& work) {
        return detail::count_pairs(*state_->store, executor_, work);
    });
    const Filled all = fill_pairs_around(&other, {}, wanted, {.status = count.status, .total = count.total});
    return {.status = all.status, .total = all.total};
}

Status FrameCalls::visit_pairs_with(const Frame& other, const PairQuery& wanted,
                                    PairVisitor visitor) const noexcept {
    if (const Status bad = check_both(frame(), other, wraps_like(other), wanted); !bad.ok()) return bad;
    std::atomic<bool> stop{false};
    const Status status = with_work(state_, other.state_, wanted, executor_, [&](const auto& work) {
        return detail::visit_pairs(*state_->store, executor_, work, visitor, stop);
    });
    if (!status.ok() || stop.load(std::memory_order_relaxed)) return status;
    return visit_pairs_around(&other, wanted, visitor);
}

}  // namespace throng
