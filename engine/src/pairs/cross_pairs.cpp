// Pairs of two frames: the agents of the smaller one, in groups of rows, are queries to the larger one.

#include <algorithm>
#include <utility>

#include "engine/src/frame/row_holes.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/pairs/pair_output.hpp"
#include "engine/src/pairs/pairs_within.hpp"

namespace throng {

using namespace detail;

namespace {

constexpr std::size_t queries_in_a_block = 512;

class CrossWork {
public:
    // `a` is of one frame, `b` of the other.
    CrossWork(const FrameState& one, const FrameState& other, const Executor& executor) noexcept
        : one_queries_(one.agents <= other.agents),
          querying_(one_queries_ ? one : other),
          searched_(one_queries_ ? other : one),
          kernels_(*one.kernels),
          store_(*one.store) {
        const std::size_t oversized = querying_.view.oversized.count;
        row_blocks_ = parallel::blocks_for(executor, querying_.agents, queries_in_a_block);
        oversized_blocks_ = oversized == 0 ? 0 : parallel::blocks_for(executor, oversized, 64);
    }
    std::size_t blocks() const noexcept { return row_blocks_ + oversized_blocks_; }
    std::size_t agents_in_block() const noexcept { return querying_.agents / row_blocks_ + 1; }
    bool prepare(const Executor& executor) const noexcept {
        return store_.pair_spaces.prepare(parallel::at_once(executor, blocks()),
                                          [](PairSpace&) { return true; });
    }
    bool run(std::size_t block, PairSpace&, simd::PairSink& sink) const noexcept {
        if (block >= row_blocks_) {
            pairs_of_oversized(
                parallel::range_of(querying_.view.oversized.count, oversized_blocks_, block - row_blocks_),
                sink);
            return true;
        }
        // A block's share of the common agents, which may begin and end in the middle of a row.
        const std::size_t common = querying_.agents - querying_.view.oversized.count;
        const parallel::Range share = parallel::range_of(common, row_blocks_, block);
        std::size_t before = 0;
        for (const simd::Row& row : querying_.rows) {
            const std::size_t agents = common_agents_in(row), from = std::max(share.begin, before),
                              to = std::min(share.end, before + agents);
            if (from < to && !sink.stopped)
                for_each_run(row, from - before, to - before, [&](std::uint32_t begin, std::uint32_t end) {
                    if (!sink.stopped) pairs_of(row, {begin, end}, sink);
                });
            before += agents;
        }
        return true;
    }

private:
    void pairs_of(const simd::Row& row, const parallel::Range& part, simd::PairSink& sink) const noexcept {
        kernels_.cross_pairs(searched_.view, row, static_cast<std::uint32_t>(part.begin),
                             static_cast<std::uint32_t>(part.end), one_queries_, sink);
    }

    // A part of the oversized agents, in the order of their groves.
    void pairs_of_oversized(const parallel::Range& part, simd::PairSink& sink) const noexcept {
        for (std::uint32_t g = 0; g < grove_count(querying_); ++g) {
            const simd::Grove grove = grove_at(querying_, g);
            const std::size_t end = std::size_t{grove.first} + grove.oversized.count,
                              from = std::max<std::size_t>(part.begin, grove.first),
                              to = std::min(part.end, end);
            if (from < to) pairs_of(grove.oversized, {from - grove.first, to - grove.first}, sink);
        }
    }

    bool one_queries_;
    const FrameState &querying_, &searched_;
    const simd::Kernels& kernels_;
    Store& store_;
    std::size_t row_blocks_, oversized_blocks_;
};

bool nothing_to_find(const FrameState* one, const FrameState* other) noexcept {
    return one == nullptr || other == nullptr || one->agents == 0 || other->agents == 0;
}
// Two frames can be searched unless one belongs to an unusable engine.
Status check_both(const Frame& one, const Frame& other, const PairFilter& filter) noexcept {
    if (const Status bad = check(filter); !bad.ok()) return bad;
    return one.status().ok() ? other.status() : one.status();
}

// Calls use(work) with the work that finds these pairs.
template <class Use>
auto with_work(const FrameState* one, const FrameState* other, const PairFilter& filter,
               const Executor& executor, const Use& use) noexcept
    -> decltype(use(std::declval<const CrossWork&>())) {
    if (nothing_to_find(one, other)) return {};
    if (filter == PairFilter{}) return use(CrossWork(*one, *other, executor));
    return use(PairsWithin(*one, *other, executor, filter));
}

}  // namespace

Status Frame::pairs_with(const Frame& other, PairList& list, const PairFilter& filter) const noexcept {
    list.clear();
    list.id_bound_ = id_bound();
    list.of_one_frame_ = false;
    if (const Status bad = check_both(*this, other, filter); !bad.ok()) return bad;
    const Status status = with_work(state_, other.state_, filter, executor_, [&](const auto& work) {
        return detail::list_pairs(*state_->store, executor_, work, list.pairs_);
    });
    if (!status.ok()) list.clear();
    return status;
}

Filled Frame::pairs_with(const Frame& other, std::span<Pair> out, const PairFilter& filter) const noexcept {
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view, Argument::output}};
    if (const Status bad = check_both(*this, other, filter); !bad.ok()) return {.status = bad};
    return with_work(state_, other.state_, filter, executor_, [&](const auto& work) {
        return detail::fill_pairs(*state_->store, executor_, work, out);
    });
}

Count Frame::count_pairs_with(const Frame& other, const PairFilter& filter) const noexcept {
    if (const Status bad = check_both(*this, other, filter); !bad.ok()) return {.status = bad};
    return with_work(state_, other.state_, filter, executor_,
                     [&](const auto& work) { return detail::count_pairs(*state_->store, executor_, work); });
}

Status Frame::visit_pairs_with(const Frame& other, const PairFilter& filter,
                               PairVisitor visitor) const noexcept {
    if (const Status bad = check_both(*this, other, filter); !bad.ok()) return bad;
    return with_work(state_, other.state_, filter, executor_, [&](const auto& work) {
        return detail::visit_pairs(*state_->store, executor_, work, visitor);
    });
}

}  // namespace throng
