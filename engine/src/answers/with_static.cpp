// Queries over a frame together with its static layer: each half by the same call, and shared checks.

#include "throng/static_layer.hpp"

#include "engine/src/answers/lists/place_answers.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/points.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/store/store.hpp"

namespace throng {

using namespace detail;

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

// --- Neighbours ---

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
    const Status status = make_both(agents, elements, [&](bool is_static) {
        if (const Status bad = check_both(wanted); !bad.ok()) return bad;
        return is_static ? Frame::find_lists(elements_, all, elements, filters.of_elements())
                         : Frame::find_lists(*this, all, agents, filters);
    });
    ListResult of_agents(agents, all), of_elements(elements, all);
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
