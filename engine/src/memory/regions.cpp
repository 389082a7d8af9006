#include "engine/src/memory/regions.hpp"

#include <algorithm>
#include <bit>
#include <new>

namespace throng::detail {

struct Regions::Region {
    std::array<std::uint64_t, words> used{};  // a bit for each page, the first of which is this header
    Region *next = nullptr, **link = nullptr;
    std::uint32_t pages = 0, used_pages = 1, longest = 0, generation = 0;

    std::size_t bytes() const noexcept { return pages * page; }
    bool is_used(std::size_t at) const noexcept { return (used[at / 64] >> at % 64 & 1) != 0; }
    // Where the pages end that are alike from this one on.
    std::size_t end_of_part(std::size_t at) const noexcept {
        const std::uint64_t flip = is_used(at) ? ~std::uint64_t{0} : 0;
        std::uint64_t differing = (used[at / 64] ^ flip) >> at % 64 << at % 64;
        std::size_t word = at / 64;
        while (differing == 0 && ++word < pages / 64) differing = used[word] ^ flip;
        return differing == 0 ? pages : word * 64 + static_cast<std::size_t>(std::countr_zero(differing));
    }
    void mark(std::size_t begin, std::size_t count) noexcept {
        for (std::size_t at = begin; at < begin + count; ++at) used[at / 64] ^= std::uint64_t{1} << at % 64;
    }
    // The first free part that is long enough, and notes the longest one.
    std::size_t look(std::size_t enough) noexcept {
        std::size_t found = 0;  // the header
        longest = 0;
        for (std::size_t at = 0; at < pages;) {
            const std::size_t end = end_of_part(at), length = end - at;
            if (!is_used(at)) {
                if (length >= enough && found == 0) found = at;
                if (length > longest) longest = static_cast<std::uint32_t>(length);
            }
            at = end;
        }
        return found;
    }
};

Regions::~Regions() {
    const auto give_back = [&](Region* region) {
        while (region != nullptr) {
            Region* const next = region->next;
            memory_.deallocate(region, region->bytes(), page);
            region = next;
        }
    };
    for (Region* first : lists_) give_back(first);
    give_back(closed_);
}

Regions::Part Regions::take(std::size_t bytes, std::size_t beside) noexcept {
    const std::size_t count = (bytes + page - 1) / page;
    const std::size_t list = list_for(bytes);
    const std::uint64_t enough = has_regions_ >> list << list;
    Region* region = enough == 0
                         ? make(std::clamp(std::bit_floor((beside + bytes_) / share), smallest, largest))
                         : lists_[static_cast<std::size_t>(std::countr_zero(enough))];
    if (region == nullptr) return {};
    const std::size_t at = region->look(count);
    region->mark(at, count);
    region->used_pages += static_cast<std::uint32_t>(count);
    leave(*region);
    (void)region->look(1);
    file(*region);
    return {reinterpret_cast<std::byte*>(region) + at * page, region};
}

void Regions::put_back(const Part& part, std::size_t bytes) noexcept {
    Region& region = *part.region;
    const std::size_t count = (bytes + page - 1) / page;
    region.mark(static_cast<std::size_t>(static_cast<std::byte*>(part.memory) -
                                         reinterpret_cast<std::byte*>(&region)) /
                    page,
                count);
    region.used_pages -= static_cast<std::uint32_t>(count);
    leave(region);
    if (region.used_pages == 1) {
        bytes_ -= region.bytes();
        memory_.deallocate(&region, region.bytes(), page);
        return;
    }
    if (region.generation != generation_) return enter(region, closed_);
    (void)region.look(1);
    file(region);
}

void Regions::start_again() noexcept {
    ++generation_;
    for (Region*& first : lists_)
        while (first != nullptr) {
            Region& region = *first;
            leave(region);
            enter(region, closed_);
        }
    has_regions_ = 0;
}

// Where regions with so long a part are.
std::size_t Regions::list_of(const Region& region) noexcept {
    return std::min<std::size_t>(region.longest / pages_in_step, 63);
}

Regions::Region* Regions::make(std::size_t bytes) noexcept {
    void* const memory = memory_.allocate(bytes, page);
    if (memory == nullptr) return nullptr;
    auto* const region = ::new (memory) Region;
    region->used[0] = 1;
    region->pages = static_cast<std::uint32_t>(bytes / page);
    region->longest = region->pages - 1;
    region->generation = generation_;
    bytes_ += bytes;
    file(*region);
    return region;
}

void Regions::enter(Region& region, Region*& list) noexcept {
    region.next = list;
    region.link = &list;
    if (list != nullptr) list->link = &region.next;
    list = &region;
}

void Regions::leave(Region& region) noexcept {
    *region.link = region.next;
    if (region.next != nullptr) region.next->link = region.link;
    // The list that it may have left empty; a closed region is in none of them.
    const std::size_t list = list_of(region);
    if (lists_[list] == nullptr) has_regions_ &= ~(std::uint64_t{1} << list);
}

// Puts a region into the list that it belongs to.
void Regions::file(Region& region) noexcept {
    const std::size_t list = list_of(region);
    enter(region, lists_[list]);
    has_regions_ |= std::uint64_t{1} << list;
}

}  // namespace throng::detail
