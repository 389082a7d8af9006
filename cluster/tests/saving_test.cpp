// All agents in a file, and back on other numbers of ranks. Files that are no good change nothing.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "cluster/tests/wrapped_worlds.hpp"
#include "support/counting_resource.hpp"
#include "support/test.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

using cluster::ClusterConfig;
using cluster::ClusterEngine;
using cluster::ClusterStatus;
using cluster::GlobalId;
using cluster::Trouble;

constexpr std::size_t luggage = 13;  // bytes, which fill no word

class ClusterFiles : public testing::Test {
protected:
    ClusterFiles() {
        int number = static_cast<int>(::getpid());
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
        path_ = testing::TempDir() + "throng-" + std::to_string(number) + ".saved";
    }
    ~ClusterFiles() override {
        MPI_Barrier(MPI_COMM_WORLD);
        ::unlink(path_.c_str());
    }
    static ClusterConfig config() { return {.reach = 0.5f, .radius = 1, .payload_bytes = luggage}; }
    Held world(bool labelled) const {
        const auto labels = labelled ? labels_by_id(boxes_.size()) : std::vector<Label>();
        const auto heights = has_heights_ ? bands_by_id(boxes_.size()) : std::vector<Band>();
        Held held = hand_out(boxes_, labels, HandedOut::at_random, 1, heights);
        for (const GlobalId id : held.ids)
            for (std::size_t k = 0; k < luggage; ++k) held.payload.push_back(byte_of(id, k));
        return held;
    }
    static std::byte byte_of(GlobalId id, std::size_t k) { return std::byte((place_of(id) * 7 + k) % 256); }
    std::string bytes() const {
        std::ifstream file(path_, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    // On the first rank, and the others see it.
    void write(const std::string& all) const {
        if (my_rank() == 0) std::ofstream(path_, std::ios::binary | std::ios::trunc) << all;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    bool is_beside() const { return std::ifstream(path_ + ".new").good(); }

    const std::vector<Box> boxes_ = make_scene("uniform", 500, 4).agents();
    std::string path_;
    bool has_heights_ = false;
};

// What a cluster of some ranks says of a world, on all its ranks in order.
std::vector<std::uint64_t> answers_of(ClusterEngine& engine) {
    cluster::PairList pairs;
    cluster::Lists near;
    EXPECT_TRUE(engine.pairs(pairs).ok());
    EXPECT_TRUE(engine.neighbours(Within{.radius = 1}, near).ok());
    std::vector<std::uint64_t> all;
    for (const cluster::ClusterPair& pair : pairs) all.push_back(place_of(pair.a) << 32 | place_of(pair.b));
    for (std::size_t i = 0; i < near.size(); ++i)
        for (const GlobalId other : near[i])
            all.push_back(place_of(engine.owned().ids[i]) << 32 | place_of(other) | std::uint64_t{1} << 63);
    return all;
}
std::vector<std::uint64_t> answers_of_one_engine(const std::vector<Box>& boxes,
                                                 const std::vector<Band>& heights = {}) {
    Engine engine;
    PairList pairs;
    NeighbourLists near;
    EXPECT_TRUE(engine.update(boxes, pairs, traits_of({}, heights)).ok());
    EXPECT_TRUE(engine.frame().neighbours(Within{.radius = 1}, near).ok());
    std::vector<std::uint64_t> all;
    for (const Pair& pair : pairs)
        all.push_back(std::uint64_t{std::min(pair.a, pair.b)} << 32 | std::max(pair.a, pair.b));
    for (std::size_t i = 0; i < boxes.size(); ++i)
        for (const AgentId other : near[static_cast<AgentId>(i)])
            all.push_back(std::uint64_t{i} << 32 | other | std::uint64_t{1} << 63);
    std::sort(all.begin(), all.end());
    return all;
}

// Makes the call on the first ranks, with their communicator.
template <class Call>
void on_first_ranks(int ranks, const Call& call) {
    MPI_Comm some = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, my_rank() < ranks ? 0 : 1, my_rank(), &some);
    if (my_rank() < ranks) call(some);
    MPI_Comm_free(&some);
}

class SavedWorlds : public ClusterFiles {
protected:
    void save(int ranks, bool labelled) const {
        const Held mine = world(labelled);
        Held all;
        all.ids = gathered(mine.ids);
        all.boxes = gathered(mine.boxes);
        all.labels = gathered(mine.labels);
        all.heights = gathered(mine.heights);
        all.payload = gathered(mine.payload);
        on_first_ranks(ranks, [&](MPI_Comm some) {
            ClusterEngine engine(some, config());
            ASSERT_TRUE(engine.update((my_rank() == 0 ? all : Held()).view()).ok());
            ASSERT_TRUE(engine.save(path_.c_str()).ok());
        });
        MPI_Barrier(MPI_COMM_WORLD);
    }
    // What each rank loads; and all answers.
    std::vector<std::uint64_t> load(int ranks, bool labelled) const {
        std::vector<std::uint64_t> mine;
        on_first_ranks(ranks, [&](MPI_Comm some) {
            ClusterEngine engine(some, config());
            ASSERT_TRUE(engine.load(path_.c_str()).ok());
            EXPECT_EQ(engine.size(), boxes_.size());
            mine = answers_of(engine);
            const cluster::Table owned = engine.owned();
            EXPECT_EQ(owned.labels.size(), labelled ? owned.size() : 0u);
            for (std::size_t i = 0; i < owned.size(); ++i) {
                const std::size_t place = place_of(owned.ids[i]);
                EXPECT_EQ(owned.boxes[i], boxes_[place]);
                EXPECT_EQ(labelled ? owned.labels[i] : Label{}, labelled ? labels_[place] : Label{});
                for (std::size_t k = 0; k < luggage; ++k)
                    EXPECT_EQ(owned.payload[i * luggage + k], byte_of(owned.ids[i], k));
            }
            EXPECT_TRUE(engine.update({owned.ids, owned.boxes, {}, owned.payload}).ok());
        });
        std::vector<std::uint64_t> all = gathered(mine);
        std::sort(all.begin(), all.end());
        return all;
    }

    const std::vector<Label> labels_ = labels_by_id(boxes_.size());
};

TEST_F(SavedWorlds, go_on_on_any_number_of_ranks) {
    const std::vector<std::uint64_t> wanted = answers_of_one_engine(boxes_);
    const int all = rank_count(), half = (all + 1) / 2;
    for (const int savers : {all, half})
        for (const int loaders : {1, half, all}) {
            const bool labelled = loaders != 1;
            save(savers, labelled);
            EXPECT_EQ(load(loaders, labelled), wanted) << savers << " to " << loaders;
        }
}

TEST_F(SavedWorlds, keep_the_heights_of_agents) {
    has_heights_ = true;
    const std::vector<Band> bands = bands_by_id(boxes_.size());
    const std::vector<std::uint64_t> wanted = answers_of_one_engine(boxes_, bands);
    const int all = rank_count(), half = (all + 1) / 2;
    for (const auto& [savers, loaders] : {std::pair(all, half), std::pair(half, all)}) {
        const bool labelled = loaders == half;
        save(savers, labelled);
        EXPECT_EQ(bytes().size(), 64 + boxes_.size() * (8 + 16 + (labelled ? 8 : 0) + 8 + luggage));
        EXPECT_EQ(load(loaders, labelled), wanted);
        on_first_ranks(loaders, [&](MPI_Comm some) {
            ClusterEngine engine(some, config());
            ASSERT_TRUE(engine.load(path_.c_str()).ok());
            const cluster::Table owned = engine.owned();
            ASSERT_EQ(owned.heights.size(), owned.size());
            for (std::size_t i = 0; i < owned.size(); ++i)
                EXPECT_EQ(owned.heights[i], bands[place_of(owned.ids[i])]);
        });
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

// Files without heights are as older libraries wrote them, which had no heights. Others they refuse.
TEST_F(SavedWorlds, are_of_a_newer_version_only_with_heights) {
    for (const bool heights : {false, true}) {
        has_heights_ = heights;
        save(rank_count(), true);
        EXPECT_EQ(bytes().at(8), heights ? 2 : 1);
        std::string other = bytes();
        MPI_Barrier(MPI_COMM_WORLD);
        other[8] = heights ? 1 : 2;
        write(other);
        ClusterEngine engine(MPI_COMM_WORLD, config());
        EXPECT_EQ(engine.load(path_.c_str()).trouble, Trouble::not_saved);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

TEST_F(ClusterFiles, a_world_without_agents_is_one) {
    ClusterEngine engine(MPI_COMM_WORLD, config());
    EXPECT_TRUE(engine.save(path_.c_str()).ok());
    EXPECT_EQ(bytes().size(), 64u);
    ASSERT_TRUE(engine.update(world(true).view()).ok());
    EXPECT_TRUE(engine.load(path_.c_str()).ok());
    EXPECT_EQ(engine.size(), 0u);
}

// What is wrong is the same on all ranks, and nothing is lost.
class BadClusterFiles : public ClusterFiles {
protected:
    BadClusterFiles() {
        EXPECT_TRUE(engine_.update(world(true).view()).ok());
        EXPECT_TRUE(engine_.save(path_.c_str()).ok());
        saved_ = bytes();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    std::vector<std::uint64_t> contents() {
        std::vector<std::uint64_t> all = answers_of(engine_);
        all.insert(all.end(), engine_.owned().ids.begin(), engine_.owned().ids.end());
        for (const std::byte one : engine_.owned().payload) all.push_back(static_cast<std::uint64_t>(one));
        return all;
    }
    void expect_refused(const std::string& file, Trouble trouble, const std::string& what) {
        write(file);
        const auto before = contents();
        const ClusterStatus status = engine_.load(path_.c_str());
        EXPECT_TRUE(all_agree(status)) << what;
        EXPECT_EQ(status.trouble, trouble) << what;
        EXPECT_EQ(contents(), before) << what;
        MPI_Barrier(MPI_COMM_WORLD);
    }

    ClusterEngine engine_{MPI_COMM_WORLD, config()};
    std::string saved_;
};

TEST_F(BadClusterFiles, are_named) {
    const std::size_t count = boxes_.size();
    ASSERT_EQ(saved_.size(), 64 + count * (8 + 16 + 8 + luggage));
    expect_refused("", Trouble::not_saved, "an empty file");
    expect_refused(saved_.substr(0, 63), Trouble::not_saved, "a part of a header");
    expect_refused(std::string(5000, 'x'), Trouble::not_saved, "another file");
    expect_refused(saved_.substr(0, saved_.size() - 1), Trouble::damaged, "a byte less");
    expect_refused(saved_.substr(0, 64), Trouble::damaged, "a header alone");
    expect_refused(saved_ + "x", Trouble::damaged, "a byte more");
    for (const std::size_t at : {0u, 8u, 12u, 56u}) {
        std::string changed = saved_;
        changed[at] = static_cast<char>(changed[at] + 1);
        expect_refused(changed, Trouble::not_saved, "byte " + std::to_string(at));
    }
    const std::size_t ids = 64, boxes = ids + 8 * count, labels = boxes + 16 * count,
                      rest = labels + 8 * count;
    for (const std::size_t at : {std::size_t{16}, std::size_t{23}, std::size_t{40}, ids, boxes - 1, boxes,
                                 labels, rest, saved_.size() - 1}) {
        std::string changed = saved_;
        changed[at] = static_cast<char>(changed[at] ^ 0x40);
        expect_refused(changed, Trouble::damaged, "byte " + std::to_string(at));
    }
    // Two agents that have changed their boxes with each other.
    std::string changed = saved_;
    changed.replace(boxes, 16, saved_, boxes + 160, 16);
    changed.replace(boxes + 160, 16, saved_, boxes, 16);
    expect_refused(changed, Trouble::damaged, "swapped boxes");
    write(saved_);
    EXPECT_TRUE(engine_.load(path_.c_str()).ok());
}

TEST_F(BadClusterFiles, of_another_payload_or_that_are_not_there_are_named) {
    ClusterEngine other(MPI_COMM_WORLD, {.payload_bytes = luggage + 1});
    ClusterStatus status = other.load(path_.c_str());
    EXPECT_TRUE(all_agree(status));
    EXPECT_EQ(status, Code::size_mismatch);
    EXPECT_EQ(status.status.argument, Argument::values);
    const std::string nowhere = path_ + "-nowhere/file";
    for (const bool saves : {false, true}) {
        status = saves ? engine_.save(nowhere.c_str()) : engine_.load(nowhere.c_str());
        EXPECT_TRUE(all_agree(status));
        EXPECT_EQ(status.trouble, Trouble::file_failed);
        EXPECT_EQ(status.mpi_error, MPI_ERR_NO_SUCH_FILE);
        char words[200];
        describe(status, words);
        EXPECT_NE(std::string(words).find("no such file"), std::string::npos) << words;
    }
    ClusterEngine stay(MPI_COMM_WORLD, {.agents_stay = true});
    EXPECT_EQ(stay.save(path_.c_str()), Code::bad_config);
    EXPECT_EQ(stay.load(path_.c_str()), Code::bad_config);
    EXPECT_EQ(bytes(), saved_);
}

TEST_F(BadClusterFiles, and_paths_of_one_rank_are_heard_of_by_all) {
    const int last = rank_count() - 1;
    for (const bool saves : {false, true}) {
        const char* const path = my_rank() == last ? nullptr : path_.c_str();
        const ClusterStatus status = saves ? engine_.save(path) : engine_.load(path);
        EXPECT_TRUE(all_agree(status));
        EXPECT_EQ(status, Code::null_view);
        EXPECT_EQ(status.rank, last);
    }
    if (last == 0) return;
    const std::string other = path_ + (my_rank() == last ? "-other" : "");
    const ClusterStatus differs = engine_.save(other.c_str());
    EXPECT_TRUE(all_agree(differs));
    EXPECT_EQ(differs.trouble, Trouble::differs);
    const ClusterStatus missing = engine_.load(other.c_str());
    EXPECT_TRUE(all_agree(missing));
    EXPECT_EQ(missing.trouble, Trouble::file_failed);
    EXPECT_EQ(missing.rank, last);
}

// A rank that may not write any further, as on a full disk.
TEST_F(BadClusterFiles, leave_an_older_file_as_it_was) {
    ::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    getrlimit(RLIMIT_FSIZE, &before);
    for (const int full : {0, rank_count() - 1}) {
        if (my_rank() == full) {
            const rlimit limit{100, before.rlim_max};
            setrlimit(RLIMIT_FSIZE, &limit);
        }
        const ClusterStatus status = engine_.save(path_.c_str());
        setrlimit(RLIMIT_FSIZE, &before);
        EXPECT_TRUE(all_agree(status));
        EXPECT_EQ(status.trouble, Trouble::file_failed);
        EXPECT_EQ(status.rank, full);
        EXPECT_EQ(bytes(), saved_);
        EXPECT_FALSE(is_beside());
        MPI_Barrier(MPI_COMM_WORLD);
    }
    EXPECT_TRUE(engine_.save(path_.c_str()).ok());
    EXPECT_FALSE(is_beside());
}

TEST_F(BadClusterFiles, and_a_rank_without_memory_change_nothing) {
    for (const bool saves : {false, true}) {
        int failures = 0;
        for (std::uint64_t after = 0; after < 30; after += 1 + after / 8) {
            CountingResource memory;
            ClusterConfig with_memory = config();
            with_memory.engine.memory = &memory;
            ClusterEngine engine(MPI_COMM_WORLD, with_memory);
            if (saves) {
                ASSERT_TRUE(engine.update(world(true).view()).ok());
            }
            if (my_rank() == rank_count() - 1) memory.fail_after(after);
            const ClusterStatus status = saves ? engine.save(path_.c_str()) : engine.load(path_.c_str());
            memory.stop_failing();
            EXPECT_TRUE(all_agree(status));
            EXPECT_TRUE(status.ok() || status == Code::out_of_memory);
            failures += status.ok() ? 0 : 1;
            EXPECT_EQ(engine.size(), saves || status.ok() ? boxes_.size() : 0u);
        }
        EXPECT_GT(failures, 0);
    }
}

// A file has boxes as they were handed in, and no periods.
TEST_F(ClusterFiles, agents_are_folded_by_the_periods_of_the_cluster_that_loads_them) {
    const std::vector<Box> boxes = unfolded(wrapped_boxes(Wrapped::at_the_seams, 2), wrapped_config(0), 3);
    WrappedTwins saved({}, wrapped_config(0));
    saved.update(boxes, hand_out(boxes, {}, HandedOut::in_turns));
    ASSERT_TRUE(saved.engine.save(path_.c_str()).ok());
    for (const EngineConfig& around : {wrapped_config(0), wrapped_config(1), EngineConfig()}) {
        WrappedTwins loaded({}, around);
        ASSERT_TRUE(loaded.engine.load(path_.c_str()).ok() && loaded.one.update(boxes).ok());
        loaded.expect_pairs();
    }
}

}  // namespace throng::test
