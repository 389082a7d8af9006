// The allocator of frames and rows: a slab allocator with size classes (after Bonwick 1994).
//
// The sizes of a class are within an eighth of each other. Small blocks are cut from slabs, one class to a
// slab; a large block has a slab to itself. Taking a block and putting it back take constant time: a bitmap
// gives the first class that has room and is not much too large, and a slab of that class gives its next free
// block.
//
//     classes   64 | 128 | ... | 4096 | 4608 | ...           a bit for each that has room
//                                 |
//     slabs     [slab| B | B | free | B | free | fresh... ]  the header knows its free blocks
//
// When slabs go back to the host stands in docs/design.md. The destructor frees slabs, not blocks, so its
// cost does not depend on the number of blocks. Slabs are "left behind" when most of a population leaves:
// then blocks come from new ones. Only the writing thread touches the store: frames that readers drop are
// first returned to it (see store.hpp). So there are no locks and no atomics here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "throng/memory.hpp"

namespace throng::detail {

struct Slab;

// The header in front of its memory. Readers that validate a frame read `memory`, `bytes` and `taken`, which
// do not change while a frame holds the block.
struct alignas(64) Block {
    std::byte* memory = nullptr;
    std::size_t bytes = 0;
    Block* next = nullptr;  // in a slab's free list, or in a frame's list of blocks that it used last
    Slab* slab = nullptr;
    std::uint64_t born = 0;        // the first frame that had rows in it
    std::uint32_t rows = 0;        // of the newest frame in this block; one for a block without rows
    std::uint32_t references = 0;  // to the tables of a map
    bool taken = false;
    // Whether it is an older version of a row, which goes back to its list instead of the store, and whether
    // it waits there (store/spare_rows.hpp).
    bool spare = false, idle = false;
};

class BlockStore {
public:
    explicit BlockStore(MemoryResource& memory) noexcept : memory_(memory) {}
    BlockStore(const BlockStore&) = delete;
    ~BlockStore();

    // A block of at least that size, with no references; null if there is no memory. A used block is
    // preferred if it fits and is not much too large.
    Block* take(std::size_t bytes) noexcept;
    // Back to the store.
    void put_back(Block* block) noexcept;
    void add_reference(Block* block) noexcept { ++block->references; }
    void drop_reference(Block* block) noexcept {
        if (--block->references == 0) put_back(block);
    }
    // Starts to free empty slabs when free blocks hold much more than what is in use, and continues in later
    // calls until they hold no more than that. It does not start earlier, since rows that come and go need
    // reserves of all sizes. What counts is the most in use in the last four calls, since worlds may come in
    // turns. A call frees slabs of at most `portion` bytes, or one.
    void trim(std::size_t in_use, std::size_t portion) noexcept;
    // Frees all empty slabs.
    void release() noexcept;
    // Takes no more blocks from the present slabs.
    void start_again() noexcept;
    // The bytes of all slabs, including free blocks.
    std::size_t bytes() const noexcept { return bytes_; }
    // How many blocks, slabs and words of the bitmap were visited so far: tests count these steps instead of
    // time.
    std::uint64_t steps() const noexcept { return steps_; }

private:
    friend struct Slab;

    // A circular doubly linked list: members can leave it without a search.
    struct Link {
        Link *next = this, *previous = this;
        bool alone() const noexcept { return next == this; }
        void leave() noexcept {
            next->previous = previous;
            previous->next = next;
            next = previous = this;
        }
        void enter_before(Link& place) noexcept {
            next = &place;
            previous = place.previous;
            previous->next = next->previous = this;
        }
        // All that are in the list of another link.
        void take_all(Link& from) noexcept {
            if (from.alone()) return;
            from.next->previous = previous;
            previous->next = from.next;
            from.previous->next = this;
            previous = from.previous;
            from.next = from.previous = &from;
        }
    };
    struct RoomyLink : Link {};
    struct EmptyLink : Link {};
    struct AnyLink : Link {};

    // No block is larger. If sizes have 32 bits, half of their range, so that sums of sizes fit.
    static constexpr std::size_t max_bytes =
        static_cast<std::size_t>(std::uint64_t{1} << (sizeof(std::size_t) == 8 ? 40 : 31));
    static constexpr unsigned steps_in_doubling = 8, classes = 320, words = classes / 64;
    static unsigned class_of(std::size_t bytes) noexcept;
    static std::size_t class_bytes(unsigned size_class) noexcept;
    unsigned first_with_room(unsigned size_class) noexcept;
    Slab* make_slab(unsigned size_class) noexcept;
    bool is_left_behind(const Slab& slab) const noexcept;
    bool return_some(EmptyLink& from, std::size_t until, std::size_t portion, std::size_t& returned) noexcept;
    void return_slab(Slab* slab) noexcept;

    MemoryResource& memory_;
    std::array<RoomyLink, classes> roomy_;         // slabs with free blocks; empty ones are last
    std::array<std::uint64_t, words> has_room_{};  // a bit for each class
    RoomyLink closed_;                             // slabs with free blocks that are left behind
    EmptyLink empty_;                              // the longest empty slab is first
    EmptyLink left_behind_;                        // empty slabs that are left behind
    AnyLink all_;
    std::size_t free_bytes_ = 0;
    std::size_t bytes_ = 0, bytes_since_start_ = 0;  // of all slabs, and without those left behind
    std::uint32_t generation_ = 0;
    std::array<std::size_t, 4> in_use_lately_{};
    std::size_t trims_ = 0;
    std::uint64_t steps_ = 0;
    bool trimming_ = false;
};

}  // namespace throng::detail
