// Memory on its way to its owner: it goes back to its resource unless it is kept, as when the constructor of
// an element throws. A destructor does that: a host without exceptions could not compile a handler.
#pragma once

#include <cstddef>

#include "throng/memory.hpp"

namespace throng::structures::detail {

class GivenBackUnlessKept {
public:
    GivenBackUnlessKept(MemoryResource* resource, void* memory, std::size_t bytes,
                        std::size_t alignment) noexcept
        : resource_(resource), memory_(memory), bytes_(bytes), alignment_(alignment) {}
    GivenBackUnlessKept(const GivenBackUnlessKept&) = delete;
    GivenBackUnlessKept& operator=(const GivenBackUnlessKept&) = delete;
    ~GivenBackUnlessKept() {
        if (memory_ != nullptr) throng::give_back(resource_, memory_, bytes_, alignment_);
    }

    void keep() noexcept { memory_ = nullptr; }

private:
    MemoryResource* resource_;
    void* memory_;
    std::size_t bytes_, alignment_;
};

}  // namespace throng::structures::detail
