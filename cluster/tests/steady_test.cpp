// Steady frames: what they write in place is put back if the frame fails, agents that stay ghosts send only
// their corners, memory is little more than the agents themselves, and no rank has far more than another.
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "support/counting_resource.hpp"
#include "support/test.hpp"
#include "worlds/scenes/random.hpp"

namespace throng::test {

using cluster::ClusterEngine;
using cluster::ClusterStatus;

namespace {

// Some edges are minus zero, which compares equal to zero and is another float.
std::vector<Box> crowd_around_zero(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Box> boxes;
    const float side = std::sqrt(static_cast<float>(count));
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back(Box::around(random.uniform(-side, side), random.uniform(-side, side), 0.5f, 0.5f));
    for (std::size_t i = 0; i < count; i += 9) boxes[i].max_x = -0.0f, boxes[i].min_x = -1;
    return boxes;
}

template <class T>
void add_bytes(std::vector<std::byte>& all, std::span<const T> values) {
    const std::byte* const first = reinterpret_cast<const std::byte*>(values.data());
    all.insert(all.end(), first, first + values.size_bytes());
}
// All that a rank has of a frame, to the bit.
std::vector<std::byte> bytes_of(const ClusterEngine& engine) {
    std::vector<std::byte> all;
    for (const cluster::Table& table : {engine.owned(), engine.ghosts()}) {
        add_bytes(all, table.ids);
        add_bytes(all, table.boxes);
        add_bytes(all, table.labels);
        add_bytes(all, table.heights);
        add_bytes(all, table.payload);
    }
    cluster::PairList pairs;
    // For the frame as it is: this call needs no message.
    EXPECT_TRUE(const_cast<ClusterEngine&>(engine).pairs(pairs).ok());
    pairs.sort();
    const std::vector<cluster::ClusterPair> read(pairs.begin(), pairs.end());
    add_bytes(all, std::span<const cluster::ClusterPair>(read));
    return all;
}

Held as_host(const ClusterEngine& engine, float dx, float dy) {
    Held held;
    held.take(engine.owned());
    for (Box& box : held.boxes) box = box.moved(dx, dy);
    return held;
}

struct Traffic {
    double bytes = 0, ghosts = 0;
};
Traffic ghost_traffic(const ClusterEngine& engine) {
    double mine[] = {double(engine.report().ghosting.bytes), double(engine.report().ghosts_sent)},
           all[2] = {};
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return {all[0], all[1]};
}

}  // namespace

TEST(ClusterSteady, a_frame_that_fails_leaves_everything_to_the_bit) {
    for (const bool labelled : {false, true}) {
        const std::vector<Box> boxes = crowd_around_zero(500, 21);
        std::vector<Label> labels;
        std::vector<Band> heights;
        if (labelled) heights = bands_by_id(boxes.size());
        for (std::size_t i = 0; labelled && i < boxes.size(); ++i)
            labels.push_back({.categories = 1u << i % 5});
        ClusterEngine engine(MPI_COMM_WORLD, {.reach = 0.5f, .rebalance = false, .payload_bytes = 3});
        Held held = hand_out(boxes, labels, HandedOut::in_turns, 1, heights);
        held.payload.assign(held.ids.size() * 3, std::byte{7});
        for (int frame = 0; frame < 8; ++frame) {
            ASSERT_TRUE(engine.update(held.view()).ok());
            held = as_host(engine, 0.03f, 0.05f);
            if (frame < 3) continue;
            const std::vector<std::byte> before = bytes_of(engine);
            Held bad = held;
            if (my_rank() == rank_count() - 1 && !bad.boxes.empty())
                bad.boxes.back().max_y = std::numeric_limits<float>::quiet_NaN();
            EXPECT_TRUE(engine.update(bad.view()) == Code::not_finite);
            EXPECT_TRUE(bytes_of(engine) == before) << frame;
            // What the host moved too far is made again, also from views of the engine's own arrays.
            if (frame == 5) {
                EXPECT_TRUE(engine
                                .update({.ids = engine.owned().ids,
                                         .boxes = engine.owned().boxes,
                                         .labels = engine.owned().labels,
                                         .payload = engine.owned().payload,
                                         .heights = Heights::of(engine.owned().heights)})
                                .ok());
                EXPECT_TRUE(bytes_of(engine) == before) << frame;
            }
        }
    }
}

// One cluster gets boxes that are written in place, the other one copies. Some frames are tried and made
// again: agents jump over other ranks, or grow. In some a rank leaves out the first and the last of its
// agents.
TEST(ClusterSteady, boxes_that_are_written_in_place_make_the_frames_that_copies_make) {
    const cluster::ClusterConfig config{.reach = 0.5f, .rebalance = false, .payload_bytes = 1};
    ClusterEngine written(MPI_COMM_WORLD, config), copied(MPI_COMM_WORLD, config);
    Held held = hand_out(crowd_around_zero(900, 25), {}, HandedOut::in_turns, 1, bands_by_id(900));
    held.payload.assign(held.ids.size(), std::byte{7});
    ASSERT_TRUE(written.update(held.view()).ok());
    ASSERT_TRUE(copied.update(held.view()).ok());
    for (int frame = 0; frame < 24; ++frame) {
        const auto [boxes, payload, heights] = written.in_place();
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const bool jumps = frame % 6 == 4 && i % 40 == 3, grows = frame % 6 == 5 && i % 50 == 2;
            boxes[i] = jumps ? boxes[i].moved(-2 * boxes[i].min_x, 1) : boxes[i].moved(0.2f, -0.1f);
            if (grows) boxes[i].max_x += 3;
            payload[i] = std::byte(i % 50);
            if (i % 3 == 1) heights[i] = {heights[i].min_z - 0.01f, heights[i].max_z};
        }
        held.take(written.owned());
        ASSERT_TRUE(copied.owned().size() == held.ids.size());
        const bool fails = frame % 6 == 2;
        if (fails && my_rank() == 0 && !boxes.empty())
            boxes.back().max_x = std::numeric_limits<float>::quiet_NaN();
        const std::size_t first = frame % 6 >= 3 && held.ids.size() > 9 ? 1 : 0,
                          count = held.ids.size() - 2 * first;
        const ClusterStatus status = written.update({.ids = written.owned().ids.subspan(first, count),
                                                     .boxes = boxes.subspan(first, count),
                                                     .payload = payload.subspan(first, count),
                                                     .heights = heights.subspan(first, count)});
        ASSERT_TRUE(fails ? status == Code::not_finite : status.ok()) << frame;
        if (fails) continue;
        const std::span<const Box> copies(held.boxes);
        ASSERT_TRUE(copied
                        .update({.ids = std::span(held.ids).subspan(first, count),
                                 .boxes = copies.subspan(first, count),
                                 .payload = std::span(held.payload).subspan(first, count),
                                 .heights = std::span(held.heights).subspan(first, count)})
                        .ok());
        EXPECT_TRUE(bytes_of(written) == bytes_of(copied)) << frame;
    }
}

// The first label makes a frame that has been tried be made again.
TEST(ClusterSteady, every_second_box_that_was_written_in_place_may_be_handed_in) {
    const cluster::ClusterConfig config{.reach = 0.5f, .rebalance = false};
    ClusterEngine written(MPI_COMM_WORLD, config), copied(MPI_COMM_WORLD, config);
    const Held all = hand_out(crowd_around_zero(900, 27), {}, HandedOut::in_turns);
    for (ClusterEngine* const engine : {&written, &copied})
        for (int frame = 0; frame < 3; ++frame) ASSERT_TRUE(engine->update(all.view()).ok());
    const std::span<const Box> boxes = written.in_place().boxes;
    Held half;
    for (std::size_t i = 0; i < boxes.size(); i += 2) {
        half.ids.push_back(written.owned().ids[i]);
        half.boxes.push_back(boxes[i]);
    }
    half.labels.assign(half.ids.size(), Label{2});
    ASSERT_TRUE(copied.update(half.view()).ok());
    const float* const at = reinterpret_cast<const float*>(boxes.data());
    ASSERT_TRUE(written
                    .update({.ids = half.ids,
                             .boxes = Boxes::strided(Boxes::Form::min_max, {at, at + 1, at + 2, at + 3},
                                                     {32, 32, 32, 32}, half.ids.size()),
                             .labels = half.labels})
                    .ok());
    EXPECT_TRUE(bytes_of(written) == bytes_of(copied));
}

TEST(ClusterSteady, a_frame_that_fails_puts_boxes_and_heights_back_that_were_written_in_place) {
    ClusterEngine engine(MPI_COMM_WORLD, {.reach = 0.5f});
    Held held = hand_out(crowd_around_zero(500, 26), {}, HandedOut::in_turns, 1, bands_by_id(500));
    for (int frame = 0; frame < 6; ++frame) {
        ASSERT_TRUE(engine.update(held.view()).ok());
        const std::vector<std::byte> before = bytes_of(engine);
        const std::span<Box> boxes = engine.in_place().boxes;
        for (Box& box : boxes) box = box.moved(0.3f, 0.1f);
        for (Band& band : engine.in_place().heights) band = {band.min_z + 1, band.max_z + 2};
        const bool bad = my_rank() == rank_count() - 1;
        const ClusterStatus status =
            engine.update({.ids = engine.owned().ids,
                           .boxes = boxes,
                           .heights = engine.in_place().heights,
                           .failed = bad ? cluster::ClusterStatus{.trouble = cluster::Trouble::host_failed}
                                         : cluster::ClusterStatus()});
        EXPECT_TRUE(status.trouble == cluster::Trouble::host_failed);
        EXPECT_TRUE(bytes_of(engine) == before) << frame;
        held = as_host(engine, 0.1f, -0.1f);
    }
}

// Near zero floats are many steps apart, so most of these agents take four bytes for a lower edge.
TEST(ClusterSteady, a_ghost_that_stays_one_sends_its_steps_and_has_the_box_of_its_owner) {
    const std::vector<Box> boxes = crowd_around_zero(20'000, 22);
    ClusterEngine engine(MPI_COMM_WORLD, {.reach = 4});
    std::vector<Box> everywhere;
    Held held = hand_out(boxes, {}, HandedOut::in_turns);
    for (int frame = 0; frame < 6; ++frame) {
        ASSERT_TRUE(engine.update(held.view()).ok());
        const Traffic traffic = ghost_traffic(engine);
        if (rank_count() > 1 && frame != 1) {
            EXPECT_EQ(traffic.bytes > 24 * traffic.ghosts, frame == 0) << frame;
            EXPECT_EQ(traffic.bytes < 10 * traffic.ghosts, frame != 0) << frame;
        }
        everywhere.assign(engine.owned().boxes.begin(), engine.owned().boxes.end());
        everywhere.resize(engine.places());
        ASSERT_TRUE(engine.forward(everywhere).ok());
        const std::span<const Box> ghosts = engine.ghosts().boxes;
        EXPECT_TRUE(ghosts.empty() || std::memcmp(everywhere.data() + engine.owned().boxes.size(),
                                                  ghosts.data(), ghosts.size_bytes()) == 0)
            << frame;
        held = as_host(engine, 0.03f, -0.02f);
        if (frame == 3) continue;
        for (std::size_t i = 0; i < held.boxes.size(); i += 50)
            held.boxes[i].max_x = std::nextafter(held.boxes[i].max_x, 1e9f);
        // Edges that come close to zero are many steps away.
        for (Box& box : held.boxes) {
            if (box.min_x < 0 && box.max_x > 0) box.min_x = frame % 2 == 0 ? -0.0f : -1e-40f;
            if (box.min_y < 0 && box.max_y > 0) box.max_y = frame % 2 == 0 ? 0.0f : 1e-40f;
        }
    }
}

TEST(ClusterSteady, memory_is_that_of_one_engine_and_of_the_agents) {
    constexpr std::size_t count = 40'000;
    const std::vector<Box> boxes = crowd_around_zero(count, 23);
    CountingResource memory, memory_of_one;
    cluster::ClusterConfig config;
    config.engine.memory = &memory;
    config.engine.executor = serial_executor();  // each thread has work space
    ClusterEngine engine(MPI_COMM_WORLD, config);
    Held held = hand_out(boxes, {}, HandedOut::in_turns);
    for (int frame = 0; frame < 6; ++frame) {
        ASSERT_TRUE(engine.update(held.view()).ok());
        held = as_host(engine, 0.01f, 0.02f);
    }
    cluster::PairList pairs;
    EXPECT_TRUE(engine.pairs(pairs).ok());
    // A plain engine with what this rank owns and its ghosts.
    std::vector<Box> here(engine.owned().boxes.begin(), engine.owned().boxes.end());
    here.insert(here.end(), engine.ghosts().boxes.begin(), engine.ghosts().boxes.end());
    EngineConfig one;
    one.memory = &memory_of_one;
    one.executor = serial_executor();
    Engine plain(one);
    for (int frame = 0; frame < 6; ++frame) ASSERT_TRUE(plain.update(here).ok());
    EXPECT_TRUE(plain.frame().count_pairs().status.ok());
    // An id and a box, with a sixteenth to spare; what is known of ghosts on both sides; letters and samples.
    // Pairs take only their list.
    const double letters = rank_count() == 1 ? 1 << 17 : 1 << 20;
    const double most = 17.0 / 16 * 24 * double(here.size()) + 350 * double(engine.ghosts().size()) + letters;
    EXPECT_LT(double(memory.bytes_out()), double(memory_of_one.bytes_out()) + most);
}

// All walk in circles, so each frame comes again; after the first round nothing is new to any buffer.
TEST(ClusterSteady, frames_that_have_been_before_allocate_nothing) {
    constexpr int round = 16;
    const int rounds = rank_count() <= 3 ? 63 : 12;  // more than 1,000 frames, where there are cores for it
    const std::vector<Box> boxes = crowd_around_zero(1500, 24);
    CountingResource memory;
    cluster::ClusterConfig config{.reach = 1, .rebalance = false, .payload_bytes = 8};
    config.engine.memory = &memory;
    config.engine.executor = serial_executor();  // a thread that joins in later needs work space
    ClusterEngine engine(MPI_COMM_WORLD, config);
    cluster::PairList pairs(&memory);
    Held held = hand_out(boxes, {}, HandedOut::in_turns);
    held.payload.resize(held.ids.size() * 8);
    std::uint64_t calls = 0, sent = 0;
    for (int frame = 0; frame < rounds * round; ++frame) {
        if (frame == 4 * round) calls = memory.calls();
        ASSERT_TRUE(engine.update(held.view()).ok());
        ASSERT_TRUE(engine.pairs(pairs).ok());
        sent += engine.report().sent;
        held.take(engine.owned());
        const float turn = 6.2831853f * static_cast<float>((frame + 1) % round) / round;
        for (std::size_t i = 0; i < held.ids.size(); ++i)
            held.boxes[i] = boxes[place_of(held.ids[i])].moved(std::cos(turn), std::sin(turn));
    }
    EXPECT_EQ(memory.calls() - calls, 0u);
    EXPECT_TRUE(rank_count() == 1 || sent > 100);
}

// As at the gate of a stadium, on any rank: no other id is looked at again.
TEST(ClusterSteady, one_that_comes_and_one_that_goes_send_little) {
    constexpr std::size_t count = 20'000;
    const std::vector<Box> boxes = crowd_around_zero(count, 28);
    ClusterEngine engine(MPI_COMM_WORLD, {.rebalance = false});
    Held held = hand_out(boxes, {}, HandedOut::in_turns);
    for (int frame = 0; frame < 12; ++frame) {
        const bool gate = frame > 3 && frame % rank_count() == my_rank();
        if (gate && frame % 3 != 0) {
            held.ids.erase(held.ids.begin());
            held.boxes.erase(held.boxes.begin());
        }
        if (gate && frame % 3 != 1) {
            held.ids.push_back(global_of(count + static_cast<std::size_t>(frame)));
            held.boxes.push_back(held.boxes.back());
        }
        ASSERT_TRUE(engine.update(held.view()).ok());
        const cluster::ClusterReport& report = engine.report();
        if (frame > 3) {
            EXPECT_LT(report.general_exchange.bytes, 1000u) << frame;
            EXPECT_LE(report.sums.messages, 2u) << frame;
        }
        held.take(engine.owned());
    }
}

TEST(ClusterSteady, giants_are_those_of_all_ranks) {
    std::vector<Box> boxes = crowd_around_zero(2000, 31);
    ClusterEngine engine(MPI_COMM_WORLD);
    ASSERT_TRUE(engine.update(hand_out(boxes, {}, HandedOut::in_turns).view()).ok());
    EXPECT_EQ(engine.giants_from(), std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < 3; ++i) boxes[40 * i] = boxes[40 * i].grown(5);
    ASSERT_TRUE(engine.update(hand_out(boxes, {}, HandedOut::in_turns).view()).ok());
    EXPECT_GE(engine.giants_from(), 0.5f);
    EXPECT_LE(engine.giants_from(), 0.6f);
}

// Of other agents a rank has only those that may meet one of its own, as far as its part and the sizes tell.
TEST(ClusterSteady, ghosts_are_those_that_reach_and_borders_demand) {
    const std::vector<Box> boxes = crowd_around_zero(6000, 25);
    ClusterEngine engine(MPI_COMM_WORLD, {.reach = 1.5f});
    ASSERT_TRUE(engine.update(hand_out(boxes, {}, HandedOut::in_turns).view()).ok());
    const Box domain = engine.domain(engine.rank());
    float largest = 0;
    for (const Box& box : boxes) largest = std::max(largest, (box.max_x - box.min_x) / 2);
    const Box near = domain.grown(1.5f + largest);
    std::size_t least = 0;
    for (const Box& box : boxes) {
        const Point at = box.centre();
        least += box.overlaps(near) && !domain.overlaps({at.x, at.y, at.x, at.y});
    }
    EXPECT_GE(engine.ghosts().size(), least);
    EXPECT_LE(double(engine.ghosts().size()), 1.1 * double(least) + 5);
}

// Nine tenths of a crowd in a corner, and the same crowd everywhere.
TEST(ClusterSteady, ranks_have_about_as_much_to_do_as_each_other) {
    for (const bool crushed : {false, true}) {
        std::vector<Box> boxes = crowd_around_zero(4000, 26);
        for (std::size_t i = 0; crushed && i < boxes.size(); ++i)
            if (i % 10 != 0) boxes[i] = Box::around(boxes[i].min_x / 10, boxes[i].min_y / 10, 0.5f, 0.5f);
        ClusterEngine engine(MPI_COMM_WORLD);
        cluster::PairList pairs;
        Held held = hand_out(boxes, {}, HandedOut::in_turns);
        for (int frame = 0; frame < 5; ++frame) {
            ASSERT_TRUE(engine.update(held.view()).ok());
            ASSERT_TRUE(engine.pairs(pairs).ok());
            held.take(engine.owned());
        }
        const cluster::ClusterReport& report = engine.report();
        const double most = crushed ? 1.5 : 1.25;  // in small worlds, of which each agent counts
        EXPECT_LE(double(report.busiest) * rank_count(), most * double(report.all_work)) << crushed;
    }
}

// The whole crowd walks to one side, so cuts must follow it, but not in every frame. Frames without a cut
// spend no time on one.
TEST(ClusterSteady, cuts_follow_a_crowd_now_and_then_and_are_reported) {
    const std::vector<Box> boxes = crowd_around_zero(4000, 27);
    ClusterEngine engine(MPI_COMM_WORLD);
    Held held = hand_out(boxes, {}, HandedOut::in_turns);
    int cuts = 0;
    for (int frame = 0; frame < 40; ++frame) {
        ASSERT_TRUE(engine.update(held.view()).ok());
        const cluster::ClusterReport& report = engine.report();
        EXPECT_EQ(report.partition_seconds > 0, report.partitioned);
        EXPECT_LE(report.partition_seconds, report.seconds);
        cuts += report.partitioned ? 1 : 0;
        held = as_host(engine, 2, 0);
    }
    EXPECT_EQ(cuts > 1, rank_count() > 1);
    EXPECT_LE(cuts, 12);
}

}  // namespace throng::test
