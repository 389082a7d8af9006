// The Engine keeps the agents and publishes frames of them.
//
//     throng::Engine engine({.executor = throng::tbb_executor()});
//     status = engine.update(throng::Boxes::centre_half(x, y, half_x, half_y));   // all agents
//     throng::Frame frame = engine.frame();                                       // any thread may query it
//
// There are two ways to write, and each frame may use either. `update` takes the boxes of all agents; it is
// the fastest if most of them move. `insert`, `move` and `remove` stage edits, and `commit` publishes them;
// this costs only what the edits touch. Each world has its own engine.
//
// One thread at a time may write. Meanwhile any thread may call `frame` and query the frames it holds.
// Parallel work runs on the engine's executor. A failed call leaves the engine as it was, and its status says
// why. Once the engine's memory has grown to size, a call allocates nothing. docs/semantics.md has the
// details: threads, rounding, failure, limits, memory, and worlds that wrap around.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/frame.hpp"
#include "throng/geometry.hpp"
#include "throng/isa.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"
#include "throng/reports.hpp"
#include "throng/static_layer.hpp"
#include "throng/status.hpp"

namespace throng {

namespace detail {
class Writer;
}  // namespace detail

struct EngineConfig {
    // Runs the parallel work. Its context must outlive the engine and its frames.
    Executor executor = default_executor();
    // The source of memory; null is the global heap. It must outlive the engine and its frames. The engine
    // calls it from one thread at a time, but not always from the same one.
    MemoryResource* memory = nullptr;
    // The size of a grid cell. Zero lets the engine choose from the data, which is nearly always best. With a
    // fixed cell or common size the engine uses no islands, and no brute force for few agents.
    float cell_width = 0, row_height = 0;
    // The largest width and height of an agent in the grid. Zero lets the engine choose.
    float common_size = 0;
    // The distance once around the world, from 1e-30 to 1e30. Zero: the world does not wrap around. See "A
    // world that wraps around" in docs/semantics.md.
    float period_x = 0, period_y = 0;
    Isa isa = Isa::automatic;
};

class THRONG_API Engine {
public:
    explicit Engine(const EngineConfig& config = {}) noexcept;
    Engine(Engine&& other) noexcept
        : writer_(std::exchange(other.writer_, nullptr)),
          status_(std::exchange(other.status_, Status{Code::moved_from})) {}
    Engine& operator=(Engine other) noexcept {
        std::swap(writer_, other.writer_);
        std::swap(status_, other.status_);
        return *this;
    }
    ~Engine();

    // Not ok if the configuration was refused, memory ran out, or the engine was moved from: calls return it.
    Status status() const noexcept { return status_; }

    // --- In bulk -------------------------------------------------------------------------------------------

    // Replaces all agents with `boxes.size()` new ones, with ids from 0, and publishes a frame. If a box is
    // not finite or is inverted, the status names the lowest such agent; `left_out` in the options leaves
    // such agents out instead. While edits are staged, every update, rebase and renumber is refused as
    // `edits_pending`: commit or discard them first. An update without labels gives every agent the
    // default label, one without heights gives it every height, and one without `owned` makes it owned
    // (labels.hpp).
    Status update(const Boxes& boxes, const UpdateOptions& options = {}) noexcept {
        return update_all(nullptr, boxes, nullptr, options);
    }
    // The same, and lists all pairs of the new frame, as `engine.frame().pairs(pairs)` does. It takes as long
    // as both calls. If it fails, the list is empty and nothing was published.
    //
    //     status = engine.update(boxes, pairs);       // throng::PairList pairs, kept from frame to frame
    Status update(const Boxes& boxes, PairList& pairs, const UpdateOptions& options = {}) noexcept {
        return update_all(nullptr, boxes, &pairs, options);
    }

    // The same for hosts whose agents come and go: element i is the agent with the id ids[i], its slot in the
    // host's own tables for example. A new id adds an agent, and an absent id removes one. Ids in between are
    // gaps; an insert fills the lowest gap first.
    //
    //     status = engine.update(slots, boxes);       // slots = {0, 1, 2, 5, 6, 9}
    //
    // Ids may come in any order. Ascending order is fastest, and gaps then cost next to nothing. The order
    // does not change the frame, unless a grid is chosen for it: that looks at a sample of the elements.
    //
    // Memory follows the number of agents. Inserts and handles add one bit for each id up to the largest.
    // Labels and heights take 20 bytes for each id, and so do many edits at once, unless ids go beyond eight
    // times the number of agents. But ids are indices: lists, counts and radii by id have `Frame::id_bound()`
    // places. A handle with a generation in its upper bits is no id; take its index.
    //
    // The status names the lowest id at fault (`duplicate_id` if an id comes twice, `too_many` if it is too
    // large), or else the lowest box. Handles to removed agents become stale, and stay so.
    Status update(std::span<const AgentId> ids, const Boxes& boxes,
                  const UpdateOptions& options = {}) noexcept {
        return update_all(&ids, boxes, nullptr, options);
    }
    // The same, and lists all pairs of the new frame, as above.
    Status update(std::span<const AgentId> ids, const Boxes& boxes, PairList& pairs,
                  const UpdateOptions& options = {}) noexcept {
        return update_all(&ids, boxes, &pairs, options);
    }

    // --- Edit by edit --------------------------------------------------------------------------------------

    // Stages a new agent and returns its id: the lowest free one. Without a label or a band of heights it
    // gets the default one. It is owned: only updates make ghosts. `left_out`, and `owned` below the number
    // of boxes, are refused as `bad_config`. One box may be four floats in braces.
    template <OneBox Given = detail::FourNumbers>
    Status insert(const Given& box, AgentId& id, const Label& label = {}, const Band& height = {}) noexcept {
        return insert_one(box, id, label, height);
    }
    Status insert(const Boxes& boxes, std::span<AgentId> ids, const UpdateOptions& options = {}) noexcept;
    // Stages a new box for an agent. The last of several moves counts. Without a band of heights the agent
    // keeps its own. After the first move to another one, as on stairs, the next commit builds all rows.
    template <OneBox Given = detail::FourNumbers>
    Status move(AgentId id, const Given& box) noexcept {
        return move_one(id, box, nullptr);
    }
    template <OneBox Given = detail::FourNumbers>
    Status move(AgentId id, const Given& box, const Band& height) noexcept {
        return move_one(id, box, &height);
    }
    Status move(std::span<const AgentId> ids, const Boxes& boxes, const Heights& heights = {}) noexcept;
    // Stages a new label for an agent, which keeps its box. Moves keep the label. After the first label other
    // than the default one, the next commit builds its frame from scratch.
    Status relabel(AgentId id, const Label& label) noexcept {
        return relabel({&id, 1}, Labels::of({&label, 1}));
    }
    Status relabel(std::span<const AgentId> ids, const Labels& labels) noexcept;
    // Stages the removal of an agent. Its id is free at once: the next insert may take it.
    Status remove(AgentId id) noexcept { return remove({&id, 1}); }
    Status remove(std::span<const AgentId> ids) noexcept;
    // The handle of an agent, for hosts that keep references to agents which may be removed elsewhere. Ids
    // are reused, so `move(old_id, box)` might move another agent.
    //
    //     status = engine.move(engine.id(handle), box);
    //
    // `id` returns the id of the handle's agent, or `no_agent` if that agent is gone. Edits refuse `no_agent`
    // as `unknown_id`. A filter with `self = no_agent` leaves out nobody. A handle survives an update that
    // includes its id. After `renumber` all handles are stale.
    Status handle(AgentId id, AgentHandle& handle) noexcept;
    AgentId id(const AgentHandle& handle) const noexcept;
    // Publishes all staged edits as one frame.
    Status commit() noexcept;
    void discard() noexcept;
    std::size_t staged() const noexcept;

    // --- Another origin ------------------------------------------------------------------------------------

    // For hosts that recentre their world: publishes a frame with (dx, dy) subtracted from every box. Each
    // edge takes one float subtraction, so it rounds as the host's own does. Ids and labels stay, and the
    // grid moves along. If an edge would become infinite, the status is `not_finite` with that agent's id;
    // without an index, `dx` or `dy` is not finite. A static layer does not move: set layer.rebased(dx, dy)
    // first, and the new frame has both. Costs about as much as an update.
    Status rebase(float dx, float dy) noexcept;

    // --- Another order -------------------------------------------------------------------------------------

    // Gives the agent with the id order[k] the id k, and publishes that frame: same boxes, labels and layer.
    // `order` names every agent once. `Frame::row_order` gives an order in which agents near each other have
    // ids near each other. A host's loops run faster with its own arrays in that order.
    //
    //     if (engine.renumber(order).ok())
    //         for (std::size_t k = 0; k < order.size(); ++k) next[k] = agents[order[k]];
    //
    // Gaps are closed: afterwards the ids are 0 to `size` - 1. Earlier frames keep their ids. All handles
    // become stale; take new ones. A PairChanges would take new ids for old agents: clear it. With staged
    // edits the status is `edits_pending`. Otherwise it names the first element that is no agent
    // (`unknown_id`) or came before (`duplicate_id`), or is `size_mismatch`. It costs as much as five to nine
    // updates, so call it now and then.
    Status renumber(std::span<const AgentId> order) noexcept;

    // --- A plan that is kept -------------------------------------------------------------------------------

    // The order of answers follows from the agents and from the plan: which grid is used, when it was chosen,
    // and when it is looked at again. The plan depends on all earlier updates. So two engines with the same
    // agents but another history give the same answers in another order: the engine of a player who joins
    // late, or one that goes back to an earlier frame. For the same order, as in lockstep, hand the plan on:
    //
    //     std::vector<std::byte> bytes(static_cast<std::size_t>(engine.plan({}).total));
    //     status = engine.plan(bytes).status;
    //     if (status.ok()) status = other.set_plan(bytes);    // with the same configuration
    //     if (status.ok()) status = other.update(boxes);      // builds what engine.update(boxes) does
    //
    // From then on both engines give the same bytes, if both get the same updates, commits, rebases and
    // renumberings. Threads and machines may differ. Both must begin with an update: a frame made by commits
    // may have another order than one made by an update. Some things beside the engine have a history of
    // their own. A static layer follows from how it was made. KeptNeighbours and PairChanges follow from the
    // frames they were given: clear them for all engines. Handles and `Frame::number` belong to each engine.
    //
    // Writes the plan of the newest frame, or the one that was set since, as far as there is room: about 410
    // bytes, and about 36 for each island. The bytes are the same on every machine, and hold no agent.
    Filled plan(std::span<std::byte> bytes) const noexcept;
    // The next frame is built as by the engine that wrote the plan. An update does so, or a commit, which
    // then builds all rows. The bytes may come from anywhere: what is not a plan is refused as `bad_plan`, as
    // is a plan of an engine with other sizes in its configuration, or of a library version with other plans.
    // No plan makes an answer wrong. A bad one that looks like a plan can make up to 32 frames slow, until
    // another plan is tried, and take up to 50 MB for the tiles of islands.
    Status set_plan(std::span<const std::byte> bytes) noexcept;
    // The next frame is built as the first one of a new engine.
    Status replan() noexcept;

    // --- What never moves ----------------------------------------------------------------------------------

    // Frames published from now on have this layer, until another is set. Earlier frames keep theirs. A
    // commit without staged edits publishes a frame only if the layer has changed. A layer whose status is
    // not ok is refused with that status. Setting a layer costs next to nothing; in a world that wraps around
    // it costs as much as making the layer.
    Status set_static_layer(const StaticLayer& layer) noexcept;
    void clear_static_layer() noexcept;

    // --- The published world -------------------------------------------------------------------------------

    // The newest frame. May be called from any thread, at any time.
    Frame frame() const noexcept;

    // --- About the engine; reports on its own tables are for the thread that writes ------------------------

    Isa isa() const noexcept;
    MemoryReport memory() const noexcept;
    // For a loading screen, before the first update or between levels. Takes the memory for updates of up to
    // `agents` agents and commits of up to `edits` edits, and touches its pages, so that the first frames
    // need not wait for the system. The first update then costs what later ones do. The first two commits
    // that touch a row still write all of it, and one of the first notes where all agents are.
    //
    //     status = engine.reserve(100'000, 500);      // reserve(100'000) where nothing is committed
    //
    // It takes 176 bytes for each agent, 264 with edits, 320 for each edit, and up to 800 KB more. Calls use
    // this memory first, and ask the engine's resource for what does not fit. It is enough for even crowds,
    // spots, piles and islands, with labels, boxes in any layout, and one frame held beside the newest. An
    // even crowd needs about a third of it, so a host may reserve for fewer agents. If most agents are far
    // larger than the others, and so in no cell, up to twice as much is needed. Answers and the work spaces
    // of queries are not included.
    //
    // The engine keeps the memory until `release_memory`, until the engine and its last frame are gone, or
    // until more is reserved. Reserving as much again, or less, takes nothing. When it is given up, each of
    // its two or three parts goes back as soon as nothing in it is in use. Agents, edits and frames stay as
    // they are, also if the status is `out_of_memory` or `too_many`.
    Status reserve(std::size_t agents, std::size_t edits = 0) noexcept;
    // Gives back what is kept for later calls: dropped frames, free blocks, work spaces and what is reserved.
    // For the end of a level, or before another part of the program needs the memory. Later calls take what
    // they need again. Frames that are held, staged edits and answers stay as they are. It takes as long as
    // the host's resource needs to take its memory back.
    void release_memory() noexcept;
    // Checks the newest frame and the engine's own tables.
    Validation validate() const noexcept;

private:
    friend class detail::Writer;
    // With an id for each box unless `ids` is null, and the pairs of the new frame unless `pairs` is null.
    Status update_all(const std::span<const AgentId>* ids, const Boxes& boxes, PairList* pairs,
                      const UpdateOptions& options) noexcept;
    Status insert_one(const Box& box, AgentId& id, const Label& label, const Band& height) noexcept;
    Status move_one(AgentId id, const Box& box, const Band* height) noexcept;

    detail::Writer* writer_ = nullptr;
    Status status_;
};

}  // namespace throng
