// The kernel that turns a row's records into its arrays, alone: rows of any length, with every instruction
// set.
#include "simd/kernels.hpp"
#include "simd/row_kernels.hpp"
#include "simd/types.hpp"
#include "support/test.hpp"

namespace throng::simd {
namespace {

using test::Random;

constexpr float common = 1;

Grid grid_of(std::uint32_t columns) {
    return {.origin_x = -3,
            .origin_y = 0,
            .inverse_width = 0.7f,
            .inverse_height = 1,
            .last_column = static_cast<float>(columns - 1),
            .last_row = 0,
            .common_width = common,
            .common_height = common,
            .columns = columns,
            .rows = 1};
}

bool is_common(const Record& r) { return r.max_x - r.min_x <= common && r.max_y - r.min_y <= common; }

std::uint32_t column_of(const Grid& g, const Record& r) {
    if (!is_common(r)) return g.columns;
    const float place = (r.min_x - g.origin_x) * g.inverse_width;
    return static_cast<std::uint32_t>(std::min(std::max(place, 0.0f), g.last_column));
}

// Some left and some right of the grid, one in eight too large, and one in four a point.
std::vector<Record> some_records(Random& random, std::uint32_t count, std::uint32_t columns) {
    std::vector<Record> records;
    for (std::uint32_t k = 0; k < count; ++k) {
        const float x = random.uniform(-5, static_cast<float>(columns) * 1.5f), y = random.uniform();
        const float size = random.one_in(8) ? 2.0f : random.one_in(4) ? 0.0f : 0.9f;
        records.push_back({x, y, x + size, y + size / 2, k * 7 + 3});
    }
    return records;
}

class SortedRow {
public:
    SortedRow(Isa isa, const Grid& grid, const std::vector<Record>& records)
        : stride_(static_cast<std::uint32_t>(records.size()) + gap + 7),
          data_(std::size_t{5} * stride_, 5.0f),
          cells_(grid.columns + 1, 77u),
          scratch_(sort_scratch(records.size())) {
        row = kernels(isa)->rows->sort_row(grid, records.data(), data_.data(), stride_, cells_.data(),
                                           static_cast<std::uint32_t>(records.size()), scratch_.data(),
                                           summary);
    }
    Record record(std::uint32_t place) const {
        Record r{};
        float* fields[4] = {&r.min_x, &r.min_y, &r.max_x, &r.max_y};
        for (std::size_t k = 0; k < 4; ++k) *fields[k] = row.data[k * row.stride + place];
        std::memcpy(&r.id, row.data + std::size_t{4} * row.stride + place, sizeof r.id);
        return r;
    }

    Row row{};
    RowSummary summary{};

private:
    std::uint32_t stride_;
    std::vector<float> data_;
    std::vector<std::uint32_t> cells_;
    std::vector<std::byte> scratch_;
};

bool same(const Record& a, const Record& b) {
    return a.min_x == b.min_x && a.min_y == b.min_y && a.max_x == b.max_x && a.max_y == b.max_y &&
           a.id == b.id;
}

void expect_sorted(const SortedRow& sorted, const Grid& grid, std::vector<Record> records) {
    std::stable_sort(records.begin(), records.end(), [&](const Record& a, const Record& b) {
        return column_of(grid, a) < column_of(grid, b);
    });
    const Row& row = sorted.row;
    const auto commons = static_cast<std::uint32_t>(std::count_if(records.begin(), records.end(), is_common));
    ASSERT_EQ(row.count, commons);
    ASSERT_EQ(row.oversized, records.size() - commons);
    RowReach reach{0, 0};
    for (std::uint32_t k = 0; k < records.size(); ++k) {
        EXPECT_TRUE(same(sorted.record(k < commons ? k : k + gap), records[k])) << k;
        if (k >= commons) continue;
        reach.width = std::max(reach.width, records[k].max_x - records[k].min_x);
        reach.height = std::max(reach.height, records[k].max_y - records[k].min_y);
    }
    EXPECT_EQ(sorted.summary.reach.width, reach.width);
    EXPECT_EQ(sorted.summary.reach.height, reach.height);
    for (std::uint32_t k = commons; k < commons + gap; ++k) EXPECT_TRUE(std::isnan(sorted.record(k).max_y));
    std::uint32_t at = 0;
    std::uint64_t sharing = 0;
    for (std::uint32_t c = 0; c < grid.columns; ++c) {
        ASSERT_EQ(row.cells[c], at) << c;
        const std::uint32_t begin = at;
        while (at < commons && column_of(grid, records[at]) == c) ++at;
        sharing += std::uint64_t{at - begin} * (at - begin) - (at - begin);
    }
    EXPECT_EQ(row.cells[grid.columns], commons);
    EXPECT_EQ(sorted.summary.sharing, sharing / 2);
}

TEST(RowSort, orders_any_number_of_records_by_column_and_then_as_they_came) {
    Random random(3);
    std::vector<std::uint32_t> counts{100, 333, 6'037};
    for (std::uint32_t count = 0; count <= 34; ++count) counts.push_back(count);
    for (const Isa isa : test::instruction_sets())
        for (const std::uint32_t columns : {1u, 2u, 7u, 8u, 9u, 40u, 1000u})
            for (const std::uint32_t count : counts) {
                SCOPED_TRACE(testing::Message() << to_string(isa) << ", " << count << " in " << columns);
                const Grid grid = grid_of(columns);
                const std::vector<Record> records = some_records(random, count, columns);
                const SortedRow sorted(isa, grid, records);
                expect_sorted(sorted, grid, records);
                if (testing::Test::HasFailure()) return;
            }
}

TEST(RowSort, takes_heights_to_the_slots_of_their_agents) {
    Random random(4);
    for (const Isa isa : test::instruction_sets())
        for (const std::uint32_t count : {0u, 1u, 3u, 7u, 8u, 33u, 6'037u}) {
            const Grid grid = grid_of(40);
            const std::vector<Record> records = some_records(random, count, grid.columns);
            const SortedRow plain(isa, grid, records);
            std::vector<TallRecord> tall;
            for (const Record& r : records)
                tall.push_back({r, static_cast<float>(r.id), static_cast<float>(2 * r.id)});
            const RowLayout layout(count, grid.columns, Extras::heights);
            std::vector<float> data(layout.bytes / sizeof(float));
            std::vector<std::byte> scratch(sort_scratch(count, sizeof(TallRecord)));
            RowSummary summary{};
            const Row row = kernels(isa)->rows->sort_tall_row(
                grid, tall.data(), data.data(), layout.stride,
                cells_in(data.data(), layout.stride, Extras::heights), count, scratch.data(), summary);
            ASSERT_EQ(row.count, plain.row.count);
            ASSERT_EQ(row.oversized, plain.row.oversized);
            EXPECT_EQ(summary.sharing, plain.summary.sharing);
            for (std::uint32_t k = 0; k < count; ++k) {
                const std::uint32_t at = k < row.count ? k : k + gap;
                std::uint32_t id;
                std::memcpy(&id, row.data + std::size_t{4} * row.stride + at, sizeof id);
                ASSERT_EQ(id, plain.record(at).id) << k;
                ASSERT_EQ(row.data[at], plain.record(at).min_x) << k;
                ASSERT_EQ(row.data[std::size_t{7} * row.stride + at], static_cast<float>(id)) << k;
                ASSERT_EQ(row.data[std::size_t{8} * row.stride + at], static_cast<float>(2 * id)) << k;
            }
        }
}

TEST(RowSort, counts_the_pairs_of_common_agents_that_share_a_cell) {
    for (const Isa isa : test::instruction_sets()) {
        std::vector<Record> records;
        // 70,000 in one cell, whose square has more than 32 bits, 3 in another one, and two too large.
        for (std::uint32_t k = 0; k < 70'003; ++k) {
            const float x = k < 70'000 ? 4.0f : 30.0f;
            records.push_back({x, 0, x, 0, k});
        }
        for (std::uint32_t k = 0; k < 2; ++k) records.push_back({4, 0, 9, 9, 70'003 + k});
        const SortedRow sorted(isa, grid_of(40), records);
        EXPECT_EQ(sorted.summary.sharing, std::uint64_t{70'000} * 69'999 / 2 + 3) << to_string(isa);
    }
}

}  // namespace
}  // namespace throng::simd
