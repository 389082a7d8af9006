// Searches around sites, one after the other: all agents within a radius, or the nearest ones. These are
// found in a circle that grows until it holds enough of them:
//
//     first     a radius that was right for the sites before: usually it holds some more than are wanted
//     then      it grows, by factors that grow too, so that any radius is reached in about twenty steps. All
//               agents in those cells are gathered: once there are enough, the last one says how far to look
//
// Answers do not depend on the radii that were tried. Equal sites share one search.
#pragma once

#include "simd/kernels/neighbours/packet_lists.hpp"
#include "simd/kernels/neighbours/packets.hpp"
#include "simd/kernels/neighbours/patch.hpp"
#include "simd/kernels/search/search.hpp"

namespace throng::simd {

// What each querier admits: by its filter, and by its own heights if it has any. Mostly all queriers of a
// patch admit the same agents: there is one filter for all, and each agent shares a height with all of them.
template <class V>
class QuerierFilters {
public:
    using Admit = typename Admission<V>::AnyAdmission;

    QuerierFilters(const View& view, const LabelFilters& filters, const Queriers& queriers)
        : view_(view),
          filters_(filters),
          queriers_(queriers),
          first_(Admit::filter(view, filters, queriers.number[0])) {}

    typename Admit::Filter operator[](std::uint32_t i) const {
        typename Admit::Filter filter = Admit::filter(view_, filters_, queriers_.number[i]);
        if (by_height()) filter.add_heights(queriers_.min_z[i], queriers_.max_z[i]);
        return filter;
    }
    // The one for all, except for heights; null if there is none.
    const Admit* for_all() const { return may_be_one_for_all() ? &first_ : nullptr; }

    bool by_height() const { return queriers_.min_z != nullptr; }
    // Whether two are at one place, at the same heights.
    bool are_alike(std::uint32_t one, std::uint32_t other) const {
        const auto are_same = [&](const float* all) { return all[one] == all[other]; };
        return are_same(queriers_.x) && are_same(queriers_.y) &&
               (!by_height() || (are_same(queriers_.min_z) && are_same(queriers_.max_z)));
    }

    // A band around those of `count` queriers from `first` on.
    typename Admission<V>::Heights heights(std::uint32_t first, std::uint32_t count) const {
        auto all = Admit::heights_of((*this)[first]);
        for (std::uint32_t i = first + 1; i < first + count; ++i) {
            const auto one = Admit::heights_of((*this)[i]);
            all.min = one.min < all.min ? one.min : all.min;
            all.max = all.max < one.max ? one.max : all.max;
        }
        return all;
    }

    // Whether an agent is admitted by all queriers or by none; by height only if that was found for all
    // agents in question.
    bool are_one_for_all() const { return may_be_one_for_all() && (!by_height() || on_one_storey_); }
    bool may_be_one_for_all() const { return filters_.are_one_for_all(); }
    // The next `count` queriers from `first` on look at a patch, or at agents anywhere.
    template <class Patch>
    void look_at(Patch* patch, std::uint32_t first, std::uint32_t count) {
        on_one_storey_ = by_height() && patch != nullptr && patch->is_of_one_storey(queriers_, first, count);
    }

private:
    const View& view_;
    const LabelFilters& filters_;
    const Queriers& queriers_;
    const Admit first_;
    bool on_one_storey_ = false;
};

template <class V, bool by_centres>
class Around : Vectors<V> {
public:
    using Base = Vectors<V>;
    using Base::largest;
    using typename Base::Four;
    using typename Base::Locator;
    using typename Base::Wide;
    using Admit = typename Admission<V>::AnyAdmission;
    using Searching = Search<V, SiteShape<V, by_centres>, Admit, Gather<V>>;

    THRONG_KERNEL THRONG_NOINLINE static void run(const View& view, const LabelFilters& filters,
                                                  const Queriers& queriers, const NeighbourQuery& query,
                                                  NeighbourOutput& output) {
        Around around(view, filters, queriers, query, output);
        for (std::uint32_t first = 0; first < queriers.count;) {
            const std::uint32_t left = queriers.count - first,
                                end = first + (left < Patch<V>::queriers ? left : Patch<V>::queriers);
            if (around.counts_of(first, end)) {
                first = end;
                continue;
            }
            around.prepare_patch(first, end);
            first = query.max_count == 0 ? around.all_within(first, end) : around.all_nearest(first, end);
        }
        output.guess = around.guess_.now();
        output.compared += around.gather_.compared;
    }

private:
    Around(const View& view, const LabelFilters& filters, const Queriers& queriers,
           const NeighbourQuery& query, NeighbourOutput& output)
        : view_(view),
          locator_(view),
          filters_(view, filters, queriers),
          queriers_(queriers),
          query_(query),
          output_(output),
          lists_(queriers, query, output),
          gather_(query, output.counts != nullptr, view.piles),
          guess_(output.guess, query.max_count),
          admit_(filters_[0]) {}

    // --- Counts ---

    // Counts of the queriers [first, end), if wanted and if all that may be found is in one grid.
    bool counts_of(std::uint32_t first, std::uint32_t end) {
        const auto filter = filters_[first];
        if (output_.counts == nullptr || query_.max_count != 0 || query_.half || query_.radii != nullptr ||
            !filters_.are_one_for_all() || !(query_.radius * query_.radius < largest) ||
            Admit::admits_none(filter))
            return false;
        const auto* home = PatchHome<V>::of(view_, queriers_, first, end - first, query_.radius, filters_);
        if (home == nullptr) return false;
        static constexpr decltype(&Counts<V, AgentsAs::boxes>::count) ways[] = {
            Counts<V, AgentsAs::boxes>::count, Counts<V, AgentsAs::centres>::count,
            Counts<V, AgentsAs::circles>::count};
        const std::uint32_t done = ways[static_cast<std::size_t>(query_.agents_as)](
            *home, queriers_, first, end, query_.radius, Admit(filter), output_);
        output_.searches += done - first;
        return done == end;
    }

    // --- Lists ---

    static constexpr bool may_be_patched = by_centres;
    // How many lists are made from the same candidates.
    static constexpr std::uint32_t list_packet = 8;

    // Both return the next querier, or `stopped` if a sink wants no more.
    static constexpr std::uint32_t stopped = 0xFFFFFFFFu;
    std::uint32_t all_within(std::uint32_t first, std::uint32_t end) {
        for (std::uint32_t i = first; i < end;) {
            if constexpr (may_be_patched)
                if (const std::uint32_t done = by_rows_ ? lists_in_rows(i, end) : lists_of_packet(i, end);
                    done != 0) {
                    i += done;
                    continue;
                }
            if (!list_in_patch(i) && !lists_.passes_over(i)) {
                if (!lists_.begin(i)) return stopped;
                const float radius = radius_of(i);
                gather_.start(radius * radius, false, queriers_.number[i], self(i), lists_.sink);
                search(i, radius);
                if (!end_list(i)) return stopped;
            }
            ++i;
        }
        return end;
    }
    std::uint32_t all_nearest(std::uint32_t first, std::uint32_t end) {
        std::uint32_t i = first;
        while (i < end) {
            std::uint32_t same = sites_like(i);  // it may be past the end
            if (!(same > 1 ? nearest_of_one_site(i, same) : nearest_of_next(i, end, same))) return stopped;
            i += same;
            // A patch for another radius would serve few of the next ones.
            const float now = likely_radius();
            if (patched_ && (now < 0.7f * patch_radius_ || 1.4f * patch_radius_ < now)) break;
        }
        return i;
    }
    // The lists of a packet, if there can be one, or of querier i alone. `some` becomes their number.
    bool nearest_of_next(std::uint32_t i, std::uint32_t end, std::uint32_t& some) {
        std::uint32_t settled = 0;
        some = 1;
        if constexpr (may_be_patched) {
            if (packs_ && end - i >= Wide::size) {
                some = Wide::size;
                settled = settle_packet(i);
            }
        }
        for (std::uint32_t k = 0; k < some; ++k) {
            if (settled != 0) {
                k = write_settled(i, k, settled);
                if (k == some) return true;
            }
            if (lists_.passes_over(i + k)) continue;
            if (!lists_.begin(i + k) || !take_nearest(i + k)) return false;
        }
        return true;
    }
    bool are_in_registers() const { return query_.max_count <= Packet<V>::max_count; }
    std::uint32_t write_settled(std::uint32_t first, std::uint32_t lane, std::uint32_t settled) const {
        const ListWriter<V> lists(queriers_, query_, output_);
        return are_in_registers()
                   ? Packet<V>::write(packet_, lists, first, lane, settled, query_.max_count)
                   : SortedPacket<V>::write(sorted_, lists, first, lane, settled, query_.max_count);
    }
    // The bits of those queriers from i on whose nearest were found together.
    std::uint32_t settle_packet(std::uint32_t i) {
        const bool in_registers = are_in_registers(), complete = !(patch_radius_ < limit_);
        const std::uint32_t at = i - patch_first_, room = in_registers ? Packet<V>::room_for : near_.room;
        if (!near_.fill(patch_, queriers_, i, at, Wide::size, room, patch_radius_)) return 0;
        // The spots of lists in registers are fetched a packet early.
        const std::uint32_t next = i + 2 * Wide::size <= queriers_.count ? i + Wide::size : i;
        if (!in_registers) lists_.fetch_spots(i, Wide::size);
        const std::uint32_t wanted = query_.max_count,
                            settled = in_registers ? packet_.find(near_, queriers_, i, wanted, patch_radius_,
                                                                  complete, lists_, next)
                                                   : sorted_.find(near_, patch_, queriers_, i, at, wanted,
                                                                  patch_radius_, complete);
        guess_.learn(in_registers ? packet_.mean_of_last(wanted) : sorted_.mean_of_last(), Wide::size);
        // In a lattice, most agents are as far away as others.
        packs_ = V::count_bits(settled) >= Wide::size / 2;
        return settled;
    }
    bool take_nearest(std::uint32_t i) {
        lists_.fetch_spots(i, 1);
        bool found = false;
        if constexpr (may_be_patched) found = patched_ && nearest_in_patch(i);
        if (!found) find_nearest(i, query_.max_count, self(i));
        return end_list(i);
    }
    bool end_list(std::uint32_t i) {
        if (!gather_.finish()) return false;
        if (output_.counts != nullptr)
            output_.counts[queriers_.number[i]] = static_cast<std::uint32_t>(gather_.total);
        else
            lists_.end(i);
        return true;
    }

    // --- One site ---

    float radius_of(std::uint32_t i) const {
        if (query_.radii != nullptr) return query_.radii[queriers_.number[i]];
        return query_.far_enough != nullptr ? least(query_.far_enough[queriers_.number[i]]) : query_.radius;
    }
    float least(float far_enough) const { return far_enough < query_.radius ? far_enough : query_.radius; }
    const std::uint32_t* self(std::uint32_t i) const {
        return queriers_.selves != nullptr ? queriers_.selves + i : nullptr;
    }
    THRONG_KERNEL THRONG_NOINLINE void search(std::uint32_t i, float radius) {
        const CircleQuery circle = Circles<V>::around(queriers_.x[i], queriers_.y[i], radius);
        ++output_.searches;
        Searching::search(view_, locator_.reach(circle.bounds), SiteCircle{circle, query_.agents_as},
                          filters_[i], gather_);
    }

    // Leaves the nearest in the buffer, sorted.
    THRONG_KERNEL THRONG_NOINLINE void find_nearest(std::uint32_t i, std::uint32_t max_count,
                                                    const std::uint32_t* self_id) {
        const float limit = radius_of(i), all = limit * limit;
        float radius = guess_.now() < limit ? guess_.now() : limit, factor = 2;
        for (bool first = true;; first = false) {
            const bool whole = !(radius < limit) || !(radius * radius < largest);
            gather_.start(first && !whole ? radius * radius : all, !first, queriers_.number[i], self_id,
                          lists_.sink);
            search(i, radius);
            gather_.sort_within(max_count, radius * radius);
            const float last = gather_.last_of(max_count);
            if (whole || last <= radius * radius) break;
            radius =
                last != last && Circles<V>::have_all(view_, locator_, queriers_.x[i], queriers_.y[i], radius)
                    ? limit
                    : RadiusGuess<V>::next(radius, factor, last, limit);
            factor *= 2;
        }
        guess_.learn(gather_.last_of(max_count), radius, gather_.compared_since_start(), max_count);
    }

    // --- In a patch ---

    // The radius in which the queriers of a patch look first, one for all of them.
    float likely_radius() const {
        return query_.max_count != 0 && guess_.now() < limit_ ? guess_.now() : limit_;
    }
    // How far the queriers of a patch have to look at most.
    float limit_of(std::uint32_t first, std::uint32_t end) const {
        if (query_.far_enough == nullptr) return query_.radius;
        float most = 0;
        for (std::uint32_t i = first; i < end; ++i) {
            const float enough = query_.far_enough[queriers_.number[i]];
            most = enough < most ? most : enough;
        }
        return least(most);
    }
    void prepare_patch(std::uint32_t first, std::uint32_t end) {
        patched_ = packs_ = by_rows_ = false;
        long_ = 0;
        if constexpr (may_be_patched) {
            const std::uint32_t count = end - first;
            if (query_.radii != nullptr || output_.counts != nullptr || count < Wide::size ||
                (query_.max_count > gap && !filters_.may_be_one_for_all()))
                return;
            // Another search is over at once.
            if (Admit::admits_none(filters_[first])) return;
            limit_ = limit_of(first, end);
            patch_radius_ = likely_radius();
            patch_first_ = first;
            if (!(patch_radius_ * patch_radius_ < largest)) return;
            const View* home = PatchHome<V>::of(view_, queriers_, first, count, patch_radius_, filters_);
            if (home == nullptr) return;
            const bool is_list = query_.max_count == 0;
            by_rows_ = RowLists<V>::pays && is_list && filters_.may_be_one_for_all() && few_are_long_ &&
                       RowLists<V>::are_low(home->locate, patch_radius_);
            const std::uint32_t packet = by_rows_ ? 0 : is_list ? list_packet : Wide::size;
            patched_ = patch_.fill(*home, queriers_, first, count, packet, patch_radius_, filters_.for_all());
            filters_.look_at(patched_ ? &patch_ : nullptr, first, count);
            by_rows_ = by_rows_ && patched_ && filters_.are_one_for_all() &&
                       row_lists_.prepare(patch_, queriers_, first, count);
            packs_ = patched_ && filters_.are_one_for_all() && packet != 0;
            patched_ = patched_ && (query_.max_count <= gap || filters_.are_one_for_all());
        }
    }
    // The lists of the next queriers up to one that needs another way. Packets are better for many.
    std::uint32_t lists_in_rows(std::uint32_t first, std::uint32_t end) {
        if constexpr (!RowLists<V>::pays) return 0;
        const std::uint32_t some = row_lists_.write(ListWriter<V>(queriers_, query_, output_), patch_,
                                                    queriers_, first, end, patch_radius_, query_.half);
        if (first + some < end && ++long_ > Patch<V>::queriers / 2) few_are_long_ = false;
        return some;
    }
    // The lists of the next few queriers, which share their candidates. Returns how many were made: none if
    // the candidates are too many or a sink may have too little room.
    std::uint32_t lists_of_packet(std::uint32_t first, std::uint32_t end) {
        const std::uint32_t some = end - first < list_packet ? end - first : list_packet;
        if (!packs_ ||
            !near_.fill(patch_, queriers_, first, first - patch_first_, some, near_.room, patch_radius_))
            return 0;
        return PacketLists<V>::write(ListWriter<V>(queriers_, query_, output_), near_, queriers_,
                                     {first, some, patch_radius_, query_.half});
    }
    // The list of one querier that finds all it may in the patch. Returns false if there is no patch, or if
    // its sink may have too little room.
    bool list_in_patch(std::uint32_t i) {
        if constexpr (may_be_patched) {
            if (!patched_) return false;
            const auto space = lists_.space_for(i, Patch<V>::room);
            if (space.ids == nullptr) return false;
            ListEnds<V>::choose(query_.half, space.distances != nullptr, [&](auto end) {
                end = {queriers_.number[i], space.ids, space.distances};
                search_patch(i, [&](const std::uint32_t* ids, std::uint32_t found, const Wide& d) {
                    end.add(ids, found, d);
                });
                lists_.end(i, space, end.ids);
            });
            return true;
        }
        return false;
    }
    // Calls take(ids, found, squared distances) for each vector of agents, a bit for each within.
    template <class Take>
    void search_patch(std::uint32_t i, const Take& take) {
        const Wide x(queriers_.x[i]), y(queriers_.y[i]), limit(patch_radius_ * patch_radius_);
        // One filter for all was applied when the patch was made.
        const bool each = !filters_.are_one_for_all();
        if (each) {
            if (Admit::admits_none(filters_[i])) return;
            admit_ = Admit(filters_[i]);
        }
        const auto own = reinterpret_cast<std::uintptr_t>(self(i));
        const std::uint32_t at = i - patch_first_;
        const std::int32_t first_column = patch_.cells.first_column[at],
                           behind = patch_.cells.last_column[at] + 1;
        for (std::int32_t r = patch_.cells.first_row[at]; r <= patch_.cells.last_row[at]; ++r) {
            const auto& strip = patch_.strip(r);
            if (strip.cells == nullptr) continue;
            const std::size_t self_at =
                (own - reinterpret_cast<std::uintptr_t>(strip.ids)) / sizeof *strip.ids;
            const std::size_t end = strip.cells[behind];
            for (std::size_t j = strip.cells[first_column]; j < end; j += Wide::size) {
                const std::size_t k = j + strip.shift;
                const Wide dx = Wide::load_unaligned(patch_.x + k) - x,
                           dy = Wide::load_unaligned(patch_.y + k) - y;
                const Wide d = dx * dx + dy * dy;
                std::uint32_t found = V::bits(d <= limit);
                found &= ~(static_cast<std::uint32_t>(self_at - j < Wide::size) << ((self_at - j) % 32));
                if (each && found != 0) found &= admitted(patch_.rows[r], j);
                take(strip.ids + j, found, d);
            }
        }
    }
    THRONG_KERNEL THRONG_NOINLINE std::uint32_t admitted(const Row& row, std::size_t j) const {
        return admit_.filtered(
            [&](const auto& filtered) { return filtered.overlap(typename Admit::Arrays(row), j); });
    }
    // Leaves the nearest in the buffer, sorted, if they are in the patch and few enough are near.
    bool nearest_in_patch(std::uint32_t i) {
        gather_.start(0.0f, false, queriers_.number[i], nullptr, lists_.sink);
        std::uint32_t count = 0;
        search_patch(i, [&](const std::uint32_t* ids, std::uint32_t found, const Wide& d) {
            V::left_pack(gather_.ids + count, ids, found);
            Circles<V>::pack(gather_.distances + count, d, found);
            count += V::count_bits(found);
        });
        if (count < query_.max_count && patch_radius_ < limit_) return false;
        gather_.count = count;
        gather_.sort_within(query_.max_count, patch_radius_ * patch_radius_);
        guess_.learn(gather_.last_of(query_.max_count), patch_radius_, count, query_.max_count);
        return true;
    }

    // --- Sites that are equal ---

    // How many from querier i on are at the same site and want the same.
    std::uint32_t sites_like(std::uint32_t i) const {
        if (query_.radii != nullptr || query_.far_enough != nullptr || !filters_.may_be_one_for_all())
            return 1;
        std::uint32_t same = 1;
        while (i + same < queriers_.count && filters_.are_alike(i, i + same)) ++same;
        return same;
    }
    // They have the same neighbours, except themselves. So one more is looked for, and each skips itself.
    bool nearest_of_one_site(std::uint32_t first, std::uint32_t same) {
        const bool leaves_out = queriers_.selves != nullptr;
        const std::uint32_t max_count = query_.max_count + (leaves_out ? 1 : 0);
        find_nearest(first, max_count, nullptr);
        std::uint32_t ids[count_limit + 1];
        float distances[count_limit + 1];
        const std::uint32_t found = gather_.count;
        for (std::uint32_t k = 0; k < found; ++k)
            ids[k] = gather_.ids[k], distances[k] = gather_.distances[k];
        for (std::uint32_t i = first; i < first + same; ++i) {
            if (lists_.passes_over(i)) continue;
            if (!lists_.begin(i)) return false;
            gather_.start(0.0f, false, queriers_.number[i], nullptr, lists_.sink);
            for (std::uint32_t k = 0; k < found && gather_.count < query_.max_count; ++k) {
                if (leaves_out && ids[k] == *self(i)) continue;
                gather_.ids[gather_.count] = ids[k];
                gather_.distances[gather_.count++] = distances[k];
            }
            if (!end_list(i)) return false;
        }
        return true;
    }

    const View& view_;
    const Locator locator_;
    QuerierFilters<V> filters_;
    const Queriers& queriers_;
    const NeighbourQuery& query_;
    NeighbourOutput& output_;
    ListWriter<V> lists_;
    Gather<V> gather_;
    RadiusGuess<V> guess_;
    Admit admit_;  // of the present querier
    bool patched_ = false, packs_ = false, by_rows_ = false, few_are_long_ = true;
    std::uint32_t long_ = 0;  // lists of the patch
    RowLists<V> row_lists_;
    float patch_radius_ = 0, limit_ = 0;
    std::uint32_t patch_first_ = 0;
    Patch<V> patch_;
    Candidates<V> near_;
    Packet<V> packet_;
    SortedPacket<V> sorted_;
};

}  // namespace throng::simd
