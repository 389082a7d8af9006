// The answers of a batch in blocks of a bounded size. Each block is a batch of its own.

#include "engine/src/answers/blocks_that_fit.hpp"
#include "engine/src/ask/scope.hpp"
#include "engine/src/casts/cast_check.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

Status Frame::visit_answers(const BoxesOrShapes& queries, OverlapLists& block, const AnswerLimit& limit,
                            const Filters& filters, AnyBlockVisitor<OverlapLists> visitor,
                            const OtherHalf<OverlapLists>& elements) const {
    if (const Status bad = clear_both(block, elements.block); !bad.ok()) return bad;
    if (const Status bad = check_call(queries, {}, filters, failure_); !bad.ok()) return bad;
    const bool checks_blocks = goes_on(limit);
    if (const Status bad = checks_blocks ? Status{} : check(queries, torus()); !bad.ok()) return bad;
    const Filters of_elements = filters.of_elements();
    const auto make = [&](bool is_static, std::size_t first, std::size_t count, ListRoom& room) noexcept {
        const BoxesOrShapes part = queries.part(first, count);
        if (const Status bad = checks_blocks && !is_static ? check(part, torus()) : Status{}; !bad.ok())
            return in_all(bad, first);
        const Filters their_filters = (is_static ? of_elements : filters).part(first, count);
        return in_all(is_static
                          ? elements.frame->find_all(part, *elements.block, their_filters, nullptr, &room)
                          : find_all(part, block, their_filters, nullptr, &room),
                      first);
    };
    BlocksThatFit blocks(queries.size(), BlockSizes(bytes_of_half(limit, elements)), simd::stream_header,
                         limit.place, block, elements);
    return blocks.visit(visitor, make, [] {});
}

Status Frame::visit_answers(const Casts& casts, CastHits& block, const AnswerLimit& limit,
                            const Filters& filters, AnyBlockVisitor<CastHits> visitor) const {
    block.clear();
    const Scope scope(*this);
    const bool checks_blocks = goes_on(limit);
    if (const Status bad = check_call(casts, {}, filters, scope.status()); !bad.ok()) return bad;
    if (const Status bad = checks_blocks ? Status{} : check_all(scope, casts); !bad.ok()) return bad;
    const auto make = [&](bool, std::size_t first, std::size_t count, ListRoom& room) noexcept {
        const Casts part = casts.part(first, count);
        const Status bad = checks_blocks ? check_all(scope, part) : Status{};
        return bad.ok() ? find_some_hits(part, block, filters.part(first, count), &room) : in_all(bad, first);
    };
    BlocksThatFit blocks(casts.size(), BlockSizes(limit.max_bytes, sizeof(std::uint64_t), sizeof(CastHit)), 0,
                         limit.place, block, OtherHalf<CastHits>{});
    return blocks.visit(visitor, make, [] {});
}

}  // namespace throng
