// What is reserved, beside a plain list of the pieces that are in use.
#include "engine/src/memory/host_memory.hpp"

#include "support/test.hpp"

namespace throng::detail {
namespace {

using test::CountingResource;
using test::Random;
using test::scaled;

struct Piece {
    std::byte* memory;
    std::size_t bytes;
    unsigned char value;
};

// Fills each piece with a value of its own, which must still be there when it comes back.
class Pieces {
public:
    explicit Pieces(HostMemory& memory) : memory_(memory) {}
    ~Pieces() {
        while (!all_.empty()) give_back(0);
    }
    bool take(std::size_t bytes) {
        auto* const memory = static_cast<std::byte*>(memory_.allocate(bytes, 64));
        if (memory == nullptr) return false;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0u);
        const auto value = static_cast<unsigned char>(++taken_);
        std::memset(memory, value, bytes);
        all_.push_back({memory, bytes, value});
        return true;
    }
    void give_back(std::size_t i) {
        const Piece piece = std::exchange(all_[i], all_.back());
        all_.pop_back();
        for (std::size_t k = 0; k < piece.bytes; ++k) ASSERT_EQ(piece.memory[k], std::byte{piece.value});
        memory_.deallocate(piece.memory, piece.bytes, 64);
    }
    std::size_t size() const { return all_.size(); }

private:
    HostMemory& memory_;
    std::vector<Piece> all_;
    std::size_t taken_ = 0;
};

TEST(HostMemory, serves_pieces_of_all_sizes_from_what_is_reserved) {
    Random random(3);
    for (int round = 0; round < 5; ++round) {
        CountingResource host;
        {
            HostMemory memory(&host);
            ASSERT_TRUE(memory.reserve(3, 100000 + 1000 * random.below(100)));
            Pieces pieces(memory);
            for (std::size_t step = 0; step < scaled(3000, 300); ++step) {
                if (pieces.size() > 40 || (pieces.size() != 0 && random.one_in(2)))
                    pieces.give_back(random.below(pieces.size()));
                else
                    ASSERT_TRUE(pieces.take(1 + random.below(random.one_in(8) ? 50000 : 3000)));
                if (random.one_in(300)) memory.let_go();
                if (random.one_in(60)) {
                    ASSERT_TRUE(memory.reserve(1 + random.below(3), 50000 + 50000 * random.below(2)));
                }
            }
        }
        EXPECT_EQ(host.blocks_out(), 0u);
        EXPECT_FALSE(host.misused());
    }
}

// However it was used before, and whichever piece came back first.
TEST(HostMemory, that_is_reserved_has_room_for_one_piece_a_part_again) {
    CountingResource host;
    HostMemory memory(&host);
    constexpr std::size_t bytes = 200000;
    ASSERT_TRUE(memory.reserve(2, bytes));
    const std::uint64_t calls = host.calls();
    Random random(5);
    for (int round = 0; round < 20; ++round) {
        {
            Pieces whole(memory);
            ASSERT_TRUE(whole.take(bytes) && whole.take(bytes));
        }
        Pieces pieces(memory);
        for (int i = 0; i < 100; ++i) ASSERT_TRUE(pieces.take(1 + random.below(2000)));
        while (pieces.size() != 0) pieces.give_back(random.below(pieces.size()));
    }
    EXPECT_EQ(host.calls(), calls);
    Pieces more(memory);
    ASSERT_TRUE(more.take(bytes) && more.take(bytes) && more.take(1));
    EXPECT_EQ(host.calls(), calls + 1) << "what does not fit comes from the host";
}

TEST(HostMemory, gives_a_part_back_once_it_was_let_go_and_nothing_in_it_is_in_use) {
    CountingResource host;
    HostMemory memory(&host);
    ASSERT_TRUE(memory.reserve(2, 10000));
    Pieces pieces(memory);
    ASSERT_TRUE(pieces.take(9000));
    memory.let_go();
    EXPECT_EQ(host.returns(), 1u);
    ASSERT_TRUE(pieces.take(500));
    EXPECT_EQ(host.calls(), 2u) << "until then it serves calls";
    pieces.give_back(0);
    EXPECT_EQ(host.returns(), 1u);
    pieces.give_back(0);
    EXPECT_EQ(host.blocks_out(), 0u);
    EXPECT_EQ(memory.bytes(), 0u);
}

}  // namespace
}  // namespace throng::detail
