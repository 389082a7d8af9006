// Searches a packed R-tree (simd/box_tree.hpp) from the root down, one comparison for all lanes of a block.
// The pending lanes of each level are a bit mask, so the stack is eight numbers:
//
//     level 2    0000 0000 0100 0000    the bits of lanes that overlap the query and wait to be looked at;
//     level 1    0000 1100 0000 0000    the lowest level's are next, lowest bit first
//     elements   tested sixteen at a time, and packed into the answers
//
// In a large search another sixteen bits tell which lanes lie inside the query. Below these nothing is
// tested: their elements are one run, to which the next is joined if it follows. Each kind of query is a
// `Taker`.
#pragma once

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct TreeBlocks {
    using Wide = typename V::Wide;
    using Probe = typename Vectors<V>::template Probe<Wide>;
    static constexpr std::uint32_t step = static_cast<std::uint32_t>(Wide::size);

    static std::uint32_t overlap(const Probe& p, const BoxBlock& b) {
        return p.template overlap_of<block_lanes>(b, 0);
    }
    // The lanes that lie inside the box.
    static std::uint32_t inside(const Probe& p, const BoxBlock& b) {
        std::uint32_t found = 0;
        for (std::uint32_t k = 0; k < block_lanes; k += step)
            found |= V::bits(((p.min_x <= Wide::load_unaligned(b.min_x + k)) &
                              (Wide::load_unaligned(b.max_x + k) <= p.max_x)) &
                             ((p.min_y <= Wide::load_unaligned(b.min_y + k)) &
                              (Wide::load_unaligned(b.max_y + k) <= p.max_y)))
                     << k;
        return found;
    }
    static std::uint32_t lowest(std::uint32_t bits) { return V::first_bit(bits); }
};

template <class V>
struct TreeSearches : TreeBlocks<V> {
    using Base = TreeBlocks<V>;
    using Base::step;
    using typename Base::Probe;
    using typename Base::Wide;

    static constexpr std::uint32_t overlapping = 0xFFFF;

    // --- Takers of answers. Each returns whether to go on. ---

    class Collect {
    public:
        Collect(const BoxTree& tree, TreeSearch& search, std::uint32_t* to, const std::uint32_t* limit)
            : at(to), tree_(tree), search_(search), limit_(limit) {}

        bool leaf(const Probe& probe, std::uint32_t block) {
            std::uint32_t found = Base::overlap(probe, tree_.levels[0][block]);
            if (search_.omitted >> block_shift == block) [[unlikely]]
                found &= ~(1u << search_.omitted % block_lanes);
            const std::uint32_t* ids = tree_.ids + (std::size_t{block} << block_shift);
            for (std::uint32_t k = 0; k < block_lanes; k += step) {
                const std::uint32_t some = step == block_lanes ? found : found >> k & ((1u << step % 32) - 1);
                V::left_pack(at, ids + k, some);
                at += V::count_bits(some);
            }
            return at <= limit_;
        }
        // Whether a run can be taken now: it follows the last one, or no run is pending.
        bool takes(std::uint32_t begin) const {
            return search_.run_end == begin || search_.run_end - search_.run_begin <= short_run;
        }
        bool run(std::uint32_t begin, std::uint32_t end) {
            if (search_.run_end != begin) {
                copy_run();
                search_.run_begin = begin;
            }
            search_.run_end = end;
            return at <= limit_;
        }
        void finish() {
            if (search_.run_end - search_.run_begin <= short_run) copy_run();
        }

        std::uint32_t* at;

    private:
        void copy_run() {
            if (search_.omitted - search_.run_begin < search_.run_end - search_.run_begin) {
                copy(search_.run_begin, search_.omitted);
                copy(search_.omitted + 1, search_.run_end);
            } else {
                copy(search_.run_begin, search_.run_end);
            }
            search_.run_begin = search_.run_end;
        }
        void copy(std::uint32_t begin, std::uint32_t end) {
            using Ids = xsimd::batch<std::uint32_t, typename Wide::arch_type>;
            for (std::uint32_t i = begin; i < end; i += step)
                Ids::load_unaligned(tree_.ids + i).store_unaligned(at + (i - begin));
            at += end - begin;
        }

        const BoxTree& tree_;
        TreeSearch& search_;
        const std::uint32_t* limit_;
    };

    struct Count {
        const BoxTree& tree;
        std::uint64_t found = 0;
        bool leaf(const Probe& probe, std::uint32_t block) {
            found += V::count_bits(Base::overlap(probe, tree.levels[0][block]));
            return true;
        }
        bool takes(std::uint32_t) const { return true; }
        bool run(std::uint32_t begin, std::uint32_t end) {
            found += end - begin;
            return true;
        }
        void finish() {}
    };

    struct Any {
        const BoxTree& tree;
        bool found = false;
        bool leaf(const Probe& probe, std::uint32_t block) {
            found = Base::overlap(probe, tree.levels[0][block]) != 0;
            return !found;
        }
        bool takes(std::uint32_t) const { return true; }
        bool run(std::uint32_t, std::uint32_t) {
            found = true;
            return false;
        }
        void finish() {}
    };

    // --- The search ---

    template <bool large>
    static std::uint32_t look(const Probe& probe, const BoxTree& tree, std::uint32_t level,
                              std::uint32_t block) {
        const BoxBlock& boxes = tree.levels[level][block];
        const std::uint32_t found = Base::overlap(probe, boxes);
        if constexpr (large) return found | (found & Base::inside(probe, boxes)) << block_lanes;
        return found;
    }

    // The elements below a lane are one run.
    struct Run {
        std::uint32_t begin, end;
    };
    static Run below(const BoxTree& tree, std::uint32_t level, std::uint32_t child) {
        const std::uint64_t begin = std::uint64_t{child} << level * block_shift,
                            end = begin + (std::uint64_t{1} << level * block_shift);
        return {static_cast<std::uint32_t>(begin),
                end < tree.count ? static_cast<std::uint32_t>(end) : tree.count};
    }

    template <bool large, class Taker>
    static void descend(const BoxTree& tree, TreeSearch& s, Taker& taker) {
        const Probe probe(s.query);
        std::uint32_t level = s.level, block = s.block;
        std::uint32_t mask =
            level == TreeSearch::nowhere ? look<large>(probe, tree, level = tree.top, 0) : s.pending[level];
        for (bool more = true;;) {
            while ((mask & overlapping) == 0) {
                if (level == tree.top) {
                    if (++block < tree.roots) {
                        mask = look<large>(probe, tree, level, block);
                        continue;
                    }
                    taker.finish();
                    s.ended = true;
                    return;
                }
                mask = s.pending[++level];
                block >>= block_shift;
            }
            const std::uint32_t lane = Base::lowest(mask), child = block << block_shift | lane;
            if (large && (mask >> (block_lanes + lane) & 1) != 0) {
                const Run run = below(tree, level, child);
                more = taker.takes(run.begin);
                if (more) {
                    mask &= mask - 1;
                    more = taker.run(run.begin, run.end);
                }
            } else if (level == 1) {
                mask &= mask - 1;
                more = taker.leaf(probe, child);
            } else {
                s.pending[level] = mask & (mask - 1);
                block = child;
                mask = look<large>(probe, tree, --level, block);
            }
            if (!more) [[unlikely]] {
                s.level = level, s.block = block, s.pending[level] = mask;
                return;
            }
        }
    }

    template <class Taker>
    static void search(const BoxTree& tree, TreeSearch& s, Taker& taker) {
        const Query& q = s.query;
        if (tree.top == 0) {
            (void)taker.leaf(Probe(q), 0);
            s.ended = true;
        } else if (q.max_x - q.min_x < tree.cover_width || q.max_y - q.min_y < tree.cover_height) {
            descend<false>(tree, s, taker);
        } else {
            descend<true>(tree, s, taker);
        }
    }

    THRONG_KERNEL static std::uint32_t* find(const BoxTree& tree, TreeSearch& s, std::uint32_t* at,
                                             std::uint32_t* limit) {
        Collect taker(tree, s, at, limit);
        search(tree, s, taker);
        return taker.at;
    }
    THRONG_KERNEL static std::uint64_t count(const BoxTree& tree, const Query& query) {
        TreeSearch s{.query = query};
        Count taker{tree};
        search(tree, s, taker);
        return taker.found;
    }
    THRONG_KERNEL static bool any(const BoxTree& tree, const Query& query) {
        TreeSearch s{.query = query};
        Any taker{tree};
        search(tree, s, taker);
        return taker.found;
    }
};

}  // namespace throng::simd
