// What questions fill. `Hits` and `PairList` own their memory and keep it from call to call; make one, use it
// every frame, and nothing is allocated once it has grown to size. Calls that write into memory of the host's
// instead return a `Found`, which tells how much there was even where it did not fit. One that was moved from
// is empty, and may be filled again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

#include "throng/buffer.hpp"
#include "throng/geometry.hpp"
#include "throng/status.hpp"

namespace throng {

// How many answers there were, and how many of them were written.
struct [[nodiscard]] Found {
    Status status;
    std::uint64_t found = 0;
    std::uint64_t written = 0;

    bool truncated() const noexcept { return written < found; }
    explicit operator bool() const noexcept { return status.ok(); }
};

// The answers to a batch of questions as one flat array of ids, question after question in the caller's
// order, with the place where each question's answers begin: `ids()[offsets()[q] .. offsets()[q + 1])`.
class Hits {
public:
    explicit Hits(std::pmr::memory_resource* memory = nullptr) noexcept : offsets_(memory), ids_(memory) {}

    // How many questions were answered.
    std::size_t size() const noexcept { return offsets_.size() == 0 ? 0 : offsets_.size() - 1; }
    // The agents that answer one question.
    std::span<const AgentId> operator[](std::size_t question) const noexcept {
        return {ids_.data() + offsets_[question],
                static_cast<std::size_t>(offsets_[question + 1] - offsets_[question])};
    }
    // One more than there are questions; empty before the first batch.
    std::span<const std::uint64_t> offsets() const noexcept { return {offsets_.data(), offsets_.size()}; }
    std::span<const AgentId> ids() const noexcept { return {ids_.data(), ids_.size()}; }
    // Forgets the answers and keeps the memory.
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

// Every overlapping pair of a frame, each once.
class PairList {
public:
    explicit PairList(std::pmr::memory_resource* memory = nullptr) noexcept : pairs_(memory) {}

    std::size_t size() const noexcept { return pairs_.size(); }
    bool empty() const noexcept { return pairs_.size() == 0; }
    const Pair& operator[](std::size_t i) const noexcept { return pairs_[i]; }
    const Pair* begin() const noexcept { return pairs_.begin(); }
    const Pair* end() const noexcept { return pairs_.end(); }
    std::span<const Pair> pairs() const noexcept { return {pairs_.data(), pairs_.size()}; }
    void clear() noexcept { pairs_.clear(); }
    std::size_t bytes() const noexcept { return pairs_.bytes(); }

private:
    friend class Frame;
    detail::Buffer<Pair> pairs_;
};

}  // namespace throng
