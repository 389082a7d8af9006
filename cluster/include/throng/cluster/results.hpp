// The results of queries. Like those of the engine they own their memory and keep it between calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>

#include "throng/cluster/status.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::cluster {

namespace detail {
struct ListsInside;
struct PairsInside;
}  // namespace detail

// Two agents, `a` with the lower id. The places are those in `owned()`, and then in `ghosts()`: an agent is a
// ghost if its place is at least `owned().size()`. If the host keeps its agents, the place of `a` is that in
// this rank's arrays, and that of `b` is `no_place`.
struct ClusterPair {
    static constexpr std::uint32_t no_place = 0xFFFFFFFF;

    GlobalId a = 0, b = 0;
    std::uint32_t a_place = 0, b_place = 0;
    friend constexpr bool operator==(const ClusterPair&, const ClusterPair&) = default;
};

// An agent, and the fraction of the movement at which a cast touches it: infinite without an agent.
struct ClusterHit {
    GlobalId id = 0;
    float fraction = std::numeric_limits<float>::infinity();
    std::uint32_t is_found = 0;

    constexpr bool found() const noexcept { return is_found != 0; }
    friend constexpr bool operator==(const ClusterHit&, const ClusterHit&) = default;
};

// Pairs of agents, which are read as ClusterPair. A list of `pairs` keeps the two places of each, and reads
// the ids in `owned()` and `ghosts()`: so it lives as long as these, until the next `update`. Copy what you
// need longer. The order of two places says nothing of the ids, unless the list is sorted.
class PairList {
public:
    explicit PairList(MemoryResource* memory = nullptr) noexcept : places_(memory), apart_(memory) {}

    class Iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = ClusterPair;
        using difference_type = std::ptrdiff_t;
        using pointer = const ClusterPair*;
        using reference = ClusterPair;

        Iterator() noexcept = default;
        Iterator(const PairList& list, std::size_t at) noexcept : list_(&list), at_(at) {}
        ClusterPair operator*() const noexcept { return (*list_)[at_]; }
        Iterator& operator++() noexcept {
            ++at_;
            return *this;
        }
        Iterator operator++(int) noexcept { return {*list_, at_++}; }
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        const PairList* list_ = nullptr;
        std::size_t at_ = 0;
    };

    std::size_t size() const noexcept { return places_.size() + apart_.size(); }
    bool empty() const noexcept { return size() == 0; }
    ClusterPair operator[](std::size_t i) const noexcept {
        return apart_.size() != 0 ? apart_[i] : as_read(places_[i]);
    }
    Iterator begin() const noexcept { return {*this, 0}; }
    Iterator end() const noexcept { return {*this, size()}; }
    // The two places of each pair, for loops that need no ids. Pairs of `pairs_with`, and all pairs if agents
    // stay, have no two places on one rank: they are in `apart`.
    std::span<const Pair> places() const noexcept { return {places_.data(), places_.size()}; }
    std::span<const ClusterPair> apart() const noexcept { return {apart_.data(), apart_.size()}; }
    // By `a`, then by `b`.
    THRONG_API void sort() noexcept;
    void clear() noexcept {
        places_.clear();
        apart_.clear();
    }
    std::size_t bytes() const noexcept { return places_.bytes() + apart_.bytes(); }

private:
    friend class ClusterEngine;
    friend struct detail::PairsInside;
    ClusterPair as_read(const Pair& pair) const noexcept {
        const GlobalId a = ids_[pair.a], b = ids_[pair.b];
        return a < b ? ClusterPair{a, b, pair.a, pair.b} : ClusterPair{b, a, pair.b, pair.a};
    }

    throng::detail::Buffer<Pair> places_;
    const GlobalId* ids_ = nullptr;              // by place
    throng::detail::Buffer<ClusterPair> apart_;  // instead of places
};

// Lists of agents, one for each agent or query in the caller's order.
class Lists {
public:
    explicit Lists(MemoryResource* memory = nullptr) noexcept
        : offsets_(memory), ids_(memory), numbers_(memory) {}

    std::size_t size() const noexcept { return offsets_.size() == 0 ? 0 : offsets_.size() - 1; }
    bool empty() const noexcept { return size() == 0; }
    std::span<const GlobalId> operator[](std::size_t list) const noexcept { return part(ids_, list); }
    // For the same agents, if they were asked for.
    std::span<const float> squared_distances(std::size_t list) const noexcept { return part(numbers_, list); }
    // When a cast touches them, as fractions of its movement.
    std::span<const float> fractions(std::size_t list) const noexcept { return part(numbers_, list); }
    std::span<const std::uint64_t> offsets() const noexcept { return {offsets_.data(), offsets_.size()}; }
    std::span<const GlobalId> ids() const noexcept { return {ids_.data(), ids_.size()}; }
    // Distances or fractions of all lists.
    std::span<const float> numbers() const noexcept { return {numbers_.data(), numbers_.size()}; }
    void clear() noexcept {
        offsets_.clear();
        ids_.clear();
        numbers_.clear();
    }
    std::size_t bytes() const noexcept { return offsets_.bytes() + ids_.bytes() + numbers_.bytes(); }

private:
    friend class ClusterEngine;
    friend struct detail::ListsInside;
    template <class T>
    std::span<const T> part(const throng::detail::Buffer<T>& all, std::size_t list) const noexcept {
        if (list >= size() || all.size() == 0) return {};
        return {all.data() + offsets_[list], static_cast<std::size_t>(offsets_[list + 1] - offsets_[list])};
    }

    throng::detail::Buffer<std::uint64_t> offsets_;
    throng::detail::Buffer<GlobalId> ids_;
    throng::detail::Buffer<float> numbers_;
};

}  // namespace throng::cluster
