#pragma once

#include <atomic>
#include <new>

#include "CoreMinimal.h"

// Counts the blocks that are out, for the test. In front of each lies how it was aligned, since Free is not
// told.
struct FMemory {
    static inline std::atomic<int32> BlocksOut = 0;

    static void* Malloc(SIZE_T Bytes, uint32 Alignment) {
        const std::size_t Room = std::max<std::size_t>(Alignment, alignof(std::max_align_t));
        auto* Begin = static_cast<char*>(::operator new(Bytes + Room, std::align_val_t(Room), std::nothrow));
        if (Begin == nullptr) return nullptr;
        ++BlocksOut;
        char* const Memory = Begin + Room;
        *reinterpret_cast<std::size_t*>(Memory - sizeof(std::size_t)) = Room;
        return Memory;
    }
    static void Free(void* Memory) {
        if (Memory == nullptr) return;
        --BlocksOut;
        char* const Begin = static_cast<char*>(Memory);
        const std::size_t Room = *reinterpret_cast<std::size_t*>(Begin - sizeof(std::size_t));
        ::operator delete(Begin - Room, std::align_val_t(Room));
    }
};
