// Edits that wait for a commit: at most one for each agent, however often it was edited. For every id,
// `locator` knows the cell where the published frame keeps the agent, or, if the agent has an edit, which one
// it is; the edit then remembers the cell.
//
// The table is made from the frame when the first edit is staged, since hosts that only ever update in bulk
// do not need it, and is kept up to date from then on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/base/limits.hpp"
#include "engine/src/frame/store.hpp"
#include "engine/src/memory/generations.hpp"
#include "engine/src/memory/id_pool.hpp"
#include "engine/src/memory/id_table.hpp"
#include "throng/boxes.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

inline constexpr CellNumber no_cell = IdTable::none;

// What becomes of an agent's label.
enum class LabelEdit : std::uint8_t {
    keep,
    reset,  // a new agent, perhaps in the place of an old one: it has the default label
    set,    // see Staging::label_after
};

struct Edit {
    AgentId id;
    CellNumber old_cell;  // no_cell for an agent that the published frame does not have
    std::uint32_t call;   // the call that touched it last
    bool present;         // whether the agent is there after the commit
    bool boxed;           // whether `box` is its box then; otherwise its box is unchanged
    LabelEdit labelled;
    Box box;
};

class Staging {
public:
    explicit Staging(MemoryResource* memory) noexcept
        : locator_(memory), edits_(memory), labels_(memory), ids_(memory), generations_(memory) {}

    std::size_t size() const noexcept { return edits_.size(); }
    std::span<const Edit> edits() const noexcept { return {edits_.data(), edits_.size()}; }
    std::size_t table_bytes() const noexcept {
        return locator_.bytes() + ids_.bytes() + generations_.bytes();
    }
    std::size_t edit_bytes() const noexcept { return edits_.bytes() + labels_.bytes(); }
    // The label that the agent of an edit has after the commit, `old` being the one before.
    Label label_after(std::size_t edit, const Label& old) const noexcept {
        switch (edits_[edit].labelled) {
        case LabelEdit::keep: return old;
        case LabelEdit::set: return labels_[edit];
        case LabelEdit::reset: break;
        }
        return {};
    }
    // Whether anyone is to have another label than the default one.
    bool brings_labels() const noexcept;

    // Labels are as many as boxes, or none.
    Status insert(const FrameState& frame, const Boxes& boxes, const Labels& labels, AgentId* ids) noexcept;
    Status relabel(const FrameState& frame, const AgentId* ids, const Labels& labels) noexcept;
    Status move(const FrameState& frame, const AgentId* ids, const Boxes& boxes) noexcept;
    Status remove(const FrameState& frame, const AgentId* ids, std::size_t count) noexcept;
    void discard() noexcept;

    // Room so that a reset to so many ids cannot fail; with `holes` also one that leaves some of them out.
    [[nodiscard]] bool prepare_reset(std::size_t ids, bool holes) noexcept;
    // A bulk update replaced all agents: the table has to be made from the next frame. The agents have the ids
    // [0, count) but for those that were left out.
    void reset(std::size_t count, std::span<const AgentId> left_out = {}) noexcept;

    // The handle of an agent, staged edits included; see Engine::handle.
    Status handle(AgentId id, AgentHandle& handle) noexcept;
    bool is_current(const AgentHandle& handle) const noexcept;
    // The edits were published. `cell_of_edit(i)` is where the agent of edit i is now.
    template <class CellOfEdit>
    void published(CellOfEdit&& cell_of_edit) noexcept {
        for (std::size_t i = 0; i < edits_.size(); ++i) {
            const AgentId id = edits_[i].id;
            if (edits_[i].present) {
                locator_.replace(id, cell_of_edit(i));
                continue;
            }
            locator_.set(id, no_cell);
            locator_.sweep(id);
        }
        edits_.clear();
        labels_.clear();
        generations_.keep_edits(0);
        committed_bound_ = ids_.bound();
    }
    // A frame with another grid was published.
    void relocate(const FrameState& frame) noexcept;

    // Gives back what so many agents have no use for.
    void give_back_excess(std::size_t agents) noexcept;
    // The edit of an agent, or null.
    const Edit* edit_of_agent(AgentId id) const noexcept {
        const std::uint32_t entry = id < locator_.size() ? locator_[id] : no_cell;
        return is_edit(entry) ? &edits_[edit_of(entry)] : nullptr;
    }

    // For validation: whether the tables agree with a frame. Without a table there is nothing to disagree.
    bool has_table() const noexcept { return has_table_; }
    std::size_t id_bound() const noexcept { return ids_.bound(); }
    // The cell of an agent in the published frame, or no_cell.
    CellNumber published_cell(AgentId id) const noexcept {
        if (id >= locator_.size()) return no_cell;
        const std::uint32_t entry = locator_[id];
        return is_edit(entry) ? edits_[edit_of(entry)].old_cell : entry;
    }
    // For tests that plant a fault.
    std::uint32_t& locator_entry(AgentId id) noexcept { return locator_.entry(id); }

private:
    static constexpr std::uint32_t edit_flag = 0x80000000u;
    static bool is_edit(std::uint32_t entry) noexcept { return (entry & edit_flag) != 0; }
    static std::uint32_t edit_of(std::uint32_t entry) noexcept { return entry & ~edit_flag; }

    bool is_used(AgentId id) const noexcept { return id < ids_.bound() && !ids_.is_free(id); }
    bool make_table(const FrameState& frame) noexcept;
    // Of an entry of the table.
    bool alive(std::uint32_t entry) const noexcept;
    Edit& touch(AgentId id, std::uint32_t entry) noexcept;
    void set_label(Edit& edit, const Label& label) noexcept;
    template <class Apply>
    Status edit_existing(const FrameState& frame, const AgentId* ids, const Boxes* boxes, std::size_t count,
                         Apply&& apply) noexcept;

    IdTable locator_;  // a cell, or an edit with its flag
    Buffer<Edit> edits_;
    Buffer<Label> labels_;  // by edit, as far as the last one that sets a label
    IdPool ids_;
    Generations generations_;
    std::size_t committed_bound_ = 0;
    std::uint32_t call_ = 0;
    bool has_table_ = false;
};

}  // namespace throng::detail
