// The Engine keeps the agents and publishes frames of them.
//
//     throng::Engine engine({.executor = throng::tbb_executor()});
//     status = engine.update(throng::Boxes::centre_half(x, y, half_x, half_y));   // all agents
//     throng::Frame frame = engine.frame();                                       // any thread may query it
//
// Two ways of writing, which may be mixed frame by frame: `update` takes the boxes of all agents, and is the
// fastest wherever most of them move; `insert`, `move` and `remove` are staged, and `commit` publishes them
// at the cost of what they touch. Other worlds have engines of their own.
//
// One thread at a time may write. Meanwhile any thread may call `frame` and query the frames it holds. All
// parallel work runs on the engine's executor. A call that failed left the engine as it was, and its status
// says why. In steady frames nothing is allocated. docs/semantics.md has all of this in full: threads,
// rounding, failure, limits, memory, and worlds that wrap around.
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
#include "throng/queries/with_static.hpp"
#include "throng/reports.hpp"
#include "throng/static_layer.hpp"
#include "throng/status.hpp"
#include "throng/views/update_options.hpp"

namespace throng {

namespace detail {
class Writer;
}  // namespace detail

struct EngineConfig {
    // Runs the parallel work. Its context must outlive the engine and its frames.
    Executor executor = default_executor();
    // The source of memory; null is the global heap. It must outlive the engine and its frames. The engine
    // makes one call to it at a time, though not always from the same thread.
    MemoryResource* memory = nullptr;
    // The size of a grid cell. Zero lets the engine choose from the data, which is nearly always best. A
    // fixed cell or common size rules out islands, and brute force for few agents.
    float cell_width = 0, row_height = 0;
    // The maximum width and height of a common agent; larger ones are kept outside the grid. Zero lets the
    // engine choose.
    float common_size = 0;
    // How far it is once around the world, from 1e-30 to 1e30; zero where it does not wrap around. See
    // "A world that wraps around" in docs/semantics.md.
    float period_x = 0, period_y = 0;
    // The instruction set to use.
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

    // Whether the engine is usable; see above.
    Status status() const noexcept { return status_; }

    // --- In bulk -------------------------------------------------------------------------------------------

    // Replaces all agents: afterwards there are `boxes.size()` agents, with ids from 0. Publishes a frame.
    // The status names the lowest agent whose box is not finite or is inverted, unless `left_out` in the
    // options takes such agents. While edits are staged, every update, rebase and renumber is refused as
    // `edits_pending`: commit or discard them first. Labels belong to the frame (labels.hpp): an update
    // without them gives every agent the default one. So do heights (heights.hpp), without which every agent
    // has every height, and what is owned (views/update_options.hpp): without it all agents are.
    Status update(const Boxes& boxes, const UpdateOptions& options = {}) noexcept;
    // The same with all pairs of the new frame: those of `engine.frame().pairs(pairs)`, in its order. It
    // takes the time of the two calls. If it fails, the list is empty and nothing was published.
    //
    //     status = engine.update(boxes, pairs);       // throng::PairList pairs, kept from frame to frame
    Status update(const Boxes& boxes, PairList& pairs, const UpdateOptions& options = {}) noexcept;

    // The same for hosts whose agents come and go: element i is the agent with the id ids[i], such as its
    // slot in the host's own tables. Afterwards there are exactly these agents. No agent has the ids in
    // between: they are gaps, which an insert may fill, the lowest first. An agent whose id is new is added,
    // and one whose id is absent is removed, without edits.
    //
    //     status = engine.update(slots, boxes);       // slots = {0, 1, 2, 5, 6, 9}
    //
    // Ids may come in any order, and cost least in ascending order, where gaps cost next to nothing. The
    // frame does not depend on the order, unless a grid is chosen for it, which depends on a sample of the
    // elements. Memory follows the number of agents; a host that also inserts or takes handles pays one bit
    // for each id up to the largest. Labels and heights take 20 bytes for each id, and so do many edits at
    // once, unless ids go beyond eight times the number of agents. But ids are indices: lists, counts and
    // radii by id have `Frame::id_bound()` places. A handle with a generation in its upper bits is no id;
    // take its index. The status names the lowest element at fault: first of the ids (`duplicate_id` where an
    // id comes again, `too_many` where it is too large to be one), then of the boxes. Handles to agents that
    // are left out go stale, and stay so.
    Status update(std::span<const AgentId> ids, const Boxes& boxes,
                  const UpdateOptions& options = {}) noexcept;
    // With all pairs of the new frame, as above.
    Status update(std::span<const AgentId> ids, const Boxes& boxes, PairList& pairs,
                  const UpdateOptions& options = {}) noexcept;

    // --- Edit by edit --------------------------------------------------------------------------------------

    // Stages a new agent and returns its id: the lowest free one. It has the label and the band of heights
    // that it is given, or the default ones, and is owned: ghosts come by updates alone, and `owned` below
    // the number of boxes is refused as `bad_config`, as is `left_out`. One box may be four floats in braces.
    template <OneBox Given = detail::FourNumbers>
    Status insert(const Given& box, AgentId& id, const Label& label = {}, const Band& height = {}) noexcept {
        return insert_one(box, id, label, height);
    }
    Status insert(const Boxes& boxes, std::span<AgentId> ids, const UpdateOptions& options = {}) noexcept;
    // Stages a new box for an agent. The last of several moves counts. An agent keeps its band of heights,
    // unless it gets another one, as on stairs. After the first one the next commit builds its frame from
    // scratch.
    template <OneBox Given = detail::FourNumbers>
    Status move(AgentId id, const Given& box) noexcept {
        return move_one(id, box, nullptr);
    }
    template <OneBox Given = detail::FourNumbers>
    Status move(AgentId id, const Given& box, const Band& height) noexcept {
        return move_one(id, box, &height);
    }
    Status move(std::span<const AgentId> ids, const Boxes& boxes, const Heights& heights = {}) noexcept;
    // Stages a new label for an agent, which keeps its box. Agents keep their labels when they move. After
    // the first label that is not the default one, the next commit builds its frame from scratch.
    Status relabel(AgentId id, const Label& label) noexcept;
    Status relabel(std::span<const AgentId> ids, const Labels& labels) noexcept;
    // Stages the removal of an agent. Its id is free at once, for the next insert.
    Status remove(AgentId id) noexcept;
    Status remove(std::span<const AgentId> ids) noexcept;
    // The handle of an agent, for hosts that keep references to agents which may be removed elsewhere. Ids
    // are reused, so `move(old_id, box)` might move another agent.
    //
    //     status = engine.move(engine.id(handle), box);
    //
    // `id` gives the id of a handle's agent, or `no_agent` once that agent is gone. Edits refuse `no_agent`
    // as `unknown_id`. A filter whose `self` is `no_agent` leaves out nobody.
    // A handle survives bulk updates as long as they include its id. After `renumber` all are stale.
    Status handle(AgentId id, AgentHandle& handle) noexcept;
    AgentId id(const AgentHandle& handle) const noexcept;
    // Publishes all staged edits as one frame.
    Status commit() noexcept;
    // Drops all staged edits.
    void discard() noexcept;
    // How many edits are staged.
    std::size_t staged() const noexcept;

    // --- Another origin ------------------------------------------------------------------------------------

    // For hosts that recentre their world: publishes a frame with (dx, dy) subtracted from every box, one
    // float subtraction for each edge, so it rounds as the host's own does. Ids and labels stay, and the grid
    // moves along. If an edge would become infinite, the status is `not_finite` with that agent's id; without
    // an index it is `dx` or `dy` that is not finite. A static layer does not move: set layer.rebased(dx, dy)
    // first, and the new frame has both. Costs about as much as an update.
    Status rebase(float dx, float dy) noexcept;

    // --- Another order -------------------------------------------------------------------------------------

    // Gives the agent with the id order[k] the id k, and publishes that frame: same boxes, labels and layer.
    // `order` names every agent once; `Frame::row_order` gives one in which agents that are near each other
    // have ids that are near each other. A host puts its own arrays into that order, and all that it does for
    // each agent, pair or answer runs faster.
    //
    //     if (engine.renumber(order).ok())
    //         for (std::size_t k = 0; k < order.size(); ++k) next[k] = agents[order[k]];
    //
    // Gaps are closed: the ids are those below `size` afterwards. Earlier frames keep the ids that they were
    // published with, and their answers use those. All handles become stale, since no handle can follow its
    // agent; take new ones. A PairChanges would take the new ids for the old agents: clear it. With staged
    // edits the status is `edits_pending`; otherwise it names the first element that is no agent
    // (`unknown_id`) or came before (`duplicate_id`), or it is `size_mismatch`. It costs five to nine
    // updates, so it is for now and then.
    Status renumber(std::span<const AgentId> order) noexcept;

    // --- A plan that is kept -------------------------------------------------------------------------------

    // Answers come in an order that follows from the agents and from the plan: on which grid they are, when
    // it was chosen, and when it is looked at again. The plan follows from all updates before. So engines
    // with the same agents and other histories give the same answers in another order, as a player's who
    // joins late does, or one's that goes back to an earlier frame. A host that needs the same order, such as
    // for lockstep, hands the plan on:
    //
    //     std::vector<std::byte> bytes(static_cast<std::size_t>(engine.plan({}).total));
    //     status = engine.plan(bytes).status;
    //     if (status.ok()) status = other.set_plan(bytes);    // with the same configuration
    //     if (status.ok()) status = other.update(boxes);      // builds what engine.update(boxes) does
    //
    // From then on both engines give the same bytes, as long as both get the same updates, commits, rebases
    // and renumberings of the same agents, in whatever number of threads and on whatever machine. Both have
    // to begin with an update: a frame that came about by commits may have another order than one that an
    // update made of the same agents. What the host keeps beside the engine has a history of its own: a
    // static layer follows from how it was made, KeptNeighbours and PairChanges from the frames they were
    // given (clear them in all engines), and handles and `Frame::number` are each engine's own.
    //
    // Writes the plan as of the newest frame, or what was set since, as far as there is room: about 410
    // bytes, and about 36 more for each island. The bytes are the same on every machine. They hold no agent.
    Filled plan(std::span<std::byte> bytes) const noexcept;
    // The next frame is built as the engine would build it that the bytes came from: an update, or else a
    // commit, which then builds all rows. They may come from anywhere: what is not a plan is `bad_plan`, as
    // is one of an engine with other sizes in its configuration, and nothing has changed. No plan makes an
    // answer wrong. A bad one that looks like a plan can make some frames slow, until another plan is tried,
    // within 32 frames, and take up to 50 MB for the tiles of islands; else memory follows the agents.
    // Versions of the library whose plans differ in meaning refuse each other's.
    Status set_plan(std::span<const std::byte> bytes) noexcept;
    // The next frame is built as the first one of a new engine.
    Status replan() noexcept;

    // --- What never moves ----------------------------------------------------------------------------------

    // All frames published from now on have this layer, until another is set; earlier frames keep theirs. A
    // commit without a staged edit publishes none, unless the layer has changed. A
    // layer whose status is not ok is refused with that status. Setting a layer costs next to nothing; in a
    // world that wraps around it costs what the layer did.
    Status set_static_layer(const StaticLayer& layer) noexcept;
    void clear_static_layer() noexcept;

    // --- The published world -------------------------------------------------------------------------------

    // The newest frame. May be called from any thread, at any time.
    Frame frame() const noexcept;

    // --- About the engine; reports on its own tables are for the thread that writes ------------------------

    Isa isa() const noexcept;
    MemoryReport memory() const noexcept;
    // For a loading screen, before the first update or between levels: takes the memory that updates of up to
    // `agents` agents need, and commits of up to `edits` edits each, and touches its pages, which the system
    // would else give in the first frames. An update then costs what later ones do. Of commits, the first two
    // that touch a row still write all of it, and one of the first notes where all agents are.
    //
    //     status = engine.reserve(100'000, 500);      // reserve(100'000) where nothing is committed
    //
    // It is 176 bytes for each agent, 264 with edits, 320 for each edit, and up to 800 KB more. Calls use it
    // before they ask the engine's resource, which they do for what does not fit. That is enough for even
    // crowds, spots, piles and islands, with labels, boxes in any layout, and one frame that is held beside
    // the newest; an even crowd takes about a third of it, and a host may reserve for fewer agents. Where
    // most agents are far larger than others, so that they are in no cell, it takes up to twice as much.
    // Answers and the work spaces of queries come on top.
    //
    // It stays the engine's until `release_memory`, until the engine and its last frame are gone, or until
    // more is reserved in its place; to reserve as much again, or less, takes nothing. After that each of its
    // two or three parts goes back as soon as nothing in it is in use. Agents, edits and frames stay as they
    // are, also if the status is `out_of_memory`, or `too_many` where there may not be that many.
    Status reserve(std::size_t agents, std::size_t edits = 0) noexcept;
    // Gives back what is kept for later calls: dropped frames, free blocks, work spaces and what is reserved.
    // For after a level was unloaded, or before another part of the program needs the memory: later calls
    // take what they need again. Frames that are held, staged edits and answers stay as they are. It takes as
    // long as the host's resource takes to get its memory back.
    void release_memory() noexcept;
    // Checks the newest frame and the engine's own tables.
    Validation validate() const noexcept;

private:
    friend class detail::Writer;
    // With an id for each box unless `ids` is null, and the pairs of the new frame unless `pairs` is.
    Status update_all(const std::span<const AgentId>* ids, const Boxes& boxes, PairList* pairs,
                      const UpdateOptions& options) noexcept;
    Status insert_one(const Box& box, AgentId& id, const Label& label, const Band& height) noexcept;
    Status move_one(AgentId id, const Box& box, const Band* height) noexcept;

    detail::Writer* writer_ = nullptr;
    Status status_;
};

}  // namespace throng
