// Memory as a value that can be missing. Memory resources say by an exception that they have none; the containers of the
// public headers ask this function instead, which catches it inside the library. So they report a lack of memory in a
// host without exceptions too, and are the same code in every host, wherever their templates are compiled.
#pragma once

#include <cstddef>
#include <memory_resource>

#include "throng/export.hpp"

namespace throng {

// Null if the resource throws.
[[nodiscard]] THRONG_API void* try_allocate(std::pmr::memory_resource& memory, std::size_t bytes,
                                            std::size_t alignment) noexcept;

}  // namespace throng
