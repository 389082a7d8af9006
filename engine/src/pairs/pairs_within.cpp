#include "engine/src/pairs/pairs_within.hpp"

#include "base/legal.hpp"
#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/frame/lookup/lookup.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/pairs/owned_pairs.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/shape_reader.hpp"

namespace throng::detail {

namespace {

Box grown(const Box& box, double distance) noexcept {
    const Growth growth(distance);
    return {growth.down(box.min_x), growth.down(box.min_y), growth.up(box.max_x), growth.up(box.max_y)};
}

}  // namespace

Status check(const PairQuery& wanted) noexcept {
    if (const Code bad = check_radius(wanted.within); bad != Code::ok) return {bad, Argument::options};
    if (wanted.agents_as > AgentsAs::circles) return {Code::bad_config, Argument::agents_as};
    return {};
}

// The searches of some agents, one after the other. Answers lie in a buffer until it is full.
class PairsWithin::Search : public HandOn<Search, simd::IdSink, 256, true> {
public:
    Search(const PairsWithin& work, simd::PairSink& pairs) noexcept
        : HandOn(pairs.stopped), work_(work), pairs_(pairs) {}

    void run(AgentId id, const Box& box, const Traits& traits) noexcept {
        id_ = id;
        box_ = box;
        label_ = traits.label;
        simd::ShapeQuery query;
        (void)read_shape(Shape(grown(box, work_.within_)), query, nullptr);
        const Filter filter = work_.filter_for(traits);
        std::uint64_t end;
        const FrameState& frame = work_.searched_;
        frame.kernels->shapes->find(work_.view_, kernel_filters(frame, filter), {&query, nullptr, 1}, &sink_,
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
        if (!work_.labelled_) return true;
        return work_.filter_.admits(label_, work_.traits_->traits_of(other).label);
    }
    void add(AgentId other) noexcept {
        *pairs_.at++ = work_.one_searches_ ? simd::Pair{id_, other} : simd::Pair{other, id_};
        if (pairs_.at >= pairs_.limit) pairs_.full(pairs_);
    }

    const PairsWithin& work_;
    simd::PairSink& pairs_;
    AgentId id_ = 0;
    Box box_;
    Label label_;
};

PairsWithin::PairsWithin(const FrameState& one, const FrameState& other, const simd::View* owned,
                         const Executor& executor, const PairQuery& wanted) noexcept
    : SmallerSearches(one, other, owned, executor),
      filter_(wanted.filter),
      within_(wanted.within),
      are_close_(wanted),
      labelled_(filter_ != PairFilter{}),
      traits_(labelled_ ? agent_table(searched_) : nullptr) {}

bool PairsWithin::run(std::size_t block, PairSpace&, simd::PairSink& sink) const noexcept {
    if (labelled_ && traits_ == nullptr) return false;
    without_ghosts(ghosts_, true, sink, [&](simd::PairSink& all) {
        Search search(*this, all);
        each_piece(block, [&](const simd::Row& row, std::uint32_t first, std::uint32_t end) {
            const RowArrays arrays(row);
            for (std::uint32_t i = first; i < end && !all.stopped; ++i)
                search.run(arrays.id[i], arrays.box(i), traits_in(row, searching_.extras, i));
        });
    });
    return true;
}

Filter PairsWithin::filter_for(const Traits& traits) const noexcept {
    if (!labelled_) return {.heights = traits.height};
    const Label& label = traits.label;
    const std::uint32_t categories = (has_any(label.categories, filter_.a) ? filter_.b : 0) |
                                     (has_any(label.categories, filter_.b) ? filter_.a : 0);
    return {.categories = categories,
            .not_in_group = filter_.other_groups_only ? label.group : no_group,
            .heights = traits.height};
}

}  // namespace throng::detail
