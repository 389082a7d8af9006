// Much for a rank that has no room for it. MPI may write past the end of a receive's buffer if more comes
// than fits, without a word, and where no sanitizer sees it: between two processes the kernel copies.
#include <algorithm>
#include <cstring>
#include <new>
#include <unordered_map>
#include <vector>

#include "cluster/tests/ranks.hpp"
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

}  // namespace

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
        held = {};
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            const Point centre = boxes[i].centre();
            if (!engine.domain(my_rank()).overlaps({centre.x, centre.y, centre.x, centre.y})) continue;
            held.ids.push_back(global_of(i));
            held.boxes.push_back(boxes[i]);
        }
        held.payload.resize(held.ids.size() * payload);
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

}  // namespace throng::test
