// What calls fill, on one resource, as a host keeps it from frame to frame; and all that they answered, as
// numbers, so that one comparison serves all calls.
#pragma once

#include "support/test.hpp"

namespace throng::test {

using Numbers = std::vector<std::uint64_t>;

// An agent or an element as a number. A distance or a time stands beside it. One bit tells elements from
// agents.
inline std::uint64_t number(AgentId id, float beside = 0, bool is_static = false) {
    return std::uint64_t{id} << 32 | detail::bits_as<std::uint32_t>(beside + 0.0f) |
           (is_static ? 0x80000000u : 0u);
}
inline std::uint64_t number(const Pair& pair) { return std::uint64_t{pair.a} << 32 | pair.b; }
inline std::uint64_t number(const CastHit& hit) { return number(hit.id, hit.fraction, hit.is_static != 0); }

// What the host's memory holds before a call writes answers there.
inline constexpr std::uint8_t unwritten = 77;

struct Results {
    explicit Results(MemoryResource* memory = nullptr)
        : hits(memory),
          found(memory),
          lists(memory),
          walls(memory),
          found_walls(memory),
          wall_lists(memory),
          casts(memory),
          pairs(memory),
          changes(memory),
          kept({.radius = 2, .skin = 0.5f}, memory) {}
    // What results have to be after a call that failed.
    bool are_empty() const {
        return hits.empty() && hits.ids().empty() && found.empty() && found.ids().empty() && lists.empty() &&
               walls.empty() && found_walls.empty() && wall_lists.empty() && casts.empty() &&
               casts.hits().empty() && pairs.empty() && changes.began().empty() && changes.ended().empty() &&
               kept.lists().empty();
    }
    // What else was answered, such as the order in which queries were searched.
    template <class... Values>
    void note(const Values&... values) {
        (add(values), ...);
    }
    // List after list. What comes again for one list is put behind what it has.
    void give(std::size_t list, std::span<const AgentId> ids, bool is_static = false) {
        for (const AgentId id : ids) at(list).push_back(number(id, 0, is_static));
    }
    void give(const OverlapLists& some, bool is_static = false, std::size_t first = 0) {
        make_room(first + some.size());
        for (std::size_t i = 0; i < some.size(); ++i) give(first + i, some[i], is_static);
    }
    void give(const OverlapsAsFound& some, bool is_static = false) {
        make_room(some.size());
        note(some.queries());
        for (const auto& [query, agents] : some) give(query, agents, is_static);
    }
    void give(const CastHits& some, std::size_t first = 0) {
        make_room(first + some.size());
        for (std::size_t i = 0; i < some.size(); ++i)
            for (const CastHit& hit : some[i]) at(first + i).push_back(number(hit));
    }
    // By the number of the agent if they are in row order. Distances, if there are any.
    void give(const NeighbourLists& some, bool is_static = false, std::size_t first = 0) {
        make_room(first + some.size());
        note(some.agents());
        for (std::size_t i = 0; i < some.size(); ++i) {
            const std::span<const float> distances = some.squared_distances(i);
            const std::size_t list = some.agents().empty() ? first + i : some.agents()[i];
            Numbers& numbers = at(list);
            for (std::size_t k = 0; k < some[i].size(); ++k)
                numbers.push_back(number(some[i][k], distances.empty() ? 0 : distances[k], is_static));
        }
    }
    void give(std::size_t list, std::span<const Pair> some) {
        for (const Pair& pair : some) at(list).push_back(number(pair));
    }
    // One number for each, in the host's memory, which was `unwritten`. A call that is refused leaves it so,
    // or clears all of it.
    template <class T>
    void give_each(const Status& status, const std::vector<T>& values) {
        if (!status) {
            const bool was_refused =
                status != Code::cancelled && status != Code::bad_executor && status != Code::out_of_memory;
            for (const T value : values)
                EXPECT_TRUE(!was_refused || (value == values[0] && (value == 0 || value == unwritten)))
                    << "half an answer, " << status.message();
            return;
        }
        make_room(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) at(i).push_back(values[i]);
    }
    // What lies behind the first ones must still be so, and counts as none.
    void give_each(const Status& status, std::vector<std::uint32_t> counts, std::size_t first_ones) {
        for (std::size_t i = first_ones; status && i < counts.size(); ++i) counts[i] ^= unwritten;
        give_each(status, counts);
    }
    Numbers& at(std::size_t list) {
        make_room(list + 1);
        return answer[list];
    }
    void make_room(std::size_t count) {
        if (answer.size() < count) answer.resize(count);
    }

    OverlapLists hits;
    OverlapsAsFound found;
    NeighbourLists lists;
    OverlapLists walls;
    OverlapsAsFound found_walls;
    NeighbourLists wall_lists;
    CastHits casts;
    PairList pairs;
    PairChanges changes;
    KeptNeighbours kept;

    std::vector<Numbers> answer;
    Numbers record;

private:
    // Sizes are a type of their own on some platforms.
    template <class Value>
        requires std::is_unsigned_v<Value>
    void add(Value value) { record.push_back(value); }
    void add(float value) { add(detail::bits_as<std::uint32_t>(value)); }
    template <class T>
    void add(std::span<const T> values) {
        for (const T& value : values) add(value);
    }
};

}  // namespace throng::test
