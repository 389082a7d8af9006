// Queries: the common query interface of all structures in this directory. A structure derives from it and
// gets `for_each_overlap`, `for_each_pair` and two more, which pass the answers of the structure's compiled
// half to the host's visitor.
//
// A visitor (visitors.hpp) takes one answer at a time (an ElementId, a Pair, a Part) or some of them at once
// (a span of these), and returns nothing, or whether to go on. It must not edit the structure that calls it.
// Answers come in no particular order, each once; the same edits lead to the same order.
#pragma once

#include <cstddef>
#include <type_traits>

#include "throng/compiler.hpp"
#include "throng/structures/detail/names.hpp"
#include "throng/structures/detail/readiness.hpp"
#include "throng/structures/spatial_index.hpp"
#include "throng/views/visitors.hpp"

namespace throng::structures {

// Tests specialise this to corrupt a structure on purpose.
template <class Index>
struct IndexInspector;

namespace detail {

// A buffer of answers on their way to a visitor. It is flushed when full, so the compiled half calls back
// once for many answers.
template <class Answer>
class Answers {
public:
    // Pairs are all pairs, so there are more of them than one query finds.
    static constexpr std::size_t capacity = (std::is_same_v<Answer, Pair> ? 4096 : 1024) / sizeof(Answer);

    explicit Answers(AnyVisitor<Answer> visitor) noexcept : visitor_(visitor) {}

    // Returns whether to go on. After false, nothing more may be put.
    bool put(Answer answer) {
        if (count_ == capacity && !flush()) return false;
        block_[count_++] = answer;
        return true;
    }
    // To write several at once: returns room for at least `most` more, to be followed by `wrote(count)`. Null
    // if the search is to stop. `most` is at most `capacity`.
    Answer* room(std::size_t most) {
        if (count_ + most > capacity && !flush()) return nullptr;
        return block_ + count_;
    }
    void wrote(std::size_t count) noexcept { count_ += count; }
    // To pass many contiguous answers: flushes the block, then passes them in place. `count` may be zero.
    // Returns whether to go on.
    bool put_all(const Answer* answers, std::size_t count) {
        if (!flush()) return false;
        return going_on_ = count == 0 || visitor_(answers, count);
    }
    // Returns whether to go on.
    bool flush() {
        const std::size_t count = count_;
        count_ = 0;
        return going_on_ = going_on_ && (count == 0 || visitor_(block_, count));
    }

private:
    AnyVisitor<Answer> visitor_;
    bool going_on_ = true;
    std::size_t count_ = 0;
    Answer block_[capacity];  // not initialised: most queries have few answers
};

using IdAnswers = Answers<ElementId>;
using PairAnswers = Answers<Pair>;
using PartAnswers = Answers<Part>;

}  // namespace detail

// `Index` has these members, visible to this class:
//     Box box_of(ElementId id) const;  // of an id in use
//     Status find(const Box& box, ElementId omitted, detail::IdAnswers& found) const;
//     Status find_pairs(detail::PairAnswers& found);
//     void list_elements(detail::IdAnswers& list) const;
//     void list_parts(detail::PartAnswers& list) const;
// They check the box, put every answer once, stop when `put` returns false, and need not flush. They are not
// called if the structure cannot be used.
template <class Index>
class Queries {
public:
    // Whether the structure can be used; if not, every edit and query returns this status. Each structure
    // says what its constructor may find wrong. A moved-from one has no elements, and is `moved_from` until
    // another is assigned to it.
    Status status() const noexcept { return ready_.status(); }

    // The box that the structure has for an element; `no_box` if the id is unknown.
    Box box(ElementId id) const noexcept {
        const auto& index = *static_cast<const Index*>(this);
        return index.contains(id) ? index.box_of(id) : no_box;
    }

    // Every element that overlaps the box, except `omitted`, which need not exist: for queries around an
    // element. Always inlined: a call would be 4 % of a small query.
    template <VisitorOf<ElementId> Visitor>
    THRONG_ALWAYS_INLINE Status for_each_overlap(const Box& box, Visitor&& visitor,
                                                 ElementId omitted = no_element) const {
        if (!ready_) return status();
        detail::Answers<ElementId> found(detail::any_visitor<ElementId>(visitor));
        const Status status = static_cast<const Index*>(this)->find(box, omitted, found);
        found.flush();
        return status;
    }
    // `{x, y}` would be a box from there to the origin. With these overloads it does not compile: say
    // Box::around(x, y, 0, 0).
    template <VisitorOf<ElementId> Visitor>
    Status for_each_overlap(const Point& point, Visitor&& visitor,
                            ElementId omitted = no_element) const = delete;
    // Every overlapping pair of elements, once.
    template <VisitorOf<Pair> Visitor>
    Status for_each_pair(Visitor&& visitor) {
        if (!ready_) return status();
        detail::Answers<Pair> found(detail::any_visitor<Pair>(visitor));
        const Status status = static_cast<Index*>(this)->find_pairs(found);
        found.flush();
        return status;
    }

    // Every element once, in the structure's own order: the cheapest order for a query about each.
    template <VisitorOf<ElementId> Visitor>
    void for_each_element(Visitor&& visitor) const {
        if (!ready_) return;
        detail::Answers<ElementId> list(detail::any_visitor<ElementId>(visitor));
        static_cast<const Index*>(this)->list_elements(list);
        list.flush();
    }
    // Every node or cell of the structure, parents before children; empty space without a node or cell is
    // left out.
    template <VisitorOf<Part> Visitor>
    void for_each_part(Visitor&& visitor) const {
        if (!ready_) return;
        detail::Answers<Part> list(detail::any_visitor<Part>(visitor));
        static_cast<const Index*>(this)->list_parts(list);
        list.flush();
    }

protected:
    Queries() = default;
    ~Queries() = default;
    Queries(Queries&&) = default;
    Queries& operator=(Queries&&) = default;

    detail::Readiness ready_;
};

}  // namespace throng::structures
