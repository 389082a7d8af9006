// Trial moves are decided as by a host that counts by itself, one after the other.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "bindings/c/tests/c_world.hpp"
#include "support/counting_resource.hpp"

namespace throng::test {
namespace {

constexpr float disc_radius = 0.5f;

Box square(const Point& at) { return Box::around(at.x, at.y, disc_radius, disc_radius); }

struct Tried {
    std::vector<std::uint32_t> ids;
    std::vector<Point> places;
    std::vector<double> randoms;
};

// Places of a crowd in which most discs touch some, and trials that come back to each disc now and then.
struct Crowd {
    explicit Crowd(unsigned seed) : random(seed) {
        for (std::size_t i = 0; i < 300; ++i) places.push_back(anywhere());
    }
    Point anywhere() {
        const auto any = [&] { return static_cast<float>(random() % 1281) / 64; };  // exact distances
        const float x = any();
        return {x, any()};
    }
    Tried trials(std::size_t count) {
        Tried tried;
        for (std::size_t i = 0; i < count; ++i) {
            tried.ids.push_back(static_cast<std::uint32_t>(random() % places.size()));
            tried.places.push_back(anywhere());
            tried.randoms.push_back(static_cast<double>(random()) / 4294967296.0);
        }
        return tried;
    }
    std::vector<Box> boxes() const {
        std::vector<Box> all;
        for (const Point& place : places) all.push_back(square(place));
        return all;
    }
    std::uint32_t around(const Point& at, std::uint32_t without) const {
        std::uint32_t found = 0;
        for (std::size_t i = 0; i < places.size(); ++i)
            found += i != without && std::hypot(places[i].x - at.x, places[i].y - at.y) <= 2 * disc_radius
                         ? 1u
                         : 0u;
        return found;
    }
    // By brute force.
    std::vector<throng_trial> made(const Tried& tried, const std::vector<double>& weights) {
        const auto weight = [&](std::uint32_t others) {
            return others < weights.size() ? weights[others] : 0;
        };
        std::vector<throng_trial> all;
        for (std::size_t i = 0; i < tried.ids.size(); ++i) {
            const std::uint32_t id = tried.ids[i];
            throng_trial trial{around(places[id], id), around(tried.places[i], id), 0};
            trial.accepted = (weights.empty() ? trial.after == 0
                                              : tried.randoms[i] * weight(trial.before) < weight(trial.after))
                                 ? 1u
                                 : 0u;
            if (trial.accepted != 0) places[id] = tried.places[i];
            all.push_back(trial);
        }
        return all;
    }

    std::mt19937 random;
    std::vector<Point> places;
};

struct Answer {
    std::int32_t code = THRONG_OK;
    std::int32_t argument = 0;
    std::uint64_t index = 0, total = 0;
    std::vector<throng_trial> trials;
};

// A rule for some trials. It holds pointers into both arguments, which must live longer.
throng_trial_rule rule_of(const Tried& tried, const std::vector<double>& weights) {
    auto rule = made(throng_init_trial_rule);
    rule.radius = disc_radius;
    if (weights.empty()) return rule;
    rule.weights = weights.data(), rule.weight_count = weights.size();
    rule.randoms = tried.randoms.data(), rule.random_count = tried.randoms.size();
    return rule;
}

Answer tried_by(throng_engine* engine, const std::vector<std::uint32_t>& ids, const std::vector<Box>& to,
                const throng_trial_rule& rule, const throng_filter* filter = nullptr) {
    const throng_boxes boxes = boxes_in_c(to);
    Answer answer;
    answer.trials.resize(ids.size());
    auto details = made(throng_init_status_details);
    answer.code =
        throng_engine_try_moves(engine, ids.data(), ids.size(), &boxes, &rule, filter, answer.trials.data(),
                                answer.trials.size(), &answer.total, &details);
    EXPECT_EQ(answer.code, details.code);
    answer.argument = details.argument, answer.index = details.index;
    return answer;
}
Answer tried_by(throng_engine* engine, const Tried& tried, const throng_trial_rule& rule,
                const throng_filter* filter = nullptr) {
    std::vector<Box> to;
    for (const Point& place : tried.places) to.push_back(square(place));
    return tried_by(engine, tried.ids, to, rule, filter);
}

void expect_equal(const std::vector<throng_trial>& wanted, const std::vector<throng_trial>& found) {
    ASSERT_EQ(wanted.size(), found.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        EXPECT_EQ(wanted[i].before, found[i].before) << i;
        EXPECT_EQ(wanted[i].after, found[i].after) << i;
        EXPECT_EQ(wanted[i].accepted, found[i].accepted) << i;
    }
}

void expect_boxes(const Crowd& crowd, CWorld& c) {
    ASSERT_EQ(throng_engine_frame(c.engine, &c.frame, nullptr), THRONG_OK);
    for (std::uint32_t id = 0; id < crowd.places.size(); ++id) {
        throng_box box{};
        ASSERT_EQ(throng_frame_agent_box(c.frame, id, &box, nullptr), THRONG_OK);
        EXPECT_EQ(box.min_x, square(crowd.places[id]).min_x);
        EXPECT_EQ(box.max_y, square(crowd.places[id]).max_y);
    }
}

// Trials that the call made have the answers of the crowd, and all agents are where it has them.
void expect_made_as_far_as(const Answer& answer, Tried tried, Crowd& crowd, CWorld& c) {
    tried.ids.resize(answer.total), tried.places.resize(answer.total);
    std::vector<throng_trial> trials = answer.trials;
    trials.resize(answer.total);
    expect_equal(crowd.made(tried, {}), trials);
    expect_boxes(crowd, c);
}

std::size_t accepted(const std::vector<throng_trial>& trials) {
    std::size_t count = 0;
    for (const throng_trial& trial : trials) count += trial.accepted;
    return count;
}

TEST(CTrials, are_decided_one_after_the_other) {
    const std::vector<double> none, soft{1, 0.6, 0.3, 0.1}, sticky{0.2, 0.5, 1};
    for (const std::vector<double>& weights : {none, soft, sticky}) {
        Crowd crowd(7);
        CWorld c;
        c.update(crowd.boxes());
        for (int call = 0; call < 5; ++call) {
            const Tried tried = crowd.trials(200);
            const std::vector<throng_trial> wanted = crowd.made(tried, weights);
            const Answer answer = tried_by(c.engine, tried, rule_of(tried, weights));
            ASSERT_EQ(answer.code, THRONG_OK);
            EXPECT_EQ(answer.total, tried.ids.size());
            expect_equal(wanted, answer.trials);
            EXPECT_GT(accepted(wanted), 0u);
            EXPECT_LT(accepted(wanted), wanted.size());
        }
        expect_boxes(crowd, c);
    }
}

TEST(CTrials, see_what_other_calls_wrote_in_between) {
    Crowd crowd(8);
    CWorld c;
    c.update(crowd.boxes());
    for (int call = 0; call < 4; ++call) {
        const Tried tried = crowd.trials(40);
        const std::vector<throng_trial> wanted = crowd.made(tried, {});
        expect_equal(wanted, tried_by(c.engine, tried, rule_of(tried, {})).trials);
        for (std::size_t i = 0; i < crowd.places.size(); i += 3) crowd.places[i] = crowd.anywhere();
        if (call == 2) throng_engine_release_memory(c.engine, nullptr);
        if (call % 2 == 0) {
            c.update(crowd.boxes());
            continue;
        }
        std::vector<std::uint32_t> ids;
        for (std::uint32_t id = 0; id < crowd.places.size(); ++id) ids.push_back(id);
        const std::vector<Box> all = crowd.boxes();
        const throng_boxes boxes = boxes_in_c(all);
        ASSERT_EQ(throng_engine_move(c.engine, ids.data(), ids.size(), &boxes, nullptr), THRONG_OK);
        ASSERT_EQ(throng_engine_commit(c.engine, nullptr), THRONG_OK);
    }
}

TEST(CTrials, have_a_radius_each_and_a_filter) {
    CWorld c;
    const std::vector<Box> agents{square({0, 0}), square({3, 0}), square({0, 3})};
    const std::vector<std::uint32_t> categories{1, 2, 4};
    auto labels = made(throng_init_labels);
    labels.categories = categories.data(), labels.count = categories.size();
    c.update(agents, &labels);
    const Tried tried{{0, 0, 0}, {{1, 0}, {1, 0}, {0, 1}}, {}};
    auto rule = made(throng_init_trial_rule);
    const std::vector<float> radii{1.5f, 1.25f, 2};
    rule.radii = radii.data(), rule.radii_count = radii.size();
    auto filter = made(throng_init_filter);
    filter.categories = 2;
    const Answer answer = tried_by(c.engine, tried, rule, &filter);
    ASSERT_EQ(answer.code, THRONG_OK);
    expect_equal({{0, 1, 0}, {0, 0, 1}, {1, 0, 1}}, answer.trials);
}

TEST(CTrials, note_places_in_memory_that_is_told) {
    CountingResource memory;
    CWorld c(config_with(memory));
    c.update(Crowd(12).boxes());
    const auto told = [&] {
        auto report = made(throng_init_memory_report);
        EXPECT_EQ(throng_engine_memory(c.engine, &report, nullptr), THRONG_OK);
        return report.rows + report.history + report.tables + report.agents + report.staged + report.scratch;
    };
    const std::uint64_t before = told(), out = memory.bytes_out();
    const Tried tried{{0}, {{1, 1}}, {}};
    ASSERT_EQ(tried_by(c.engine, tried, rule_of(tried, {})).code, THRONG_OK);
    EXPECT_EQ(told() - before, memory.bytes_out() - out);
}

TEST(CTrials, count_walls_if_the_filter_has_them) {
    CWorld c;
    c.update({square({0, 0})});
    const std::vector<Box> walls{{2, -5, 3, 5}};
    const throng_boxes boxes = boxes_in_c(walls);
    throng_static_layer* layer = nullptr;
    ASSERT_EQ(throng_static_layer_create(nullptr, &boxes, nullptr, &layer, nullptr), THRONG_OK);
    ASSERT_EQ(throng_engine_set_static_layer(c.engine, layer, nullptr), THRONG_OK);
    throng_static_layer_destroy(layer);  // and the trials publish it
    const Tried tried{{0}, {{1.75f, 0}}, {}};
    auto rule = rule_of(tried, {});
    rule.agents_as = THRONG_AGENTS_AS_BOXES;
    auto filter = made(throng_init_filter);
    filter.with_static = 1;
    expect_equal({{0, 1, 0}}, tried_by(c.engine, tried, rule, &filter).trials);
    expect_equal({{0, 0, 1}}, tried_by(c.engine, tried, rule).trials);
}

TEST(CTrials, that_are_refused_change_nothing) {
    Crowd crowd(9);
    CWorld c;
    c.update(crowd.boxes());
    const std::uint64_t before = throng_frame_number(c.frame);
    const std::vector<double> weights{1, 0.5};
    const Tried tried = crowd.trials(9);
    const auto expect_refused = [&](const Tried& trials, const throng_trial_rule& rule, std::int32_t code,
                                    std::int32_t argument, std::uint64_t index = THRONG_NO_INDEX) {
        const Answer answer = tried_by(c.engine, trials, rule);
        EXPECT_EQ(answer.code, code);
        EXPECT_EQ(answer.argument, argument);
        EXPECT_EQ(answer.index, index);
        EXPECT_EQ(answer.total, 0u);
    };
    Tried other = tried;
    other.ids[8] = 300;
    expect_refused(other, rule_of(tried, weights), THRONG_UNKNOWN_ID, THRONG_ARGUMENT_IDS, 8);
    other = tried;
    other.places[5].x = std::numeric_limits<float>::quiet_NaN();
    expect_refused(other, rule_of(tried, weights), THRONG_NOT_FINITE, THRONG_ARGUMENT_ANY, 5);
    other = tried;
    other.randoms[3] = -1;
    expect_refused(other, rule_of(other, weights), THRONG_BAD_CONFIG, THRONG_ARGUMENT_VALUES, 3);
    other.randoms.pop_back();
    expect_refused(other, rule_of(other, weights), THRONG_SIZE_MISMATCH, THRONG_ARGUMENT_VALUES);
    const std::vector<double> infinite{1, std::numeric_limits<double>::infinity()};
    expect_refused(tried, rule_of(tried, infinite), THRONG_NOT_FINITE, THRONG_ARGUMENT_WEIGHTS, 1);
    auto rule = rule_of(tried, weights);
    rule.agents_as = 7;
    expect_refused(tried, rule, THRONG_BAD_CONFIG, THRONG_ARGUMENT_AGENTS_AS);
    rule = rule_of(tried, weights);
    const std::vector<float> radii{1, 1, -1, 1, 1, 1, 1, 1, 1};
    rule.radii = radii.data(), rule.radii_count = radii.size();
    expect_refused(tried, rule, THRONG_INVERTED, THRONG_ARGUMENT_RADII, 2);
    const throng_band every_height{-1, 1};
    const throng_query_filter one{};
    for (int which = 0; which < 4; ++which) {
        auto filter = made(throng_init_filter);
        if (which == 0) filter.self = 1;
        if (which == 1) filter.each = &one, filter.each_count = 1;
        if (which == 2) filter.each_band = &every_height, filter.each_band_count = 1;
        if (which == 3) filter.each_without_itself = 1;
        const Answer answer = tried_by(c.engine, tried, rule_of(tried, weights), &filter);
        EXPECT_EQ(answer.code, THRONG_BAD_CONFIG) << which;
        EXPECT_EQ(answer.argument, THRONG_ARGUMENT_FILTERS) << which;
    }
    const std::uint32_t id = 1;
    ASSERT_EQ(throng_engine_remove(c.engine, &id, 1, nullptr), THRONG_OK);
    expect_refused(tried, rule_of(tried, weights), THRONG_EDITS_PENDING, THRONG_ARGUMENT_ANY);
    ASSERT_EQ(throng_engine_discard(c.engine, nullptr), THRONG_OK);
    ASSERT_EQ(throng_engine_frame(c.engine, &c.frame, nullptr), THRONG_OK);
    EXPECT_EQ(throng_frame_number(c.frame), before);
    expect_equal(crowd.made(tried, weights), tried_by(c.engine, tried, rule_of(tried, weights)).trials);
}

TEST(CTrials, wrap_around_with_the_world) {
    throng_engine_config config = made_config();
    config.period_x = config.period_y = 8;
    CWorld c(config);
    c.update({square({0.25f, 4}), square({4, 4})});
    const Tried tried{{1, 1, 1}, {{7.5f, 4}, {-0.5f, 4}, {6, 12.5f}}, {}};
    expect_equal({{0, 1, 0}, {0, 1, 0}, {0, 0, 1}}, tried_by(c.engine, tried, rule_of(tried, {})).trials);
}

// Far away the centre of a box is rounded, and the edges of the published one are folded by themselves.
TEST(CTrials, begin_at_the_published_box) {
    throng_engine_config config = made_config();
    config.period_x = config.period_y = 8;
    CWorld c(config);
    constexpr float far = 65536, width = 127.0f / 128, half = width / 2;
    c.update({square({4.5f, 3 + half}), square({1, 1})});
    const Tried tried{{1, 1}, {}, {0, 0}};
    const std::vector<Box> to{{far + 3, 3, far + 3 + width, 3 + width}, square({1, 1})};
    const Answer answer = tried_by(c.engine, tried.ids, to, rule_of(tried, {1, 1}));
    ASSERT_EQ(answer.total, 2u);
    EXPECT_EQ(answer.trials[0].accepted, 1u);
    EXPECT_EQ(answer.trials[1].before, 0u);
}

// Doubles are folded before they are rounded, for the counts as for the move.
TEST(CTrials, of_doubles_are_decided_many_periods_away_as_in_the_world) {
    throng_engine_config config = made_config();
    config.period_x = config.period_y = 100;
    for (const double periods_away : {0.0, 1.0, -1e3, 1e5, 1e7})
        for (const double gap : {-1.0 / 512, 1.0 / 512}) {
            CWorld c(config);
            c.update({square({10, 10}), square({50, 50})});
            const double x = 51 + gap + 100 * periods_away, y = 50;
            auto to = made(throng_init_boxes);
            throng_boxes_double_points(&to, &x, &y, disc_radius, 1, 0, 0, 0);
            auto rule = made(throng_init_trial_rule);
            rule.radius = disc_radius;
            const std::uint32_t id = 0, touched = gap < 0 ? 1 : 0;
            throng_trial trial{};
            ASSERT_EQ(
                throng_engine_try_moves(c.engine, &id, 1, &to, &rule, nullptr, &trial, 1, nullptr, nullptr),
                THRONG_OK);
            expect_equal({{0, touched, 1 - touched}}, {trial});
        }
}

// Around a seam, touching to within a rounding, and the second time without what the first has noted.
TEST(CTrials, count_as_they_do_when_they_are_made_once_more) {
    throng_engine_config config = made_config();
    config.period_x = config.period_y = 10;
    CWorld c(config);
    std::mt19937 random(3);
    const auto near_seam = [&] {
        const float seam = static_cast<float>(static_cast<int>(random() % 7) - 3) * 10;
        return seam + std::ldexp(static_cast<float>(random() % 16) - 8, -19);
    };
    c.update({Box::around(0.7f, 0, 0.35f, 0.35f), square({5, 5})});
    const std::vector<double> always{1, 1};
    std::size_t touched = 0;
    for (int i = 0; i < 2000; ++i) {
        const float x = near_seam();
        std::vector<Box> to{Box::around(x, near_seam(), 0.35f, 0.35f)};
        to[0].max_x += std::ldexp(static_cast<float>(random() % 8), -19);  // so its centre is rounded
        const Tried tried{{1}, {}, {0}};
        throng_trial_rule rule = rule_of(tried, always);
        rule.radius = 0.35f;
        const Answer once = tried_by(c.engine, tried.ids, to, rule);
        throng_engine_release_memory(c.engine, nullptr);
        const Answer again = tried_by(c.engine, tried.ids, to, rule);
        ASSERT_EQ(once.total + again.total, 2u);
        ASSERT_EQ(once.trials[0].after, again.trials[0].before) << i;
        ASSERT_EQ(once.trials[0].after, again.trials[0].after) << i;
        touched += once.trials[0].after;
    }
    EXPECT_GT(touched, 200u);
    EXPECT_LT(touched, 1800u);
}

// To ask a new frame for it would make a table of all agents.
TEST(CTrials, ask_no_frame_for_the_box_of_an_agent) {
    constexpr float side = 1024;
    std::vector<Box> agents;
    for (int i = 0; i < 10'000; ++i)
        agents.push_back(square({static_cast<float>(i % 100) * 8, static_cast<float>(i / 100) * 8}));
    std::uint64_t taken[2] = {};
    for (const bool is_outside : {false, true}) {
        CountingResource memory;
        throng_engine_config config = config_with(memory);
        config.period_x = config.period_y = side;
        CWorld c(config);
        c.update(agents);
        const float to = is_outside ? 900 - side : 900;
        const Tried tried{{0}, {{to, to}}, {}};
        expect_equal({{0, 0, 1}}, tried_by(c.engine, tried, rule_of(tried, {})).trials);
        taken[is_outside ? 1 : 0] = memory.bytes_out();
    }
    EXPECT_LT(taken[1], taken[0] + agents.size());
}

TEST(CTrials, that_are_cancelled_stay_as_far_as_they_came) {
    Crowd crowd(10);
    CWorld c;
    c.update(crowd.boxes());
    const Tried tried = crowd.trials(4'000'000);  // the host is asked every 50 ms
    int asked = 0;
    throng_cancel_with([](void* times) -> std::int32_t { return (*static_cast<int*>(times))++ != 0 ? 1 : 0; },
                       &asked);
    const Answer answer = tried_by(c.engine, tried, rule_of(tried, {}));
    throng_cancel_with(nullptr, nullptr);
    EXPECT_EQ(answer.code, THRONG_CANCELLED);
    EXPECT_GT(answer.total, 0u);
    EXPECT_LT(answer.total, tried.ids.size());
    expect_made_as_far_as(answer, tried, crowd, c);
    const Tried more = crowd.trials(50);
    expect_equal(crowd.made(more, {}), tried_by(c.engine, more, rule_of(more, {})).trials);
}

TEST(CTrials, without_memory_stay_as_far_as_they_came) {
    std::uint64_t fewest = UINT64_MAX, most = 0;
    for (std::uint64_t successes = 0;; ++successes) {
        Crowd crowd(11);
        CountingResource memory;
        CWorld c(config_with(memory));
        c.update(crowd.boxes());
        const Tried tried = crowd.trials(40);
        memory.fail_after(successes);
        const Answer answer = tried_by(c.engine, tried, rule_of(tried, {}));
        memory.stop_failing();
        expect_made_as_far_as(answer, tried, crowd, c);
        expect_equal(crowd.made(tried, {}), tried_by(c.engine, tried, rule_of(tried, {})).trials);
        if (answer.code == THRONG_OK) break;
        ASSERT_EQ(answer.code, THRONG_OUT_OF_MEMORY) << successes;
        EXPECT_EQ(answer.index, THRONG_NO_INDEX) << successes;
        fewest = std::min(fewest, answer.total), most = std::max(most, answer.total);
    }
    EXPECT_EQ(fewest, 0u);
    EXPECT_GT(most, 0u) << "memory failed amid the trials";
}

}  // namespace
}  // namespace throng::test
