// A copy of a frame whose boxes have grown by a distance: two of these overlap if the boxes of the frame are
// within that distance along both axes. Only the upper edges move, which is enough, so every agent stays in
// its cell:
//
//     [ a ]    [ b ]              apart by less than the distance
//     [ a . . . . ]               the grown a overlaps b
//              [ b . . . . ]
//
// Everything that finds overlapping pairs works on the copy: in rows, on islands, in the tree, and by
// categories. Its agents are numbered by their slots, so found pairs can be measured without a table by id. A
// copy may be one without ghosts, which have slots all the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/pool.hpp"
#include "engine/src/pairs/closeness.hpp"
#include "engine/src/store/spaces.hpp"
#include "parallel/blocks.hpp"
#include "simd/types.hpp"
#include "throng/executor.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// What a search for pairs reads of a frame, or of a grown copy.
struct SearchedFrame {
    std::span<const simd::Row> rows;
    const simd::View* view;
    const simd::Island* islands;
};

class GrownFrame {
public:
    enum class Ghosts : bool { stay, are_left_out };
    enum class NamedBy : bool { slot, id };

    explicit GrownFrame(const FrameState& frame, Ghosts ghosts, NamedBy named_by = NamedBy::slot) noexcept;

    // Copies the frame, with these of its extras.
    Status make(float distance, simd::Extras extras, const Executor& executor) noexcept;

    SearchedFrame searched() const noexcept {
        return {{space_->rows.data(), space_->rows.size()}, &view_, space_->islands.data()};
    }
    // By slot.
    const Box* boxes() const noexcept { return space_->boxes.data(); }
    const AgentId* ids() const noexcept { return space_->ids.data(); }
    const Traits* traits() const noexcept { return space_->traits.data(); }
    bool leaves_out_ghosts() const noexcept { return leaves_out_ghosts_; }
    std::size_t slots() const noexcept { return space_->boxes.size(); }

private:
    bool make_room(simd::Extras extras) noexcept;
    bool make_cells() noexcept;
    simd::RowReach grow_row(std::size_t r, simd::Extras extras, const Growth& growth) noexcept;
    void grow_agents(const simd::Row& from, const simd::Row& to, simd::Extras extras, std::uint32_t first,
                     const Growth& growth) noexcept;
    bool is_kept(const simd::Row& row, std::uint32_t i) const noexcept;
    void keep_owned(const simd::Row& from, const parallel::Range& agents, simd::Row& to, simd::Extras extras,
                    std::uint32_t first, const Growth& growth) noexcept;
    static void end_row(const simd::Row& from, simd::Row& to, simd::Extras extras) noexcept;
    void grow_grove(std::size_t g, simd::Extras extras, const Growth& growth) noexcept;
    void grow_crown(const Growth& growth) noexcept;
    void finish_view(simd::View& view, std::uint32_t region) noexcept;
    void finish_islands(const Growth& growth) noexcept;
    void finish_cut(std::uint32_t number) noexcept;

    const FrameState& frame_;
    const bool leaves_out_ghosts_, by_id_;
    Lease<GrownSpace> space_;
    simd::View view_{};
    simd::Storeys storeys_{};
    simd::Row bounds_{};  // of groves
};

}  // namespace throng::detail
