#include "beside/arrays/query_index.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "base/box_math.hpp"
#include "base/box_reader.hpp"
#include "base/kernels.hpp"
#include "base/sample.hpp"
#include "simd/types.hpp"
#include "throng/detail/grid_axis.hpp"

namespace throng::detail {

namespace {

// So few queries are cheaper one by one than together.
constexpr std::size_t few_queries = 1;
// So few comparisons in all are cheaper than an index.
constexpr std::size_t few_comparisons = 1 << 15;
// A query that covers this part of the ground of all boxes is compared with every box; at most so many are.
constexpr double large_part = 1.0 / 16;
constexpr std::size_t most_large = 16;

// Cells are chosen by a sample of the boxes. In a hundred, larger_boxes may be larger than a cell: they are
// compared with all queries.
constexpr std::size_t sampled_boxes = 256, larger_boxes = 3;
// The cells cover the sampled boxes except outer_boxes in a hundred at either end, and a part more.
constexpr std::size_t outer_boxes = 2;
constexpr double beyond_sample = 1.0 / 8;
// More cells tell more boxes from queries, and take longer to make.
constexpr double cells_a_query = 1024, fewest_index_cells = 4096, most_index_cells = 65536, boxes_a_cell = 4;
constexpr std::uint32_t most_index_cells_a_side = 1024;
// How many slots the queries may have in cells. With more, cells become larger.
constexpr std::size_t entries_a_query = 32, entries_at_least = 4096;
// Scales stay far from what is too small or too large for a float.
constexpr double narrowest_index_cell = 1e-36, widest_index_cell = 1e37;
// The part of a cell that a box may cover to be in one cell and the next: less than all, for the rounding of
// slots.
constexpr double slim = 0.9;
// Empty cells around the queries, for what is beyond the grid.
constexpr double margin = 3;

// What steps take, measured in boxes of a pass: a box near a query (candidate); each query that it is
// compared with, where mostly a third are found (comparison); a query that is compared with every box
// (alone); an answer to such a query, which is written twice; a query in a cell (entry). Then an engine, each
// of its boxes, a query that counts, a query with a list that has to be sorted, and an answer in it.
constexpr double step_of_candidate = 20, step_of_comparison = 3, step_alone = 0.1, step_of_answer = 2,
                 step_of_entry = 20;
constexpr double step_of_engine = 80000, step_of_engine_box = 12, step_of_engine_query = 400,
                 step_of_engine_list = 1000, step_of_engine_answer = 1.75;

double width_of_query(const simd::Query& q) noexcept { return double{q.max_x} - double{q.min_x}; }
double height_of_query(const simd::Query& q) noexcept { return double{q.max_y} - double{q.min_y}; }
// The part of a query that is on some ground, or else the nearest point on the ground's edge.
simd::Query within(const simd::Query& q, const Box& ground) noexcept {
    return {std::clamp(q.min_x, ground.min_x, ground.max_x), std::clamp(q.min_y, ground.min_y, ground.max_y),
            std::clamp(q.max_x, ground.min_x, ground.max_x), std::clamp(q.max_y, ground.min_y, ground.max_y)};
}

// The cells with the lower left corners of boxes that may overlap a query.
struct Cells {
    std::uint32_t first_column, last_column, first_row, last_row;

    std::size_t count() const noexcept {
        return (last_column - first_column + std::size_t{1}) * (last_row - first_row + std::size_t{1});
    }
};
Cells cells_of(const simd::Grid& g, const simd::Query& q) noexcept {
    const auto one_before = [](std::uint32_t bin) { return bin == 0 ? 0 : bin - 1; };
    // One wider, for threads that round otherwise.
    return {one_before(bin(q.min_x, g.origin_x, g.inverse_width * simd::scaled_down, g.last_column)),
            bin(q.max_x, g.origin_x, g.inverse_width * simd::scaled_up, g.last_column),
            one_before(bin(q.min_y, g.origin_y, g.inverse_height * simd::scaled_down, g.last_row)),
            bin(q.max_y, g.origin_y, g.inverse_height * simd::scaled_up, g.last_row)};
}

// One axis of the grid, with cells of at least this side.
struct Axis {
    float origin, scale, last, slim_extent;
    std::uint32_t cells;
};
Axis axis_of(float min, double extent, double side) noexcept {
    side = std::clamp(side, narrowest_index_cell, widest_index_cell);
    const auto cells = static_cast<std::uint32_t>(std::min(extent / side + 2 * margin, 1e6)) + 1;
    return {float_at_most(min - margin * side), static_cast<float>(1 / side), static_cast<float>(cells - 1),
            static_cast<float>(slim * side), cells};
}

// A slot for each number of an array in the row of a kernel; returns the first.
float* array_of(const simd::Row& row, std::size_t which) noexcept {
    return const_cast<float*>(row.data) + which * row.stride;
}
void put(const simd::Row& row, std::size_t at, const simd::Query& q, std::uint32_t number) noexcept {
    array_of(row, 0)[at] = q.min_x;
    array_of(row, 1)[at] = q.min_y;
    array_of(row, 2)[at] = q.max_x;
    array_of(row, 3)[at] = q.max_y;
    reinterpret_cast<std::uint32_t*>(array_of(row, 4))[at] = number;
}

}  // namespace

bool QueryIndex::make(std::span<const simd::Query> queries, const Boxes& boxes, Wanted wanted) noexcept {
    queries_ = queries;
    alone_.clear();
    in_cells_.clear();
    is_slow_ = false;
    if (!alone_.reserve(queries.size())) return false;
    if (queries.size() <= few_queries || boxes.size() <= few_comparisons / queries.size()) {
        compare_all();
        return true;
    }
    const Sample sample = look_at(boxes);
    if (!part(sample.ground)) return false;
    const auto count = static_cast<double>(boxes.size());
    const auto asked = static_cast<double>(queries.size());
    const double answers = wanted == Wanted::numbers ? 0 : part_found(queries, boxes) * count * asked;
    double alone = count * (1 + step_alone * asked),
           by_engine = step_of_engine + step_of_engine_box * count + step_of_engine_query * asked;
    if (wanted == Wanted::lists) {
        alone += step_of_answer * answers;
        by_engine += (step_of_engine_list - step_of_engine_query) * asked + step_of_engine_answer * answers;
    }
    const double least = std::min(by_engine, alone);
    bool is_best = false;
    if (in_cells_.size() != 0) {
        choose_grid(sample, boxes.size());
        // Not made if that alone would take longer.
        if (count + step_of_entry * static_cast<double>(count_entries()) <= least) {
            if (!fill()) return false;
            is_best = expected_steps(boxes) <= least;
        }
    }
    if (is_best) return true;
    is_slow_ = by_engine < alone + (wanted == Wanted::nearest ? step_of_answer * answers : 0);
    compare_all();
    return true;
}

void QueryIndex::compare_all() noexcept {
    alone_.clear();
    in_cells_.clear();
    for (std::uint32_t i = 0; i < queries_.size(); ++i) (void)alone_.push_back(i);  // room was reserved
}

double QueryIndex::part_found(std::span<const simd::Query> queries, const Boxes& boxes) noexcept {
    constexpr std::size_t most_queries = 16, most_boxes = 64;
    if (queries.empty() || boxes.empty()) return 0;
    const BoxAt box_at(boxes);
    const std::size_t some = std::min(most_queries, queries.size()), of = std::min(most_boxes, boxes.size());
    std::size_t found = 0;
    for (std::size_t k = 0; k < of; ++k) {
        const Box box = box_at(sampled(k, of, boxes.size()));
        for (std::size_t n = 0; n < some; ++n) {
            const simd::Query& q = queries[sampled(n, some, queries.size())];
            found +=
                box.min_x <= q.max_x && q.min_x <= box.max_x && box.min_y <= q.max_y && q.min_y <= box.max_y;
        }
    }
    return static_cast<double>(found) / static_cast<double>(some * of);
}

QueryIndex::Sample QueryIndex::look_at(const Boxes& boxes) const noexcept {
    std::array<std::array<double, sampled_boxes>, 4> seen;  // x, y, widths, heights
    const BoxAt box_at(boxes);
    const std::size_t wanted = std::min(sampled_boxes, boxes.size());
    std::size_t count = 0;
    for (std::size_t k = 0; k < wanted; ++k) {
        const Box box = box_at(sampled(k, wanted, boxes.size()));
        if (check(box) != Code::ok) continue;
        const simd::Query corners = query_of(box);
        const double values[4] = {box.min_x, box.min_y, width_of_query(corners), height_of_query(corners)};
        for (std::size_t v = 0; v < 4; ++v) seen[v][count] = values[v];
        ++count;
    }
    if (count == 0) return {};
    // The value that `percent` in a hundred are above.
    const auto exceeded_by = [&](auto& values, std::size_t percent) {
        const auto at = values.begin() + static_cast<std::ptrdiff_t>((count - 1) * (100 - percent) / 100);
        std::nth_element(values.begin(), at, values.begin() + static_cast<std::ptrdiff_t>(count));
        return *at;
    };
    Sample sample{exceeded_by(seen[2], larger_boxes), exceeded_by(seen[3], larger_boxes), {}};
    const auto range = [&](auto& values, auto low_edge, auto high_edge, float& low, float& high) {
        const double first = exceeded_by(values, 100 - outer_boxes), last = exceeded_by(values, outer_boxes),
                     more = (last - first) * beyond_sample;
        double least = last, most = first;  // where the queries are
        for (const simd::Query& q : queries_) {
            least = std::min(least, double{q.*low_edge});
            most = std::max(most, double{q.*high_edge});
        }
        low = float_at_most(std::max(least, first - more));
        high = float_at_least(std::min(most, last + more));
    };
    using simd::Query;
    range(seen[0], &Query::min_x, &Query::max_x, sample.ground.min_x, sample.ground.max_x);
    range(seen[1], &Query::min_y, &Query::max_y, sample.ground.min_y, sample.ground.max_y);
    return sample;
}

// Sets the large queries apart.
bool QueryIndex::part(const Box& ground) noexcept {
    if (!in_cells_.reserve(queries_.size())) return false;
    const double area = width_of_query(query_of(ground)) * height_of_query(query_of(ground));
    for (std::uint32_t i = 0; i < queries_.size(); ++i) {
        const simd::Query q = within(queries_[i], ground);
        const bool large = width_of_query(q) * height_of_query(q) > large_part * area;
        (void)(large && alone_.size() < most_large ? alone_ : in_cells_).push_back(i);
    }
    return true;
}

void QueryIndex::choose_grid(const Sample& sample, std::size_t boxes) noexcept {
    const double width = width_of_query(query_of(sample.ground)),
                 height = height_of_query(query_of(sample.ground));
    double query_width = 0, query_height = 0;  // the mean
    for (const std::uint32_t i : in_cells_) {
        const simd::Query q = within(queries_[i], sample.ground);
        query_width += width_of_query(q) / static_cast<double>(in_cells_.size());
        query_height += height_of_query(q) / static_cast<double>(in_cells_.size());
    }
    const double wanted = std::clamp(cells_a_query * static_cast<double>(in_cells_.size()),
                                     fewest_index_cells, most_index_cells);
    const double most = std::clamp(static_cast<double>(boxes) / boxes_a_cell, 64.0, wanted);
    const double side = std::min(most_index_cells_a_side - 2 * margin, most);
    double cell_width = std::max({sample.box_width / slim * 1.05, query_width / 4, width / side}),
           cell_height = std::max({sample.box_height / slim * 1.05, query_height / 4, height / side});
    // Ends when both axes have as few cells as the widest cells leave.
    for (;; cell_width *= 1.25, cell_height *= 1.25) {
        const Axis x = axis_of(sample.ground.min_x, width, cell_width),
                   y = axis_of(sample.ground.min_y, height, cell_height);
        const bool fewest = (x.cells <= 8 || cell_width > widest_index_cell) &&
                            (y.cells <= 8 || cell_height > widest_index_cell);
        if (static_cast<double>(x.cells) * y.cells > most && !fewest) continue;
        cells_.column_bits = static_cast<std::uint32_t>(std::bit_width(x.cells - 1));
        const std::uint32_t columns = 1u << cells_.column_bits;
        cells_.grid = {x.origin, y.origin,      x.scale,       y.scale, static_cast<float>(columns - 1),
                       y.last,   x.slim_extent, y.slim_extent, columns, y.cells};
        if (fewest || count_entries() <= entries_at_least + entries_a_query * in_cells_.size()) return;
    }
}

std::size_t QueryIndex::count_entries() const noexcept {
    std::size_t entries = 0;
    for (const std::uint32_t i : in_cells_) entries += cells_of(cells_.grid, queries_[i]).count();
    return entries;
}

bool QueryIndex::fill_row(Buffer<float>& data, std::size_t count, simd::Row& row) noexcept {
    const std::size_t stride = count + simd::gap;
    if (!data.resize(5 * stride)) return false;
    std::fill(data.begin(), data.end(), std::numeric_limits<float>::quiet_NaN());
    row = {data.data(), nullptr, static_cast<std::uint32_t>(stride), static_cast<std::uint32_t>(count), 0};
    return true;
}

bool QueryIndex::fill() noexcept {
    const simd::Grid& g = cells_.grid;
    const std::size_t cells = std::size_t{g.rows} << cells_.column_bits, entries = count_entries();
    starts_.clear();
    occupied_.clear();
    if (!starts_.resize(cells + 1, 0u) || !occupied_.resize(cells / 32 + 1, 0u) ||
        !fill_row(by_cell_, entries, cells_.by_cell) || !fill_row(all_, in_cells_.size(), cells_.all))
        return false;
    const auto for_each_cell = [&](const simd::Query& q, const auto& use) {
        const Cells of = cells_of(g, q);
        for (std::uint32_t row = of.first_row; row <= of.last_row; ++row)
            for (std::uint32_t column = of.first_column; column <= of.last_column; ++column)
                use((row << cells_.column_bits) + column);
    };
    for (const std::uint32_t i : in_cells_)
        for_each_cell(queries_[i], [&](std::uint32_t cell) {
            ++starts_[cell];
            occupied_[cell / 32] |= 1u << cell % 32;
        });
    std::uint32_t end = 0;
    for (std::uint32_t& start : starts_) end = start += end;
    // Backwards, so that each ends up where it begins.
    for (std::size_t k = in_cells_.size(); k-- > 0;) {
        const std::uint32_t i = in_cells_[k];
        for_each_cell(queries_[i],
                      [&](std::uint32_t cell) { put(cells_.by_cell, --starts_[cell], queries_[i], i); });
        put(cells_.all, k, queries_[i], i);
    }
    all_cells_[1] = cells_.all.count;
    cells_.by_cell.cells = starts_.data();
    cells_.all.cells = all_cells_;
    cells_.occupied = occupied_.data();
    return true;
}

// The steps of a pass over the boxes, estimated from a sample.
double QueryIndex::expected_steps(const Boxes& boxes) const noexcept {
    const auto count = static_cast<double>(boxes.size());
    double steps = count * (1 + step_alone * static_cast<double>(alone_.size()));
    if (in_cells_.size() == 0 || boxes.empty()) return steps;
    steps += step_of_entry * cells_.by_cell.count;
    const simd::Grid& g = cells_.grid;
    const BoxAt box_at(boxes);
    const std::size_t wanted = std::min(sampled_boxes, boxes.size());
    double sampled_steps = 0;
    for (std::size_t k = 0; k < wanted; ++k) {
        const Box box = box_at(sampled(k, wanted, boxes.size()));
        const bool large = box.max_x - box.min_x > g.common_width || box.max_y - box.min_y > g.common_height;
        const std::uint32_t cell =
            (bin(box.min_y, g.origin_y, g.inverse_height, g.last_row) << cells_.column_bits) +
            bin(box.min_x, g.origin_x, g.inverse_width, g.last_column);
        const std::uint32_t compared = large ? cells_.all.count : starts_[cell + 1] - starts_[cell];
        if (compared != 0) sampled_steps += step_of_candidate + step_of_comparison * compared;
    }
    return steps + sampled_steps * count / static_cast<double>(wanted);
}

}  // namespace throng::detail
