// The staged edits: at most one for each agent, however often it was edited. For every id, the locator has
// the agent's cell in the published frame, or the index of the agent's edit; then the edit has the cell.
//
// Building the table takes about as long as an update, and the next update makes it void. So a few edits
// after an update do without it. Their ids are in a small table of their own (few_ids.hpp), and the commit
// looks for their agents where the update found them, and then in all rows. The table is built for more
// edits, or once as many slots were looked at as there are agents.
//
// From then on it knows which agents there are, but not always their cells. After a commit from scratch all
// cells are other ones, and a host whose commits are all that large never needs them. They are found again
// before the next commit by rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/edit/box_arrays.hpp"
#include "engine/src/edit/few_ids.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/memory/ids.hpp"
#include "engine/src/memory/traits.hpp"
#include "throng/boxes.hpp"
#include "throng/executor.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

struct NotedRows;

inline constexpr CellNumber no_cell = IdTable::none;

struct Edit {
    AgentId id;
    CellNumber old_cell;  // no_cell for an agent that is not in the published frame
    std::uint32_t call;   // the last call that touched it
    bool present;         // whether the agent exists after the commit
    bool boxed;     // whether it has another box then (Staging::boxes_after); otherwise its box is unchanged
    bool inserted;  // whether the agent is another one than before the edits
    bool label, height;  // whether the agent has another one then (Staging::traits_after)
};

class Staging {
public:
    explicit Staging(MemoryResource* memory) noexcept : memory_(memory) {}
    // Edits are edits of this frame until the next one is published.
    void follow(const FrameState& newest) noexcept { newest_ = &newest; }

    std::size_t size() const noexcept { return edits_.size(); }
    std::span<const Edit> edits() const noexcept { return {edits_.data(), edits_.size()}; }
    std::size_t table_bytes() const noexcept {
        return locator_.bytes() + few_.bytes() + ids_.bytes() + generations_.bytes();
    }
    // How many agents there will be.
    std::size_t agents_after() const noexcept { return newest_->agents + inserted_ - removed_; }
    std::size_t edit_bytes() const noexcept { return edits_.bytes() + boxes_.bytes() + traits_.bytes(); }
    // By edit: the box of its agent after the commit, if the edit has one.
    BoxPointers boxes_after() const noexcept { return boxes_.pointers(); }
    // Whether edit i belongs to the agent with the id i and gives it a box, for all agents after the edits.
    // Then the boxes of the edits are an update.
    bool are_an_update() const noexcept;
    // By edit, as above.
    Boxes boxes_of_edits() const noexcept { return boxes_.view().part(0, edits_.size()); }
    // The traits of an edit's agent after the commit; `old` are those before.
    Traits traits_after(std::size_t edit, const Traits& old) const noexcept {
        const Traits now = edit < traits_.size() ? traits_[edit] : Traits{};
        return {edits_[edit].label ? now.label : old.label, edits_[edit].height ? now.height : old.height};
    }
    // What the rows need after an agent gets a label or a height other than the default one.
    simd::Extras extras_after() const noexcept;
    // The categories that all agents with an edited label have.
    std::uint32_t shared_categories() const noexcept;

    // There are as many labels as boxes, or none; the same for heights.
    Status insert(const Boxes& boxes, const Labels& labels, const Heights& heights, AgentId* ids) noexcept;
    Status relabel(const AgentId* ids, const Labels& labels) noexcept;
    // Without heights, agents keep theirs.
    Status move(const AgentId* ids, const Boxes& boxes, const Heights& heights = {}) noexcept;
    Status remove(std::span<const AgentId> ids) noexcept;
    void discard() noexcept;

    // Makes room so that a reset to ids below `bound` cannot fail; with `gaps`, also one that leaves some of
    // them out.
    [[nodiscard]] bool prepare_reset(std::size_t bound, bool gaps) noexcept;
    // An update replaced all agents: the table has to be built from the next frame. The agents have the ids
    // [0, count).
    void reset(std::size_t count) noexcept;
    // The same if only some ids below `bound` have agents. The table finds out which ids are free, unless
    // handles are kept: these go stale here.
    void reset(std::size_t bound, std::span<const AgentId> used) noexcept;

    // All agents have other ids than before.
    void make_handles_stale() noexcept { generations_.renew_all(ids_.bound()); }

    // The handle of an agent of the published frame, staged edits included; see Engine::handle.
    Status handle(AgentId id, AgentHandle& handle) noexcept;
    bool is_current(const AgentHandle& handle) const noexcept;
    // Before a commit of edits without a table: finds their agents.
    Status find_few(const Executor& executor, const NotedRows& noted) noexcept;
    // The edits were published. `cell_of_edit(i)` is the new cell of edit i's agent.
    template <class CellOfEdit>
    void published_by_rows(CellOfEdit&& cell_of_edit) noexcept {
        for (std::size_t i = 0; i < edits_.size() && has_table(); ++i) {
            const AgentId id = edits_[i].id;
            if (edits_[i].present) {
                locator_.replace(id, cell_of_edit(i));
                continue;
            }
            locator_.set(id, no_cell);
            locator_.sweep(id);
        }
        cells_were_lost_ = false;
        forget_edits();
    }
    // They were published in a frame from scratch, so all agents are in other cells.
    void published_from_scratch() noexcept;
    // They were merged into the newest frame, so other agents are still in their cells.
    void published_merged() noexcept;
    // The same for a frame without edits.
    void lose_cells() noexcept {
        known_ = std::min(known_, Known::table);
        cells_were_lost_ = true;
    }
    // Before a commit by rows: the cells of all agents, and of those with edits.
    void find_cells() noexcept;
    // Whether a commit may count on cells. This follows only from the frames, even if discarded or failed
    // calls have found cells since: the way of a commit shows in the plan.
    bool knows_cells() const noexcept { return !cells_were_lost_; }

    // Frees buffers that are much too large for this many agents. Buffers of staged edits stay, however many
    // these are.
    void give_back_excess(std::size_t agents) noexcept {
        locator_.give_back_excess(agents);
        if (size() == 0) scratch_.release_excess(agents, agents);
    }
    // The edit of an agent, or null.
    const Edit* edit_of_agent(AgentId id) const noexcept {
        const std::uint32_t entry = entry_of(id);
        return is_edit(entry) ? &edits_[edit_of(entry)] : nullptr;
    }

    // For validation: whether the table exists; without a table there is nothing to check.
    bool has_table() const noexcept { return known_ >= Known::table; }
    std::size_t id_bound() const noexcept { return ids_.bound(); }
    // The cell of an agent in the published frame, or no_cell; any other number if cells are not known.
    CellNumber published_cell(AgentId id) const noexcept {
        const std::uint32_t entry = entry_of(id);
        return is_edit(entry) ? edits_[edit_of(entry)].old_cell : entry;
    }
    // For tests that plant a fault.
    std::uint32_t& locator_entry(AgentId id) noexcept { return locator_.entry(id); }
    void number_from(std::uint32_t first) noexcept { first_number_ = first; }

private:
    static constexpr std::uint32_t edit_flag = 0x80000000u;
    static constexpr std::uint32_t some_cell = 0;               // see entry_of
    static constexpr std::uint32_t unknown_cell = no_cell - 1;  // until find_few
    static constexpr std::uint32_t highest_first_number =
        edit_flag / 2;  // as many edits are still told apart
    static bool is_edit(std::uint32_t entry) noexcept { return (entry & edit_flag) != 0; }
    std::uint32_t edit_of(std::uint32_t entry) const noexcept { return (entry - first_number_) & ~edit_flag; }
    std::uint32_t number_of_edit(std::size_t edit) const noexcept {
        return edit_flag | (first_number_ + static_cast<std::uint32_t>(edit));
    }

    bool is_used(AgentId id) const noexcept { return id < ids_.bound() && !ids_.is_free(id); }
    bool know_ids() noexcept;
    bool prepare_entries(std::size_t count) noexcept;
    bool make_table() noexcept;
    bool fill_table() noexcept;
    std::size_t find_few_in(std::size_t r) noexcept;
    bool make_entries(std::size_t count, std::size_t new_ids) noexcept;
    // For an entry of the table.
    bool alive(std::uint32_t entry) const noexcept;
    void forget_edits() noexcept {
        edits_.clear();
        few_.clear();
        traits_.clear();
        generations_.keep_edits(0);
        inserted_ = removed_ = 0;
    }
    Edit& touch(AgentId id, std::uint32_t entry) noexcept;
    void set_box(Edit& edit, const Box& box) noexcept {
        boxes_.set(static_cast<std::size_t>(&edit - edits_.data()), box);
        edit.boxed = true;
    }
    Traits& traits_of(const Edit& edit) noexcept;
    void set_label(Edit& edit, const Label& label) noexcept;
    void set_height(Edit& edit, const Band& height) noexcept;
    bool reserve_edits(std::size_t count) noexcept {
        return edits_.reserve(count) && (boxes_.size() >= count || boxes_.resize(edits_.capacity()));
    }
    bool prepare_edits(std::size_t count) noexcept;
    std::size_t copy_boxes(const Boxes& boxes) noexcept;
    void undo_edits_from(std::size_t first) noexcept;
    // After a frame from scratch, entries may have the numbers of earlier edits, which are lower. Then there
    // is an agent, in an unknown cell.
    std::uint32_t entry_of(AgentId id) const noexcept {
        if (!has_table()) return entry_without_table(id, is_used(id) ? unknown_cell : no_cell);
        const std::uint32_t entry = id < locator_.size() ? locator_[id] : no_cell;
        // Half of all may be old ones, so there is no branch on it.
        const std::uint32_t is_old = entry >> 31 & std::uint32_t{edit_of(entry) >= edits_.size()};
        return entry & (is_old - 1);
    }
    std::uint32_t entry_without_table(AgentId id, std::uint32_t otherwise) const noexcept {
        const std::uint32_t edit = few_.number_of(id);
        return edit == FewIds::none ? otherwise : number_of_edit(edit);
    }
    // For an id that was free before, unless an edit freed it.
    std::uint32_t entry_of_new(AgentId id) const noexcept {
        return has_table() ? entry_of(id) : entry_without_table(id, no_cell);
    }
    void forget_numbers() noexcept;
    template <bool boxed>
    Status touch_all(const AgentId* ids, std::size_t count, const Status& illegal) noexcept;
    template <class Apply>
    Status edit_existing(const AgentId* ids, std::size_t count, Apply&& apply) noexcept;

    MemoryResource* const memory_;
    const FrameState* newest_ = nullptr;

    // What changes.
    ScratchList scratch_{memory_};  // without content if nothing is staged
    Scratch<Edit> edits_{scratch_};
    BoxArrays boxes_{scratch_};               // by edit, and room for more
    Scratch<Traits> traits_{scratch_};        // by edit, as far as the last one that sets any
    std::size_t inserted_ = 0, removed_ = 0;  // agents
    std::uint32_t call_ = 0;

    // Where agents are. What is known of all of them; each includes those before it.
    enum class Known : std::uint8_t {
        bound,  // the bound of their ids
        ids,    // which ids are free
        table,  // the table has an entry for each, but perhaps not its cell
        cells,  // the table has the cell of each
    };
    Known known_ = Known::ids;
    bool cells_were_lost_ = false;  // see knows_cells
    IdTable locator_{memory_};      // a cell, or the number of an edit with its flag
    FewIds few_{scratch_};          // by edit, if there is no table
    IdPool ids_{memory_};
    Generations generations_{memory_};
    std::uint32_t first_number_ = 0;  // of the edits
    std::uint64_t looked_at_ = 0;     // how many slots, for edits without a table, since the update
};

}  // namespace throng::detail
