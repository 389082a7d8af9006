#include "engine/src/memory/host_memory.hpp"

#include <utility>

namespace throng::detail {

void* HostMemory::ask_host(std::size_t bytes, std::size_t alignment) noexcept {
    void* const memory = throng::allocate(host_, bytes, alignment);
    if (memory == nullptr) return nullptr;
    bytes_ += bytes;
    ++allocations_;
    return memory;
}

void HostMemory::give_to_host(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    bytes_ -= bytes;
    throng::give_back(host_, memory, bytes, alignment);
}

void* HostMemory::allocate(std::size_t bytes, std::size_t alignment) noexcept {
    const std::lock_guard lock(mutex_);
    if (alignment <= ReservedPart::alignment)
        for (ReservedPart* part = parts_; part != nullptr; part = part->next_part)
            if (void* const memory = part->take(bytes); memory != nullptr) return memory;
    return ask_host(bytes, alignment);
}

void HostMemory::deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept {
    const std::lock_guard lock(mutex_);
    for (ReservedPart** link = &parts_; *link != nullptr; link = &(*link)->next_part) {
        ReservedPart& part = **link;
        if (!part.holds(memory)) continue;
        part.give_back(memory, bytes);
        if (!part.kept) (void)return_if_unused(link);
        return;
    }
    give_to_host(memory, bytes, alignment);
}

void* HostMemory::enlarge(void* memory, std::size_t bytes, std::size_t more, std::size_t alignment) noexcept {
    const std::lock_guard lock(mutex_);
    for (const ReservedPart* part = parts_; part != nullptr; part = part->next_part)
        if (part->holds(memory)) return nullptr;
    void* const same = throng::enlarge(host_, memory, bytes, more, alignment);
    if (same == nullptr) return nullptr;
    bytes_ += more - bytes;
    ++allocations_;
    return same;
}

// --- What is reserved --------------------------------------------------------------------------------------

bool HostMemory::reserve(std::size_t count, std::size_t bytes) noexcept {
    const std::size_t whole = ReservedPart::bytes_with(bytes);
    {
        const std::lock_guard lock(mutex_);
        for (const ReservedPart* part = parts_; part != nullptr && count != 0; part = part->next_part)
            count -= part->kept && part->bytes() >= whole;
        if (count == 0) return true;
    }
    ReservedPart* more = nullptr;
    for (; count != 0; --count) {
        ReservedPart* const part = take_part(bytes);
        if (part == nullptr) break;
        part->next_part = std::exchange(more, part);
    }
    const std::lock_guard lock(mutex_);
    if (count != 0) {
        let_go(more, all);
        return false;
    }
    let_go(parts_, whole);
    ReservedPart** end = &more;
    while (*end != nullptr) end = &(*end)->next_part;
    *end = parts_;
    parts_ = more;
    return true;
}

void HostMemory::let_go() noexcept {
    const std::lock_guard lock(mutex_);
    let_go(parts_, all);
}

// Its pages are touched without the lock, since readers may want memory meanwhile.
ReservedPart* HostMemory::take_part(std::size_t bytes) noexcept {
    void* memory = nullptr;
    {
        const std::lock_guard lock(mutex_);
        memory = ask_host(ReservedPart::bytes_with(bytes), ReservedPart::alignment);
    }
    return memory == nullptr ? nullptr : ReservedPart::make(memory, bytes);
}

void HostMemory::let_go(ReservedPart*& parts, std::size_t below) noexcept {
    for (ReservedPart** link = &parts; *link != nullptr;) {
        if ((*link)->bytes() < below) (*link)->kept = false;
        if ((*link)->kept || !return_if_unused(link)) link = &(*link)->next_part;
    }
}

bool HostMemory::return_if_unused(ReservedPart** link) noexcept {
    ReservedPart* const part = *link;
    if (!part->is_unused()) return false;
    *link = part->next_part;
    give_to_host(part, part->bytes(), ReservedPart::alignment);
    return true;
}

}  // namespace throng::detail
