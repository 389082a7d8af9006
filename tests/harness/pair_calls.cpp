// Pairs of a frame, of a frame and its static layer, and how pairs changed: a list for each query.
#include "harness/calls.hpp"
#include "oracle/pair_changes.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using F = const Frame&;
using A = const Asked&;
using R = Results&;
using Twin = oracle::BruteForceFrame;
using Expected = std::vector<Numbers>;

// Calls `one(wanted, list)` with each query for pairs and the number of its list.
template <class One>
Status each_query(A a, R r, const One& one) {
    r.make_room(a.pair_queries.size());
    for (std::size_t i = 0; i < a.pair_queries.size(); ++i)
        if (const Status status = one(a.pair_queries[i], i); !status) return status;
    return {};
}

// A call that is made once with each query.
template <class One>
Call filtered(const char* name, Gives gives, const One& one) {
    return {name, gives, [=](F f, A a, R r) {
                return each_query(
                    a, r, [&](const PairQuery& wanted, std::size_t list) { return one(f, wanted, r, list); });
            }};
}

// All pairs that are streamed to a visitor, from whatever thread.
template <class Stream>
Status streamed(const Stream& stream, R r, std::size_t list) {
    std::mutex mutex;
    return stream([&](std::span<const Pair> pairs) {
        const std::lock_guard lock(mutex);
        r.give(list, pairs);
    });
}

Kind pairs_of_one_frame() {
    return {
        "pairs",
        false,
        [](A) { return Order::of_pairs; },
        [](const Twin& twin, A a) {
            Expected expected;
            for (const PairQuery& wanted : a.pair_queries) {
                oracle::PairLists list;
                EXPECT_EQ(twin.pairs(list, wanted), Status{});
                expected.emplace_back();
                for (const Pair& pair : list) expected.back().push_back(number(pair));
            }
            return expected;
        },
        {filtered("a list", Gives::lists,
                  [](F f, const PairQuery& wanted, R r, std::size_t list) {
                      const Status status = f.pairs(r.pairs, wanted);
                      r.give(list, r.pairs.pairs());
                      return status;
                  }),
         filtered("a sorted list", Gives::in_any_order,
                  [](F f, const PairQuery& wanted, R r, std::size_t list) {
                      if (const Status status = f.pairs(r.pairs, wanted); !status) return status;
                      const Status sorted = r.pairs.sort();
                      r.give(list, r.pairs.pairs());
                      if (!sorted) r.pairs.clear();
                      EXPECT_TRUE(!sorted || std::is_sorted(r.answer[list].begin(), r.answer[list].end()));
                      return sorted;
                  }),
         filtered("into memory", Gives::lists,
                  [](F f, const PairQuery& wanted, R r, std::size_t list) {
                      std::vector<Pair> pairs;
                      const Status status =
                          into_memory<Pair>(pairs, [&](auto out) { return f.pairs(out, wanted); });
                      r.give(list, pairs);
                      return status;
                  }),
         filtered("counts", Gives::sizes,
                  [](F f, const PairQuery& wanted, R r, std::size_t list) {
                      const Count count = f.count_pairs(wanted);
                      r.at(list).push_back(count.total);
                      return count.status;
                  }),
         filtered("a stream", Gives::in_any_order, [](F f, const PairQuery& wanted, R r, std::size_t list) {
             return streamed([&](auto visit) { return f.for_each_pair_concurrently(visit, wanted); }, r,
                             list);
         })}};
}

// By the definition, since the twin has no such call.
Expected expected_between(const Twin& one, const Twin& other, A a) {
    const std::vector<AgentId> ids = one.ids(), other_ids = other.ids();
    const std::vector<Box> boxes = one.boxes(), other_boxes = other.boxes();
    const std::vector<bool> ghosts = one.ghosts();
    const std::vector<Label> labels = one.labels(), other_labels = other.labels();
    const std::vector<Band> heights = one.heights(), other_heights = other.heights();
    Expected expected;
    for (const PairQuery& wanted : a.pair_queries) {
        expected.emplace_back();
        for (std::size_t i = 0; i < ids.size(); ++i)
            for (std::size_t j = 0; j < other_ids.size() && !ghosts[i]; ++j)
                if (oracle::are_close_to_image(boxes[i], other_boxes[j], wanted, one.around()) &&
                    wanted.filter.admits(labels[i], other_labels[j]) && heights[i].overlaps(other_heights[j]))
                    expected.back().push_back(number(Pair{ids[i], other_ids[j]}));
    }
    return expected;
}

// Of two frames, which `both(frame)` has.
template <class Both>
std::vector<Call> calls_between(const Both& both) {
    return {
        filtered("a list", Gives::lists,
                 [=](F f, const PairQuery& wanted, R r, std::size_t list) {
                     const auto& [one, other] = both(f);
                     const Status status = one.pairs(r.pairs, with_other(other, wanted));
                     r.give(list, r.pairs.pairs());
                     return status;
                 }),
        filtered("into memory", Gives::lists,
                 [=](F f, const PairQuery& wanted, R r, std::size_t list) {
                     const auto both_frames = both(f);
                     std::vector<Pair> pairs;
                     const Status status = into_memory<Pair>(pairs, [&](auto out) {
                         return both_frames.first.pairs(out, with_other(both_frames.second, wanted));
                     });
                     r.give(list, pairs);
                     return status;
                 }),
        filtered("changes since none", Gives::in_any_order,
                 [=](F f, const PairQuery& wanted, R r, std::size_t list) {
                     const auto& [one, other] = both(f);
                     PairChanges changes;
                     if (const Status status = changes.update(one, with_other(other, wanted)); !status)
                         return status;
                     r.give(list, changes.began());
                     EXPECT_TRUE(std::is_sorted(r.answer[list].begin(), r.answer[list].end()));
                     const Status status = changes.update(one, with_other(other, wanted));
                     EXPECT_TRUE(changes.began().empty() && changes.ended().empty());
                     if (!status) r.answer.clear();
                     return status;
                 }),
        filtered("counts", Gives::sizes,
                 [=](F f, const PairQuery& wanted, R r, std::size_t list) {
                     const auto& [one, other] = both(f);
                     const Count count = one.count_pairs(with_other(other, wanted));
                     r.at(list).push_back(count.total);
                     return count.status;
                 }),
        filtered("a stream", Gives::in_any_order,
                 [=](F f, const PairQuery& wanted, R r, std::size_t list) {
                     const auto both_frames = both(f);
                     return streamed(
                         [&](auto visit) {
                             return both_frames.first.for_each_pair_concurrently(
                                 visit, with_other(both_frames.second, wanted));
                         },
                         r, list);
                 }),
    };
}

Expected differences(const std::vector<Pair>& before, const std::vector<Pair>& now) {
    oracle::PairChanges changes;
    changes.see(before);
    changes.see(now);
    Expected expected(3);
    for (const Pair& pair : changes.began()) expected[0].push_back(number(pair));
    for (const Pair& pair : changes.ended()) expected[1].push_back(number(pair));
    for (const Pair& pair : changes.pairs()) expected[2].push_back(number(pair));
    return expected;
}

// Of one query only: what a host keeps is from the frame before.
Kind changes_of_pairs() {
    return {"changes of pairs",
            false,
            [](A) { return Order::of_pairs; },
            [](const Twin& twin, A a) {
                oracle::PairLists now;
                EXPECT_EQ(twin.pairs(now, a.pair_queries[0]), Status{});
                return differences(a.known_pairs, {now.begin(), now.end()});
            },
            {{"since the frame before", Gives::lists, [](F f, A a, R r) {
                  const Status status = r.changes.update(f, a.pair_queries[0]);
                  r.make_room(3);
                  r.give(0, r.changes.began());
                  r.give(1, r.changes.ended());
                  r.give(2, r.changes.pairs());
                  for (const Numbers& list : {r.answer[0], r.answer[1]})
                      EXPECT_TRUE(std::is_sorted(list.begin(), list.end()));
                  return status;
              }}}};
}

}  // namespace

std::vector<Kind> kinds_of_pairs() {
    const auto frame_order = [](A) { return Order::of_the_frame; };
    return {pairs_of_one_frame(),
            changes_of_pairs(),
            {"pairs with the static layer", true, frame_order,
             [](const Twin& twin, A a) { return expected_between(twin, other_of(twin), a); },
             calls_between([](F f) { return std::pair(f, other_of(f)); })},
            {"pairs of the static layer with agents", true, frame_order,
             [](const Twin& twin, A a) { return expected_between(other_of(twin), twin, a); },
             calls_between([](F f) { return std::pair(other_of(f), f); })}};
}

}  // namespace throng::test
