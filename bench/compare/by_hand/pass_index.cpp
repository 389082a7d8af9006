// What a good programmer writes for a few queries about agents that all move: no index of the agents at all,
// but one pass over them where the host has them. A handful of queries is compared with eight agents at a
// time. For more, the cells that queries reach are marked in a map of bits, and only agents whose centre is
// in a marked cell are compared, with the queries of that cell.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "bench/compare/by_hand/cells.hpp"
#include "bench/compare/by_hand/lanes.hpp"
#include "bench/compare/by_hand/room.hpp"
#include "bench/compare/index.hpp"

namespace throng::bench {

namespace {

using by_hand::Cells;
using by_hand::Corners;
using by_hand::lanes;
using by_hand::Mask;
using by_hand::Room;
using workload::Rect;

// The host's arrays.
struct Agents {
    const float *x, *y, *hx, *hy;
    std::size_t count;
    float side;
};

// What eight agents at a time are compared by: the bits of those that overlap a query, of those whose cell is
// marked, and of those that are larger than the cells were marked for.
#if BY_HAND_HAS_AVX2

struct Eight {
    __m256 x, y, hx, hy;
};
BY_HAND_INLINE Eight eight_of(const Agents& agents, std::size_t i) {
    return {_mm256_loadu_ps(agents.x + i), _mm256_loadu_ps(agents.y + i), _mm256_loadu_ps(agents.hx + i),
            _mm256_loadu_ps(agents.hy + i)};
}
BY_HAND_INLINE Mask bits_of(__m256 lanes_of_ones) {
    return static_cast<Mask>(_mm256_movemask_ps(lanes_of_ones));
}
BY_HAND_INLINE Mask overlapping(const Eight& agents, const Rect& q) {
    const __m256 x =
        _mm256_and_ps(_mm256_cmp_ps(_mm256_sub_ps(agents.x, agents.hx), _mm256_set1_ps(q.x1), _CMP_LE_OQ),
                      _mm256_cmp_ps(_mm256_set1_ps(q.x0), _mm256_add_ps(agents.x, agents.hx), _CMP_LE_OQ));
    const __m256 y =
        _mm256_and_ps(_mm256_cmp_ps(_mm256_sub_ps(agents.y, agents.hy), _mm256_set1_ps(q.y1), _CMP_LE_OQ),
                      _mm256_cmp_ps(_mm256_set1_ps(q.y0), _mm256_add_ps(agents.y, agents.hy), _CMP_LE_OQ));
    return bits_of(_mm256_and_ps(x, y));
}
BY_HAND_INLINE Mask larger(const Eight& agents, float reach) {
    return bits_of(_mm256_cmp_ps(_mm256_max_ps(agents.hx, agents.hy), _mm256_set1_ps(reach), _CMP_NLE_UQ));
}
BY_HAND_INLINE __m256i cells_along(__m256 coordinate, float inverse, std::int32_t count) {
    const __m256 cell = _mm256_mul_ps(coordinate, _mm256_set1_ps(inverse)),
                 last = _mm256_set1_ps(static_cast<float>(count - 1));
    return _mm256_cvttps_epi32(_mm256_min_ps(_mm256_max_ps(cell, _mm256_setzero_ps()), last));
}
BY_HAND_INLINE Mask marked(const Eight& agents, const Cells& cells, const std::uint32_t* map,
                           std::uint32_t* cell_of) {
    const __m256i row = cells_along(agents.y, cells.inverse, cells.rows),
                  column = cells_along(agents.x, cells.inverse, cells.columns);
    const __m256i cell = _mm256_add_epi32(_mm256_mullo_epi32(row, _mm256_set1_epi32(cells.columns)), column);
    by_hand::store(cell_of, cell);
    const __m256i words =
        _mm256_i32gather_epi32(reinterpret_cast<const int*>(map), _mm256_srli_epi32(cell, 5), 4);
    // The bit of the cell becomes the sign.
    const __m256i shift = _mm256_andnot_si256(cell, _mm256_set1_epi32(31));
    return bits_of(_mm256_castsi256_ps(_mm256_sllv_epi32(words, shift)));
}

#else

struct Eight {
    const Agents& agents;
    std::size_t first;
};
inline Eight eight_of(const Agents& agents, std::size_t i) { return {agents, i}; }
template <class Test>
Mask bits_of(const Eight& eight, const Test& test) {
    Mask mask = 0;
    for (unsigned k = 0; k < lanes; ++k) mask |= Mask{test(k, eight.first + k)} << k;
    return mask;
}
inline Mask overlapping(const Eight& eight, const Rect& q) {
    const Agents& a = eight.agents;
    return bits_of(eight, [&](unsigned, std::size_t i) {
        return a.x[i] - a.hx[i] <= q.x1 && q.x0 <= a.x[i] + a.hx[i] && a.y[i] - a.hy[i] <= q.y1 &&
               q.y0 <= a.y[i] + a.hy[i];
    });
}
inline Mask larger(const Eight& eight, float reach) {
    const Agents& a = eight.agents;
    return bits_of(eight, [&](unsigned, std::size_t i) { return !(std::max(a.hx[i], a.hy[i]) <= reach); });
}
inline Mask marked(const Eight& eight, const Cells& cells, const std::uint32_t* map, std::uint32_t* cell_of) {
    const Agents& a = eight.agents;
    return bits_of(eight, [&](unsigned k, std::size_t i) {
        cell_of[k] = cells.at(a.x[i], a.y[i]);
        return (map[cell_of[k] >> 5] >> (cell_of[k] & 31u) & 1u) != 0;
    });
}

#endif

class PassIndex final : public Index {
public:
    bool can(Ability ability) const override { return ability == Ability::only_queries; }

    void update(const workload::World& w) override {
        agents_ = {w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size(), w.side};
    }
    void find_pairs() override {}
    workload::Checksum pairs() const override { return {}; }

    void answer(const std::vector<Rect>& queries) override {
        hits_.clear();
        if (queries.size() <= a_handful)
            compare_all(queries);
        else
            compare_marked(queries);
        arrange(queries.size());
    }
    workload::Checksum answers() const override {
        workload::Checksum sum;
        for (const std::uint32_t id : answers_) sum.hit(id);
        return sum;
    }
    std::uint64_t search(const Rect& query) override {
        answer({query});
        return answers_.size();
    }
    std::span<const std::uint32_t> searched() const override { return answers_; }
    std::uint64_t count(const Rect& query) override { return search(query); }

    std::size_t bytes() const override {
        return map_.size() * sizeof map_[0] + start_.size() * sizeof start_[0];
    }

private:
    static constexpr std::size_t a_handful = 6;
    using Hit = by_hand::Pair;  // a query and an agent

    bool overlap(std::uint32_t i, const Rect& q) const {
        const Agents& a = agents_;
        return (a.x[i] - a.hx[i] <= q.x1) & (q.x0 <= a.x[i] + a.hx[i]) & (a.y[i] - a.hy[i] <= q.y1) &
               (q.y0 <= a.y[i] + a.hy[i]);
    }
    void add(std::uint32_t query, std::uint32_t id) {
        Hit* to = hits_.end_with(1);
        *to = {query, id};
        hits_.end_at(to + 1);
    }

    BY_HAND_WIDE void compare_all(const std::vector<Rect>& queries) {
        std::size_t i = 0;
        for (; i + lanes <= agents_.count; i += lanes) {
            const Eight eight = eight_of(agents_, i);
            for (std::uint32_t q = 0; q < queries.size(); ++q)
                for (Mask mask = overlapping(eight, queries[q]); mask != 0; mask &= mask - 1)
                    add(q, static_cast<std::uint32_t>(i) + static_cast<unsigned>(std::countr_zero(mask)));
        }
        for (auto id = static_cast<std::uint32_t>(i); id < agents_.count; ++id) compare(id, queries);
    }
    BY_HAND_WIDE void compare_marked(const std::vector<Rect>& queries) {
        mark(queries);
        alignas(32) std::uint32_t cell_of[lanes];
        std::size_t i = 0;
        for (; i + lanes <= agents_.count; i += lanes) {
            const Eight eight = eight_of(agents_, i);
            for (Mask mask = marked(eight, cells_, map_.data(), cell_of); mask != 0; mask &= mask - 1) {
                const auto bit = static_cast<unsigned>(std::countr_zero(mask));
                const auto id = static_cast<std::uint32_t>(i) + bit;
                if (std::max(agents_.hx[id], agents_.hy[id]) <= reach_) compare(id, cell_of[bit], queries);
            }
            for (Mask mask = larger(eight, reach_); mask != 0; mask &= mask - 1)
                compare(static_cast<std::uint32_t>(i) + static_cast<unsigned>(std::countr_zero(mask)),
                        queries);
        }
        for (auto id = static_cast<std::uint32_t>(i); id < agents_.count; ++id) compare(id, queries);
    }
    // With the queries of a cell, and with all.
    void compare(std::uint32_t id, std::uint32_t cell, const std::vector<Rect>& queries) {
        for (std::uint32_t at = start_[cell]; at < start_[cell + 1]; ++at)
            if (overlap(id, queries[listed_[at]])) add(listed_[at], id);
    }
    void compare(std::uint32_t id, const std::vector<Rect>& queries) {
        for (std::uint32_t q = 0; q < queries.size(); ++q)
            if (overlap(id, queries[q])) add(q, id);
    }

    // Cells small enough that few of them are reached by a query, and few enough that their bits stay in the
    // nearest cache. Of the sizes of agents a sample says which are usual; larger ones are compared with all
    // queries.
    void mark(const std::vector<Rect>& queries) {
        cells_ = Cells::over(agents_.side, std::clamp<std::size_t>(256 * queries.size(), 4096, 65536), 1);
        reach_ = 0;
        for (std::size_t i = 0; i < agents_.count; i += 1 + agents_.count / 1024)
            reach_ = std::max({reach_, agents_.hx[i], agents_.hy[i]});
        reach_ *= 1.25f;
        map_.assign(cells_.count() / 32 + 1, 0);
        start_.assign(cells_.count() + 1, 0);
        for_each_cell(queries, [&](std::uint32_t, std::uint32_t cell) {
            map_[cell >> 5] |= 1u << (cell & 31u);
            ++start_[cell + 1];
        });
        std::uint32_t sum = 0;
        for (std::uint32_t& begin : start_) sum += begin, begin = sum - begin;
        listed_.resize(sum);
        for_each_cell(queries,
                      [&](std::uint32_t query, std::uint32_t cell) { listed_[start_[cell + 1]++] = query; });
    }
    template <class Take>
    void for_each_cell(const std::vector<Rect>& queries, const Take& take) const {
        const float by = reach_ + 1e-6f * agents_.side;
        for (std::uint32_t query = 0; query < queries.size(); ++query) {
            const Rect& q = queries[query];
            const std::int32_t first = cells_.column(q.x0 - by), last = cells_.column(q.x1 + by),
                               top = cells_.row(q.y1 + by);
            for (std::int32_t row = cells_.row(q.y0 - by); row <= top; ++row)
                for (std::int32_t column = first; column <= last; ++column)
                    take(query, cells_.first_of_row(row) + static_cast<std::uint32_t>(column));
        }
    }

    // From the order of agents into that of queries.
    void arrange(std::size_t queries) {
        ends_.assign(queries + 1, 0);
        for (const Hit& hit : hits_.all()) ++ends_[hit.a + 1];
        std::uint32_t sum = 0;
        for (std::uint32_t& begin : ends_) sum += begin, begin = sum - begin;
        answers_.resize(sum);
        for (const Hit& hit : hits_.all()) answers_[ends_[hit.a + 1]++] = hit.b;
    }

    Agents agents_{};
    Cells cells_;
    float reach_ = 0;
    std::vector<std::uint32_t> map_;     // one bit for each cell
    std::vector<std::uint32_t> start_;   // of each cell among those that are listed
    std::vector<std::uint32_t> listed_;  // queries by cell
    Room<Hit> hits_;
    std::vector<std::uint32_t> ends_, answers_;
};

}  // namespace

std::unique_ptr<Index> make_pass_index(const Setup&) { return std::make_unique<PassIndex>(); }

}  // namespace throng::bench
