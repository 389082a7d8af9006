// Structure and DynamicStructure: the calls that the structures of this directory share. Each of them is a
// handle to its private half, which lies in memory of the structure's own resource and is declared in the
// library: so a host compiles a few pointers, and a header is a manual. Nothing else derives from these.
//
// The private half is made by the constructor. It is missing if the configuration is illegal, there is no
// memory, or the structure was moved from. Then `status` says so, every edit and query returns that status,
// and there are no elements.
#pragma once

#include <cstddef>
#include <utility>

#include "throng/structures/queries.hpp"

namespace throng::structures {

namespace detail {

// A private half. The structure makes these calls once it has found that there is one.
class StructureState {
public:
    virtual std::size_t size() const noexcept = 0;
    virtual bool contains(ElementId id) const noexcept = 0;
    virtual Box box_of(ElementId id) const noexcept = 0;
    virtual Status assign(const Boxes& boxes) noexcept = 0;
    virtual void clear() noexcept = 0;
    virtual std::size_t bytes() const noexcept = 0;
    virtual IndexValidation validate() const noexcept = 0;

    virtual Status find(const Box& box, ElementId omitted, IdAnswers& found) const = 0;
    virtual Status find_pairs(PairAnswers& found) = 0;
    virtual void list_elements(IdAnswers& list) const = 0;
    virtual void list_parts(PartAnswers& list) const = 0;

    // Ends its life and gives its memory back.
    virtual void destroy() noexcept = 0;

protected:
    ~StructureState() = default;
};

class DynamicState : public StructureState {
public:
    virtual Status insert(const Box& box, ElementId& id) noexcept = 0;
    virtual Status move(ElementId id, const Box& box) noexcept = 0;
    virtual Status remove(ElementId id) noexcept = 0;
    virtual void clean_up() noexcept = 0;

protected:
    ~DynamicState() = default;
};

// A private half, or why there is none.
struct Made {
    StructureState* state;
    Status status;
};

}  // namespace detail

// What SpatialIndex asks for (spatial_index.hpp), and the queries of queries.hpp.
class Structure : public Queries<Structure> {
public:
    // Replaces all elements: element i of the arrays gets the id i.
    Status assign(const Boxes& boxes) noexcept { return state_ ? state_->assign(boxes) : status(); }
    // Removes everything and keeps the memory.
    void clear() noexcept {
        if (state_) state_->clear();
    }

    std::size_t size() const noexcept { return state_ ? state_->size() : 0; }
    bool contains(ElementId id) const noexcept { return state_ && state_->contains(id); }
    // All of its memory.
    std::size_t bytes() const noexcept { return state_ ? state_->bytes() : 0; }
    // Looks for faults that only corrupted memory explains.
    IndexValidation validate() const noexcept { return state_ ? state_->validate() : IndexValidation{}; }

    Structure(const Structure&) = delete;
    Structure& operator=(const Structure&) = delete;

protected:
    explicit Structure(detail::Made made) noexcept : state_(made.state) { ready_ = made.status; }
    Structure(Structure&& other) noexcept
        : Queries(std::move(other)), state_(std::exchange(other.state_, nullptr)) {}
    Structure& operator=(Structure&& other) noexcept {
        detail::StructureState* const state = std::exchange(other.state_, nullptr);
        if (state_) state_->destroy();
        state_ = state;
        Queries::operator=(std::move(other));
        return *this;
    }
    ~Structure() {
        if (state_) state_->destroy();
    }

    // The private half by its own type. There is one if the status is ok.
    template <class State>
    State& own() noexcept {
        return static_cast<State&>(*state_);
    }
    template <class State>
    const State& own() const noexcept {
        return static_cast<const State&>(*state_);
    }

private:
    friend class Queries<Structure>;
    template <class Index>
    friend struct IndexInspector;

    Box box_of(ElementId id) const noexcept { return state_->box_of(id); }
    Status find(const Box& box, ElementId omitted, detail::IdAnswers& found) const {
        return state_->find(box, omitted, found);
    }
    Status find_pairs(detail::PairAnswers& found) { return state_->find_pairs(found); }
    void list_elements(detail::IdAnswers& list) const { state_->list_elements(list); }
    void list_parts(detail::PartAnswers& list) const { state_->list_parts(list); }

    detail::StructureState* state_ = nullptr;
};

// The edits as well, which DynamicSpatialIndex asks for.
class DynamicStructure : public Structure {
public:
    // `id` is the structure's to choose.
    Status insert(const Box& box, ElementId& id) noexcept {
        return status().ok() ? dynamic().insert(box, id) : status();
    }
    Status move(ElementId id, const Box& box) noexcept {
        return status().ok() ? dynamic().move(id, box) : status();
    }
    // `{x, y}` would be a box from there to the origin. With these overloads it does not compile: say
    // Box::around(x, y, 0, 0).
    Status insert(const Point& point, ElementId& id) = delete;
    Status move(ElementId id, const Point& point) = delete;
    Status remove(ElementId id) noexcept { return status().ok() ? dynamic().remove(id) : status(); }
    // The deferred part of edits, for the end of a frame. Each structure says what that is.
    void clean_up() noexcept {
        if (status().ok()) dynamic().clean_up();
    }

protected:
    explicit DynamicStructure(detail::Made made) noexcept : Structure(made) {}
    DynamicStructure(DynamicStructure&&) = default;
    DynamicStructure& operator=(DynamicStructure&&) = default;
    ~DynamicStructure() = default;

private:
    detail::DynamicState& dynamic() noexcept { return own<detail::DynamicState>(); }
};

}  // namespace throng::structures
