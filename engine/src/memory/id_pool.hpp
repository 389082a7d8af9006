// The set of free ids. The lowest free id is given out first; the set is a HierarchicalBitset, so finding it
// takes a few steps even with many millions of ids.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/bits/hierarchical_bitset.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

class IdPool {
public:
    explicit IdPool(MemoryResource* memory) noexcept : free_(memory) {}

    // One more than the largest id given out since the last reset.
    std::size_t bound() const noexcept { return bound_; }
    std::size_t bytes() const noexcept { return free_.bytes(); }

    // The ids [0, count) are in use, all others free. Needs no memory.
    void reset(std::size_t count) noexcept {
        free_.clear();
        free_count_ = 0;
        bound_ = count;
    }
    // How many of the next `count` ids will be new, at or above the bound.
    std::size_t new_among(std::size_t count) const noexcept {
        return count > free_count_ ? count - free_count_ : 0;
    }
    // Calls `visit(id)` with the next `count` free ids below the bound, or fewer if there are fewer, until it
    // returns false. Returns whether it never did.
    template <class Visit>
    [[nodiscard]] bool for_each_next(std::size_t count, Visit&& visit) const noexcept {
        std::size_t id = free_.find_next(none_below_);
        for (; count != 0 && id != free_.npos; --count, id = free_.find_next(id + 1))
            if (!visit(id)) return false;
        return true;
    }
    // Makes room so that freeing ids, and taking up to `more` ids, cannot fail.
    [[nodiscard]] bool reserve(std::size_t more) noexcept {
        return free_.resize(std::max(free_.size(), bound_ + more));
    }
    // Makes room so that after a reset to `ids` ids any of them can be freed.
    [[nodiscard]] bool reserve_all(std::size_t ids) noexcept {
        return free_.resize(std::max(free_.size(), ids));
    }
    // The id that the next take() returns.
    AgentId lowest() const noexcept {
        return static_cast<AgentId>(free_.none() ? bound_ : free_.find_next(none_below_));
    }
    AgentId take() noexcept {
        const AgentId id = lowest();
        if (id == bound_) {
            ++bound_;
        } else {
            free_.reset(id);
            --free_count_;
            none_below_ = id;
        }
        return id;
    }
    void give_back(AgentId id) noexcept {
        if (free_.test(id)) return;
        free_.set(id);
        ++free_count_;
        none_below_ = std::min<std::size_t>(none_below_, id);
    }
    // All ids below the bound are free; needs reserved room.
    void give_back_all() noexcept {
        free_.set_range(0, bound_);
        free_count_ = bound_;
        none_below_ = 0;
    }
    template <class Visit>
    void for_each_free(Visit&& visit) const noexcept {
        free_.for_each_in(0, bound_, visit);
    }
    // Marks an id below the bound as used again.
    void take_back(AgentId id) noexcept {
        if (!free_.test(id)) return;
        free_.reset(id);
        --free_count_;
    }
    // Forgets the ids at and above a lower bound.
    void shrink(std::size_t bound) noexcept {
        free_count_ -= free_.count_in(bound, bound_);
        free_.reset_range(bound, bound_);
        bound_ = bound;
    }

    bool is_free(AgentId id) const noexcept { return free_.test(id); }

private:
    HierarchicalBitset free_;  // below the bound; those at and above it are free without a bit
    std::size_t bound_ = 0;
    std::size_t free_count_ = 0;  // below the bound
    std::size_t none_below_ = 0;  // no lower id is free, so consecutive ids are taken without a search
};

}  // namespace throng::detail
