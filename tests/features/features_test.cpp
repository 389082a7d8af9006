// The tables of docs/queries.md: in which worlds each call works, and in which forms it comes.
#include <fstream>
#include <optional>

#include "engine/src/frame/frame_state.hpp"
#include "features/failing_call.hpp"
#include "harness/agreement.hpp"
#include "support/engine_inside.hpp"
#include "support/filtered_answers.hpp"
#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {
namespace {

using Names = std::vector<std::string_view>;

// Calls by what they ask, as kinds of the harness: of the agents, with the static layer, in another frame.
// The harness takes the static layer as the other frame where a test gives it none.
struct Row {
    const char* name;
    Names alone, layered, other;
};
const std::vector<Row>& rows() {
    static const std::vector<Row> all{
        {"boxes", {"boxes"}, {"boxes with the static layer"}, {}},
        {"shapes", {"shapes"}, {"shapes with the static layer"}, {}},
        {"casts", {"casts"}, {"casts with the static layer"}, {}},
        {"neighbours of agents", {"neighbours"}, {"neighbours of both"}, {"neighbours among the elements"}},
        {"neighbours of points", {"neighbours of points"}, {"neighbours of points among both"}, {}},
        {"the nearest to a point", {"the nearest"}, {"the nearest of both"}, {}},
        {"kept neighbours", {}, {}, {}},
        {"pairs", {"pairs"}, {}, {"pairs with the static layer", "pairs of the static layer with agents"}},
        {"changes of pairs", {"changes of pairs"}, {}, {"pairs with the static layer"}},
    };
    return all;
}

enum Feature : unsigned {
    one_seam = 1,
    two_seams = 2,
    with_islands = 4,
    with_storeys = 8,
    with_giants = 16,
    with_ghosts = 32,
    with_layer = 64,
    by_label = 128,
    by_band = 256,
    with_other = 512,
};
struct Column {
    const char* name;
    unsigned features;
};
constexpr Column columns[] = {
    {"one seam", one_seam},
    {"two seams", two_seams},
    {"islands", with_islands},
    {"storeys", with_storeys},
    {"giants", with_giants},
    {"ghosts", with_ghosts},
    {"labels", by_label},
    {"bands", by_band},
    {"static layer", with_layer},
    {"another frame", with_other},
    {"all of these", two_seams | with_storeys | with_giants | with_ghosts | by_label | by_band | with_layer},
};

// A world with these features, on several threads, and its twin.
class TriedWorld {
public:
    explicit TriedWorld(unsigned features) : features_(features), scene_(scene_with(features)) {
        Box bounds = no_box;
        for (const Box& box : scene_.agents()) bounds = bounds.united(box);
        EngineConfig config{.executor = pool_.executor(), .memory = &memory_};
        if ((features & (one_seam | two_seams)) != 0) config.period_x = 0.9f * (bounds.max_x - bounds.min_x);
        if ((features & two_seams) != 0) config.period_y = 0.8f * (bounds.max_y - bounds.min_y);
        twins_ = std::make_unique<Twins>(config);
        Random random(3);
        const std::size_t count = scene_.agents().size();
        if (has(with_layer)) {
            const std::vector<Box> walls(scene_.agents().begin(), scene_.agents().begin() + 50);
            twins_->set_static_layer(walls, random_labels(random, walls.size()));
        }
        fill(*twins_, scene_.agents(), random);
        expect_features();
        flat_ = std::make_unique<oracle::BruteForce>(twins_->twin().around());
        EXPECT_EQ(flat_->update(scene_.boxes(), {.owned = owned(count)}), Status{});
        if (has(with_other)) add_other(config, random);
        asked_ = std::make_shared<Asked>(
            scene_, count, Amounts{40, 40, 40, 40, 7, 4},
            has(by_label | by_band) ? Filtered::each_by_its_own : Filtered::not_at_all, 5);
        for (Filter& filter : asked_->each) {
            if (!has(by_label)) filter = {.self = filter.self, .heights = filter.heights};
            if (!has(by_band)) filter.heights = {};
        }
        asked_->fit_into(twins_->twin().around());
    }
    ::testing::AssertionResult agrees(const Names& kinds, std::shared_ptr<const Asked> asked = {}) const {
        other_frame() = other_ ? &*other_ : nullptr;
        const Expectation expected(twins_->twin(), asked ? asked : asked_, kinds);
        const ::testing::AssertionResult agrees = expected.met_by(twins_->frame());
        other_frame() = nullptr;
        return agrees;
    }
    // New kept lists are those within radius + skin. Without seams and storeys this is so at every height.
    bool kept_agree() {
        KeptNeighbours kept({.radius = 2, .skin = 0.5f});
        EXPECT_EQ(kept.update(twins_->frame()), Status{});
        const oracle::BruteForceFrame made_of =
            has(one_seam | two_seams | with_storeys) ? twins_->twin() : flat_->frame();
        const oracle::NeighbourLists near = oracle::neighbours(made_of, {.radius = 2.5f}, Filters());
        if (kept.lists().size() != near.size()) return false;
        for (std::size_t i = 0; i < near.size(); ++i) {
            std::vector<AgentId> expected, listed(kept.lists()[i].begin(), kept.lists()[i].end());
            for (const Neighbour& one : near[i]) expected.push_back(one.id);
            std::sort(expected.begin(), expected.end());
            std::sort(listed.begin(), listed.end());
            if (listed != expected) return false;
        }
        return true;
    }
    const Asked& asked() const { return *asked_; }
    Frame frame() const { return twins_->frame(); }
    FailingWorld failing() {
        return {frame().on(serial_executor()), *asked_, memory_, [this] { twins_->release_memory(); }};
    }

private:
    static Scene scene_with(unsigned features) {
        if ((features & with_islands) != 0)
            return make_island_scene("villages_under_giants", enough_for_islands);
        const std::size_t count = (features & with_storeys) != 0 ? 2300 : 400;
        return make_scene((features & with_giants) != 0 ? "giants_over_small" : "uniform", count);
    }
    bool has(unsigned features) const { return (features_ & features) != 0; }
    std::size_t owned(std::size_t count) const { return has(with_ghosts) ? count * 3 / 4 : count; }
    void fill(Twins& twins, const std::vector<Box>& agents, Random& random) const {
        const std::size_t count = agents.size();
        const std::vector<Label> labels = random_labels(random, has(by_label) ? count : 0);
        std::vector<Band> heights;
        for (std::size_t i = 0; i < count && has(with_storeys | by_band); ++i)
            heights.push_back({3 * static_cast<float>(i % 4), 3 * static_cast<float>(i % 4) + 1.5f});
        UpdateOptions options{labels, heights};
        if (has(with_ghosts)) options.owned = owned(count);
        EXPECT_EQ(twins.update(agents, options), Code::ok);
    }
    // Another engine's agents: some are at the places of ours, others are not.
    void add_other(const EngineConfig& config, Random& random) {
        std::vector<Box> agents = make_scene("uniform", 80, 8).agents();
        for (std::size_t i = 0; i < 80; ++i)
            agents.push_back(scene_.agents()[3 * i % scene_.agents().size()]);
        other_twins_ = std::make_unique<Twins>(config);
        fill(*other_twins_, agents, random);
        other_ = OtherFrame{other_twins_->frame(), other_twins_->twin()};
    }
    void expect_features() const {
        const Frame frame = twins_->frame();
        EXPECT_EQ(has(with_islands), frame.tuning().islands != 0);
        EXPECT_EQ(has(with_giants), frame.tuning().oversized != 0 && !has(with_islands)) << features_;
        EXPECT_EQ(has(with_ghosts), frame.ghost_count() != 0);
        EXPECT_EQ(has(with_storeys), state_behind(frame).map.has_storeys());
    }

    const unsigned features_;
    CountingResource memory_;
    ThreadPool pool_{3};
    Scene scene_;
    std::unique_ptr<Twins> twins_, other_twins_;
    std::unique_ptr<oracle::BruteForce> flat_;  // the same agents without heights
    std::optional<OtherFrame> other_;
    std::shared_ptr<Asked> asked_;
};

// Where there is no such call or no such argument.
struct Missing {
    std::string_view row;
    const char *column, *why;
};
constexpr Missing missing[] = {
    {"kept neighbours", "labels", "no filter"}, {"kept neighbours", "bands", "the agents' own, on storeys"},
    {"pairs", "bands", "the agents' own"},      {"changes of pairs", "bands", "the agents' own"},
    {"pairs", "static layer", "`with` it"},     {"changes of pairs", "static layer", "`with` it"},
};
std::string why_not(const Row& row, const char* column) {
    for (const Missing& one : missing)
        if (row.name == one.row && std::string_view(column) == one.column) return one.why;
    return "-";
}

std::string line_of(const std::string& first, const std::vector<std::string>& cells) {
    std::string line = "| " + first;
    for (const std::string& cell : cells) line += " | " + cell;
    return line + " |\n";
}
std::string head_of(const std::vector<std::string>& names) {
    std::string rule = "|---";
    for (std::size_t i = 0; i < names.size(); ++i) rule += "|---";
    return line_of("", names) + rule + "|\n";
}

std::string table_of_worlds() {
    std::vector<std::string> names;
    std::vector<std::vector<std::string>> cells(rows().size());
    for (const Column& column : columns) {
        names.emplace_back(column.name);
        TriedWorld world(column.features);
        for (std::size_t i = 0; i < rows().size(); ++i) {
            const Row& row = rows()[i];
            const bool is_whole = (column.features & (column.features - 1)) != 0;
            const Names& kinds = (column.features & with_other) != 0 ? row.other
                                 : (column.features & with_layer) == 0 || (is_whole && row.layered.empty())
                                     ? row.alone
                                     : row.layered;
            const bool is_kept = std::string_view(row.name) == "kept neighbours";
            std::string cell = why_not(row, column.name);
            const Names& tried = cell == "`with` it" ? row.other : kinds;
            const bool is_tried =
                is_kept ? is_whole || (column.features & (with_layer | with_other)) == 0 : !tried.empty();
            if (is_tried) {
                EXPECT_TRUE(is_kept ? world.kept_agree() : world.agrees(tried))
                    << row.name << ", " << column.name;
                if (cell == "-") cell = "yes";
            }
            cells[i].push_back(cell);
        }
    }
    std::string table = head_of(names);
    for (std::size_t i = 0; i < rows().size(); ++i) table += line_of(rows()[i].name, cells[i]);
    return table;
}

// --- Forms
// ---------------------------------------------------------------------------------------------------

// A form in which a call of a row comes, or does not.
struct Form {
    const char* name;
    std::function<std::string(const Row& row, TriedWorld& world)> cell;
};

// Whether the harness has such a call of a row: it was then compared with brute force.
template <class Is>
Form compared(const char* name, const Is& is) {
    return {name, [=](const Row& row, TriedWorld&) -> std::string {
                for (const Kind& kind : kinds())
                    if (std::count(row.alone.begin(), row.alone.end(), kind.name) != 0 &&
                        std::any_of(kind.calls.begin(), kind.calls.end(), is))
                        return "yes";
                return "-";
            }};
}

// What agents are taken as: compared with brute force, unless it is refused.
Form agents_as(const char* name, AgentsAs what) {
    return {name, [=](const Row& row, TriedWorld& world) -> std::string {
                const std::string_view of = row.name;
                if (of == "boxes") return what == AgentsAs::boxes ? "yes" : "as a shape";
                if (of == "casts") return what == AgentsAs::boxes ? "yes" : "-";
                if (of == "the nearest to a point" || of == "kept neighbours")
                    return what == AgentsAs::centres ? "yes" : "-";
                const auto asked = std::make_shared<Asked>(world.asked());
                asked->of_agents = asked->of_points = OwnNeighbourhood({.radius = 1, .agents_as = what});
                asked->pair_queries = {{.within = 1, .agents_as = what}};
                for (std::size_t i = 0; i < asked->shapes.all().size(); ++i)
                    asked->shapes.replace(i, Circle{asked->points[i].x, asked->points[i].y, 2, what});
                Results results;
                for (const Kind& kind : kinds())
                    if (kind.name == row.alone[0])
                        if (const Status status = kind.calls[0].make(world.frame(), *asked, results);
                            !status) {
                            EXPECT_EQ(status.code, Code::bad_config);
                            EXPECT_EQ(status.argument, Argument::agents_as);
                            return "refused: `bad_config`";
                        }
                EXPECT_TRUE(world.agrees(row.alone, asked));
                return "yes";
            }};
}

// Calls use(call) for each call of a row: `single` ones, too, or those for many queries alone.
template <class Use>
void each_call(const Row& row, const Asked& asked, bool single, const Use& use) {
    each_form(row.alone, asked, [&](const Call& call) {
        if (single || !call.is_single) use(call);
    });
    if (std::string_view(row.name) == "kept neighbours") use(call_for_kept_lists());
}
std::string cancelled(const Row& row, TriedWorld& world) {
    bool is_any = false;
    const FailingWorld failing = world.failing();
    each_call(row, world.asked(), false, [&](const Call& call) {
        EXPECT_NE(FailingCall(failing, call).cancelled(), 0u) << row.name << ": " << call.name;
        is_any = true;
    });
    return is_any ? "yes" : "-";
}
std::string without_memory(const Row& row, TriedWorld& world) {
    std::size_t times = 0;
    const FailingWorld failing = world.failing();
    each_call(row, world.asked(), true,
              [&](const Call& call) { times += FailingCall(failing, call).without_memory(); });
    return times != 0 ? "yes" : "needs none";
}

std::string first_ones(const Row& row, TriedWorld& world) {
    if (std::string_view(row.name) == "pairs") {
        std::size_t times = 0;
        const auto end = [&](std::span<const Pair>) { return ++times == 0; };
        EXPECT_EQ(world.frame().on(serial_executor()).for_each_pair_concurrently(end), Status{});
        EXPECT_EQ(times, 1u);
        return "yes";
    }
    const auto gives_first = [](const Call& call) {
        return call.gives == Gives::two || call.gives == Gives::one;
    };
    return compared("", gives_first).cell(row, world);
}

// Queries in doubles that are floats find what the floats find.
std::string as_doubles(const Row& row, const TriedWorld& world) {
    const std::vector<Point>& points = world.asked().points;
    const std::string_view of = row.name;
    const Frame frame = world.frame();
    std::vector<double> x, y;
    std::vector<Box> boxes;
    for (const Point& point : points) {
        boxes.push_back(Box::around(point.x, point.y, 1, 1));
        x.push_back(double{point.x});
        y.push_back(double{point.y});
    }
    const Points doubles = Points::arrays(x, y, Origin());
    std::vector<std::uint32_t> counts(points.size()), same(points.size());
    std::vector<CastHit> hits(points.size()), same_hits(points.size());
    if (of == "boxes") {
        EXPECT_EQ(frame.count(Boxes::points(x, y, 1, Origin()), counts), Status{});
        EXPECT_EQ(frame.count(boxes, same), Status{});
    } else if (of == "casts") {
        EXPECT_EQ(frame.first_hits(Casts::rays(doubles, points), hits), Status{});
        EXPECT_EQ(frame.first_hits(Casts::rays(points, points), same_hits), Status{});
    } else if (of == "neighbours of points") {
        EXPECT_EQ(frame.count_neighbours(doubles, {.radius = 3}, counts), Status{});
        EXPECT_EQ(frame.count_neighbours(points, {.radius = 3}, same), Status{});
    } else {
        return "-";
    }
    EXPECT_TRUE(counts == same && hits == same_hits) << row.name;
    return "yes";
}

// How far away what is found is, or when a cast touches it.
std::string with_distances(const Row& row, const TriedWorld& world) {
    const std::string_view of = row.name;
    if (of == "casts") return "times";
    if (of != "the nearest to a point" && of.find("neighbours of") != 0) return "-";
    const auto asked = std::make_shared<Asked>(world.asked());
    asked->of_agents = asked->of_points = OwnNeighbourhood({.radius = 1, .distances = true});
    EXPECT_TRUE(world.agrees(row.alone, asked)) << row.name;
    return "yes";
}

const std::vector<Form>& forms() {
    static const std::vector<Form> all{
        compared("one query", [](const Call& call) { return call.is_single && call.gives != Gives::total; }),
        compared("many", [](const Call& call) { return !call.is_single; }),
        compared("counted", [](const Call& call) { return call.gives == Gives::sizes; }),
        compared("any", [](const Call& call) { return call.gives == Gives::any; }),
        {"first ones", first_ones},
        compared(
            "in blocks",
            [](const Call& call) { return std::string_view(call.name).find("blocks") != std::string::npos; }),
        compared("explained", [](const Call& call) { return call.gives == Gives::total; }),
        {"doubles", as_doubles},
        {"distances", with_distances},
        agents_as("boxes", AgentsAs::boxes),
        agents_as("centres", AgentsAs::centres),
        agents_as("discs", AgentsAs::circles),
        {"cancelled", cancelled},
        {"no memory", without_memory},
    };
    return all;
}

std::string table_of_forms() {
    TriedWorld world(0);
    std::vector<std::string> names;
    for (const Form& form : forms()) names.emplace_back(form.name);
    std::string table = head_of(names);
    for (const Row& row : rows()) {
        std::vector<std::string> cells;
        for (const Form& form : forms()) cells.push_back(form.cell(row, world));
        table += line_of(row.name, cells);
    }
    return table;
}

// --- The page
// ------------------------------------------------------------------------------------------------

// What stands between two marks of the page is `tables`, or is written so where the host wants it.
void expect_on_page(const std::string& mark, const std::string& table) {
    std::ifstream in(THRONG_PAGE, std::ios::binary);
    std::string page, line;
    while (std::getline(in, line)) page += line + "\n";
    const std::string begin = "<!-- " + mark + ": written by tests/features -->\n\n", end = "\n<!-- end -->";
    const std::size_t from = page.find(begin) + begin.size(), to = page.find(end, from);
    ASSERT_TRUE(from >= begin.size() && to != std::string::npos) << "no mark for " << mark;
    if (std::getenv("THRONG_WRITE_PAGE") != nullptr) {
        page.replace(from, to - from, table);
        std::ofstream(THRONG_PAGE, std::ios::binary) << page;
        return;
    }
    EXPECT_EQ(page.substr(from, to - from), table) << "the page is stale: see tests/features/README.md";
}

// More than the table has.
TEST(Features, work_in_another_frame_together_with_others) {
    for (const unsigned features : {two_seams | with_giants | with_ghosts | by_label | by_band | with_layer,
                                    one_seam | with_storeys | by_band}) {
        const TriedWorld world(features | with_other);
        for (const Row& row : rows()) EXPECT_TRUE(world.agrees(row.other)) << row.name << ", " << features;
    }
}

TEST(Features, work_in_the_worlds_that_the_page_names) { expect_on_page("worlds", table_of_worlds()); }
TEST(Features, come_in_the_forms_that_the_page_names) { expect_on_page("forms", table_of_forms()); }

}  // namespace
}  // namespace throng::test
