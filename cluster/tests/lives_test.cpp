// Worlds that live for some frames: agents migrate, come and go, drift, explode and are crushed; empty
// worlds, worlds on one rank, or thinner than their reach; and one that goes on with fewer ranks.
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "support/counting_resource.hpp"
#include "support/test.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

using cluster::ClusterEngine;
using cluster::ClusterPair;
using cluster::GlobalId;

// Pairs of the cluster, on every rank, and the pairs of one engine with all agents.
std::vector<std::uint64_t> pairs_of_the_cluster(ClusterEngine& engine) {
    cluster::PairList list;
    EXPECT_TRUE(engine.pairs(list).ok());
    std::vector<std::uint64_t> ids;
    for (const ClusterPair& pair : gathered(std::vector(list.begin(), list.end())))
        ids.push_back(place_of(pair.a) << 32 | place_of(pair.b));
    std::sort(ids.begin(), ids.end());
    return ids;
}
std::vector<std::uint64_t> pairs_of_one_engine(const std::vector<Box>& boxes) {
    Engine engine;
    PairList list;
    EXPECT_TRUE(engine.update(boxes, list).ok());
    EXPECT_TRUE(list.sort().ok());
    std::vector<std::uint64_t> ids;
    for (const Pair& pair : list) ids.push_back(std::uint64_t{pair.a} << 32 | pair.b);
    return ids;
}

// Everybody moves by a rule of place and frame; the host of each rank moves what it owns.
void expect_to_live(std::vector<Box> boxes, int frames, const std::function<Box(const Box&, int)>& moved,
                    const cluster::ClusterConfig& config = {}) {
    ClusterEngine engine(MPI_COMM_WORLD, config);
    Held held = hand_out(boxes, {}, HandedOut::in_turns);
    for (int frame = 0; frame < frames; ++frame) {
        const cluster::ClusterStatus status = engine.update(held.view());
        ASSERT_TRUE(all_agree(status) && status.ok());
        EXPECT_EQ(pairs_of_the_cluster(engine), pairs_of_one_engine(boxes)) << "frame " << frame;
        held.take(engine.owned());
        for (Box& box : boxes) box = moved(box, frame);
        for (Box& box : held.boxes) box = moved(box, frame);
    }
}

std::vector<Box> crowd_of(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Box> boxes;
    const float side = 2 * std::sqrt(static_cast<float>(count));
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back(Box::around(random.uniform(0, side), random.uniform(0, side), 0.5f, 0.5f));
    return boxes;
}
Box put_at(const Box& box, float x, float y) { return Box::around(x, y, (box.max_x - box.min_x) / 2, 0.5f); }

TEST(ClusterLives, a_drifting_crowd) {
    expect_to_live(crowd_of(1500, 1), 12, [](const Box& box, int) { return box.moved(1.25f, 0.5f); });
}

TEST(ClusterLives, an_exploding_and_a_crushed_crowd) {
    for (const float factor : {1.7f, 0.5f})
        expect_to_live(crowd_of(800, 2), 8, [&](const Box& box, int) {
            const Point at = box.centre();
            return put_at(box, at.x * factor, at.y * factor);
        });
}

TEST(ClusterLives, everybody_jumps_in_every_frame) {
    expect_to_live(crowd_of(600, 3), 6, [](const Box& box, int frame) {
        const Point at = box.centre();
        return put_at(box, std::fmod(at.y * 7 + static_cast<float>(frame), 50.0f),
                      std::fmod(at.x * 3, 50.0f));
    });
}

TEST(ClusterLives, everybody_at_one_place) {
    expect_to_live(crowd_of(300, 4), 5, [](const Box& box, int frame) {
        return frame < 3 ? put_at(box, 5, 5) : put_at(box, 5 + box.min_y, 5);
    });
}

TEST(ClusterLives, parts_thinner_than_the_reach) {
    expect_to_live(crowd_of(60, 5), 4, [](const Box& box, int) { return box.moved(0.1f, 0); }, {.reach = 40});
}

TEST(ClusterLives, more_ranks_than_agents) {
    expect_to_live(crowd_of(2, 6), 3, [](const Box& box, int) { return box.moved(3, 0); });
    expect_to_live({Box{0, 0, 1, 1}}, 3, [](const Box& box, int) { return box.moved(3, 0); });
}

TEST(ClusterLives, some_with_giants) {
    std::vector<Box> boxes = crowd_of(900, 7);
    for (std::size_t i = 0; i < boxes.size(); i += 100) boxes[i] = boxes[i].grown(static_cast<float>(i) / 20);
    expect_to_live(boxes, 6, [](const Box& box, int) { return box.moved(0.7f, -0.4f); });
}

TEST(ClusterLives, nobody_then_some_then_nobody) {
    ClusterEngine engine(MPI_COMM_WORLD);
    const std::vector<Box> boxes = crowd_of(200, 8);
    for (const bool some : {false, true, false, false, true}) {
        const Held held = some ? hand_out(boxes, {}, HandedOut::all_on_one) : Held();
        ASSERT_TRUE(engine.update(held.view()).ok());
        EXPECT_EQ(engine.size(), some ? 200u : 0u);
        EXPECT_EQ(pairs_of_the_cluster(engine), pairs_of_one_engine(some ? boxes : std::vector<Box>()));
    }
}

TEST(ClusterLives, agents_come_and_go) {
    ClusterEngine engine(MPI_COMM_WORLD);
    const std::vector<Box> boxes = crowd_of(400, 9);
    for (std::size_t count : {100u, 400u, 250u, 251u})
        for (const HandedOut how : {HandedOut::in_turns, HandedOut::at_random}) {
            const std::vector<Box> some(boxes.begin(), boxes.begin() + static_cast<std::ptrdiff_t>(count));
            ASSERT_TRUE(engine.update(hand_out(some, {}, how).view()).ok());
            EXPECT_EQ(pairs_of_the_cluster(engine), pairs_of_one_engine(some));
        }
}

TEST(ClusterLives, payload_and_labels_travel_with_the_agents) {
    struct Luggage {
        std::uint64_t number;
        char name[5];
    };
    ClusterEngine engine(MPI_COMM_WORLD, {.payload_bytes = sizeof(Luggage)});
    std::vector<Box> boxes = crowd_of(500, 10);
    Held held = hand_out(boxes, labels_by_id(boxes.size()), HandedOut::at_random);
    for (const GlobalId id : held.ids) {
        Luggage luggage{};
        luggage.number = id * 3;
        const auto* const bytes = reinterpret_cast<const std::byte*>(&luggage);
        held.payload.insert(held.payload.end(), bytes, bytes + sizeof luggage);
    }
    const std::vector<Label> labels = labels_by_id(boxes.size());
    for (int frame = 0; frame < 6; ++frame) {
        // The views may be the engine's own.
        if (frame % 2 == 0)
            ASSERT_TRUE(engine.update(held.view()).ok());
        else
            ASSERT_TRUE(engine
                            .update({engine.owned().ids, Boxes::of(held.boxes),
                                     Labels::of(engine.owned().labels), engine.owned().payload})
                            .ok());
        const cluster::Table mine = engine.owned();
        for (std::size_t i = 0; i < mine.size(); ++i) {
            Luggage luggage;
            std::memcpy(&luggage, mine.payload.data() + i * sizeof luggage, sizeof luggage);
            EXPECT_EQ(luggage.number, mine.ids[i] * 3);
            EXPECT_EQ(mine.labels[i], labels[place_of(mine.ids[i])]);
        }
        const cluster::Table ghosts = engine.ghosts();
        for (std::size_t i = 0; i < ghosts.size(); ++i)
            EXPECT_EQ(ghosts.labels[i], labels[place_of(ghosts.ids[i])]);
        held.take(mine);
        for (Box& box : held.boxes) box = box.moved(4, 1);
    }
}

// The first frame has everything on one rank, which needs no second copy of it: agents leave in blocks.
TEST(ClusterLives, a_rank_that_has_all_at_first_needs_little_memory_for_it) {
    if (rank_count() == 1) return;
    constexpr std::size_t count = 40'000, payload = 256;
    CountingResource memory;
    cluster::ClusterConfig config;
    config.engine.memory = &memory;
    config.payload_bytes = payload;
    config.block_bytes = 1 << 16;
    ClusterEngine engine(MPI_COMM_WORLD, config);
    Held held = hand_out(crowd_of(count, 11), {}, HandedOut::all_on_one);
    held.payload.resize(held.ids.size() * payload);
    ASSERT_TRUE(engine.update(held.view()).ok());
    EXPECT_EQ(engine.size(), count);
    const std::size_t share = count / static_cast<std::size_t>(rank_count());
    EXPECT_LT(memory.bytes_out(), 2 * share * (payload + 200) + (1 << 20) + count * 16);
    EXPECT_GT(engine.report().rounds, 3u);
}

// In a steady crowd only agents that cross a border are sent, to neighbours, and without a general exchange.
TEST(ClusterLives, a_steady_crowd_sends_what_crosses_a_border) {
    std::vector<Box> boxes = crowd_of(4000, 12);
    ClusterEngine engine(MPI_COMM_WORLD, {.rebalance = false});
    Held held = hand_out(boxes, {}, HandedOut::in_turns);
    std::uint64_t sent = 0, crossed = 0;
    for (int frame = 0; frame < 5; ++frame) {
        ASSERT_TRUE(engine.update(held.view()).ok());
        if (frame != 0) {
            sent += engine.report().sent;
            EXPECT_FALSE(engine.report().general);
            // The first after a change begins with a sum, too.
            EXPECT_EQ(engine.report().sums.messages, rank_count() == 1 ? 0u : frame == 1 ? 2u : 1u);
        }
        held.take(engine.owned());
        const Box domain = engine.domain(engine.rank());
        for (Box& box : held.boxes) {
            box = box.moved(0.1f, -0.07f);
            const Point at = box.centre();
            crossed += frame < 4 && !domain.overlaps({at.x, at.y, at.x, at.y});
        }
    }
    EXPECT_EQ(sent, crossed);
}

// Points from a part of the crowd each time, all from one rank or each from any rank.
TEST(ClusterLives, cuts_by_the_same_crowd_move_hardly_anybody) {
    const std::vector<Box> boxes = crowd_of(6000, 15);
    for (const bool from_one : {false, true}) {
        ClusterEngine engine(MPI_COMM_WORLD, {.rebalance = false});
        Held held = hand_out(boxes, {}, HandedOut::in_turns);
        for (std::size_t cut = 0; cut < 7; ++cut) {
            std::vector<Point> points;
            for (std::size_t i = cut; i < boxes.size(); i += 7)
                if (from_one ? my_rank() == 0
                             : i % static_cast<std::size_t>(rank_count()) == std::size_t(my_rank()))
                    points.push_back(boxes[i].centre());
            ASSERT_TRUE(engine.partition(points).ok());
            ASSERT_TRUE(engine.update(held.view()).ok());
            held.take(engine.owned());
            std::uint64_t sent = 0;
            for (const std::uint64_t one : gathered(std::vector{engine.report().sent})) sent += one;
            if (cut != 0) {
                EXPECT_LT(sent, boxes.size() / 6) << cut;
            }
        }
    }
}

// Parts that were once squares are as high as the crowd when it has turned, unless it is cut in other
// directions.
TEST(ClusterLives, a_crowd_that_turns_gets_other_cuts) {
    std::vector<Box> boxes = crowd_of(4000, 16);
    ClusterEngine engine(MPI_COMM_WORLD, {.rebalance = false});
    Held held = hand_out(boxes, {}, HandedOut::in_turns);
    const auto border = [&](const Box& world) {
        double sum = 0;
        for (int rank = 0; rank < rank_count(); ++rank) {
            const Box part = engine.domain(rank);
            sum += double{std::min(part.max_x, world.max_x)} - double{std::max(part.min_x, world.min_x)} +
                   double{std::min(part.max_y, world.max_y)} - double{std::max(part.min_y, world.min_y)};
        }
        return sum;
    };
    for (const float wide : {8.0f, 1.0f, 0.125f}) {
        for (std::size_t i = 0; i < held.ids.size(); ++i) {
            const Point at = boxes[place_of(held.ids[i])].centre();
            held.boxes[i] = Box::around(at.x * wide, at.y / wide, 0.5f, 0.5f);
        }
        std::vector<Point> points;
        Box world = no_box;
        for (const Box& box : boxes) {
            const Point at{box.centre().x * wide, box.centre().y / wide};
            world = world.united({at.x, at.y, at.x, at.y});
            if (my_rank() == 0) points.push_back(at);
        }
        ASSERT_TRUE(engine.partition(points).ok());
        ASSERT_TRUE(engine.update(held.view()).ok());
        held.take(engine.owned());
        // Strips across, or squares.
        const double width = double{world.max_x - world.min_x}, height = double{world.max_y - world.min_y};
        const double most = std::max(width, height) + rank_count() * std::min(width, height);
        EXPECT_LT(border(world), 1.35 * most) << wide;
    }
}

// A frame like the last one has one sum at its end, which must see all that has changed.
TEST(ClusterLives, what_changes_after_steady_frames_is_seen) {
    for (int change = 0; change < 6; ++change) {
        std::vector<Box> boxes = crowd_of(300, 14);
        std::vector<Label> labels;
        ClusterEngine engine(MPI_COMM_WORLD);
        for (int frame = 0; frame < 10; ++frame) {
            if (frame == 6) {
                if (change == 0) boxes[7] = boxes[7].moved(1000, 1000);  // further than ever
                if (change == 1) boxes[7] = boxes[7].grown(3);           // larger than any
                if (change == 2) boxes.push_back(boxes[7]);              // a new one
                if (change == 3) labels = labels_by_id(boxes.size());
                if (change == 4) std::swap(boxes[7], boxes[207]);  // across the world
                if (change == 5) boxes[3].max_x = std::numeric_limits<float>::quiet_NaN();
            }
            const cluster::ClusterStatus status =
                engine.update(hand_out(boxes, labels, HandedOut::in_turns).view());
            EXPECT_TRUE(all_agree(status));
            EXPECT_EQ(status.ok(), frame < 6 || change != 5);
            if (!status.ok()) continue;
            EXPECT_EQ(pairs_of_the_cluster(engine), pairs_of_one_engine(boxes));
            EXPECT_EQ(engine.owned().labels.empty(), labels.empty() || engine.owned().size() == 0);
            for (Box& box : boxes) box = box.moved(0.01f, 0);
        }
    }
}

// A host's checkpoint is what the ranks own. Here the last ranks are gone, and the others go on.
TEST(ClusterLives, a_world_goes_on_on_fewer_ranks) {
    const std::vector<Box> boxes = crowd_of(700, 13);
    std::vector<GlobalId> ids;
    std::vector<Box> places;
    {
        ClusterEngine engine(MPI_COMM_WORLD);
        ASSERT_TRUE(engine.update(hand_out(boxes, {}, HandedOut::in_turns).view()).ok());
        ids = gathered(std::vector(engine.owned().ids.begin(), engine.owned().ids.end()));
        places = gathered(std::vector(engine.owned().boxes.begin(), engine.owned().boxes.end()));
    }
    const int left = (rank_count() + 1) / 2;
    MPI_Comm survivors = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, my_rank() < left ? 0 : 1, my_rank(), &survivors);
    std::vector<ClusterPair> mine;
    if (my_rank() < left) {
        ClusterEngine engine(survivors);
        Held held;
        if (my_rank() == 0) {
            held.ids = ids;
            held.boxes = places;
        }
        EXPECT_TRUE(engine.update(held.view()).ok());
        EXPECT_EQ(engine.ranks(), left);
        cluster::PairList list;
        EXPECT_TRUE(engine.pairs(list).ok());
        mine.assign(list.begin(), list.end());
    }
    MPI_Comm_free(&survivors);
    std::vector<std::uint64_t> pairs;
    for (const ClusterPair& pair : gathered(mine)) pairs.push_back(place_of(pair.a) << 32 | place_of(pair.b));
    std::sort(pairs.begin(), pairs.end());
    EXPECT_EQ(pairs, pairs_of_one_engine(boxes));
}

}  // namespace throng::test
