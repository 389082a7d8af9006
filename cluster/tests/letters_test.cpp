// Much data for a rank that has no room for it. If more comes than fits, MPI may write past the end of the
// buffer without a word, and no sanitizer sees it: between two processes the kernel copies.
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <unordered_map>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "support/counting_resource.hpp"
#include "support/test.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

namespace {

// Has a strip behind each block that nobody may write to, and fails when it is told to.
class FencedResource final : public MemoryResource {
public:
    bool failing = false, overrun = false;

    void look() noexcept {
        for (const auto& [block, bytes] : blocks_) look_behind(block, bytes);
    }

private:
    static constexpr std::size_t strip = 1 << 19;

    void look_behind(const void* block, std::size_t bytes) noexcept {
        const auto* const behind = static_cast<const std::byte*>(block) + bytes;
        overrun =
            overrun || std::any_of(behind, behind + 4096, [](std::byte b) { return b != std::byte{90}; });
    }
    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        if (failing) return nullptr;
        auto* const block =
            static_cast<std::byte*>(::operator new(bytes + strip, std::align_val_t(alignment)));
        std::memset(block + bytes, 90, strip);
        blocks_[block] = bytes;
        return block;
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
        look_behind(memory, bytes);
        blocks_.erase(memory);
        ::operator delete(memory, std::align_val_t(alignment));
    }

    std::unordered_map<void*, std::size_t> blocks_;
};

std::atomic<bool> receives_fail = false;
MPI_Comm of_the_cluster = MPI_COMM_NULL;

// Everybody is at the owner, with much luggage.
Held at_home(const cluster::ClusterEngine& engine, const std::vector<Box>& boxes, std::size_t payload) {
    Held held;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Point centre = boxes[i].centre();
        if (!engine.domain(my_rank()).overlaps({centre.x, centre.y, centre.x, centre.y})) continue;
        held.ids.push_back(global_of(i));
        held.boxes.push_back(boxes[i]);
    }
    held.payload.resize(held.ids.size() * payload);
    return held;
}

}  // namespace

// Instead of MPI's own: an error of MPI, when a test wants one.
extern "C" int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm ranks,
                        MPI_Status* status) {
    if (!receives_fail) return PMPI_Recv(buffer, count, type, source, tag, ranks, status);
    of_the_cluster = ranks;
    return MPI_ERR_OTHER;
}

TEST(ClusterLetters, nothing_is_written_where_a_rank_has_no_room_for_what_comes) {
    constexpr std::size_t payload = 3000;
    const std::vector<Box> boxes = make_scene("uniform", 600, 6).agents();
    FencedResource memory;
    {
        cluster::ClusterConfig config{.rebalance = false, .payload_bytes = payload};
        config.engine.memory = &memory;
        cluster::ClusterEngine engine(MPI_COMM_WORLD, config);
        const std::vector<Box> few(boxes.begin(), boxes.begin() + 40);
        Held held = hand_out(few, {}, HandedOut::in_turns);
        held.payload.resize(held.ids.size() * payload);
        ASSERT_TRUE(engine.update(held.view()).ok());
        // All begin at their owners, so nothing large was received before.
        held = at_home(engine, boxes, payload);
        ASSERT_TRUE(engine.update(held.view()).ok());
        Box all = no_box;
        for (const Box& box : boxes) all = all.united(box);
        const bool last = my_rank() == rank_count() - 1;
        if (!last)
            for (Box& box : held.boxes)
                box = box.moved((all.max_x - all.min_x) / 3, (all.max_y - all.min_y) / 3);
        memory.failing = last;
        const cluster::ClusterStatus status = engine.update(held.view());
        EXPECT_TRUE(status == Code::out_of_memory || rank_count() == 1);
        EXPECT_TRUE(all_agree(status));
        memory.failing = false;
        memory.look();
        EXPECT_FALSE(memory.overrun);
        EXPECT_TRUE(engine.update(held.view()).ok());
    }
    EXPECT_FALSE(memory.overrun);
}

// All receives fail, so what was sent is still on its way.
TEST(ClusterLetters, after_an_error_of_mpi_nothing_is_freed_that_is_on_its_way) {
    if (rank_count() == 1) return;
    constexpr std::size_t payload = 3000;
    const std::vector<Box> boxes = make_scene("uniform", 600, 6).agents();
    CountingResource memory;
    {
        cluster::ClusterConfig config{.rebalance = false, .payload_bytes = payload};
        config.engine.memory = &memory;
        cluster::ClusterEngine engine(MPI_COMM_WORLD, config);
        ASSERT_TRUE(engine.partition(my_rank() == 0 ? random_cuts(boxes, 3) : std::vector<Point>()).ok());
        Held held = hand_out(boxes, {}, HandedOut::in_turns);
        held.payload.resize(held.ids.size() * payload);
        ASSERT_TRUE(engine.update(held.view()).ok());
        // Every agent is handed in somewhere else.
        held = hand_out(boxes, {}, HandedOut::in_turns);
        held.payload.resize(held.ids.size() * payload);
        receives_fail = true;
        const cluster::ClusterStatus status = engine.update(held.view());
        receives_fail = false;
        EXPECT_EQ(status.trouble, cluster::Trouble::mpi_failed);
        // From now on it says so at once, and takes part in nothing.
        EXPECT_EQ(engine.status(), status);
        EXPECT_EQ(engine.update(held.view()), status);
        cluster::Lists lists;
        EXPECT_EQ(engine.neighbours(Nearest{.count = 2}, lists), status);
        EXPECT_EQ(engine.agree({}), status);
        EXPECT_EQ(engine.partition({}), status);
    }
    EXPECT_GT(memory.bytes_out(), 0u);
    EXPECT_FALSE(memory.misused());
    // So that MPI can end: what is on its way arrives as it was sent.
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<std::uint64_t> letter(1 << 16);
    for (int found = 1; found != 0;) {
        MPI_Status of;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, of_the_cluster, &found, &of);
        if (found != 0)
            PMPI_Recv(letter.data(), static_cast<int>(letter.size()), MPI_UINT64_T, of.MPI_SOURCE, of.MPI_TAG,
                      of_the_cluster, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

}  // namespace throng::test
