// Agents as parallel arrays, and as words of a parcel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

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

// What each agent has beside its id and its box.
struct Extras {
    bool labels = false;
    bool heights = false;
    bool homes = false;
    std::size_t payload = 0;        // bytes
    std::size_t ghost_payload = 0;  // of these, the first ones, that ghosts have

    inline std::size_t words() const noexcept;
    // Of the payloads of owned agents, and behind them those of ghosts.
    std::size_t payload_bytes(std::size_t owned, std::size_t ghosts) const noexcept {
        return owned * payload + ghosts * ghost_payload;
    }
    // What goes with a ghost.
    Extras of_ghosts() const noexcept {
        return {.labels = labels, .heights = heights, .homes = homes, .payload = ghost_payload};
    }
    // What the local frame reads beside the boxes.
    Extras traits() const noexcept { return {.labels = labels, .heights = heights}; }
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
    // A column, by the type of its values. Payloads are bytes, so an agent may have several.
    template <class T>
    using Column = throng::detail::Buffer<T> AgentTable::*;
    template <class T>
    static constexpr bool is_payload = std::is_same_v<T, std::byte>;
    template <class T>
    static constexpr bool is_trait = std::is_same_v<T, Label> || std::is_same_v<T, Band>;
    template <class T>
    static constexpr std::size_t bytes_of(Column<T>, std::size_t values) noexcept {
        return is_payload<T> ? values : sizeof(T);
    }

    explicit AgentTable(MemoryResource* memory) noexcept
        : ids(memory), boxes(memory), labels(memory), heights(memory), homes(memory), payload(memory) {}

    // All columns are listed here alone. Calls `call(column, values)`: how many values an agent has in it.
    template <class Call>
    static void for_each_column(const Extras& extras, const Call& call) noexcept {
        call(&AgentTable::ids, std::size_t{1});
        call(&AgentTable::boxes, std::size_t{1});
        call(&AgentTable::labels, std::size_t{extras.labels});
        call(&AgentTable::heights, std::size_t{extras.heights});
        call(&AgentTable::homes, std::size_t{extras.homes});
        call(&AgentTable::payload, extras.payload);
    }
    template <class Call>
    static void for_each_trait(const Extras& extras, const Call& call) noexcept {
        for_each_column(extras, [&]<class T>(Column<T> column, std::size_t values) {
            if constexpr (is_trait<T>) call(column, values);
        });
    }

    std::size_t size() const noexcept { return ids.size(); }
    void clear() noexcept {
        for_each_column({}, [&](auto column, std::size_t) { (this->*column).clear(); });
    }
    bool resize(std::size_t count, const Extras& extras) noexcept {
        bool has_memory = true;
        for_each_column(extras, [&](auto column, std::size_t values) {
            has_memory = has_memory && (this->*column).resize(count * values);
        });
        return has_memory;
    }

    // What agent i has in a column. Agents may also be read from elsewhere by such functions.
    template <class T>
    const T& value(Column<T> column, std::size_t i) const noexcept {
        return (this->*column)[i];
    }
    const std::byte* value(Column<std::byte> column, std::size_t i, std::size_t bytes) const noexcept {
        return (this->*column).data() + i * bytes;
    }
    template <class Source>
    static Word* pack(const Source& source, std::size_t i, const Extras& extras, Word* at) noexcept {
        for_each_column(extras, [&]<class T>(Column<T> column, std::size_t values) {
            if (values == 0) return;
            if constexpr (is_payload<T>)
                at = put_bytes(at, source.value(column, i, values), values);
            else
                at = put(at, T(source.value(column, i)));
        });
        return at;
    }
    Word* pack(std::size_t i, const Extras& extras, Word* at) const noexcept {
        return pack(*this, i, extras, at);
    }
    const Word* unpack(std::size_t i, const Extras& extras, const Word* at) noexcept {
        for_each_column(extras, [&]<class T>(Column<T> column, std::size_t values) {
            if (values == 0) return;
            const std::size_t bytes = bytes_of(column, values);
            std::memcpy(static_cast<void*>((this->*column).data() + i * values), at, bytes);
            at += words_for(bytes);
        });
        return at;
    }
    template <class Source>
    void copy(std::size_t to, const Source& source, std::size_t i, const Extras& extras) noexcept {
        for_each_column(extras, [&]<class T>(Column<T> column, std::size_t values) {
            if (values == 0) return;
            if constexpr (is_payload<T>)
                std::memcpy((this->*column).data() + to * values, source.value(column, i, values), values);
            else
                (this->*column)[to] = source.value(column, i);
        });
    }
    // Makes room, with some to spare. Arrays that were too small go to `before`, if that is empty, and are
    // not given back yet: the host may have handed in a view of them. Traits are written elsewhere.
    bool make_room(std::size_t owned, std::size_t ghosts, const Extras& extras, AgentTable& before,
                   MemoryResource* memory) noexcept {
        bool has_memory = true;
        for_each_column(extras, [&]<class T>(Column<T> column, std::size_t values) {
            if constexpr (!is_trait<T>) {
                const std::size_t count =
                    is_payload<T> ? extras.payload_bytes(owned, ghosts) : (owned + ghosts) * values;
                has_memory = has_memory && make_room(this->*column, before.*column, count, memory);
            }
        });
        return has_memory;
    }
    // Puts arrays back that had too little room.
    void restore(AgentTable& before) noexcept {
        for_each_column({}, [&](auto column, std::size_t) {
            if ((before.*column).capacity() != 0) (this->*column).swap(before.*column);
            (before.*column).release();
        });
    }
    void release() noexcept {
        for_each_column({}, [&](auto column, std::size_t) { (this->*column).release(); });
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
        for_each_column({}, [&](auto column, std::size_t) { (this->*column).swap(other.*column); });
    }
    void swap_traits(AgentTable& other) noexcept {
        for_each_trait({}, [&](auto column, std::size_t) { (this->*column).swap(other.*column); });
    }
    bool resize_traits_closely(std::size_t count, const Extras& extras) noexcept {
        bool has_memory = true;
        for_each_trait(extras, [&](auto column, std::size_t values) {
            has_memory = has_memory && resize_closely(this->*column, count * values);
        });
        return has_memory;
    }
    // Those of some agents, for an engine's update.
    UpdateOptions traits(const Extras& extras, std::size_t first, std::size_t count) const noexcept {
        UpdateOptions options;
        if (extras.labels && count != 0)
            options.labels = Labels::of(std::span<const Label>(labels.data() + first, count));
        if (extras.heights && count != 0)
            options.heights = Heights::of(std::span<const Band>(heights.data() + first, count));
        return options;
    }

    throng::detail::Buffer<GlobalId> ids;
    throng::detail::Buffer<Box> boxes;
    throng::detail::Buffer<Label> labels;  // none unless wanted
    throng::detail::Buffer<Band> heights;  // likewise
    throng::detail::Buffer<Home> homes;    // likewise
    throng::detail::Buffer<std::byte> payload;

private:
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

std::size_t Extras::words() const noexcept {
    std::size_t words = 0;
    AgentTable::for_each_column(*this, [&](auto column, std::size_t values) {
        if (values != 0) words += words_for(AgentTable::bytes_of(column, values));
    });
    return words;
}

}  // namespace throng::cluster::detail
