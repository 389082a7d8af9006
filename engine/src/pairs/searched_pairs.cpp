// Pairs that agents look for one by one: those of two frames, and those of a frame where ghosts are in piles.
// The agents of the smaller frame are queries to the larger one, some hundred of them in a block, or fewer
// oversized ones. Ghosts of the first frame look for none; if the other frame looks, they are left out of its
// answers.

#include <cmath>

#include "base/legal.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/neighbours/sites.hpp"
#include "engine/src/pairs/among_shapes.hpp"
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
    SearchedPairs(const FrameState& one, const FrameState& other, bool one_searches, const PairQuery& query,
                  const Executor& executor) noexcept
        : one_searches_(one_searches),
          searching_(one_searches ? one : other),
          searched_(one_searches ? other : one),
          store_(*one.store),
          kernels_(*one.kernels->pairs),
          ghosts_(one.ghosts),
          of_one_frame_(query.with == nullptr),
          wanted_(wanted_in(query, searched_.labelled(), one.has_heights() && other.has_heights())),
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
        const bool all_are_listed = one_searches_ && !of_one_frame_;
        const Unlisted unlisted = of_one_frame_ ? Unlisted::found_again : Unlisted::of_first_ghosts;
        without_ghosts(all_are_listed ? simd::GhostIds{} : ghosts_, unlisted, sink, [&](simd::PairSink& all) {
            each_piece(block, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
                if (!all.stopped && !stop_.is_wanted())
                    kernels_.cross_pairs(searched_.view, wanted_,
                                         {row, first, end, searching_.labelled(), one_searches_}, all);
            });
        });
        return true;
    }

private:
    // Calls use(row, begin, end) for the agents of a block, piece by piece.
    template <class Use>
    void each_piece(std::size_t block, const Use& use) const noexcept {
        const std::size_t common = sites_.size() - oversized_;
        if (block < row_blocks_)
            return sites_.each_piece(parallel::range_of(common, row_blocks_, block), use);
        const parallel::Range part = parallel::range_of(oversized_, oversized_blocks_, block - row_blocks_);
        sites_.each_piece({common + part.begin, common + part.end}, use);
    }

    const bool one_searches_;  // so an agent that searches is `a` of its pairs
    const FrameState &searching_, &searched_;
    Store& store_;
    const simd::PairKernels& kernels_;
    const simd::GhostIds ghosts_;  // of the first frame
    const bool of_one_frame_;
    const simd::WantedPairs wanted_;
    const AgentSites sites_;
    const parallel::Stop stop_;
    const std::size_t oversized_, row_blocks_, oversized_blocks_;
};

// How many agents tell what all are like: a pile that costs more than all other agents has some of them.
std::size_t sample_size_of(const FrameState& frame) noexcept {
    return std::min(16 + static_cast<std::size_t>(std::sqrt(frame.agents)) / 8, frame.agents / 8 + 1);
}
// Calls use(row, i) for a sample of agents, evenly spread over the rows, until it returns false.
template <class Use>
void for_sample(const FrameState& frame, const Use& use) noexcept {
    const AgentSites sites(frame);
    const std::size_t samples = sample_size_of(frame);
    std::size_t before = 0, sample = 0;
    bool more = true;
    sites.each_piece({0, sites.size()}, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
        const auto next = [&] { return std::uint64_t{2 * sample + 1} * sites.size() / (2 * samples); };
        for (; more && next() < before + (end - first); ++sample)
            more = use(row, static_cast<std::uint32_t>(first + (next() - before)));
        before += end - first;
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

// As many pairs of boxes, for each agent of both frames, cost as much as a second frame and a search in it,
// if they are not close.
constexpr std::uint64_t few_far = 4;

// Counts the agents that some boxes meet when they have grown: those that are close, and the others.
class CloseAndFar : public HandOn<CloseAndFar, simd::IdSink, 256, true> {
public:
    explicit CloseAndFar(const simd::Closeness& are_close) noexcept : are_close_(are_close) {}

    void look(const FrameState& frame, const Box& own, const Filter& filter) noexcept {
        own_ = own;
        simd::ShapeQuery query;
        (void)read_shape(simd::Growth(are_close_.within).grown(own), query, nullptr);
        std::uint64_t end;
        frame.kernels->shapes->find(frame.view, kernel_filters(frame, filter), {&query, nullptr, 1}, &sink(),
                                    0, &end);
        flush();
    }
    bool take(const AgentId*, const Box* boxes, std::size_t count) noexcept {
        for (std::size_t i = 0; i < count; ++i) ++(are_close_(own_, boxes[i]) ? close : far);
        return true;
    }
    std::uint64_t close = 0, far = 0;

private:
    const simd::Closeness are_close_;
    Box own_{};
};

}  // namespace

bool detail::are_ghosts_piled(const FrameState& frame, float distance) noexcept {
    if (frame.ghosts.empty()) return false;
    const simd::Growth growth(distance);
    const std::uint64_t few = few_overlaps * sample_size_of(frame);
    std::uint64_t found = 0;
    for_sample(frame, [&](const simd::Row& row, std::uint32_t i) {
        if (frame.ghosts.has(RowArrays(row).id[i])) found += count_overlaps(frame, row, i, growth);
        return found <= few;
    });
    return found > few;
}

bool detail::are_few_close(const FrameState& one, const FrameState& other, const PairQuery& wanted) noexcept {
    const bool by_height = one.has_heights() && other.has_heights();
    const simd::WantedPairs pairs = wanted_in(wanted, other.labelled(), by_height);
    // What second frames cost, for the sample.
    const std::uint64_t cost = few_far * (one.agents + other.agents) * sample_size_of(one) / one.agents;
    CloseAndFar met(pairs.close);
    for_sample(one, [&](const simd::Row& row, std::uint32_t i) {
        const Traits own = traits_in(row, one.extras, i);
        // If not all categories may be its partners, only those.
        const Filter filter{.categories = pairs.partners_of(own.label.categories), .heights = own.height};
        met.look(other, RowArrays(row).box(i), filter);
        return met.far <= 4 * (cost + met.close);
    });
    return met.far > cost + met.close;
}

Status detail::check(const PairQuery& wanted) noexcept {
    if (const Code bad = check_radius(wanted.within); bad != Code::ok) return {bad, Argument::options};
    if (wanted.agents_as > AgentsAs::circles) return {Code::bad_config, Argument::agents_as};
    return {};
}

Status detail::find_cross_pairs(const FrameState& one, const FrameState& other, const PairQuery& wanted,
                                const Executor& executor, PairOutput& output) noexcept {
    if (one.agents == 0 || other.agents == 0) return {};
    if (AmongShapes::pays(one, other, wanted)) {
        const AmongShapes shapes(one, other, wanted);
        if (!shapes.has_memory()) return {Code::out_of_memory};
        ClosePairs close(shapes, output);
        return find_cross_pairs(shapes.one().state(), shapes.other().state(), shapes.candidates(), executor,
                                close);
    }
    const bool one_is_smaller = one.agents - one.ghost_count <= other.agents,
               one_searches = one_is_smaller || are_ghosts_piled(one, wanted.within);
    return output.take(*one.store, executor, SearchedPairs(one, other, one_searches, wanted, executor));
}

Status detail::find_pairs_beside_piles(const FrameState& frame, const PairQuery& wanted,
                                       const Executor& executor, PairOutput& output) noexcept {
    return output.take(*frame.store, executor, SearchedPairs(frame, frame, true, wanted, executor));
}

}  // namespace throng
