#include "engine/src/neighbours/points.hpp"

#include <algorithm>

#include "base/blocks.hpp"
#include "base/fold.hpp"
#include "base/legal.hpp"
#include "engine/src/neighbours/centre_frames.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/query/packets.hpp"
#include "throng/frame.hpp"
#include "throng/static_layer.hpp"

namespace throng::detail {

namespace {

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
        query_.far_enough = result.far_enough;
        return each_part(points, [&](bool in_order, std::size_t first, std::size_t count) {
            return in_order ? lists_in_order(first, count, lists)
                            : lists_by_packets(batch_.data() + first, first, count, lists);
        });
    }
    // See find_by_id.
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
        if (query.far_enough != nullptr) query.far_enough += first;
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
                                         return packets.for_each_row(b, space, [&](const Packet& packet) {
                                             search_packet(first, packet.records, packet.count, output);
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
            return packets.for_each_row(b, answers, [&](const Packet& packet) {
                search_packet(first, packet.records, packet.count, output);
            });
        };
        return with_spaces(frame_.store->spaces.answers, executor_, packets.blocks(), count_block);
    }

    const FrameState& frame_;
    const Executor& executor_;
    const parallel::Stop stop_;
    simd::NeighbourQuery query_;
    const FilterBatch filters_;
    const Band* heights_ = nullptr;  // by number, if agents look at their own heights
    QueryBatch batch_;
};

WhereToLook where_to_look(const QueryBatch& points, const FrameState& asked,
                          const Neighbourhood& wanted) noexcept {
    return {asked, wanted, points.size(), [&](std::size_t i, const auto& add) {
                add(Point{points.data()[i].min_x, points.data()[i].min_y}, i);
            }};
}

}  // namespace

// Points are boxes that are legal if they are finite.
Status check_sites(const Points& points, const Neighbourhood& wanted) noexcept {
    if (const Status bad = check(points.boxes()); !bad.ok())
        return {Code::not_finite, bad.index, Argument::boxes};
    for (std::size_t i = 0; i < wanted.radii.size(); ++i)
        if (const Code bad = check_radius(wanted.radii[i], wanted.is_nearest); bad != Code::ok)
            return {bad, i, Argument::radii};
    return {};
}

Status check_call(const Points& points, const Status& output, const Neighbourhood& wanted,
                  const Filters& filters, const Status& failure) noexcept {
    const Status options = output.ok() ? check(wanted, From::points, points.size()) : output;
    return check_call(points.boxes(), options, filters, failure);
}

Status find_around(const FrameState& frame, const Executor& executor, const QueryBatch& places,
                   BatchSpace& space, const Neighbourhood& wanted, const Filters& filters,
                   ListResult& result) noexcept {
    const WhereToLook where = where_to_look(places, frame, wanted);
    PointSearch search(where.frame(), executor, wanted, {where.frame(), filters});
    return result.finish(where.in_order(search.lists(places, space, result), executor, result));
}

Status find_by_id(const FrameState& frame, const Executor& executor, const AgentTable& agents,
                  const simd::GhostIds& ghosts, std::size_t first, std::size_t count,
                  const Neighbourhood& wanted, const Filters& filters, ListResult& result) noexcept {
    return PointSearch(frame, executor, wanted, {frame, filters})
        .lists_by_id(agents, ghosts, first, count, result);
}

Status OpenedPoints::open(const Points& points, std::size_t first, std::size_t count) noexcept {
    here_ = wanted_around(wanted_, first, count);
    filters_here_ = filters_.part(first, count);
    images_.reset();
    const Boxes some = points.part(first, count).boxes();
    if (!space_ || !batch_.open(some, *space_).ok()) return {Code::out_of_memory};
    for (std::size_t i = 0; torus_.wraps() && i < count; ++i) {
        simd::Query& there = space_->queries[i];
        there = query_of(folded(some, i, box_of(there), torus_.period));
    }
    return {};
}

Status OpenedPoints::find(const Part& part, std::size_t count, ListResult& result) noexcept {
    return find_around(*part.frame, scope_.executor(), batch_.part(0, count), *space_,
                       wanted_around(here_, 0, count), filters_of(part), result);
}

Status OpenedPoints::add_images(const Part& part, ListResult& result) noexcept {
    if (!torus_.wraps()) return {};
    TorusSpace* const around = around_.get();
    if (around == nullptr) return {Code::out_of_memory};
    if (!images_ || imaged_ != result.size() || here_.is_nearest) {
        if (!moves_) {
            // To look at all agents takes about as long as the images of one point for so many of them.
            constexpr std::size_t agents_a_point = 256;
            moves_.emplace(torus_, wanted_);
            if (batch_.size() >= scope_.agents().agents / agents_a_point)
                moves_->set_apart({&scope_.agents(), scope_.layer()});
        }
        images_.emplace(*moves_, here_, *around);
        imaged_ = result.size();
        for (std::size_t i = 0; i < imaged_; ++i) {
            const simd::Query& at = batch_.data()[i];
            if (!images_->add(static_cast<std::uint32_t>(i), {at.min_x, at.min_y},
                              radius_left(result, i, i, here_)))
                return {Code::out_of_memory};
        }
        if (!images_->make(imaged_)) return {Code::out_of_memory};
    }
    if (images_->owners().empty()) return {};
    const Neighbourhood wanted = images_->wanted_around();
    ListResult found(around->lists, wanted);
    found.far_enough = images_->far_enough();
    Filters filters;
    if (!filters_for(filters_of(part), images_->owners(), around->filters, filters) ||
        !found.make_empty(images_->owners().size()))
        return {Code::out_of_memory};
    const Status bad =
        find_around(*part.frame, scope_.executor(), images_->places(), *space_, wanted, filters, found);
    if (!bad.ok() || images_->put(result)) return bad;
    return {Code::out_of_memory};
}

Status OpenedPoints::count(const Part& part, std::uint32_t* counts) noexcept {
    const std::size_t points = batch_.size();
    if (!resize_amply(space_->answers, part.is_layer ? points : 0)) return {Code::out_of_memory};
    std::uint32_t* const to = part.is_layer ? space_->answers.data() : counts;
    Status status;
    if (torus_.wraps()) {
        TorusSpace* const around = around_.get();
        if (around == nullptr) return {Code::out_of_memory};
        ListResult lists(around->made, here_);
        if (!lists.make_empty(points)) return {Code::out_of_memory};
        status = find(part, points, lists);
        if (status.ok()) status = add_images(part, lists);
        for (std::size_t i = 0; i < points && status.ok(); ++i)
            to[i] = static_cast<std::uint32_t>(lists.length_of(i));
    } else {
        const FrameState& searched = where_to_look(batch_, *part.frame, here_).frame();
        const Filters filters = filters_of(part);
        status =
            PointSearch(searched, scope_.executor(), here_, {searched, filters}).count(batch_, *space_, to);
    }
    for (std::size_t i = 0; i < points && part.is_layer && status.ok(); ++i) counts[i] += to[i];
    return status;
}

Status find_in_parts(const Scope& scope, const Points& points, const Neighbourhood& wanted,
                     const Filters& filters, NeighbourLists& agents, NeighbourLists* elements) noexcept {
    const bool has_both = elements != nullptr, fits = scope.wraps() || has_both;
    const Neighbourhood asked = fits ? with_distances(wanted) : wanted;
    NeighbourLists& others = has_both ? *elements : agents;
    agents.clear();
    others.clear();
    if (const Status bad = check_call(points, {}, wanted, filters, scope.status()); !bad.ok()) return bad;
    ListResult of_agents(agents, asked), of_elements(others, asked);
    const bool enough =
        of_agents.make_empty(points.size()) && (!has_both || of_elements.make_empty(points.size()));
    Status status{enough ? Code::ok : Code::out_of_memory};
    std::optional<OpenedPoints> opened;
    if (status.ok() && !scope.is_empty())
        status = opened.emplace(scope, asked, filters).open(points, 0, points.size());
    if (status.ok()) status = check_sites(points, wanted);
    scope.each([&](const Part& part) {
        ListResult& lists = part.is_layer ? of_elements : of_agents;
        if (status.ok() && part.is_layer) lists.far_enough = opened->far_enough(of_agents);
        if (status.ok()) status = opened->find(part, points.size(), lists);
        if (status.ok()) status = opened->add_images(part, lists);
        return status.ok();
    });
    if (!status.ok()) {
        agents.clear();
        others.clear();
    } else if (has_both) {
        fit_both(of_agents, of_elements, wanted);
    } else if (fits) {
        of_agents.keep_first(points.size(), wanted.distances);
    }
    return status;
}

Status count_in_parts(const Scope& scope, const Points& points, const Neighbourhood& wanted,
                      std::span<std::uint32_t> counts, const Filters& filters) noexcept {
    const Status output = check_output(counts, points.size());
    if (const Status bad = check_call(points, output, wanted, filters, scope.status()); !bad.ok()) return bad;
    if (scope.is_empty()) {
        const Status legal = check_sites(points, wanted);
        if (legal.ok()) std::fill_n(counts.begin(), points.size(), 0u);
        return legal;
    }
    OpenedPoints opened(scope, wanted, filters);
    Status status = opened.open(points, 0, points.size());
    if (status.ok()) status = check_sites(points, wanted);
    scope.each([&](const Part& part) {
        if (status.ok()) status = opened.count(part, counts.data());
        return status.ok();
    });
    return status;
}

const float* far_enough(const ListResult& found, const Neighbourhood& wanted, std::size_t numbers,
                        Buffer<float>& room) noexcept {
    if (!wanted.is_nearest || !wanted.radii.empty() || !resize_amply(room, numbers)) return nullptr;
    for (std::size_t i = 0; i < found.size(); ++i)
        room[wanted.in_row_order ? found.agents[i] : i] = radius_left(found, i, 0, wanted);
    return room.data();
}

namespace {

// How many elements are among the nearest of both kinds. If two are equally far away, the agent comes first,
// as among the hits of a cast.
std::size_t nearest_elements(std::span<const float> agents, std::span<const float> elements,
                             std::size_t max_count) noexcept {
    std::size_t some = 0;
    for (; some < elements.size(); ++some) {
        std::size_t before = agents.size();
        while (before != 0 && agents[before - 1] > elements[some]) --before;
        if (before + some >= max_count) break;
    }
    return some;
}

}  // namespace

void fit_both(ListResult& agents, ListResult& elements, const Neighbourhood& wanted) noexcept {
    const std::size_t lists = elements.size(), most = wanted.max_count;
    std::size_t begin[2] = {}, kept[2] = {}, moved = 0;  // agents that were moved, or are no more
    const auto move_agents = [&](std::size_t end, std::size_t next) {
        agents.move(moved, end - moved, kept[0]);
        kept[0] += end - moved;
        moved = next;
    };
    for (std::size_t i = 0; most != 0 && i < lists; ++i) {
        const std::size_t end[2] = {static_cast<std::size_t>(agents.offsets[i + 1]),
                                    static_cast<std::size_t>(elements.offsets[i + 1])};
        if (begin[1] != end[1]) {
            const std::size_t count = end[0] - begin[0],
                              some = nearest_elements(
                                  {agents.distances->data() + begin[0], count},
                                  {elements.distances->data() + begin[1], end[1] - begin[1]}, most);
            elements.move(begin[1], some, kept[1]);
            kept[1] += some;
            if (count + some > most) move_agents(begin[0] + most - some, end[0]);
        }
        agents.offsets[i + 1] = kept[0] + (end[0] - moved);
        elements.offsets[i + 1] = kept[1];
        std::copy_n(end, 2, begin);
    }
    if (most != 0 && lists != 0) move_agents(begin[0], begin[0]);
    for (ListResult* const result : {&agents, &elements})
        if (result->size() != 0) result->keep_first(lists, wanted.distances);
}

}  // namespace throng::detail

namespace throng {

using namespace detail;

Status Frame::find_lists(const Points& points, const Neighbourhood& wanted, NeighbourLists& lists,
                         const Filters& filters) const noexcept {
    return find_in_parts(Scope::of_agents(*this), points, wanted, filters, lists, nullptr);
}
Status WithStatic::find_lists(const Points& points, const Neighbourhood& wanted, NeighbourLists& agents,
                              NeighbourLists& elements, const Filters& filters) const noexcept {
    agents.clear();
    if (&agents == &elements) return {Code::bad_config, Argument::output};
    return find_in_parts(Scope(*this), points, wanted, filters, agents, &elements);
}

Status Frame::count_neighbours(const Points& points, const Within& wanted, std::span<std::uint32_t> counts,
                               const Filters& filters) const noexcept {
    return count_in_parts(Scope::of_agents(*this), points, wanted, counts, filters);
}
Status WithStatic::count_neighbours(const Points& points, const Within& wanted,
                                    std::span<std::uint32_t> counts, const Filters& filters) const noexcept {
    return count_in_parts(Scope(*this), points, wanted, counts, filters);
}

}  // namespace throng
