// Shared by all kernels: the cell of a coordinate, the overlap test of a box with the next agents, and the
// transposition of four records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "simd/box_tree.hpp"
#include "simd/types.hpp"
#include "throng/compiler.hpp"

#if defined(__FAST_MATH__)
#error "Answers rest on exact comparisons and on NaN: compile without -ffast-math."
#endif

// Calls inside a kernel are always expanded: a remaining call could end up, through the linker, in the copy
// that another object compiled for another CPU. Not under sanitizers, which look into every expansion and
// would take minutes: there the copy of the lowest instruction set wins, since it is linked first.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define THRONG_KERNEL
#else
#define THRONG_KERNEL THRONG_FLATTEN
#endif

namespace throng::simd {

template <class V>
struct Vectors {
    using Four = typename V::Four;
    using Window = typename V::Window;
    using Wide = typename V::Wide;

    // Fetches what lies `bytes` further, which may be past the end of the array: an address instead of a
    // pointer. Inlined early, since GCC takes a function that only fetches for one without an effect.
    template <int for_writing, int locality = 3>
    THRONG_ALWAYS_INLINE static void fetch_from(const void* at, std::size_t bytes) {
        THRONG_PREFETCH(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + bytes),
                        for_writing, locality);
    }

    // Memory that is read or written as a stream, some lines at a time. More than there is may be fetched.
    template <int for_writing>
    class Ahead {
    public:
        explicit Ahead(const void* at) : at_(reinterpret_cast<std::uintptr_t>(at)) {}
        template <std::size_t lines>
        void fetch() {
            for (std::size_t n = 0; n < lines; ++n)
                THRONG_PREFETCH(reinterpret_cast<const void*>(at_ + n * 64), for_writing, 2);
            skip(lines * 64);
        }
        void skip(std::size_t bytes) { at_ += bytes; }
        // One line, `bytes` further on.
        void fetch_from(std::size_t bytes) const {
            THRONG_PREFETCH(reinterpret_cast<const void*>(at_ + bytes), for_writing, 2);
        }

    private:
        std::uintptr_t at_;
    };

    // --- Rows and columns. A NaN falls into the first; nothing that is published has one. ---

    static float clamped(float t, float last) {
        t = t > 0.0f ? t : 0.0f;
        return t < last ? t : last;
    }
    static std::uint32_t column(const Grid& g, float x) {
        return static_cast<std::uint32_t>(
            static_cast<std::int32_t>(clamped((x - g.origin_x) * g.inverse_width, g.last_column)));
    }
    static std::uint32_t row(const Grid& g, float y) {
        return static_cast<std::uint32_t>(
            static_cast<std::int32_t>(clamped((y - g.origin_y) * g.inverse_height, g.last_row)));
    }
    // The same for a frame that may have been made under another rounding mode: at most, or at least, the bin
    // that any mode gives.
    static std::uint32_t bin(float distance, float scale, float last) {
        return static_cast<std::uint32_t>(static_cast<std::int32_t>(clamped(distance * scale, last)));
    }
    static std::uint32_t lowest_column(const Grid& g, float x) {
        return bin(x - g.origin_x, g.inverse_width * scaled_down, g.last_column);
    }
    static std::uint32_t highest_column(const Grid& g, float x) {
        return bin(x - g.origin_x, g.inverse_width * scaled_up, g.last_column);
    }
    static std::uint32_t highest_row(const Grid& g, float y) {
        return bin(y - g.origin_y, g.inverse_height * scaled_up, g.last_row);
    }
    template <class B>
    static B clamped(const B& t, const B& last) {
        return xsimd::min(xsimd::max(t, B(0.0f)), last);  // of two where one is a NaN, x86 takes the second
    }

    // The part of the grid where a query can have answers: four coordinates become cells at once.
    struct Reach {
        std::uint32_t first_column, first_row, last_column, last_row;
    };
    struct Locator {
        Four back, origin, scale, last;

        explicit Locator(const Locate& l)
            : back(Four::load_unaligned(l.back)),
              origin(Four::load_unaligned(l.origin)),
              scale(Four::load_unaligned(l.scale)),
              last(Four::load_unaligned(l.last)) {}
        explicit Locator(const View& v) : Locator(v.locate) {}
        static Four four(float a, float b, float c, float d) {
            const float lanes[4] = {a, b, c, d};
            return Four::load_unaligned(lanes);
        }
        // The numbers of cells, as floats.
        static Reach reach_of(const Four& corners) {
            std::int32_t cells[4];
            xsimd::to_int(corners).store_unaligned(cells);
            return {static_cast<std::uint32_t>(cells[0]), static_cast<std::uint32_t>(cells[1]),
                    static_cast<std::uint32_t>(cells[2]), static_cast<std::uint32_t>(cells[3])};
        }
        Reach reach(const Query& q) const { return reach(Four::load_unaligned(&q.min_x)); }
        Reach reach(const Four& corners) const {
            return reach_of(clamped((corners - back - origin) * scale, last));
        }
    };

    // Queries in a batch, or in a packet.
    struct QueriesAt {
        const float* at;
        std::size_t step;  // in floats

        template <class Item>
        explicit QueriesAt(const Item* all)
            : at(reinterpret_cast<const float*>(all)), step(sizeof *all / sizeof *at) {}
        const Query& operator()(std::size_t i) const {
            return *reinterpret_cast<const Query*>(at + i * step);
        }
    };
    // The reaches of some of them: a vector of corners at a time becomes cells.
    struct Reaches {
        static constexpr std::size_t capacity = 64;

        Reaches(const Locate& locate, const QueriesAt& query, std::size_t first, std::size_t count) {
            constexpr std::size_t lanes = Window::size;
            for (std::size_t i = 0; i < count; i += lanes) {
                if (count - i >= lanes) {
                    find(locate, &query(first + i).min_x, query.step, i);
                } else {  // nothing behind them may be read
                    Query last[lanes];
                    for (std::size_t k = 0; k < lanes; ++k)
                        last[k] = query(first + (i + k < count ? i + k : i));
                    find(locate, &last[0].min_x, sizeof(Query) / sizeof(float), i);
                }
            }
        }
        Reach operator[](std::size_t i) const {
            const auto cell = [&](std::size_t k) { return static_cast<std::uint32_t>(cells_[k][i]); };
            return {cell(0), cell(1), cell(2), cell(3)};
        }

    private:
        void find(const Locate& l, const float* at, std::size_t step, std::size_t i) {
            const auto load = [&](std::size_t n) { return V::quarters(at + n * step, at + (n + 4) * step); };
            Window a = load(0), b = load(1), c = load(2), d = load(3);
            transpose(a, b, c, d);
            const auto store = [&](std::size_t k, const Window& corner) {
                const Window t = (corner - Window(l.back[k]) - Window(l.origin[k])) * Window(l.scale[k]);
                xsimd::to_int(clamped(t, Window(l.last[k]))).store_aligned(cells_[k] + i);
            };
            store(0, a);
            store(1, b);
            store(2, c);
            store(3, d);
        }
        alignas(64) std::int32_t cells_[4][capacity];  // in the order of Reach
    };

    // --- Which boxes are legal: finite, and no minimum above its maximum ---

    static constexpr float largest = 3.402823466e+38f;

    static bool legal(float min_x, float min_y, float max_x, float max_y) {
        return -largest <= min_x && min_x <= max_x && max_x <= largest && -largest <= min_y &&
               min_y <= max_y && max_y <= largest;
    }
    template <class B>
    static bool all_legal(const B& min_x, const B& min_y, const B& max_x, const B& max_y) {
        const B low(-largest), high(largest);
        return V::bits(((low <= min_x) & (min_x <= max_x)) & ((max_x <= high) & (low <= min_y)) &
                       ((min_y <= max_y) & (max_y <= high))) == (1u << B::size) - 1;
    }

    static Query united(const Query& a, const Query& b) {
        return {b.min_x < a.min_x ? b.min_x : a.min_x, b.min_y < a.min_y ? b.min_y : a.min_y,
                a.max_x < b.max_x ? b.max_x : a.max_x, a.max_y < b.max_y ? b.max_y : a.max_y};
    }

    // --- Boxes against the agents of a row ---

    struct Arrays {
        const float *min_x, *min_y, *max_x, *max_y;
        const std::uint32_t* id;
        explicit Arrays(const Row& r)
            : min_x(r.data),
              min_y(r.data + r.stride),
              max_x(r.data + std::size_t{2} * r.stride),
              max_y(r.data + std::size_t{3} * r.stride),
              id(reinterpret_cast<const std::uint32_t*>(r.data + std::size_t{4} * r.stride)) {}
    };

    // One box in every lane.
    template <class B>
    struct Probe {
        B min_x, min_y, max_x, max_y;
        Probe(float a, float b, float c, float d) : min_x(a), min_y(b), max_x(c), max_y(d) {}
        explicit Probe(const Query& q) : Probe(q.min_x, q.min_y, q.max_x, q.max_y) {}
        Probe(const Arrays& r, std::size_t i) : Probe(r.min_x[i], r.min_y[i], r.max_x[i], r.max_y[i]) {}

        // A bit for each of the next agents, or boxes of a block, that it overlaps.
        template <class A>
        std::uint32_t overlap(const A& r, std::size_t j) const {
            return V::bits((V::at_least(max_x, B::load_unaligned(r.min_x + j)) &
                            (min_x <= B::load_unaligned(r.max_x + j))) &
                           (V::at_least(max_y, B::load_unaligned(r.min_y + j)) &
                            (min_y <= B::load_unaligned(r.max_y + j))));
        }
        // Those that cover it.
        template <class A>
        std::uint32_t within(const A& r, std::size_t j) const {
            return V::bits(
                ((B::load_unaligned(r.min_x + j) <= min_x) & (max_x <= B::load_unaligned(r.max_x + j))) &
                ((B::load_unaligned(r.min_y + j) <= min_y) & (max_y <= B::load_unaligned(r.max_y + j))));
        }
        // Of the next `lanes` agents, a multiple of the batch.
        template <std::uint32_t lanes, class A>
        std::uint32_t overlap_of(const A& r, std::size_t j) const {
            std::uint32_t found = 0;
            for (std::uint32_t k = 0; k < lanes; k += B::size) found |= overlap(r, j + k) << k;
            return found;
        }
    };

    // Whether the agents from slot `j` on may be a pile: the first has the box of the last that it would
    // have. To ask for a frame's piles takes as long as some tests, and the first time a look at all full
    // cells.
    template <class A>
    static bool may_be_pile(const A& a, std::size_t j) {
        const std::size_t last = j + (least_pile - 1);
        return a.min_x[j] == a.min_x[last] && a.min_y[j] == a.min_y[last] && a.max_x[j] == a.max_x[last] &&
               a.max_y[j] == a.max_y[last];
    }

    // --- Bits ---

    // Whether a slot lies behind another in memory, perhaps of another row.
    static bool is_behind(const std::uint32_t* slot, const std::uint32_t* other) {
        return reinterpret_cast<std::uintptr_t>(slot) > reinterpret_cast<std::uintptr_t>(other);
    }
    // The lowest set bit; undefined if there is none.
    template <class Bits>
    static std::uint32_t lowest(Bits bits) {
        return V::first_bit(bits);
    }

    // The bits of a float, in the order of the floats. A negative zero comes right before the other one.
    static std::uint32_t ordered_bits(float x) {
        const auto bits = detail::bits_as<std::uint32_t>(x);
        return bits ^ ((0u - (bits >> 31)) | 0x80000000u);
    }

    // --- Four by four ---

    // In each quarter of a batch.
    template <class B>
    static void transpose(B& a, B& b, B& c, B& d) {
        const B ac_low = V::zip_low(a, c), ac_high = V::zip_high(a, c);
        const B bd_low = V::zip_low(b, d), bd_high = V::zip_high(b, d);
        a = V::zip_low(ac_low, bd_low);
        b = V::zip_high(ac_low, bd_low);
        c = V::zip_low(ac_high, bd_high);
        d = V::zip_high(ac_high, bd_high);
    }
};

}  // namespace throng::simd
