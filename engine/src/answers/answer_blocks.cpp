// The answers of a batch in blocks of a bounded size. Each block is a batch of its own, into memory of a fixed size. That
// tells how many answers there are even if not all of them fit: then those that do are passed on, and the next block
// begins behind them.

#include <algorithm>

#include "engine/src/answers/block_sizes.hpp"
#include "engine/src/memory/scratch.hpp"
#include "engine/src/query/batch_hits.hpp"
#include "engine/src/query/batch_order.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/shape_reader.hpp"
#include "engine/src/store/store.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

// Finds the answers of some queries, and keeps those of as many of them as fit, but of one at least.
Status Frame::find_block(const BoxesOrShapes& some, const FilterBatch& filters, Hits& block, std::size_t room,
                         std::uint64_t& found) const noexcept {
    if (!block.offsets_.resize(some.size() + 1) || !block.answers_.resize_exactly(room))
        return {Code::out_of_memory};
    HitResult result{block.offsets_.data(), nullptr, {block.answers_.data(), room}};
    const Status status = HitBatch(*state_, executor_, filters, result).run(some);
    if (!status.ok()) return status;
    found = result.found;
    const auto* const end = std::upper_bound(block.offsets_.begin() + 1, block.offsets_.end(), room);
    const auto fitting = static_cast<std::size_t>(end - block.offsets_.begin()) - 1;
    if (fitting == 0) {
        block.answers_.clear();
        HitResult alone{block.offsets_.data(), &block.answers_, {}};
        const Status one = HitBatch(*state_, executor_, filters, alone).run(some.part(0, 1));
        if (!one.ok()) return one;
    }
    const bool kept =
        block.offsets_.resize(std::max<std::size_t>(fitting, 1) + 1) &&
        block.answers_.resize(static_cast<std::size_t>(block.offsets_[block.offsets_.size() - 1]));
    return kept ? Status{} : Status{Code::out_of_memory};
}

Status Frame::visit_answers(const BoxesOrShapes& queries, Hits& block, const AnswerLimit& limit,
                            const Filters& filters, BlockVisitor visitor) const {
    block.clear();
    if (const Code bad = queries.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (const Status bad = check_filters(filters, queries.size()); !bad.ok()) return bad;
    if (!status().ok()) return status();
    if (const Status bad = detail::check(queries); !bad.ok()) return bad;
    const BlockSizes sizes(limit);
    const Frame none;
    std::size_t count = sizes.first();
    for (std::size_t first = 0; first < queries.size(); first += block.size()) {
        count = std::min(count, queries.size() - first);
        std::uint64_t found = 0;
        const BoxesOrShapes some = queries.part(first, count);
        const Status status =
            state_ == nullptr
                ? none.overlaps(some, block)
                : find_block(some, FilterBatch(*state_, filters).batch_from(first), block, sizes.ids, found);
        if (!status.ok()) {
            block.clear();
            return status;
        }
        if (!visitor(first, block)) return {};
        count = sizes.next(count, found);
    }
    return {};
}

}  // namespace throng
