// The kernel that appends agents to their rows, by itself: to few rows and to very many, with every instruction set.
#include "simd/kernels.hpp"
#include "support/test.hpp"

namespace throng::simd {
namespace {

void expect_in_their_rows(Isa isa, std::size_t count, std::size_t rows, bool centre_half, bool given_ids) {
    test::Random random(7);
    std::vector<float> a, b, c, d;
    std::vector<std::uint32_t> ids;
    std::vector<std::uint16_t> row_of;
    for (std::uint32_t i = 0; i < count; ++i) {
        for (auto* field : {&a, &b, &c, &d})
            field->push_back(random.uniform(1, 2) + (field == &c || field == &d ? 2.0f : 0.0f));
        ids.push_back(given_ids ? 3 * i + 100 : i + 9);
        row_of.push_back(static_cast<std::uint16_t>(random.below(rows)));
    }
    std::vector<Record> records(rows * count);
    std::vector<Record*> cursors, at;
    for (std::size_t r = 0; r < rows; ++r) cursors.push_back(records.data() + r * count);
    at = cursors;
    const Columns boxes{a.data(), b.data(), c.data(), d.data(), centre_half};
    EXPECT_EQ(kernels(isa)->scatter(boxes, count, given_ids ? ids.data() : nullptr, 9, row_of.data(),
                                    cursors.data(), rows),
              count);
    for (std::size_t i = 0; i < count; ++i) {
        const Box box = centre_half ? Box{a[i] - c[i], b[i] - d[i], a[i] + c[i], b[i] + d[i]}
                                    : Box{a[i], b[i], c[i], d[i]};
        const Record& r = *at[row_of[i]]++;
        ASSERT_TRUE((Box{r.min_x, r.min_y, r.max_x, r.max_y} == box && r.id == ids[i])) << i;
    }
    EXPECT_EQ(at, cursors);
}

TEST(Scatter, appends_agents_to_their_rows_as_they_come) {
    for (const Isa isa : test::instruction_sets())
        for (const std::size_t rows : {1u, 7u, 500u})
            for (const std::size_t count : {0u, 5u, 16u, 31u, 32u, 1003u})
                for (const int kind : {0, 1, 2, 3})
                    expect_in_their_rows(isa, count, rows, kind % 2 == 0, kind / 2 == 0);
}

}  // namespace
}  // namespace throng::simd
