// The kernels that put agents into their rows, by themselves: as records or in place, into few rows and very
// many, with every instruction set.
#include <limits>

#include "simd/kernels.hpp"
#include "simd/row_kernels.hpp"
#include "simd/types.hpp"
#include "support/test.hpp"

namespace throng::simd {
namespace {

// Some agents and their rows.
struct Agents {
    std::vector<float> a, b, c, d, heights;
    std::vector<std::uint32_t> ids;
    std::vector<std::uint16_t> row_of;
    std::size_t rows;
    bool centre_half, given_ids;

    // In runs that are in one row, of that length on average.
    Agents(std::size_t count, std::size_t rows_of_all, std::size_t run, bool centres, bool with_ids)
        : rows(rows_of_all), centre_half(centres), given_ids(with_ids) {
        test::Random random(7);
        std::size_t row = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            for (auto* field : {&a, &b, &c, &d})
                field->push_back(random.uniform(1, 2) + (field == &c || field == &d ? 2.0f : 0.0f));
            for (const unsigned edge : {0u, 1u}) heights.push_back(static_cast<float>(2 * i + edge));
            ids.push_back(given_ids ? 3 * i + 100 : i + 9);
            if (random.below(run) == 0) row = random.below(rows);
            row_of.push_back(static_cast<std::uint16_t>(row));
        }
    }
    std::size_t count() const { return a.size(); }
    Columns boxes() const { return {a.data(), b.data(), c.data(), d.data(), centre_half}; }
    const std::uint32_t* ids_if_given() const { return given_ids ? ids.data() : nullptr; }
    Box box(std::size_t i) const {
        return centre_half ? Box{a[i] - c[i], b[i] - d[i], a[i] + c[i], b[i] + d[i]}
                           : Box{a[i], b[i], c[i], d[i]};
    }
};

template <class Expect>
void for_all_kinds(const Expect& expect) {
    for (const Isa isa : test::instruction_sets())
        for (const std::size_t rows : {1u, 7u, 500u})
            for (const std::size_t count : {0u, 5u, 16u, 31u, 32u, 1003u})
                for (const int kind : {0, 1, 2, 3})
                    for (const std::size_t run : {1u, 40u})
                        expect(isa, Agents(count, rows, run, kind % 2 == 0, kind / 2 == 0));
}

void expect_in_their_rows(Isa isa, const Agents& agents) {
    std::vector<Record> records(agents.rows * agents.count());
    std::vector<Record*> cursors, at;
    for (std::size_t r = 0; r < agents.rows; ++r) cursors.push_back(records.data() + r * agents.count());
    at = cursors;
    EXPECT_EQ(kernels(isa)->rows->scatter(agents.boxes(), agents.count(), agents.ids_if_given(), 9,
                                          agents.row_of.data(), cursors.data(), agents.rows),
              agents.count());
    for (std::size_t i = 0; i < agents.count(); ++i) {
        const Record& r = *at[agents.row_of[i]]++;
        ASSERT_TRUE((Box{r.min_x, r.min_y, r.max_x, r.max_y} == agents.box(i) && r.id == agents.ids[i])) << i;
    }
    EXPECT_EQ(at, cursors);
}

void expect_tall_in_their_rows(Isa isa, const Agents& agents) {
    std::vector<TallRecord> records(agents.rows * agents.count());
    std::vector<Record*> cursors, at;
    for (std::size_t r = 0; r < agents.rows; ++r) cursors.push_back(records.data() + r * agents.count());
    at = cursors;
    EXPECT_EQ(kernels(isa)->rows->scatter_tall(agents.boxes(), agents.heights.data(), agents.count(),
                                               agents.ids_if_given(), 9, agents.row_of.data(), cursors.data(),
                                               agents.rows),
              agents.count());
    for (std::size_t i = 0; i < agents.count(); ++i) {
        Record*& next = at[agents.row_of[i]];
        const auto& r = static_cast<const TallRecord&>(*next);
        ASSERT_TRUE((Box{r.min_x, r.min_y, r.max_x, r.max_y} == agents.box(i) && r.id == agents.ids[i] &&
                     r.min_z == agents.heights[2 * i] && r.max_z == agents.heights[2 * i + 1]))
            << i;
        next = const_cast<TallRecord*>(&r) + 1;
    }
    EXPECT_EQ(at, cursors);
}

// Rows of oversized agents that have a few already.
struct Rows {
    static constexpr std::uint32_t before = 3;
    std::vector<float> data;
    std::vector<Row> all;
    std::vector<std::uint32_t> next;

    explicit Rows(const Agents& agents) : next(agents.rows, before) {
        const std::size_t stride = RowLayout(agents.count() + before, 1, simd::Extras::heights).stride,
                          each = arrays_of_a_row(simd::Extras::heights) * stride;
        data.assign(agents.rows * each, -1.0f);
        for (std::size_t r = 0; r < agents.rows; ++r)
            all.push_back({data.data() + r * each, nullptr, static_cast<std::uint32_t>(stride), 0, 0});
    }
    Box box(std::size_t row, std::size_t at) const {
        const float* const first = all[row].data + gap + at;
        const std::size_t stride = all[row].stride;
        return {first[0], first[stride], first[2 * stride], first[3 * stride]};
    }
    bool has_heights(std::size_t row, std::size_t at, const float* heights) const {
        const float* const min_z = all[row].data + std::size_t{7} * all[row].stride + gap + at;
        return min_z[0] == heights[0] && min_z[all[row].stride] == heights[1];
    }
    std::uint32_t id(std::size_t row, std::size_t at) const {
        return reinterpret_cast<const std::uint32_t*>(all[row].data +
                                                      std::size_t{4} * all[row].stride)[gap + at];
    }
};

void expect_in_place(Isa isa, const Agents& agents, std::size_t legal, bool are_tall = false) {
    Rows rows(agents);
    const float* const heights = are_tall ? agents.heights.data() : nullptr;
    EXPECT_EQ(kernels(isa)->rows->scatter_in_place(agents.boxes(), agents.count(), agents.ids_if_given(), 9,
                                                   agents.row_of.data(), rows.all.data(), rows.next.data(),
                                                   heights),
              legal);
    std::vector<std::uint32_t> at(agents.rows, Rows::before);
    for (std::size_t i = 0; i < legal; ++i) {
        const std::size_t row = agents.row_of[i], place = at[row]++;
        ASSERT_TRUE(rows.box(row, place) == agents.box(i) && rows.id(row, place) == agents.ids[i]) << i;
        ASSERT_EQ(rows.has_heights(row, place, agents.heights.data() + 2 * i), are_tall) << i;
    }
    EXPECT_EQ(at, rows.next);
    // What other threads write beside them is not touched.
    for (std::size_t r = 0; r < agents.rows; ++r)
        for (const std::size_t beside : {std::size_t{Rows::before - 1}, std::size_t{at[r]}})
            ASSERT_EQ(rows.box(r, beside), (Box{-1, -1, -1, -1})) << r << ", " << beside;
}

TEST(Scatter, appends_agents_to_their_rows_as_they_come) { for_all_kinds(expect_in_their_rows); }

TEST(Scatter, appends_agents_with_heights_likewise) { for_all_kinds(expect_tall_in_their_rows); }

TEST(Scatter, puts_oversized_agents_in_place_as_they_come) {
    for_all_kinds([](Isa isa, const Agents& agents) {
        for (const bool are_tall : {false, true}) expect_in_place(isa, agents, agents.count(), are_tall);
    });
}

TEST(Scatter, stops_at_the_first_illegal_agent) {
    for_all_kinds([](Isa isa, Agents agents) {
        if (agents.count() == 0) return;
        const std::size_t bad = agents.count() * 2 / 3;
        agents.d[bad] = std::numeric_limits<float>::quiet_NaN();
        expect_in_place(isa, agents, bad);
        std::vector<Record> records(agents.rows * agents.count());
        std::vector<Record*> cursors;
        for (std::size_t r = 0; r < agents.rows; ++r) cursors.push_back(records.data() + r * agents.count());
        EXPECT_EQ(kernels(isa)->rows->scatter(agents.boxes(), agents.count(), agents.ids_if_given(), 9,
                                              agents.row_of.data(), cursors.data(), agents.rows),
                  bad);
    });
}

}  // namespace
}  // namespace throng::simd
