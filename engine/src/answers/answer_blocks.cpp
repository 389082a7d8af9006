// Answers in blocks of a bounded size: how many queries have answers that fit into a number of bytes, and the
// loop over blocks. Each block is a batch of its own. And queries over a frame together with its static
// layer: each half by the same call.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/ask/scope.hpp"
#include "engine/src/casts/casts.hpp"
#include "engine/src/frame/lookup/lookup.hpp"
#include "engine/src/neighbours/agent_search.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/centre_frames.hpp"
#include "engine/src/neighbours/points.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/torus/agent_images.hpp"
#include "throng/frame.hpp"
#include "throng/geometry.hpp"
#include "throng/static_layer.hpp"
#include "throng/status.hpp"
#include "throng/views/visitors.hpp"

namespace throng::detail {

// How a block's bytes are divided. A quarter is for what each query takes, such as its offset.
struct BlockSizes {
    // How many queries to begin with, with answers of any size, and how many are sorted together at most.
    static constexpr std::size_t first_queries = 256, most_queries = 1 << 20,
                                 most_ids = static_cast<std::size_t>(std::uint64_t{1}
                                                                     << (sizeof(std::size_t) == 8 ? 40 : 30));

    std::size_t queries, ids;

    explicit BlockSizes(std::size_t max_bytes, std::size_t bytes_of_query = sizeof(std::uint64_t),
                        std::size_t bytes_of_id = sizeof(AgentId)) noexcept
        : queries(std::clamp<std::size_t>(max_bytes / 4 / bytes_of_query, 2, most_queries + 1) - 1),
          ids(std::min((max_bytes - std::min(max_bytes, (queries + 1) * bytes_of_query)) / bytes_of_id,
                       most_ids)) {}

    std::size_t first() const noexcept { return std::min(first_queries, queries); }
    // How many queries follow a block of `count` queries with `found` answers. Nothing is known of them, but
    // they should fill most of the block.
    std::size_t next(std::size_t count, std::uint64_t found) const noexcept {
        const std::uint64_t fitting =
            found == 0 ? queries : ids * std::uint64_t{count} / (found + found / 8 + 1);
        const std::size_t most = std::min(4 * count, queries);
        return static_cast<std::size_t>(std::clamp<std::uint64_t>(fitting, 1, most));
    }
};

// How many bytes each half of a block may have; without another half, all of them.
template <class Answers>
std::size_t bytes_of_half(const AnswerLimit& limit, const OtherHalf<Answers>& other) noexcept {
    return other.frame == nullptr ? limit.max_bytes : limit.max_bytes / 2;
}

// Whether a call goes on where another stopped. Then it checks only the queries of each block.
inline bool goes_on(const AnswerLimit& limit) noexcept {
    return limit.place != nullptr && limit.place->first != 0;
}
// A fault of a part of the queries, as a fault of all.
inline Status in_all(Status status, std::size_t first) noexcept {
    if (status.index != Status::no_index) status.index += first;
    return status;
}

// Clears the answers and, if there is one, their other half, which must be an object of its own.
template <class Answers>
Status clear_both(Answers& answers, Answers* other) noexcept {
    answers.clear();
    if (other != nullptr) other->clear();
    return {other == &answers ? Code::bad_config : Code::ok, Argument::output};
}

// Passes on block after block. A block that finds far more than fits stops, and is made again for fewer
// queries. If it is a little more, the answers to the first queries are kept. One answer may have any size.
template <class Answers>
class BlocksThatFit {
public:
    // For so many queries. Each takes `words` more during its search.
    BlocksThatFit(std::size_t queries, const BlockSizes& sizes, std::size_t words, AnswerPlace* place,
                  Answers& block, const OtherHalf<Answers>& other) noexcept
        : queries_(queries), sizes_(sizes), words_(words), place_(place), block_(block), other_(other) {}

    // make(of_elements, first, count, room) makes the answers to the queries [first, first + count), into
    // `block` or into that of the elements, and tells the room how many it found. join() makes the halves of
    // a block, which are of the same queries, fit each other.
    template <class Make, class Join>
    Status visit(const AnyBlockVisitor<Answers>& visitor, const Make& make, const Join& join) {
        const AnswerPlace from = place_ == nullptr ? AnswerPlace{} : *place_;
        next_ = from.queries == 0 ? sizes_.first() : std::min(from.queries, sizes_.queries);
        for (std::size_t first = from.first; first < queries_; first += block_.size()) {
            const std::size_t count = std::min(next_, queries_ - first);
            next_ = sizes_.queries;
            Status status = make_what_fits(block_, false, first, count, make);
            if (status.ok() && other_.frame != nullptr) {
                status = make_what_fits(*other_.block, true, first, block_.size(), make);
                if (status.ok()) {
                    block_.keep_first(other_.block->size());
                    join();
                }
            }
            if (!status.ok()) {
                (void)clear_both(block_, other_.block);
                return status;
            }
            if (place_ != nullptr) *place_ = {first + block_.size(), next_};
            if (!visitor(first, block_)) return {};
        }
        return {};
    }

private:
    template <class Make>
    Status make_what_fits(Answers& to, bool of_elements, std::size_t first, std::size_t count,
                          const Make& make) noexcept {
        for (;; count = std::max<std::size_t>(count / 4, 1)) {
            constexpr std::uint64_t no_bound = std::uint64_t{1} << 62;
            ListRoom room(count == 1 ? no_bound : sizes_.ids + std::uint64_t{sizes_.ids} / 4, words_ * count);
            const Status status = make(of_elements, first, count, room);
            if (status.ok()) {
                next_ = std::min(next_, sizes_.next(count, room.found()));
                std::uint64_t* const ends = to.offsets_.begin() + 1;
                const auto fitting = std::upper_bound(ends, to.offsets_.end(), sizes_.ids) - ends;
                to.keep_first(std::max(static_cast<std::size_t>(fitting), std::size_t{1}));
                return status;
            }
            to.clear();
            if (status.code != Code::out_of_memory || !room.exceeded()) return status;
        }
    }

    const std::size_t queries_;
    const BlockSizes sizes_;
    const std::size_t words_;
    AnswerPlace* const place_;
    Answers& block_;
    const OtherHalf<Answers> other_;
    std::size_t next_ = 0;  // how many queries the next block has
};

}  // namespace throng::detail

namespace throng {

using namespace detail;

// --- Queries and casts -------------------------------------------------------------------------------------

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

// --- Neighbours --------------------------------------------------------------------------------------------

namespace {

using ListVisitor = AnyBlockVisitor<NeighbourLists>;

// The lists of the agents of one frame among the agents of another, or the same.
struct AgentBlocks {
    const FrameState& frame;
    const FrameState* searched;  // null: an empty frame
    const Executor& executor;
    const Neighbourhood& wanted;
    const Filters& filters;
    bool checks_blocks;  // instead of all radii before the first one
    const AgentTable* table = nullptr;
    std::optional<AgentsToLook> look = {};

    // Faults of the radii, or lack of memory for a table of the agents by id.
    Status prepare() noexcept {
        const FrameState& there = searched == nullptr ? frame : *searched;
        if (!checks_blocks)
            if (const Status bad = check_radii_of_agents(frame, there, executor, wanted, filters); !bad.ok())
                return bad;
        if (searched == nullptr) return {};
        look.emplace(frame, *searched, wanted, filters);
        if (wanted.in_row_order) return {};
        table = agent_table(frame);
        return {table == nullptr ? Code::out_of_memory : Code::ok};
    }
    std::size_t lists() const noexcept {
        return wanted.in_row_order ? lists_in_row_order(frame) : frame.id_bound;
    }
    // Makes some of the lists, and says how much the search found.
    Status search(const parallel::Range& sites, ListResult& result, std::uint64_t& found) const noexcept {
        if (searched == nullptr) return empty_lists(frame, wanted, sites, result);
        if (wanted.in_row_order) {
            const parallel::Range range = AgentSites(look->sites(), true).range_of_wanted(sites);
            if (checks_blocks)
                if (const Status bad = check_radii_of_agents(look->sites(), look->where().frame(), executor,
                                                             wanted, look->filters(), &range);
                    !bad.ok())
                    return bad;
            const Status status = lists_of_agents(*look, executor, wanted, result, AtHeights::own, &range);
            found = result.found;
            return status;
        }
        if (checks_blocks)
            if (const Status bad = check_radii_by_id(sites); !bad.ok()) return bad;
        if (!result.start(sites.size())) return {Code::out_of_memory};
        // Searches leave out an agent by its slot in a row, which is not known here. So one more of the
        // nearest is looked for, and then the agent is left out.
        const bool leaves_out = &frame == searched && !wanted.with_self;
        Neighbourhood around = wanted_around(wanted, sites.begin, sites.size());
        around.half = false;
        if (around.max_count != 0 && leaves_out) ++around.max_count;
        const FrameState& there = look->where().frame();
        const Filters their_filters = filters.part(sites.begin, sites.size());
        const Status made = find_by_id(there, executor, *table, frame.ghosts, sites.begin, sites.size(),
                                       around, their_filters, result);
        found = result.found;
        const Status status = look->where().in_order(made, executor, result);
        if (status.ok() && (leaves_out || wanted.half))
            keep_of_lists(result, wanted.max_count == 0 ? result.found : wanted.max_count,
                          [&](std::size_t i, AgentId id, float) {
                              const auto own = static_cast<AgentId>(sites.begin + i);
                              return wanted.half ? is_in_half(own, id, frame.ghosts) : id != own;
                          });
        return status;
    }

    Status check_radii_by_id(const parallel::Range& sites) const noexcept {
        for (std::size_t i = sites.begin; i < sites.end && !wanted.radii.empty(); ++i)
            if (const auto id = static_cast<AgentId>(i); table->box(id) != no_box && !frame.ghosts.has(id))
                if (const Code bad = check_radius(wanted.radii[i], wanted.is_nearest); bad != Code::ok)
                    return {bad, i, Argument::radii};
        return {};
    }
};

// Passes on `count` lists of each kind. search(of_elements, sites, result, found) makes some of them and says
// how much it found. add_images(of_elements, first, result) adds what lies across the seams of a world that
// wraps around.
template <class Search, class AddImages>
Status visit_lists(std::size_t count, const Neighbourhood& wanted, bool wraps, const AnswerLimit& limit,
                   NeighbourLists& block, const OtherHalf<NeighbourLists>& elements,
                   const ListVisitor& visitor, const Search& search, const AddImages& add_images) {
    const bool has_both = elements.frame != nullptr;
    const Neighbourhood asked = has_both || wraps ? with_distances(wanted) : wanted;
    const BlockSizes sizes(bytes_of_half(limit, elements),
                           sizeof(std::uint64_t) + (wanted.in_row_order ? sizeof(AgentId) : 0),
                           sizeof(AgentId) + (asked.distances ? sizeof(float) : 0));
    const auto make = [&](bool of_elements, std::size_t first, std::size_t lists, ListRoom& room) noexcept {
        ListResult result(of_elements ? *elements.block : block, asked, &room);
        std::uint64_t found = 0;
        Status status =
            result.finish(search(of_elements, parallel::Range{first, first + lists}, result, found));
        if (status.ok() && wraps) status = add_images(of_elements, first, result);
        if (!status.ok()) return status;
        if (wraps && !has_both) result.keep_first(result.size(), wanted.distances);
        const bool fits = room.admits(std::max<std::uint64_t>(found, result.ids.size()));
        return Status{fits ? Code::ok : Code::out_of_memory};
    };
    const auto join = [&]() noexcept {
        ListResult of_agents(block, asked), of_elements(*elements.block, asked);
        fit_both(of_agents, of_elements, wanted);
    };
    BlocksThatFit blocks(count, sizes, simd::stream_header, limit.place, block, elements);
    return blocks.visit(visitor, make, join);
}

}  // namespace

Status Frame::visit_answers(const Points& points, const Neighbourhood& wanted, NeighbourLists& block,
                            const AnswerLimit& limit, const Filters& filters, ListVisitor visitor,
                            const OtherHalf<NeighbourLists>& elements) const {
    if (const Status bad = clear_both(block, elements.block); !bad.ok()) return bad;
    const bool checks_blocks = goes_on(limit), has_both = elements.frame != nullptr;
    if (const Status bad = check_call(points, {}, wanted, filters, failure_); !bad.ok()) return bad;
    if (const Status bad = checks_blocks ? Status{} : check_sites(points, wanted); !bad.ok()) return bad;
    const Scope scope = has_both ? Scope(*this) : Scope::of_agents(*this);
    const Neighbourhood asked = has_both || scope.wraps() ? with_distances(wanted) : wanted;
    std::optional<OpenedPoints> opened;
    if (!scope.is_empty()) opened.emplace(scope, asked, filters);
    const auto part = [&](bool of_elements) {
        return Part{of_elements ? scope.layer() : &scope.agents(), of_elements};
    };
    const auto search = [&](bool of_elements, const parallel::Range& sites, ListResult& result,
                            std::uint64_t& found) noexcept {
        const std::size_t count = sites.size();
        if (checks_blocks && !of_elements)
            if (const Status bad =
                    check_sites(points.part(sites.begin, count), wanted_around(wanted, sites.begin, count));
                !bad.ok())
                return in_all(bad, sites.begin);
        if (!result.make_empty(count)) return Status{Code::out_of_memory};
        if (!opened || (of_elements && scope.layer() == nullptr)) return Status{};
        Status status = of_elements ? Status{} : opened->open(points, sites.begin, count);
        if (status.ok()) status = opened->find(part(of_elements), count, result);
        found = result.found;
        return status;
    };
    const auto add_images = [&](bool of_elements, std::size_t, ListResult& result) noexcept {
        if (of_elements && scope.layer() == nullptr) return Status{};
        return opened->add_images(part(of_elements), result);
    };
    return visit_lists(points.size(), wanted, scope.wraps(), limit, block, elements, visitor, search,
                       add_images);
}

Status Frame::visit_answers(const Frame& others, const Neighbourhood& wanted, NeighbourLists& block,
                            const AnswerLimit& limit, const Filters& filters, ListVisitor visitor,
                            const OtherHalf<NeighbourLists>& elements) const {
    if (const Status bad = clear_both(block, elements.block); !bad.ok()) return bad;
    const bool has_both = elements.frame != nullptr;
    const From from = others.state_ == state_ && !has_both ? From::agents : From::other_agents;
    if (const Status bad = check(wanted, from, id_bound()); !bad.ok()) return bad;
    if (!wanted.radii.empty() && (wanted.half || wanted.either_reaches))
        return {Code::bad_config, symmetric_option(wanted)};
    if (const Status bad = check(filters, from, id_bound()); !bad.ok()) return bad;
    if (!failure_.ok() || !others.status().ok()) return failure_.ok() ? others.status() : failure_;
    if (state_ == nullptr) return {};
    if (!wraps_like(others)) return {Code::bad_config, Argument::period};
    const bool wraps = Scope(*this).wraps(), checks_blocks = goes_on(limit);
    const Neighbourhood query = has_both || wraps ? with_distances(wanted) : wanted;
    const Filters filters_of_elements = filters.of_elements();
    const FrameState* const layer = has_both ? elements.frame->state_ : nullptr;
    AgentBlocks blocks{*state_, others.state_, executor_, query, filters, checks_blocks},
        element_blocks{*state_, layer, executor_, query, filters_of_elements, checks_blocks};
    Status ready = blocks.prepare();
    if (ready.ok() && layer != nullptr) ready = element_blocks.prepare();
    if (!ready.ok()) return ready;
    const auto search = [&](bool of_elements, const parallel::Range& sites, ListResult& result,
                            std::uint64_t& found) noexcept {
        return (of_elements ? element_blocks : blocks).search(sites, result, found);
    };
    const auto add_images = [&](bool of_elements, std::size_t first, ListResult& result) noexcept {
        const FrameState* const searched = of_elements ? layer : others.state_;
        if (searched == nullptr) return Status{};
        return add_images_of_agents(*this, *searched, executor_, query,
                                    of_elements ? filters_of_elements : filters, result, first);
    };
    return visit_lists(blocks.lists(), wanted, wraps, limit, block, elements, visitor, search, add_images);
}

// --- Agents and elements together --------------------------------------------------------------------------

namespace {

// Both halves, or neither: make(is_static) makes one of them.
template <class Answers, class Make>
Status make_both(Answers& agents, Answers& elements, const Make& make) noexcept {
    Status status = clear_both(agents, &elements);
    if (status.ok()) status = make(false);
    if (status.ok()) status = make(true);
    if (!status.ok()) (void)clear_both(agents, &elements);
    return status;
}

}  // namespace

Status WithStatic::overlaps(const BoxesOrShapes& queries, OverlapLists& agents, OverlapLists& elements,
                            const Filters& filters) const noexcept {
    return make_both(agents, elements, [&](bool is_static) {
        return is_static ? elements_.overlaps(queries, elements, filters.of_elements())
                         : Frame::overlaps(queries, agents, filters);
    });
}

Status WithStatic::overlaps(const BoxesOrShapes& queries, OverlapsAsFound& agents, OverlapsAsFound& elements,
                            const Filters& filters) const noexcept {
    return make_both(agents, elements, [&](bool is_static) {
        return is_static ? elements_.overlaps(queries, elements, filters.of_elements())
                         : Frame::overlaps(queries, agents, filters);
    });
}

namespace {

// Options that do not go together are refused whether there is a layer or not.
Status check_both(const Neighbourhood& wanted) noexcept {
    return {wanted.half || wanted.either_reaches ? Code::bad_config : Code::ok,
            wanted.half ? Argument::half : Argument::either_reaches};
}

}  // namespace

Status WithStatic::find_lists(const Neighbourhood& wanted, NeighbourLists& agents, NeighbourLists& elements,
                              const Filters& filters) const noexcept {
    const Neighbourhood all = with_distances(wanted);
    ListResult of_agents(agents, all), of_elements(elements, all);
    const Status status = make_both(agents, elements, [&](bool is_static) {
        if (const Status bad = check_both(wanted); !bad.ok()) return bad;
        if (!is_static) return Frame::find_lists(*this, all, agents, filters);
        if (state_ == nullptr || elements_.state_ == nullptr)
            return Frame::find_lists(elements_, all, elements, filters.of_elements());
        const Lease<BatchSpace> space(state_->store->spaces.batches);
        if (!space) return Status{Code::out_of_memory};
        of_elements.far_enough = far_enough(of_agents, all, id_bound(), space->far_enough);
        return make_lists(*this, *elements_.state_, all, filters.of_elements(), of_elements);
    });
    if (status.ok()) fit_both(of_agents, of_elements, wanted);
    return status;
}

Status WithStatic::count_neighbours(const Within& wanted, std::span<std::uint32_t> counts,
                                    const Filters& filters) const noexcept {
    const std::size_t ids = id_bound();
    if (const Status bad = check_output(counts, ids); !bad.ok()) return bad;
    if (const Status bad = check_both(wanted); !bad.ok()) return bad;
    if (elements_.size() == 0) return Frame::count_neighbours(wanted, counts, filters);
    const Lease<BatchSpace> space(state_->store->spaces.batches);
    if (!space || !resize_amply(space->answers, ids)) return {Code::out_of_memory};
    const std::span<std::uint32_t> of_elements(space->answers.data(), ids);
    Status status = count_neighbours_in(elements_, wanted, of_elements, filters.of_elements());
    if (status.ok()) status = Frame::count_neighbours(wanted, counts, filters);
    for (std::size_t i = 0; i < ids && status.ok(); ++i) counts[i] += of_elements[i];
    return status;
}

}  // namespace throng
