// Neighbours of agents in a world that wraps around: as of points, but only agents near the seams are looked
// at once more.

#include "engine/src/store/store.hpp"
#include "engine/src/torus/agent_images.hpp"
#include "engine/src/torus/grown_lists.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

Status FrameCalls::lists_around(const Frame& others, const Neighbourhood& wanted, NeighbourLists& lists,
                                const Filters& filters) const noexcept {
    const Neighbourhood asked = with_distances(wanted);
    Status status = unrolled().find_lists(others.unrolled(), asked, lists, filters);
    if (status.ok()) status = add_images(others, asked, lists, filters, all_agents);
    if (!status.ok()) lists.clear();
    if (!wanted.distances) lists.distances_.clear();
    return status;
}

// The lists are those of all agents, or from number `first` on.
Status FrameCalls::add_images(const Frame& others, const Neighbourhood& wanted, NeighbourLists& lists,
                              const Filters& filters, std::size_t first) const noexcept {
    if (state_ == nullptr || others.state_ == nullptr) return {};
    const Frame flat = unrolled();
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    AgentImages images(flat, *state_, *others.state_, wanted, filters, *space);
    if (!(first == all_agents ? images.find_all(lists) : images.find_some(lists, first)))
        return {Code::out_of_memory};
    if (!images.has_images()) return {};
    if (const Status bad = images.search(executor_); !bad.ok()) return bad;
    Buffer<float>* const distances = wanted.distances ? &lists.distances_ : nullptr;
    const FlatLists flat_lists{lists.offsets_, lists.answers_, distances, wanted.max_count, images.repeats()};
    return {images.take(lists) && add_to_lists(flat_lists, *space) ? Code::ok : Code::out_of_memory};
}

}  // namespace throng
