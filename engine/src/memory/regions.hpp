// The memory of small slabs, once a store has many of them: parts of regions of 2 to 16 MiB, each taken from the host in one
// piece and given back when it is empty. A host's resource may put such a piece into huge pages (examples/huge_pages), which the
// system takes back in a tenth of the time: most of what the destructor of an engine that held thousands of frames takes.
//
//     region    [header | slab | slab | free | slab | free ...]      a bit for each page of 4 KiB
//
// A list for each length of the longest free part has the regions; the first with enough serves, which is about the fullest.
// So taking and giving back take constant time: the bits of a region are read, and the first bit of a word of lists.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "throng/memory.hpp"

namespace throng::detail {

class Regions {
public:
    // A region is at most an eighth of what there is, but at least as large as a huge page.
    static constexpr std::size_t smallest = std::size_t{2} << 20, largest = std::size_t{16} << 20, share = 8;
    // The most that a part has: a larger one would leave too much of a region free.
    static constexpr std::size_t most = smallest / 4;
    struct Region;
    struct Part {
        void* memory = nullptr;  // of pages of 4 KiB; null if there is none
        Region* region = nullptr;
    };

    explicit Regions(MemoryResource& memory) noexcept : memory_(memory) {}
    Regions(const Regions&) = delete;
    // Gives all regions back, with what is in them.
    ~Regions();

    // Whether a part needs no other region.
    bool has_room(std::size_t bytes) const noexcept { return has_regions_ >> list_for(bytes) != 0; }
    // `beside` is what the store has besides regions.
    Part take(std::size_t bytes, std::size_t beside) noexcept;
    void put_back(const Part& part, std::size_t bytes) noexcept;
    // No more parts come from the regions there are.
    void start_again() noexcept;
    // Of all regions, free parts included.
    std::size_t bytes() const noexcept { return bytes_; }

private:
    static constexpr std::size_t page = 4096, words = largest / page / 64;
    static constexpr std::size_t pages_in_step = 8;  // from one list to the next, but for the last

    // The first list whose regions have room for so much.
    static std::size_t list_for(std::size_t bytes) noexcept {
        return (bytes + page * pages_in_step - 1) / (page * pages_in_step);
    }
    static std::size_t list_of(const Region& region) noexcept;
    Region* make(std::size_t bytes) noexcept;
    void enter(Region& region, Region*& list) noexcept;
    void leave(Region& region) noexcept;
    void file(Region& region) noexcept;

    MemoryResource& memory_;
    std::array<Region*, 64> lists_{};  // by the pages of the longest free part, in steps
    std::uint64_t has_regions_ = 0;    // a bit for each list
    Region* closed_ = nullptr;         // those that serve no more
    std::uint32_t generation_ = 0;
    std::size_t bytes_ = 0;
};

}  // namespace throng::detail
