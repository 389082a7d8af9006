// The agents near one point, by their centres, if all that may be found is in the rows of one grid and is
// little: the most common single call. A search that can do everything takes longer to begin than this takes
// to end.
#pragma once

#include "simd/kernels/neighbours/gather.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

template <class V>
struct NearPoint : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Locator;
    using typename Base::Reach;
    using typename Base::Wide;

    THRONG_KERNEL static std::uint32_t find(const View& view, const NearQuery& query, std::uint32_t* ids,
                                            float* distances) {
        const float radius = query.guess < query.radius ? query.guess : query.radius, limit = radius * radius;
        if (!view.is_all || !(limit < Base::largest)) return not_near;
        const CircleQuery circle = Circles<V>::around(query.x, query.y, radius);
        const Reach reach = Locator(view).reach(circle.bounds);
        const Wide x(query.x), y(query.y), most(limit);
        std::uint32_t count = 0;
        for (std::uint32_t r = reach.first_row; r <= reach.last_row; ++r) {
            const Row& row = view.rows[r];
            if (row.count == 0) continue;
            const std::uint32_t begin = row.cells[reach.first_column], end = row.cells[reach.last_column + 1];
            if (count + (end - begin) > near_room) return not_near;
            const Arrays a(row);
            for (std::uint32_t i = begin; i < end; i += Wide::size) {
                const Wide dx = Circles<V>::middle(a.min_x + i, a.max_x + i) - x,
                           dy = Circles<V>::middle(a.min_y + i, a.max_y + i) - y, d = dx * dx + dy * dy;
                std::uint32_t found = V::bits(d <= most);
                if (end - i < Wide::size) found &= (1u << (end - i)) - 1;
                V::left_pack(ids + count, a.id + i, found);
                Circles<V>::pack(distances + count, d, found);
                count += V::count_bits(found);
            }
        }
        if (query.max_count == 0) return count;
        if (count < query.max_count && radius < query.radius) return not_near;
        if (query.max_count == 1) return nearest(ids, distances, count);
        if (count > 2 * query.max_count)
            count = Least<V>::narrow(distances, ids, count, query.max_count, limit);
        return Least<V>::sort(distances, ids, count, query.max_count);
    }

private:
    // Moves the nearest to the front; of equal ones the one with the lowest id.
    static std::uint32_t nearest(std::uint32_t* ids, float* distances, std::uint32_t count) {
        if (count == 0) return 0;
        float least = distances[0];
        std::uint32_t id = ids[0];
        for (std::uint32_t i = 1; i < count; ++i) {
            const bool nearer = distances[i] < least || (distances[i] == least && ids[i] < id);
            least = nearer ? distances[i] : least;
            id = nearer ? ids[i] : id;
        }
        ids[0] = id;
        distances[0] = least;
        return 1;
    }
};

}  // namespace throng::simd
