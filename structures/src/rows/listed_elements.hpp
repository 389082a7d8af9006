// Walks linked lists together: all first elements, then all second ones, and so on. So no branch depends on
// how long a list is:
//
//     lists    a -> b    c -> d -> e    f         walked    a c f b d e
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/box_math.hpp"
#include "throng/compiler.hpp"
#include "throng/structures/queries.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::structures::detail {

inline constexpr std::uint32_t no_room = 0xFFFFFFFFu;

// Writes the elements of a row. They are anywhere in memory, and are asked for long before they are read.
// `lists` has the first element of each list, and is overwritten. Calls `write(element, id, i)` for the i-th.
// Returns how many there are, or `no_room` if they are more than `room`.
template <class Elements, class Write>
[[nodiscard]] std::uint32_t write_lists(const Elements& elements, ElementId* lists, std::uint32_t count,
                                        std::uint32_t room, Write&& write) noexcept {
    constexpr std::uint32_t look_ahead = 32;
    const ElementId some = elements.range() - 1;
    // An element may lie in two lines of the cache.
    const auto fetch = [&](ElementId id) {
        const auto& element = elements[std::min(id, some)];
        THRONG_PREFETCH(&element);
        THRONG_PREFETCH(&element.next);
    };
    for (std::uint32_t i = 0; i < std::min(count, look_ahead); ++i) fetch(lists[i]);
    std::uint32_t written = 0;
    while (count != 0) {
        if (room - written < count) return no_room;
        std::uint32_t left = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            fetch(lists[std::min(i + look_ahead, count - 1)]);
            const ElementId id = lists[i];
            const auto& element = elements[id];
            write(element, id, written++);
            const ElementId next = element.next;
            lists[left] = next;
            left += next != no_element;
        }
        count = left;
    }
    return written;
}

// Answers a query from the lists that it is given, `batch` of them at a time. `accept(id, element)` says
// which elements are hits, and `make(id)` what answers they become.
template <class Elements, class Answer, class Accept, class Make>
class ListReader {
public:
    ListReader(const Elements& elements, Answers<Answer>& found, Accept accept, Make make) noexcept
        : elements_(elements), found_(found), accept_(accept), make_(make) {}

    // Whether to go on, as of the next two.
    bool operator()(ElementId list) {
        lists_[count_++] = list;
        return count_ < batch || read();
    }
    // Takes those that are not empty.
    bool take(const ElementId* lists, std::size_t count) {
        for (std::size_t i = 0; i < count;) {
            if (count_ == batch && !read()) return false;
            for (const std::size_t end = std::min(count, i + batch - count_); i < end; ++i) {
                lists_[count_] = lists[i];
                count_ += lists[i] != no_element;
            }
        }
        return true;
    }
    bool read() {
        static_assert(batch <= Answers<Answer>::capacity);
        while (count_ != 0) {
            Answer* const out = found_.room(count_);
            if (out == nullptr) return false;
            std::size_t hits = 0, left = 0;
            for (std::size_t i = 0; i < count_; ++i) {
                const ElementId id = lists_[i];
                const auto& element = elements_[id];
                const ElementId next = element.next;
                out[hits] = make_(id);
                hits += static_cast<std::size_t>(accept_(id, element));
                lists_[left] = next;
                left += next != no_element;
            }
            found_.wrote(hits);
            count_ = left;
        }
        return true;
    }

private:
    static constexpr std::size_t batch = 64;

    const Elements& elements_;
    Answers<Answer>& found_;
    Accept accept_;
    Make make_;
    std::size_t count_ = 0;
    ElementId lists_[batch];  // not initialised
};

// A single list of records with boxes and ids of their own: those that overlap a box, or `all`. Returns
// whether to go on.
template <class Records>
bool put_hits(const Records& records, std::uint32_t first, const Box& box, bool all, ElementId omitted,
              IdAnswers& found) {
    constexpr std::size_t records_at_once = 32;
    for (std::uint32_t slot = first; slot != Records::none;) {
        ElementId* const to = found.room(records_at_once);
        if (to == nullptr) return false;
        std::size_t count = 0;
        for (std::size_t i = 0; i < records_at_once && slot != Records::none; ++i) {
            const auto& record = records[slot];
            to[count] = record.id;
            count += static_cast<std::size_t>((all | overlap(record.box, box)) & (record.id != omitted));
            slot = record.next;
        }
        found.wrote(count);
    }
    return true;
}

}  // namespace throng::structures::detail
