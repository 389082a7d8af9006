// Agents as parallel arrays, and as words of a parcel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "cluster/src/messages/parcels.hpp"
#include "throng/boxes.hpp"
#include "throng/cluster/agents.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"

namespace throng::cluster::detail {

// Where the host keeps an agent that is owned by another rank: the rank, and the place in what it handed in.
struct Home {
    std::uint32_t rank, place;
    friend bool operator==(const Home&, const Home&) = default;
};

// Makes the call with the boxes of a view: boxes that already lie in one array are read from there.
template <class Call>
void read_boxes(const Boxes& boxes, const Call& call) noexcept {
    const bool are_four = boxes.form() == Boxes::Form::min_max && boxes.has_stride(sizeof(Box));
    const float* const first = are_four ? boxes.coordinate(0) : nullptr;
    if (first != nullptr && boxes.coordinate(1) == first + 1 && boxes.coordinate(2) == first + 2 &&
        boxes.coordinate(3) == first + 3 && reinterpret_cast<std::uintptr_t>(first) % alignof(Box) == 0)
        call(reinterpret_cast<const Box*>(first));
    else
        call(boxes);
}

// What goes with each agent beside its id and its box.
struct Extras {
    bool labels = false;
    bool homes = false;
    std::size_t payload = 0;  // bytes

    std::size_t words() const noexcept {
        return words_of<GlobalId>() + words_of<Box>() + (labels ? words_of<Label>() : 0) +
               (homes ? words_of<Home>() : 0) + words_for(payload);
    }
    // What goes with a ghost.
    Extras of_ghosts() const noexcept { return {labels, homes, 0}; }
    friend bool operator==(const Extras&, const Extras&) = default;
};

// How much memory to take for that many, where numbers hardly change from frame to frame.
inline std::size_t capacity_for(std::size_t count) noexcept { return count + count / 16 + 16; }
// Sets the size; an array that grows takes little more than it needs.
template <class T>
bool resize_closely(throng::detail::Buffer<T>& array, std::size_t count) noexcept {
    return (count <= array.capacity() || array.resize_exactly(capacity_for(count))) && array.resize(count);
}

// Gives an array back that once had far more than it has now.
template <class T>
void release_ample(throng::detail::Buffer<T>& array, std::size_t few) noexcept {
    if (array.capacity() > 4 * array.size() + few) array.release();
}

struct AgentTable {
    explicit AgentTable(MemoryResource* memory) noexcept
        : ids(memory), boxes(memory), labels(memory), homes(memory), payload(memory) {}

    std::size_t size() const noexcept { return ids.size(); }
    void clear() noexcept { static_cast<void>(resize(0, {})); }
    bool resize(std::size_t count, const Extras& extras) noexcept {
        return ids.resize(count) && boxes.resize(count) && labels.resize(extras.labels ? count : 0) &&
               homes.resize(extras.homes ? count : 0) && payload.resize(count * extras.payload);
    }

    Word* pack(std::size_t i, const Extras& extras, Word* at) const noexcept {
        at = put(put(at, ids[i]), boxes[i]);
        if (extras.labels) at = put(at, labels[i]);
        if (extras.homes) at = put(at, homes[i]);
        if (extras.payload == 0) return at;
        at[words_for(extras.payload) - 1] = 0;
        std::memcpy(at, payload.data() + i * extras.payload, extras.payload);
        return at + words_for(extras.payload);
    }
    const Word* unpack(std::size_t i, const Extras& extras, const Word* at) noexcept {
        at = get(get(at, ids[i]), boxes[i]);
        if (extras.labels) at = get(at, labels[i]);
        if (extras.homes) at = get(at, homes[i]);
        if (extras.payload == 0) return at;
        std::memcpy(payload.data() + i * extras.payload, at, extras.payload);
        return at + words_for(extras.payload);
    }
    void copy(std::size_t to, const AgentTable& from, std::size_t i, const Extras& extras) noexcept {
        ids[to] = from.ids[i];
        boxes[to] = from.boxes[i];
        if (extras.labels) labels[to] = from.labels[i];
        if (extras.homes) homes[to] = from.homes[i];
        if (extras.payload != 0)
            std::memcpy(payload.data() + to * extras.payload, from.payload.data() + i * extras.payload,
                        extras.payload);
    }
    // Makes room, with some to spare. Arrays that were too small go to `before`, if that is empty, and are
    // not given back yet: the host may have handed in a view of them.
    bool make_room(std::size_t owned, std::size_t ghosts, const Extras& extras, AgentTable& before,
                   MemoryResource* memory) noexcept {
        const std::size_t count = owned + ghosts;
        return make_room(ids, before.ids, count, memory) && make_room(boxes, before.boxes, count, memory) &&
               make_room(homes, before.homes, extras.homes ? count : 0, memory) &&
               make_room(payload, before.payload, owned * extras.payload, memory);
    }
    // Puts arrays back that had too little room.
    void restore(AgentTable& before) noexcept {
        for_each_two(before, [](auto& array, auto& old) {
            if (old.capacity() != 0) array.swap(old);
            old.release();
        });
    }
    void release() noexcept {
        for_each_two(*this, [](auto& array, auto&) { array.release(); });
    }
    // Adds those of a parcel behind the others.
    bool append(std::span<const Word> words, const Extras& extras) noexcept {
        const std::size_t count = words.size() / extras.words(), first = size();
        if (!resize(first + count, extras)) return false;
        const Word* at = words.data();
        for (std::size_t i = first; i < first + count; ++i) at = unpack(i, extras, at);
        return true;
    }
    void swap(AgentTable& other) noexcept {
        for_each_two(other, [](auto& array, auto& others) { array.swap(others); });
    }

    throng::detail::Buffer<GlobalId> ids;
    throng::detail::Buffer<Box> boxes;
    throng::detail::Buffer<Label> labels;  // none unless wanted
    throng::detail::Buffer<Home> homes;    // likewise
    throng::detail::Buffer<std::byte> payload;

private:
    template <class Call>
    void for_each_two(AgentTable& other, const Call& call) noexcept {
        call(ids, other.ids);
        call(boxes, other.boxes);
        call(labels, other.labels);
        call(homes, other.homes);
        call(payload, other.payload);
    }
    template <class T>
    static bool make_room(throng::detail::Buffer<T>& array, throng::detail::Buffer<T>& before,
                          std::size_t count, MemoryResource* memory) noexcept {
        if (count <= array.capacity()) return true;
        throng::detail::Buffer<T> larger(memory);
        if (!larger.resize_exactly(capacity_for(count))) return false;
        std::copy(array.begin(), array.end(), larger.begin());
        (void)larger.resize(array.size());
        if (before.capacity() == 0) before.swap(array);
        array.swap(larger);
        return true;
    }
};

}  // namespace throng::cluster::detail
