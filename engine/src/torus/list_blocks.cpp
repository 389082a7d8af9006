// Lists of neighbours in blocks, in a world that wraps around.

#include <algorithm>
#include <cstdint>
#include <span>

#include "engine/src/answers/blocks_that_fit.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/torus/image_batch.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

// Some of the lists, as lists of their own.
Status FrameCalls::copy_lists(const NeighbourLists& from, std::size_t first, std::size_t count,
                              NeighbourLists& to) noexcept {
    const std::uint64_t* const offsets = from.offsets_.data() + first;
    const auto begin = static_cast<std::size_t>(offsets[0]),
               answers = static_cast<std::size_t>(offsets[count] - offsets[0]),
               distances = from.distances_.size() == 0 ? 0 : answers,
               agents = from.agents_.size() == 0 ? 0 : count;
    if (!resize_amply(to.offsets_, count + 1) || !resize_amply(to.answers_, answers) ||
        !resize_amply(to.distances_, distances) || !resize_amply(to.agents_, agents))
        return {Code::out_of_memory};
    for (std::size_t i = 0; i <= count; ++i) to.offsets_[i] = offsets[i] - offsets[0];
    std::copy_n(from.answers_.data() + begin, answers, to.answers_.data());
    if (distances != 0) std::copy_n(from.distances_.data() + begin, distances, to.distances_.data());
    if (agents != 0) std::copy_n(from.agents_.data() + first, agents, to.agents_.data());
    return {};
}

// Lists of points are made block by block; those of agents all at first.
Status FrameCalls::visit_lists_around(const Points* points, const Neighbourhood& wanted,
                                      NeighbourLists& block, const AnswerLimit& limit, const Filters& filters,
                                      AnyBlockVisitor<NeighbourLists> visitor) const {
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    NeighbourLists& all = space->made;
    if (points == nullptr)
        if (const Status bad = lists_around(wanted, all, filters); !bad.ok()) return bad;
    const BlockSizes sizes(limit.max_bytes,
                           sizeof(std::uint64_t) + (wanted.in_row_order ? sizeof(AgentId) : 0),
                           sizeof(AgentId) + (wanted.distances ? sizeof(float) : 0));
    const auto some_of_all = [&](std::size_t first, std::size_t& count, std::uint64_t& found) noexcept {
        const std::uint64_t* const from = all.offsets_.data() + first;
        found = from[count] - from[0];
        while (count > 1 && from[count] - from[0] > sizes.ids) --count;
        return copy_lists(all, first, count, block);
    };
    const auto some_points = [&](std::size_t first, std::size_t& count, std::uint64_t& found) noexcept {
        for (;; count = std::max<std::size_t>(count / 4, 1)) {
            if (!resize_amply(space->owners, count)) return Status{Code::out_of_memory};
            for (std::size_t i = 0; i < count; ++i) space->owners[i] = static_cast<std::uint32_t>(first + i);
            Filters some;
            if (!filters_for(filters, {space->owners.data(), count}, space->filters, some))
                return Status{Code::out_of_memory};
            Neighbourhood around = wanted;
            if (!around.radii.empty())
                around.radii = std::span<const float>(around.radii).subspan(first, count);
            const Status bad = lists_around(points->part(first, count), around, block, some);
            if (!bad.ok()) return in_all(bad, first);
            found = block.ids().size();
            if (count == 1 || found <= sizes.ids) return Status{};
        }
    };
    const auto make = [&](bool, std::size_t first, std::size_t& count, std::uint64_t& found) noexcept {
        return points == nullptr ? some_of_all(first, count, found) : some_points(first, count, found);
    };
    const std::size_t lists = points == nullptr ? all.size() : points->size();
    return visit_blocks(lists, sizes, limit.place, block, OtherHalf<NeighbourLists>{}, visitor, make, [] {});
}

}  // namespace throng
