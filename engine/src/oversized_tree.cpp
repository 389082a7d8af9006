#include "engine/src/oversized_tree.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/src/grid.hpp"
#include "engine/src/row_labels.hpp"
#include "engine/src/row_layout.hpp"
#include "engine/src/work_spaces.hpp"
#include "throng/structures/detail/morton.hpp"

namespace throng::detail {

namespace {

constexpr unsigned bits = 16;  // of a coordinate on the curve, which is how deep the tree can be

// Where a centre is on the curve that visits quadrant after quadrant. The square that is divided is that of
// the grid; who is outside is at its edge.
class Curve {
public:
    explicit Curve(const simd::Grid& g) noexcept
        : grid_(g),
          scale_x_(g.inverse_width / static_cast<float>(g.columns) * float{1 << bits}),
          scale_y_(g.inverse_height / static_cast<float>(g.rows) * float{1 << bits}) {}

    std::uint64_t operator()(const Box& r) const noexcept {
        constexpr float last = (1 << bits) - 1;
        const float x = r.min_x * 0.5f + r.max_x * 0.5f, y = r.min_y * 0.5f + r.max_y * 0.5f;
        return interleaved(place(x, grid_.origin_x, scale_x_, last),
                           place(y, grid_.origin_y, scale_y_, last));
    }

private:
    const simd::Grid& grid_;
    float scale_x_, scale_y_;
};

}  // namespace

bool OversizedTree::build(FrameState& frame) noexcept {
    frame.oversized.clear();
    frame.nodes.clear();
    frame.view.oversized = {};
    frame.view.nodes = nullptr;
    frame.view.node_count = 0;
    if (!gather(frame)) return false;
    if (keys_.size() == 0) return true;
    if (!sort() || !emit(frame) || !split(frame.nodes)) return false;
    keep_ample(frame.nodes, frame.nodes.size());
    link(frame.nodes);
    bound(frame);
    frame.view.nodes = frame.nodes.data();
    frame.view.node_count = static_cast<std::uint32_t>(frame.nodes.size());
    return true;
}

bool OversizedTree::gather(const FrameState& frame) noexcept {
    std::size_t count = 0;
    for (const simd::Row& row : frame.rows) count += row.oversized;
    labels_.clear();
    keys_.clear();
    row_of_.clear();
    if (count == 0) return true;
    if (frame.labelled && !reserve_amply(labels_, count)) return false;
    if (!reserve_amply(row_of_, count) || !reserve_amply(keys_, count) ||
        !resize_by_rows(frame.map, first_of_row_, frame.rows.size()))
        return false;
    const Curve curve(frame.view.grid);
    for (std::size_t r = 0; r < frame.rows.size(); ++r) {
        const simd::Row& row = frame.rows[r];
        first_of_row_[r] = static_cast<std::uint32_t>(keys_.size());
        if (row.oversized == 0) continue;
        const RowArrays a(row);
        for (std::uint32_t i = oversized_begin(row); i < oversized_begin(row) + row.oversized; ++i) {
            (void)keys_.push_back(curve(a.box(i)) << 32 | keys_.size());
            (void)row_of_.push_back(static_cast<std::uint16_t>(r));
            if (frame.labelled) (void)labels_.push_back(RowLabels(row).label(i));
        }
    }
    return true;
}

// By place on the curve, and where that is the same by the order of the rows.
bool OversizedTree::sort() noexcept {
    constexpr std::size_t few = 1024;
    if (keys_.size() <= few) {
        std::sort(keys_.begin(), keys_.end());
        return true;
    }
    constexpr unsigned digit = 11;
    if (!resize_amply(other_keys_, keys_.size())) return false;
    for (unsigned shift = 32; shift < 64; shift += digit) {
        std::array<std::uint32_t, (1 << digit) + 1> starts{};
        const auto digit_of = [&](std::uint64_t key) { return key >> shift & ((1 << digit) - 1); };
        for (const std::uint64_t key : keys_) ++starts[digit_of(key) + 1];
        for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
        for (const std::uint64_t key : keys_) other_keys_[starts[digit_of(key)]++] = key;
        std::swap(keys_, other_keys_);
    }
    return true;
}

bool OversizedTree::emit(FrameState& frame) noexcept {
    const std::size_t count = keys_.size();
    const RowLayout layout(count, 0, frame.labelled);
    const std::size_t stride = layout.stride;
    if (!resize_amply(frame.oversized, arrays_of_a_row(frame.labelled) * stride)) return false;
    float* data = frame.oversized.data();
    auto* ids = reinterpret_cast<std::uint32_t*>(data + 4 * stride);
    for (std::size_t k = 0; k < 5; ++k)
        std::fill(data + k * stride + count, data + (k + 1) * stride,
                  std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < count; ++i) {
        const auto number = static_cast<std::uint32_t>(keys_[i]);
        const std::uint16_t r = row_of_[number];
        const simd::Row& row = frame.rows[r];
        const float* from = row.data + oversized_begin(row) + (number - first_of_row_[r]);
        for (std::size_t k = 0; k < 4; ++k) data[k * stride + i] = from[k * row.stride];
        std::memcpy(&ids[i], from + std::size_t{4} * row.stride, sizeof(AgentId));
    }
    if (frame.labelled) emit_labels(ids + stride, stride);
    frame.view.oversized = {data, nullptr, layout.stride, static_cast<std::uint32_t>(count), 0};
    return true;
}

// Both arrays, with zeros behind the last.
void OversizedTree::emit_labels(std::uint32_t* categories, std::size_t stride) const noexcept {
    std::fill_n(categories, 2 * stride, 0u);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
        const Label& label = labels_[keys_[i] & 0xFFFFFFFFu];
        categories[i] = label.categories;
        categories[stride + i] = label.group;
    }
}

// Where the keys of a range reach a place on the curve.
std::uint32_t OversizedTree::first_with(std::uint64_t key, std::uint32_t begin,
                                        std::uint32_t end) const noexcept {
    return static_cast<std::uint32_t>(std::lower_bound(keys_.begin() + begin, keys_.begin() + end, key) -
                                      keys_.begin());
}

// Makes the nodes, in preorder. Quadrants that hold everything of the one around them get no node of their
// own.
bool OversizedTree::split(Buffer<simd::Node>& nodes) noexcept {
    struct Range {
        std::uint32_t begin, end, depth;
        unsigned shift;  // of the two bits that say which quadrant
    };
    std::array<Range, 3 * bits + 1> waiting;
    std::size_t count = 0;
    waiting[count++] = {0, static_cast<std::uint32_t>(keys_.size()), 0, 32 + 2 * bits};
    while (count != 0) {
        Range range = waiting[--count];
        std::array<std::uint32_t, 5> edges{range.begin, range.end, range.end, range.end, range.end};
        unsigned parts = 1;
        while (range.end - range.begin > leaf_size && range.shift > 32 && parts == 1) {
            range.shift -= 2;
            const std::uint64_t whole = keys_[range.begin] >> range.shift >> 2 << range.shift << 2;
            parts = 0;
            for (std::uint64_t quadrant = 1; quadrant <= 4; ++quadrant) {
                const std::uint32_t from = edges[parts];
                const std::uint32_t to = quadrant == 4
                                             ? range.end
                                             : first_with(whole + (quadrant << range.shift), from, range.end);
                if (to != from) edges[++parts] = to;
            }
        }
        const bool added =
            nodes.push_back({.begin = range.begin, .end = range.end, .next = 0, .categories = range.depth});
        if (!added) return false;
        for (unsigned part = parts; parts > 1 && part-- > 0;)
            waiting[count++] = {edges[part], edges[part + 1], range.depth + 1, range.shift};
    }
    return true;
}

// What follows a subtree is the next node that is not deeper. Until the bounds are known, a node's
// categories stand for its depth.
void OversizedTree::link(Buffer<simd::Node>& nodes) noexcept {
    std::array<std::uint32_t, bits + 1> next;
    next.fill(static_cast<std::uint32_t>(nodes.size()));
    for (std::size_t i = nodes.size(); i-- > 0;) {
        simd::Node& node = nodes[i];
        node.next = next[node.categories];
        std::fill(next.begin() + node.categories, next.end(), static_cast<std::uint32_t>(i));
    }
}

// Children stand behind their parent, so from the last to the first their bounds are there when they are
// needed.
void OversizedTree::bound(FrameState& frame) noexcept {
    const RowArrays a(frame.view.oversized);
    const RowLabels list(frame.view.oversized);
    Buffer<simd::Node>& nodes = frame.nodes;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        simd::Node& node = nodes[i];
        constexpr float far = std::numeric_limits<float>::infinity();
        float low_x = far, low_y = far, high_x = far, high_y = far;  // the last two negated
        std::uint32_t categories = 0;
        const auto add = [&](float min_x, float min_y, float negated_x, float negated_y) {
            low_x = std::min(low_x, min_x);
            low_y = std::min(low_y, min_y);
            high_x = std::min(high_x, negated_x);
            high_y = std::min(high_y, negated_y);
        };
        if (node.next == i + 1)
            for (std::uint32_t k = node.begin; k < node.end; ++k)
                add(a.min_x[k], a.min_y[k], -a.max_x[k], -a.max_y[k]);
        else
            for (std::size_t child = i + 1; child < node.next; child = nodes[child].next) {
                add(nodes[child].min_x, nodes[child].min_y, nodes[child].negated_max_x,
                    nodes[child].negated_max_y);
                categories |= nodes[child].categories;
            }
        if (!frame.labelled)
            categories = simd::default_category;
        else if (node.next == i + 1)
            for (std::uint32_t k = node.begin; k < node.end; ++k) categories |= list.categories[k];
        node.categories = categories;
        node.min_x = low_x;
        node.min_y = low_y;
        node.negated_max_x = high_x;
        node.negated_max_y = high_y;
    }
}

}  // namespace throng::detail
