// One search for all casts: row by row in the direction of travel, then the islands in the same way, then the
// tree of the oversized agents. Parts that begin behind the best hit so far are skipped.
//
// All functions return false once the search has ended. The large parts are functions of their own, because
// each of them would otherwise be expanded in several places, for every taker.
#pragma once

#include "simd/kernels/casts/cast_path.hpp"
#include "simd/kernels/casts/cast_probe.hpp"
#include "simd/kernels/casts/cast_takers.hpp"
#include "simd/kernels/search/admission.hpp"
#include "simd/kernels/search/islands.hpp"
#include "simd/kernels/storeys/storey_search.hpp"
#include "throng/compiler.hpp"

namespace throng::simd {

// Some agents of a row, taken from their end if all bits of `from_end` are set.
struct CastRun {
    std::uint32_t begin, end, from_end;

    std::uint32_t size() const { return end - begin; }
};

// A cast and a pile (simd/types.hpp): all agents of a pile are touched at the same time, or none is. So their
// boxes are tested only up to the first that is admitted. Later hits, or hits at the same time with a larger
// id, are known.
template <class V>
struct CastPiles : Vectors<V> {
    using Base = Vectors<V>;
    using Arrays = typename Base::Arrays;
    using Wide = typename V::Wide;

    // Cuts off a run its next part, as far as it is in one pile; nothing if it is in none.
    static CastRun cut_off(const View& view, const Row& row, CastRun& run) {
        CastRun part{run.begin, run.begin, 0};
        if (view.piles == nullptr || view.piles->next == nullptr) return part;
        const std::uint32_t *const ids = Arrays(row).id, *const slot = ids + (run.from_end != 0 ? run.end - 1
                                                                                                : run.begin);
        const Pile* const pile = view.piles->next(*view.piles, slot);
        if (pile == nullptr || Base::is_behind(pile->begin, slot)) return part;
        const auto first = static_cast<std::uint32_t>(pile->begin - ids),
                   last = static_cast<std::uint32_t>(pile->end - ids);
        part.begin = first > run.begin ? first : run.begin;
        part.end = last < run.end ? last : run.end;
        (run.from_end != 0 ? run.end : run.begin) = run.from_end != 0 ? part.begin : part.end;
        return part;
    }
    // Whether an agent from `j` to the end of a pile may change the result of a cast; `count` of them are
    // looked at. Later ones have larger ids. Empty slots have no box.
    template <class Taker>
    static bool may_change(const CastProbe<V>& probe, const Taker& taker, const Row& row, std::uint32_t j,
                           std::uint32_t count) {
        const Arrays a(row);
        std::uint32_t i = j;
        while (i < j + count && !(a.min_x[i] == a.min_x[i])) ++i;
        if (i == j + count) return true;
        float t;
        if (probe.is_round()) {
            t = RoundTouch<V>(probe.cast()).time(a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i]);
        } else {
            Wide times;
            (void)probe.touched({probe.faces(a), i}, taker.limit(), times);
            float lanes[Wide::size];
            times.store_unaligned(lanes);
            t = lanes[0];
        }
        if constexpr (Taker::wants_first)
            if (t == taker.limit() && taker.id < a.id[j]) return false;
        return t <= taker.limit();
    }
};

// Whom many casts admit: everyone, or whoever has a height of a band, or whoever passes a filter, or is
// touched by a cast that rises.
enum class CastsAdmit : std::uint8_t { all, band, some };

template <class V, class Taker>
class CastSearch : Vectors<V> {
public:
    using Base = Vectors<V>;
    using Admit = typename Admission<V>::AnyAdmission;
    using Arrays = typename Admit::Arrays;
    using typename Base::Wide;
    using Tiled = IslandSearch<V>;
    static constexpr std::uint32_t lanes = static_cast<std::uint32_t>(Wide::size);
    // Agents are tested in blocks of as many as may be read past the end of a row. Mostly a row's run is one
    // block, so the number of blocks is easy to predict.
    static constexpr std::uint32_t block = gap, vectors = block / lanes;

    // The axes of a cast without a radius may be known.
    template <class... Axes>
    CastSearch(const CastQuery& cast, const CastHeights* heights, const typename Admit::Filter& filter,
               Taker& taker, const Axes&... axes)
        : probe_(cast, heights, axes...), admit_(filter), taker_(taker) {}

    bool search_world(const View& view) const {
        if (!search_region(view)) return false;
        return view.is_all || view.node_count == 0 || search_tree(view);
    }
    // Everything except the rows of the world itself, which a wave has searched. It may know the oversized
    // agents that matter.
    THRONG_KERNEL THRONG_NOINLINE bool search_beyond_rows(const View& view, const Row* oversized) const {
        if (view.islands != nullptr && !search_islands(*view.islands)) return false;
        if (view.storeys != nullptr && !view.storeys->between_is_empty &&
            !search_grid(view.storeys->views[0]))
            return false;
        if (oversized != nullptr) return search_run(*oversized, {0, oversized->count, 0});
        return view.node_count == 0 || search_tree(view);
    }

    // --- Parts of it ---

    // The `count` agents from `j` on, but at most a block of them. Agents behind those may be found as well,
    // if that changes nothing.
    bool test(const Row& row, std::uint32_t j, std::uint32_t count) const {
        if constexpr (CastObserver<Taker>) taker_.sees_agents(block);
        std::uint32_t found = (1u << (block - 1) << 1) - 1;
        if constexpr (!Taker::in_order)
            if (count < block) found = (1u << count) - 1;
        const Arrays a(row);
        // The test that fewer agents pass comes first.
        if (admit_.has_stretches()) {
            found &= admitted(row, j);
            if (found == 0) return true;
        }
        if (probe_.is_special()) [[unlikely]]
            return test_special(row, j, found);
        Wide t[vectors];
        found &= touched<false, CastsAdmit::all>(a, j, t);
        if (found == 0) return true;
        if (admit_.leaves_few_out()) found &= admitted(row, j);
        return take(a, j, found, t);
    }
    // The first agent of a block that is touched, or whether any is, for casts without a radius: without a
    // branch on a hit, which would be as good as random.
    template <CastsAdmit admit>
    FirstTaker first_of(const Row& row, std::uint32_t j) const {
        Wide t[vectors];
        (void)touched_without_radius<admit>(row, j, t);
        if constexpr (admit == CastsAdmit::some) Earliest::leave(admitted(row, j), t);
        return Earliest::of(Arrays(row), j, t);
    }
    template <CastsAdmit admit>
    std::uint32_t any_of(const Row& row, std::uint32_t j) const {
        Wide t[vectors];
        const std::uint32_t found = touched_without_radius<admit>(row, j, t);
        if constexpr (admit == CastsAdmit::some) return found == 0 ? 0 : found & admitted(row, j);
        return found;
    }
    // All agents of a run. Many of them are hit: so again no branch on a hit, if that is all there is to ask.
    THRONG_KERNEL THRONG_NOINLINE bool search_run(const Row& row, const CastRun& run) const {
        if constexpr (Taker::wants_first && !CastObserver<Taker>)
            if (!probe_.is_special() && admit_.is_everyone()) {
                for (std::uint32_t j = run.begin; j < run.end; j += block) {
                    const FirstTaker first = first_of<CastsAdmit::all>(row, j);
                    (void)taker_.take(first.id, first.t);
                }
                return true;
            }
        for (std::uint32_t j = run.begin; j < run.end; j += block)
            if (!test(row, j, run.end - j)) return false;
        return true;
    }
    // From slot `j` of an array on.
    template <class T>
    THRONG_ALWAYS_INLINE static void fetch_block(const T* array, std::uint32_t j) {
        THRONG_PREFETCH(array + j);
        THRONG_PREFETCH(array + j + block - 1);
    }
    // Of a long run, up to so many agents are tested at a time.
    static constexpr std::uint32_t least_long = 4 * block;
    // Whether the next agents of a run may be a pile.
    static bool may_be_pile(const Row& row, const CastRun& run) {
        return run.size() >= least_pile &&
               Base::may_be_pile(Arrays(row), run.from_end != 0 ? run.end - least_pile : run.begin);
    }
    // If the next agents of a run are a pile, looks at it, and goes on behind it.
    THRONG_KERNEL THRONG_NOINLINE bool pass_pile(const View& view, const Row& row, CastRun& run) const {
        const CastRun pile = Piles::cut_off(view, row, run);
        for (std::uint32_t j = pile.begin; j < pile.end; j += block) {
            const std::uint32_t count = pile.end - j < block ? pile.end - j : block;
            if (!Piles::may_change(probe_, taker_, row, j, count)) return true;
            if (!search_run(row, {j, j + count, 0})) return false;
        }
        return true;
    }
    // Whether an agent of these columns may be admitted.
    bool has_wanted(const View& view, std::int32_t r, std::uint32_t first, std::uint32_t last) const {
        const std::uint32_t* stretches =
            view.stretches + static_cast<std::uint32_t>(r) * std::size_t{view.stretches_in_row};
        const std::uint32_t end = last >> stretch_shift;
        const auto labelled = admit_.labelled();
        for (std::uint32_t s = first >> stretch_shift; s <= end; s += lanes)
            if (labelled.matching(stretches, s, end) != 0) return true;
        return false;
    }

private:
    using Path = CastPath<V>;
    using Piles = CastPiles<V>;
    using Earliest = EarliestOf<V, vectors>;
    using Band = typename Path::Band;

    // --- Runs of agents ---

    // Which agents of a block are touched, and their times.
    template <bool on_both_axes, CastsAdmit admit>
    std::uint32_t touched(const Arrays& a, std::uint32_t j, Wide* t) const {
        const typename CastProbe<V>::Faces faces = probe_.faces(a);
        const auto touched = [&](std::uint32_t i, Wide& time) {
            if constexpr (admit == CastsAdmit::band)
                return probe_.template touched<on_both_axes>(
                    faces, i, taker_.limit(), time,
                    Admission<V>::template has_a_height<Wide>(admit_.heights(), a, i));
            else
                return probe_.template touched<on_both_axes>(faces, i, taker_.limit(), time);
        };
        std::uint32_t found = 0;
        for (std::uint32_t k = 0; k < vectors; ++k) found |= touched(j + k * lanes, t[k]) << k * lanes;
        return found;
    }
    template <CastsAdmit admit>
    std::uint32_t touched_without_radius(const Row& row, std::uint32_t j, Wide* t) const {
        if (admit == CastsAdmit::some && probe_.heights() != nullptr) [[unlikely]]
            return touched_at_heights(row, j, t);
        const Arrays a(row);
        if (probe_.moves_on_both_axes()) [[likely]]
            return touched<true, admit>(a, j, t);
        return touched<false, admit>(a, j, t);
    }
    // For a block of agents.
    THRONG_KERNEL THRONG_NOINLINE std::uint32_t admitted(const Row& row, std::uint32_t j) const {
        const Arrays a(row);
        return admit_.filtered([&](const auto& filtered) {
            std::uint32_t found = 0;
            for (std::uint32_t k = 0; k < vectors; ++k)
                found |= filtered.overlap(a, j + k * lanes) << k * lanes;
            return found;
        });
    }
    bool hand_on(const Arrays& a, std::uint32_t i, float t) const {
        if (!taker_.take(a.id[i], t)) return false;
        if constexpr (requires { taker_.add_box(a, i); }) taker_.add_box(a, i);
        return true;
    }
    bool take(const Arrays& a, std::uint32_t j, std::uint32_t found, Wide* t) const {
        if constexpr (Taker::wants_first) {
            if (!admit_.is_everyone()) Earliest::leave(found, t);
            const FirstTaker first = Earliest::of(a, j, t);
            return taker_.take(first.id, first.t);
        }
        float times[block];
        for (std::uint32_t k = 0; k < vectors; ++k) t[k].store_unaligned(times + k * lanes);
        for (; found != 0; found &= found - 1) {
            const std::uint32_t k = Base::lowest(found);
            if (!hand_on(a, j + k, times[k])) return false;
        }
        return true;
    }
    std::uint32_t touched_at_heights(const Row& row, std::uint32_t j, Wide* t) const {
        return CastAtHeights<V>::touched(probe_, row, j, taker_.limit(), t);
    }
    // With a radius, or with heights.
    THRONG_KERNEL THRONG_NOINLINE bool test_special(const Row& row, std::uint32_t j,
                                                    std::uint32_t found) const {
        if (probe_.is_round()) return test_round(row, j, found);
        Wide t[vectors];
        found &= touched_at_heights(row, j, t);
        if (found == 0) return true;
        if (admit_.leaves_few_out()) found &= admitted(row, j);
        return take(Arrays(row), j, found, t);
    }
    // It gets the row, since for arrays all casts would put them into memory.
    THRONG_KERNEL THRONG_NOINLINE bool test_round(const Row& row, std::uint32_t j,
                                                  std::uint32_t found) const {
        const Arrays a(row);
        const typename CastProbe<V>::Faces faces = probe_.faces(a);
        std::uint32_t near = 0;
        for (std::uint32_t k = 0; k < vectors; ++k)
            near |= probe_.nearly_touched({faces, j + k * lanes}, taker_.limit()) << k * lanes;
        found &= near;
        if (found == 0) return true;
        if (admit_.leaves_few_out()) found &= admitted(row, j);
        const RoundTouch<V> round(probe_.cast());
        for (; found != 0; found &= found - 1) {
            const std::uint32_t i = j + Base::lowest(found);
            const float t = probe_.heights() == nullptr
                                ? round.time(a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i])
                                : round.time_at_heights(*probe_.heights(), a, i);
            if (t <= taker_.limit() && !hand_on(a, i, t)) return false;
        }
        return true;
    }

    // --- Rows ---

    THRONG_KERNEL THRONG_NOINLINE bool search_grid(const View& view) const {
        fetch_start(view);
        const Path path(view.grid, view.reach_x, view.reach_y, probe_);
        for (std::int32_t r = path.row;; r += path.step) {
            const Band band = path.band(r, taker_.limit());
            if (band.begin > double{taker_.limit()}) return true;
            const Row& row = view.rows[r];
            if (r != path.last_row) fetch_next(view.rows[r + path.step], path.leftwards(), band);
            if (row.count != 0 && !search_row(view, row, r, path, band)) return false;
            if (r == path.last_row) return true;
        }
    }
    // A cast waits for cells, agents and ids, one after the other. Its start is known long before its path,
    // and there it begins to read.
    THRONG_ALWAYS_INLINE void fetch_start(const View& view) const {
        const auto reach = typename Base::Locator(view).reach(probe_.cast().start);
        // By masks: the direction is as good as random.
        const auto left = Taker::in_order ? static_cast<std::uint32_t>(probe_.x().backwards) : 0,
                   down = static_cast<std::uint32_t>(probe_.y().backwards);
        const Row& row = view.rows[reach.first_row ^ ((reach.first_row ^ reach.last_row) & down)];
        if (row.count == 0) return;
        const std::uint32_t first = reach.first_column, behind = reach.last_column + 1, before = block & left,
                            begin = row.cells[first ^ ((first ^ behind) & left)],
                            j = begin < before ? 0 : begin - before;
        const Arrays a(row);
        for (const float* array : {a.min_x, a.min_y, a.max_x, a.max_y}) fetch_block(array, j);
        if constexpr (Taker::in_order) THRONG_PREFETCH(a.id + j);
        if (admit_.has_stretches()) THRONG_PREFETCH(a.categories + j);
    }
    // When it leaves a row it comes to the next one. Only cells are fetched there: mostly there is a hit
    // before, and a core can wait for few lines at a time.
    THRONG_ALWAYS_INLINE static void fetch_next(const Row& next, bool leftwards, const Band& band) {
        if (next.count != 0) THRONG_PREFETCH(next.cells + (leftwards ? band.first : band.last));
    }
    bool search_row(const View& view, const Row& row, std::int32_t r, const Path& path, Band band) const {
        if constexpr (CastObserver<Taker>) taker_.sees_row(row, band.last - band.first + 1);
        if (admit_.has_stretches() && !has_wanted(view, r, band.first, band.last)) return true;
        std::uint32_t begin = row.cells[band.first], end = row.cells[band.last + 1];
        // Masks instead of branches, since the direction is as good as random: the run is taken from its end,
        // or from its beginning.
        const std::uint32_t from_end = Taker::in_order && path.leftwards() ? ~std::uint32_t{0} : 0;
        while (begin < end) {
            const std::uint32_t count = end - begin < block ? end - begin : block;
            const float before = taker_.limit();
            if (!test(row, begin + ((end - begin - count) & from_end), count)) return false;
            begin += count & ~from_end;
            end -= count & from_end;
            if (end - begin < block) continue;
            if constexpr (Taker::in_order)
                if (end - begin >= least_pile) [[unlikely]]
                    if (CastRun run{begin, end, from_end}; may_be_pile(row, run)) {
                        if (!pass_pile(view, row, run)) return false;
                        begin = run.begin, end = run.end;
                    }
            if (Taker::in_order && taker_.limit() < before && end - begin > block) {
                // The part behind the hit is cut off.
                band = path.band(r, taker_.limit());
                const std::uint32_t first = row.cells[band.first], behind = row.cells[band.last + 1];
                begin = first > begin ? first : begin;
                end = behind < end ? behind : end;
            }
        }
        return true;
    }
    // --- Islands ---

    // The rows of the world, or of an island, and then the islands in it.
    bool search_region(const View& view) const {
        if (view.storeys != nullptr) [[unlikely]]
            return search_storeys(*view.storeys) &&
                   (view.islands == nullptr || search_islands(*view.islands));
        if (view.islands == nullptr) [[likely]]
            return search_grid(view);
        if (!view.islands->open_is_empty && !search_grid(view)) return false;
        return search_islands(*view.islands);
    }
    THRONG_KERNEL THRONG_NOINLINE bool search_storeys(const Storeys& storeys) const {
        return StoreySearch<V>::for_each(storeys,
                                         CastAtHeights<V>::on_the_way(probe_.heights(), admit_.heights()),
                                         true, [&](const View& storey) { return search_grid(storey); });
    }
    THRONG_KERNEL THRONG_NOINLINE bool search_islands(const Islands& islands) const {
        const Tiles& t = islands.tiles;
        const Path path(t, islands.reach_x, islands.reach_y, probe_);
        const auto first = static_cast<std::uint32_t>(path.row),
                   last = static_cast<std::uint32_t>(path.last_row);
        const bool upwards = path.step > 0;
        const std::uint32_t low = upwards ? first : last, high = upwards ? last : first;
        // As searches of boxes do: a row of tiles has at least one word.
        if (high - low >= Tiled::few_words) {
            const auto [begin, end] = Tiled::in_rows(t, low, high);
            if (Tiled::is_shorter(begin, end, high - low)) return search_list(islands, begin, end, upwards);
        }
        for (std::int32_t r = path.row;; r += path.step) {
            const Band band = path.band(r, taker_.limit());
            if (band.begin > double{taker_.limit()}) return true;
            if (!search_tiles(islands, static_cast<std::uint32_t>(r), band.first, band.last,
                              path.leftwards()))
                return false;
            if (r == path.last_row) return true;
        }
    }
    // The islands, row of tiles by row of tiles.
    bool search_list(const Islands& islands, const IslandTile* begin, const IslandTile* end,
                     bool upwards) const {
        for (; begin != end; upwards ? ++begin : --end)
            if (!search_island(Tiled::island_at(islands, upwards ? *begin : end[-1]))) return false;
        return true;
    }
    bool search_tiles(const Islands& islands, std::uint32_t row, std::uint32_t left, std::uint32_t right,
                      bool leftwards) const {
        const Tiles& t = islands.tiles;
        const std::uint64_t* words = t.occupied + std::size_t{row} * t.words;
        const std::uint32_t first = left / 64, last = right / 64;
        for (std::uint32_t k = 0; k <= last - first; ++k) {
            const std::uint32_t w = leftwards ? last - k : first + k;
            std::uint64_t bits = words[w];
            if (w == first) bits &= ~std::uint64_t{0} << left % 64;
            if (w == last) bits &= ~std::uint64_t{0} >> (63 - right % 64);
            while (bits != 0) {
                const std::uint32_t bit = leftwards ? highest(bits) : Base::lowest(bits);
                bits &= ~(std::uint64_t{1} << bit);
                const std::uint32_t region = t.region_of[std::size_t{row} * t.columns + w * 64 + bit];
                if (!search_island(islands.all[region - 1])) return false;
            }
        }
        return true;
    }
    static std::uint32_t highest(std::uint64_t bits) { return detail::highest_bit(bits | 1); }
    bool search_island(const Island& island) const {
        if constexpr (CastObserver<Taker>) taker_.sees_island();
        if (!probe_.may_touch(&island.bounds.min_x, taker_.limit())) return true;
        return search_region(island.view);
    }

    // --- The tree of the oversized agents ---

    // With many oversized agents, the leaves of the tree above are groves. The bounds of up to 256 of them,
    // and then of all leaves of one, are compared at once, as in searches of boxes. A cast that skips by
    // categories goes from node to node, since nodes have these.
    THRONG_KERNEL THRONG_NOINLINE bool search_tree(const View& view) const {
        if (view.groves == nullptr) return search_leaves(view);
        if (admit_.has_stretches())
            return search_nodes(view, 0, [&](const Node& node) {
                for (std::uint32_t g = node.begin; g < node.end; ++g)
                    if (!search_leaves(view.groves[g])) return false;
                return true;
            });
        const auto search_some = [&](std::uint32_t begin, std::uint32_t end) {
            return for_each_near(view.grove_bounds, begin, end,
                                 [&](std::uint32_t g) { return search_grove(view.groves[g]); });
        };
        const std::uint32_t groves = view.grove_bounds.count;
        if (groves <= groves_at_once) return search_some(0, groves);
        return search_nodes(view, groves_at_once,
                            [&](const Node& node) { return search_some(node.begin, node.end); });
    }
    THRONG_KERNEL THRONG_NOINLINE bool search_grove(const Grove& grove) const {
        const std::uint32_t* const begins = typename Base::Arrays(grove.leaves).id;
        return for_each_near(grove.leaves, 0, grove.leaves.count, [&](std::uint32_t leaf) {
            return search_run(grove.oversized, {begins[leaf], begins[leaf + 1], 0});
        });
    }
    template <class Tree>
    bool search_leaves(const Tree& tree) const {
        return search_nodes(tree, 0, [&](const Node& leaf) {
            return search_run(tree.oversized, {leaf.begin, leaf.end, 0});
        });
    }
    // Calls `visit(node)` for leaves, and for nodes with no more than so `few` agents or groves.
    template <class Tree, class Visit>
    bool search_nodes(const Tree& tree, std::uint32_t few, const Visit& visit) const {
        for (std::uint32_t i = 0; i < tree.node_count;) {
            const Node& node = tree.nodes[i];
            if constexpr (CastObserver<Taker>) taker_.sees_node();
            const bool is_near = admit_.may_have(node) && probe_.may_touch(&node.min_x, taker_.limit()),
                       is_visited = node.next == i + 1 || node.end - node.begin <= few;
            if (is_near && is_visited && !visit(node)) return false;
            i = is_near && !is_visited ? i + 1 : node.next;
        }
        return true;
    }
    // Calls `visit(number)` for the bounds that the cast may touch. A block of bounds counts as a node.
    template <class Visit>
    bool for_each_near(const Row& bounds, std::uint32_t begin, std::uint32_t end, const Visit& visit) const {
        static_assert(groves_at_once <= max_leaves_in_grove);
        if constexpr (CastObserver<Taker>)
            for (std::uint32_t j = begin; j < end; j += block) taker_.sees_node();
        typename CastProbe<V>::Near near[max_leaves_in_grove];
        const std::uint32_t count = probe_.find_near(bounds, begin, end, taker_.limit(), near);
        for (std::uint32_t k = 0; k < count; ++k)
            if (near[k].t <= taker_.limit() && !visit(near[k].number)) return false;
        return true;
    }

    const CastProbe<V> probe_;
    const Admit admit_;
    Taker& taker_;
};

}  // namespace throng::simd
