// The private halves of the structures: how they are made, and what is the same for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "base/legal.hpp"
#include "structures/src/area.hpp"
#include "structures/src/arithmetic.hpp"
#include "throng/memory.hpp"
#include "throng/structures/structure.hpp"

namespace throng::structures::detail {

// `State` derives from this, and has a constructor (config, memory, status), which reports what it finds
// wrong, `bytes_held()`, the bytes of all that it allocated, `assign_all(boxes)`, for up to `most` boxes that
// it has to check itself, and `find_overlaps(box, omitted, found)` for a legal box.
template <class State, class Base, std::size_t most = max_agents>
class StateOf : public Base {
public:
    Status assign(const Boxes& boxes) noexcept final { return assign_by(boxes); }
    // The same, with more to say how.
    template <class... How>
    Status assign_by(const Boxes& boxes, const How&... how) noexcept {
        if (const Code bad = boxes.fault(); bad != Code::ok) return {bad, Argument::boxes};
        if (boxes.size() > most) return {Code::too_many};
        const Status status = self().assign_all(boxes, how...);
        if (status.ok()) arithmetic_ = arithmetic();
        return status;
    }
    Status find(const Box& box, ElementId omitted, IdAnswers& found) const final {
        // Said to be unlikely, or this check becomes a function of its own in front of the search.
        if (const Code code = check(box); code != Code::ok) [[unlikely]]
            return {code, 0};
        return self().find_overlaps(box, omitted, found);
    }
    std::size_t bytes() const noexcept final { return sizeof(State) + self().bytes_held(); }
    void destroy() noexcept final {
        State* const state = &self();
        MemoryResource* const memory = memory_;
        state->~State();
        give_back(memory, state, sizeof(State), alignof(State));
    }

    // Whether this thread places boxes as the one that made the structure, or placed all of them last.
    bool is_placed_alike() const noexcept { return arithmetic() == arithmetic_; }
    // Whether this thread works out the grid of a configuration as the one that made the structure.
    bool is_made_alike() const noexcept { return arithmetic() == made_by_; }

protected:
    explicit StateOf(MemoryResource* memory) noexcept : memory_(memory) {}
    ~StateOf() = default;

    State& self() noexcept { return static_cast<State&>(*this); }
    const State& self() const noexcept { return static_cast<const State&>(*this); }

    MemoryResource* const memory_;

private:
    const std::uint64_t made_by_ = arithmetic();
    std::uint64_t arithmetic_ = made_by_;
};

// The same with edits, and what all refuse in one order: an unknown element, then an illegal box, then one
// element too many, then a thread that would look for elements elsewhere. `State` has `insert_legal`,
// `move_legal` and `remove_known` for the rest.
template <class State, std::size_t most = max_agents>
class DynamicStateOf : public StateOf<State, DynamicState, most> {
public:
    Status insert(const Box& box, ElementId& id) noexcept final {
        if (const Code code = check(box); code != Code::ok) return {code, 0};
        if (this->self().size() >= most) return {Code::too_many};
        return this->is_placed_alike() ? this->self().insert_legal(box, id) : Status{Code::other_rounding};
    }
    Status move(ElementId id, const Box& box) noexcept final {
        const Status refused = refused_move(id, box);
        return refused.ok() ? this->self().move_legal(id, box) : refused;
    }
    Status remove(ElementId id) noexcept final {
        const Status refused = refused_remove(id);
        return refused.ok() ? this->self().remove_known(id) : refused;
    }

protected:
    using StateOf<State, DynamicState, most>::StateOf;
    ~DynamicStateOf() = default;

    Status refused_remove(ElementId id) const noexcept {
        if (!this->self().contains(id)) return {Code::unknown_id, 0};
        return {this->is_placed_alike() ? Code::ok : Code::other_rounding};
    }
    Status refused_move(ElementId id, const Box& box) const noexcept {
        if (const Status refused = refused_remove(id); !refused) return refused;
        const Code code = check(box);
        return code == Code::ok ? Status{} : Status{code, 0};
    }
};

// For validation: sums of these over two sets of (list, member) are equal by chance only with probability
// 2^-64, unless the sets are.
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

}  // namespace throng::structures::detail
