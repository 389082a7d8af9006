// A status names the argument that is wrong, and nothing has changed.

#include <cstddef>

#include "bindings/c/tests/c_world.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

struct Refused {
    std::int32_t code, argument;
    std::uint64_t index = THRONG_NO_INDEX;
    friend bool operator==(const Refused&, const Refused&) = default;
    friend void PrintTo(const Refused& it, std::ostream* out) {
        *out << it.code << " of argument " << it.argument << " at " << it.index;
    }
};

// What a call says; and that it says the same code twice.
template <class... Parameters, class... Arguments>
Refused said(std::int32_t (*call)(Parameters...), Arguments... arguments) {
    auto details = made(throng_init_status_details);
    const std::int32_t code = call(arguments..., &details);
    EXPECT_EQ(code, details.code);
    return {details.code, details.argument, details.index};
}

TEST(CMisuse, of_null_pointers_names_the_argument) {
    CWorld c;
    c.update({{0, 0, 1, 1}});
    const std::vector<Box> two{{0, 0, 1, 1}, {1, 1, 2, 2}};
    const throng_boxes boxes = boxes_in_c(two);
    const throng_box box{0, 0, 1, 1};
    const throng_boxes* no_boxes = nullptr;
    const throng_labels* no_labels = nullptr;
    const throng_filter* no_filter = nullptr;
    const Refused handle{THRONG_NULL_POINTER, THRONG_ARGUMENT_HANDLE};
    const Refused output{THRONG_NULL_POINTER, THRONG_ARGUMENT_OUTPUT};
    const Refused of_boxes{THRONG_NULL_POINTER, THRONG_ARGUMENT_BOXES};
    const Refused options{THRONG_NULL_POINTER, THRONG_ARGUMENT_OPTIONS};
    throng_engine* no_engine = nullptr;
    EXPECT_EQ(said(throng_engine_update, no_engine, &boxes, no_labels), handle);
    EXPECT_EQ(said(throng_engine_commit, no_engine), handle);
    EXPECT_EQ(said(throng_engine_discard, no_engine), handle);
    EXPECT_EQ(said(throng_engine_release_memory, no_engine), handle);
    EXPECT_EQ(said(throng_engine_reserve, no_engine, 1u, 1u), handle);
    EXPECT_EQ(said(throng_engine_update, c.engine, no_boxes, no_labels), of_boxes);
    EXPECT_EQ(said(throng_engine_frame, c.engine, static_cast<throng_frame**>(nullptr)), output);
    EXPECT_EQ(said(throng_frame_count, static_cast<const throng_frame*>(nullptr), &box, no_filter,
                   static_cast<std::uint64_t*>(nullptr)),
              handle);
    EXPECT_EQ(said(throng_frame_count, c.frame, &box, no_filter, static_cast<std::uint64_t*>(nullptr)),
              output);
    EXPECT_EQ(said(throng_frame_overlaps_of, c.frame, no_boxes, no_filter, c.hits), of_boxes);
    EXPECT_EQ(said(throng_frame_overlaps_of, c.frame, &boxes, no_filter, static_cast<throng_hits*>(nullptr)),
              output);
    EXPECT_EQ(said(throng_frame_neighbours_within, c.frame, static_cast<const throng_within*>(nullptr),
                   no_filter, c.lists),
              options);
    EXPECT_EQ(said(throng_frame_pairs, c.frame, static_cast<const throng_pair_query*>(nullptr),
                   static_cast<throng_pairs*>(nullptr)),
              output);
    EXPECT_EQ(said(throng_hits_create, c.engine, static_cast<throng_hits**>(nullptr)), output);
    const Refused no_ids{THRONG_NULL_VIEW, THRONG_ARGUMENT_IDS};
    EXPECT_EQ(said(throng_engine_remove, c.engine, static_cast<const std::uint32_t*>(nullptr), 2u), no_ids);
    const Refused no_counts{THRONG_NULL_VIEW, THRONG_ARGUMENT_OUTPUT};
    EXPECT_EQ(
        said(throng_frame_count_of, c.frame, &boxes, no_filter, static_cast<std::uint32_t*>(nullptr), 2u),
        no_counts);
    const Refused no_casts{THRONG_NULL_VIEW, THRONG_ARGUMENT_BOXES};
    EXPECT_EQ(said(throng_frame_all_hits_of, c.frame, static_cast<const throng_cast*>(nullptr), 2u, no_filter,
                   c.cast_hits),
              no_casts);
}

TEST(CMisuse, of_null_pointers_names_the_argument_in_the_calls_for_results) {
    CWorld c;
    c.update({{0, 0, 1, 1}});
    const throng_boxes boxes = boxes_in_c({{0, 0, 1, 1}});
    const throng_filter* no_filter = nullptr;
    const throng_pair_query* no_query = nullptr;
    const throng_frame* no_frame = nullptr;
    const Refused handle{THRONG_NULL_POINTER, THRONG_ARGUMENT_HANDLE};
    const Refused output{THRONG_NULL_POINTER, THRONG_ARGUMENT_OUTPUT};
    const Refused of_boxes{THRONG_NULL_POINTER, THRONG_ARGUMENT_BOXES};
    auto within = made(throng_init_within);
    within.radius = 1;
    EXPECT_EQ(said(throng_frame_pairs_with, c.frame, no_frame, no_query, c.pairs), handle);
    EXPECT_EQ(said(throng_frame_neighbours_within_in, c.frame, no_frame, &within, no_filter, c.lists),
              handle);
    EXPECT_EQ(said(throng_frame_pair_changes, c.frame, no_query, static_cast<throng_pair_changes*>(nullptr)),
              output);
    EXPECT_EQ(said(throng_frame_neighbours_kept, c.frame, static_cast<throng_kept_neighbours*>(nullptr)),
              output);
    EXPECT_EQ(said(throng_frame_overlaps_of_both, c.frame, &boxes, no_filter, c.hits,
                   static_cast<throng_hits*>(nullptr)),
              output);
    EXPECT_EQ(said(throng_frame_overlaps_of_both, c.frame, &boxes, no_filter, c.hits, c.hits),
              (Refused{THRONG_BAD_CONFIG, THRONG_ARGUMENT_OUTPUT}));
    EXPECT_EQ(said(throng_frame_count_shape, c.frame, static_cast<const throng_shape*>(nullptr), no_filter,
                   static_cast<std::uint64_t*>(nullptr)),
              of_boxes);
    EXPECT_EQ(
        said(throng_engine_set_static_layer, c.engine, static_cast<const throng_static_layer*>(nullptr)),
        of_boxes);
    EXPECT_EQ(said(throng_engine_handle, c.engine, 0u, static_cast<throng_handle*>(nullptr)), output);
    EXPECT_EQ(said(throng_hits_block, static_cast<throng_hits*>(nullptr), 0u, 0u), output);
    EXPECT_EQ(said(throng_engine_update_with_pairs, c.engine, &boxes,
                   static_cast<const throng_labels*>(nullptr), static_cast<throng_pairs*>(nullptr)),
              output);
    throng_kept_neighbours* kept = nullptr;
    EXPECT_EQ(said(throng_kept_neighbours_create, c.engine,
                   static_cast<const throng_kept_neighbourhood*>(nullptr), &kept),
              (Refused{THRONG_NULL_POINTER, THRONG_ARGUMENT_OPTIONS}));
}

TEST(CMisuse, of_filters_is_refused) {
    CWorld c;
    c.update({{0, 0, 1, 1}, {1, 1, 2, 2}});
    const throng_boxes boxes = boxes_in_c({{0, 0, 1, 1}});
    const throng_box box{0, 0, 1, 1};
    const throng_query_filter two[2] = {{1, 0, 0}, {1, 0, 0}};
    std::uint32_t ids[2];
    std::uint64_t total = 0;
    // Lists of both kinds are two results.
    auto filter = made(throng_init_filter);
    filter.with_static = 1;
    const Refused refused{THRONG_BAD_CONFIG, THRONG_ARGUMENT_FILTERS};
    EXPECT_EQ(said(throng_frame_overlaps_of, c.frame, &boxes, &filter, c.hits), refused);
    EXPECT_EQ(said(throng_frame_overlaps, c.frame, &box, &filter, ids, 2u, &total), refused);
    // Each without itself, and one for each; another number of them; and none where there must be some.
    filter = made(throng_init_filter);
    filter.each = two;
    filter.each_count = 1;
    filter.each_without_itself = 1;
    EXPECT_EQ(said(throng_frame_overlaps_of, c.frame, &boxes, &filter, c.hits), refused);
    filter.each_without_itself = 0;
    filter.each_count = 2;
    EXPECT_EQ(said(throng_frame_overlaps_of, c.frame, &boxes, &filter, c.hits),
              (Refused{THRONG_SIZE_MISMATCH, THRONG_ARGUMENT_FILTERS}));
    filter.each = nullptr;
    EXPECT_EQ(said(throng_frame_overlaps_of, c.frame, &boxes, &filter, c.hits),
              (Refused{THRONG_NULL_VIEW, THRONG_ARGUMENT_FILTERS}));
}

TEST(CMisuse, of_shapes_names_the_lowest) {
    CWorld c;
    c.update({{0, 0, 1, 1}});
    const throng_filter* no_filter = nullptr;
    throng_point corners[33] = {};
    std::vector<throng_shape> shapes(3, {THRONG_BOX, 0, 0, 0, 1, 1, 0, 0, nullptr});
    std::uint32_t counts[3];
    auto boxes = made(throng_init_boxes);
    throng_boxes_shapes(&boxes, shapes.data(), 3);
    const auto refused = [&](const throng_shape& shape) {
        shapes[1] = shape;
        return said(throng_frame_count_of, c.frame, &boxes, no_filter, counts, 3u);
    };
    const auto at = [](std::int32_t code) { return Refused{code, THRONG_ARGUMENT_ANY, 1}; };
    EXPECT_EQ(refused({7, 0, 0, 0, 1, 1, 0, 0, nullptr}), at(THRONG_BAD_CONFIG));
    EXPECT_EQ(refused({THRONG_CIRCLE, 3, 0, 0, 0, 0, 1, 0, nullptr}), at(THRONG_BAD_CONFIG));
    EXPECT_EQ(refused({THRONG_CIRCLE, 0, 0, 0, 0, 0, -1, 0, nullptr}), at(THRONG_INVERTED));
    EXPECT_EQ(refused({THRONG_POLYGON, 0, 0, 0, 0, 0, 0, 3, nullptr}), at(THRONG_BAD_SHAPE));
    EXPECT_EQ(refused({THRONG_POLYGON, 0, 0, 0, 0, 0, 0, 33, corners}), at(THRONG_BAD_SHAPE));
    EXPECT_EQ(refused({THRONG_POLYGON, 0, 0, 0, 0, 0, 0, 1, corners}), (Refused{THRONG_OK, 0}));
    boxes.shapes = nullptr;
    EXPECT_EQ(said(throng_frame_count_of, c.frame, &boxes, no_filter, counts, 3u),
              (Refused{THRONG_NULL_VIEW, THRONG_ARGUMENT_BOXES}));
}

TEST(CMisuse, of_getters_gives_nothing) {
    EXPECT_EQ(throng_engine_size(nullptr), 0u);
    EXPECT_EQ(throng_engine_staged(nullptr), 0u);
    EXPECT_EQ(throng_engine_isa(nullptr), nullptr);
    EXPECT_EQ(throng_frame_size(nullptr), 0u);
    EXPECT_TRUE(got(static_cast<const throng_hits*>(nullptr), throng_hits_ids).empty());
    EXPECT_TRUE(got(static_cast<const throng_pairs*>(nullptr), throng_pairs_get).empty());
    EXPECT_TRUE(got(static_cast<const throng_neighbours*>(nullptr), throng_neighbours_offsets).empty());
    EXPECT_TRUE(got(static_cast<const throng_cast_hits*>(nullptr), throng_cast_hits_get).empty());
    EXPECT_TRUE(got(static_cast<const throng_hits_as_found*>(nullptr), throng_hits_as_found_queries).empty());
    EXPECT_TRUE(got(static_cast<const throng_pair_changes*>(nullptr), throng_pair_changes_began).empty());
    EXPECT_TRUE(got(static_cast<const throng_kept_neighbours*>(nullptr), throng_kept_neighbours_ids).empty());
    EXPECT_EQ(throng_kept_neighbours_times_rebuilt(nullptr), 0u);
    throng_pair_changes_clear(nullptr);
    throng_kept_neighbours_clear(nullptr);
    throng_static_layer_destroy(nullptr);
    throng_engine_destroy(nullptr);
    throng_frame_retain(nullptr);
    throng_frame_release(nullptr);
    throng_hits_destroy(nullptr);
}

TEST(CMisuse, of_elements_names_the_lowest) {
    CWorld c;
    std::vector<Box> agents{{0, 0, 1, 1}, {1, 1, 2, 2}, {3, 3, 2, 2}};
    const throng_boxes boxes = boxes_in_c(agents);
    const throng_labels* no_labels = nullptr;
    EXPECT_EQ(said(throng_engine_update, c.engine, &boxes, no_labels),
              (Refused{THRONG_INVERTED, THRONG_ARGUMENT_BOXES, 2}));
    agents[1].min_x = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(said(throng_engine_update, c.engine, &boxes, no_labels),
              (Refused{THRONG_NOT_FINITE, THRONG_ARGUMENT_BOXES, 1}));
    EXPECT_EQ(throng_engine_size(c.engine), 0u);
    c.update({{0, 0, 1, 1}});
    const std::uint32_t ids[] = {0, 7};
    const std::vector<Box> two{{0, 0, 1, 1}, {1, 1, 2, 2}};
    const throng_boxes places = boxes_in_c(two);
    EXPECT_EQ(said(throng_engine_move, c.engine, ids, 2u, &places),
              (Refused{THRONG_UNKNOWN_ID, THRONG_ARGUMENT_IDS, 1}));
    EXPECT_EQ(said(throng_engine_remove, c.engine, ids, 2u),
              (Refused{THRONG_UNKNOWN_ID, THRONG_ARGUMENT_IDS, 1}));
    throng_box box{};
    throng_label label{};
    EXPECT_EQ(said(throng_frame_agent_box, c.frame, 7u, &box),
              (Refused{THRONG_UNKNOWN_ID, THRONG_ARGUMENT_IDS}));
    EXPECT_EQ(said(throng_frame_agent_label, c.frame, 7u, &label),
              (Refused{THRONG_UNKNOWN_ID, THRONG_ARGUMENT_IDS}));
    EXPECT_EQ(throng_engine_staged(c.engine), 0u);
}

TEST(CMisuse, of_options_names_the_member) {
    CWorld c;
    c.update({{0, 0, 1, 1}});
    const throng_filter* no_filter = nullptr;
    auto nearest = made(throng_init_nearest);
    nearest.count = 65;
    EXPECT_EQ(said(throng_frame_neighbours_nearest, c.frame, &nearest, no_filter, c.lists),
              (Refused{THRONG_BAD_CONFIG, THRONG_ARGUMENT_COUNT}));
    auto within = made(throng_init_within);
    within.radius = 1;
    within.agents_as = 256;
    EXPECT_EQ(said(throng_frame_neighbours_within, c.frame, &within, no_filter, c.lists),
              (Refused{THRONG_BAD_CONFIG, THRONG_ARGUMENT_AGENTS_AS}));
    within = made(throng_init_within);
    within.radii_count = 3;
    EXPECT_EQ(said(throng_frame_neighbours_within, c.frame, &within, no_filter, c.lists),
              (Refused{THRONG_NULL_VIEW, THRONG_ARGUMENT_RADII}));
    auto boxes = made(throng_init_boxes);
    boxes.form = 5;
    EXPECT_EQ(said(throng_frame_overlaps_of, c.frame, &boxes, no_filter, c.hits),
              (Refused{THRONG_BAD_CONFIG, THRONG_ARGUMENT_BOXES}));
    boxes.form = THRONG_CIRCLES;  // agents are boxes
    const throng_labels* no_labels = nullptr;
    EXPECT_EQ(said(throng_engine_update, c.engine, &boxes, no_labels),
              (Refused{THRONG_BAD_CONFIG, THRONG_ARGUMENT_BOXES}));
}

// Otherwise they would be one radius for all, which for the nearest is infinite.
TEST(CMisuse, of_an_array_of_no_radii_is_refused_where_there_are_places) {
    CWorld c;
    const float radii[1] = {1};
    const throng_filter* no_filter = nullptr;
    auto within = made(throng_init_within);
    within.radii = radii;
    auto nearest = made(throng_init_nearest);
    nearest.max_radii = radii;
    auto points = made(throng_init_points);
    points.x = points.y = radii;
    std::uint32_t counts[1] = {};
    const Refused refused{THRONG_SIZE_MISMATCH, THRONG_ARGUMENT_RADII};
    for (const Refused& expected : {Refused{THRONG_OK, THRONG_ARGUMENT_ANY}, refused}) {
        c.update(std::vector<Box>(points.count, Box{0, 0, 1, 1}));
        const throng_boxes none = boxes_in_c({});
        const throng_engine_config* defaults = nullptr;
        EXPECT_EQ(said(throng_frame_neighbours_within, c.frame, &within, no_filter, c.lists), expected);
        EXPECT_EQ(said(throng_frame_neighbours_nearest, c.frame, &nearest, no_filter, c.lists), expected);
        EXPECT_EQ(said(throng_frame_neighbours_nearest_in, c.frame, c.frame, &nearest, no_filter, c.lists),
                  expected);
        EXPECT_EQ(said(throng_frame_count_neighbours, c.frame, &within, no_filter, counts, 1ull), expected);
        EXPECT_EQ(said(throng_frame_neighbours_within_of, c.frame, &points, &within, no_filter, c.lists),
                  expected);
        EXPECT_EQ(said(throng_frame_neighbours_nearest_of, c.frame, &points, &nearest, no_filter, c.lists),
                  expected);
        EXPECT_EQ(said(throng_frame_count_neighbours_of, c.frame, &points, &within, no_filter, counts, 1ull),
                  expected);
        EXPECT_EQ(said(throng_arrays_neighbours_nearest_of, &none, &points, &nearest, defaults, c.lists),
                  expected);
        points.count = 1;
    }
    throng_neighbour* no_room = nullptr;
    std::uint64_t* no_total = nullptr;
    EXPECT_EQ(said(throng_frame_neighbours_nearest_into, c.frame, 0.f, 0.f, &nearest, no_filter, no_room,
                   0ull, no_total),
              refused);
}

TEST(CMisuse, of_a_configuration_makes_no_engine) {
    throng_engine* engine = nullptr;
    const auto refused = [&](const throng_engine_config& config) {
        const Refused it = said(throng_engine_create, &config, &engine);
        EXPECT_EQ(engine, nullptr);
        return it;
    };
    throng_engine_config config = made_config();
    config.header_version = 7000000;
    EXPECT_EQ(refused(config), (Refused{THRONG_BAD_VERSION, THRONG_ARGUMENT_CONFIG}));
    config = made_config();
    config.isa = "mmx";
    EXPECT_EQ(refused(config), (Refused{THRONG_UNKNOWN_ISA, THRONG_ARGUMENT_ISA}));
    config = made_config();
    config.workers = 2;
    EXPECT_EQ(refused(config), (Refused{THRONG_BAD_CONFIG, THRONG_ARGUMENT_EXECUTOR}));
    config = made_config();
    config.cell_width = -1;
    EXPECT_EQ(refused(config), (Refused{THRONG_BAD_CONFIG, THRONG_ARGUMENT_CELL_SIZE}));
    config = made_config();
    config.allocate = [](void*, std::uint64_t, std::uint64_t) -> void* { return nullptr; };
    EXPECT_EQ(refused(config), (Refused{THRONG_NULL_POINTER, THRONG_ARGUMENT_MEMORY}));
    config.size = 3;
    EXPECT_EQ(refused(config), (Refused{THRONG_BAD_STRUCT, THRONG_ARGUMENT_CONFIG}));
    EXPECT_EQ(said(throng_engine_create, static_cast<const throng_engine_config*>(nullptr), &engine),
              (Refused{THRONG_NULL_POINTER, THRONG_ARGUMENT_CONFIG}));
}

// A struct of a header that is newer than the library.
struct NewerFilter {
    throng_filter known;
    std::uint32_t unknown[4];
};

TEST(CStructs, of_a_newer_header_are_taken_while_they_ask_for_nothing_new) {
    CWorld c;
    c.update({{0, 0, 1, 1}});
    NewerFilter filter;
    std::memset(&filter, 0xFF, sizeof filter);
    ASSERT_EQ(throng_init_filter(&filter.known, sizeof filter), THRONG_OK);
    EXPECT_EQ(filter.known.size, sizeof filter);
    EXPECT_EQ(filter.unknown[0], 0u);
    const throng_box box{0, 0, 1, 1};
    std::uint64_t total = 0;
    EXPECT_EQ(throng_frame_count(c.frame, &box, &filter.known, &total, nullptr), THRONG_OK);
    EXPECT_EQ(total, 1u);
    filter.unknown[3] = 1;
    EXPECT_EQ(said(throng_frame_count, c.frame, &box, &filter.known, &total),
              (Refused{THRONG_BAD_STRUCT, THRONG_ARGUMENT_FILTERS}));
}

TEST(CStructs, that_were_not_initialised_are_refused) {
    CWorld c;
    c.update({{0, 0, 1, 1}});
    const throng_box box{0, 0, 1, 1};
    std::uint64_t total = 5;
    for (const std::uint32_t size :
         {0u, 4u, static_cast<std::uint32_t>(offsetof(throng_filter, min_z)) - 4, 0xCDCDCDCDu}) {
        throng_filter filter = made(throng_init_filter);
        filter.size = size;
        EXPECT_EQ(said(throng_frame_count, c.frame, &box, &filter, &total),
                  (Refused{THRONG_BAD_STRUCT, THRONG_ARGUMENT_FILTERS}));
        auto report = made(throng_init_memory_report);
        report.size = size / 2;
        EXPECT_EQ(said(throng_engine_memory, c.engine, &report),
                  (Refused{THRONG_BAD_STRUCT, THRONG_ARGUMENT_OUTPUT}));
    }
    EXPECT_EQ(total, 5u);
    EXPECT_EQ(throng_init_filter(nullptr, sizeof(throng_filter)), THRONG_NULL_POINTER);
    throng_filter filter;
    EXPECT_EQ(throng_init_filter(&filter, 3), THRONG_BAD_STRUCT);
}

TEST(CStatuses, have_words) {
    EXPECT_EQ(throng_status_text(THRONG_INVERTED), std::string(describe(Code::inverted)));
    EXPECT_EQ(throng_status_text(-1), std::string("unknown code"));
    EXPECT_EQ(throng_status_text(99), std::string("unknown code"));
    for (const std::int32_t code : {THRONG_NULL_POINTER, THRONG_BAD_STRUCT, THRONG_BAD_VERSION})
        EXPECT_NE(throng_status_text(code), std::string("unknown code"));
    auto details = made(throng_init_status_details);
    details.code = THRONG_NOT_FINITE;
    details.index = 17;
    char text[100];
    const std::uint64_t length = throng_status_describe(&details, text, sizeof text);
    EXPECT_EQ(text, std::string("a coordinate is NaN, infinite, or too large for a float (index 17)"));
    EXPECT_EQ(length, std::string(text).size());
    details.code = THRONG_NULL_POINTER;
    details.argument = THRONG_ARGUMENT_HANDLE;
    EXPECT_GT(throng_status_describe(&details, text, 4), 4u);
    EXPECT_EQ(text, std::string("the"));
    details.code = THRONG_UNKNOWN_ISA;
    details.argument = THRONG_ARGUMENT_ISA;
    EXPECT_GT(throng_status_describe(&details, text, sizeof text), 4u);
    EXPECT_EQ(text, std::string("no instruction set has the name in the configuration"));
    EXPECT_GT(throng_status_describe(&details, nullptr, 9), 4u);
    EXPECT_GT(throng_status_describe(nullptr, text, 9), 9u);
}

}  // namespace
}  // namespace throng::test
