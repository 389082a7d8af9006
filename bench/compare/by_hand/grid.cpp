#include "bench/compare/by_hand/grid.hpp"

#include <cmath>

#include "throng/compiler.hpp"

namespace throng::bench::by_hand {

std::size_t Grid::bytes() const {
    return start_.size() * sizeof start_[0] + cell_of_.size() * sizeof cell_of_[0] +
           corners_.size() * sizeof corners_[0] + ids_.size() * sizeof ids_[0] +
           (centre_x_.size() + centre_y_.size()) * sizeof(float);
}

void Grid::assign_points(std::span<const float> x, std::span<const float> y, float side) {
    const auto points = [&](std::size_t i) { return Placed{x[i], y[i], 0, 0}; };
    count_agents(x.size(), side, points);
    ids_.resize(size_ + lanes);
    centre_x_.resize(size_ + lanes);
    centre_y_.resize(size_ + lanes);
    for (std::size_t i = 0; i < size_; ++i) {
        const std::uint32_t at = start_[cell_of_[i] + 1]++;
        centre_x_[at] = x[i];
        centre_y_[at] = y[i];
        ids_[at] = static_cast<std::uint32_t>(i);
    }
    has_centres_ = true;
}

void Grid::make_centres() {
    if (has_centres_) return;
    centre_x_.resize(size_ + lanes);
    centre_y_.resize(size_ + lanes);
    for (std::size_t i = 0; i < size_; ++i) {
        const Corners& box = corners_[i];
        centre_x_[i] = box.x0 / 2 + box.x1() / 2;
        centre_y_[i] = box.y0 / 2 + box.y1() / 2;
    }
    has_centres_ = true;
}

// Cell by cell, each pair from that of the two agents which comes first: in its own row from the agents
// behind it, in the rows above from all of the cells that the other's centre may be in, which are the same
// for all agents of a cell.
void Grid::find_pairs(Room<Pair>& pairs) const {
    pairs.clear();
    const auto cells_in = [this](float reach) {
        return static_cast<std::int32_t>(2 * reach * cells_.inverse) + 1;
    };
    const std::int32_t beside = std::min(cells_in(reach_x_), cells_.columns),
                       above = std::min(cells_in(reach_y_), cells_.rows);
    for (std::int32_t row = 0; row < cells_.rows; ++row)
        for (std::int32_t column = 0; column < cells_.columns; ++column) {
            const Run own = run_of(row, column, column);
            if (own.first == own.last) continue;
            const std::int32_t left = std::max(column - beside, 0),
                               right = std::min(column + beside, cells_.columns - 1),
                               top = std::min(row + above, cells_.rows - 1);
            const std::size_t end = run_of(row, column, right).last;
            for (std::size_t i = own.first; i < own.last; ++i) {
                const Corners probe = probe_of(corners_[i]);
                find_pairs_in({i + 1, end}, ids_[i], probe, pairs);
                for (std::int32_t other = row + 1; other <= top; ++other)
                    find_pairs_in(run_of(other, left, right), ids_[i], probe, pairs);
            }
        }
}

void Grid::find(float x0, float y0, float x1, float y1, Room<std::uint32_t>& found) const {
    const Corners probe = probe_of(x0, y0, x1, y1);
    const Covered covered = cover(x0, y0, x1, y1);
    for (std::int32_t row = covered.first_row; row <= covered.last_row; ++row) {
        const Run run = run_of(row, covered);
        std::uint32_t* to = found.end_with(run.last - run.first);
        for (std::size_t at = run.first; at < run.last; at += lanes)
            to = append(to, &ids_[at], overlapping(&corners_[at], probe) & first_of(run.last - at));
        found.end_at(to);
    }
}

std::uint64_t Grid::count(float x0, float y0, float x1, float y1) const {
    const Corners probe = probe_of(x0, y0, x1, y1);
    const Covered covered = cover(x0, y0, x1, y1);
    std::uint64_t sum = 0;
    for (std::int32_t row = covered.first_row; row <= covered.last_row; ++row) {
        const Run run = run_of(row, covered);
        for (std::size_t at = run.first; at < run.last; at += lanes)
            sum += static_cast<unsigned>(
                std::popcount(overlapping(&corners_[at], probe) & first_of(run.last - at)));
    }
    return sum;
}

// --- Neighbours -------------------------------------------------------------------------------------------

namespace {

// The cells that a circle may reach, with enough for the roundings.
struct Around {
    float x0, y0, x1, y1;
};
Around around(float x, float y, float radius) {
    const float by = radius * (1 + 1e-6f) + 1e-6f * (std::abs(x) + std::abs(y));
    return {x - by, y - by, x + by, y + by};
}

// The least so many numbers in order, each written where it belongs. There are four more elements than
// numbers.
BY_HAND_WIDE std::size_t sort_least(std::uint64_t* keys, std::size_t count, std::size_t wanted,
                                    Found* found) {
    if (count > 32) {
        std::nth_element(keys, keys + wanted, keys + count);
        count = wanted;
    }
    for (std::size_t i = count; i < count + 4; ++i) keys[i] = std::numeric_limits<std::int64_t>::max();
    Found in_order[32];
    for (std::size_t i = 0; i < count; ++i) in_order[rank_of(keys[i], keys, count)] = found_of(keys[i]);
    const std::size_t many = std::min(count, wanted);
    for (std::size_t i = 0; i < many; ++i) found[i] = in_order[i];
    return many;
}

}  // namespace

void Grid::find_within(float x, float y, float radius, std::uint32_t without, bool only_above,
                       Room<std::uint32_t>& found) const {
    const Around box = around(x, y, radius);
    const std::int32_t first = cells_.column(box.x0), last = cells_.column(box.x1), top = cells_.row(box.y1);
    alignas(32) float distances[lanes];
    for (std::int32_t row = cells_.row(box.y0); row <= top; ++row) {
        const Run run = run_of(row, first, last);
        std::uint32_t* to = found.end_with(run.last - run.first);
        for (std::size_t at = run.first; at < run.last; at += lanes) {
            const Mask near = within(&centre_x_[at], &centre_y_[at], x, y, radius * radius, distances) &
                              first_of(run.last - at);
            to = append(to, &ids_[at],
                        near & (only_above ? above(&ids_[at], without) : ~equal(&ids_[at], without)));
        }
        found.end_at(to);
    }
}

void Grid::find_within(float x, float y, float radius, Room<Found>& found) const {
    const Around box = around(x, y, radius);
    const std::int32_t first = cells_.column(box.x0), last = cells_.column(box.x1), top = cells_.row(box.y1);
    alignas(32) float distances[lanes];
    for (std::int32_t row = cells_.row(box.y0); row <= top; ++row) {
        const Run run = run_of(row, first, last);
        Found* to = found.end_with(run.last - run.first);
        for (std::size_t at = run.first; at < run.last; at += lanes) {
            const Mask near = within(&centre_x_[at], &centre_y_[at], x, y, radius * radius, distances);
            to = append(to, &ids_[at], distances, near & first_of(run.last - at));
        }
        found.end_at(to);
    }
}

// All in a circle around the point, and in larger ones until there are enough.
std::size_t Grid::find_nearest(float x, float y, std::uint32_t wanted, std::uint32_t without, Found* found,
                               Room<std::uint64_t>& near) const {
    // In a world that is covered evenly, one circle in a hundred has too few.
    const float many = static_cast<float>(wanted), expected = many + 3 * std::sqrt(many);
    for (float limit = expected * area_of_one_ / 3.1416f;; limit *= 4) {
        const Around box = around(x, y, std::sqrt(limit));
        const std::int32_t left = cells_.column(box.x0), right = cells_.column(box.x1),
                           low = cells_.row(box.y0), high = cells_.row(box.y1);
        const bool all = left == 0 && low == 0 && right == cells_.columns - 1 && high == cells_.rows - 1;
        if (all) limit = infinity;
        near.clear();
        alignas(32) float distances[lanes];
        for (std::int32_t row = low; row <= high; ++row) {
            const Run run = run_of(row, left, right);
            std::uint64_t* to = near.end_with(run.last - run.first);
            for (std::size_t at = run.first; at < run.last; at += lanes) {
                const Mask inside = within(&centre_x_[at], &centre_y_[at], x, y, limit, distances);
                to = append(to, &ids_[at], distances,
                            inside & first_of(run.last - at) & ~equal(&ids_[at], without));
            }
            near.end_at(to);
        }
        if (near.size() < wanted && !all) continue;
        if (wanted != 1) return sort_least(near.all().data(), near.size(), wanted, found);
        if (near.size() == 0) return 0;
        std::uint64_t least = near.all()[0];
        for (const std::uint64_t key : near.all()) least = std::min(least, key);
        *found = found_of(least);
        return 1;
    }
}

void Grid::find_nearest_of_all(std::uint32_t wanted, Found* found, Room<std::uint64_t>& near) const {
    for (std::size_t i = 0; i < size_; ++i) {
        THRONG_PREFETCH(found + std::size_t{ids_[std::min(i + ahead, size_ - 1)]} * wanted, 1);
        find_nearest(centre_x_[i], centre_y_[i], wanted, ids_[i], found + std::size_t{ids_[i]} * wanted,
                     near);
    }
}

// --- Casts ------------------------------------------------------------------------------------------------

namespace {

Axis axis_of(float low, float high, float movement) {
    return {std::abs(movement) >= std::numeric_limits<float>::min(), movement > 0, low, high, 1 / movement};
}

}  // namespace

// Row by row in the direction of the cast: the part of it that lies in the row tells the columns.
Hit Grid::first_hit(const Cast& cast, bool any) const {
    const Box& start = cast.start;
    const Axis on_x = axis_of(start.min_x, start.max_x, cast.dx),
               on_y = axis_of(start.min_y, start.max_y, cast.dy);
    const bool upwards = !on_y.moves || on_y.forward;
    const std::int32_t lowest = cells_.row(start.min_y + std::min(cast.dy, 0.0f) - reach_y_),
                       highest = cells_.row(start.max_y + std::max(cast.dy, 0.0f) + reach_y_);
    constexpr float slack = 1e-4f;
    Hit hit;
    alignas(32) float times[lanes];
    for (std::int32_t step = 0; step <= highest - lowest; ++step) {
        const std::int32_t row = upwards ? lowest + step : highest - step;
        // When the box may touch agents of this row, of which the first and the last have all beyond them.
        float in = 0, out = 1;
        if (on_y.moves) {
            const float low = row == 0 ? -infinity : static_cast<float>(row) * cells_.size - reach_y_,
                        high = row == cells_.rows - 1 ? infinity
                                                      : static_cast<float>(row + 1) * cells_.size + reach_y_;
            const float at_low = (low - start.max_y) * on_y.inverse,
                        at_high = (high - start.min_y) * on_y.inverse;
            in = std::clamp(std::min(at_low, at_high) - slack, 0.0f, 1.0f);
            out = std::clamp(std::max(at_low, at_high) + slack, 0.0f, 1.0f);
        }
        if (hit.time < in) break;
        const float from = cast.dx * in, to = cast.dx * out;
        const Run run = run_of(row, cells_.column(start.min_x + std::min(from, to) - reach_x_),
                               cells_.column(start.max_x + std::max(from, to) + reach_x_));
        for (std::size_t at = run.first; at < run.last; at += lanes)
            for (Mask mask = touched(&corners_[at], on_x, on_y, std::min(hit.time, 1.0f), times) &
                             first_of(run.last - at);
                 mask != 0; mask &= mask - 1) {
                const auto bit = static_cast<std::size_t>(std::countr_zero(mask));
                const Hit other{times[bit], ids_[at + bit]};
                if (other.time < hit.time || (other.time == hit.time && other.id < hit.id)) hit = other;
                if (any) return hit;
            }
    }
    return hit;
}

}  // namespace throng::bench::by_hand
