#include "engine/src/memory/block_store.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <new>

namespace throng::detail {

namespace {

constexpr std::size_t slab_alignment = 64;
constexpr std::size_t largest_in_common_slab = 32 * 1024;
constexpr std::size_t largest_common_slab = 256 * 1024;
// A slab takes at most 1 / this share of the store's memory, so a small world keeps small reserves.
constexpr std::size_t share_of_a_slab = 64;

}  // namespace

// The header of a slab, in front of its blocks.
struct alignas(64) Slab : BlockStore::RoomyLink, BlockStore::EmptyLink, BlockStore::AnyLink {
    Block* free = nullptr;  // blocks that were used and freed
    std::size_t bytes = 0;  // of the slab, including this header
    std::uint32_t size_class = 0;
    std::uint32_t used = 0;   // blocks in use
    std::uint32_t made = 0;   // blocks used at least once; the others have no header yet
    std::uint32_t count = 0;  // the capacity in blocks
    std::uint32_t generation = 0;

    bool full() const noexcept { return used == count; }
    // The slab that is linked there, in a list of this kind.
    template <class Kind>
    static Slab& of(BlockStore::Link* link) noexcept {
        return static_cast<Slab&>(static_cast<Kind&>(*link));
    }
};

// Eight classes to a doubling, so a row that gains or loses a few agents usually stays in its class. Sizes
// are in lines of 64 bytes: the first classes are one line apart.
unsigned BlockStore::class_of(std::size_t bytes) noexcept {
    const std::size_t lines =
        std::max<std::size_t>(1, bytes / slab_alignment + (bytes % slab_alignment != 0));
    if (lines <= steps_in_doubling) return static_cast<unsigned>(lines - 1);
    const auto doubling =
        static_cast<unsigned>(std::bit_width(lines - 1)) - 4;  // lines are 8 << it to 16 << it
    const std::size_t step = (lines - 1) >> doubling;          // from 8 to 15
    return static_cast<unsigned>(doubling * steps_in_doubling + step);
}

std::size_t BlockStore::class_bytes(unsigned size_class) noexcept {
    if (size_class < steps_in_doubling) return (size_class + std::size_t{1}) * slab_alignment;
    const unsigned doubling = size_class / steps_in_doubling - 1;
    const std::size_t step = size_class % steps_in_doubling + steps_in_doubling;
    return ((step + 1) << doubling) * slab_alignment;
}

BlockStore::~BlockStore() {
    for (Link* link = all_.next; link != &all_;) {
        Slab& slab = Slab::of<AnyLink>(link);
        link = link->next;
        memory_.deallocate(&slab, slab.bytes, slab_alignment);
    }
}

unsigned BlockStore::first_with_room(unsigned size_class) noexcept {
    std::uint64_t bits = has_room_[size_class / 64] & (~std::uint64_t{0} << size_class % 64);
    for (unsigned word = size_class / 64;; bits = has_room_[word]) {
        ++steps_;
        if (bits != 0) return word * 64 + static_cast<unsigned>(std::countr_zero(bits));
        if (++word == words) return classes;
    }
}

Block* BlockStore::take(std::size_t bytes) noexcept {
    if (bytes > max_bytes) return nullptr;
    const unsigned wanted = class_of(bytes);
    unsigned found = first_with_room(wanted);
    // A block up to a quarter too large is better than an allocation from the host; small ones always
    // qualify.
    if (found == classes || (found != wanted && class_bytes(found) > bytes + bytes / 4 + 4096)) {
        if (make_slab(wanted) == nullptr) return nullptr;
        found = wanted;
    }
    Slab& slab = Slab::of<RoomyLink>(roomy_[found].next);
    ++steps_;
    if (slab.used++ == 0) slab.EmptyLink::leave();
    Block* block = slab.free;
    if (block != nullptr) {
        slab.free = block->next;
    } else {
        const std::size_t size = class_bytes(found);
        auto* place = reinterpret_cast<std::byte*>(&slab + 1) + slab.made++ * (sizeof(Block) + size);
        block = ::new (place) Block;
        block->memory = place + sizeof(Block);
        block->bytes = size;
        block->slab = &slab;
    }
    if (slab.full()) {
        slab.RoomyLink::leave();
        if (roomy_[found].alone()) has_room_[found / 64] &= ~(std::uint64_t{1} << found % 64);
    }
    free_bytes_ -= block->bytes;
    block->next = nullptr;
    block->taken = true;
    return block;
}

void BlockStore::put_back(Block* block) noexcept {
    Slab& slab = *block->slab;
    RoomyLink& roomy = roomy_[slab.size_class];
    ++steps_;
    block->taken = false;
    block->references = block->rows = 0;
    block->next = slab.free;
    slab.free = block;
    if (is_left_behind(slab)) {
        if (--slab.used == 0) slab.EmptyLink::enter_before(left_behind_);
        return;
    }
    free_bytes_ += block->bytes;
    if (slab.full()) {
        slab.RoomyLink::enter_before(*roomy.next);
        has_room_[slab.size_class / 64] |= std::uint64_t{1} << slab.size_class % 64;
    }
    if (--slab.used != 0) return;
    slab.RoomyLink::leave();
    slab.RoomyLink::enter_before(roomy);
    slab.EmptyLink::enter_before(empty_);
}

Slab* BlockStore::make_slab(unsigned size_class) noexcept {
    const std::size_t block = class_bytes(size_class), place = sizeof(Block) + block;
    const std::size_t target = block > largest_in_common_slab
                                   ? 0
                                   : std::min(bytes_since_start_ / share_of_a_slab, largest_common_slab);
    const std::size_t count = std::max<std::size_t>(1, target / place);
    const std::size_t bytes = sizeof(Slab) + count * place;
    void* const memory = memory_.allocate(bytes, slab_alignment);
    if (memory == nullptr) return nullptr;
    Slab* slab = ::new (memory) Slab;
    slab->bytes = bytes;
    slab->size_class = size_class;
    slab->count = static_cast<std::uint32_t>(count);
    slab->generation = generation_;
    slab->RoomyLink::enter_before(roomy_[size_class]);
    slab->EmptyLink::enter_before(empty_);
    slab->AnyLink::enter_before(all_);
    has_room_[size_class / 64] |= std::uint64_t{1} << size_class % 64;
    bytes_ += bytes;
    bytes_since_start_ += bytes;
    free_bytes_ += count * block;
    return slab;
}

bool BlockStore::is_left_behind(const Slab& slab) const noexcept { return slab.generation != generation_; }

void BlockStore::start_again() noexcept {
    ++generation_;
    for (RoomyLink& roomy : roomy_) closed_.take_all(roomy);
    has_room_ = {};
    left_behind_.take_all(empty_);
    free_bytes_ = bytes_since_start_ = 0;
    in_use_lately_ = {};
}

void BlockStore::trim(std::size_t in_use, std::size_t portion) noexcept {
    constexpr std::size_t little = 256 * 1024;
    std::size_t returned = 0;
    if (!return_some(left_behind_, 0, portion, returned)) return;
    in_use_lately_[trims_++ % in_use_lately_.size()] = in_use;
    in_use = *std::max_element(in_use_lately_.begin(), in_use_lately_.end());
    if (!trimming_ && free_bytes_ <= 2 * in_use + little) return;
    trimming_ = !return_some(empty_, in_use + 1, portion, returned);
}

void BlockStore::release() noexcept {
    constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
    std::size_t returned = 0;
    (void)return_some(left_behind_, 0, all, returned);
    (void)return_some(empty_, 0, all, returned);
    trimming_ = false;
}

// Returns slabs until free blocks hold less than that. Returns false if the portion is too small.
bool BlockStore::return_some(EmptyLink& from, std::size_t until, std::size_t portion,
                             std::size_t& returned) noexcept {
    while (!from.alone() && free_bytes_ >= until) {
        Slab& slab = Slab::of<EmptyLink>(from.next);
        if (returned != 0 && returned + slab.bytes > portion) return false;
        returned += slab.bytes;
        return_slab(&slab);
    }
    return true;
}

void BlockStore::return_slab(Slab* slab) noexcept {
    ++steps_;
    const unsigned size_class = slab->size_class;
    slab->RoomyLink::leave();
    slab->EmptyLink::leave();
    slab->AnyLink::leave();
    if (!is_left_behind(*slab)) {
        if (roomy_[size_class].alone()) has_room_[size_class / 64] &= ~(std::uint64_t{1} << size_class % 64);
        bytes_since_start_ -= slab->bytes;
        free_bytes_ -= slab->count * class_bytes(size_class);
    }
    bytes_ -= slab->bytes;
    memory_.deallocate(slab, slab->bytes, slab_alignment);
}

}  // namespace throng::detail
