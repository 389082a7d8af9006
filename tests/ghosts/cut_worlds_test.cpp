// All parts of a world that is cut answer together as the whole world does.
#include "cut_world.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using TwoIds = std::pair<AgentId, AgentId>;
TwoIds ids_of(AgentId a, AgentId b) { return {std::min(a, b), std::max(a, b)}; }

// In order.
using Pairs = std::vector<TwoIds>;
Pairs ordered(Pairs pairs) {
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}
template <class List>
Pairs as_ids(const List& pairs) {
    Pairs all;
    for (const Pair& pair : pairs) all.push_back(ids_of(pair.a, pair.b));
    return ordered(std::move(all));
}

struct Cut {
    std::size_t parts;
    PartIds ids;
};

class CutWorlds : public ::testing::TestWithParam<Cut> {
protected:
    // Calls compare(whole, cut) for some worlds whose agents walk.
    template <class Compare>
    void each_frame(float reach, const Compare& compare) {
        for (const char* name : {"uniform", "mixed_sizes", "giants_over_small", "lattice", "villages"}) {
            SCOPED_TRACE(name);
            Scene scene = make(name);
            Engine whole;
            CutWorld cut(GetParam().parts, GetParam().ids);
            for (int frame = 0; frame < 3 && !HasFailure(); ++frame, scene.step()) {
                ASSERT_EQ(whole.update(scene.boxes()), Status{});
                cut.update(scene.agents(), reach);
                compare(whole.frame(), cut);
            }
        }
    }
    static Scene make(std::string_view name) {
        if (name == "villages")
            return make_island_scene(name, std::max(enough_for_islands, scaled(4000, 700)));
        return make_scene(name, scaled(4000, 700));
    }
    // Each pair of agents of one owner comes once. A pair across a border comes once from each of the two.
    void expect_pairs(const Pairs& whole, const CutWorld& cut,
                      const std::function<void(const Frame&, PairList&)>& ask) {
        Pairs all;
        for (std::size_t p = 0; p < cut.parts(); ++p) {
            PairList list;
            ask(cut.frame(p), list);
            for (const Pair& pair : list)
                all.push_back(ids_of(cut.in_world(p, pair.a), cut.in_world(p, pair.b)));
        }
        std::vector<std::size_t> owner(100'000);
        for (std::size_t p = 0; p < cut.parts(); ++p)
            for (const AgentId id : cut.owned(p)) owner[id] = p;
        Pairs expected = whole;
        for (const TwoIds& pair : whole)
            if (owner[pair.first] != owner[pair.second]) expected.push_back(pair);
        EXPECT_EQ(ordered(all), ordered(expected));
        across_ += expected.size() - whole.size();
    }
    static void expect_lists(const NeighbourLists& whole, const CutWorld& cut,
                             const std::function<void(const Frame&, NeighbourLists&)>& ask) {
        for (std::size_t p = 0; p < cut.parts(); ++p) {
            NeighbourLists lists;
            ask(cut.frame(p), lists);
            std::size_t in_lists = 0;
            for (std::size_t n = 0; n < cut.owned(p).size(); ++n) {
                std::vector<AgentId> found;
                for (const AgentId id : lists[cut.in_part(p, n)]) found.push_back(cut.in_world(p, id));
                in_lists += found.size();
                std::sort(found.begin(), found.end());
                const auto list = whole[cut.owned(p)[n]];
                std::vector<AgentId> expected(list.begin(), list.end());
                std::sort(expected.begin(), expected.end());
                ASSERT_EQ(found, expected) << "agent " << cut.owned(p)[n] << " of part " << p;
            }
            EXPECT_EQ(in_lists, lists.ids().size()) << "ghosts have lists";
        }
    }

    std::size_t across_ = 0;  // pairs of agents with two owners
};

TEST_P(CutWorlds, list_all_overlapping_pairs) {
    each_frame(0, [&](const Frame& whole, const CutWorld& cut) {
        PairList list;
        ASSERT_EQ(whole.pairs(list), Status{});
        expect_pairs(as_ids(list), cut,
                     [](const Frame& part, PairList& pairs) { EXPECT_EQ(part.pairs(pairs), Status{}); });
    });
    EXPECT_NE(across_, 0u);
}

TEST_P(CutWorlds, list_all_pairs_within_a_distance) {
    each_frame(2, [&](const Frame& whole, const CutWorld& cut) {
        for (const AgentsAs as : {AgentsAs::boxes, AgentsAs::circles}) {
            const PairQuery wanted{.within = 2, .agents_as = as};
            PairList list;
            ASSERT_EQ(whole.pairs(list, wanted), Status{});
            expect_pairs(as_ids(list), cut, [&](const Frame& part, PairList& pairs) {
                EXPECT_EQ(part.pairs(pairs, wanted), Status{});
            });
        }
    });
    EXPECT_NE(across_, 0u);
}

TEST_P(CutWorlds, list_all_neighbours) {
    each_frame(3, [&](const Frame& whole, const CutWorld& cut) {
        for (const AgentsAs as : {AgentsAs::centres, AgentsAs::boxes}) {
            const Within wanted{.radius = 3, .agents_as = as};
            NeighbourLists lists;
            ASSERT_EQ(whole.neighbours(wanted, lists), Status{});
            expect_lists(lists, cut, [&](const Frame& part, NeighbourLists& some) {
                EXPECT_EQ(part.neighbours(wanted, some), Status{});
            });
        }
    });
}

// Of equally near agents the lower id is taken. Parts keep the order of ids among owned agents and among
// ghosts, but ids of their own put ghosts behind. So distances are compared.
TEST_P(CutWorlds, find_the_nearest_of_all) {
    const Nearest wanted{.count = 5, .max_radius = 4, .distances = true};
    each_frame(4, [&](const Frame& whole, const CutWorld& cut) {
        NeighbourLists lists;
        ASSERT_EQ(whole.neighbours(wanted, lists), Status{});
        for (std::size_t p = 0; p < cut.parts(); ++p) {
            NeighbourLists some;
            ASSERT_EQ(cut.frame(p).neighbours(wanted, some), Status{});
            for (std::size_t n = 0; n < cut.owned(p).size(); ++n)
                ASSERT_TRUE(equal_ranges(some.squared_distances(cut.in_part(p, n)),
                                         lists.squared_distances(cut.owned(p)[n])));
        }
        if (GetParam().ids == PartIds::of_the_world)
            expect_lists(lists, cut, [&](const Frame& part, NeighbourLists& near) {
                EXPECT_EQ(part.neighbours(wanted, near), Status{});
            });
    });
}

TEST_P(CutWorlds, keep_lists_from_frame_to_frame) {
    const KeptNeighbourhood wanted{.radius = 2, .skin = 1};
    Scene scene = make_scene("uniform", scaled(4000, 700));
    Engine whole;
    CutWorld cut(GetParam().parts, GetParam().ids);
    std::vector<KeptNeighbours> kept;
    for (std::size_t p = 0; p < cut.parts(); ++p) kept.emplace_back(wanted);
    for (int frame = 0; frame < 4; ++frame, scene.step()) {
        ASSERT_EQ(whole.update(scene.boxes()), Status{});
        cut.update(scene.agents(), 3);
        NeighbourLists lists;
        ASSERT_EQ(whole.frame().neighbours({.radius = 2}, lists), Status{});
        for (std::size_t p = 0; p < cut.parts(); ++p) {
            ASSERT_EQ(kept[p].update(cut.frame(p)), Status{});
            for (std::size_t n = 0; n < cut.owned(p).size(); ++n) {
                std::set<AgentId> found;
                for (const AgentId id : kept[p].lists()[cut.in_part(p, n)]) found.insert(cut.in_world(p, id));
                for (const AgentId id : lists[cut.owned(p)[n]]) ASSERT_TRUE(found.contains(id));
            }
        }
    }
}

// With ids of the world a pair has the same name in each frame. The owners list the pairs that begin. But
// pairs of an agent that came from another part begin there, and end where it was.
TEST_P(CutWorlds, say_which_pairs_began_and_which_ended) {
    if (GetParam().ids == PartIds::own) return;
    Scene scene = make_scene("uniform", scaled(4000, 700));
    CutWorld cut(GetParam().parts, GetParam().ids);
    std::vector<PairChanges> changes(cut.parts());
    std::vector<Pairs> before(cut.parts());
    const auto lacking = [](const Pairs& one, const Pairs& other) {
        Pairs pairs;
        for (const TwoIds& pair : one)
            if (!std::binary_search(other.begin(), other.end(), pair)) pairs.push_back(pair);
        return pairs;
    };
    for (int frame = 0; frame < 4; ++frame, scene.step()) {
        cut.update(scene.agents(), 0);
        for (std::size_t p = 0; p < cut.parts(); ++p) {
            PairList list;
            ASSERT_EQ(cut.frame(p).pairs(list), Status{});
            ASSERT_EQ(changes[p].update(cut.frame(p)), Status{});
            Pairs now = as_ids(list);
            EXPECT_EQ(as_ids(changes[p].began()), lacking(now, before[p]));
            EXPECT_EQ(as_ids(changes[p].ended()), lacking(before[p], now));
            before[p] = std::move(now);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(parts, CutWorlds,
                         ::testing::Values(Cut{2, PartIds::own}, Cut{2, PartIds::of_the_world},
                                           Cut{3, PartIds::own}, Cut{3, PartIds::of_the_world},
                                           Cut{7, PartIds::own}, Cut{7, PartIds::of_the_world}),
                         [](const auto& cut) {
                             return "in_" + std::to_string(cut.param.parts) +
                                    (cut.param.ids == PartIds::own ? "_with_ids_of_their_own"
                                                                   : "_with_ids_of_the_world");
                         });

}  // namespace
}  // namespace throng::test
