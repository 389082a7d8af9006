// Leaf order: the ids of all elements, leaf by leaf or cell by cell instead of in the order of insertion. If
// you run a query for each element, run them in this order: neighbours read the same leaves, which are still
// in the cache from the query before. In a crowd of a million with ids in random order this is two to six
// times as fast; if the world fits into the cache, the gain is small (structures/docs/choosing.md has the
// figures).
//
//     using namespace throng::structures;
//     LeafOrder order;
//     if (!order.update(index)) return out_of_memory;
//     for (ElementId id : order.ids())
//         status = index.for_each_overlap(sight(id), [&](ElementId other) { ... }, id);
//
// The order need not be updated in every frame: it decays only as fast as elements mix.
#pragma once

#include <cstddef>
#include <span>

#include "throng/memory.hpp"
#include "throng/structures/detail/names.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::structures {

class LeafOrder {
public:
    explicit LeafOrder(MemoryResource* memory = nullptr) noexcept : ids_(memory) {}

    // Returns false and changes nothing if there is no memory.
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

}  // namespace throng::structures
