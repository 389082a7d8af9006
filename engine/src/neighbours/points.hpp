// Neighbours of any points.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/blocks.hpp"
#include "engine/src/ask/scope.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/list_batch.hpp"
#include "engine/src/query/packets.hpp"
#include "engine/src/query/query_batch.hpp"
#include "engine/src/store/spaces.hpp"
#include "engine/src/torus/image_places.hpp"
#include "throng/boxes.hpp"
#include "throng/labels.hpp"
#include "throng/queries/neighbours.hpp"

namespace throng::detail {

// The checks of every call, in one order. Checks of each point and radius come last, maybe later.
Status check_call(const Points& points, const Status& output, const Neighbourhood& wanted,
                  const Filters& filters, const Status& failure) noexcept;
Status check_sites(const Points& points, const Neighbourhood& wanted) noexcept;

// What is wanted around some of the sites.
inline Neighbourhood wanted_around(const Neighbourhood& wanted, std::size_t first,
                                   std::size_t count) noexcept {
    Neighbourhood part = wanted;
    if (!part.radii.empty()) part.radii = std::span<const float>(part.radii).subspan(first, count);
    return part;
}

// Lists around legal places in a frame as it lies. They are empty so far.
Status find_around(const FrameState& frame, const Executor& executor, const QueryBatch& places,
                   BatchSpace& space, const Neighbourhood& wanted, const Filters& filters,
                   ListResult& result) noexcept;

// Searches around points, in the caller's order. As with boxes, points that are not neighbours in the batch
// are sorted into packets first.
class PointSearch {
public:
    PointSearch(const FrameState& frame, const Executor& executor, const Neighbourhood& wanted,
                const FilterBatch& filters) noexcept
        : frame_(frame),
          executor_(executor),
          stop_(executor),
          query_(kernel_query(wanted)),
          filters_(filters) {}

    Status lists(const QueryBatch& points, BatchSpace& space, ListResult& result) noexcept {
        ListBatch lists(frame_, executor_, space, result);
        return each_part(points, [&](bool in_order, std::size_t first, std::size_t count) {
            return in_order ? lists_in_order(first, count, lists)
                            : lists_by_packets(batch_.data() + first, first, count, lists);
        });
    }
    // The lists of the agents with the ids [first, first + count) in a table; unused ids and ghosts have
    // empty ones. Agents with neighbouring ids may be anywhere, so they are searched like points, numbered
    // from 0, at their own heights. So each is in its own list, and `half` cannot be asked for.
    Status lists_by_id(const AgentTable& agents, const simd::GhostIds& ghosts, std::size_t first,
                       std::size_t count, ListResult& result) noexcept {
        const Lease<BatchSpace> space(frame_.store->spaces.batches);
        const bool by_height = frame_.has_heights() && agents.traits.size() != 0;
        if (!space || !resize_amply(space->queries, count) ||
            !resize_amply(space->heights, by_height ? count : 0))
            return {Code::out_of_memory};
        ListBatch lists(frame_, executor_, *space, result);
        Band* const heights = space->heights.data();
        heights_ = by_height ? heights : nullptr;
        simd::Query* const centres = space->queries.data();
        const parallel::Ran ran = parallel::for_ranges(executor_, count, 4096, [&](parallel::Range part) {
            for (std::size_t i = part.begin; i < part.end; ++i) {
                const auto id = static_cast<AgentId>(first + i);
                const Box& box = agents.box(id);
                if (by_height) heights[i] = agents.traits_of(id).height;
                const float x = box.min_x / 2 + box.max_x / 2, y = box.min_y / 2 + box.max_y / 2;
                centres[i] = box == no_box || ghosts.has(id) ? no_point : simd::Query{x, y, x, y};
            }
        });
        return ran ? outcome(stop_, lists_by_packets(centres, 0, count, lists)) : outcome(ran);
    }
    Status count(const QueryBatch& points, BatchSpace& space, std::uint32_t* counts) noexcept {
        return each_part(points, [&](bool in_order, std::size_t first, std::size_t count) {
            return in_order ? count_in_order(first, count, counts)
                            : count_by_packets(first, count, space, counts);
        });
    }

private:
    static constexpr std::size_t min_in_a_block = 1024, max_sorted = 1 << 20;

    // Calls search(in order, first, count) for as many points as are sorted at once.
    template <class Search>
    Status each_part(const QueryBatch& points, const Search& search) noexcept {
        batch_ = points;
        const bool in_order = batch_.is_coherent(frame_);
        Status status;
        for (std::size_t first = 0; first < batch_.size() && status.ok(); first += max_sorted)
            status = search(in_order, first, std::min(max_sorted, batch_.size() - first));
        return outcome(stop_, status);
    }
    // The options of the points from `first` on.
    simd::NeighbourQuery query_from(std::size_t first) const noexcept {
        simd::NeighbourQuery query = query_;
        if (query.radii != nullptr) query.radii += first;
        return query;
    }
    void around(const simd::LabelFilters& filters, const simd::Queriers& queriers,
                const simd::NeighbourQuery& query, simd::NeighbourOutput& output) const noexcept {
        if (stop_.is_wanted()) {
            if (output.sinks != nullptr) output.sinks->stopped = true;
            return;
        }
        search_sites(frame_, filters, queriers, query, output);
    }

    // The points of a range, which are numbered from `first` on.
    void search_in_order(std::size_t first, const parallel::Range& range,
                         simd::NeighbourOutput& output) const noexcept {
        const simd::LabelFilters filters = filters_.from(first);
        const simd::NeighbourQuery query = query_from(first);
        std::uint64_t* ends = output.ends;
        each_point(
            range.size(),
            [&](std::size_t i) -> const simd::Query& { return batch_.data()[first + range.begin + i]; },
            [&](std::size_t i) { return static_cast<std::uint32_t>(range.begin + i); }, nullptr,
            [&](const simd::Queriers& queriers) {
                by_region(queriers, [&](const simd::Queriers& some) {
                    output.ends = ends;
                    if (ends != nullptr) ends += some.count;
                    around(filters, some, query, output);
                    if (frame_.view.islands != nullptr) output.guess = 0;
                });
            });
    }
    // Calls use(some) with points that follow each other on one island or in the open. Elsewhere it may be
    // many times as dense, and a circle that was right before would be of no use.
    template <class Use>
    void by_region(const simd::Queriers& all, const Use& use) const noexcept {
        if (query_.max_count == 0 || frame_.view.islands == nullptr) return use(all);
        const auto region = [&](std::uint32_t i) { return frame_.map.region_at(all.x[i], all.y[i]); };
        for (std::uint32_t first = 0, end = 0; first < all.count; first = end) {
            const std::uint32_t here = region(first);
            for (end = first + 1; end < all.count && region(end) == here;) ++end;
            use({all.x + first, all.y + first, all.number + first, nullptr, end - first});
        }
    }
    // The records have their numbers from `first` on.
    void search_packet(std::size_t first, const simd::Record* records, std::size_t count,
                       simd::NeighbourOutput& output) const noexcept {
        const simd::LabelFilters filters = filters_.from(first);
        const simd::NeighbourQuery query = query_from(first);
        each_point(
            count, [&](std::size_t i) -> const simd::Record& { return records[i]; },
            [&](std::size_t i) { return records[i].id; }, heights_,
            [&](const simd::Queriers& queriers) { around(filters, queriers, query, output); });
    }

    Status lists_in_order(std::size_t first, std::size_t count, ListBatch& lists) noexcept {
        const std::size_t blocks = parallel::blocks_for(executor_, count, min_in_a_block);
        const auto share = [=](std::size_t b) { return parallel::range_of(count, blocks, b); };
        return lists.lists_in_turn(
            first, blocks, [&](std::size_t b) { return b == blocks ? count : share(b).begin; },
            [&](std::size_t b, simd::NeighbourOutput& output) { search_in_order(first, share(b), output); });
    }
    Status lists_by_packets(const simd::Query* points, std::size_t first, std::size_t count,
                            ListBatch& lists) noexcept {
        Packets packets(frame_, executor_, lists.space());
        if (const Status bad = packets.sort(points, count, filters_.from(first)); !bad.ok()) return bad;
        return lists.lists_by_number(first, count, packets.blocks(),
                                     [&](std::size_t b, AnswerSpace& space, simd::NeighbourOutput& output) {
                                         return packets.for_each_row(
                                             b, space, [&](const simd::Record* records, std::size_t number) {
                                                 search_packet(first, records, number, output);
                                             });
                                     });
    }
    Status count_in_order(std::size_t first, std::size_t count, std::uint32_t* counts) noexcept {
        const parallel::Ran ran =
            parallel::for_ranges(executor_, count, min_in_a_block, [&](parallel::Range part) {
                simd::NeighbourOutput output{};
                output.counts = counts + first;
                search_in_order(first, part, output);
            });
        return outcome(ran);
    }
    Status count_by_packets(std::size_t first, std::size_t count, BatchSpace& space,
                            std::uint32_t* counts) noexcept {
        Packets packets(frame_, executor_, space);
        if (const Status bad = packets.sort(batch_.data() + first, count, filters_.from(first)); !bad.ok())
            return bad;
        const auto count_block = [&](std::size_t b, AnswerSpace& answers) {
            simd::NeighbourOutput output{};
            output.counts = counts + first;
            return packets.for_each_row(b, answers, [&](const simd::Record* records, std::size_t number) {
                search_packet(first, records, number, output);
            });
        };
        return with_spaces(frame_.store->spaces.answers, executor_, packets.blocks(), count_block);
    }

    const FrameState& frame_;
    const Executor& executor_;
    const parallel::Stop stop_;
    const simd::NeighbourQuery query_;
    const FilterBatch filters_;
    const Band* heights_ = nullptr;  // by number, if agents look at their own heights
    QueryBatch batch_;
};

// The points of a call, or of a block of one, opened once for all parts: as the kernels read them. In a world
// that wraps around they are folded. Points whose circles reach over a seam have images; for the nearest,
// that is the circle of the answers so far.
class OpenedPoints {
public:
    // The scope has parts. It must live as long as this, and so must the options.
    OpenedPoints(const Scope& scope, const Neighbourhood& wanted, const Filters& filters) noexcept
        : scope_(scope),
          torus_(scope.torus()),
          wanted_(wanted),
          filters_(filters),
          space_(scope.agents().store->spaces.batches),
          around_(scope.agents().store->spaces.torus) {}

    // The caller checks whether they are legal.
    Status open(const Points& points, std::size_t first, std::size_t count) noexcept;
    // Lists of a part, around the first points that were opened: as it lies, then additions of images.
    Status find(const Part& part, std::size_t count, ListResult& result) noexcept;
    Status add_images(const Part& part, ListResult& result) noexcept;
    // The counts of the agents, to which those of the layer are added.
    Status count(const Part& part, std::uint32_t* counts) noexcept;

private:
    Filters filters_of(const Part& part) const noexcept {
        return part.is_layer ? Scope::of_elements(filters_here_) : filters_here_;
    }

    const Scope& scope_;
    const Torus torus_;
    const Neighbourhood& wanted_;
    const Filters& filters_;
    const Lease<BatchSpace> space_;
    LateLease<TorusSpace> around_;
    QueryBatch batch_;
    Neighbourhood here_{};
    Filters filters_here_;
    std::optional<ImagePlaces> images_;
    std::size_t imaged_ = 0;  // how many points the images are of
};

// Lists of all parts; `elements` is null in calls for agents alone.
Status find_in_parts(const Scope& scope, const Points& points, const Neighbourhood& wanted,
                     const Filters& filters, NeighbourLists& agents, NeighbourLists* elements) noexcept;
// The sums of all parts.
Status count_in_parts(const Scope& scope, const Points& points, const Neighbourhood& wanted,
                      std::span<std::uint32_t> counts, const Filters& filters) noexcept;

// Makes lists of agents and of elements around the same places fit each other. Keeps only as many as there
// are lists of elements and, for the nearest, in the two lists of a place only the nearest of both kinds.
void fit_both(ListResult& agents, ListResult& elements, const Neighbourhood& wanted) noexcept;

}  // namespace throng::detail
