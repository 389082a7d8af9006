#include "throng/reports.hpp"

#include <array>
#include <cstddef>

#include "base/kernels.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// Hands on parts, some at a time.
class Parts {
public:
    Parts(const FrameState& frame, const AnyVisitor<FramePart>& visitor) noexcept
        : frame_(frame), visitor_(visitor) {}

    void visit() {
        const std::uint32_t regions = frame_.map.has_cells() ? frame_.map.regions() : 0;
        for (std::uint32_t r = 0; r < regions && goes_on_; ++r) visit_region(r);
        if (frame_.view.groves == nullptr)
            visit_nodes(frame_.view.nodes, frame_.view.node_count, 0);
        else
            visit_crown();
        hand_on();
    }

private:
    void add(const FramePart& part) {
        if (count_ == parts_.size()) hand_on();
        parts_[count_++] = part;
    }
    void hand_on() {
        if (goes_on_ && count_ != 0) goes_on_ = visitor_(parts_.data(), count_);
        count_ = 0;
    }

    // --- Grids ---

    void visit_region(std::uint32_t region) {
        const simd::Grid& grid = frame_.map.grid_of_region(region);
        const std::uint32_t first = frame_.map.first_row(region), depth = depth_of(region);
        if (region != 0) add_island(region, depth);
        for (std::uint32_t row = 0; row < frame_.map.rows_of(region) && goes_on_; ++row)
            add({place_of_row(grid, row % grid.rows, frame_.rows[first + row]), depth,
                 common_agents_in(frame_.rows[first + row]), grid.columns, FramePartKind::row});
    }
    std::uint32_t depth_of(std::uint32_t region) const noexcept {
        if (region == 0) return 0;
        std::uint32_t depth = 1;
        for (const simd::Island* around = frame_.islands[region - 1].parent; around != nullptr;
             around = around->parent)
            ++depth;
        return depth;
    }
    void add_island(std::uint32_t region, std::uint32_t depth) {
        add({box_of(frame_.islands[region - 1].bounds), depth, agents_on(region), 0, FramePartKind::island});
    }
    // With those on its own islands.
    std::uint32_t agents_on(std::uint32_t region) const noexcept {
        std::uint32_t agents = 0;
        const std::uint32_t first = frame_.map.first_row(region);
        for (std::uint32_t row = 0; row < frame_.map.rows_of(region); ++row)
            agents += common_agents_in(frame_.rows[first + row]);
        for (std::uint32_t inner = region + 1; inner < frame_.map.regions(); ++inner)
            if (frame_.islands[inner - 1].parent == &frame_.islands[region - 1]) agents += agents_on(inner);
        return agents;
    }
    // The one cell of a grid for few agents is nowhere.
    static Box place_of_row(const simd::Grid& grid, std::uint32_t row, const simd::Row& data) noexcept {
        if (grid.columns == 1 && grid.rows == 1) return bounds_of(data);
        const float width = 1 / grid.inverse_width, height = 1 / grid.inverse_height;
        const auto low_of = [&](std::uint32_t r) { return grid.origin_y + static_cast<float>(r) * height; };
        return {grid.origin_x, low_of(row), grid.origin_x + static_cast<float>(grid.columns) * width,
                low_of(row + 1)};
    }
    static Box bounds_of(const simd::Row& row) noexcept {
        Box all = no_box;
        const RowArrays arrays(row);
        for_each_slot(row, 0, row.count, [&](std::uint32_t i) { all = all.united(arrays.box(i)); });
        return all;
    }

    // --- The tree ---

    // Calls visit(n, depth) for nodes in preorder, below `depth` others.
    template <class Visit>
    void for_each_node(const simd::Node* nodes, std::uint32_t count, std::uint32_t depth,
                       const Visit& visit) const {
        std::array<std::uint32_t, deepest> ends;
        std::uint32_t around = 0;
        for (std::uint32_t n = 0; n < count && goes_on_; ++n) {
            while (around != 0 && ends[around - 1] <= n) --around;
            visit(n, depth + around);
            if (around != deepest) ends[around++] = nodes[n].next;
        }
    }
    // The numbers in the nodes are those of agents.
    void visit_nodes(const simd::Node* nodes, std::uint32_t count, std::uint32_t depth) {
        for_each_node(nodes, count, depth, [&](std::uint32_t n, std::uint32_t at) {
            add(part_of(nodes[n], at, nodes[n].end - nodes[n].begin));
        });
    }
    // The leaves are groves.
    void visit_crown() {
        const simd::Node* const nodes = frame_.view.nodes;
        for_each_node(nodes, frame_.view.node_count, 0, [&](std::uint32_t n, std::uint32_t depth) {
            const simd::Grove &first = frame_.groves[nodes[n].begin], &last = frame_.groves[nodes[n].end - 1];
            if (nodes[n].next == n + 1)
                visit_nodes(first.nodes, first.node_count, depth);
            else
                add(part_of(nodes[n], depth, last.first + last.oversized.count - first.first));
        });
    }
    static FramePart part_of(const simd::Node& node, std::uint32_t depth, std::uint32_t agents) noexcept {
        return {box_of(node), depth, agents, 0, FramePartKind::node};
    }

    static constexpr std::uint32_t deepest = 64;  // no tree has as many levels
    const FrameState& frame_;
    const AnyVisitor<FramePart>& visitor_;
    std::array<FramePart, 64> parts_;
    std::size_t count_ = 0;
    bool goes_on_ = true;
};

}  // namespace

Status Frame::visit_parts(AnyVisitor<FramePart> visitor) const {
    if (state_ == nullptr) return failure_;
    Parts(*state_, visitor).visit();
    return {};
}

}  // namespace throng
