// Leaf order: the ids of all elements, leaf by leaf or cell by cell instead of by the order in which
// they were inserted. Who asks a query for each element should ask in this order: neighbours ask
// about the same leaves, so these are in the cache from the query before. In a crowd of a million
// whose ids are in random order that is worth two to six times, in one that fits into a cache little
// (docs/choosing.md has the figures).
//
//     throng::LeafOrder order;
//     if (!order.update(index)) return out_of_memory;
//     for (throng::ElementId id : order.ids())
//         status = index.for_each_overlap(sight(id), [&](throng::ElementId other) { ... }, id);
//
// The order need not be made anew in every frame: it grows stale only as fast as elements mix.
#pragma once

#include <cstddef>
#include <span>

#include "throng/containers/buffer.hpp"
#include "throng/memory.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng {

class LeafOrder {
public:
    explicit LeafOrder(MemoryResource* memory = nullptr) noexcept : ids_(memory) {}

    // False, and nothing has changed, if there is no memory.
    template <SpatialIndex Index>
    [[nodiscard]] bool update(const Index& index) noexcept {
        if (!ids_.resize(index.size())) return false;
        std::size_t count = 0;
        index.for_each_element([&](ElementId id) { ids_[count++] = id; });
        return true;
    }
    std::span<const ElementId> ids() const noexcept { return {ids_.data(), ids_.size()}; }
    std::size_t bytes() const noexcept { return ids_.bytes(); }

private:
    detail::Buffer<ElementId> ids_;
};

}  // namespace throng
