// Lists of neighbours in blocks of a bounded size. Each block is a batch of its own.

#include <optional>

#include "engine/src/answers/blocks_that_fit.hpp"
#include "engine/src/frame/lookup/boxes_by_id.hpp"
#include "engine/src/neighbours/agent_search.hpp"
#include "engine/src/neighbours/centres/agents_to_look.hpp"
#include "engine/src/neighbours/point_search.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

using ListVisitor = AnyBlockVisitor<NeighbourLists>;

// What is searched for around some of the sites.
Neighbourhood wanted_around(const Neighbourhood& wanted, const parallel::Range& sites) noexcept {
    Neighbourhood part = wanted;
    if (!part.radii.empty())
        part.radii = std::span<const float>(part.radii).subspan(sites.begin, sites.size());
    return part;
}

// Shortens the lists of the agents with the ids from `first` on. With `half` a list keeps only ids above its
// own and ghosts, and otherwise all but its own; and of these no more than were wanted.
void trim(ListResult& result, std::size_t first, const Neighbourhood& wanted,
          const simd::GhostIds& ghosts) noexcept {
    keep_of_lists(result, wanted.max_count == 0 ? result.found : wanted.max_count,
                  [&](std::size_t i, AgentId other) {
                      const auto own = static_cast<AgentId>(first + i);
                      return wanted.half ? is_in_half(own, other, ghosts) : other != own;
                  });
}

// The lists of the agents of one frame among those of another, or the same.
class AgentBlocks {
public:
    AgentBlocks(const FrameState& frame, const FrameState* searched, const Executor& executor,
                const Neighbourhood& wanted, const Filters& filters, bool checks_blocks) noexcept
        : frame_(frame),
          searched_(searched),
          executor_(executor),
          wanted_(wanted),
          filters_(filters),
          checks_blocks_(checks_blocks) {}

    // What can be wrong with the radii, or with the memory for a table of the agents by id.
    Status prepare() noexcept {
        const FrameState& searched = searched_ == nullptr ? frame_ : *searched_;
        const AgentSearch search(frame_, searched, executor_, wanted_, filters_);
        if (!checks_blocks_)
            if (const Status bad = search.check_radii(); !bad.ok()) return bad;
        if (searched_ == nullptr) return {};
        look_.emplace(frame_, *searched_, wanted_, filters_);
        if (wanted_.in_row_order) return {};
        table_ = agent_table(frame_);
        return {table_ == nullptr ? Code::out_of_memory : Code::ok};
    }
    std::size_t lists() const noexcept {
        return wanted_.in_row_order ? lists_in_row_order(frame_) : frame_.id_bound;
    }
    // Makes some of the lists, and says how much the search found.
    Status search(const parallel::Range& sites, ListResult& result, std::uint64_t& found) const noexcept {
        if (searched_ == nullptr) return empty_lists(frame_, wanted_, sites, result);
        if (wanted_.in_row_order) {
            const AgentSearch rows(look_->sites(), look_->where().frame(), executor_, wanted_,
                                   look_->filters(), AgentSites(look_->sites(), true).range_of_wanted(sites));
            if (checks_blocks_)
                if (const Status bad = rows.check_radii(); !bad.ok()) return bad;
            const Status status = rows.lists_by_row(result);
            found = result.found;
            return look_->where().in_order(status, executor_, result);
        }
        if (checks_blocks_)
            if (const Status bad = check_radii_by_id(sites); !bad.ok()) return bad;
        if (!result.start(sites.size())) return {Code::out_of_memory};
        // Searches leave out an agent by its slot in a row, which is not known here. So of the nearest one
        // more is looked for, and trim() leaves the agent out.
        const bool leaves_out = &frame_ == searched_ && !wanted_.with_self;
        Neighbourhood around = wanted_around(wanted_, sites);
        around.half = false;
        if (around.max_count != 0 && leaves_out) ++around.max_count;
        const FrameState& searched = look_->where().frame();
        const Filters their_filters = filters_.part(sites.begin, sites.size());
        const Status made = PointSearch(searched, executor_, around, {searched, their_filters})
                                .lists_by_id(*table_, frame_.ghosts, sites.begin, sites.size(), result);
        found = result.found;
        const Status status = look_->where().in_order(made, executor_, result);
        if (status.ok() && (leaves_out || wanted_.half)) trim(result, sites.begin, wanted_, frame_.ghosts);
        return status;
    }

private:
    Status check_radii_by_id(const parallel::Range& sites) const noexcept {
        for (std::size_t i = sites.begin; i < sites.end && !wanted_.radii.empty(); ++i)
            if (const auto id = static_cast<AgentId>(i); table_->box(id) != no_box && !frame_.ghosts.has(id))
                if (const Code bad = check_radius(wanted_.radii[i], wanted_.is_nearest); bad != Code::ok)
                    return {bad, i, Argument::radii};
        return {};
    }

    const FrameState& frame_;
    const FrameState* const searched_;  // null: an empty frame
    const Executor& executor_;
    const Neighbourhood& wanted_;
    const Filters& filters_;
    const bool checks_blocks_;  // and not all radii before the first one
    const AgentTable* table_ = nullptr;
    std::optional<AgentsToLook> look_;
};

// Passes on `count` lists. search(of_elements, sites, result, found) makes some of them and says how much it
// found, and go_on(of_elements, first, lists) adds to them what lies across the seams of a world.
template <class Search, class GoOn, class Join>
Status visit_lists(std::size_t count, const Neighbourhood& query, const AnswerLimit& limit,
                   NeighbourLists& block, const OtherHalf<NeighbourLists>& elements,
                   const ListVisitor& visitor, const Search& search, const GoOn& go_on, const Join& join) {
    const BlockSizes sizes(bytes_of_half(limit, elements),
                           sizeof(std::uint64_t) + (query.in_row_order ? sizeof(AgentId) : 0),
                           sizeof(AgentId) + (query.distances ? sizeof(float) : 0));
    const auto make = [&](bool of_elements, std::size_t first, std::size_t lists, ListRoom& room) noexcept {
        NeighbourLists& to = of_elements ? *elements.block : block;
        ListResult result(to, query, &room);
        std::uint64_t found = 0;
        Status status =
            result.finish(search(of_elements, parallel::Range{first, first + lists}, result, found));
        if (status.ok()) status = go_on(of_elements, first, to);
        const bool fits = !status.ok() || room.admits(std::max<std::uint64_t>(found, to.ids().size()));
        return fits ? status : Status{Code::out_of_memory};
    };
    BlocksThatFit blocks(count, sizes, simd::stream_header, limit.place, block, elements);
    return blocks.visit(visitor, make, join);
}

}  // namespace

Status FrameCalls::visit_answers(const Points& points, const Neighbourhood& wanted, NeighbourLists& block,
                                 const AnswerLimit& limit, const Filters& filters, ListVisitor visitor,
                                 const OtherHalf<NeighbourLists>& elements) const {
    if (const Status bad = clear_both(block, elements.block); !bad.ok()) return bad;
    const bool checks_blocks = goes_on(limit);
    if (const Status bad = check_call(frame(), points, wanted, filters, !checks_blocks); !bad.ok())
        return bad;
    const bool fits_halves = elements.frame != nullptr;
    const Neighbourhood query = fits_halves || wraps_ ? with_distances(wanted) : wanted;
    const Filters of_elements = filters.of_elements();
    std::optional<Lease<TorusSpace>> folded;
    if (wraps_ && !folded.emplace(state_->store->spaces.torus)) return {Code::out_of_memory};
    const auto search = [&](bool is_static, const parallel::Range& sites, ListResult& result,
                            std::uint64_t& found) noexcept {
        const FrameState* const searched = is_static ? elements.frame->state_ : state_;
        Points some = points.part(sites.begin, sites.size());
        const Neighbourhood around_some = wanted_around(query, sites);
        if (checks_blocks)
            if (const Status bad = check_sites(some, around_some); !bad.ok()) return in_all(bad, sites.begin);
        if (!result.make_empty(sites.size())) return Status{Code::out_of_memory};
        if (searched == nullptr) return Status{};
        if (folded && !fold_points(some, **folded)) return Status{Code::out_of_memory};
        if (folded) some = std::span<const Point>((*folded)->points.folded.data(), sites.size());
        const WhereToLook where = where_to_look(some, *searched, around_some);
        const Filters their_filters = (is_static ? of_elements : filters).part(sites.begin, sites.size());
        PointSearch around(where.frame(), executor_, around_some, {where.frame(), their_filters});
        const Status status = around.lists(some, result);
        found = result.found;
        return where.in_order(status, executor_, result);
    };
    const auto go_on = [&](bool is_static, std::size_t first, NeighbourLists& lists) noexcept {
        if (!folded) return Status{};
        const Frame& searched = is_static ? *elements.frame : frame();
        const Neighbourhood around_some = wanted_around(query, {first, first + lists.size()});
        const Filters their_filters = (is_static ? of_elements : filters).part(first, lists.size());
        const Status bad = searched.state_ == nullptr
                               ? Status{}
                               : searched.add_images(around_some, lists, their_filters, **folded);
        if (!fits_halves && !wanted.distances) lists.distances_.clear();
        return bad;
    };
    return visit_lists(points.size(), query, limit, block, elements, visitor, search, go_on,
                       [&]() noexcept { block.fit_to(*elements.block, wanted); });
}

Status FrameCalls::visit_answers(const Frame& others, const Neighbourhood& wanted, NeighbourLists& block,
                                 const AnswerLimit& limit, const Filters& filters, ListVisitor visitor,
                                 const OtherHalf<NeighbourLists>& elements) const {
    if (const Status bad = clear_both(block, elements.block); !bad.ok()) return bad;
    const bool is_alone = others.state_ == state_ && elements.frame == nullptr;
    const From from = is_alone ? From::agents : From::other_agents;
    if (const Status bad = check(wanted, from, frame().id_bound()); !bad.ok()) return bad;
    if (!wanted.radii.empty() && (wanted.half || wanted.either_reaches))
        return {Code::bad_config, symmetric_option(wanted)};
    if (const Status bad = check(filters, from, frame().id_bound()); !bad.ok()) return bad;
    if (!failure_.ok() || !others.status().ok()) return failure_.ok() ? others.status() : failure_;
    if (state_ == nullptr) return {};
    if (!wraps_like(others)) return {Code::bad_config, Argument::period};
    const bool fits_halves = elements.frame != nullptr;
    const Neighbourhood query = fits_halves || wraps_ ? with_distances(wanted) : wanted;
    const Filters of_elements = filters.of_elements();
    const FrameState* const layer = elements.frame == nullptr ? nullptr : elements.frame->state_;
    const bool checks_blocks = goes_on(limit);
    AgentBlocks blocks(*state_, others.state_, executor_, query, filters, checks_blocks),
        element_blocks(*state_, layer, executor_, query, of_elements, checks_blocks);
    Status ready = blocks.prepare();
    if (ready.ok() && layer != nullptr) ready = element_blocks.prepare();
    if (!ready.ok()) return ready;
    const auto search = [&](bool is_static, const parallel::Range& sites, ListResult& result,
                            std::uint64_t& found) noexcept {
        return (is_static ? element_blocks : blocks).search(sites, result, found);
    };
    const auto go_on = [&](bool is_static, std::size_t first, NeighbourLists& lists) noexcept {
        if (!wraps_) return Status{};
        const Status bad = add_images(is_static ? *elements.frame : others, query, lists,
                                      is_static ? of_elements : filters, first);
        if (!fits_halves && !wanted.distances) lists.distances_.clear();
        return bad;
    };
    return visit_lists(blocks.lists(), query, limit, block, elements, visitor, search, go_on,
                       [&]() noexcept { block.fit_to(*elements.block, wanted); });
}

}  // namespace throng
