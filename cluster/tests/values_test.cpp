// The host's values go to copies and come back, and sums over pairs have the bits that one engine gives.
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "support/counting_resource.hpp"
#include "support/executors.hpp"
#include "support/test.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

using cluster::ClusterEngine;
using cluster::ClusterPair;
using cluster::ClusterStatus;
using cluster::GlobalId;
using cluster::Trouble;

struct Push {
    double x = 0, y = 0;
};

// What `a` gets from `b`: numbers with all bits in use, so that another order gives another sum.
Push push_between(const Box& a, const Box& b) {
    const Point from = b.centre(), to = a.centre();
    const double x = double{to.x} - double{from.x}, y = double{to.y} - double{from.y};
    const double strength = 1 / (x * x + y * y + 0.0625);
    return {std::isfinite(strength * x) ? strength * x : 1 / 3.0,
            std::isfinite(strength * y) ? y * strength : 1 / 7.0};
}

std::vector<Push> pushes_of_one_engine(const std::vector<Box>& boxes, const PairQuery& wanted) {
    Engine engine;
    PairList list;
    EXPECT_TRUE(engine.update(boxes).ok());
    EXPECT_TRUE(engine.frame().pairs(list, wanted).ok());
    EXPECT_TRUE(list.sort().ok());
    std::vector<Push> sums(boxes.size());
    for (const Pair& pair : list) {
        const Push push = push_between(boxes[pair.a], boxes[pair.b]);
        sums[pair.a].x += push.x;
        sums[pair.a].y += push.y;
        sums[pair.b].x -= push.x;
        sums[pair.b].y -= push.y;
    }
    return sums;
}

std::vector<Push> pushes_of(const ClusterEngine& engine, const cluster::PairList& pairs) {
    const auto box = [&](std::uint32_t place) {
        const std::size_t owned = engine.owned().size();
        return place < owned ? engine.owned().boxes[place] : engine.ghosts().boxes[place - owned];
    };
    std::vector<Push> pushes;
    for (const ClusterPair pair : pairs) pushes.push_back(push_between(box(pair.a_place), box(pair.b_place)));
    return pushes;
}

// How many of this rank's agents have other bits.
std::size_t differing(const ClusterEngine& engine, const std::vector<Push>& sums,
                      const std::vector<Push>& expected) {
    std::size_t differing = 0;
    for (std::size_t i = 0; i < sums.size(); ++i)
        differing += std::memcmp(&sums[i], &expected[place_of(engine.owned().ids[i])], sizeof(Push)) != 0;
    return differing;
}

std::vector<Push> summed(ClusterEngine& engine, const PairQuery& wanted = {}) {
    cluster::PairList pairs;
    EXPECT_TRUE(engine.pairs(pairs, wanted).ok());
    std::vector<Push> pushes = pushes_of(engine, pairs), sums(engine.owned().size());
    EXPECT_TRUE(
        engine.sum_pairs(pairs, cluster::ConstValues::of<double>(pushes), cluster::Values::of<double>(sums))
            .ok());
    return sums;
}

class ValuesOnEveryScene : public testing::TestWithParam<SceneRecipe> {};

TEST_P(ValuesOnEveryScene, sums_over_pairs_have_the_bits_of_one_engine) {
    const Scene scene(GetParam(), 300, 5);
    const std::vector<Box>& boxes = scene.agents();
    const float within = 3 * typical_distance(boxes);
    const std::vector<Push> expected = pushes_of_one_engine(boxes, {.within = within});
    for (const HandedOut how : {HandedOut::in_turns, HandedOut::at_random}) {
        ClusterEngine engine(MPI_COMM_WORLD, {.reach = within});
        ASSERT_TRUE(engine.partition(random_cuts(boxes, 3)).ok());
        for (int frame = 0; frame < 2; ++frame) {
            ASSERT_TRUE(engine.update(hand_out(boxes, {}, how).view()).ok());
            EXPECT_EQ(differing(engine, summed(engine, {.within = within}), expected), 0u);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cluster, ValuesOnEveryScene, some_scenes(2),
                         [](const auto& recipe) { return std::string(recipe.param.name); });

// Several parts of the pairs, several buckets of agents, and one agent in very many pairs.
TEST(ClusterValuesOfMany, have_the_bits_of_one_engine_on_any_number_of_threads) {
    std::vector<Box> boxes = make_scene("uniform", 24'000, 6).agents();
    const float within = 2 * typical_distance(boxes);
    boxes[77] = boxes[77].grown(40);
    const std::vector<Push> expected = pushes_of_one_engine(boxes, {.within = within});
    for (const unsigned threads : {1u, 3u}) {
        const std::unique_ptr<Workplace> place = pool_workplace(threads);
        cluster::ClusterConfig config{.reach = within};
        config.engine.executor = place->executor();
        ClusterEngine engine(MPI_COMM_WORLD, config);
        ASSERT_TRUE(engine.update(hand_out(boxes, {}, HandedOut::in_turns).view()).ok());
        EXPECT_EQ(differing(engine, summed(engine, {.within = within}), expected), 0u) << threads;
        cluster::PairList pairs;  // the first wrong one of several parts is named
        ASSERT_TRUE(engine.pairs(pairs, {.within = within}).ok());
        std::vector<Pair> wrong(pairs.places().begin(), pairs.places().end());
        for (std::size_t i = wrong.size() / 2; i < wrong.size(); i += 1000)
            wrong[i].b = static_cast<std::uint32_t>(engine.places());
        std::vector<double> terms(wrong.size()), sums(engine.owned().size());
        const ClusterStatus refused = engine.sum_pairs(std::span<const Pair>(wrong), terms, sums);
        EXPECT_TRUE(refused == Code::unknown_id && refused.rank == 0 && all_agree(refused));
        if (my_rank() == 0) {
            EXPECT_EQ(refused.status.index, wrong.size() / 2);
        }
    }
}

TEST(ClusterValuesOfMany, are_the_same_by_any_hint_of_workers) {
    const std::vector<Box> boxes = make_scene("uniform", 24'000, 6).agents();
    const float within = 2 * typical_distance(boxes);
    const std::vector<Push> expected = pushes_of_one_engine(boxes, {.within = within});
    for (const unsigned workers : {0u, 1u, 4u, ~0u}) {
        CountingExecutor counting(workers);
        cluster::ClusterConfig config{.reach = within};
        config.engine.executor = counting.executor();
        ClusterEngine engine(MPI_COMM_WORLD, config);
        ASSERT_TRUE(engine.update(hand_out(boxes, {}, HandedOut::in_turns).view()).ok());
        EXPECT_EQ(differing(engine, summed(engine, {.within = within}), expected), 0u) << workers;
        if (counting.calls() == 0) continue;
        EXPECT_TRUE(counting.fewest_blocks() >= 2 && counting.most_blocks() <= 4096) << workers;
    }
}

// Two agents that a host's list has in both directions.
TEST(ClusterValuesOfMany, are_added_as_they_are_listed_between_the_same_two_agents) {
    const std::vector<Box> boxes = make_scene("uniform", 500, 7).agents();
    const float within = 4 * typical_distance(boxes);
    const auto terms_of = [](const Push& push) {
        return std::array{push.x, -push.x / 3, push.y / 3, push.y * 1.7};  // of a and b, then of b and a
    };
    std::vector<double> expected(boxes.size());
    Engine one;
    PairList list;
    ASSERT_TRUE(one.update(boxes).ok() && one.frame().pairs(list, {.within = within}).ok());
    ASSERT_TRUE(list.sort().ok());
    for (const Pair& pair : list) {
        const auto terms = terms_of(push_between(boxes[pair.a], boxes[pair.b]));
        (expected[pair.a] += terms[0]) += terms[3];
        (expected[pair.b] += terms[1]) += terms[2];
    }
    ClusterEngine engine(MPI_COMM_WORLD, {.reach = within});
    ASSERT_TRUE(engine.update(hand_out(boxes, {}, HandedOut::in_turns).view()).ok());
    cluster::PairList found;
    ASSERT_TRUE(engine.pairs(found, {.within = within}).ok());
    const std::vector<Push> pushes = pushes_of(engine, found);
    std::vector<Pair> both;
    std::vector<double> to_a, to_b, sums(engine.owned().size());
    for (std::size_t i = 0; i < pushes.size(); ++i) {
        const std::uint32_t a = found[i].a_place, b = found[i].b_place;
        const auto terms = terms_of(pushes[i]);
        both.insert(both.end(), {{a, b}, {b, a}});
        to_a.insert(to_a.end(), {terms[0], terms[2]});
        to_b.insert(to_b.end(), {terms[1], terms[3]});
    }
    ASSERT_TRUE(engine.sum_pairs(std::span<const Pair>(both), to_a, to_b, sums).ok());
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < sums.size(); ++i)
        wrong += sums[i] != expected[place_of(engine.owned().ids[i])];
    EXPECT_EQ(wrong, 0u);
}

class ClusterValues : public testing::Test {
protected:
    static constexpr float within = 5;  // many terms for each agent: two have one sum in any order

    ClusterValues() { EXPECT_TRUE(engine_.update(held_.view()).ok()); }
    bool is_last() const { return my_rank() == rank_count() - 1; }
    // The same on every rank, and of the last one.
    void expect_refused(const ClusterStatus& status, Code code, Argument argument) const {
        EXPECT_EQ(status.trouble, Trouble::refused);
        EXPECT_TRUE(status == code) << int(status.status.code);
        EXPECT_EQ(status.status.argument, argument);
        EXPECT_EQ(status.rank, rank_count() - 1);
        EXPECT_TRUE(all_agree(status));
    }
    GlobalId id_at(std::size_t place) const {
        const std::size_t owned = engine_.owned().size();
        return place < owned ? engine_.owned().ids[place] : engine_.ghosts().ids[place - owned];
    }
    template <class T>
    std::vector<T> for_owned(const std::function<T(GlobalId)>& value) const {
        std::vector<T> values(engine_.places());
        for (std::size_t i = 0; i < engine_.owned().size(); ++i) values[i] = value(id_at(i));
        return values;
    }

    std::vector<Box> boxes_ = make_scene("uniform", 600, 3).agents();
    Held held_ = hand_out(boxes_, {}, HandedOut::at_random);
    ClusterEngine engine_{MPI_COMM_WORLD, {.reach = within}};
    cluster::PairList pairs_;
};

// Copies of anything, through frames in which agents move, come and go.
TEST_F(ClusterValues, of_owned_agents_reach_their_copies) {
    struct Odd {
        std::uint8_t bytes[5];
    };
    for (int frame = 0; frame < 5; ++frame) {
        const auto odd = [&](GlobalId id) {
            const std::uint64_t mixed = (id + static_cast<GlobalId>(frame)) * 0x9E3779B97F4A7C15u;
            Odd value;
            std::memcpy(value.bytes, &mixed, sizeof value.bytes);
            return value;
        };
        std::vector<Odd> odds = for_owned<Odd>(odd);
        std::vector<double> numbers = for_owned<double>([](GlobalId id) { return double(id) / 3; });
        ASSERT_TRUE(engine_.forward(odds).ok());
        ASSERT_TRUE(engine_.forward(numbers).ok());
        for (std::size_t place = 0; place < engine_.places(); ++place) {
            const Odd expected = odd(id_at(place));
            EXPECT_EQ(std::memcmp(&odds[place], &expected, sizeof expected), 0);
            EXPECT_EQ(numbers[place], double(id_at(place)) / 3);
        }
        held_.take(engine_.owned());
        for (Box& box : held_.boxes) box = box.moved(0.75f, -0.5f);
        if (frame == 2 && held_.ids.size() > 3) {
            held_.ids.resize(held_.ids.size() - 3);
            held_.boxes.resize(held_.ids.size());
        }
        ASSERT_TRUE(engine_.update(held_.view()).ok());
    }
}

// Integers, and doubles on one grid, have one sum in any order.
TEST_F(ClusterValues, of_copies_are_added_at_their_owners) {
    const auto term = [](GlobalId id, GlobalId other) {
        return std::floor(std::sin(double(place_of(id) * 1000 + place_of(other))) * 0x1p30) * 0x1p-30;
    };
    ASSERT_TRUE(engine_.pairs(pairs_, {.within = within}).ok());
    std::vector<std::int32_t> counts(engine_.places());
    std::vector<std::array<double, 2>> sums(engine_.places());
    std::vector<signed char> small(engine_.places(), 100);
    for (const ClusterPair pair : pairs_)
        for (const auto& [place, id, other] :
             {std::tuple(pair.a_place, pair.a, pair.b), std::tuple(pair.b_place, pair.b, pair.a)}) {
            ++counts[place];
            sums[place][0] += term(id, other);
            sums[place][1] -= term(id, other);
        }
    const std::vector<std::array<double, 2>> before = sums;
    ASSERT_TRUE(engine_.reverse(counts).ok() && engine_.reverse(sums).ok() && engine_.reverse(small).ok());
    std::vector<std::int32_t> all_counts(boxes_.size());
    std::vector<double> all_sums(boxes_.size());
    Engine one;
    PairList list;
    ASSERT_TRUE(one.update(boxes_).ok() && one.frame().pairs(list, {.within = within}).ok());
    for (const Pair& pair : list)
        for (const auto& [id, other] : {std::pair(pair.a, pair.b), std::pair(pair.b, pair.a)}) {
            ++all_counts[id];
            all_sums[id] += term(global_of(id), global_of(other));
        }
    const std::size_t owned = engine_.owned().size();
    std::vector<GlobalId> copies =
        gathered(std::vector(engine_.ghosts().ids.begin(), engine_.ghosts().ids.end()));
    for (std::size_t i = 0; i < owned; ++i) {
        const std::size_t agent = place_of(id_at(i));
        EXPECT_EQ(counts[i], all_counts[agent]);
        EXPECT_EQ(sums[i][0], all_sums[agent]);
        EXPECT_EQ(sums[i][1], -all_sums[agent]);
        const auto times = std::count(copies.begin(), copies.end(), id_at(i));
        EXPECT_EQ(small[i], static_cast<signed char>(100 * (times + 1)));  // it wraps around
    }
    EXPECT_TRUE(std::equal(before.begin() + static_cast<std::ptrdiff_t>(owned), before.end(),
                           sums.begin() + static_cast<std::ptrdiff_t>(owned)));
}

// Where agents stay, where most ranks have none, and in two clusters by turns.
TEST_F(ClusterValues, go_to_copies_and_back_in_any_kind_of_cluster) {
    const std::vector<Box> few(3, Box::around(1, 1, 2, 2));
    ClusterEngine stays(MPI_COMM_WORLD, {.reach = within, .agents_stay = true});
    ClusterEngine sparse(MPI_COMM_WORLD, {.reach = within});
    ASSERT_TRUE(stays.update(held_.view()).ok());
    ASSERT_TRUE(sparse.update(hand_out(few, {}, HandedOut::all_on_one).view()).ok());
    std::vector<std::vector<double>> values;
    const auto id_in = [](const ClusterEngine& engine, std::size_t place) {
        const std::size_t owned = engine.owned().size();
        return place < owned ? engine.owned().ids[place] : engine.ghosts().ids[place - owned];
    };
    ClusterEngine* const engines[] = {&engine_, &stays, &sparse};
    for (ClusterEngine* engine : engines) {
        std::vector<double>& of_places = values.emplace_back(engine->places());
        for (std::size_t i = 0; i < engine->owned().size(); ++i) of_places[i] = double(id_in(*engine, i)) / 3;
        ASSERT_TRUE(engine->forward(of_places).ok());
    }
    for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t place = 0; place < values[k].size(); ++place)
            EXPECT_EQ(values[k][place], double(id_in(*engines[k], place)) / 3);
        std::vector<std::int32_t> ones(engines[k]->places(), 1);
        ASSERT_TRUE(engines[k]->reverse(ones).ok());
        const std::span<const GlobalId> ghosts = engines[k]->ghosts().ids;
        const std::vector<GlobalId> copies = gathered(std::vector(ghosts.begin(), ghosts.end()));
        for (std::size_t i = 0; i < engines[k]->owned().size(); ++i)
            EXPECT_EQ(ones[i], 1 + std::count(copies.begin(), copies.end(), id_in(*engines[k], i)));
    }
    ASSERT_TRUE(sparse.pairs(pairs_).ok());
    const std::vector<std::int64_t> terms(pairs_.size(), 1);
    std::vector<std::int64_t> sums(sparse.owned().size());
    ASSERT_TRUE(sparse.sum_pairs(pairs_, terms, terms, sums).ok());
    EXPECT_EQ(sums, std::vector<std::int64_t>(sums.size(), 2));  // each of three is in two pairs
}

// A world of discs that repel each other lives on any number of ranks as it does in one engine.
TEST_F(ClusterValues, a_crowd_that_pushes_itself_moves_as_in_one_engine) {
    std::vector<Push> velocities(boxes_.size());
    ClusterEngine engine(MPI_COMM_WORLD, {.reach = within, .payload_bytes = sizeof(Push)});
    const auto move = [](Box& box, Push& velocity, const Push& push) {
        velocity.x = 0.9 * velocity.x + 0.01 * push.x;
        velocity.y = 0.9 * velocity.y + 0.01 * push.y;
        const Point at = box.centre();
        box = Box::around(float(at.x + velocity.x), float(at.y + velocity.y), 0.5f, 0.5f);
    };
    held_.payload.resize(held_.ids.size() * sizeof(Push));
    for (int frame = 0; frame < 8; ++frame) {
        ASSERT_TRUE(engine.update(held_.view()).ok());
        const std::vector<Push> sums = summed(engine, {.within = within});
        held_.take(engine.owned());
        std::vector<Push> mine(held_.ids.size());
        std::memcpy(static_cast<void*>(mine.data()), held_.payload.data(), held_.payload.size());
        for (std::size_t i = 0; i < mine.size(); ++i) move(held_.boxes[i], mine[i], sums[i]);
        std::memcpy(held_.payload.data(), mine.data(), held_.payload.size());
        const std::vector<Push> all = pushes_of_one_engine(boxes_, {.within = within});
        for (std::size_t i = 0; i < boxes_.size(); ++i) move(boxes_[i], velocities[i], all[i]);
        for (std::size_t i = 0; i < mine.size(); ++i)
            ASSERT_EQ(held_.boxes[i], boxes_[place_of(held_.ids[i])]) << "frame " << frame;
    }
}

// Two terms for each pair, in numbers of any kind, and on top of what is there.
TEST_F(ClusterValues, two_agents_of_a_pair_may_get_different_terms) {
    ASSERT_TRUE(engine_.pairs(pairs_, {.within = within}).ok());
    std::vector<float> to_a, to_b, sums(engine_.owned().size(), 0.1f);
    std::vector<std::uint16_t> ids_of_a, wrapping(sums.size());
    const auto term = [](GlobalId id, GlobalId other) {
        return 1 / float(place_of(id) + 2 * place_of(other));
    };
    for (const ClusterPair pair : pairs_) {
        to_a.push_back(term(pair.a, pair.b));
        to_b.push_back(term(pair.b, pair.a));
        ids_of_a.push_back(static_cast<std::uint16_t>(place_of(pair.a) * 1000));
    }
    ASSERT_TRUE(engine_.sum_pairs(pairs_, to_a, to_b, sums).ok());
    ASSERT_TRUE(engine_.sum_pairs(pairs_, ids_of_a, wrapping).ok());
    // By places alone, the two of a pair are in any order.
    std::vector<float> to_first, to_second, again(sums.size(), 0.1f);
    for (const Pair& pair : pairs_.places()) {
        to_first.push_back(term(id_at(pair.a), id_at(pair.b)));
        to_second.push_back(term(id_at(pair.b), id_at(pair.a)));
    }
    ASSERT_TRUE(engine_.sum_pairs(pairs_.places(), to_first, to_second, again).ok());
    EXPECT_EQ(again, sums);
    Engine one;
    PairList list;
    ASSERT_TRUE(one.update(boxes_).ok() && one.frame().pairs(list, {.within = within}).ok() &&
                list.sort().ok());
    std::vector<float> all(boxes_.size(), 0.1f);
    std::vector<std::uint16_t> all_wrapping(boxes_.size());
    for (const Pair& pair : list) {
        all[pair.a] += term(global_of(pair.a), global_of(pair.b));
        all[pair.b] += term(global_of(pair.b), global_of(pair.a));
        all_wrapping[pair.a] = static_cast<std::uint16_t>(all_wrapping[pair.a] + pair.a * 1000);
        all_wrapping[pair.b] = static_cast<std::uint16_t>(all_wrapping[pair.b] - pair.a * 1000);
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
        EXPECT_EQ(sums[i], all[place_of(id_at(i))]);
        EXPECT_EQ(wrapping[i], all_wrapping[place_of(id_at(i))]);
    }
}

// What stands still pushes the crowd and is not pushed: pairs of two clusters, and some chosen of a list.
TEST_F(ClusterValues, pairs_with_another_cluster_give_terms_to_the_first) {
    ClusterEngine walls(MPI_COMM_WORLD);
    const std::vector<Box> stones = make_scene("uniform", 50, 9).agents();
    ASSERT_TRUE(walls.update(hand_out(stones, {}, HandedOut::in_turns).view()).ok());
    ASSERT_TRUE(engine_.pairs_with(walls, pairs_).ok());
    std::vector<ClusterPair> chosen;
    std::vector<double> terms, sums(engine_.owned().size()), all(boxes_.size());
    for (const ClusterPair pair : pairs_)
        if (place_of(pair.b) % 4 != 0) chosen.push_back(pair);
    for (const ClusterPair& pair : chosen) terms.push_back(1 / double(place_of(pair.b)));
    ASSERT_TRUE(engine_.sum_pairs(std::span<const ClusterPair>(chosen), terms, sums).ok());
    for (std::size_t a = 0; a < boxes_.size(); ++a)
        for (std::size_t b = 0; b < stones.size(); ++b)
            if (b % 4 != 0 && boxes_[a].overlaps(stones[b])) all[a] += 1 / double(b);
    for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_EQ(sums[i], all[place_of(id_at(i))]);
}

TEST_F(ClusterValues, that_one_rank_hands_in_wrongly_are_refused_on_all) {
    ASSERT_TRUE(engine_.pairs(pairs_, {.within = within}).ok());
    std::vector<double> values(engine_.places(), 1), sums(engine_.owned().size(), 1), terms(pairs_.size(), 1);
    std::vector<double> longer(values.size() + 1);
    struct Bytes {
        char bytes[8];
    };
    std::vector<Bytes> bytes(values.size());
    using cluster::Values;
    const Values nowhere(nullptr, 3, cluster::Number::float64, 1);
    const Values none(values.data(), values.size(), cluster::Number::float64, 0);
    const auto call = [&](const Values& wrong, bool forward) {
        const Values& given = is_last() ? wrong : Values(values);
        return forward ? engine_.forward(given) : engine_.reverse(given);
    };
    for (const bool forward : {true, false}) {
        expect_refused(call(longer, forward), Code::size_mismatch, Argument::values);
        expect_refused(call(nowhere, forward), Code::null_view, Argument::values);
        expect_refused(call(none, forward), Code::bad_config, Argument::values);
    }
    expect_refused(call(bytes, false), Code::bad_config, Argument::values);
    std::vector<ClusterPair> beyond(1);
    if (is_last()) beyond[0].b_place = static_cast<std::uint32_t>(engine_.places());
    if (engine_.owned().size() == 0) beyond.clear();
    const std::span<const ClusterPair> some(beyond);
    const std::vector<double> two(beyond.size(), 1);
    expect_refused(engine_.sum_pairs(some, two, sums), Code::unknown_id, Argument::lists);
    std::vector<Pair> nowhere_at_all(beyond.size());
    if (is_last() && !beyond.empty()) nowhere_at_all[0].b = ClusterPair::no_place;
    expect_refused(engine_.sum_pairs(std::span<const Pair>(nowhere_at_all), two, sums), Code::unknown_id,
                   Argument::lists);
    const Values endless(values.data(), values.size(), cluster::Number::float64, std::size_t{1} << 61);
    expect_refused(call(endless, true), Code::too_large, Argument::values);
    expect_refused(engine_.sum_pairs(pairs_, is_last() ? longer : terms, sums), Code::size_mismatch,
                   Argument::values);
    expect_refused(engine_.sum_pairs(pairs_, terms, is_last() ? longer : terms, sums), Code::size_mismatch,
                   Argument::values);
    expect_refused(engine_.sum_pairs(pairs_, terms, is_last() ? longer : sums), Code::size_mismatch,
                   Argument::values);
    EXPECT_EQ(values, std::vector<double>(values.size(), 1));
    EXPECT_EQ(sums, std::vector<double>(sums.size(), 1));
}

TEST_F(ClusterValues, that_differ_between_ranks_or_come_from_no_rank_are_heard_of) {
    std::vector<double> doubles(engine_.places());
    std::vector<std::int64_t> integers(engine_.places());
    if (rank_count() > 1) {
        const ClusterStatus differs =
            engine_.reverse(is_last() ? cluster::Values(integers) : cluster::Values(doubles));
        EXPECT_EQ(differs.trouble, Trouble::differs);
        EXPECT_TRUE(all_agree(differs));
        const ClusterStatus another = is_last() ? engine_.forward(doubles) : engine_.reverse(doubles);
        EXPECT_EQ(another.trouble, Trouble::differs);
    }
    ClusterStatus failed;
    failed.trouble = Trouble::host_failed;
    const ClusterStatus heard = is_last() ? engine_.agree(failed) : engine_.forward(doubles);
    EXPECT_EQ(heard.trouble, Trouble::host_failed);
    EXPECT_EQ(heard.rank, rank_count() - 1);
    // Where agents stay, pairs have no places here.
    ClusterEngine stays(MPI_COMM_WORLD, {.agents_stay = true});
    ASSERT_TRUE(stays.update(held_.view()).ok() && stays.pairs(pairs_).ok());
    std::vector<double> terms(pairs_.size()), sums(stays.owned().size());
    const ClusterStatus refused = stays.sum_pairs(pairs_, terms, sums);
    EXPECT_TRUE(refused == Code::bad_config && refused.rank == 0 && all_agree(refused));
    std::vector<double> copies(stays.places());
    EXPECT_TRUE(stays.forward(copies).ok() && stays.reverse(copies).ok());
    // Nobody has anything.
    ClusterEngine empty(MPI_COMM_WORLD);
    pairs_.clear();
    std::vector<double> nothing;
    EXPECT_TRUE(empty.forward(nothing).ok() && empty.reverse(nothing).ok());
    EXPECT_TRUE(empty.sum_pairs(pairs_, nothing, nothing).ok());
}

TEST_F(ClusterValues, without_memory_on_one_rank_are_as_they_were_on_all) {
    int failures[3] = {};
    for (std::uint64_t after = 0; after < 12; ++after)
        for (int call = 0; call < 3; ++call) {
            CountingResource memory;
            cluster::ClusterConfig config{.reach = within};
            config.engine.memory = &memory;
            ClusterEngine engine(MPI_COMM_WORLD, config);
            ASSERT_TRUE(engine.update(held_.view()).ok() && engine.pairs(pairs_, {.within = within}).ok());
            std::vector<double> values(engine.places(), 1), terms(pairs_.size(), 2);
            std::vector<double> sums(engine.owned().size(), 1);
            if (is_last()) memory.fail_after(after);
            ClusterStatus status;
            if (call == 0) status = engine.forward(values);
            if (call == 1) status = engine.reverse(values);
            if (call == 2) status = engine.sum_pairs(pairs_, terms, sums);
            memory.stop_failing();
            EXPECT_TRUE(all_agree(status));
            if (status.ok()) continue;
            ++failures[call];
            EXPECT_TRUE(status == Code::out_of_memory && status.rank == rank_count() - 1);
            EXPECT_EQ(values, std::vector<double>(values.size(), 1));
            EXPECT_EQ(sums, std::vector<double>(sums.size(), 1));
            EXPECT_TRUE(engine.forward(values).ok());
        }
    if (rank_count() > 1) {
        EXPECT_GT(failures[0], 1);
        EXPECT_GT(failures[1], 1);
    }
    EXPECT_GT(failures[2], 1);
}

TEST_F(ClusterValues, of_settled_frames_take_no_memory) {
    CountingResource memory;
    cluster::ClusterConfig config{.reach = within};
    config.engine.memory = &memory;
    ClusterEngine engine(MPI_COMM_WORLD, config);
    for (int frame = 0; frame < 4; ++frame) {
        ASSERT_TRUE(engine.update(held_.view()).ok() && engine.pairs(pairs_, {.within = within}).ok());
        std::vector<double> values(engine.places()), terms(pairs_.size()), sums(engine.owned().size());
        const std::uint64_t before = memory.calls();
        ASSERT_TRUE(engine.forward(values).ok() && engine.reverse(values).ok());
        ASSERT_TRUE(engine.sum_pairs(pairs_, terms, sums).ok());
        if (frame == 3) {
            EXPECT_EQ(memory.calls(), before);
        }
        held_.take(engine.owned());
    }
}

}  // namespace throng::test
