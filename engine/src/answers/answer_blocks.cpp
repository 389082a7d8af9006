// The answers of a batch in blocks of a bounded size. Each block is a batch of its own, into memory of a
// fixed size. That tells how many answers there are even if not all of them fit: then those that do are
// passed on, and the next block begins behind them.

#include <algorithm>

#include "engine/src/answers/blocks_that_fit.hpp"
#include "engine/src/ask/scope.hpp"
#include "engine/src/casts/cast_check.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/query/batch_hits.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/store/spaces.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

// Finds the answers of some queries, and keeps as many as fit. Where there are images they are counted first.
Status FrameCalls::find_block(const BoxesOrShapes& queries, const Filters& filters, OverlapLists& block,
                              std::size_t room, std::uint64_t& found) const noexcept {
    found = 0;
    if (state_ == nullptr) return frame().overlaps(queries, block);
    OpenedBatch opened(*state_, executor_);
    if (const Status bad = opened.open(queries, filters, torus()); !bad.ok()) return bad;
    const auto find = [&](std::size_t count) {
        return opened.find(opened.all().part(0, count), {block.offsets_, block.answers_});
    };
    std::size_t fitting = 0;
    if (opened.all().has_images()) {
        if (const Status bad = opened.count(queries); !bad.ok()) return bad;
        for (const std::uint32_t count : opened.space().answers) fitting += (found += count) <= room;
        return find(std::max<std::size_t>(fitting, 1));
    }
    // A bound far above what there is to find takes no memory of that size.
    constexpr std::size_t answers_at_first = 1 << 22;
    for (std::size_t now = std::max(block.answers_.capacity(), answers_at_first);; now = amply(found)) {
        now = std::min(now, room);
        if (!block.offsets_.resize(queries.size() + 1) || !block.answers_.resize_exactly(now))
            return {Code::out_of_memory};
        HitResult result{block.offsets_.data(), {nullptr, {block.answers_.data(), now}}};
        const Status status =
            HitBatch(*state_, executor_, opened.all().queries, opened.space(), {*state_, filters}, result)
                .run();
        if (!status.ok()) return status;
        found = result.ids.found;
        if (found <= now || now == room) break;
    }
    const auto* const end = std::upper_bound(block.offsets_.begin() + 1, block.offsets_.end(), room);
    fitting = static_cast<std::size_t>(end - block.offsets_.begin()) - 1;
    if (fitting != 0) {
        block.keep_first(fitting);
        return {};
    }
    block.answers_.clear();
    return find(1);
}

Status FrameCalls::visit_answers(const BoxesOrShapes& queries, OverlapLists& block, const AnswerLimit& limit,
                                 const Filters& filters, AnyBlockVisitor<OverlapLists> visitor,
                                 const OtherHalf<OverlapLists>& elements) const {
    if (const Status bad = clear_both(block, elements.block); !bad.ok()) return bad;
    if (const Status bad = check_call(queries, {}, filters, failure_); !bad.ok()) return bad;
    const bool checks_blocks = goes_on(limit);
    if (const Status bad = checks_blocks ? Status{} : check(queries, torus()); !bad.ok()) return bad;
    const Filters of_elements = filters.of_elements();
    const BlockSizes sizes(bytes_of_half(limit, elements));
    const auto make = [&](bool is_static, std::size_t first, std::size_t& count,
                          std::uint64_t& found) noexcept {
        const BoxesOrShapes part = queries.part(first, count);
        if (checks_blocks && !is_static)
            if (const Status bad = check(part, torus()); !bad.ok()) return in_all(bad, first);
        const Filters their_filters = (is_static ? of_elements : filters).part(first, count);
        return is_static ? elements.frame->find_block(part, their_filters, *elements.block, sizes.ids, found)
                         : find_block(part, their_filters, block, sizes.ids, found);
    };
    const auto join = [&]() noexcept { block.keep_first(elements.block->size()); };
    return visit_blocks(queries.size(), sizes, limit.place, block, elements, visitor, make, join);
}

// Hits of casts cannot be counted without room for them, so a block that gets too many is made again for
// fewer casts.
Status FrameCalls::visit_answers(const Casts& casts, CastHits& block, const AnswerLimit& limit,
                                 const Filters& filters, AnyBlockVisitor<CastHits> visitor) const {
    block.clear();
    const Scope scope(*this);
    const bool checks_blocks = goes_on(limit);
    if (const Status bad = check_call(casts, {}, filters, scope.status()); !bad.ok()) return bad;
    if (const Status bad = checks_blocks ? Status{} : check_all(scope, casts); !bad.ok()) return bad;
    const BlockSizes sizes(limit.max_bytes, sizeof(std::uint64_t), sizeof(CastHit));
    const auto make = [&](bool, std::size_t first, std::size_t& count, std::uint64_t& found) noexcept {
        if (checks_blocks)
            if (const Status bad = check_all(scope, casts.part(first, count)); !bad.ok())
                return in_all(bad, first);
        const auto search = [&](std::size_t number, ListRoom* room, std::uint64_t& hits) noexcept {
            const Status made =
                find_some_hits(casts.part(first, number), block, filters.part(first, number), room);
            hits = block.hits().size();
            return made;
        };
        return make_what_fits(sizes, 0, block, count, found, search);
    };
    return visit_blocks(casts.size(), sizes, limit.place, block, OtherHalf<CastHits>{}, visitor, make, [] {});
}

}  // namespace throng
