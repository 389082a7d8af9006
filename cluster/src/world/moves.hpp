// What becomes of the agents that a rank is handed: some leave, most stay, and others come. Owned agents are
// in the order of their ids. So newcomers go between those that stay, and the arrays of the last frame become
// those of the next one, run by run, and each element is moved at most once. An array may also be the one
// that the host handed in:
//
//     handed in     a  b  c  e  f        of which b leaves, and d came
//     runs          a    c    e  f
//     next          a  c  d  e  f
//
// If the host hands its agents in in another order, none of them stays: all come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
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
        : leavers(memory), comers(memory), runs_(memory), order_(memory), places_(memory), kept_(memory) {}

    // These were handed in, and what leaves of them is listed.
    void begin(std::span<const GlobalId> ids, bool they_stay) noexcept {
        ids_ = ids;
        they_stay_ = they_stay;
        comers.clear();
        runs_.clear();
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
    // All have come: finds everybody's place by the order of ids. False without memory.
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
        move_runs(array, &Run::place, handed_in, &Run::first, values);
        for (std::size_t k = 0; k < comers.size(); ++k)
            std::memcpy(array + places_[k] * values, came + order_[k] * values, values * sizeof(T));
    }
    // The same with what `read(i)` gives for what was handed in, which lies elsewhere.
    template <class T, class Read>
    void apply_each(T* array, const Read& read, const T* came) const noexcept {
        for (const Run& run : runs_)
            for (std::size_t i = 0; i < run.count; ++i) array[run.place + i] = read(run.first + i);
        for (std::size_t k = 0; k < comers.size(); ++k) array[places_[k]] = came[order_[k]];
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

    // What stays together: from `first` on among what was handed in, and from `place` on in the next frame.
    struct Run {
        std::uint32_t first, place, count;
    };
    // From one array to another, or within one: then nobody is written over who has yet to move. Those that
    // move to the front begin with the first one, and those that move to the back with the last one.
    template <class T>
    void move_runs(T* to, std::uint32_t Run::*place_there, const T* from, std::uint32_t Run::*place_here,
                   std::size_t values) const noexcept {
        const auto move = [&](const Run& run, bool to_the_front) {
            T* const there = to + run.*place_there * values;
            const T* const here = from + run.*place_here * values;
            if (there != here && std::less<const T*>()(there, here) == to_the_front)
                std::memmove(there, here, run.count * values * sizeof(T));
        };
        for (std::size_t k = 0; k < runs_.size(); ++k) move(runs_[k], true);
        for (std::size_t k = runs_.size(); k-- != 0;) move(runs_[k], false);
    }

    std::span<const GlobalId> ids_;
    bool they_stay_ = false;
    throng::detail::Buffer<Run> runs_;
    throng::detail::Buffer<std::uint32_t> order_;   // of the comers, by id
    throng::detail::Buffer<std::uint32_t> places_;  // of these, among all
    throng::detail::Buffer<Box> kept_;              // of leavers; or all, if none stays
};

template <class Call>
void Moves::for_each_place(std::span<const std::uint32_t> elements, const Call& call) const noexcept {
    std::size_t came = 0;
    const Run* run = runs_.begin();
    for (const std::uint32_t element : elements) {
        while (run != runs_.end() && run->first + run->count <= element) ++run;
        if (run == runs_.end()) break;
        if (element < run->first) continue;
        const std::size_t place = run->place + (element - run->first);
        while (came < comers.size() && places_[came] < place) call(std::size_t{places_[came++]});
        call(place);
    }
    while (came < comers.size()) call(std::size_t{places_[came++]});
}

}  // namespace throng::cluster::detail
