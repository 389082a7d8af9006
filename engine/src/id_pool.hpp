// Which ids are free. The lowest free one is found through a second level of bits, one for every 64 words, so
// that handing out ids stays cheap in a world with millions of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "throng/buffer.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

class IdPool {
public:
    explicit IdPool(std::pmr::memory_resource* memory) noexcept : words_(memory), groups_(memory) {}

    // One more than the largest id ever handed out since the last reset.
    std::size_t bound() const noexcept { return bound_; }
    std::size_t bytes() const noexcept { return words_.bytes() + groups_.bytes(); }

    // The ids [0, count) are in use, all others free. Needs no memory.
    void reset(std::size_t count) noexcept {
        words_.clear();
        groups_.clear();
        bound_ = count;
        free_ = 0;
    }
    // Room so that giving back, and taking up to `more` ids, cannot fail.
    [[nodiscard]] bool reserve(std::size_t more) noexcept {
        const std::size_t words = (bound_ + more + 63) / 64, groups = (words + 63) / 64;
        return words_.resize(std::max(words, words_.size()), std::uint64_t{0}) &&
               groups_.resize(std::max(groups, groups_.size()), std::uint64_t{0});
    }
    // The id that the next take() hands out.
    AgentId lowest() const noexcept {
        if (free_ == 0) return static_cast<AgentId>(bound_);
        std::size_t g = lowest_group_;
        while (groups_[g] == 0) ++g;
        const std::size_t word = g * 64 + static_cast<std::size_t>(std::countr_zero(groups_[g]));
        return static_cast<AgentId>(word * 64 + static_cast<std::size_t>(std::countr_zero(words_[word])));
    }
    AgentId take() noexcept {
        const AgentId id = lowest();
        if (id == bound_)
            ++bound_;
        else {
            lowest_group_ = id / 4096;  // there is nothing free below
            clear(id);
        }
        return id;
    }
    void give_back(AgentId id) noexcept {
        if (is_free(id)) return;
        if (free_++ == 0 || id / 4096 < lowest_group_) lowest_group_ = id / 4096;
        words_[id / 64] |= std::uint64_t{1} << id % 64;
        groups_[id / 4096] |= std::uint64_t{1} << id / 64 % 64;
    }
    // Marks an id below the bound as used again.
    void take_back(AgentId id) noexcept { clear(id); }
    // Forgets the ids at and above a lower bound.
    void shrink(std::size_t bound) noexcept {
        for (std::size_t id = bound; id < bound_; ++id) clear(static_cast<AgentId>(id));
        bound_ = bound;
    }

    bool is_free(AgentId id) const noexcept {
        return id / 64 < words_.size() && (words_[id / 64] >> id % 64 & 1) != 0;
    }

private:
    void clear(AgentId id) noexcept {
        if (!is_free(id)) return;
        --free_;
        std::uint64_t& word = words_[id / 64];
        word &= ~(std::uint64_t{1} << id % 64);
        if (word == 0) groups_[id / 4096] &= ~(std::uint64_t{1} << id / 64 % 64);
    }

    Buffer<std::uint64_t> words_;   // a bit for every free id below the bound
    Buffer<std::uint64_t> groups_;  // a bit for every word that has one
    std::size_t bound_ = 0;
    std::size_t free_ = 0;
    std::size_t lowest_group_ = 0;  // no lower group has a free id, if any is free
};

}  // namespace throng::detail
