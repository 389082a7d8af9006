// What is refused, and what is not: every rank hears the same, and every rank's world stays as it was.
#include <algorithm>
#include <compare>
#include <cstring>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "support/counting_resource.hpp"
#include "support/test.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

using cluster::Agents;
using cluster::ClusterConfig;
using cluster::ClusterEngine;
using cluster::ClusterStatus;
using cluster::GlobalId;
using cluster::Trouble;

class ClusterInput : public testing::Test {
protected:
    ClusterInput() {
        held_ = hand_out(scene_.agents(), {}, HandedOut::in_turns);
        EXPECT_TRUE(engine_.update(held_.view()).ok());
        before_ = contents();
        bad_.take(engine_.owned());
    }
    // What a rank has, and what it says of its pairs.
    std::vector<std::uint64_t> contents() {
        std::vector<std::uint64_t> all(engine_.owned().ids.begin(), engine_.owned().ids.end());
        all.insert(all.end(), engine_.ghosts().ids.begin(), engine_.ghosts().ids.end());
        cluster::PairList pairs;
        EXPECT_TRUE(engine_.pairs(pairs).ok());
        pairs.sort();
        for (const cluster::ClusterPair& pair : pairs) all.insert(all.end(), {pair.a, pair.b});
        all.push_back(engine_.size());
        return all;
    }
    void expect_refused(const ClusterStatus& status, Code code, int rank, std::size_t index) {
        EXPECT_EQ(status.trouble, Trouble::refused);
        EXPECT_EQ(status.status.code, code);
        EXPECT_EQ(status.status.index, index);
        EXPECT_EQ(status.rank, rank);
        EXPECT_TRUE(all_agree(status));
        EXPECT_EQ(contents(), before_);
    }
    bool is_last() const { return my_rank() == last_; }

    const Scene scene_ = make_scene("uniform", 300, 3);
    const int last_ = rank_count() - 1;
    ClusterEngine engine_{MPI_COMM_WORLD, {.reach = 0.5f}};
    Held held_, bad_;
    std::vector<std::uint64_t> before_;
};

TEST_F(ClusterInput, not_a_number_on_one_rank_refuses_the_frame_on_all) {
    ASSERT_GT(bad_.boxes.size(), 3u);
    if (is_last()) bad_.boxes[3].max_y = std::numeric_limits<float>::quiet_NaN();
    expect_refused(engine_.update(bad_.view()), Code::not_finite, last_, 3);
    if (is_last()) bad_.boxes[3].max_y = std::numeric_limits<float>::infinity();
    expect_refused(engine_.update(bad_.view()), Code::not_finite, last_, 3);
}

TEST_F(ClusterInput, an_inverted_box_is_refused_and_the_lowest_rank_named) {
    if (is_last()) bad_.boxes[1].min_x = bad_.boxes[1].max_x + 1;
    if (my_rank() == 0) bad_.boxes[2].min_y = bad_.boxes[2].max_y + 1;
    expect_refused(engine_.update(bad_.view()), Code::inverted, 0, rank_count() == 1 ? 1 : 2);
}

// A rank sorts them, so that the local engine has them in another order.
TEST_F(ClusterInput, of_boxes_without_order_that_are_written_in_place_the_first_illegal_one_is_named) {
    for (int frame = 0; frame < 3; ++frame) {
        std::reverse(bad_.ids.begin(), bad_.ids.end());
        const std::span<Box> boxes = engine_.in_place().boxes;
        std::copy(bad_.boxes.rbegin(), bad_.boxes.rend(), boxes.begin());
        if (is_last()) {
            std::swap(boxes[2].min_x, boxes[2].max_x);
            boxes[5].min_y = std::numeric_limits<float>::quiet_NaN();
        }
        expect_refused(engine_.update({.ids = bad_.ids, .boxes = boxes}), Code::inverted, last_, 2);
        std::reverse(bad_.ids.begin(), bad_.ids.end());
        ASSERT_TRUE(engine_.update(bad_.view()).ok());
    }
}

TEST_F(ClusterInput, arrays_that_do_not_fit_are_refused) {
    Agents agents = bad_.view();
    if (is_last()) agents.ids = agents.ids.first(agents.ids.size() - 1);
    expect_refused(engine_.update(agents), Code::size_mismatch, last_, Status::no_index);
    agents = bad_.view();
    const std::vector<Label> labels(1);
    if (is_last()) agents.labels = Labels::of(labels);
    expect_refused(engine_.update(agents), Code::size_mismatch, last_, Status::no_index);
    agents = bad_.view();
    const std::vector<std::byte> payload(7);
    if (is_last()) agents.payload = payload;
    expect_refused(engine_.update(agents), Code::size_mismatch, last_, Status::no_index);
    agents = bad_.view();
    if (is_last()) agents.boxes = Boxes::min_max(nullptr, nullptr, nullptr, nullptr, agents.ids.size());
    expect_refused(engine_.update(agents), Code::null_view, last_, Status::no_index);
}

TEST_F(ClusterInput, an_id_that_is_there_twice_is_refused_by_name) {
    const std::vector<GlobalId> all = gathered(bad_.ids);
    const std::size_t index = bad_.ids.size() - 1;
    if (is_last()) bad_.ids[index] = all[0];
    const ClusterStatus status = engine_.update(bad_.view());
    EXPECT_EQ(status.id, all[0]);
    EXPECT_EQ(status.rank, last_);
    EXPECT_TRUE(status == Code::duplicate_id);
    if (is_last()) {
        EXPECT_EQ(status.status.index, index);
    }
    EXPECT_TRUE(all_agree(status));
    EXPECT_EQ(contents(), before_);
    char text[200];
    cluster::describe(status, text);
    EXPECT_NE(std::string_view(text).find("id " + std::to_string(all[0])), std::string_view::npos) << text;
}

// Ids of agents at a border in a steady frame, whose boxes the neighbour already knows. Memory is full of
// illegal boxes, so that nothing unwritten is taken for a box.
TEST(ClusterIds, that_are_there_twice_in_a_steady_frame_are_refused_by_name) {
    class Filled final : public MemoryResource {
        void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
            void* const block = ::operator new(bytes, std::align_val_t(alignment));
            return std::memset(block, 0xFF, bytes);
        }
        void deallocate(void* block, std::size_t, std::size_t alignment) noexcept override {
            ::operator delete(block, std::align_val_t(alignment));
        }
    } memory;
    ClusterConfig config{.reach = 3};
    config.engine.memory = &memory;
    ClusterEngine engine(MPI_COMM_WORLD, config);
    Held held = hand_out(make_scene("uniform", 400, 3).agents(), {}, HandedOut::in_turns);
    for (int frame = 0; frame < 6; ++frame) {
        ASSERT_TRUE(engine.update(held.view()).ok());
        held.take(engine.owned());
    }
    const int last = rank_count() - 1;
    if (my_rank() == last) {
        const Held once = held;
        held.ids.insert(held.ids.end(), once.ids.begin(), once.ids.end());
        held.boxes.insert(held.boxes.end(), once.boxes.begin(), once.boxes.end());
    }
    const ClusterStatus status = engine.update(held.view());
    EXPECT_TRUE(status == Code::duplicate_id);
    EXPECT_EQ(status.rank, last);
    EXPECT_TRUE(all_agree(status));
}

// Random frames in which some come, go, change their rank or their order, or are there twice.
TEST(ClusterIds, that_come_and_go_are_refused_if_and_only_if_they_are_there_twice) {
    struct Place {
        GlobalId id;
        int rank;
        std::size_t index;
        auto operator<=>(const Place&) const = default;
    };
    Random random(static_cast<std::uint64_t>(my_rank()) + 77);
    ClusterEngine engine(MPI_COMM_WORLD, {.rebalance = false});
    Held kept = hand_out(make_scene("uniform", 400, 3).agents(), {}, HandedOut::in_turns);
    int refused = 0;
    for (int frame = 0; frame < 80; ++frame) {
        Held held = kept;
        const std::vector<GlobalId> everywhere = gathered(kept.ids);
        const bool mine = frame > 2 && random.one_in(2);
        for (std::uint64_t n = mine ? random.below(4) : 0; n != 0 && held.ids.size() > 2; --n) {
            const std::size_t at = random.below(held.ids.size() - 1);
            const auto place = static_cast<std::ptrdiff_t>(at);
            const std::uint64_t what = random.below(8);
            if (what < 2) {
                held.ids.erase(held.ids.begin() + place);
                held.boxes.erase(held.boxes.begin() + place);
            } else if (what == 2) {
                std::swap(held.ids[at], held.ids[at + 1]);
                std::swap(held.boxes[at], held.boxes[at + 1]);
            } else {
                const GlobalId fresh = random.below(1'000'000) << 33;
                held.ids.insert(held.ids.begin() + place,
                                random.one_in(6) ? everywhere[random.below(everywhere.size())] : fresh);
                held.boxes.insert(held.boxes.begin() + place, held.boxes[at]);
            }
        }
        std::vector<Place> places;
        for (std::size_t i = 0; i < held.ids.size(); ++i) places.push_back({held.ids[i], my_rank(), i});
        places = gathered(places);
        std::sort(places.begin(), places.end());
        const Place* twice = nullptr;
        for (std::size_t i = 1; i < places.size(); ++i)
            if (places[i].id == places[i - 1].id &&
                (twice == nullptr ||
                 std::pair(places[i].rank, places[i].index) < std::pair(twice->rank, twice->index)))
                twice = &places[i];
        const ClusterStatus status = engine.update(held.view());
        EXPECT_EQ(status.ok(), twice == nullptr) << frame;
        if (status.ok()) {
            EXPECT_EQ(engine.size(), places.size());
            kept.take(engine.owned());
        } else if (twice != nullptr) {
            ++refused;
            EXPECT_TRUE(status == Code::duplicate_id);
            EXPECT_EQ((Place{status.id, status.rank, status.status.index}), *twice) << frame;
        }
    }
    EXPECT_TRUE(refused > 2 && refused < 60) << refused;
}

TEST_F(ClusterInput, options_that_do_not_go_with_a_call_are_refused) {
    cluster::Lists lists;
    EXPECT_TRUE(engine_.neighbours(Within{.radius = -1}, lists) == Code::inverted);
    EXPECT_TRUE(engine_.neighbours(Within{}, lists) == Code::not_finite);
    EXPECT_TRUE(engine_.neighbours(Within{.radius = 1, .half = true}, lists) == Code::bad_config);
    EXPECT_TRUE(engine_.neighbours(Within{.radius = 1, .in_row_order = true}, lists) == Code::bad_config);
    EXPECT_TRUE(engine_.neighbours(Nearest{.count = 0}, lists) == Code::bad_config);
    EXPECT_TRUE(engine_.neighbours(Nearest{.count = 65}, lists) == Code::bad_config);
    EXPECT_TRUE(engine_.neighbours(Nearest{.count = 1}, lists, {.self = 3}) == Code::bad_config);
    cluster::PairList pairs;
    EXPECT_TRUE(engine_.pairs(pairs, {.within = -1}) == Code::inverted);
    EXPECT_TRUE(engine_.pairs(pairs, {.within = std::numeric_limits<float>::infinity()}) == Code::not_finite);
    const Frame other;  // whose ids are none of the cluster's
    EXPECT_TRUE(engine_.pairs(pairs, {.with = &other}) == Code::bad_config);
    EXPECT_TRUE(engine_.pairs_with(engine_, pairs, {.with = &other}) == Code::bad_config);
    EXPECT_EQ(contents(), before_);
}

TEST_F(ClusterInput, queries_of_one_rank_that_are_none_are_refused_on_all) {
    std::vector<Box> boxes(4, Box{0, 0, 1, 1});
    std::vector<Cast> casts(4);
    std::vector<cluster::ClusterHit> hits(is_last() ? 3 : 4);
    std::vector<std::uint64_t> counts(is_last() ? 3 : 4);
    const std::vector<GlobalId> selves(is_last() ? 3 : 4);
    cluster::Lists lists;
    expect_refused(engine_.count(boxes, counts), Code::size_mismatch, last_, Status::no_index);
    expect_refused(engine_.first_hits(casts, hits), Code::size_mismatch, last_, Status::no_index);
    expect_refused(engine_.overlaps(boxes, lists, {}, selves), Code::size_mismatch, last_, Status::no_index);
    expect_refused(engine_.overlaps(boxes, lists, Filter{.self = 1}), Code::bad_config, 0, 0);
    if (is_last()) {
        boxes[2].max_x = -1;
        casts[3].radius = -1;
    }
    expect_refused(engine_.overlaps(boxes, lists), Code::inverted, last_, 2);
    expect_refused(engine_.all_hits(casts, lists), Code::inverted, last_, 3);
    EXPECT_TRUE(lists.empty());
}

TEST_F(ClusterInput, cuts_by_bad_points_are_refused) {
    const std::vector<Point> points{{1, 1}, {2, std::numeric_limits<float>::quiet_NaN()}};
    const std::vector<float> weights{1, -1, 2};
    const auto mine = [&](const auto& some) {
        return is_last() ? std::span(some) : std::span(some).first(0);
    };
    expect_refused(engine_.partition(mine(points)), Code::not_finite, last_, 1);
    expect_refused(engine_.partition(mine(points), mine(weights)), Code::size_mismatch, last_,
                   Status::no_index);
    expect_refused(engine_.partition(mine(points).first(is_last() ? 1 : 0),
                                     mine(weights).subspan(is_last() ? 1 : 0, is_last() ? 1 : 0)),
                   Code::inverted, last_, 0);
    EXPECT_TRUE(engine_.partition({}).ok());
    EXPECT_TRUE(engine_.update(bad_.view()).ok());
}

TEST(ClusterConfiguration, payloads_that_differ_are_refused_on_all_ranks) {
    const ClusterEngine engine(MPI_COMM_WORLD, {.payload_bytes = my_rank() == 0 ? std::size_t{8} : 16});
    EXPECT_EQ(engine.status().ok(), rank_count() == 1);
    EXPECT_TRUE(all_agree(engine.status()));
    ClusterEngine bad(MPI_COMM_WORLD, {.reach = -1});
    EXPECT_TRUE(bad.status() == Code::bad_config);
    EXPECT_TRUE(bad.update({}) == Code::bad_config);
    EXPECT_TRUE(bad.owned().ids.empty());
}

TEST(ClusterConfiguration, a_sample_of_any_size_is_taken) {
    for (const std::size_t sample : {std::size_t{0}, std::size_t{1} << 63, SIZE_MAX}) {
        ClusterEngine engine(MPI_COMM_WORLD, {.sample = sample});
        EXPECT_TRUE(
            engine.update(hand_out(make_scene("uniform", 300, 6).agents(), {}, HandedOut::in_turns).view())
                .ok());
    }
}

TEST(ClusterConfiguration, a_communicator_that_is_none_is_an_error_of_mpi) {
    ClusterEngine engine(MPI_COMM_NULL);
    EXPECT_EQ(engine.status().trouble, Trouble::mpi_failed);
    EXPECT_TRUE(engine.set_reach(1, 1) == Code::bad_config);
    EXPECT_TRUE(engine.set_static_layer({}) == Code::bad_config);
}

TEST(ClusterConfiguration, a_moved_from_engine_says_so) {
    ClusterEngine engine(MPI_COMM_WORLD);
    ClusterEngine other = std::move(engine);
    EXPECT_TRUE(engine.status() == Code::moved_from);
    EXPECT_TRUE(engine.update({}) == Code::moved_from);
    EXPECT_TRUE(other.update({}).ok());
    EXPECT_EQ(other.size(), 0u);
}

// One rank's memory ends at its allocations in turn: at each of the first, and at fewer of the later ones. It
// is fewest where ranks share cores and every engine takes long to make.
std::uint64_t next_shortage(std::uint64_t after, std::uint64_t part) {
    return after + 1 + after / (rank_count() > 3 ? part / 4 : part);
}

TEST(ClusterMemory, a_rank_without_memory_refuses_the_frame_on_all) {
    const int starved = rank_count() - 1;
    const std::vector<Box> boxes = make_scene("uniform", 400, 5).agents();
    for (const HandedOut how : {HandedOut::in_turns, HandedOut::all_on_one}) {
        const auto heights = how == HandedOut::in_turns ? bands_by_id(boxes.size()) : std::vector<Band>();
        int failures = 0;
        for (std::uint64_t after = 0; after < 200; after = next_shortage(after, 16)) {
            CountingResource memory;
            {
                ClusterConfig config;
                config.engine.memory = &memory;
                config.block_bytes = 1000;
                config.engine.period_y = how == HandedOut::all_on_one ? 30.0f : 0;
                ClusterEngine engine(MPI_COMM_WORLD, config);
                const Held first = hand_out({boxes.begin(), boxes.begin() + 40}, {}, HandedOut::in_turns);
                ASSERT_TRUE(engine.update(first.view()).ok());
                const std::vector<GlobalId> before(engine.owned().ids.begin(), engine.owned().ids.end());
                if (my_rank() == starved) memory.fail_after(after);
                const Held all = hand_out(boxes, {}, how, 1, heights);
                const ClusterStatus status = engine.update(all.view());
                memory.stop_failing();
                EXPECT_TRUE(all_agree(status));
                if (!status.ok()) {
                    ++failures;
                    EXPECT_TRUE(status == Code::out_of_memory);
                    EXPECT_EQ(status.rank, starved);
                    EXPECT_EQ(std::vector(engine.owned().ids.begin(), engine.owned().ids.end()), before);
                    EXPECT_EQ(engine.size(), 40u);
                    EXPECT_TRUE(engine.update(all.view()).ok());
                }
                EXPECT_EQ(engine.size(), boxes.size());
            }
            EXPECT_EQ(memory.bytes_out(), 0u);
            EXPECT_FALSE(memory.misused());
        }
        EXPECT_GT(failures, 5);
    }
}

// In the first update, which cuts the world: memory ends on all of them, each time a bit later.
TEST(ClusterMemory, ranks_without_memory_all_name_the_same) {
    if (rank_count() == 1) return;
    const Held held = hand_out(make_scene("uniform", 400, 5).agents(), {}, HandedOut::in_turns);
    int failures = 0;
    for (std::uint64_t after = 20; after < 40; ++after) {
        CountingResource memory;
        ClusterConfig config;
        config.engine.memory = &memory;
        ClusterEngine engine(MPI_COMM_WORLD, config);
        memory.fail_after(after);
        const ClusterStatus status = engine.update(held.view());
        memory.stop_failing();
        EXPECT_TRUE(all_agree(status)) << after;
        EXPECT_TRUE(status.ok() || status == Code::out_of_memory);
        if (!status.ok()) ++failures;
    }
    EXPECT_GT(failures, 10);
}

TEST(ClusterMemory, a_rank_without_memory_refuses_the_queries_of_all_until_it_has_some) {
    const Scene scene = make_scene("uniform", 300, 6);
    const std::vector<Box> queries = scene.queries(100, 1);
    const std::vector<Cast> casts(100, Cast::ray(0, 0, 100, 100));
    const std::vector<Point> points(100, Point{5, 5});
    std::vector<cluster::ClusterHit> hits(casts.size());
    const Filter above{.heights = {6, 7}};
    for (int call = 0; call < 9; ++call) {
        const auto heights = call == 8 ? bands_by_id(scene.agents().size()) : std::vector<Band>();
        int failures = 0;
        for (std::uint64_t after = 0; after < 40; after = next_shortage(after, 4)) {
            CountingResource memory;
            ClusterConfig config{.radius = 1, .agents_stay = call % 2 == 0};
            config.engine.memory = &memory;
            config.engine.period_x = after % 2 == 0 ? 0 : 40.0f;
            ClusterEngine engine(MPI_COMM_WORLD, config);
            const Held held = hand_out(scene.agents(), {}, HandedOut::in_turns, 1, heights);
            ASSERT_TRUE(engine.update(held.view()).ok());
            cluster::Lists lists(&memory);
            cluster::PairList pairs(&memory);
            if (my_rank() == rank_count() - 1) memory.fail_after(after);
            const auto ask = [&] {
                if (call == 0) return engine.pairs(pairs);
                if (call == 1) return engine.overlaps(queries, lists);
                if (call == 2) return engine.neighbours(Within{.radius = 1}, lists);
                if (call == 3) return engine.first_hits(casts, hits);
                if (call == 4) return engine.neighbours(Nearest{.count = 3}, lists);
                if (call == 5) return engine.pairs_with(engine, pairs);
                if (call == 6) return engine.neighbours(points, Within{.radius = 1}, lists);
                if (call == 7) return engine.neighbours(points, Nearest{.count = 3}, lists);
                return engine.neighbours(Nearest{.count = 3}, lists, above);
            };
            const ClusterStatus status = ask();
            memory.stop_failing();
            EXPECT_TRUE(ask().ok()) << call;
            EXPECT_TRUE(all_agree(status));
            if (!status.ok()) ++failures;
            EXPECT_TRUE(status.ok() || status == Code::out_of_memory);
            EXPECT_TRUE(engine.pairs(pairs).ok());
        }
        EXPECT_GT(failures, 0) << call;
    }
}

TEST(ClusterMemory, a_rank_without_memory_keeps_all_from_beginning) {
    int failures = 0;
    for (std::uint64_t after = 0; after < 40; ++after) {
        CountingResource memory;
        ClusterConfig config;
        config.engine.memory = &memory;
        config.engine.period_x = after % 2 == 0 ? 0 : 40.0f;
        if (my_rank() == rank_count() - 1) memory.fail_after(after);
        const ClusterEngine engine(MPI_COMM_WORLD, config);
        const bool ok = engine.status().ok();
        EXPECT_EQ(gathered(std::vector{ok ? 1 : 0}),
                  std::vector(static_cast<std::size_t>(rank_count()), ok ? 1 : 0));
        if (!ok) ++failures;
        EXPECT_TRUE(ok || engine.status() == Code::out_of_memory);
    }
    EXPECT_GT(failures, 2);
}

}  // namespace throng::test
