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
            // A list has a header of a word while it is searched for, or two if it is long. One list alone may have any size.
            ListRoom room;
            room.max_count = sizes.ids + simd::stream_header * count;
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

// The lists of the agents of one frame among those of another, or the same.
class AgentBlocks {
public:
    AgentBlocks(const FrameState& places, const FrameState* searched, const Executor& executor,
                const Neighbourhood& wanted, const Filters& filters) noexcept
        : places_(places), searched_(searched), executor_(executor), wanted_(wanted), filters_(filters) {}

    // What can be wrong with the radii, or with the memory for a table of the agents by id.
    Status prepare() noexcept {
        const FrameState& searched = searched_ == nullptr ? places_ : *searched_;
        const AgentSearch all(places_, searched, executor_, wanted_, filters_);
        if (const Status bad = all.check_radii(wanted_); !bad.ok()) return bad;
        if (wanted_.in_row_order || searched_ == nullptr) return {};
        table_ = agent_table(places_);
        return {table_ == nullptr ? Code::out_of_memory : Code::ok};
    }
    std::size_t lists() const noexcept { return wanted_.in_row_order ? places_.agents : places_.id_bound; }
    // Makes some of the lists, and says how much the search found.
    Status make(const parallel::Range& some, ListResult& result, Buffer<AgentId>& agents,
                std::uint64_t& found) const noexcept {
        const Status status = search(some, result, agents, found);
        return status.ok() && !result.finish() ? Status{Code::out_of_memory} : status;
    }

private:
    Status search(const parallel::Range& some, ListResult& result, Buffer<AgentId>& agents,
                  std::uint64_t& found) const noexcept {
        if (searched_ == nullptr)
            return {empty_lists(places_, wanted_, some, result.offsets, agents) ? Code::ok
                                                                                : Code::out_of_memory};
        if (!resize_amply(result.offsets, some.size() + 1)) return {Code::out_of_memory};
        result.offsets[0] = 0;
        if (wanted_.in_row_order) {
            const AgentSearch rows(places_, *searched_, executor_, wanted_, filters_, some);
            const Status status = rows.lists_by_row(result, agents);
            found = result.found;
            return status;
        }
        const ListsById lists(*searched_, *table_, &places_ == searched_, executor_, wanted_,
                              {*searched_, filters_}, some.begin, some.size());
        const Status status = lists.make(result);
        found = result.found;
        if (status.ok()) lists.trim(result);
        return status;
    }

    const FrameState& places_;
    const FrameState* const searched_;  // null: an empty frame
    const Executor& executor_;
    const Neighbourhood& wanted_;
    const Filters& filters_;
    const AgentTable* table_ = nullptr;
};

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
        if (!wanted.radii.empty()) some.radii = std::span<const float>(wanted.radii).subspan(first, count);
        ListResult result{block.offsets_,
                          block.answers_,
                          wanted.distances ? &block.distances_ : nullptr,
                          wanted.max_count,
                          0,
                          room};
        PointSearch search(*state_, executor_, some, all.batch_from(first));
        const Status status = search.lists(points.part(first, count), result);
        found = result.found;
        return status.ok() && !result.finish() ? Status{Code::out_of_memory} : status;
    };
    return visit_lists(points.size(), sizes_for(wanted, limit), block, visitor, attempt);
}

Status Frame::visit_answers(const Frame& others, const Neighbourhood& wanted, Neighbours& block,
                            const AnswerLimit& limit, const Filters& filters, ListVisitor visitor) const {
    block.clear();
    const From from = others.state_ == state_ ? From::agents : From::other_agents;
    if (const Status bad = check(wanted, from, id_bound()); !bad.ok()) return bad;
    if (!wanted.radii.empty() && (wanted.half || wanted.either))
        return {Code::bad_config, symmetric_option(wanted)};
    if (const Status bad = check(filters, from, id_bound()); !bad.ok()) return bad;
    if (!status().ok() || !others.status().ok()) return status().ok() ? others.status() : status();
    if (state_ == nullptr) return {};
    AgentBlocks blocks(*state_, others.state_, executor_, wanted, filters);
    if (const Status bad = blocks.prepare(); !bad.ok()) return bad;
    const auto attempt = [&](std::size_t first, std::size_t count, ListRoom* room,
                             std::uint64_t& found) noexcept {
        ListResult result{block.offsets_,
                          block.answers_,
                          wanted.distances ? &block.distances_ : nullptr,
                          wanted.max_count,
                          0,
                          room};
        return blocks.make({first, first + count}, result, block.agents_, found);
    };
    return visit_lists(blocks.lists(), sizes_for(wanted, limit), block, visitor, attempt);
}

}  // namespace throng
