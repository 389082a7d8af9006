// Every call that reads a frame, once, for the tests of what all of them promise: the same bytes everywhere, no memory once
// their results have some, and a status where memory runs out or an executor does not do its work.
#pragma once

#include "support/casts.hpp"
#include "support/shapes.hpp"
#include "support/test.hpp"

namespace throng::test {

// What calls fill, on one resource, and as a host keeps it from frame to frame; and all that they answered, as numbers, in
// the order in which they answered it.
struct Results {
    explicit Results(MemoryResource* memory)
        : hits(memory),
          found(memory),
          lists(memory),
          walls(memory),
          wall_lists(memory),
          casts(memory),
          pairs(memory),
          changes(memory),
          kept({.radius = 2, .skin = 0.5f}, memory) {}
    // What results have to be after a call that failed.
    bool are_empty() const {
        return hits.empty() && hits.ids().empty() && found.empty() && found.ids().empty() && lists.empty() &&
               walls.empty() && wall_lists.empty() && casts.empty() && casts.hits().empty() &&
               pairs.empty() && changes.began().empty() && changes.ended().empty() && kept.lists().empty();
    }
    template <class... Values>
    void note(const Values&... values) {
        (add(values), ...);
    }

    Hits hits;
    HitsAsFound found;
    Neighbours lists;
    Hits walls;
    Neighbours wall_lists;
    CastHits casts;
    PairList pairs;
    PairChanges changes;
    KeptNeighbours kept;
    std::vector<std::uint64_t> record;

private:
    // Sizes are a type of their own on some platforms.
    template <class Number>
        requires std::is_unsigned_v<Number>
    void add(Number value) { record.push_back(value); }
    void add(float value) { add(detail::bits_as<std::uint32_t>(value)); }
    void add(const Pair& pair) { add(std::uint64_t{pair.a} << 32 | pair.b); }
    void add(const CastHit& hit) {
        add(std::uint64_t{hit.id} << 32 | detail::bits_as<std::uint32_t>(hit.fraction));
        add(hit.is_static);
    }
    template <class T>
    void add(std::span<const T> values) {
        for (const T& value : values) add(value);
    }
    template <class T>
    void add(const std::vector<T>& values) {
        add(std::span<const T>(values));
    }
    void add(const Hits& some) { note(some.offsets(), some.ids()); }
    void add(const HitsAsFound& some) { note(some.queries(), some.offsets(), some.ids()); }
    void add(const CastHits& some) { note(some.offsets(), some.hits()); }
    void add(const Neighbours& some) {
        note(some.offsets(), some.ids(), some.agents(), some.squared_distances());
    }
};

// Agents with labels, walls around them, and the queries for them.
class ReadingWorld {
public:
    ReadingWorld(const Scene& scene, std::size_t count);
    // A frame with the agents and the walls, on the engine's resource.
    Status fill(Engine& engine, bool labelled, MemoryResource* memory = nullptr) const;

    std::vector<Box> agents;
    std::vector<Label> labels;
    std::vector<Box> boxes;
    ShapesOf shapes;
    std::vector<Point> points;
    std::vector<float> radii;  // one for each agent
    std::vector<Cast> casts;
    std::vector<Box> cast_boxes;  // where these casts start

    // The same casts in arrays of the host's.
    Casts cast_arrays() const;
};

struct ReadingCall {
    const char* name;
    // Whether it takes filters by labels, and is made in a world with labels.
    bool labelled;
    std::function<Status(const Frame& frame, const ReadingWorld& asked, Results& results)> make;
};

const std::vector<ReadingCall>& reading_calls();

// The parts of that list.
std::vector<ReadingCall> calls_for_boxes();
std::vector<ReadingCall> calls_for_pairs();
std::vector<ReadingCall> calls_for_neighbours();
std::vector<ReadingCall> calls_for_casts();

// What a call into memory of the host's wrote there.
template <class T, class Call>
Status into(Results& results, std::size_t size, const Call& call) {
    std::vector<T> out(size);
    const auto answer = call(std::span<T>(out));
    if constexpr (std::is_same_v<decltype(answer), const Filled>) {
        out.resize(static_cast<std::size_t>(answer.written));
        results.note(answer.total, out);
        return answer.status;
    } else {
        results.note(out);
        return answer;
    }
}
// What one that fills a container gave.
template <class Container>
Status noted(const Status& status, Results& results, const Container& container) {
    results.note(container);
    return status;
}

// A call that writes to memory of the host's, which has room for more than it needs.
template <class T, class Call>
ReadingCall written(const char* name, bool labelled, const Call& call) {
    return {name, labelled, [=](const Frame& frame, const ReadingWorld& asked, Results& results) {
                const std::size_t room = asked.agents.size() + asked.boxes.size();
                return into<T>(results, room, [&](auto out) { return call(frame, asked, out); });
            }};
}

}  // namespace throng::test
