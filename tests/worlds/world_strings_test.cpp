// The strings of worlds: they parse back exactly, mean the same boxes everywhere, and say where they are
// wrong.
#include <iterator>
#include <map>
#include <set>

#include "support/test.hpp"
#include "worlds/hunted/frames.hpp"
#include "worlds/hunted/text.hpp"
#include "worlds/hunted/variation.hpp"

namespace throng::worlds {
namespace {

World world_from(const char* text) {
    const Parsed parsed = parse(text);
    EXPECT_TRUE(parsed.world) << text << ": " << parsed.error;
    return parsed.world.value_or(World{});
}

TEST(WorldText, of_any_world_parses_back_exactly) {
    Random random(1);
    World world = random_world(1000, random);
    const std::size_t rounds = test::scaled(20000, 2000);
    for (std::size_t i = 0; i < rounds; ++i) {
        const World other = random_world(1 + random.below(max_agents), random);
        world = i % 3 == 0 ? other : i % 3 == 1 ? mutated(world, random) : crossed(world, other, random);
        const std::string text = to_text(world);
        const Parsed parsed = parse(text);
        ASSERT_TRUE(parsed.world) << text << ": " << parsed.error;
        ASSERT_EQ(*parsed.world, world) << text;
        ASSERT_EQ(to_text(*parsed.world), text);
    }
}

TEST(WorldText, leaves_out_what_is_as_in_a_plain_crowd) {
    EXPECT_EQ(to_text(World{}), "h1;n=100000;seed=1;place=square");
    EXPECT_EQ(to_text(world_from(
                  "h1;place=radial(octaves=40,centres=1);size=uniform;share=1;ids=random;then=walk")),
              "h1;n=100000;seed=1;place=radial(octaves=40)");
}

TEST(WorldText, says_whether_a_world_wraps_around_and_has_heights) {
    const char* const text =
        "h1;n=100000;seed=1;place=strip;then=still;wraps=narrow_x(agents=2);heights=storeys(count=60)";
    EXPECT_EQ(to_text(world_from(text)), text);
    EXPECT_EQ(to_text(world_from("h1;place=square;wraps=plane;heights=flat")), to_text(World{}));
}

TEST(WorldText, gives_what_follows_a_place_to_its_layer) {
    const World world = world_from("h1;place=point;size=giants;place=disc;at=at(x=5);share=0.5");
    ASSERT_EQ(world.layers.size(), 2u);
    EXPECT_STREQ(recipe_of(Part::size, world.layers[0].size).name, "giants");
    EXPECT_EQ(world.layers[1].size, plain(Part::size));
    EXPECT_EQ(world.layers[1].at.values[0], 5);
    EXPECT_EQ(world.layers[1].share, 0.5);
}

struct Bad {
    const char* text;
    std::size_t position;
    const char* error;
};

TEST(WorldText, that_is_wrong_is_refused_with_its_place) {
    const Bad all[] = {
        {"", 0, "begins with h1"},
        {"h2;place=square", 0, "begins with h1"},
        {"h1", 2, "no layer"},
        {"h1;n=10", 7, "no layer"},
        {"h1;n=0;place=square", 5, "n is from 1"},
        {"h1;n=20000001;place=square", 5, "n is from 1"},
        {"h1;n=-1;place=square", 5, "expected a number"},
        {"h1;seed=;place=square", 8, "expected a number"},
        {"h1;size=octaves;place=square", 3, "belongs to a layer"},
        {"h1;share=2;place=square", 3, "belongs to a layer"},
        {"h1;place=square;share=0", 22, "share is from"},
        {"h1;place=square;share=nan", 22, "share is from"},
        {"h1;place=nowhere", 9, "unknown place 'nowhere'"},
        {"h1;place=square;colour=red", 16, "unknown field 'colour'"},
        {"h1;place=square ", 15, "expected ';'"},
        {"h1;place=square;", 16, "expected '='"},
        {"h1;place=square(", 16, "square has no parameter ''"},
        {"h1;place=square()", 16, "square has no parameter ''"},
        {"h1;place=square(octaves=3)", 16, "square has no parameter 'octaves'"},
        {"h1;place=radial(octaves=101)", 24, "octaves is from 0 to 100"},
        {"h1;place=radial(octaves=nan)", 24, "octaves is from 0 to 100"},
        {"h1;place=radial(octaves=3", 25, "expected ')'"},
        {"h1;place=piles(each=1.5)", 20, "each is a whole number from 1 to 1000"},
        {"h1;place=square;ids=alphabetical", 20, "unknown ids"},
        {"h1;place=square;wraps=sphere", 22, "unknown wraps 'sphere'"},
        {"h1;place=square;wraps=x(share=0)", 30, "share is from 0.01 to 100"},
        {"h1;place=square;heights=deep", 24, "unknown heights 'deep'"},
        {"h1;place=square;heights=storeys(count=0)", 38, "count is a whole number from 1 to 10000"},
    };
    for (const Bad& bad : all) {
        const Parsed parsed = parse(bad.text);
        EXPECT_FALSE(parsed.world) << bad.text;
        EXPECT_EQ(parsed.position, bad.position) << bad.text << ": " << parsed.error;
        EXPECT_NE(parsed.error.find(bad.error), std::string::npos) << bad.text << ": " << parsed.error;
    }
}

TEST(WorldText, has_no_more_layers_than_there_may_be) {
    std::string text = "h1";
    for (std::size_t k = 0; k < max_layers; ++k) text += ";place=point";
    EXPECT_TRUE(parse(text).world);
    const Parsed parsed = parse(text + ";place=point");
    EXPECT_FALSE(parsed.world);
    EXPECT_EQ(parsed.position, text.size() + 1);
}

std::uint64_t checksum(const std::vector<Box>& boxes, std::uint64_t sum) {
    for (const Box& box : boxes) {
        std::uint32_t bits[4];
        std::memcpy(bits, &box, sizeof bits);
        for (const std::uint32_t one : bits) sum = mix(sum + one);
    }
    return sum;
}

std::uint64_t checksum(const Frames& frames, std::uint64_t sum) {
    sum = checksum(frames.boxes(), sum);
    if (frames.heights().empty() && frames.period() == Period{}) return sum;
    std::vector<float> numbers = {frames.period().x, frames.period().y};
    for (const Band& band : frames.heights()) numbers.insert(numbers.end(), {band.min_z, band.max_z});
    for (const float number : numbers) sum = mix(sum + detail::bits_as<std::uint32_t>(number));
    return sum;
}

// The recipes of a part in turn, in a small world of three frames.
std::uint64_t checksum_of(Part part, std::size_t begin, std::size_t end) {
    std::uint64_t sum = 0;
    for (auto k = static_cast<std::uint32_t>(begin); k < end; ++k) {
        World world;
        world.agents = 500;
        world.layers.emplace_back().place = *find_recipe(Part::place, "disc");
        const Call call{k, recipes_of(part)[k].fallbacks()};
        Layer& layer = world.layers.front();
        if (part == Part::place) layer.place = call;
        if (part == Part::size) layer.size = call;
        if (part == Part::at) layer.at = {0, {100, -20, 3, 0.5, 0.3}};
        if (part == Part::ids) world.ids = call;
        if (part == Part::then) world.then = call;
        if (part == Part::wraps) world.wraps = call;
        if (part == Part::heights) world.heights = call;
        Frames frames(world);
        for (int frame = 0; frame < 3; ++frame, frames.next()) sum = checksum(frames, sum);
    }
    return sum;
}
std::uint64_t checksum_of_all(Part part) { return checksum_of(part, 0, recipes_of(part).size()); }

// If one of these changes, the strings found so far no longer mean what they did: that is a new version. What
// came later has checksums of its own.
TEST(World, has_the_same_boxes_on_every_machine) {
    EXPECT_EQ(checksum_of(Part::place, 0, 15), 11099113489871244940u);
    EXPECT_EQ(checksum_of(Part::place, 15, 19), 873373733691748337u);
    EXPECT_EQ(checksum_of(Part::size, 0, 8), 10785090040453906080u);
    EXPECT_EQ(checksum_of(Part::size, 8, 10), 3634710177980213675u);
    EXPECT_EQ(checksum_of_all(Part::at), 14975521310554218634u);
    EXPECT_EQ(checksum_of_all(Part::ids), 13138022671904812774u);
    EXPECT_EQ(checksum_of_all(Part::then), 14608981170324672783u);
    EXPECT_EQ(checksum_of_all(Part::wraps), 7020938846916117039u);
    EXPECT_EQ(checksum_of_all(Part::heights), 9166154761526350028u);
    EXPECT_EQ(recipes_of(Part::place).size(), 19u);
    EXPECT_EQ(recipes_of(Part::size).size(), 10u);
}

TEST(World, of_any_string_has_boxes_that_are_legal) {
    Random random(7);
    for (std::size_t i = test::scaled(600, 60); i > 0; --i) {
        const World world = random_world(300, random);
        Frames frames(world);
        const Engine engine({.period_x = frames.period().x, .period_y = frames.period().y});
        ASSERT_EQ(engine.status(), Status{}) << to_text(world);
        for (int frame = 0; frame < 3; ++frame, frames.next()) {
            ASSERT_GE(frames.boxes().size(), 1u);
            ASSERT_LE(frames.boxes().size(), world.agents);
            for (const Box& box : frames.boxes()) {
                ASSERT_TRUE(std::isfinite(box.min_x) && std::isfinite(box.max_x) &&
                            std::isfinite(box.min_y) && std::isfinite(box.max_y))
                    << to_text(world);
                ASSERT_TRUE(box.min_x <= box.max_x && box.min_y <= box.max_y) << to_text(world);
            }
            ASSERT_TRUE(frames.heights().empty() || frames.heights().size() == frames.boxes().size());
            for (const Band& band : frames.heights()) ASSERT_LE(band.min_z, band.max_z) << to_text(world);
        }
    }
}

TEST(World, becomes_simpler_one_thing_at_a_time_until_it_is_the_crowd) {
    Random random(3);
    for (int i = 0; i < 50; ++i) {
        World world = random_world(1000, random);
        for (std::vector<World> all = simpler(world); !all.empty(); all = simpler(world)) {
            for (const World& other : all) ASSERT_NE(other, world);
            world = all[random.below(all.size())];
        }
        World crowd;
        crowd.agents = world.agents;
        crowd.seed = world.seed;
        crowd.layers.front().share = world.layers.front().share;
        ASSERT_EQ(world, crowd) << to_text(world);
    }
}

TEST(World, of_squads_has_scouts_at_the_multiples_of_its_stride) {
    const Frames frames(world_from(
        "h1;n=4800;place=square;share=47;place=point;at=at(x=1e6);ids=squads(stride=48);then=still"));
    for (std::size_t id = 0; id < 4800; ++id) ASSERT_EQ(frames.boxes()[id].min_x > 9e5f, id % 48 == 0) << id;
}

float width(const Box& box) { return box.max_x - box.min_x; }
float height(const Box& box) { return box.max_y - box.min_y; }

TEST(World, of_crossing_boxes_has_wide_ones_and_tall_ones_as_long_as_it_says) {
    const Frames frames(world_from("h1;n=10000;place=square;size=crossing(length=0.25,tall=0.5)"));
    const float length = 0.25f * 2 * 100;
    std::size_t tall = 0;
    for (const Box& box : frames.boxes()) {
        tall += height(box) > width(box);
        ASSERT_NEAR(std::max(width(box), height(box)), length, 0.01f);
    }
    EXPECT_GT(tall, 4500u);
    EXPECT_LT(tall, 5500u);
}

TEST(World, of_stacks_has_exactly_so_many_at_each_point) {
    const Frames frames(world_from("h1;n=1000;place=stacks(each=300);size=constant;then=still"));
    std::map<float, std::size_t> at;
    for (const Box& box : frames.boxes()) ++at[box.min_x];
    std::multiset<std::size_t> counts;
    for (const auto& [x, count] : at) counts.insert(count);
    EXPECT_EQ(counts, (std::multiset<std::size_t>{100, 300, 300, 300}));
}

TEST(World, that_is_narrow_has_a_period_of_as_many_agents_as_its_strip_is_wide) {
    const Frames frames(world_from("h1;n=1000;place=strip(agents=2);wraps=narrow_x(agents=2)"));
    EXPECT_EQ(frames.period(), (Period{4, 0}));
    for (const Point& centre : centres_of(frames.boxes())) ASSERT_LE(std::abs(centre.x), 2.01);
}

TEST(World, of_a_tower_has_a_crowd_on_each_storey) {
    const Frames frames(world_from("h1;n=10000;place=tower(storeys=4);heights=storeys(count=4);then=still"));
    std::map<float, std::size_t> on;
    for (const Band& band : frames.heights()) ++on[band.min_z];
    ASSERT_EQ(on.size(), 4u);
    for (const auto& [base, count] : on) EXPECT_NEAR(static_cast<double>(count), 2500, 200) << base;
    // A crowd of 2,500 agents has a square of 100.
    for (const Point& centre : centres_of(frames.boxes())) ASSERT_LE(std::abs(centre.x), 50.01);
}

TEST(World, that_spawns_is_at_one_point_in_its_first_frame_only) {
    Frames frames(world_from("h1;n=1000;place=square;size=constant;then=spawn"));
    for (const Box& box : frames.boxes()) ASSERT_EQ(box, frames.boxes().front());
    frames.next();
    EXPECT_NE(frames.boxes()[1], frames.boxes()[0]);
}

TEST(Arithmetic, is_that_of_the_mathematical_functions) {
    for (double x = -60; x < 60; x += 0.37) {
        EXPECT_NEAR(exp2(x) / std::exp2(x), 1, 1e-13) << x;
        EXPECT_NEAR(log2(std::exp2(x)), x, 1e-12) << x;
        EXPECT_NEAR(on_circle(x).x, std::cos(x * 6.2831853071795865), 1e-12) << x;
        EXPECT_NEAR(on_circle(x).y, std::sin(x * 6.2831853071795865), 1e-12) << x;
    }
}

}  // namespace
}  // namespace throng::worlds
