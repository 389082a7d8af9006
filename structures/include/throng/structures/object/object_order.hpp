// ObjectOrder: sorts the values of a new tree by node, in preorder of the tree, with an LSD radix sort. So a
// node's own values lie side by side, followed by everything below it. It keeps the boxes meanwhile, so the
// host's GetBox is called only once for each value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "throng/compiler.hpp"
#include "throng/memory.hpp"
#include "throng/structures/detail/names.hpp"
#include "throng/structures/object/object_grid.hpp"

namespace throng::structures::detail {

template <class Float>
class ObjectOrder {
public:
    using Box = ObjectBox<Float>;

    explicit ObjectOrder(MemoryResource* memory = nullptr) noexcept
        : boxes_(memory), entries_(memory), other_(memory) {}

    [[nodiscard]] bool resize(std::size_t count) noexcept {
        return boxes_.resize_exactly(count) && entries_.resize_exactly(count) && other_.resize_exactly(count);
    }
    std::size_t size() const noexcept { return entries_.size(); }
    std::size_t bytes() const noexcept { return boxes_.bytes() + entries_.bytes() + other_.bytes(); }

    void put(std::size_t at, const Box& box, const typename ObjectGrid<Float>::Place& place) noexcept {
        // Paths have at most 28 bits, depths 4.
        entries_[at] = std::uint64_t{place.path << depth_bits | place.depth} << 32 | at;
        boxes_[at] = box;
    }
    const Box& box(std::size_t source) const noexcept { return boxes_[source]; }
    // By rank in the sorted order: the index of the value, and its place.
    std::size_t source(std::size_t rank) const noexcept {
        return static_cast<std::size_t>(entries_[rank] & 0xFFFFFFFFu);
    }
    std::uint32_t depth(std::size_t rank) const noexcept {
        return static_cast<std::uint32_t>(entries_[rank] >> 32) & ((1u << depth_bits) - 1);
    }
    std::uint32_t path(std::size_t rank) const noexcept {
        return static_cast<std::uint32_t>(entries_[rank] >> (32 + depth_bits));
    }

    // Prefetches a box that is about to be read.
    void expect(std::size_t rank) const noexcept {
        if (rank < size()) THRONG_PREFETCH(&boxes_[source(rank)]);
    }

    // Sorts by `path_bits` bits of the path, then by depth. The sort is stable.
    void sort(unsigned path_bits) noexcept {
        for (unsigned done = 0; done < path_bits + depth_bits; done += digit_bits) {
            std::uint32_t ends[1u << digit_bits] = {};
            const unsigned shift = 32 + done;
            for (std::size_t i = 0; i < size(); ++i) ++ends[entries_[i] >> shift & digit_mask];
            std::uint32_t sum = 0;
            for (std::uint32_t& end : ends) sum += std::exchange(end, sum);
            for (std::size_t i = 0; i < size(); ++i)
                other_[ends[entries_[i] >> shift & digit_mask]++] = entries_[i];
            entries_.swap(other_);
        }
    }
    // The partition point: the first rank in [begin, end) for which `before(rank)` does not hold.
    template <class Before>
    static std::uint32_t first_not(std::uint32_t begin, std::uint32_t end, Before&& before) {
        while (begin < end) {
            const std::uint32_t middle = begin + (end - begin) / 2;
            if (before(middle))
                begin = middle + 1;
            else
                end = middle;
        }
        return begin;
    }

private:
    static constexpr unsigned depth_bits = 4, digit_bits = 11;
    static constexpr std::uint32_t digit_mask = (1u << digit_bits) - 1;

    Buffer<Box> boxes_;
    Buffer<std::uint64_t> entries_, other_;
};

}  // namespace throng::structures::detail
