// ClusterEngine: more agents than one machine holds. Each rank of an MPI communicator has an Engine of its
// own, over the agents that it owns and copies of agents beyond its border, its ghosts. The answers are those
// of one engine with all agents.
//
//     MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);    // the host's, or more threads
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
// order, like MPI's own, unless a call says that it is of each rank alone. Every rank gets the same status:
// faults of the arguments and the memory of all ranks are summed up before any returns. A failed call
// changes nothing on any rank: agents, ghosts and answers stay as they were. One exception: in a world that
// wraps around, boxes are folded after an update that failed.
//
// **Of each rank alone** are pairs and neighbours within a radius, unless agents stay with their hosts. They
// send nothing, and have a status of that rank's own. So a host asks `agree` for the common status before it
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
// **Failure.** Nothing throws, prints or aborts, except MPI and Zoltan: MPI reports a rank that dies, and
// usually ends the program. If a call of MPI returns an error instead, all later calls of that rank return it
// at once, and the others may wait for it for ever: then only MPI_Abort helps. The memory of messages that
// are on their way then is never given back.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "throng/boxes.hpp"
#include "throng/cluster/agents.hpp"
#include "throng/cluster/report.hpp"
#include "throng/cluster/results.hpp"
#include "throng/cluster/status.hpp"
#include "throng/cluster/values.hpp"
#include "throng/engine.hpp"
#include "throng/export.hpp"
#include "throng/frame.hpp"
#include "throng/labels.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/static_layer.hpp"

namespace throng::cluster {

namespace detail {
class ClusterState;
}  // namespace detail

struct ClusterConfig {
    // For each rank's own engine. Its memory is also that of the cluster engine, except MPI's and Zoltan's.
    // Periods are the same on all ranks: the size of the whole world.
    EngineConfig engine = {};
    // The largest distance of pairs, and of neighbours: the largest of all ranks.
    float reach = 0;
    float radius = 0;
    // Whether the world is cut again if a rank has too much to do. Otherwise only `partition` does it, and
    // the first update of a world without cuts. The same on all ranks.
    bool rebalance = true;
    // Whether the host keeps its agents where they are. Then pairs are listed on the rank that handed in the
    // lower id, and lists belong to the agents that a rank handed in, in its order. Such answers take
    // messages, and calls for them are collective. The same on all ranks.
    bool agents_stay = false;
    // How many bytes travel with each agent, at most 16,777,216; the same on all ranks.
    std::size_t payload_bytes = 0;
    // Ghosts get so many of the payload's first bytes with every update, for example a velocity. The same on
    // all ranks.
    std::size_t ghost_payload_bytes = 0;
    // How many bytes of agents a rank packs at once, if many go far, for example from a rank that has all at
    // first.
    std::size_t block_bytes = std::size_t{4} << 20;
    // How many agents of each rank's share go into the sample for the cuts.
    std::size_t sample = 2048;
    // A rank whose own step before this one failed says so here, as in `Agents::failed`. Then all ranks get
    // this status.
    ClusterStatus failed = {};
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

    // Ok; or the fault in the configuration of any rank; or the error of MPI that has ended this.
    ClusterStatus status() const noexcept;
    int rank() const noexcept;
    int ranks() const noexcept;
    // As configured.
    std::size_t payload_bytes() const noexcept;

    // A layer that never moves and is whole on each rank, for the local frame: later frames have it, in
    // `frame().with_static()`. The queries of the cluster find only agents. If it is too much for a rank,
    // make it another cluster, updated once; see `pairs_with`. A call of each rank alone.
    Status set_static_layer(const StaticLayer& layer) noexcept;
    // The largest distance of pairs and of neighbours, from the next update on, instead of the configured
    // one. A call of each rank alone; the largest of all ranks counts. If MPI has ended this cluster, it and
    // `set_static_layer` are refused as `bad_config`.
    Status set_reach(float reach, float radius) noexcept;
    // For a step that a rank does alone, such as a step of the host's own. It is ok on every rank if it is ok
    // on all; otherwise every rank gets the status of the lowest rank that is not. A host's own failure is a
    // status with the trouble `host_failed`. A rank that cannot make a collective call may call this instead,
    // with the reason, and all ranks get it from that call; instead of an update it sets `Agents::failed`.
    ClusterStatus agree(const ClusterStatus& mine) noexcept;

    // --- A frame -------------------------------------------------------------------------------------------

    // Replaces all agents of the cluster by those of all ranks together. Each goes to its owner. Illegal
    // boxes, invalid views, and ids that come twice anywhere are refused.
    ClusterStatus update(const Agents& agents) noexcept;
    // The agents that this rank owns, by ascending id, and its copies of others. If the world wraps around,
    // boxes are as they were handed in, so a copy may lie beyond a seam; `frame()` has them folded. Boxes of
    // doubles are folded before they become floats.
    Table owned() const noexcept;
    Table ghosts() const noexcept;
    // For a host that writes the boxes, the payload and the heights of the next frame over those of this one,
    // and hands in the same arrays, which saves a copy of them:
    //
    //     move(engine.in_place().boxes);
    //     status = engine.update({.ids = engine.owned().ids, .boxes = engine.in_place().boxes});
    //
    // Queries read these boxes too: once one is written, the next call is an update. If that fails, the boxes
    // and heights of the last frame are put back, and the payload stays as it was written.
    InPlace in_place() noexcept;
    // How many agents the cluster has.
    std::uint64_t size() const noexcept;

    // Cuts the world so that each rank has an equal part of these points' weight: for a host that knows where
    // its agents will be. Each rank gives some of the points, and a weight for each or none. The next update
    // sends the agents there. A wrong number of weights, and weights that are negative or not finite, are
    // refused.
    ClusterStatus partition(std::span<const Point> points, std::span<const float> weights = {}) noexcept;
    // The same cuts as another cluster's on the same ranks, for pairs of two sets. If that has not been cut
    // yet, by an update with agents or by `partition`, it is refused as `not_cut`, and if it has other
    // periods, as `bad_config`.
    ClusterStatus partition_as(const ClusterEngine& other) noexcept;
    // A rank's part of the plane; unbounded sides are the largest floats. A part without any place is
    // `no_box`. In a world that wraps around, a part ends at a seam, or goes all the way around and is
    // unbounded.
    Box domain(int rank) const noexcept;

    // Writes all agents of the last update into one file: ids, boxes, labels, heights and payloads.
    // Collective, with the same path on all ranks, in a file system that they share. An older file is
    // replaced once the new one is complete, which is written as `path`.new. A call that fails leaves the
    // older one as it was.
    ClusterStatus save(const char* path) noexcept;
    // An update with the agents of such a file, on any number of ranks: each goes to its owner. Collective.
    // The file needs the same `payload_bytes`. Periods are those of this cluster, not saved ones. If it
    // cannot be read, is no saved cluster or has changed, all ranks get the same status, and the agents stay
    // as they were. Both calls are refused if agents stay with their hosts, which have them in arrays of
    // their own.
    ClusterStatus load(const char* path) noexcept;

    // --- All agents at once --------------------------------------------------------------------------------

    // Every pair of the cluster on exactly one rank, which owns at least one of the two: on the owner of the
    // lower id, or the rank that handed it in. But a pair of a giant and another agent is listed by the owner
    // of the other one. Giants are the few agents that are far larger than the rest (`giants_from`). Of each
    // rank alone, unless agents stay: then all ranks want the same. Pairs further apart than `reach()` are
    // refused, and so is `with`: two clusters have `pairs_with`.
    ClusterStatus pairs(PairList& list, const PairQuery& wanted = {}) noexcept;
    // List i is that of owned().ids[i], or of the i-th agent that was handed in, if agents stay. `radii`,
    // `half`, `either_reaches` and `in_row_order` are refused. Of the nearest, the lowest ids come first at
    // equal distances. Within a radius this is of each rank alone unless agents stay, and refused beyond
    // `radius()`. The nearest are a collective call, for the same number and kind on all ranks. If agents
    // stay, all ranks want the same: radius, filter and everything but `distances`.
    ClusterStatus neighbours(const Within& wanted, Lists& lists, const Filter& filter = {}) noexcept;
    ClusterStatus neighbours(const Nearest& wanted, Lists& lists, const Filter& filter = {}) noexcept;

    // Every pair of an agent `a` of this cluster and an agent `b` of another one on the same ranks, on the
    // owner of `a`; for a giant `a`, on one of the ranks that have it. The place of `b` is `no_place`. It is
    // the fastest if both are cut in the same way. Collective; all ranks want the same pairs, at any
    // distance.
    ClusterStatus pairs_with(const ClusterEngine& other, PairList& list,
                             const PairQuery& wanted = {}) noexcept;

    // --- The host's data of agents -------------------------------------------------------------------------

    // Arrays with a value for each place: first one for each agent of `owned()`, then one for each of
    // `ghosts()`, which are the places that pairs name. A value is a number, a small array of numbers, or
    // anything else that may be copied as bytes. All ranks hand in values of the same kind. These calls are
    // collective, and a rank at fault is heard on all before anything is written.
    //
    //     std::vector<Velocity> velocities(engine.places());       // those of `owned()` are set
    //     status = engine.forward(velocities);                     // now those of `ghosts()` are, too
    //     for (const ClusterPair& pair : touching)                 // what `a` gets, and `b` the opposite of
    //         pushes.push_back(push(velocities[pair.a_place], velocities[pair.b_place]));
    //     std::vector<std::array<double, 2>> forces(engine.owned().size());
    //     status = engine.sum_pairs(touching, pushes, forces);     // each pair stood on one rank only
    //
    // **Sums.** `sum_pairs` adds an agent's terms in the order of the other agents' ids. So its sums have the
    // bits that a loop over all pairs in one engine gives, by `a` and then by `b`, on any number of ranks.
    // `reverse` adds a copy's value to its owner's: first that of the lowest rank. It sends less, but the
    // last bits of floats depend on the cuts. They do not if the sums are exact: for integers, and for
    // doubles that are multiples of one small number, such as terms rounded to a multiple of 2^-30.

    std::size_t places() const noexcept;
    // From owners to ghosts: each ghost gets the value that its owner has. One message to each neighbour.
    ClusterStatus forward(const Values& values) noexcept;
    // From ghosts to owners: adds the value of each ghost to that of its owner. Ghosts keep theirs. Bytes
    // cannot be added: `bad_config`.
    ClusterStatus reverse(const Values& values) noexcept;
    // Adds what agents get from pairs to `sums`, which has a value for each agent of `owned()`. There is a
    // term of `a` for each pair, and one of `b` or none: then `b` gets the opposite of what `a` gets. Any of
    // the pairs that were found in this frame will do, also those with another cluster, whose agents get
    // nothing; no id may be in both. It is refused if agents stay with their hosts. A rank has at most 2^30
    // pairs, and a value at most 32,768 bytes.
    ClusterStatus sum_pairs(const SomePairs& pairs, const ConstValues& to_a, const ConstValues& to_b,
                            const Values& sums) noexcept;
    ClusterStatus sum_pairs(const SomePairs& pairs, const ConstValues& to_a, const Values& sums) noexcept {
        return sum_pairs(pairs, to_a, {}, sums);
    }

    // --- What any rank asks --------------------------------------------------------------------------------

    // Each rank asks what it likes, or nothing, and gets the answers of the whole cluster in the order of its
    // queries. A query goes to the ranks whose parts it touches. There is one filter for all or one for each,
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
    // The neighbours of any points, with a radius for all or one for each. List i is that of point i, the
    // nearest first, and at equal distances the lowest id. The nearest are those of the whole cluster,
    // however far away. Refused are the options that `Frame::neighbours` refuses for points, and `agents_as`
    // and `count` if they differ between ranks.
    ClusterStatus neighbours(const Points& points, const Within& wanted, Lists& lists,
                             const Filters& filters = {}, std::span<const GlobalId> selves = {}) noexcept;
    ClusterStatus neighbours(const Points& points, const Nearest& wanted, Lists& lists,
                             const Filters& filters = {}, std::span<const GlobalId> selves = {}) noexcept;

    // --- About it ------------------------------------------------------------------------------------------

    // The local frame, for queries of the host's own. Its ids are places: those in `owned()`, and behind them
    // those in `ghosts()`, which are ghosts of the frame too (`UpdateOptions::owned`). An unused id has the
    // global id 0, and is no ghost.
    Frame frame() const noexcept;
    GlobalId global_id(AgentId id) const noexcept;
    bool is_ghost(AgentId id) const noexcept;
    // Agents with half a width or height above this are giants. On one rank alone this looks at all agents.
    float giants_from() const noexcept;
    // The largest distance of pairs, and of neighbours: the largest that any rank had set before the last
    // update. Without a larger radius, neighbours may be as far away as pairs.
    float reach() const noexcept;
    float radius() const noexcept;
    // About the last update, without later queries.
    const ClusterReport& report() const noexcept;
    // What every rank did in the last update and in all calls since, what it has, and how long it waited:
    // best at the end of a frame. Collective, on all ranks the same.
    ClusterStatus reports(RankReports& reports) noexcept;

private:
    static ClusterStatus moved_from() noexcept { return {Trouble::refused, Code::moved_from}; }

    detail::ClusterState* state_ = nullptr;
    ClusterStatus status_;
};

}  // namespace throng::cluster
