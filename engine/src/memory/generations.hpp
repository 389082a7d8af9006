// Generations distinguish successive agents with the same id. A handle is an id with the generation of its
// agent; it is stale once another agent has the id. They cost four bytes an id, from the first handle on. A
// host without handles pays nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "throng/geometry.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

class Generations {
public:
    explicit Generations(MemoryResource* memory) noexcept : of_(memory), before_(memory) {}

    std::size_t bytes() const noexcept { return of_.bytes() + before_.bytes(); }
    std::uint32_t operator[](AgentId id) const noexcept { return id < of_.size() ? of_[id] : 0; }

    bool are_kept() const noexcept { return kept_; }
    // Starts to keep generations, with `edits` edits already staged, whose agents have had no other
    // generation. Returns false if there is no memory.
    [[nodiscard]] bool begin(std::size_t ids, std::size_t edits) noexcept {
        if (kept_) return true;
        if (!of_.reserve(ids) || !before_.reserve(edits)) return false;
        (void)of_.resize(ids, 0);
        (void)before_.resize(edits, 0);
        return kept_ = true;
    }
    // Makes room for `ids` ids and `edits` staged edits, so the calls below cannot fail.
    [[nodiscard]] bool reserve(std::size_t ids, std::size_t edits) noexcept {
        return !kept_ || (of_.reserve(ids) && before_.reserve(edits));
    }

    // From now on another agent has the id, or none.
    void renew(AgentId id) noexcept {
        if (!kept_) return;
        if (id >= of_.size()) (void)of_.resize(std::size_t{id} + 1, 0);
        of_[id] = next();
    }
    // The ids [0, count) are in use; an id that had an agent keeps its generation.
    void reset(std::size_t count) noexcept {
        before_.clear();
        if (!kept_) return;
        (void)of_.resize(count, next());
    }

    // The ids [0, count) have other agents than before. Needs reserved room.
    void renew_all(std::size_t count) noexcept {
        (void)of_.resize(0);
        reset(count);
    }

    // An agent got its first staged edit, which may later be discarded.
    void staged(AgentId id) noexcept {
        if (kept_) (void)before_.push_back((*this)[id]);
    }
    void restore(std::size_t edit, AgentId id) noexcept {
        if (kept_ && id < of_.size()) of_[id] = before_[edit];
    }
    void keep_edits(std::size_t count) noexcept { (void)before_.resize(std::min(count, before_.size())); }

private:
    // A generation repeats for the same id only after 2^32 insertions.
    std::uint32_t next() noexcept {
        if (++last_ == 0) ++last_;
        return last_;
    }

    Buffer<std::uint32_t> of_;      // by id
    Buffer<std::uint32_t> before_;  // by staged edit: the agent's generation before it
    std::uint32_t last_ = 0;
    bool kept_ = false;
};

}  // namespace throng::detail
