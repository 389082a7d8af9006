// A scene in both interfaces, and comparisons of their answers to the last bit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bindings/c/tests/c_world.hpp"
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {

template <class One, class Other>
void expect_same_bytes(std::span<const One> one, std::span<const Other> other) {
    static_assert(sizeof(One) == sizeof(Other));
    ASSERT_EQ(one.size(), other.size());
    if (!one.empty()) {
        EXPECT_EQ(std::memcmp(one.data(), other.data(), one.size_bytes()), 0);
    }
}

inline throng_engine_config config_around(float period) {
    throng_engine_config config = made_config();
    config.period_x = config.period_y = period;
    return config;
}

// A scene in both, with labels and heights, in a world that wraps around if there is a period.
struct Both {
    explicit Both(std::string_view name, std::size_t count, float period = 0)
        : scene(make_scene(name, count)),
          engine({.period_x = period, .period_y = period}),
          c(config_around(period)) {
        labels = labels_by_id(scene.agents().size());
        given_labels = made(throng_init_labels);
        given_labels.count = labels.size();
        given_labels.categories = labels.empty() ? nullptr : &labels.front().categories;
        given_labels.groups = labels.empty() ? nullptr : &labels.front().group;
        given_labels.stride = sizeof(Label);
        Random random(5);
        heights = random_bands(random, labels.size());
        update();
    }
    UpdateOptions options() const { return {.labels = labels, .heights = heights}; }
    // With the bands of the scene's agents.
    throng_boxes given_boxes() const { return with_heights(boxes_in_c(scene.agents()), heights); }
    void update() {
        const throng_boxes given = given_boxes();
        ASSERT_TRUE(engine.update(scene.boxes(), options()));
        ASSERT_EQ(throng_engine_update(c.engine, &given, &given_labels, nullptr), THRONG_OK);
        take_frames();
    }
    void take_frames() {
        frame = engine.frame();
        ASSERT_EQ(throng_engine_frame(c.engine, &c.frame, nullptr), THRONG_OK);
        ASSERT_EQ(frame.fingerprint(), throng_frame_fingerprint(c.frame));
    }
    // Walls of the first categories; later frames have them.
    void build_walls() {
        const std::vector<Box> walls = scene.queries(300, 5);
        Random random(6);
        const std::vector<Band> bands = random_bands(random, walls.size());
        const throng_boxes given = with_heights(boxes_in_c(walls), bands);
        throng_static_layer* layer = nullptr;
        ASSERT_TRUE(engine.set_static_layer(StaticLayer(walls, UpdateOptions{.heights = bands})));
        ASSERT_EQ(throng_static_layer_create(c.engine, &given, nullptr, &layer, nullptr), THRONG_OK);
        ASSERT_EQ(throng_engine_set_static_layer(c.engine, layer, nullptr), THRONG_OK);
        throng_static_layer_destroy(layer);
        update();
    }

    Scene scene;
    std::vector<Label> labels;
    std::vector<Band> heights;
    throng_labels given_labels;
    Engine engine;
    Frame frame;
    CWorld c;
};

// None, one category, each without itself, one for each query; and the same with bands: one for all or one
// for each, beside filters for each or one for all.
struct BothFilters {
    const throng_filter* given = nullptr;
    Filters filters;
    Filter one;

    std::shared_ptr<throng_filter> own;
    std::shared_ptr<std::vector<throng_query_filter>> each;
    std::shared_ptr<std::vector<throng_band>> bands;
    std::shared_ptr<std::vector<Filter>> of_each;
};
inline BothFilters given_filter(const throng_filter& given, const Filters& filters, const Filter& one) {
    BothFilters both{.filters = filters, .one = one, .own = std::make_shared<throng_filter>(given)};
    both.given = both.own.get();
    return both;
}
// A filter for each query, with or without each part of it.
inline BothFilters filters_of_each(std::size_t queries, bool with_each, bool with_bands) {
    Random random(7);
    auto given = made(throng_init_filter);
    given.categories = 6, given.min_z = 2, given.max_z = 6;
    const Filter one{.categories = 6, .heights = {2, 6}};
    const auto each = std::make_shared<std::vector<throng_query_filter>>();
    const auto bands = std::make_shared<std::vector<throng_band>>();
    const auto of_each = std::make_shared<std::vector<Filter>>(queries, one);
    for (std::uint32_t i = 0; i < queries; ++i) {
        const Band band = random_band(random);
        each->push_back({i % 5 == 0 ? all_categories : 2u, i, i % 7});
        bands->push_back({band.min_z, band.max_z});
        Filter& its = (*of_each)[i];
        if (with_each) its = {each->back().categories, i, i % 7, one.heights};
        if (with_bands) its.heights = band;
    }
    if (with_each) given.each = each->data(), given.each_count = queries;
    if (with_bands) given.each_band = bands->data(), given.each_band_count = queries;
    BothFilters both = given_filter(given, *of_each, one);
    both.each = each, both.bands = bands, both.of_each = of_each;
    return both;
}
inline std::vector<BothFilters> all_filters(std::size_t queries) {
    auto band = made(throng_init_filter), category = made(throng_init_filter), itself = category,
         many = category;
    category.categories = 2;
    category.self = 3;
    itself.each_without_itself = 1;
    band.min_z = 1, band.max_z = 4;
    const Filter of_category{.categories = 2, .self = 3}, of_band{.heights = {1, 4}};
    const auto each = std::make_shared<std::vector<throng_query_filter>>();
    for (std::uint32_t i = 0; i < queries; ++i) each->push_back({i % 5 == 0 ? all_categories : 2u, i, i % 7});
    many.each = each->data();
    many.each_count = queries;
    const Filters of_each =
        Filters::strided(&many.each->categories, sizeof *many.each, nullptr, 0, each->size());
    std::vector<BothFilters> all{{},
                                 given_filter(category, of_category, of_category),
                                 given_filter(itself, Filters::each_without_itself(), {}),
                                 given_filter(many, of_each, {}),
                                 given_filter(band, of_band, of_band),
                                 filters_of_each(queries, true, false),
                                 filters_of_each(queries, false, true),
                                 filters_of_each(queries, true, true)};
    all[3].each = each;
    return all;
}
// The same with the elements of the static layer.
inline throng_filter with_static(const BothFilters& filter) {
    auto with = filter.given == nullptr ? made(throng_init_filter) : *filter.given;
    with.with_static = 1;
    return with;
}

inline void expect_same_lists(const NeighbourLists& lists, const throng_neighbours* c) {
    expect_same_bytes(lists.offsets(), got(c, throng_neighbours_offsets));
    expect_same_bytes(lists.ids(), got(c, throng_neighbours_ids));
    expect_same_bytes(lists.squared_distances(), got(c, throng_neighbours_squared_distances));
    expect_same_bytes(lists.agents(), got(c, throng_neighbours_agents));
}

// One of a few scenes.
// One of several worlds: the last one wraps around, and is smaller than the scene.
constexpr std::size_t one_that_wraps = 4;
inline Both both_of(std::size_t which) {
    if (which == one_that_wraps) {
        const std::size_t count = scaled(3000, 300);
        Box bounds = no_box;
        const Scene scene = make_scene("uniform", count);
        for (const Box& box : scene.agents()) bounds = bounds.united(box);
        return Both("uniform", count, 0.8f * (bounds.max_x - bounds.min_x));
    }
    const auto recipes = scene_recipes();
    return Both(recipes[which * 7 % recipes.size()].name, scaled(3000, 300));
}

}  // namespace throng::test
