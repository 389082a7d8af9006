// Queries of a batch that follow each other, in a frame with islands within islands or with many oversized
// agents: what several of them may find is gathered by one walk with the box around these.
//
//     queries    a a b a b a a ...       a window of the batch; queries of about one width and height share a
//                                        walk
//     walks      a: rows, islands, tree   the boxes and ids of all that overlap the box around the a
//                b: rows, islands, tree
//     each       compared with those of its walk, in the order of the walk
//
// A query alone would find them in the same order. If a walk finds too much or saves little, its queries
// search one by one, and the next walks begin with fewer. If that goes on, walks are tried only now and then.
// Fewer queries than may share a walk try none: a batch may come in hundreds of such parts, and none of them
// knows that earlier ones walked in vain.
#pragma once

#include "simd/kernels/search/search.hpp"
#include "simd/kernels/search/shared/gathered.hpp"
#include "simd/kernels/search/shared/grove_walk.hpp"

namespace throng::simd {

template <class V>
class SharedWalk : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;

    // Whether there are islands within islands or many oversized agents: elsewhere the way of a query is
    // short.
    static bool may_pay(const View& view, std::size_t queries) {
        const bool nested = view.islands != nullptr && view.islands->cuts[0].inner_cuts != 0;
        return queries > 1 && (nested || view.groves != nullptr);
    }

    // Calls body(i, near) for each query in order, until it returns false.
    template <Told told = Told::ids, class BoundsAt, class Body>
    static void each(const View& view, std::size_t count, const BoundsAt& bounds, const Body& body) {
        SharedWalk walk(view);
        GroveWalk<V, at_once, told> groves(view);
        for (std::size_t first = 0, some; first < count; first += some) {
            const bool tries = count >= max_queries && walk.goes_on();
            const std::size_t most = tries ? window : at_once;
            some = count - first < most ? count - first : most;
            walk.group_count_ = 0;
            if (tries) {
                for (std::size_t i = 0; i < some; ++i) walk.join(i, bounds(first + i));
                walk.gather_all();
            }
            groves.find(some,
                        [&](std::size_t i) { return walk.row(i) == nullptr ? &bounds(first + i) : nullptr; });
            // In a loop of its own: each is a chain of steps, and the next ones need not wait for it.
            const Island* homes[at_once];
            for (std::size_t i = 0; i < some; ++i)
                homes[i] = walk.row(i) == nullptr
                               ? IslandSearch<V>::only_island(view.islands, bounds(first + i))
                               : nullptr;
            for (std::size_t i = 0; i < some; ++i)
                if (!body(first + i, Near{walk.row(i), homes[i], groves.near(i)})) return;
        }
    }

private:
    static constexpr std::size_t window = 32;
    // How many walk through the groves together.
    static constexpr std::uint32_t at_once = 128;
    // How many queries share a walk.
    static constexpr std::uint32_t max_queries = 16, min_queries = 4;
    // How much one walk gathers at most. All walks of a window gather twice that.
    static constexpr std::uint32_t max_gathered = 512;
    using List = Gathered<V, 2 * max_gathered>;

    struct Group {
        Query around;
        std::uint32_t width, height;  // exponents of the first query's sides
        std::uint32_t queries;
        Row row;  // what its walk gathered
    };

    // Counts what a walk looks at.
    struct Gather : GatherInto<List> {
        std::uint32_t steps = 0;

        void sees_row(const Row&, std::uint32_t) { ++steps; }
        void sees_island() { ++steps; }
        void sees_tiles(std::uint64_t count) { steps += static_cast<std::uint32_t>(count); }
        void sees_node() { ++steps; }
        void sees_chunks(std::uint64_t count) { steps += static_cast<std::uint32_t>(count); }
    };

    using Walk = Search<V, BoxShape<V>, typename Admission<V>::Everyone, Gather>;

    explicit SharedWalk(const View& view) : view_(view) {}

    // After walks in vain, the next windows are searched one by one.
    bool goes_on() {
        if (windows_to_skip_ == 0) return true;
        --windows_to_skip_;
        return false;
    }
    static std::uint32_t exponent(float side) {
        std::uint32_t bits;
        std::memcpy(&bits, &side, sizeof bits);
        return bits >> 23;
    }
    static bool is_alike(std::uint32_t a, std::uint32_t b) { return a - b + 2 <= 4; }
    void join(std::size_t i, const Query& q) {
        const std::uint32_t width = exponent(q.max_x - q.min_x), height = exponent(q.max_y - q.min_y);
        std::uint32_t g = 0;
        while (g < group_count_ &&
               !(groups_[g].queries < queries_at_once_ && is_alike(width, groups_[g].width) &&
                 is_alike(height, groups_[g].height)))
            ++g;
        if (g == group_count_) groups_[group_count_++] = {.width = width, .height = height};
        group_of_[i] = static_cast<std::uint8_t>(g);
        Group& group = groups_[g];
        group.around = group.queries++ == 0 ? q : Base::united(group.around, q);
    }
    // Stops as soon as more walks have failed than paid.
    void gather_all() {
        std::uint32_t walks = 0, in_vain = 0;
        list_.cut(0);
        largest_ = 0;
        for (std::uint32_t g = 0; g < group_count_ && 2 * in_vain <= walks; ++g) {
            if (groups_[g].queries == 1) continue;
            ++walks;
            in_vain += !gather(groups_[g]);
        }
        adapt(walks, in_vain);
    }
    // Chooses with how many queries the next walks begin, and whether there is any for a while.
    void adapt(std::uint32_t walks, std::uint32_t in_vain) {
        if (in_vain == walks) {
            windows_to_skip_ = pause_;
            if (pause_ < max_pause) pause_ *= 4;
        } else {
            pause_ = min_pause;
        }
        if (2 * in_vain > walks && queries_at_once_ > min_queries)
            queries_at_once_ /= 2;
        else if (in_vain == 0 && 2 * largest_ <= max_gathered && queries_at_once_ < max_queries)
            queries_at_once_ *= 2;
    }
    // Returns whether that paid.
    THRONG_KERNEL THRONG_NOINLINE bool gather(Group& group) {
        const std::uint32_t first = list_.count(), room = first + max_gathered;
        Gather taker{{list_, room < List::capacity ? room : List::capacity}};
        Walk::search_world(view_, group.around, {}, taker);
        const std::uint32_t found = list_.count() - first;
        const bool complete = list_.count() <= taker.limit;
        list_.cut(complete ? list_.count() : first);
        if (complete) group.row = list_.close(first);
        if (found > largest_) largest_ = found;
        return complete && pays(taker.steps, found, group.queries);
    }
    // Alone, a query would take about as many steps as the walk. Whether it takes two thirds of these or
    // less: its share of the walk, where four boxes are gathered in about a step, and its comparisons, where
    // a step compares sixteen.
    static bool pays(std::uint32_t steps, std::uint32_t found, std::uint32_t queries) {
        return 48 * steps + 12 * found + 3 * queries * found <= 32 * queries * steps;
    }
    const Row* row(std::size_t i) const {
        if (group_count_ == 0) return nullptr;
        const Row& row = groups_[group_of_[i]].row;
        return row.data == nullptr ? nullptr : &row;
    }

    static constexpr std::uint32_t min_pause = 4, max_pause = 64;

    const View& view_;
    std::uint32_t group_count_ = 0, largest_ = 0, queries_at_once_ = max_queries, pause_ = min_pause,
                  windows_to_skip_ = 0;
    std::uint8_t group_of_[window];
    Group groups_[window];
    List list_;
};

}  // namespace throng::simd
