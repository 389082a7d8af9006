// Pairs that agents look for one by one: those of two frames, and those of a frame where ghosts are in piles.
// The agents of the smaller frame are queries to the larger one, some hundred of them in a block, or fewer
// oversized ones. Ghosts of the first frame look for none; if the other frame looks, they are left out of its
// answers.

#include <cmath>

#include "base/legal.hpp"
#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/lookup/lookup.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/neighbours/sites.hpp"
#include "engine/src/pairs/pair_output.hpp"
#include "engine/src/query/query_batch.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "simd/pair_kernels.hpp"
#include "simd/query_kernels.hpp"

namespace throng {

using namespace detail;

namespace {

class SearchedPairs : public PairSearch {
public:
    // `a` is of one frame, `b` of the other. If no other one is asked for, it is the same one, and any two of
    // its owned agents are a pair once.
    SearchedPairs(const FrameState& one, const FrameState& other, bool one_searches, const PairQuery& wanted,
                  const Executor& executor) noexcept
        : one_searches_(one_searches),
          searching_(one_searches ? one : other),
          searched_(one_searches ? other : one),
          store_(*one.store),
          kernels_(*one.kernels),
          ghosts_(one.ghosts),
          filter_(wanted.filter),
          within_(wanted.within),
          are_close_{wanted.within, wanted.agents_as},
          of_one_frame_(wanted.with == nullptr),
          only_overlap_(wanted == PairQuery{.with = wanted.with} &&
                        !(one.has_heights() && other.has_heights())),
          traits_(labelled() ? agent_table(searched_) : nullptr),
          sites_(searching_, one_searches),
          stop_(executor),
          oversized_(searching_.view.oversized.count),
          row_blocks_(parallel::blocks_for(executor, searching_.agents, 512)),
          oversized_blocks_(oversized_ == 0 ? 0 : parallel::blocks_for(executor, oversized_, 64)) {}

    std::size_t blocks() const noexcept override { return row_blocks_ + oversized_blocks_; }
    const parallel::Stop& stop() const noexcept override { return stop_; }
    std::size_t agents_in_block() const noexcept override { return sites_.size() / row_blocks_ + 1; }
    bool prepare(const Executor& executor) const noexcept override {
        return store_.spaces.pairs.prepare(parallel::at_once(executor, blocks()),
                                           [](PairSpace&) { return true; });
    }
    bool run(std::size_t block, PairSpace&, simd::PairSink& sink) const noexcept override {
        if (labelled() && traits_ == nullptr) return false;
        const bool all_are_listed = one_searches_ && !of_one_frame_;
        const Unlisted unlisted = of_one_frame_ ? Unlisted::found_again : Unlisted::of_first_ghosts;
        without_ghosts(all_are_listed ? simd::GhostIds{} : ghosts_, unlisted, sink, [&](simd::PairSink& all) {
            if (only_overlap_)
                each_piece(block, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
                    if (!all.stopped)
                        kernels_.pairs->cross_pairs(searched_.view, row, first, end, one_searches_, all);
                });
            else
                search_each(block, all);
        });
        return true;
    }

private:
    class Search;

    bool labelled() const noexcept { return filter_ != PairFilter{}; }
    // Calls use(row, begin, end) for the agents of a block, piece by piece.
    template <class Use>
    void each_piece(std::size_t block, const Use& to_use) const noexcept {
        const auto use = [&](const simd::Row& row, std::uint32_t begin, std::uint32_t end) {
            if (!stop_.is_wanted()) to_use(row, begin, end);
        };
        const std::size_t common = sites_.size() - oversized_;
        if (block < row_blocks_)
            return sites_.each_piece(parallel::range_of(common, row_blocks_, block), use);
        const parallel::Range part = parallel::range_of(oversized_, oversized_blocks_, block - row_blocks_);
        sites_.each_piece({common + part.begin, common + part.end}, use);
    }
    void search_each(std::size_t block, simd::PairSink& pairs) const noexcept;
    // The possible partners of an agent, only by its category and its height.
    Filter filter_for(const Traits& traits) const noexcept {
        if (!labelled()) return {.heights = traits.height};
        const Label& label = traits.label;
        const std::uint32_t categories = (has_any(label.categories, filter_.a) ? filter_.b : 0) |
                                         (has_any(label.categories, filter_.b) ? filter_.a : 0);
        return {.categories = categories,
                .not_in_group = filter_.other_groups_only ? label.group : no_group,
                .heights = traits.height};
    }

    const bool one_searches_;  // so an agent that searches is `a` of its pairs
    const FrameState &searching_, &searched_;
    Store& store_;
    const simd::Kernels& kernels_;
    const simd::GhostIds ghosts_;  // of the first frame
    const PairFilter filter_;
    const float within_;
    const simd::Closeness are_close_;
    const bool of_one_frame_, only_overlap_;
    // For the searched frame, if labels count: which of the two has which category is seen from both.
    const AgentTable* const traits_;
    const AgentSites sites_;
    const parallel::Stop stop_;
    const std::size_t oversized_, row_blocks_, oversized_blocks_;
};

// The searches of some agents for boxes grown by the distance, one after the other. Answers are measured;
// they lie in a buffer until it is full.
class SearchedPairs::Search : public HandOn<Search, simd::IdSink, 256, true> {
public:
    Search(const SearchedPairs& work, simd::PairSink& pairs) noexcept
        : HandOn(pairs.stopped), work_(work), pairs_(pairs) {}

    void run(AgentId id, const Box& box, const Traits& traits) noexcept {
        id_ = id;
        box_ = box;
        label_ = traits.label;
        simd::ShapeQuery query;
        (void)read_shape(Shape(simd::Growth(work_.within_).grown(box)), query, nullptr);
        const Filter filter = work_.filter_for(traits);
        std::uint64_t end;
        const FrameState& frame = work_.searched_;
        work_.kernels_.shapes->find(frame.view, kernel_filters(frame, filter), {&query, nullptr, 1}, &sink_,
                                    0, &end);
        flush();
    }
    bool take(const AgentId* ids, const Box* boxes, std::size_t count) noexcept {
        for (std::size_t i = 0; i < count && !pairs_.stopped; ++i)
            if (wants(ids[i], boxes[i])) add(ids[i]);
        return !pairs_.stopped;
    }

private:
    bool wants(AgentId other, const Box& its) const noexcept {
        if (!work_.are_close_(box_, its)) return false;
        return !work_.labelled() || work_.filter_.admits(label_, work_.traits_->traits_of(other).label);
    }
    void add(AgentId other) noexcept {
        *pairs_.at++ = work_.one_searches_ ? simd::Pair{id_, other} : simd::Pair{other, id_};
        if (pairs_.at >= pairs_.limit) pairs_.full(pairs_);
    }

    const SearchedPairs& work_;
    simd::PairSink& pairs_;
    AgentId id_ = 0;
    Box box_;
    Label label_;
};

void SearchedPairs::search_each(std::size_t block, simd::PairSink& pairs) const noexcept {
    Search search(*this, pairs);
    each_piece(block, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
        const RowArrays arrays(row);
        for (std::uint32_t i = first; i < end && !pairs.stopped; ++i)
            search.run(arrays.id[i], arrays.box(i), traits_in(row, searching_.extras, i));
    });
}

// How many agents a ghost may overlap before a pile is too dear. The mean is over all agents, and owned ones
// count as 0.
constexpr std::uint64_t few_overlaps = 32;

std::uint32_t count_overlaps(const FrameState& frame, const simd::Row& row, std::uint32_t i,
                             const simd::Growth& growth) noexcept {
    const simd::Query query = growth.grown(query_of(RowArrays(row).box(i)));
    const Filter filter{.heights = traits_in(row, frame.extras, i).height};
    std::uint32_t found = 0;
    frame.kernels->queries->count_in_order(frame.view, kernel_filters(frame, filter), &query, 1, &found);
    return found;
}

}  // namespace

// A sample of agents tells, evenly spread over the rows: a pile that costs more than all other agents has
// some of them.
bool detail::are_ghosts_piled(const FrameState& frame, float distance) noexcept {
    if (frame.ghosts.empty()) return false;
    const simd::Growth growth(distance);
    const AgentSites sites(frame);
    const std::size_t samples = 16 + static_cast<std::size_t>(std::sqrt(frame.agents)) / 8;
    std::uint64_t found = 0;
    std::size_t before = 0, sample = 0;
    sites.each_piece({0, sites.size()}, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
        const auto next = [&] { return std::uint64_t{2 * sample + 1} * sites.size() / (2 * samples); };
        for (; next() < before + (end - first) && found <= few_overlaps * samples; ++sample) {
            const auto i = static_cast<std::uint32_t>(first + (next() - before));
            if (frame.ghosts.has(RowArrays(row).id[i])) found += count_overlaps(frame, row, i, growth);
        }
        before += end - first;
    });
    return found > few_overlaps * samples;
}

Status detail::check(const PairQuery& wanted) noexcept {
    if (const Code bad = check_radius(wanted.within); bad != Code::ok) return {bad, Argument::options};
    if (wanted.agents_as > AgentsAs::circles) return {Code::bad_config, Argument::agents_as};
    return {};
}

Status detail::find_cross_pairs(const FrameState& one, const FrameState& other, const PairQuery& wanted,
                                const Executor& executor, PairOutput& output) noexcept {
    if (one.agents == 0 || other.agents == 0) return {};
    const bool one_is_smaller = one.agents - one.ghost_count <= other.agents,
               one_searches = one_is_smaller || are_ghosts_piled(one, wanted.within);
    return output.take(*one.store, executor, SearchedPairs(one, other, one_searches, wanted, executor));
}

Status detail::find_pairs_beside_piles(const FrameState& frame, const PairQuery& wanted,
                                       const Executor& executor, PairOutput& output) noexcept {
    PairQuery query = wanted;
    if (!frame.labelled()) query.filter = {};
    return output.take(*frame.store, executor, SearchedPairs(frame, frame, true, query, executor));
}

}  // namespace throng
