// Scratch memory: several arrays in one allocation.
#pragma once

#include <cstddef>

#include "throng/memory.hpp"
#include "throng/structures/detail/names.hpp"

namespace throng::structures::detail {

// Cuts one allocation into arrays. The same code runs twice: first without memory, for the size, then to
// place the arrays.
class Carver {
public:
    explicit Carver(std::byte* memory = nullptr) noexcept : memory_(memory) {}

    template <class T>
    T* take(std::size_t count) noexcept {
        at_ = (at_ + 63) / 64 * 64;
        T* array = memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + at_);
        at_ += count * sizeof(T);
        return array;
    }
    std::size_t bytes() const noexcept { return at_; }

private:
    std::byte* memory_;
    std::size_t at_ = 0;
};

// `plan(carver)` takes what is needed now. If that is more than the room there is,
// `plan_with_headroom(carver)` tells what other frames may need; with headroom, since the need changes a
// little with every frame. Without that there is room for a sixteenth more. Returns false if there is no
// memory. A use that comes after another one of the same memory has `room` of its own, so it does not live on
// the other's headroom.
template <class Plan, class PlanWithHeadroom>
[[nodiscard]] bool carve(Buffer<std::byte>& memory, std::size_t& room, Plan&& plan,
                         PlanWithHeadroom&& plan_with_headroom) noexcept {
    Carver measure;
    plan(measure);
    if (measure.bytes() > room) {
        Carver larger;
        plan_with_headroom(larger);
        memory.clear();
        if (memory.resize_exactly(larger.bytes()))
            room = larger.bytes();
        else if (measure.bytes() > memory.capacity())
            return false;
    }
    Carver carver(memory.data());
    plan(carver);
    return true;
}
template <class Plan, class PlanWithHeadroom>
[[nodiscard]] bool carve(Buffer<std::byte>& memory, Plan&& plan,
                         PlanWithHeadroom&& plan_with_headroom) noexcept {
    std::size_t room = memory.capacity();
    return carve(memory, room, plan, plan_with_headroom);
}
template <class Plan>
[[nodiscard]] bool carve(Buffer<std::byte>& memory, Plan&& plan) noexcept {
    return carve(memory, plan, [&](Carver& larger) {
        plan(larger);
        (void)larger.take<std::byte>(larger.bytes() / 16 + 256);
    });
}

}  // namespace throng::structures::detail
