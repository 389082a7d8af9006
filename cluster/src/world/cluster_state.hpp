// The private half of a ClusterEngine, and the steps of an update. After a failed step the others go on with
// nothing to send, so no rank waits for another. The last step asks all ranks, and nobody publishes unless
// all can.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "cluster/src/messages/communicator.hpp"
#include "cluster/src/messages/parcels.hpp"
#include "cluster/src/messages/post.hpp"
#include "cluster/src/messages/summary.hpp"
#include "cluster/src/partition/partition.hpp"
#include "cluster/src/values/host_values.hpp"
#include "cluster/src/world/block_of_boxes.hpp"
#include "cluster/src/world/ghost_links.hpp"
#include "cluster/src/world/moves.hpp"
#include "cluster/src/world/world.hpp"
#include "throng/cluster/agents.hpp"
#include "throng/cluster/cluster_engine.hpp"
#include "throng/engine.hpp"
#include "throng/queries/casts.hpp"
#include "throng/results.hpp"

namespace throng::cluster::detail {

// Whether the next update is expected to be like the last one. It is after some updates that were: the more
// often this was wrong, the more updates it takes.
class Calm {
public:
    bool is_enough() const noexcept { return frames_ >= wanted_; }
    void saw(bool same, bool was_expected) noexcept {
        if (was_expected) wanted_ = same ? std::max(wanted_ / 2, 1) : std::min(wanted_ * 2, 64);
        frames_ = same ? std::min(frames_ + 1, 64) : 0;
    }
    void end() noexcept { frames_ = 0; }

private:
    int frames_ = 0, wanted_ = 1;
};

class ClusterState {
public:
    explicit ClusterState(const ClusterConfig& configuration) noexcept
        : config(configuration),
          memory(configuration.engine.memory),
          plane(configuration.engine),
          post(ranks, memory),
          parcels(memory),
          partition(memory, plane),
          next_partition(memory, plane),
          now(memory, plane),
          next(memory, plane),
          before(memory),
          moves(memory),
          links(memory),
          values(memory),
          newcomers(memory),
          gone(memory),
          border(memory),
          next_traits(memory),
          copied(memory),
          engine(configuration.engine),
          sends(memory),
          sample(memory),
          loads(memory),
          touched(memory),
          order(memory),
          inbox(memory),
          spare(memory),
          neighbour_lists(memory),
          hits(memory),
          cast_hits(memory) {}

    ClusterStatus start(MPI_Comm communicator) noexcept;
    ClusterStatus update(const Agents& agents) noexcept;
    ClusterStatus make_frame(const Agents& given) noexcept;
    ClusterStatus partition_by(std::span<const Point> points, std::span<const float> weights) noexcept;
    ClusterStatus partition_as(const ClusterState* other, const ClusterStatus& of_other) noexcept;
    // Every collective call but an update begins with this, before it returns for any reason. It tells the
    // fault of the lowest rank that has one, or that they differ in `shared`; and the largest of a number.
    Summary begin(const ClusterStatus& mine, std::uint64_t shared = 0, std::uint64_t number = 0) noexcept;
    Summary begin(const Status& mine, std::uint64_t shared = 0, std::uint64_t number = 0) noexcept {
        return begin(mine.ok() ? ClusterStatus() : refusal(mine, rank()), shared, number);
    }
    ClusterStatus trouble_here(Trouble what) const noexcept {
        ClusterStatus status;
        status.trouble = what;
        status.rank = rank();
        return status;
    }
    // Whether these are on the same ranks.
    bool is_beside(const ClusterState& other) const noexcept;

    int rank() const noexcept { return ranks.rank(); }
    // This rank's first failure of the call that is running.
    void fail(const ClusterStatus& what) noexcept {
        if (trouble.ok() && !what.ok()) trouble = what;
    }
    void fail(const Status& what) noexcept {
        if (!what.ok()) fail(refusal(what, rank()));
    }
    bool need(bool has_memory) noexcept {
        if (!has_memory) fail(Status(Code::out_of_memory));
        return has_memory;
    }

    // --- update.cpp ---
    // A frame as the last one, with one sum at its end; what that says of all ranks.
    Summary steady_frame(const Agents& agents, Summary mine) noexcept;
    // What agents have beside ids and boxes: what any rank gives.
    Extras extras_of(const Summary& all) const noexcept {
        return {all.labels != 0, all.heights != 0, config.agents_stay, config.payload_bytes,
                config.ghost_payload_bytes};
    }
    // Whether the frame that was made as the last one may be published.
    bool is_as_the_last(const Summary& all) const noexcept;
    ClusterStatus changed_frame(const Agents& agents, const Summary& all) noexcept;

    // --- input.cpp ---
    // What is wrong with this rank's input, and what others must know of it.
    Summary look_at(const Agents& agents) noexcept;
    // Copies boxes that this frame might write over before all are read, and folds doubles before they are
    // rounded, as the engine does it.
    void copy_first(Agents& agents) noexcept;
    // Also lists which of them are near the border of this rank's part.
    void look_at_boxes(const Agents& agents, const Border& near, Summary& mine) noexcept;
    template <class View>
    void look_at_each(const View& boxes, std::size_t count, const Border& near, Summary& mine) noexcept;
    // Of the frame.
    Sizes sizes() const noexcept;
    // Fails with the first box that is not legal, if there is one. What was handed in is in its place again.
    void name_fault(const Agents& agents) noexcept;
    template <class View>
    bool name_fault(const View& boxes, std::size_t begin, std::size_t end) noexcept;
    Census look_at_ids(std::span<const GlobalId> ids, std::uint64_t& may_be_twice) noexcept;
    bool compare_ids(std::span<const GlobalId> ids) noexcept;
    // Whether any id of the cluster occurs twice: among those that may, or among all.
    ClusterStatus check_ids(const Agents& agents, const Summary& all) noexcept;
    ClusterStatus check_newcomers(std::span<const GlobalId> ids) noexcept;
    ClusterStatus check_all_ids(std::span<const GlobalId> ids) noexcept;

    // --- cutting.cpp ---
    bool wants_cut(const Summary& all) noexcept;
    void cut(const Agents& agents, const Summary& all) noexcept;
    ClusterStatus cut_by_sample(Partition& cuts, ClusterReport& to) noexcept;
    ClusterStatus bring_sample_to_owners(ClusterReport& to) noexcept;
    double unevenness(const Partition& cuts) noexcept;

    // --- migration.cpp ---
    // What may leave this rank's part, or be a ghost elsewhere, in a frame like that.
    Border border_of(const FrameFacts& frame, const Partition& cuts) const noexcept;
    // Lists those that leave, of those near the border; returns how many go beyond the peers.
    std::uint64_t list_leavers(const Agents& agents, const Partition& cuts) noexcept;
    void migrate(const Agents& agents, bool general) noexcept;
    void take_all_as_comers(const Agents& agents) noexcept;
    void send_to_peers(const Agents& agents) noexcept;
    void send_in_blocks(const Agents& agents) noexcept;
    // The boxes and traits of the next frame; and the rest of it once it is sure.
    void place_boxes(const Agents& agents) noexcept;
    Home home(const Moves::Source& from) const noexcept {
        if (from.came) return moves.comers.homes[from.place];
        return {static_cast<std::uint32_t>(rank()), static_cast<std::uint32_t>(from.place)};
    }
    void place_all(const Agents& agents) noexcept;

    // --- ghosts.cpp ---
    void find_peers(const Partition& cuts) noexcept;
    void exchange_ghosts(const Agents& agents, const Partition& cuts) noexcept;
    void list_ghosts(const Partition& cuts) noexcept;
    // What was listed, rank by rank.
    void tell_ghosts(const Agents& agents) noexcept;
    void place_ghosts() noexcept;
    void build(const Agents& agents) noexcept;
    Census census_of_owned() const noexcept;
    // Only if every rank has succeeded, and if no agent is lost or doubled.
    ClusterStatus publish(const Agents& agents, const Census& census) noexcept;
    ClusterStatus publish(const Agents& agents, const Census& census, const Summary& end) noexcept;
    // What this rank handed in, in its place again, after an attempt.
    void undo_boxes() noexcept {
        if (written_over != nullptr) moves.undo(now.agents.boxes.data(), written_over);
        written_over = nullptr;
    }
    void finish(const Agents& agents, const Summary& all, double begin) noexcept;

    const ClusterConfig config;
    MemoryResource* const memory;
    const Plane plane;
    Communicator ranks;
    Post post;
    Parcels parcels;
    Partition partition, next_partition;  // the second one while an update has cut anew
    bool has_cut = false;                 // in the update that is running
    bool forced = false;                  // the host gave cuts for the next update
    bool was_cut = false;                 // ever
    Calm calm;
    // The work of the busiest rank in thousandths of the mean, just after the last cuts; 0 before that is
    // known, and where cuts did not yet know of pairs.
    std::uint64_t tolerated = 0;
    bool settling = false;
    bool weighed_pairs = false, weighs_pairs = false;  // the cuts there are, and those of this update
    World now;
    FrameFacts next;
    AgentTable before;            // arrays of this frame that had too little room for the next one
    Box* written_over = nullptr;  // what was handed in, if it is in this frame's arrays
    Moves moves;
    GhostLinks links;
    HostValues values;
    Census handed_in;               // by this rank
    bool ids_ascend = true;         // of these
    bool ids_are_the_last = false;  // those of what is owned
    // If not: the places of those that are not the owned ones in their order, and the owned ones that are not
    // among them in that order, by id.
    throng::detail::Buffer<std::uint32_t> newcomers;
    throng::detail::Buffer<GlobalId> gone;
    throng::detail::Buffer<std::uint32_t> border;  // places of what was handed in, near the border
    AgentTable next_traits;                        // of all elements, and nothing else
    throng::detail::Buffer<Box> copied;            // of what was handed in, if it has to be
    Engine engine;
    Frame nobody;  // without agents, so it refuses what frames of this world refuse, and finds nothing
    ClusterReport report, next_report;
    ClusterReport asking;  // of the calls since the last update: what they send and take
    ClusterStatus trouble;
    double wanted_reach = 0, wanted_radius = 0;
    std::uint64_t pair_count = 0;  // on this rank, when they were last listed

    // Work space.
    throng::detail::Buffer<Send> sends;
    throng::detail::Buffer<Weighted> sample;
    throng::detail::Buffer<double> loads;  // of each rank: what this one adds to it, then the sum
    throng::detail::Buffer<int> touched;
    throng::detail::Buffer<std::uint32_t> order;
    throng::detail::Buffer<Word> inbox;  // a parcel that comes in several letters
    AgentTable spare;
    throng::NeighbourLists neighbour_lists;
    throng::OverlapLists hits;
    throng::CastHits cast_hits;
    std::optional<Engine> guests;    // agents of another cluster, for pairs with it; or the ghosts alone
    bool guests_are_ghosts = false;  // of this frame
};

}  // namespace throng::cluster::detail
