// What some hundred boxes have in common; mostly nothing else has to be known of each. Floats that are not
// negative have the order of their bits. So integers are compared, and a compiler makes vectors of that.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cluster/src/messages/summary.hpp"
#include "cluster/src/partition/plane.hpp"
#include "cluster/src/world/sizes.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::cluster::detail {

inline constexpr std::size_t block_of_boxes = 256;

// These boxes as an array.
inline std::span<const Box> block_at(const Box* boxes, std::size_t begin, std::size_t end,
                                     std::array<Box, block_of_boxes>&) noexcept {
    return {boxes + begin, end - begin};
}
template <class View>
std::span<const Box> block_at(const View& boxes, std::size_t begin, std::size_t end,
                              std::array<Box, block_of_boxes>& room) noexcept {
    for (std::size_t i = begin; i < end; ++i) room[i - begin] = boxes[i];
    return {room.data(), end - begin};
}

class BlockOfBoxes {
public:
    explicit BlockOfBoxes(std::span<const Box> boxes) noexcept {
        std::int32_t least = infinite, largest = 0, farthest = 0, all = 0, odd = 0;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const Box& box = boxes[i];
            const Point centre = box.centre();
            const float right = box.max_x - centre.x, left = centre.x - box.min_x;
            const float up = box.max_y - centre.y, down = centre.y - box.min_y;
            const float wide = right < left ? left : right, high = up < down ? down : up;
            const std::int32_t half = bits(wide < high ? high : wide);
            least = half < least ? half : least;
            largest = larger(largest, half);
            all |= (bits(right) | bits(left)) | (bits(up) | bits(down));
            odd |= bits((centre.x - centre.x) + (centre.y - centre.y));
            farthest =
                larger(farthest, larger(bits(centre.x) & unsigned_bits, bits(centre.y) & unsigned_bits));
        }
        least_ = std::bit_cast<float>(least);
        largest_ = std::bit_cast<float>(largest);
        seems_legal_ = all >= 0 && odd == 0;
        farthest_ = std::bit_cast<float>(farthest);
    }

    // In a box that is the wrong way round a half is negative; in one that is not finite the centre is no
    // number. Some tiny legal boxes also have such halves.
    bool seems_legal() const noexcept { return seems_legal_; }
    // Half the size of the largest.
    float largest() const noexcept { return largest_; }
    // No coordinate is above this, without its sign.
    double largest_place() const noexcept { return double{farthest_} + double{largest_}; }
    void add_sizes(std::span<const Box> boxes, std::array<SizeClass, size_classes>& sizes) const noexcept {
        const std::size_t first = size_class(least_);
        if (seems_legal_ && first == size_class(largest_)) return add(sizes[first], boxes.size(), largest_);
        for (const Box& box : boxes) {
            const float half = half_extent(box);
            add(sizes[size_class(half)], 1, half);
        }
    }

private:
    static constexpr std::int32_t infinite = 0x7F800000, unsigned_bits = 0x7FFFFFFF;
    static std::int32_t bits(float value) noexcept { return std::bit_cast<std::int32_t>(value); }
    static std::int32_t larger(std::int32_t a, std::int32_t b) noexcept { return a < b ? b : a; }
    static void add(SizeClass& size, std::size_t count, float half) noexcept {
        size.count += count;
        size.largest = std::max(size.largest, double{half});
    }

    float least_ = 0, largest_ = 0;  // half extents
    float farthest_ = 0;             // coordinate of a centre
    bool seems_legal_ = true;
};

// Calls `call(i)` for those of a block that meet a test, which are few. The test has no branch.
template <class Test, class Call>
void for_each_found(std::span<const Box> boxes, const Test& test, const Call& call) noexcept {
    std::array<std::uint32_t, block_of_boxes> found;
    std::uint32_t any = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        found[i] = test(boxes[i]);
        any |= found[i];
    }
    for (std::size_t i = 0; any != 0 && i < boxes.size(); ++i)
        if (found[i] != 0) call(i);
}
inline bool reaches_out(const Box& domain, const Box& box) noexcept {
    return static_cast<bool>((box.min_x < domain.min_x) | (box.max_x > domain.max_x) |
                             (box.min_y < domain.min_y) | (box.max_y > domain.max_y));
}

// Which agents may leave a rank, or be ghosts of another one: those that reach out of a box deep inside of
// its part, and giants. All that have their centre outside of the part are among them.
struct Border {
    Plane plane;
    Box deep;
    Sizes sizes;
    bool is_any = true;

    // Adds the places of such boxes of one block, whose first box has the place `begin`. False without
    // memory.
    bool list(std::span<const Box> block, const BlockOfBoxes& all, std::size_t begin,
              throng::detail::Buffer<std::uint32_t>& to) const noexcept {
        bool has_memory = true;
        const auto add = [&](std::size_t k) {
            // Where the host does not fold its boxes, most that seem to be outside are not.
            if (plane.wraps() && !reaches_out(deep, plane.folded(block[k])) && !sizes.is_giant(block[k]))
                return;
            has_memory = to.push_back(static_cast<std::uint32_t>(begin + k)) && has_memory;
        };
        if (double{all.largest()} > sizes.common)
            for_each_found(
                block, [&](const Box& box) { return reaches_out(deep, box) || sizes.is_giant(box); }, add);
        else
            for_each_found(
                block, [&](const Box& box) { return reaches_out(deep, box); }, add);
        return has_memory;
    }
};

}  // namespace throng::cluster::detail
