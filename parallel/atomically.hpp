// atomically(value).fetch_add(...): std::atomic_ref, which LLVM's standard library lacks before version 19.
#pragma once

#include <atomic>

#include "throng/compiler.hpp"

namespace throng::parallel {

#ifdef __cpp_lib_atomic_ref
template <class T>
using AtomicRef = std::atomic_ref<T>;
#else
using detail::AtomicRef;
#endif

template <class T>
AtomicRef<T> atomically(T& value) noexcept {
    return AtomicRef<T>(value);
}

}  // namespace throng::parallel
