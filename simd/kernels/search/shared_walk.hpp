// Walks that neighbouring queries of a batch share: through the groves, through the tree, and through islands
// and tree.
#pragma once

#include "simd/kernels/search/gathered.hpp"
#include "simd/kernels/search/search.hpp"

namespace throng::simd {

// Queries of a batch that follow each other look through the tree of the oversized agents together, grove by
// grove:
//
//     crown      one walk                      the groves that the box around all queries overlaps
//     grove      its bounds, a vector of queries at a time       -> which queries are near
//     near       the bounds of its leaves, a vector at a time    -> which leaves each of these overlaps
//     leaf       its agents, mostly one vector                   -> which agents
//
// A query alone takes as many steps, but waits for each: which groves and leaves are near is as good as
// random, so every step has a branch that is predicted wrongly. Here hardly any is, and a grove is in the
// nearest cache for all queries. The answers of a query come in the order of the tree, as if it had walked
// alone. If they are only counted, nothing is written, and agents that a box covers are counted unseen.

// What a query is told: for a box ids, or how many they are; for other shapes the slots of the agents in
// their bounds.
enum class Told { ids, count, slots };

// At most `capacity` queries walk together. See NearAgents.
template <class V, std::uint32_t capacity, Told told = Told::ids>
class GroveWalk : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;

    explicit GroveWalk(const View& view) : view_(view) {
        for (std::uint32_t i = 0; i < NearAgents::most_in_grove; ++i) numbers_[i] = i;
    }

    // Finds what is near `count` boxes; box(i) is null if nothing is wanted.
    template <class BoxAt>
    void find(std::size_t count, const BoxAt& box) {
        if (view_.groves == nullptr) return;
        Query around{};
        std::uint32_t walking = 0;
        count_ = static_cast<std::uint32_t>(count);
        for (std::uint32_t i = 0; i < count_ || i % gap != 0; ++i) {
            const Query* const q = i < count_ ? box(i) : nullptr;
            found_[i] = 0;
            given_up_[i] = false;
            if (q == nullptr) {
                give_up(i);
                continue;
            }
            boxes_.put(i, *q);
            around = walking++ == 0 ? *q : Base::united(around, *q);
        }
        if (walking >= fewest)
            walk(around);
        else
            for (std::uint32_t i = 0; i < count_; ++i) given_up_[i] = true;
    }
    // What is near a box. Its begin is null if that is too much, or was not wanted.
    NearAgents near(std::size_t i) const {
        if (view_.groves == nullptr || given_up_[i]) return {};
        return {agents_[told == Told::count ? 0 : i], found_[i]};
    }

private:
    // Fewer walk by themselves.
    static constexpr std::uint32_t fewest = 4;
    static constexpr std::uint32_t max_agents = told == Told::count ? ~0u : 80;
    // How many leaves of a grove wait to be tested, and those of one query more.
    static constexpr std::uint32_t most_waiting = 256;

    struct Boxes {
        float min_x[capacity], min_y[capacity], max_x[capacity], max_y[capacity];
        void put(std::uint32_t i, const Query& q) {
            min_x[i] = q.min_x, min_y[i] = q.min_y, max_x[i] = q.max_x, max_y[i] = q.max_y;
        }
        typename Base::template Probe<Wide> probe(std::uint32_t i) const {
            return {min_x[i], min_y[i], max_x[i], max_y[i]};
        }
    };
    struct Ignore {
        template <bool, class P, class A>
        bool test(const P&, const A&, std::uint32_t, std::uint32_t) {
            return true;
        }
    };
    using Walk = Search<V, BoxShape<V>, typename Admission<V>::Everyone, Ignore>;

    THRONG_KERNEL THRONG_NOINLINE void walk(const Query& around) {
        Ignore nothing;
        const Walk search(around, {}, nothing);
        (void)search.for_each_grove(view_, typename Walk::Outline(search.shape), FromAgent{},
                                    [&](std::uint32_t g, bool) {
                                        look_into(g);
                                        return true;
                                    });
    }
    void give_up(std::uint32_t i) {
        boxes_.min_x[i] = not_a_number;
        found_[i] = 0;
        given_up_[i] = true;
    }
    THRONG_KERNEL THRONG_NOINLINE void look_into(std::uint32_t g) {
        const Grove& grove = view_.groves[g];
        const typename Base::template Probe<Wide> probe(Arrays(view_.grove_bounds), g);
        std::uint32_t near[capacity + gap], count = 0;
        for (std::uint32_t j = 0; j < count_; j += Wide::size) {
            std::uint32_t found = probe.overlap(boxes_, j);
            if constexpr (told == Told::count)
                found = without_covering(probe, j, found, grove.oversized.count);
            V::left_pack(near + count, numbers_ + j, found);
            count += V::count_bits(found);
        }
        if (count == 0) return;
        if constexpr (told == Told::slots)
            for (std::uint32_t k = 0; k < grove.oversized.count; ++k) slots_[k] = g << NearAgents::shift | k;
        std::uint32_t waiting = 0;
        for (std::uint32_t k = 0; k < count; ++k) {
            waiting = look_for_leaves(near[k], grove.leaves, waiting);
            if (waiting < most_waiting && k + 1 != count) continue;
            test_leaves(grove, waiting);
            waiting = 0;
        }
    }
    // Queries that cover a grove find all agents there. Returns the others found from the j-th on.
    std::uint32_t without_covering(const typename Base::template Probe<Wide>& grove, std::uint32_t j,
                                   std::uint32_t found, std::uint32_t agents) {
        const std::uint32_t covering = found & grove.within(boxes_, j);
        for (std::uint32_t left = covering; left != 0; left &= left - 1)
            found_[j + Base::lowest(left)] += agents;
        return found & ~covering;
    }
    // Adds the leaves that a box overlaps to those that wait, and returns how many do then.
    std::uint32_t look_for_leaves(std::uint32_t i, const Row& leaves, std::uint32_t waiting) {
        const auto probe = boxes_.probe(i);
        const Arrays a(leaves);
        std::uint32_t* box = box_ + waiting;
        for (std::uint32_t j = 0; j < leaves.count; j += Wide::size) {
            const std::uint32_t found = probe.overlap(a, j);
            V::left_pack(leaf_ + waiting, numbers_ + j, found);
            waiting += V::count_bits(found);
        }
        do {
            for (std::uint32_t k = 0; k < gap; ++k) box[k] = i;
        } while ((box += gap) < box_ + waiting);
        return waiting;
    }
    void test_leaves(const Grove& grove, std::uint32_t waiting) {
        const Arrays a(grove.oversized);
        const std::uint32_t* const begins = Arrays(grove.leaves).id;
        const std::uint32_t* const names = told == Told::slots ? slots_ : a.id;
        for (std::uint32_t k = 0; k < waiting; ++k) {
            const std::uint32_t i = box_[k], end = begins[leaf_[k] + 1];
            const auto probe = boxes_.probe(i);
            std::uint32_t found = found_[i];
            for (std::uint32_t j = begins[leaf_[k]]; j < end && found <= max_agents; j += Wide::size) {
                const std::uint32_t here = Takers<V>::template found_in<true>(probe, a, j, end);
                if constexpr (told != Told::count) V::left_pack(agents_[i] + found, names + j, here);
                found += V::count_bits(here);
            }
            found_[i] = found;
            if (found > max_agents) [[unlikely]]
                give_up(i);
        }
    }

    const View& view_;
    std::uint32_t count_ = 0;
    bool given_up_[capacity];
    std::uint32_t found_[capacity];
    Boxes boxes_;
    std::uint32_t numbers_[NearAgents::most_in_grove],
        slots_[told == Told::slots ? NearAgents::most_in_grove + gap : 1];
    std::uint32_t leaf_[most_waiting + NearAgents::most_in_grove + gap],
        box_[most_waiting + NearAgents::most_in_grove + gap];
    std::uint32_t agents_[told == Told::count ? 1 : capacity][told == Told::count ? 1 : max_agents + gap];
};

// For frames without oversized agents.
struct NoTree {
    static constexpr bool may_have_any = false;
    static constexpr std::size_t queries = 64;  // that are looked up together
    static constexpr std::ptrdiff_t room = 0;
    explicit NoTree(const View&) {}
    static bool is_complete() { return true; }
    static NearAgents oversized(std::size_t) { return {}; }
    static std::uint32_t* find(const Query&, std::uint32_t* to) { return to; }
};

// The oversized agents that some neighbouring queries may find, gathered by one walk through the tree with
// the box around all of them:
//
//     queries    q q q q q q q q         some at a time
//     tree       one walk                 the boxes and ids of all that overlap the box around them
//     each q     compared with those      a vector or two, in the order of the walk
//
// A query alone would find them in the same order, since it is the tree's.
template <class V>
class SharedTree : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;
    using Probe = typename Base::template Probe<Wide>;

    static constexpr bool may_have_any = true;
    // How many queries share a list.
    static constexpr std::size_t queries = 16;
    // The most that a list holds. With more, each query gets its own, or walks by itself.
    static constexpr std::uint32_t capacity = 48;

    // How many ids may be written for a query.
    static constexpr std::ptrdiff_t room = capacity + gap;

    explicit SharedTree(const View& view) : view_(view), walk_(view) {}

    // For `count` queries, in the box.
    template <class QueryAt>
    void gather(const Query& around, std::size_t count, const QueryAt& query) {
        gather(around);
        if (!is_complete_) walk_.find(count, [&](std::size_t i) { return &query(i); });
    }
    // Whether it holds all.
    bool is_complete() const { return is_complete_; }
    // For one of the queries, if it does not.
    NearAgents oversized(std::size_t i) const { return is_complete_ ? NearAgents{} : walk_.near(i); }

    // Writes the ids of a query's answers, and returns the place for the next.
    std::uint32_t* find(const Query& q, std::uint32_t* to) const {
        if (count_ == 0) return to;
        const Probe probe(q);
        const Arrays a = list_.arrays();
        for (std::uint32_t j = 0; j < count_; j += Wide::size) {
            const std::uint32_t found = probe.overlap(a, j);
            V::left_pack(to, a.id + j, found);
            to += V::count_bits(found);
        }
        return to;
    }

private:
    using List = Gathered<V, capacity>;

    THRONG_KERNEL THRONG_NOINLINE void gather(const Query& around) {
        list_.cut(0);
        GatherInto<List> taker{list_};
        const Search<V, BoxShape<V>, typename Admission<V>::Everyone, GatherInto<List>> search(around, {},
                                                                                               taker);
        is_complete_ = search.search_tree(view_);
        count_ = list_.close(0).count;
    }

    const View& view_;
    bool is_complete_ = true;
    std::uint32_t count_ = 0;
    List list_;
    GroveWalk<V, queries> walk_;
};

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
