// ClusterEngine: more agents than one machine holds. Each rank of an MPI communicator has an Engine of its
// own over the agents that it owns and copies of those beyond its border, its ghosts; the answers are those
// that one engine of all agents would give.
//
//     MPI_Init(&argc, &argv);                       // the host's, MPI_THREAD_FUNNELED or more
//     throng::cluster::ClusterEngine engine(MPI_COMM_WORLD, {.reach = 2});
//     status = engine.update({.ids = ids, .boxes = boxes});    // what this rank happens to hold
//     const throng::cluster::Table mine = engine.owned();      // from now on this rank moves these
//     throng::cluster::PairList touching;
//     status = engine.pairs(touching);              // each pair of the cluster on one rank
//
// **Who owns whom.** The world is cut into one box for each rank, by recursive coordinate bisection (Zoltan)
// of a sample, weighted by agents and their pairs. An agent belongs to the rank whose box holds its centre.
// The cuts stay until the busiest rank has a quarter more to do than the mean.
//
// **Collective.** The constructor, `update`, `partition` and every query are calls of all ranks, in the same
// order, as MPI's own, unless a call says that it is of each rank alone. Every rank gets the same status:
// what is wrong with the arguments or the memory of any rank is summed up before any returns. A call that
// failed has changed nothing on any rank: `owned()`, the ghosts and the answers are those of the frame
// before.
//
// **Of each rank alone** are pairs and neighbours within a radius, unless agents stay with their hosts. They
// send nothing, and have a status of that rank's own. So a host asks `agree` what became of them before it
// returns, or the others wait for it in their next call:
//
//     status = engine.agree(engine.pairs(touching));  // the same on all ranks
//
// **Ghosts** reach as far as the largest `reach` and `radius` that any rank had set when they were made, by
// its configuration or by `set_reach`. A call that asks for more is refused as `beyond_reach`.
//
// **Threads.** One thread of a rank calls, the one that initialised MPI if that is MPI_THREAD_FUNNELED. The
// local engine runs on the executor of the configuration.
//
// **Failure.** Nothing throws, prints or aborts, but MPI and Zoltan may: a rank that dies is MPI's to report,
// and usually ends the program. If a call of MPI returns an error instead, all later calls of that rank
// return it at once, and the others may wait for it for ever: MPI_Abort is what is left. The memory of
// messages that are on their way then is never given back.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "throng/cluster/agents.hpp"
#include "throng/cluster/report.hpp"
#include "throng/cluster/results.hpp"
#include "throng/cluster/status.hpp"
#include "throng/engine.hpp"
#include "throng/export.hpp"
#include "throng/frame.hpp"
#include "throng/labels.hpp"
#include "throng/queries/boxes_or_shapes.hpp"
#include "throng/queries/cast_views.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/points.hpp"
#include "throng/static_layer.hpp"

namespace throng::cluster {

namespace detail {
class ClusterState;
}  // namespace detail

struct ClusterConfig {
    // Of each rank's own engine. Its memory is that of the cluster engine, too, but for MPI's and Zoltan's. A
    // period is refused: the world of a cluster does not wrap around.
    EngineConfig engine = {};
    // How far apart pairs may be that are asked for, and how far away neighbours: the largest of all ranks.
    float reach = 0;
    float radius = 0;
    // Whether the world is cut again where a rank has too much to do. Otherwise only `partition` does it, and
    // the first update of a world without cuts. The same on all ranks.
    bool rebalance = true;
    // Whether the host keeps its agents where they are: then pairs are listed on the rank that handed in the
    // lower id, and lists are those of what a rank handed in, in its order. Such answers take messages, and
    // calls for them are collective. The same on all ranks.
    bool agents_stay = false;
    // How many bytes travel with each agent, at most 16,777,216; the same on all ranks.
    std::size_t payload_bytes = 0;
    // How many bytes of agents a rank packs at once, where many go far, as from a rank that has all at first.
    std::size_t block_bytes = std::size_t{4} << 20;
    // How many agents of each rank's share the cuts are made for.
    std::size_t sample = 2048;
};

class THRONG_API ClusterEngine {
public:
    // Duplicates the communicator, which needs to live no longer than this call. Before MPI_Init or after
    // MPI_Finalize it is `mpi_failed`.
    ClusterEngine(MPI_Comm communicator, const ClusterConfig& config = {}) noexcept;
    ClusterEngine(ClusterEngine&& other) noexcept
        : state_(std::exchange(other.state_, nullptr)), status_(std::exchange(other.status_, moved_from())) {}
    ClusterEngine& operator=(ClusterEngine other) noexcept {
        std::swap(state_, other.state_);
        std::swap(status_, other.status_);
        return *this;
    }
    // Collective, and before MPI_Finalize.
    ~ClusterEngine();

    // Ok; or what was wrong with the configuration of any rank; or the error of MPI that has ended this.
    ClusterStatus status() const noexcept;
    int rank() const noexcept;
    int ranks() const noexcept;
    // As configured.
    std::size_t payload_bytes() const noexcept;

    // What never moves and is whole on each rank, for the local frame: frames from now on have it, in
    // `frame().with_static()`; the queries of the cluster find agents alone. What is too much for a rank is
    // another cluster, updated once; see `pairs_with`. A call of each rank alone.
    Status set_static_layer(const StaticLayer& layer) noexcept;
    // How far apart pairs may be, and how far away neighbours, from the next update on, instead of what was
    // configured. A call of each rank alone; the largest of all ranks counts. Where MPI has ended this
    // cluster, it and `set_static_layer` are refused as `bad_config`.
    Status set_reach(float reach, float radius) noexcept;
    // For what a rank does alone, such as a step of the host's own: ok on every rank if it is on all, and
    // otherwise what the lowest rank says that is not. A host's own failure is a status with the trouble
    // `host_failed`. A rank that cannot make a collective call may call this in its place, with the reason,
    // and all ranks get it from that call; in the place of an update it is `Agents::failed`.
    ClusterStatus agree(const ClusterStatus& mine) noexcept;

    // --- A frame -------------------------------------------------------------------------------------------

    // Replaces all agents of the cluster by those that the ranks hold together. Each goes to its owner.
    // Refused are boxes that are no boxes, views that are none, and ids that occur twice anywhere.
    ClusterStatus update(const Agents& agents) noexcept;
    // The agents that this rank owns, by ascending id, and the copies of others that it has.
    Table owned() const noexcept;
    Table ghosts() const noexcept;
    // How many agents the cluster has.
    std::uint64_t size() const noexcept;

    // Cuts the world such that each rank has as much of these points' weight: for a host that knows where its
    // agents will be. Each rank gives some of the points, and either a weight for each or none. The next
    // update sends the agents there. Weights that differ in number from the points, or are negative or not
    // finite, are refused.
    ClusterStatus partition(std::span<const Point> points, std::span<const float> weights = {}) noexcept;
    // The same cuts as another cluster's on the same ranks, for two sets of which pairs are wanted. Where
    // that has not been cut yet, by an update with agents or by `partition`, it is refused as `not_cut`.
    ClusterStatus partition_as(const ClusterEngine& other) noexcept;
    // The part of the plane of a rank; unbounded sides are the largest floats. A part without any place is
    // `no_box`.
    Box domain(int rank) const noexcept;

    // --- All agents at once --------------------------------------------------------------------------------

    // Every pair of the cluster on exactly one rank, which owns at least one of the two: on the owner of the
    // lower id, or where that was handed in. But a pair of a giant and another agent is listed by the owner
    // of the other one. Giants are the few agents that are far larger than the rest (`giants_from`). Of each
    // rank alone unless agents stay, when all ranks want the same; pairs further apart than `reach()` are
    // refused, and so is `with`: two clusters have `pairs_with`.
    ClusterStatus pairs(PairList& list, const PairQuery& wanted = {}) noexcept;
    // List i is that of owned().ids[i], or of the i-th agent that was handed in, if these stay. `radii`,
    // `half`, `either_reaches` and `in_row_order` are refused. Of equally near agents the lowest ids come
    // first. Within a radius this is of each rank alone unless agents stay, and refused beyond `radius()`;
    // the nearest are a collective call, for as many and as the same on all ranks. Where agents stay, all
    // ranks want the same: radius, filter and all else but `distances`.
    ClusterStatus neighbours(const Within& wanted, Lists& lists, const Filter& filter = {}) noexcept;
    ClusterStatus neighbours(const Nearest& wanted, Lists& lists, const Filter& filter = {}) noexcept;

    // Every pair of an agent `a` of this cluster and an agent `b` of another one on the same ranks, on the
    // owner of `a`; of a giant `a`, on one of the ranks that have it. The place of `b` is `no_place`. It
    // costs least where both are cut the same way. Collective; all ranks want the same pairs, at any
    // distance.
    ClusterStatus pairs_with(const ClusterEngine& other, PairList& list,
                             const PairQuery& wanted = {}) noexcept;

    // --- What any rank asks --------------------------------------------------------------------------------

    // Each rank asks what it likes, or nothing, and gets the answers of the whole cluster in the order of its
    // queries. Each goes to the ranks whose parts it touches. There is one filter for all or one for each,
    // without a `self`; query i leaves out the agent `selves[i]`, if they are given.

    // Which agents overlap these boxes or shapes, by ascending id; and how many.
    ClusterStatus overlaps(const BoxesOrShapes& queries, Lists& lists, const Filters& filters = {},
                           std::span<const GlobalId> selves = {}) noexcept;
    ClusterStatus count(const BoxesOrShapes& queries, std::span<std::uint64_t> counts,
                        const Filters& filters = {}, std::span<const GlobalId> selves = {}) noexcept;
    // What casts touch first; and all that they touch, the earliest first, with `fractions`. At the same time
    // the lowest id comes first.
    ClusterStatus first_hits(const Casts& casts, std::span<ClusterHit> hits, const Filters& filters = {},
                             std::span<const GlobalId> selves = {}) noexcept;
    ClusterStatus all_hits(const Casts& casts, Lists& lists, const Filters& filters = {},
                           std::span<const GlobalId> selves = {}) noexcept;
    // The neighbours of any points, with a radius for all or one for each; list i is that of point i, the
    // nearest first, and of equally near agents the lowest id. The nearest are those of the whole cluster,
    // however far away. Refused are the options that `Frame::neighbours` refuses for points, and `agents_as`
    // and `count` that are not the same on all ranks.
    ClusterStatus neighbours(const Points& points, const Within& wanted, Lists& lists,
                             const Filters& filters = {}, std::span<const GlobalId> selves = {}) noexcept;
    ClusterStatus neighbours(const Points& points, const Nearest& wanted, Lists& lists,
                             const Filters& filters = {}, std::span<const GlobalId> selves = {}) noexcept;

    // --- About it ------------------------------------------------------------------------------------------

    // The local frame, for queries of one's own: it has what this rank owns and its ghosts, and ids of its
    // own, which ascend with the global ones. It does not know which are ghosts: what it answers for these is
    // not all there is, and two of them may be a pair. An id that there is not has the global id 0, and is no
    // ghost.
    Frame frame() const noexcept;
    GlobalId global_id(AgentId id) const noexcept;
    bool is_ghost(AgentId id) const noexcept;
    // Agents of which half the width or height is above this are giants.
    float giants_from() const noexcept;
    // How far apart pairs may be, and how far away neighbours: the largest that any rank had set before the
    // last update; where it has set no larger radius, neighbours may be as far away as pairs.
    float reach() const noexcept;
    float radius() const noexcept;
    // Of the last update, without what was asked since.
    const ClusterReport& report() const noexcept;

private:
    static ClusterStatus moved_from() noexcept { return {Trouble::refused, Code::moved_from}; }

    detail::ClusterState* state_ = nullptr;
    ClusterStatus status_;
};

}  // namespace throng::cluster
