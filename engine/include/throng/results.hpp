// The results of queries. `Hits`, `HitsAsFound` and `PairList` own their memory and keep it between calls: reuse one every
// frame, and nothing is allocated once it has grown to size. Calls that write into the host's memory return a
// `Filled` instead, which tells how much there was even if not all of it fitted. A moved-from result is empty
// and may be filled again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "throng/containers/buffer.hpp"
#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng {

// The outcome of a call that fills the host's memory: how many answers there are in all, and how many of them
// fitted and were written. None of these results converts to bool, so an `if` cannot mistake "the call
// succeeded" for "something was found".
struct [[nodiscard]] Filled {
    Status status;
    std::uint64_t total = 0;
    std::uint64_t written = 0;

    bool truncated() const noexcept { return written < total; }
};

// The outcome of a call that counts.
struct [[nodiscard]] Count {
    Status status;
    std::uint64_t total = 0;
};

// The outcome of a call that looks for any answer.
struct [[nodiscard]] Found {
    Status status;
    bool found = false;

    // A query that failed says neither, so a line of sight from a NaN is not free: `if (frame.blocked(sight).no())`.
    constexpr bool yes() const noexcept { return status.ok() && found; }
    constexpr bool no() const noexcept { return status.ok() && !found; }
};

// The answers to a batch of queries as one flat array of ids, query after query in the caller's order, with
// the offset where the answers of each begin: `ids()[offsets()[q] .. offsets()[q + 1])`. It is also a range
// of ranges, one for each query:
//
//     for (std::span<const AgentId> neighbours : hits) ...
class Hits {
public:
    class Iterator;

    explicit Hits(MemoryResource* memory = nullptr) noexcept : offsets_(memory), ids_(memory) {}

    // How many queries were answered.
    std::size_t size() const noexcept { return offsets_.size() == 0 ? 0 : offsets_.size() - 1; }
    bool empty() const noexcept { return size() == 0; }
    // The agents that one query found; none for a query that was not in the batch.
    std::span<const AgentId> operator[](std::size_t query) const noexcept {
        if (query >= size()) return {};
        return {ids_.data() + offsets_[query],
                static_cast<std::size_t>(offsets_[query + 1] - offsets_[query])};
    }
    Iterator begin() const noexcept;
    Iterator end() const noexcept;
    // One more than there are queries; empty before the first batch.
    std::span<const std::uint64_t> offsets() const noexcept { return {offsets_.data(), offsets_.size()}; }
    std::span<const AgentId> ids() const noexcept { return {ids_.data(), ids_.size()}; }
    // Drops the answers and keeps the memory.
    void clear() noexcept {
        offsets_.clear();
        ids_.clear();
    }
    std::size_t bytes() const noexcept { return offsets_.bytes() + ids_.bytes(); }

private:
    friend class Frame;
    detail::Buffer<std::uint64_t> offsets_;
    detail::Buffer<AgentId> ids_;
};

// Steps from the answers of one query to those of the next.
class Hits::Iterator {
public:
    using value_type = std::span<const AgentId>;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const Hits& hits, std::size_t query) noexcept : hits_(&hits), query_(query) {}
    value_type operator*() const noexcept { return (*hits_)[query_]; }
    Iterator& operator++() noexcept {
        ++query_;
        return *this;
    }
    Iterator operator++(int) noexcept {
        const Iterator before = *this;
        ++query_;
        return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

private:
    const Hits* hits_ = nullptr;
    std::size_t query_ = 0;
};

inline Hits::Iterator Hits::begin() const noexcept { return {*this, 0}; }
inline Hits::Iterator Hits::end() const noexcept { return {*this, size()}; }

// The same answers in the order in which they were found: that of the search through the world, and not the caller's. So
// nothing has to be put back into order, and neighbours in the list are mostly neighbours in the world. For hosts that go
// through all answers once, and do not care which comes first:
//
//     throng::HitsAsFound hits;
//     if (!frame.overlaps(boxes, hits)) return;
//     for (const auto& [query, agents] : hits) meet(query, agents);    // query is the place in the batch
//
// The order follows from the frame, the boxes and the filters, never from the executor, the number of threads or the
// instruction set. Queries that are few, coherent or large are found in the caller's order.
class HitsAsFound {
public:
    struct Answer {
        std::uint32_t query;
        std::span<const AgentId> agents;
    };
    class Iterator;

    explicit HitsAsFound(MemoryResource* memory = nullptr) noexcept : lists_(memory), queries_(memory) {}

    // How many queries were answered.
    std::size_t size() const noexcept { return queries_.size(); }
    bool empty() const noexcept { return size() == 0; }
    // The k-th answer that was found; there must be so many.
    Answer operator[](std::size_t k) const noexcept { return {queries_[k], lists_[k]}; }
    Iterator begin() const noexcept;
    Iterator end() const noexcept;
    // Which query each answer belongs to: every query of the batch, once.
    std::span<const std::uint32_t> queries() const noexcept { return {queries_.data(), queries_.size()}; }
    // As of Hits, for the answers in this order.
    std::span<const std::uint64_t> offsets() const noexcept { return lists_.offsets(); }
    std::span<const AgentId> ids() const noexcept { return lists_.ids(); }
    // Drops the answers and keeps the memory.
    void clear() noexcept {
        lists_.clear();
        queries_.clear();
    }
    std::size_t bytes() const noexcept { return lists_.bytes() + queries_.bytes(); }

private:
    friend class Frame;
    Hits lists_;
    detail::Buffer<std::uint32_t> queries_;
};

class HitsAsFound::Iterator {
public:
    using value_type = Answer;
    using difference_type = std::ptrdiff_t;

    Iterator() = default;
    Iterator(const HitsAsFound& hits, std::size_t k) noexcept : hits_(&hits), k_(k) {}
    value_type operator*() const noexcept { return (*hits_)[k_]; }
    Iterator& operator++() noexcept {
        ++k_;
        return *this;
    }
    Iterator operator++(int) noexcept {
        const Iterator before = *this;
        ++k_;
        return before;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

private:
    const HitsAsFound* hits_ = nullptr;
    std::size_t k_ = 0;
};

inline HitsAsFound::Iterator HitsAsFound::begin() const noexcept { return {*this, 0}; }
inline HitsAsFound::Iterator HitsAsFound::end() const noexcept { return {*this, size()}; }

// Every overlapping pair of a frame, each once.
class THRONG_API PairList {
public:
    explicit PairList(MemoryResource* memory = nullptr) noexcept
        : pairs_(memory), other_(memory), counts_(memory) {}

    std::size_t size() const noexcept { return pairs_.size(); }
    bool empty() const noexcept { return pairs_.size() == 0; }
    // A pair of no agents where there is none.
    Pair operator[](std::size_t i) const noexcept {
        return i < pairs_.size() ? pairs_[i] : Pair{no_agent, no_agent};
    }
    const Pair* begin() const noexcept { return pairs_.begin(); }
    const Pair* end() const noexcept { return pairs_.end(); }
    std::span<const Pair> pairs() const noexcept { return {pairs_.data(), pairs_.size()}; }
    // Puts them in ascending order: by `a`, then by `b`. Of pairs of agents of one frame, `a` becomes the lower id;
    // in those of `pairs_with`, `a` stays the agent of the frame that was queried. Costs less than finding them.
    // Without memory for it the list stays as it was; if the executor fails, it becomes empty.
    Status sort(const Executor& executor = {}) noexcept;

    void clear() noexcept { pairs_.clear(); }
    std::size_t bytes() const noexcept { return pairs_.bytes() + other_.bytes() + counts_.bytes(); }

private:
    friend class Engine;
    friend class Frame;
    detail::Buffer<Pair> pairs_;
    // Of the frames that they are from.
    std::size_t id_bound_ = 0;  // all `a` are below
    bool of_one_frame_ = true;
    // Scratch of `sort`.
    detail::Buffer<Pair> other_;
    detail::Buffer<std::size_t> counts_;
};

}  // namespace throng
