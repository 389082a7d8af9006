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

// Each pair from that of the two agents which comes first: in its own row from the agents behind it, in the rows above from all
// of the cells that the other's centre may be in.
void Grid::find_pairs(Room<Pair>& pairs) const {
    pairs.clear();
    std::size_t i = 0;
    for (std::int32_t row = 0; row < cells_.rows; ++row) {
        const std::size_t end = run_of(row, 0, cells_.columns - 1).last;
        for (; i < end; ++i) {
            const Corners box = corners_[i], probe = probe_of(box);
            const Covered covered = cover(box.x0, box.y0, box.x1(), box.y1());
            Run run = run_of(row, covered);
            run.first = i + 1;
            for (std::int32_t other = row;;) {
                Pair* to = pairs.end_with(run.last - std::min(run.first, run.last));
                for (std::size_t at = run.first; at < run.last; at += lanes)
                    to = append(to, ids_[i], &ids_[at],
                                overlapping(&corners_[at], probe) & first_of(run.last - at));
                pairs.end_at(to);
                if (++other > covered.last_row) break;
                run = run_of(other, covered);
            }
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

// The nearest so far, as numbers that order by distance and then by id.
template <std::uint32_t wanted>
class Nearest {
public:
    Nearest() {
        for (std::uint64_t& key : keys_) key = none;
    }
    float limit() const { return throng::detail::bits_as<float>(static_cast<std::uint32_t>(worst() >> 32)); }
    void add(float distance, std::uint32_t id) {
        const std::uint64_t key = std::uint64_t{throng::detail::bits_as<std::uint32_t>(distance)} << 32 | id;
        if (key >= worst()) return;
        std::uint32_t at = wanted - 1;
        for (; at > 0 && keys_[at - 1] > key; --at) keys_[at] = keys_[at - 1];
        keys_[at] = key;
    }
    std::size_t write(Found* found) const {
        std::size_t count = 0;
        for (; count < wanted && keys_[count] != none; ++count)
            found[count] = {static_cast<std::uint32_t>(keys_[count]),
                            throng::detail::bits_as<float>(static_cast<std::uint32_t>(keys_[count] >> 32))};
        return count;
    }

private:
    // No id is as high, and no distance is more than infinite.
    static constexpr std::uint64_t none = std::uint64_t{0x7F800000} << 32 | no_agent;

    std::uint64_t worst() const { return keys_[wanted - 1]; }

    std::uint64_t keys_[wanted];
};

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

// A square of cells around the point, and then the rings around it, until nothing beyond can be nearer.
template <std::uint32_t wanted>
std::size_t Grid::find_nearest(float x, float y, std::uint32_t without, Found* found) const {
    const std::int32_t column = cells_.column(x), row = cells_.row(y);
    Nearest<wanted> nearest;
    alignas(32) float distances[lanes];
    // The first square has about three times as many agents as are wanted.
    std::int32_t ring = wanted == 1 ? 1 : wanted <= 8 ? 2 : 5;
    for (std::int32_t inner = -1;; inner = ring++) {
        const std::int32_t left = std::max(column - ring, 0),
                           right = std::min(column + ring, cells_.columns - 1), low = std::max(row - ring, 0),
                           high = std::min(row + ring, cells_.rows - 1);
        for (std::int32_t at_row = low; at_row <= high; ++at_row) {
            // Of rows that were looked at before only the two ends are new.
            const bool is_new = std::abs(at_row - row) > inner;
            for (int end = is_new ? 1 : 0; end < 2; ++end) {
                if (!is_new && (end == 0 ? column - ring < left : column + ring > right)) continue;
                const Run run = is_new     ? run_of(at_row, left, right)
                                : end == 0 ? run_of(at_row, left, left)
                                           : run_of(at_row, right, right);
                for (std::size_t at = run.first; at < run.last; at += lanes)
                    for (Mask mask =
                             within(&centre_x_[at], &centre_y_[at], x, y, nearest.limit(), distances) &
                             first_of(run.last - at);
                         mask != 0; mask &= mask - 1) {
                        const auto bit = static_cast<std::size_t>(std::countr_zero(mask));
                        if (ids_[at + bit] != without) nearest.add(distances[bit], ids_[at + bit]);
                    }
            }
        }
        const auto edge = [this](std::int32_t cell) { return static_cast<float>(cell) * cells_.size; };
        float to_edge = infinity;
        if (left > 0) to_edge = std::min(to_edge, x - edge(left));
        if (low > 0) to_edge = std::min(to_edge, y - edge(low));
        if (right < cells_.columns - 1) to_edge = std::min(to_edge, edge(right + 1) - x);
        if (high < cells_.rows - 1) to_edge = std::min(to_edge, edge(high + 1) - y);
        to_edge = std::max(to_edge - 1e-6f * (std::abs(x) + std::abs(y)), 0.0f);
        if (nearest.limit() < to_edge * to_edge || to_edge == infinity) return nearest.write(found);
    }
}
template std::size_t Grid::find_nearest<1>(float, float, std::uint32_t, Found*) const;
template std::size_t Grid::find_nearest<8>(float, float, std::uint32_t, Found*) const;

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
