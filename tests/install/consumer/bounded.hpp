// A host's memory that runs out.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include <throng/memory.hpp>

// Hands out what it was made with, one piece behind the other, and then nothing more.
class Bounded final : public throng::MemoryResource {
public:
    Bounded() = default;
    explicit Bounded(std::span<std::byte> bytes) noexcept : left_(bytes) {}

    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        void* at = left_.data();
        std::size_t room = left_.size();
        if (at == nullptr || std::align(alignment, bytes, at, room) == nullptr) return nullptr;
        left_ = {static_cast<std::byte*>(at) + bytes, room - bytes};
        return at;
    }
    void deallocate(void*, std::size_t, std::size_t) noexcept override {}

private:
    std::span<std::byte> left_;
};
