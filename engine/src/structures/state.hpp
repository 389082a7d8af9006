// The private halves of the structures: how they are made, and what is the same for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "engine/src/structures/arithmetic.hpp"
#include "throng/memory.hpp"
#include "throng/structures/structure.hpp"

namespace throng::detail {

// `State` derives from this, and has a constructor (config, memory, status), which reports what it finds wrong, and
// `bytes_held()`: the bytes of all that it allocated.
template <class State, class Base>
class StateOf : public Base {
public:
    std::size_t bytes() const noexcept final {
        return sizeof(State) + static_cast<const State*>(this)->bytes_held();
    }
    void destroy() noexcept final {
        State* const self = static_cast<State*>(this);
        MemoryResource* const memory = memory_;
        self->~State();
        give_back(memory, self, sizeof(State), alignof(State));
    }

    // Whether this thread places boxes as the one that made the structure, or placed all of them last.
    bool is_placed_alike() const noexcept { return arithmetic() == arithmetic_; }
    // Whether this thread works out the grid of a configuration as the one that made the structure.
    bool is_made_alike() const noexcept { return arithmetic() == made_by_; }

protected:
    explicit StateOf(MemoryResource* memory) noexcept : memory_(memory) {}
    ~StateOf() = default;

    // The end of an `assign`, or of what else places all elements: this thread placed them.
    Status placed_anew() noexcept {
        arithmetic_ = arithmetic();
        return {};
    }

    MemoryResource* const memory_;

private:
    const std::uint64_t made_by_ = arithmetic();
    std::uint64_t arithmetic_ = made_by_;
};

// For validation: sums of these over two sets of (list, member) are equal by chance only with probability 2^-64, unless the
// sets are.
inline std::uint64_t membership(std::uint32_t list, std::uint32_t member) noexcept {
    std::uint64_t z = (std::uint64_t{list} << 32 | member) + 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

template <class State, class Config>
Made make_state(const Config& config, MemoryResource* memory) noexcept {
    void* const place = allocate(memory, sizeof(State), alignof(State));
    if (place == nullptr) return {nullptr, {Code::out_of_memory}};
    Status status;
    State* const state = ::new (place) State(config, memory, status);
    if (status.ok()) return {state, {}};
    state->destroy();
    return {nullptr, status};
}

}  // namespace throng::detail
