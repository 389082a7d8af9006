// What becomes of the agents that a rank is handed: some leave, most stay, and others come. Owned agents are
// in the order of their ids. So newcomers go between those that stay, and the arrays of the last frame become
// those of the next one in place:
//
//     handed in        a  b  c  e        of which b leaves, and d came
//     gaps closed      a  c  e
//     places opened    a  c  d  e
//
// If the host hands its agents in in another order, none of them stays: all come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "cluster/src/messages/summary.hpp"
#include "cluster/src/world/agent_table.hpp"
#include "throng/memory.hpp"

namespace throng::cluster::detail {

// An element and the rank that it goes to.
struct Send {
    int rank;
    std::uint32_t element;
};

class Moves {
public:
    explicit Moves(MemoryResource* memory) noexcept
        : leavers(memory), comers(memory), order_(memory), places_(memory), kept_(memory) {}

    // These were handed in, and what leaves of them is listed.
    void begin(std::span<const GlobalId> ids, bool they_stay) noexcept {
        ids_ = ids;
        they_stay_ = they_stay;
        comers.clear();
    }
    bool they_stay() const noexcept { return they_stay_; }
    // Whether anything leaves or comes.
    bool are_any() const noexcept { return !they_stay_ || leavers.size() != 0 || comers.size() != 0; }
    // Makes the call with begin and end of each run between two leavers, among what was handed in.
    template <class Call>
    void for_each_stay(const Call& call) const noexcept {
        std::size_t first = 0;
        for (std::size_t leaver = 0; leaver <= leavers.size(); ++leaver) {
            const std::size_t end = leaver < leavers.size() ? leavers[leaver].element : ids_.size();
            if (end != first) call(first, end);
            first = end + 1;
        }
    }
    // All have come: puts them into the order of ids. False without memory.
    bool settle() noexcept;

    // How many there are then.
    std::size_t size() const noexcept { return stayers() + comers.size(); }
    // Where the agent of that place is: the place among the comers, or among what was handed in.
    struct Source {
        bool came;
        std::size_t place;
    };
    Source source(std::size_t place) const noexcept;
    GlobalId id(const Source& from) const noexcept {
        return from.came ? comers.ids[from.place] : ids_[from.place];
    }

    // An array of the last frame becomes that of the next one. It has room for that, and may be the one that
    // was handed in.
    template <class T>
    void apply(T* array, const T* handed_in, const T* came, std::size_t values = 1) const noexcept {
        if (they_stay_)
            close_gaps(array, values, [&](T* to, std::size_t first, std::size_t count) {
                if (to != handed_in + first * values)
                    std::memmove(to, handed_in + first * values, count * values * sizeof(T));
            });
        open_places(array, came, values);
    }
    // The same with what `read(i)` gives for what was handed in.
    template <class T, class Read>
    void apply_each(T* array, const Read& read, const T* came) const noexcept {
        if (they_stay_)
            close_gaps(array, 1, [&](T* to, std::size_t first, std::size_t count) {
                for (std::size_t i = 0; i < count; ++i) to[i] = read(first + i);
            });
        open_places(array, came, 1);
    }
    // For a host that hands in the array itself: keeps what `apply` writes over. False without memory.
    bool keep(const Box* handed_in) noexcept;
    // Undoes `apply`, so that what was handed in is where it was.
    void undo(Box* array, Box* handed_in) const noexcept;
    // Calls `call(place)` for all that came, and for those of some elements that stay, in the order of
    // places.
    template <class Call>
    void for_each_place(std::span<const std::uint32_t> elements, const Call& call) const noexcept;
    // What is owned then, from what was handed in and what came.
    Census census(Census handed_in) const noexcept;
    // Gives back what a frame with very many newcomers needed.
    void release() noexcept;

    // What leaves, by its place among what was handed in, and where to.
    throng::detail::Buffer<Send> leavers;
    AgentTable comers;

private:
    std::size_t stayers() const noexcept { return they_stay_ ? ids_.size() - leavers.size() : 0; }
    std::size_t leavers_before(std::size_t element) const noexcept;

    template <class T, class Take>
    void close_gaps(T* array, std::size_t values, const Take& take) const noexcept {
        for_each_stay([&](std::size_t first, std::size_t end) {
            take(array, first, end - first);
            array += (end - first) * values;
        });
    }
    // From the end to the front, where there is room for what came.
    template <class T>
    void open_places(T* array, const T* came, std::size_t values) const noexcept {
        std::size_t end = size(), stay = stayers();
        for (std::size_t k = comers.size(); k-- != 0;) {
            const std::size_t behind = places_[k] + 1, count = end - behind;
            stay -= count;
            if (count != 0)
                std::memmove(array + behind * values, array + stay * values, count * values * sizeof(T));
            end = places_[k];
            std::memcpy(array + end * values, came + order_[k] * values, values * sizeof(T));
        }
    }

    std::span<const GlobalId> ids_;
    bool they_stay_ = false;
    throng::detail::Buffer<std::uint32_t> order_;   // of the comers, by id
    throng::detail::Buffer<std::uint32_t> places_;  // of these, among all
    throng::detail::Buffer<Box> kept_;              // of leavers; or all, if none stays
};

template <class Call>
void Moves::for_each_place(std::span<const std::uint32_t> elements, const Call& call) const noexcept {
    std::size_t came = 0, left = 0;
    for (std::size_t k = 0; they_stay_ && k < elements.size(); ++k) {
        while (left < leavers.size() && leavers[left].element < elements[k]) ++left;
        if (left < leavers.size() && leavers[left].element == elements[k]) continue;
        const std::size_t stayer = elements[k] - left;
        while (came < comers.size() && places_[came] <= stayer + came) call(std::size_t{places_[came++]});
        call(stayer + came);
    }
    while (came < comers.size()) call(std::size_t{places_[came++]});
}

}  // namespace throng::cluster::detail
