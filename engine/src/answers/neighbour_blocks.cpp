// Lists of neighbours in blocks of a bounded size. Each block is a batch of its own.

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

BlockSizes sizes_for(const Neighbourhood& wanted, std::size_t max_bytes) noexcept {
    return BlockSizes(max_bytes, sizeof(std::uint64_t) + (wanted.in_row_order ? sizeof(AgentId) : 0),
                      sizeof(AgentId) + (wanted.distances ? sizeof(float) : 0));
}

// The same with distances, where these tell which of both kinds are the nearest.
Neighbourhood asked(const Neighbourhood& wanted, const OtherHalf<Neighbours>& elements) noexcept {
    Neighbourhood asked = wanted;
    asked.distances |= elements.frame != nullptr && wanted.max_count != 0;
    return asked;
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
                            const AnswerLimit& limit, const Filters& filters, ListVisitor visitor,
                            const OtherHalf<Neighbours>& elements) const {
    block.clear();
    if (elements.block != nullptr) elements.block->clear();
    if (const Status bad = check_call(*this, points, wanted, filters); !bad.ok()) return bad;
    const Neighbourhood all = asked(wanted, elements);
    const Filters of_elements = filters.of_elements();
    const BlockSizes sizes = sizes_for(all, bytes_of_half(limit, elements));
    const auto make = [&](bool is_static, std::size_t first, std::size_t& count,
                          std::uint64_t& found) noexcept {
        Neighbours& lists = is_static ? *elements.block : block;
        const FrameState* const searched = is_static ? elements.frame->state_ : state_;
        const auto search = [&](std::size_t number, ListRoom* room, std::uint64_t& kept) noexcept {
            kept = 0;
            if (!resize_amply(lists.offsets_, number + 1)) return Status{Code::out_of_memory};
            std::fill(lists.offsets_.begin(), lists.offsets_.end(), 0u);
            if (searched == nullptr) return Status{};
            Neighbourhood some = all;
            if (!all.radii.empty()) some.radii = std::span<const float>(all.radii).subspan(first, number);
            ListResult result{lists.offsets_,
                              lists.answers_,
                              all.distances ? &lists.distances_ : nullptr,
                              all.max_count,
                              0,
                              room};
            const FilterBatch their_filters(*searched, is_static ? of_elements : filters);
            PointSearch around(*searched, executor_, some, their_filters.batch_from(first));
            const Status status = around.lists(points.part(first, number), result);
            kept = result.found;
            return status.ok() && !result.finish() ? Status{Code::out_of_memory} : status;
        };
        return make_what_fits(sizes, simd::stream_header, lists, count, found, search);
    };
    return visit_blocks(points.size(), sizes, block, elements, visitor, make,
                        [&]() noexcept { block.fit_to(*elements.block, wanted); });
}

Status Frame::visit_answers(const Frame& others, const Neighbourhood& wanted, Neighbours& block,
                            const AnswerLimit& limit, const Filters& filters, ListVisitor visitor,
                            const OtherHalf<Neighbours>& elements) const {
    block.clear();
    if (elements.block != nullptr) elements.block->clear();
    const bool is_alone = others.state_ == state_ && elements.frame == nullptr;
    const From from = is_alone ? From::agents : From::other_agents;
    if (const Status bad = check(wanted, from, id_bound()); !bad.ok()) return bad;
    if (!wanted.radii.empty() && (wanted.half || wanted.either))
        return {Code::bad_config, symmetric_option(wanted)};
    if (const Status bad = check(filters, from, id_bound()); !bad.ok()) return bad;
    if (!status().ok() || !others.status().ok()) return status().ok() ? others.status() : status();
    if (state_ == nullptr) return {};
    const Neighbourhood all = asked(wanted, elements);
    const Filters of_elements = filters.of_elements();
    const FrameState* const layer = elements.frame == nullptr ? nullptr : elements.frame->state_;
    AgentBlocks blocks(*state_, others.state_, executor_, all, filters),
        element_blocks(*state_, layer, executor_, all, of_elements);
    Status ready = blocks.prepare();
    if (ready.ok() && layer != nullptr) ready = element_blocks.prepare();
    if (!ready.ok()) return ready;
    const BlockSizes sizes = sizes_for(all, bytes_of_half(limit, elements));
    const auto make = [&](bool is_static, std::size_t first, std::size_t& count,
                          std::uint64_t& found) noexcept {
        Neighbours& lists = is_static ? *elements.block : block;
        const auto search = [&](std::size_t number, ListRoom* room, std::uint64_t& kept) noexcept {
            kept = 0;
            ListResult result{lists.offsets_,
                              lists.answers_,
                              all.distances ? &lists.distances_ : nullptr,
                              all.max_count,
                              0,
                              room};
            return (is_static ? element_blocks : blocks)
                .make({first, first + number}, result, lists.agents_, kept);
        };
        return make_what_fits(sizes, simd::stream_header, lists, count, found, search);
    };
    return visit_blocks(blocks.lists(), sizes, block, elements, visitor, make,
                        [&]() noexcept { block.fit_to(*elements.block, wanted); });
}

}  // namespace throng
