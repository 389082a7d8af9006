// Neighbours of any points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/src/ask/scope.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/list_batch.hpp"
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

// The lists of the agents with the ids [first, first + count) in a table; unused ids and ghosts have empty
// ones. Agents with neighbouring ids may be anywhere, so they are searched like points, numbered from 0, at
// their own heights. So each is in its own list, and `half` cannot be asked for.
Status find_by_id(const FrameState& frame, const Executor& executor, const AgentTable& agents,
                  const simd::GhostIds& ghosts, std::size_t first, std::size_t count,
                  const Neighbourhood& wanted, const Filters& filters, ListResult& result) noexcept;

// How far the elements around each site may be to be among the nearest, by the numbers of the sites, if these
// agents were found. Null if that is not known, or if there is no memory.
const float* far_enough(const ListResult& found, const Neighbourhood& wanted, std::size_t numbers,
                        Buffer<float>& room) noexcept;

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
    const float* far_enough(const ListResult& of_agents) noexcept {
        return detail::far_enough(of_agents, here_, of_agents.size(), space_->far_enough);
    }
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
    std::optional<PlaceMoves> moves_;
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
