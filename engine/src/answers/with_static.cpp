// Queries over a frame together with its static layer: each half by the same call, and what both have to
// agree on.

#include "throng/queries/with_static.hpp"

#include "base/unwritten.hpp"
#include "engine/src/answers/blocks_that_fit.hpp"
#include "engine/src/neighbours/asked.hpp"
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

// Of an agent and an element that are equally far away the agent comes first, as among the hits of a cast.
bool agent_is_nearer(float agent, float element) noexcept { return agent <= element; }

// The lists of one kind, shortened where they lie, one after the other: each keeps its first answers.
class Shortened {
public:
    Shortened(std::uint64_t* offsets, AgentId* ids, float* distances) noexcept
        : offsets_(offsets), ids_(ids), distances_(distances) {}

    void open(std::size_t list) noexcept {
        next_ = end_;
        end_ = offsets_[list + 1];
    }
    bool has_more() const noexcept { return next_ < end_; }
    float distance() const noexcept { return distances_[next_]; }
    void keep() noexcept {
        ids_[kept_] = ids_[next_];
        distances_[kept_++] = distances_[next_++];
    }
    void close(std::size_t list) noexcept { offsets_[list + 1] = kept_; }

private:
    std::uint64_t* const offsets_;
    AgentId* const ids_;
    float* const distances_;
    std::uint64_t next_ = 0, end_ = 0, kept_ = 0;
};

}  // namespace

void NeighbourLists::fit_to(NeighbourLists& elements, const Neighbourhood& wanted) noexcept {
    Shortened own(offsets_.data(), answers_.data(), distances_.data()),
        of_layer(elements.offsets_.data(), elements.answers_.data(), elements.distances_.data());
    for (std::size_t i = 0; wanted.max_count != 0 && i < elements.size(); ++i) {
        own.open(i);
        of_layer.open(i);
        for (std::uint32_t k = 0; k < wanted.max_count && (own.has_more() || of_layer.has_more()); ++k) {
            const bool is_own = own.has_more() && (!of_layer.has_more() ||
                                                   agent_is_nearer(own.distance(), of_layer.distance()));
            (is_own ? own : of_layer).keep();
        }
        own.close(i);
        of_layer.close(i);
    }
    for (NeighbourLists* lists : {this, &elements}) {
        if (lists->empty()) continue;
        if (!wanted.distances) lists->distances_.clear();
        lists->keep_first(elements.size());
    }
}

Status WithStatic::overlaps(const BoxesOrShapes& queries, OverlapLists& agents, OverlapLists& elements,
                            const Filters& filters) const noexcept {
    return make_both(agents, elements, [&](bool is_static) {
        return is_static ? elements_.overlaps(queries, elements, filters.of_elements())
                         : agents_.overlaps(queries, agents, filters);
    });
}

Status WithStatic::overlaps(const BoxesOrShapes& queries, OverlapsAsFound& agents, OverlapsAsFound& elements,
                            const Filters& filters) const noexcept {
    return make_both(agents, elements, [&](bool is_static) {
        return is_static ? elements_.overlaps(queries, elements, filters.of_elements())
                         : agents_.overlaps(queries, agents, filters);
    });
}

template <class Ask>
Status WithStatic::answer_both(std::size_t queries, std::span<std::uint32_t> answers, const Filters& filters,
                               const Ask& ask) const noexcept {
    if (elements_.size() == 0 || answers.size() < queries) return ask(agents_, answers, filters);
    const Lease<BatchSpace> space(agents_.state_->store->spaces.batches);
    if (!space || !resize_amply(space->answers, queries)) return {Code::out_of_memory};
    const std::span<std::uint32_t> of_elements(space->answers.data(), queries);
    Status status = ask(elements_, of_elements, filters.of_elements());
    if (status.ok()) status = ask(agents_, answers, filters);
    for (std::size_t i = 0; i < queries && status.ok(); ++i) answers[i] += of_elements[i];
    return status;
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
    const Status status = make_both(agents, elements, [&](bool is_static) {
        if (const Status bad = check_both(wanted); !bad.ok()) return bad;
        const Neighbourhood all = with_distances(wanted);
        return is_static ? agents_.find_lists(elements_, all, elements, filters.of_elements())
                         : agents_.find_lists(agents_, all, agents, filters);
    });
    if (status.ok()) agents.fit_to(elements, wanted);
    return status;
}

Status WithStatic::find_lists(const Points& points, const Neighbourhood& wanted, NeighbourLists& agents,
                              NeighbourLists& elements, const Filters& filters) const noexcept {
    const Status status = make_both(agents, elements, [&](bool is_static) {
        const Neighbourhood all = with_distances(wanted);
        return is_static ? elements_.find_lists(points, all, elements, filters.of_elements())
                         : agents_.find_lists(points, all, agents, filters);
    });
    if (status.ok()) agents.fit_to(elements, wanted);
    return status;
}

Status WithStatic::count_neighbours(const Within& wanted, std::span<std::uint32_t> counts,
                                    const Filters& filters) const noexcept {
    if (const Status bad = check_both(wanted); !bad.ok()) return bad;
    return answer_both(agents_.id_bound(), counts, filters,
                       [&](const Frame& frame, std::span<std::uint32_t> to, const Filters& their) {
                           return agents_.count_neighbours_in(frame, wanted, to, their);
                       });
}

Status WithStatic::count_neighbours(const Points& points, const Within& wanted,
                                    std::span<std::uint32_t> counts, const Filters& filters) const noexcept {
    return answer_both(points.size(), counts, filters,
                       [&](const Frame& frame, std::span<std::uint32_t> to, const Filters& their) {
                           return frame.count_neighbours(points, wanted, to, their);
                       });
}

Status WithStatic::visit_neighbours(const Point& point, const Neighbourhood& wanted, const Filter& filter,
                                    NeighbourVisitor agents, NeighbourVisitor elements) const {
    if (!wanted.is_nearest) {
        const Status status = agents_.visit_neighbours(point, wanted, filter, agents);
        return status.ok() ? elements_.visit_neighbours(point, wanted, of_elements(filter), elements)
                           : status;
    }
    Unwritten<Neighbour, Nearest::count_limit> found, found_elements;
    const Filled own = agents_.list_neighbours(point, wanted, {found.data(), found.size()}, filter);
    if (!own.status.ok()) return own.status;
    const Filled of_layer = elements_.list_neighbours(
        point, wanted, {found_elements.data(), found_elements.size()}, of_elements(filter));
    if (!of_layer.status.ok()) return of_layer.status;
    std::size_t i = 0, j = 0;
    while (i + j < wanted.max_count && (i < own.written || j < of_layer.written)) {
        const bool is_agent =
            i < own.written && (j >= of_layer.written || agent_is_nearer(found[i].squared_distance,
                                                                         found_elements[j].squared_distance));
        ++(is_agent ? i : j);
    }
    if (i != 0) (void)agents(found.data(), i);
    if (j != 0) (void)elements(found_elements.data(), j);
    return {};
}

NearestNeighbour WithStatic::nearest(const Point& point, const Filter& filter) const noexcept {
    const NearestNeighbour own = agents_.nearest(point, filter);
    NearestNeighbour element = elements_.nearest(point, of_elements(filter));
    element.is_static = true;
    if (!own.status.ok()) return own;
    const bool is_own = !element.neighbour.found() ||
                        (own.neighbour.found() &&
                         agent_is_nearer(own.neighbour.squared_distance, element.neighbour.squared_distance));
    return element.status.ok() && is_own ? own : element;
}

}  // namespace throng
