// The same agents and the same queries give the same world, in every form and with every stride.
#include "support/test.hpp"
#include "throng/adapters/vector.hpp"

namespace throng::test {
namespace {

// Rows of `width` floats, laid out as columns with the natural stride, or row by row with a stride of their
// own.
class Table {
public:
    Table(const std::vector<std::vector<float>>& columns, std::size_t stride, std::size_t offset)
        : stride_(stride) {
        const std::size_t count = columns[0].size();
        if (stride == sizeof(float)) {
            for (const auto& column : columns) {
                starts_.push_back(bytes_.size());
                bytes_.resize(bytes_.size() + count * sizeof(float));
                if (count != 0)
                    std::memcpy(bytes_.data() + starts_.back(), column.data(), count * sizeof(float));
            }
            return;
        }
        bytes_.resize(offset + count * stride);
        for (std::size_t k = 0; k < columns.size(); ++k) {
            starts_.push_back(offset + k * sizeof(float));
            for (std::size_t i = 0; i < count; ++i)
                std::memcpy(bytes_.data() + starts_[k] + i * stride, &columns[k][i], sizeof(float));
        }
    }
    const float* operator[](std::size_t column) const {
        const void* address = bytes_.data() + starts_[column];
        return static_cast<const float*>(address);
    }
    std::size_t stride() const { return stride_; }

private:
    std::size_t stride_;
    std::vector<std::size_t> starts_;
    std::vector<std::byte> bytes_;
};

// The natural stride, a plain structure, one with other members, and one packed to odd addresses.
struct Layout {
    std::size_t stride, offset;
};
constexpr Layout layouts[] = {{4, 0}, {16, 0}, {16, 8}, {40, 4}, {17, 1}, {64, 0}};

using Visit = std::function<void(const Boxes& boxes, const std::string& form)>;

void for_each_form(const std::vector<Box>& boxes, const Visit& visit) {
    std::vector<std::vector<float>> columns(4, std::vector<float>(boxes.size()));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        columns[0][i] = boxes[i].min_x;
        columns[1][i] = boxes[i].min_y;
        columns[2][i] = boxes[i].max_x;
        columns[3][i] = boxes[i].max_y;
    }
    for (const Layout& layout : layouts) {
        const Table table(columns, layout.stride, layout.offset);
        visit(Boxes::min_max(table[0], table[1], table[2], table[3], boxes.size(), table.stride()),
              "corners, stride " + std::to_string(layout.stride));
    }
    visit(Boxes::of(boxes), "boxes");
}

// Centres, half extents, and one radius for all: the view itself computes the boxes.
void for_each_centred_form(const std::vector<Box>& boxes, bool points, const Visit& visit) {
    std::vector<std::vector<float>> columns(4, std::vector<float>(boxes.size()));
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        columns[0][i] = (boxes[i].min_x + boxes[i].max_x) * 0.5f;
        columns[1][i] = (boxes[i].min_y + boxes[i].max_y) * 0.5f;
        columns[2][i] = (boxes[i].max_x - boxes[i].min_x) * 0.5f;
        columns[3][i] = (boxes[i].max_y - boxes[i].min_y) * 0.5f;
    }
    for (const Layout& layout : layouts) {
        const Table t(columns, layout.stride, layout.offset);
        const std::string stride = ", stride " + std::to_string(layout.stride);
        if (points) {
            visit(Boxes::points(t[0], t[1], 0.45f, boxes.size(), t.stride()), "points" + stride);
        } else {
            visit(Boxes::centre_half(t[0], t[1], t[2], t[3], boxes.size(), t.stride()), "centres" + stride);
        }
    }
}

std::vector<Box> copy_of(const Boxes& boxes) {
    std::vector<Box> copy;
    for (std::size_t i = 0; i < boxes.size(); ++i) copy.push_back(boxes[i]);
    return copy;
}

// Several counts, since kernels treat whole vectors and the rest apart.
constexpr std::size_t counts[] = {1, 5, 16, 31, 1000};

// As agents and as queries, on every instruction set, against a plain array of the same boxes.
void expect_same_world(const Boxes& view, const std::string& form) {
    const std::vector<Box> boxes = copy_of(view);
    for (const Isa isa : instruction_sets()) {
        Engine plain = engine_with(boxes, {.isa = isa});
        Engine viewed({.isa = isa});
        ASSERT_EQ(viewed.update(view), Status{}) << form;
        EXPECT_TRUE(identical(ask(plain.frame(), boxes), ask(viewed.frame(), boxes)))
            << form << ", " << to_string(isa);

        OverlapLists from_plain, from_view;
        std::vector<std::uint32_t> plain_counts(view.size()), view_counts(view.size());
        std::vector<std::uint8_t> plain_any(view.size()), view_any(view.size());
        ASSERT_EQ(plain.frame().overlaps(Boxes::of(boxes), from_plain), Status{});
        ASSERT_EQ(plain.frame().overlaps(view, from_view), Status{}) << form;
        ASSERT_EQ(plain.frame().count(Boxes::of(boxes), plain_counts), Status{});
        ASSERT_EQ(plain.frame().count(view, view_counts), Status{});
        ASSERT_EQ(plain.frame().any(Boxes::of(boxes), plain_any), Status{});
        ASSERT_EQ(plain.frame().any(view, view_any), Status{});
        EXPECT_TRUE(equal_ranges(from_plain.ids(), from_view.ids())) << form << ", " << to_string(isa);
        EXPECT_EQ(plain_counts, view_counts) << form;
        EXPECT_EQ(plain_any, view_any) << form;
    }
}

TEST(Views, of_corners_are_the_same_world_in_any_layout) {
    for (const std::size_t count : counts)
        for (const char* scene : {"uniform", "lattice", "any_numbers"})
            for_each_form(make_scene(scene, count).agents(), expect_same_world);
}

TEST(Views, of_centres_are_the_same_world_in_any_layout) {
    for (const std::size_t count : counts)
        for (const char* scene : {"uniform", "lattice_by_centre"})
            for_each_centred_form(make_scene(scene, count).agents(), false, expect_same_world);
}

TEST(Views, of_points_are_the_same_world_in_any_layout) {
    for (const std::size_t count : counts)
        for (const char* scene : {"uniform", "lattice_by_centre"})
            for_each_centred_form(make_scene(scene, count).agents(), true, expect_same_world);
}

TEST(Views, of_edits_are_the_same_world_in_any_layout) {
    const Scene before = make_scene("uniform", 400, 1), after = make_scene("uniform", 400, 2);
    std::vector<AgentId> ids(400);
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<AgentId>(i);

    Engine bulk = engine_with(before.boxes());
    ASSERT_EQ(committed(bulk, bulk.move(ids, after.boxes())), Status{});
    const Answers expected = ask(bulk.frame(), after.queries(100));

    for_each_form(after.agents(), [&](const Boxes& view, const std::string& form) {
        Engine engine = engine_with(before.boxes());
        ASSERT_EQ(engine.move(ids, view), Status{}) << form;
        ASSERT_EQ(engine.commit(), Status{});
        EXPECT_TRUE(identical(expected, ask(engine.frame(), after.queries(100)))) << form;
    });
}

TEST(Views, with_a_stride_shorter_than_an_element_are_refused) {
    const float x = 3, y = 4;
    const std::uint32_t walker = 2;
    Engine engine;
    for (const std::size_t stride : {0u, 1u, 3u}) {
        EXPECT_EQ(engine.update(Boxes::points(&x, &y, 1, 300, stride)), Status{Code::bad_stride});
        EXPECT_EQ(engine.frame().explain(Boxes::points(&x, &y, 1, 2, stride)).status,
                  Status{Code::bad_stride});
        EXPECT_EQ(
            engine.update(Boxes::points(&x, &y, 1, 1), {.labels = Labels::categories(&walker, 1, stride)}),
            Status{})
            << "one element has no next one";
    }
    EXPECT_EQ(engine.update(Boxes::points(&x, &y, 1, 1, 0)), Status{}) << "nor has one box";
}

struct Thing {
    double mass;
    float x, y, half_x, half_y;
    int kind;
};

TEST(Views, of_members_read_the_hosts_own_structures) {
    const std::vector<Thing> things{{1, 1, 2, 3, 4, 0}, {2, 5, 6, 7, 8, 0}};
    const Boxes boxes = Boxes::centre_half(things, &Thing::x, &Thing::y, &Thing::half_x, &Thing::half_y);
    ASSERT_EQ(boxes.size(), 2u);
    EXPECT_EQ(boxes[1], (Box{-2, -2, 12, 14}));
    EXPECT_EQ(Boxes::points(things, &Thing::x, &Thing::y, 2)[0], (Box{-1, 0, 3, 4}));
    EXPECT_EQ(Boxes::min_max(things, &Thing::x, &Thing::y, &Thing::half_x, &Thing::half_y)[0],
              (Box{1, 2, 3, 4}));
    const std::vector<Thing> none;
    EXPECT_EQ(Boxes::points(none, &Thing::x, &Thing::y, 2).fault(), Code::ok);
    Engine engine = engine_with(Boxes::points(none, &Thing::x, &Thing::y, 2));
    ASSERT_EQ(engine.update(boxes), Status{});
    EXPECT_EQ(engine.frame().count({0, 0, 1, 1}).total, 2u);
}

// The same elements in an array, in pages and anywhere.
struct Scattered {
    std::vector<Thing> things;
    std::vector<std::vector<Thing>> pages;
    std::vector<const Thing*> page_table, list;

    Scattered(const std::vector<Box>& boxes, std::size_t page_size, Random& random) {
        for (const Box& box : boxes)
            things.push_back({1, box.min_x / 2 + box.max_x / 2, box.min_y / 2 + box.max_y / 2,
                              (box.max_x - box.min_x) / 2, (box.max_y - box.min_y) / 2, 0});
        for (std::size_t i = 0; i < things.size(); ++i) {
            if (i % page_size == 0) pages.emplace_back();
            pages.back().push_back(things[i]);
        }
        for (const auto& page : pages) page_table.push_back(page.data());
        std::vector<std::size_t> order(things.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        shuffle(order, random);
        for (const std::size_t i : order) list.push_back(&things[i]);
    }
};

TEST(Views, of_pages_and_of_pointers_are_the_same_world) {
    Random random(9);
    for (const std::size_t count : counts)
        for (const std::size_t page_size : {1u, 3u, 64u, 1024u}) {
            SCOPED_TRACE(page_size);
            const Scattered all(make_scene("uniform", count).agents(), page_size, random);
            const auto pages = paged(all.page_table.data(), count, page_size);
            const auto expect_all = [&](const auto& elements, const std::string& form) {
                expect_same_world(
                    Boxes::centre_half(elements, &Thing::x, &Thing::y, &Thing::half_x, &Thing::half_y),
                    form + ", centres");
                expect_same_world(Boxes::points(elements, &Thing::x, &Thing::y, 0.4f), form + ", points");
            };
            expect_all(pages, "pages");
            expect_all(by_pointer(all.list), "pointers");
            const Boxes boxes =
                Boxes::centre_half(pages, &Thing::x, &Thing::y, &Thing::half_x, &Thing::half_y);
            const Boxes array =
                Boxes::centre_half(all.things, &Thing::x, &Thing::y, &Thing::half_x, &Thing::half_y);
            const std::size_t half = count / 2;
            for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(boxes[i], array[i]);
            for (std::size_t i = half; i < count; ++i)
                ASSERT_EQ(boxes.part(half, count - half)[i - half], array[i]);
            expect_same_world(boxes.part(half, count - half), "a part");
        }
}

// Enough that several threads read them.
TEST(Views, are_the_same_world_on_several_threads) {
    Random random(10);
    ThreadPool pool(3);
    const Scene scene = make_scene("uniform", 50000);
    const Scattered all(scene.agents(), 1024, random);
    const auto view = [](const auto& elements) {
        return Boxes::centre_half(elements, &Thing::x, &Thing::y, &Thing::half_x, &Thing::half_y);
    };
    const std::vector<Box> boxes = copy_of(view(all.things)), queries = scene.queries(50);
    const Answers expected = ask(engine_with(boxes).frame(), queries);
    for (const Boxes& each : {view(all.things), view(paged(all.page_table.data(), boxes.size(), 1024))})
        EXPECT_TRUE(
            identical(expected, ask(engine_with(each, {.executor = pool.executor()}).frame(), queries)));
    const std::vector<Box> points = copy_of(Boxes::points(all.things, &Thing::x, &Thing::y, 0.4f));
    EXPECT_TRUE(identical(
        ask(engine_with(points).frame(), queries),
        ask(engine_with(Boxes::points(all.things, &Thing::x, &Thing::y, 0.4f), {.executor = pool.executor()})
                .frame(),
            queries)));
}

TEST(Views, of_pages_of_corners_read_the_hosts_own_structures) {
    Thing one{1, 1, 2, 3, 4, 0}, other{2, 5, 6, 7, 8, 0};
    Thing* const list[] = {&other, &one};
    const Boxes boxes =
        Boxes::min_max(by_pointer(list), &Thing::x, &Thing::y, &Thing::half_x, &Thing::half_y);
    ASSERT_EQ(boxes.size(), 2u);
    EXPECT_EQ(boxes[0], (Box{5, 6, 7, 8}));
    EXPECT_EQ(boxes[1], (Box{1, 2, 3, 4}));
    EXPECT_EQ(Points::members(by_pointer(list), &Thing::x, &Thing::y)[1], (Point{1, 2}));
}

TEST(Views, of_pages_that_are_missing_are_refused) {
    Engine engine;
    std::vector<Thing> things(4);
    Thing* const second_is_missing[] = {things.data(), nullptr};
    Thing* const first_is_missing[] = {nullptr, things.data()};
    Thing* const* const no_table = nullptr;
    const auto points = [](Thing* const* pages, std::size_t count, std::size_t page_size) {
        return Boxes::points(paged(pages, count, page_size), &Thing::x, &Thing::y, 1);
    };
    EXPECT_EQ(engine.update(points(second_is_missing, 4, 4)), Status{});
    EXPECT_EQ(engine.update(points(second_is_missing, 5, 4)), Status{Code::null_view});
    EXPECT_EQ(engine.update(points(first_is_missing, 5, 4)), Status{Code::null_view});
    EXPECT_EQ(engine.update(points(no_table, 5, 4)), Status{Code::null_view});
    EXPECT_EQ(engine.update(points(no_table, 0, 4)), Status{});
    EXPECT_EQ(engine.update(points(second_is_missing, 2, 0)), Status{Code::bad_stride});
    EXPECT_EQ(points(second_is_missing, 8, 4).part(1, 3).fault(), Code::ok);
}

TEST(Views, of_arrays_that_differ_in_length_are_refused) {
    const std::vector<float> three{1, 2, 3}, two{1, 2};
    Engine engine;
    EXPECT_EQ(engine.update(Boxes::centre_half(three, three, three, two)), Status{Code::size_mismatch});
    EXPECT_EQ(engine.update(Boxes::points(three, two, 1)), Status{Code::size_mismatch});
    EXPECT_EQ(engine.update(Boxes::min_max(three, three, three, three)), Status{});
    EXPECT_EQ(engine.frame().size(), 3u);
}

TEST(Views, may_have_a_stride_for_each_array) {
    const std::vector<float> centres{1, 2, 5, 6}, half_x{3, 7}, half_y{4, 0, 0, 8};
    const Boxes boxes = Boxes::strided(
        Boxes::Form::centre_half, {&centres[0], &centres[1], half_x.data(), half_y.data()}, {8, 8, 4, 12}, 2);
    EXPECT_EQ(boxes[0], (Box{-2, -2, 4, 6}));
    EXPECT_EQ(boxes[1], (Box{-2, -2, 12, 14}));
    EXPECT_EQ(boxes.part(1, 1)[0], boxes[1]);
    EXPECT_EQ(engine_with(boxes).frame().count({11, 13, 12, 14}).total, 1u);
}

TEST(Views, of_a_range_of_boxes_are_implicit) {
    const std::vector<Box> boxes{{0, 0, 1, 1}, {2, 2, 3, 3}};
    const std::array<Box, 1> all{{{0, 0, 9, 9}}};
    Engine engine = engine_with(boxes);
    OverlapLists hits;
    ASSERT_EQ(engine.frame().overlaps(all, hits), Status{});
    EXPECT_EQ(hits[0].size(), 2u);
    EXPECT_EQ(overlapping(engine.frame(), all[0]).size(), 2u);
}

TEST(Views, are_read_during_the_call_only) {
    std::vector<Box> agents = make_scene("uniform", 300).agents();
    const std::vector<Box> kept = agents;
    Engine engine = engine_with(agents);
    const Answers before = ask(engine.frame(), kept);
    for (Box& box : agents) box = {1e9f, 1e9f, 1e9f, 1e9f};
    EXPECT_TRUE(identical(before, ask(engine.frame(), kept)));
}

}  // namespace
}  // namespace throng::test
