// The Engine keeps the agents and publishes frames of them.
//
//     throng::Engine engine({.executor = throng::tbb_executor()});
//     status = engine.update(throng::Boxes::centre_half(x, y, half_x, half_y));   // all agents
//     throng::Frame frame = engine.frame();                                       // any thread may query it
//
// Two ways of writing, which may be mixed frame by frame:
//
//   - in bulk: `update` takes the boxes of all agents and publishes a frame. Agent `i` is element `i`. This
//     is the fastest way wherever most agents move; it costs the same however far they moved.
//   - edit by edit: `insert`, `move` and `remove` are staged, and `commit` publishes them as one frame. Only
//     the rows that an edit touched are rebuilt; the others are shared with the frame before.
//
// Threads: one thread at a time may write (update, insert, move, relabel, remove, commit, discard, rebase,
// and the static layer). Meanwhile any thread may call `frame`, and ask the frames it has. The engine starts
// no thread and takes what parallelism it uses from its executor.
//
// Floating point: a host may round as it likes, and may flush subnormal numbers to zero. All that writes to
// an engine, which is its calls and what its executor runs for them, has to do so under one rounding mode,
// since edits find an agent again by the arithmetic that put it into its cell. Its frames may be asked under
// any: see frame.hpp.
//
// Failure: every call that can fail returns a Status, and a call that failed left the engine as it was. The
// constructor cannot fail loudly; if the configuration is not to be had, or memory ran out, `status` says so
// and every other call returns that same status.
//
// Memory comes from the configured resource, one call at a time; once the world has settled, updates and
// commits allocate nothing.
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

struct EngineConfig {
    // Where parallel work runs. Its context must outlive the engine and its frames.
    Executor executor = default_executor();
    // Where memory comes from; null is the global heap. It must outlive the engine and its frames. The engine
    // makes one call to it at a time, though not always from the same thread.
    MemoryResource* memory = nullptr;
    // The grid's cell. Zero lets the engine choose from the data, which is nearly always best. A cell
    // that is fixed, or a common size, rules out what the engine might otherwise choose: islands, or no
    // grid at all for a few agents.
    float cell_width = 0, row_height = 0;
    // How wide and high a common agent may be at most; larger ones are kept beside the grid.
    // Zero lets the engine choose.
    float common_size = 0;
    // The instruction set to use.
    Isa isa = Isa::automatic;
};

class THRONG_API Engine {
public:
    explicit Engine(const EngineConfig& config = {}) noexcept;
    Engine(Engine&& other) noexcept
        : state_(std::exchange(other.state_, nullptr)),
          status_(std::exchange(other.status_, Status{Code::moved_from})) {}
    Engine& operator=(Engine other) noexcept {
        std::swap(state_, other.state_);
        std::swap(status_, other.status_);
        return *this;
    }
    ~Engine();

    // Whether the engine is usable; see above.
    Status status() const noexcept { return status_; }

    // --- In bulk -------------------------------------------------------------------------------------------

    // All agents at once: afterwards there are `boxes.size()` agents, with ids 0 and up. Publishes a frame.
    // The status names the lowest agent whose box is not finite or is inverted.
    Status update(const Boxes& boxes) noexcept;
    // With a label for each; see labels.hpp. Labels belong to the frame: an update without them gives
    // every agent the default one.
    Status update(const Boxes& boxes, const Labels& labels) noexcept;
    // The same for input that is not to be trusted: agents whose boxes are not legal are left out of the frame,
    // and listed in ascending order, as many as fit, so one NaN does not stop a world. Their ids are free
    // until they are legal in a later update.
    Filled update_legal(const Boxes& boxes, std::span<AgentId> left_out, const Labels& labels = {}) noexcept;

    // --- Edit by edit --------------------------------------------------------------------------------------

    // Stages a new agent and hands out its id: the lowest that is free.
    Status insert(const Box& box, AgentId& id) noexcept;
    Status insert(const Boxes& boxes, std::span<AgentId> ids) noexcept;
    Status insert(const Box& box, const Label& label, AgentId& id) noexcept;
    Status insert(const Boxes& boxes, const Labels& labels, std::span<AgentId> ids) noexcept;
    // Stages a new box for an agent. The last of several moves counts.
    Status move(AgentId id, const Box& box) noexcept;
    Status move(std::span<const AgentId> ids, const Boxes& boxes) noexcept;
    // Stages a new label for an agent, which keeps its box. Agents keep their labels when they move. The
    // first label that is not the default one makes the next commit build its frame from nothing.
    Status relabel(AgentId id, const Label& label) noexcept;
    Status relabel(std::span<const AgentId> ids, const Labels& labels) noexcept;
    // Stages the end of an agent. Its id is free at once, for the next insert.
    Status remove(AgentId id) noexcept;
    Status remove(std::span<const AgentId> ids) noexcept;
    // The same by handle, for hosts that keep references to agents which others may remove: an id is handed
    // out again, and `move(old_id, box)` would then move a stranger. A handle that is out of date is an
    // unknown_id. Handles of agents stay good in bulk updates that are large enough to have them.
    Status handle(AgentId id, AgentHandle& handle) noexcept;
    bool is_current(const AgentHandle& handle) const noexcept;
    Status move(const AgentHandle& agent, const Box& box) noexcept;
    Status relabel(const AgentHandle& agent, const Label& label) noexcept;
    Status remove(const AgentHandle& agent) noexcept;
    // Publishes everything staged as one frame.
    Status commit() noexcept;
    // Forgets everything staged.
    void discard() noexcept;
    // How many edits are staged.
    std::size_t staged() const noexcept;

    // --- Another origin ------------------------------------------------------------------------------------

    // For hosts that recentre their world: publishes a frame in which every agent has its old box less (dx,
    // dy), by one subtraction of floats for each edge, so it rounds as the host's own does. Ids and labels
    // stay, and the grid moves along. If an edge would become infinite, the status is `not_finite` with that
    // agent's id. A static layer stays where it is: set layer.rebased(dx, dy) first, and the frame that this
    // publishes has both. Costs about as much as an update.
    Status rebase(float dx, float dy) noexcept;

    // --- What never moves ----------------------------------------------------------------------------------

    // Frames from the next one published on have this layer, until another is set; those that were
    // published before keep what they have. A layer whose status is not ok is refused with that
    // status. Neither costs anything.
    Status set_static_layer(const StaticLayer& layer) noexcept;
    void clear_static_layer() noexcept;

    // --- The published world -------------------------------------------------------------------------------

    // The newest frame. May be called from any thread, at any time.
    Frame frame() const noexcept;
    // How many agents it has.
    std::size_t size() const noexcept;

    // --- About the engine; what it says of its own tables is for the thread that writes --------------------

    Isa isa() const noexcept;
    MemoryReport memory() const noexcept;
    Tuning tuning() const noexcept;
    // Checks the newest frame and the engine's own tables.
    Validation validate() const noexcept;

private:
    struct State;
    State* state_ = nullptr;
    Status status_;
};

}  // namespace throng
