// The results of queries. `OverlapLists`, `OverlapsAsFound` and `PairList` own their memory and keep it
// between calls. Reuse one every frame: once it has grown to size, it allocates nothing. Calls that write
// into the host's memory return a `Filled` instead, which tells how much there was, even if it did not fit. A
// moved-from result is empty and may be filled again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "throng/executor.hpp"
#include "throng/export.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng {

// The outcome of a call that fills the host's memory: how many answers there are in all, and how many of them
// were written. No outcome converts to bool, so no `if` can take "it succeeded" for "something was found".
struct [[nodiscard]] Filled {
    Status status;
    std::uint64_t total = 0;
    std::uint64_t written = 0;

    bool truncated() const noexcept { return written < total; }
};

struct [[nodiscard]] Count {
    Status status;
    std::uint64_t total = 0;
};

struct [[nodiscard]] Found {
    Status status;
    bool found = false;

    // Whether there is surely none; false if the query failed. `if (frame.blocked(sight).no())`
    constexpr bool no() const noexcept { return status.ok() && !found; }
};

namespace detail {

struct ListParts;
template <class Answers>
class BlocksThatFit;

// Steps through anything numbered from 0.
template <class Numbered, class Value>
class Steps {
public:
    using value_type = Value;
    using difference_type = std::ptrdiff_t;

    Steps() = default;
    Steps(const Numbered& all, std::size_t k) noexcept : all_(&all), k_(k) {}
    Value operator*() const noexcept { return (*all_)[k_]; }
    Steps& operator++() noexcept {
        ++k_;
        return *this;
    }
    Steps operator++(int) noexcept {
        const Steps before = *this;
        ++k_;
        return before;
    }
    friend bool operator==(const Steps&, const Steps&) = default;

private:
    const Numbered* all_ = nullptr;
    std::size_t k_ = 0;
};

}  // namespace detail

// The answers to a batch in one flat array, list after list in the caller's order, with the offset of each
// list: list q is `[offsets()[q] .. offsets()[q + 1])` of the array. It is also a range of ranges.
template <class Answer>
class AnswerLists {
public:
    using Iterator = detail::Steps<AnswerLists, std::span<const Answer>>;

    std::size_t size() const noexcept { return offsets_.size() == 0 ? 0 : offsets_.size() - 1; }
    bool empty() const noexcept { return size() == 0; }
    // The answers to one query; none if the batch had no such query.
    std::span<const Answer> operator[](std::size_t query) const noexcept { return list_of(answers_, query); }
    Iterator begin() const noexcept { return {*this, 0}; }
    Iterator end() const noexcept { return {*this, size()}; }
    // One more than there are lists; empty before the first batch.
    std::span<const std::uint64_t> offsets() const noexcept { return {offsets_.data(), offsets_.size()}; }
    // Drops the answers and keeps the memory.
    void clear() noexcept {
        offsets_.clear();
        answers_.clear();
    }
    std::size_t bytes() const noexcept { return offsets_.bytes() + answers_.bytes(); }

protected:
    friend class Frame;
    friend class KeptNeighbours;
    friend struct detail::ListParts;
    template <class Answers>
    friend class detail::BlocksThatFit;
    explicit AnswerLists(MemoryResource* memory) noexcept : offsets_(memory), answers_(memory) {}

    // A list of a flat array with these offsets.
    template <class T>
    std::span<const T> list_of(const detail::Buffer<T>& all, std::size_t query) const noexcept {
        if (query >= size() || all.size() == 0) return {};
        return {all.data() + offsets_[query],
                static_cast<std::size_t>(offsets_[query + 1] - offsets_[query])};
    }

    // Keeps the first `lists` lists, and drops the others.
    void keep_first(std::size_t lists) noexcept {
        (void)answers_.resize(static_cast<std::size_t>(offsets_[lists]));
        (void)offsets_.resize(lists + 1);
    }

    detail::Buffer<std::uint64_t> offsets_;
    detail::Buffer<Answer> answers_;
};

// The agents that each query of a batch found:
//
//     for (std::span<const AgentId> neighbours : hits) ...
class OverlapLists : public AnswerLists<AgentId> {
public:
    explicit OverlapLists(MemoryResource* memory = nullptr) noexcept : AnswerLists(memory) {}

    THRONG_API std::span<const AgentId> ids() const noexcept;
    // Sorts each list by id, so it no longer depends on earlier frames. Empty if the executor fails.
    THRONG_API Status sort(const Executor& executor = {}) noexcept;
};

// The same answers in the order in which the search found them, instead of the caller's order. Nothing has to
// be put back into order, and neighbours in the list are mostly neighbours in the world. For hosts that go
// through all answers once, in any order:
//
//     throng::OverlapsAsFound hits;
//     if (!frame.overlaps(boxes, hits)) return;
//     for (const auto& [query, agents] : hits) meet(query, agents);    // query is the place in the batch
//
// The order follows from the frame, the boxes and the filters, never from the executor, the number of threads
// or the instruction set. If queries are few, coherent or large, it is the caller's order.
class OverlapsAsFound {
public:
    struct Answer {
        std::uint32_t query;
        std::span<const AgentId> agents;
    };
    // The `query` of an answer behind the last one.
    static constexpr std::uint32_t no_query = 0xFFFFFFFFu;
    using Iterator = detail::Steps<OverlapsAsFound, Answer>;

    explicit OverlapsAsFound(MemoryResource* memory = nullptr) noexcept : lists_(memory), queries_(memory) {}

    // How many queries were answered.
    std::size_t size() const noexcept { return queries_.size(); }
    bool empty() const noexcept { return size() == 0; }
    // The k-th answer that was found; `no_query` and no agents if there are fewer. (A template makes its
    // spans only where it is called.)
    template <class Found = Answer>
    Found operator[](std::size_t k) const noexcept {
        return {k < size() ? queries_[k] : no_query, lists_[k]};
    }
    Iterator begin() const noexcept { return {*this, 0}; }
    Iterator end() const noexcept { return {*this, size()}; }
    // The query of each answer: every query of the batch, once.
    THRONG_API std::span<const std::uint32_t> queries() const noexcept;
    // As in OverlapLists, for the answers in this order.
    THRONG_API std::span<const std::uint64_t> offsets() const noexcept;
    std::span<const AgentId> ids() const noexcept { return lists_.ids(); }
    // As in OverlapLists: sorts the ids of each answer. The order of the answers stays.
    Status sort(const Executor& executor = {}) noexcept {
        const Status status = lists_.sort(executor);
        if (lists_.empty()) queries_.clear();
        return status;
    }
    void clear() noexcept {
        lists_.clear();
        queries_.clear();
    }
    std::size_t bytes() const noexcept { return lists_.bytes() + queries_.bytes(); }

private:
    friend class Frame;
    OverlapLists lists_;
    detail::Buffer<std::uint32_t> queries_;
};

// Every overlapping pair of a frame, each once.
class THRONG_API PairList {
public:
    explicit PairList(MemoryResource* memory = nullptr) noexcept
        : pairs_(memory), other_(memory), counts_(memory) {}

    std::size_t size() const noexcept { return pairs_.size(); }
    bool empty() const noexcept { return pairs_.size() == 0; }
    // A pair of `no_agent` if there is none.
    Pair operator[](std::size_t i) const noexcept {
        return i < pairs_.size() ? pairs_[i] : Pair{no_agent, no_agent};
    }
    const Pair* begin() const noexcept { return pairs_.begin(); }
    const Pair* end() const noexcept { return pairs_.end(); }
    std::span<const Pair> pairs() const noexcept;
    // Sorts the pairs by `a`, then by `b`. For pairs of one frame, `a` becomes the lower id; for pairs of two
    // frames, `a` stays the agent of the frame that was queried. Costs less than finding them. Without memory
    // the list stays as it was; if the executor fails, it becomes empty.
    Status sort(const Executor& executor = {}) noexcept;

    void clear() noexcept { pairs_.clear(); }
    std::size_t bytes() const noexcept { return pairs_.bytes() + other_.bytes() + counts_.bytes(); }

private:
    friend class Engine;
    friend class Frame;
    friend class PairChanges;
    // Sorts both, each as `sort` does.
    Status sort_with(PairList& other, const Executor& executor) noexcept;

    detail::Buffer<Pair> pairs_;
    // About the frames that the pairs are from.
    std::size_t id_bound_ = 0;  // all `a` are below
    bool of_one_frame_ = true;
    // Scratch of `sort`.
    detail::Buffer<Pair> other_;
    detail::Buffer<std::size_t> counts_;
};

}  // namespace throng
