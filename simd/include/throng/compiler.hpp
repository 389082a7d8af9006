// The words that differ between compilers. No other file asks which compiler it is
// (tests/includes/check_compiler_words). GCC and Clang share their words; MSVC has its own, and what it lacks
// is done in plain C++.
//
// The macros are for the library's own headers and sources: a host needs none of them.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define THRONG_IS_MSVC 1
#else
#define THRONG_IS_MSVC 0
#endif

// The language: without an option, MSVC says in __cplusplus that it is C++98.
#if THRONG_IS_MSVC
#define THRONG_CPLUSPLUS _MSVC_LANG
#else
#define THRONG_CPLUSPLUS __cplusplus
#endif

// --- The processor that is compiled for ---

#if defined(__x86_64__) || (defined(_M_X64) && !defined(_M_ARM64EC))
#define THRONG_X86_64 1
#else
#define THRONG_X86_64 0
#endif
#if defined(__aarch64__) || defined(_M_ARM64)
#define THRONG_ARM64 1
#else
#define THRONG_ARM64 0
#endif

// Whether the system can move pages to another address, and gives huge pages on request.
#if defined(__linux__)
#define THRONG_MOVES_PAGES 1
#else
#define THRONG_MOVES_PAGES 0
#endif

// Compiled by Emscripten, the only compiler for it with the headers of SSE2.
#if defined(__wasm__)
#define THRONG_WASM 1
#else
#define THRONG_WASM 0
#endif
#if defined(__wasm_simd128__)
#define THRONG_WASM_SIMD 1
#else
#define THRONG_WASM_SIMD 0
#endif

// --- What to inline ---

// In front of a function: always, never, and all calls within it. THRONG_ALWAYS_INLINE_LAMBDA stands behind a
// lambda's parameters.
#if THRONG_IS_MSVC
#define THRONG_ALWAYS_INLINE [[msvc::forceinline]]
#define THRONG_ALWAYS_INLINE_LAMBDA [[msvc::forceinline]]
#define THRONG_NOINLINE [[msvc::noinline]]
#define THRONG_FLATTEN [[msvc::flatten]]
#define THRONG_COLD
#else
#define THRONG_ALWAYS_INLINE [[gnu::always_inline]]
#define THRONG_ALWAYS_INLINE_LAMBDA __attribute__((always_inline))
#define THRONG_NOINLINE [[gnu::noinline]]
#define THRONG_FLATTEN [[gnu::flatten]]
#define THRONG_COLD [[gnu::cold]]  // seldom called
#endif

// Asks for a cache line: THRONG_PREFETCH(address). Two more arguments: 1 if it will be written, and how near
// to keep it, from 0 to 3. It is a macro, since GCC takes a function that only prefetches for one without
// effect.
#if !THRONG_IS_MSVC
#define THRONG_PREFETCH(...) __builtin_prefetch(__VA_ARGS__)
#elif THRONG_X86_64
#define THRONG_PREFETCH(address, ...) _mm_prefetch(reinterpret_cast<const char*>(address), _MM_HINT_T0)
#else
#define THRONG_PREFETCH(address, ...) __prefetch(reinterpret_cast<const void*>(address))
#endif

// The compiler's vectors: using Four THRONG_VECTOR(16) = float, of 16 bytes. Without them, a loop does it.
#if THRONG_IS_MSVC
#define THRONG_HAS_VECTORS 0
#else
#define THRONG_HAS_VECTORS 1
#define THRONG_VECTOR(bytes) [[gnu::vector_size(bytes)]]
// Numbers of lanes: first those of `a`, then those of `b`.
#define THRONG_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#endif

// What a shared library exports, and what it hides. On Windows only what is marked is exported.
#if THRONG_IS_MSVC
#define THRONG_VISIBLE __declspec(dllexport)
#define THRONG_HIDDEN
#elif defined(_WIN32)
#define THRONG_VISIBLE [[gnu::dllexport]]
#define THRONG_HIDDEN
#else
#define THRONG_VISIBLE [[gnu::visibility("default")]]
#define THRONG_HIDDEN [[gnu::visibility("hidden")]]
#endif

namespace throng::detail {

// std::bit_cast, which LLVM's standard library lacks before version 14. Always inlined, since kernels may
// leave no call.
template <class To, class From>
THRONG_ALWAYS_INLINE constexpr To bits_as(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}

#if !THRONG_IS_MSVC
// What replaces std::atomic_ref: parallel/blocks.hpp.
template <class T>
class AtomicRef {
public:
    explicit AtomicRef(T& value) noexcept : value_(&value) {}

    template <class Order>
    T load(Order order) const noexcept {
        return __atomic_load_n(value_, static_cast<int>(order));
    }
    template <class Order>
    T fetch_add(T more, Order order) const noexcept {
        return __atomic_fetch_add(value_, more, static_cast<int>(order));
    }
    template <class Order>
    T fetch_or(T bits, Order order) const noexcept {
        return __atomic_fetch_or(value_, bits, static_cast<int>(order));
    }
    template <class Order>
    T fetch_and(T bits, Order order) const noexcept {
        return __atomic_fetch_and(value_, bits, static_cast<int>(order));
    }

private:
    T* value_;
};
#endif

// The number of the lowest or highest bit that is set; at least one must be. Always inlined, since kernels
// may leave no call.
#if THRONG_IS_MSVC
__forceinline std::uint32_t lowest_bit(std::uint32_t v) noexcept {
    unsigned long at;
    _BitScanForward(&at, v);
    return at;
}
__forceinline std::uint32_t lowest_bit(std::uint64_t v) noexcept {
    unsigned long at;
    _BitScanForward64(&at, v);
    return at;
}
__forceinline std::uint32_t highest_bit(std::uint64_t v) noexcept {
    unsigned long at;
    _BitScanReverse64(&at, v);
    return at;
}
#else
THRONG_ALWAYS_INLINE inline std::uint32_t lowest_bit(std::uint32_t v) noexcept {
    return static_cast<std::uint32_t>(__builtin_ctz(v));
}
THRONG_ALWAYS_INLINE inline std::uint32_t lowest_bit(std::uint64_t v) noexcept {
    return static_cast<std::uint32_t>(__builtin_ctzll(v));
}
THRONG_ALWAYS_INLINE inline std::uint32_t highest_bit(std::uint64_t v) noexcept {
    return 63 - static_cast<std::uint32_t>(__builtin_clzll(v));
}
#endif

#if THRONG_WASM
// How many bits are set. Not every processor has an instruction for that.
THRONG_ALWAYS_INLINE inline std::uint32_t bits_set(std::uint64_t v) noexcept {
    return static_cast<std::uint32_t>(__builtin_popcountll(v));
}
#endif

// The register that has the rounding mode of 64-bit ARM.
#if THRONG_ARM64 && THRONG_IS_MSVC
inline std::uint64_t floating_point_control() noexcept {
    return static_cast<std::uint64_t>(_ReadStatusReg(ARM64_FPCR));
}
#elif THRONG_ARM64
inline std::uint64_t floating_point_control() noexcept {
    std::uint64_t control;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    return control;
}
#endif

}  // namespace throng::detail
