// Lists of neighbours in blocks of a bounded size. Each block is a batch of its own. A search that finds more than fits
// stops, and is made again for fewer lists: whether it does depends on how much there is to find, never on who finds it.

#include <algorithm>

#include "engine/src/answers/block_sizes.hpp"
#include "engine/src/answers/boxes_by_id.hpp"
#include "engine/src/answers/lists_by_id.hpp"
#include "engine/src/neighbours/agent_search.hpp"
#include "engine/src/neighbours/point_search.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

using ListVisitor = AnyBlockVisitor<Neighbours>;

BlockSizes sizes_for(const Neighbourhood& wanted, const AnswerLimit& limit) noexcept {
    return BlockSizes(limit, sizeof(std::uint64_t) + (wanted.in_row_order ? sizeof(AgentId) : 0),
                      sizeof(AgentId) + (wanted.distances ? sizeof(float) : 0));
}

// Calls attempt(first, count, room, found) for block after block, and passes each on. It makes the lists
// [first, first + count), and says how much the search found.
template <class Attempt>
Status visit_lists(std::size_t lists, const BlockSizes& sizes, Neighbours& block, const ListVisitor& visitor,
                   const Attempt& attempt) {
    std::size_t count = sizes.first();
    for (std::size_t first = 0; first < lists; first += block.size()) {
        count = std::min(count, lists - first);
        std::uint64_t found = 0;
        for (;; count = std::max<std::size_t>(count / 4, 1)) {
            // A list has a header of two while it is searched for. One list alone may have any size.
            ListRoom room;
            room.most = sizes.ids + simd::stream_header * count;
            const Status status = attempt(first, count, count == 1 ? nullptr : &room, found);
            if (status.ok() && (count == 1 || found <= sizes.ids)) break;
            block.clear();
            if (!status.ok() && !room.exceeded()) return status;
        }
        if (!visitor(first, block)) return {};
        count = sizes.next(count, found);
    }
    return {};
}

}  // namespace

Status Frame::visit_answers(const Points& points, const Neighbourhood& wanted, Neighbours& block,
                            const AnswerLimit& limit, const Filters& filters, ListVisitor visitor) const {
    block.clear();
    if (const Status bad = check_call(*this, points, wanted, filters); !bad.ok()) return bad;
    const FilterBatch all = state_ == nullptr ? FilterBatch() : FilterBatch(*state_, filters);
    const auto attempt = [&](std::size_t first, std::size_t count, ListRoom* room,
                             std::uint64_t& found) noexcept {
        if (!resize_amply(block.offsets_, count + 1)) return Status{Code::out_of_memory};
        std::fill(block.offsets_.begin(), block.offsets_.end(), 0u);
        if (state_ == nullptr) return Status{};
        Neighbourhood some = wanted;
        if (!wanted.radii.empty()) some.radii = wanted.radii.subspan(first, count);
        ListResult result{block.offsets_, block.ids_, wanted.distances ? &block.distances_ : nullptr, 0,
                          room};
        PointSearch search(*state_, executor_, some, all.batch_from(first));
        const Status status = search.lists(points.part(first, count), result);
        found = result.found;
        return status.ok() && !result.finish() ? Status{Code::out_of_memory} : status;
    };
    return visit_lists(points.size(), sizes_for(wanted, limit), block, visitor, attempt);
}

Status Frame::visit_answers(const Neighbourhood& wanted, Neighbours& block, const AnswerLimit& limit,
                            const Filters& filters, ListVisitor visitor) const {
    block.clear();
    if (const Status bad = check(wanted, From::agents, id_bound()); !bad.ok()) return bad;
    if (!wanted.radii.empty() && (wanted.half || wanted.either)) return {Code::bad_config};
    if (const Status bad = check(filters, From::agents, id_bound()); !bad.ok()) return bad;
    if (state_ == nullptr) return status();
    const FrameState& frame = *state_;
    if (const Status bad = AgentSearch(frame, frame, executor_, wanted, filters).check_radii(wanted);
        !bad.ok())
        return bad;
    const AgentTable* const table = wanted.in_row_order ? nullptr : agent_table(frame);
    if (table == nullptr && !wanted.in_row_order) return {Code::out_of_memory};
    const auto attempt = [&](std::size_t first, std::size_t count, ListRoom* room,
                             std::uint64_t& found) noexcept {
        if (!resize_amply(block.offsets_, count + 1)) return Status{Code::out_of_memory};
        block.offsets_[0] = 0;
        ListResult result{block.offsets_, block.ids_, wanted.distances ? &block.distances_ : nullptr, 0,
                          room};
        Status status;
        if (wanted.in_row_order) {
            const AgentSearch search(frame, frame, executor_, wanted, filters, {first, first + count});
            status = search.lists_by_row(result, block.agents_);
            found = result.found;
        } else {
            const ListsById lists(frame, *table, executor_, wanted, {frame, filters}, first, count);
            status = lists.make(result);
            found = result.found;
            if (status.ok()) lists.trim(result);
        }
        return status.ok() && !result.finish() ? Status{Code::out_of_memory} : status;
    };
    return visit_lists(wanted.in_row_order ? frame.agents : frame.id_bound, sizes_for(wanted, limit), block,
                       visitor, attempt);
}

}  // namespace throng
