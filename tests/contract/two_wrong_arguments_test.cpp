// Where two arguments are wrong, a status names the one that calls look at first. That order is the same for
// every call that reads a frame, whatever is in the frame. Calls that write have one order, too.
#include <deque>

#include "harness/calls.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Something wrong with an argument of a call, in that order.
enum Flaw : unsigned {
    of_queries,
    of_memory,
    too_little_memory,
    of_options,
    of_filters,
    too_few_filters,
    of_a_band,
    of_the_frame,
    of_a_query,
    no_flaw,
};
struct FlawKind {
    Code code;
    Argument argument;
    unsigned planted;  // by the calls of the table
};
constexpr FlawKind flaws[] = {
    {Code::null_view, Argument::boxes, null_queries},
    {Code::null_view, Argument::output, null_output},
    {Code::size_mismatch, Argument::output, short_output},
    {Code::inverted, Argument::options, 0},
    {Code::null_view, Argument::filters, null_filters},
    {Code::size_mismatch, Argument::filters, short_filters},
    {Code::inverted, Argument::heights, 0},
    {Code::bad_config, Argument::executor, 0},
    {Code::not_finite, Argument::boxes, 0},
};

Flaw flaw_named_by(const Status& status) {
    const Argument argument = status.argument == Argument::any ? Argument::boxes : status.argument;
    for (unsigned flaw = 0; flaw < no_flaw; ++flaw)
        if (status.code == flaws[flaw].code && argument == flaws[flaw].argument)
            return static_cast<Flaw>(flaw);
    return no_flaw;
}

// Into what is asked for, from the query or filter `first` on.
void plant(Flaw flaw, Asked& asked, std::size_t first) {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    if (flaw == of_options) {
        asked.of_agents = asked.of_both = asked.of_points = OwnNeighbourhood({.radius = -1});
        asked.pair_queries = {{.within = -1}};
    }
    for (std::size_t i = first; flaw == of_a_band && i < asked.each.size(); ++i)
        asked.each[i].heights = {1, 0};
    for (std::size_t i = first; flaw == of_a_query && i < asked.boxes.size(); ++i) {
        asked.boxes[i].max_x = asked.points[i].y = asked.casts[i].dx = none;
        asked.shapes.replace(i, Circle{none, 0, 1});
    }
}

bool begins_with(std::string_view name, std::string_view begin) {
    return name.substr(0, begin.size()) == begin;
}
bool begins_with_one(std::string_view name, std::initializer_list<const char*> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(),
                       [&](const char* begin) { return begins_with(name, begin); });
}

// Whether the call had an argument that can have this flaw.
bool may_have(Flaw flaw, const Kind& kind, const Call& call, bool has_agents) {
    const bool is_of_agents =
        begins_with(kind.name, "neighbours") && !begins_with(kind.name, "neighbours of points");
    const std::string_view form = call.name;
    switch (flaw) {
    case of_options: return begins_with_one(kind.name, {"neighbours", "pairs", "changes"});
    case of_a_band:
        return (wrongs().met & (null_filters | one_filter)) != 0 && form != "one query filtered by the host";
    case of_the_frame: return true;
    case of_a_query:
        return begins_with_one(kind.name,
                               {"boxes", "shapes", "casts", "neighbours of points", "the nearest"});
    // By id: as many as the frame has.
    case too_few_filters:
        if (is_of_agents && !has_agents) return false;
        [[fallthrough]];
    default: return (wrongs().met & flaws[flaw].planted) != 0;
    }
}

class TwoWrongArguments : public ::testing::Test {
protected:
    // Makes the call with two flaws, or one twice.
    void expect_order(const Kind& kind, const Call& call, const Frame& whole, std::array<Flaw, 2> planted) {
        const std::size_t first = call.is_single ? 0 : 1;
        Asked asked(scene_, whole.size(), {3, 3, 3, 3, 1, 1}, Filtered::each_by_its_own, 3);
        asked.fit_into({1000, 1000});
        asked.of_agents = asked.of_both = asked.of_points = OwnNeighbourhood({.radius = 1});
        asked.pair_queries = {{.within = 1}};
        Frame frame = whole;
        wrongs() = {};
        for (const Flaw flaw : planted) {
            plant(flaw, asked, first);
            wrongs().planted |= flaws[flaw].planted;
            if (flaw == of_the_frame) frame = whole.on({.workers = 4, .parallel_for = nullptr});
        }
        Results results;
        const Status status = call.make(frame, asked, results);
        Flaw wanted = no_flaw;
        for (const Flaw flaw : planted)
            if (may_have(flaw, kind, call, frame.size() != 0)) wanted = std::min(wanted, flaw);
        wrongs() = {};
        EXPECT_TRUE(status.ok() || results.are_empty()) << kind.name << ": " << call.name;
        compare(kind, call, wanted, status);
        if (!call.is_single && wanted == of_a_query) {
            EXPECT_EQ(status.index, first) << kind.name << ": " << call.name;
        }
    }
    void compare(const Kind& kind, const Call& call, Flaw wanted, const Status& status) {
        const Flaw named = flaw_named_by(status);
        if (wanted == no_flaw ? status.ok() : named == wanted) return;
        ADD_FAILURE() << kind.name << ": " << call.name << " has to name flaw " << wanted
                      << ", and says: " << status.message();
    }

    const Scene scene_ = make_scene("uniform", 40);
};

TEST_F(TwoWrongArguments, are_named_in_one_order_by_every_call) {
    std::deque<Engine> engines;
    std::vector<Frame> frames{{}};
    for (const bool wraps : {false, true})
        for (const std::size_t agents : {0u, 40u}) {
            const float period = wraps ? 1000.0f : 0.0f;
            Engine& engine = engines.emplace_back(EngineConfig{.period_x = period, .period_y = period});
            EXPECT_EQ(engine.set_static_layer(StaticLayer(scene_.boxes())), Status{});
            EXPECT_EQ(engine.update(std::span(scene_.agents()).first(agents)), Status{});
            frames.push_back(engine.frame());
        }
    for (const Kind& kind : kinds())
        for (const Call& call : kind.calls)
            for (const Frame& frame : frames)
                for (unsigned one = 0; one < no_flaw; ++one)
                    for (unsigned other = one; other < no_flaw; ++other)
                        expect_order(kind, call, frame, {static_cast<Flaw>(one), static_cast<Flaw>(other)});
}

// --- Calls that write --------------------------------------------------------------------------------------

// Something wrong with an argument of such a call, in the order in which all of them look.
enum WrittenFlaw : unsigned {
    null_boxes,
    null_ids,
    short_ids,
    null_labels,
    short_labels,
    null_heights,
    short_heights,
    of_owned,
    null_left_out,
    of_edits,
    of_an_element,
    no_written_flaw,
};
struct NamedFlaw {
    Code code;
    Argument argument;
};
constexpr NamedFlaw written_flaws[] = {
    {Code::null_view, Argument::boxes},       {Code::null_view, Argument::ids},
    {Code::size_mismatch, Argument::ids},     {Code::null_view, Argument::labels},
    {Code::size_mismatch, Argument::labels},  {Code::null_view, Argument::heights},
    {Code::size_mismatch, Argument::heights}, {Code::bad_config, Argument::owned},
    {Code::null_view, Argument::output},      {Code::edits_pending, Argument::any},
    {Code::inverted, Argument::any},
};

struct Written {
    Boxes boxes;
    std::span<AgentId> ids;
    UpdateOptions options;
    PairList* pairs;
};
struct WritingCall {
    const char* name;
    std::vector<WrittenFlaw> flaws;  // of arguments that it has
    std::function<Status(Engine& engine, const Written& given)> make;
};
const std::vector<WritingCall>& writing_calls() {
    using E = Engine&;
    using W = const Written&;
    static const std::vector<WrittenFlaw> updated{null_boxes,    null_labels,   short_labels,
                                                  null_heights,  short_heights, of_owned,
                                                  null_left_out, of_edits,      of_an_element};
    static const std::vector<WrittenFlaw> inserted{null_boxes,    null_ids,     short_ids,
                                                   null_labels,   short_labels, null_heights,
                                                   short_heights, of_owned,     of_an_element};
    static const std::vector<WrittenFlaw> updated_by_ids = [] {
        std::vector<WrittenFlaw> all = updated;
        all.insert(all.end(), {null_ids, short_ids});
        return all;
    }();
    static const std::vector<WritingCall> all{
        {"update", updated, [](E engine, W w) { return engine.update(w.boxes, w.options); }},
        {"update with pairs", updated,
         [](E engine, W w) { return engine.update(w.boxes, *w.pairs, w.options); }},
        {"update by ids", updated_by_ids,
         [](E engine, W w) { return engine.update(w.ids, w.boxes, w.options); }},
        {"update by ids with pairs", updated_by_ids,
         [](E engine, W w) { return engine.update(w.ids, w.boxes, *w.pairs, w.options); }},
        {"insert", inserted,
         [](E engine, W w) {
             UpdateOptions options = w.options;
             options.left_out = nullptr;
             return engine.insert(w.boxes, w.ids, options);
         }},
        {"move",
         {null_boxes, null_ids, short_ids, null_heights, short_heights, of_an_element},
         [](E engine, W w) { return engine.move(w.ids, w.boxes, w.options.heights); }},
        {"relabel",
         {null_ids, short_ids, null_labels},
         [](E engine, W w) {
             // As many as there are ids: here labels are what boxes are elsewhere.
             const std::vector<Label> labels(4);
             const bool are_null = w.options.labels.fault() != Code::ok;
             return engine.relabel(w.ids, are_null ? Labels::groups(nullptr, 4) : Labels::of(labels));
         }},
        {"remove", {null_ids}, [](E engine, W w) { return engine.remove(w.ids); }},
    };
    return all;
}

class TwoWrongWrites : public ::testing::Test {
protected:
    // Makes the call with two flaws, or one twice.
    void expect_order(const WritingCall& call, bool wraps, std::array<WrittenFlaw, 2> planted) const {
        const auto has = [&](WrittenFlaw flaw) { return planted[0] == flaw || planted[1] == flaw; };
        const float period = wraps ? 100.0f : 0.0f;
        Engine engine({.period_x = period, .period_y = period});
        ASSERT_EQ(engine.update(agents_), Status{});
        if (has(of_edits)) {
            ASSERT_EQ(engine.move(0, agents_[1]), Status{});
        }
        const std::size_t staged = engine.staged();
        std::vector<Box> boxes = agents_;
        if (has(of_an_element)) boxes[2] = boxes[3] = {5, 0, 4, 1};
        std::vector<AgentId> ids{0, 1, 2, 3};
        const std::vector<Label> labels(has(short_labels) ? 3 : 4, Label{2, 3});
        const std::vector<Band> heights(has(short_heights) ? 3 : 4, Band{1, 2});
        PairList pairs;
        Written given{boxes,
                      std::span(ids).first(has(short_ids) ? 3 : 4),
                      {.labels = labels, .heights = heights},
                      &pairs};
        if (has(null_boxes)) given.boxes = Boxes::points(nullptr, nullptr, 1, 4);
        if (has(null_ids)) given.ids = {static_cast<AgentId*>(nullptr), given.ids.size()};
        if (has(null_labels)) given.options.labels = Labels::groups(nullptr, labels.size());
        if (has(null_heights)) given.options.heights = Heights::arrays(nullptr, nullptr, heights.size());
        if (has(of_owned)) given.options.owned = 5;
        LeftOut nowhere{.ids = {static_cast<AgentId*>(nullptr), 2}};
        if (has(null_left_out)) given.options.left_out = &nowhere;
        const Status status = call.make(engine, given);
        unsigned wanted = no_written_flaw;
        for (const WrittenFlaw flaw : call.flaws)
            if (has(flaw)) wanted = std::min<unsigned>(wanted, flaw);
        SCOPED_TRACE(std::string(call.name) + ", flaws " + std::to_string(planted[0]) + " and " +
                     std::to_string(planted[1]) + ", says: " + status.message());
        if (wanted == no_written_flaw) {
            EXPECT_EQ(status, Status{});
            return;
        }
        EXPECT_EQ(status.code, written_flaws[wanted].code);
        EXPECT_TRUE(status.argument == written_flaws[wanted].argument || wanted == of_an_element);
        EXPECT_TRUE(wanted != of_an_element || status.index == 2);
        EXPECT_TRUE(engine.staged() == staged && engine.frame().number() == 1) << "something was written";
    }

    const std::vector<Box> agents_{{0, 0, 1, 1}, {2, 0, 3, 1}, {4, 0, 5, 1}, {6, 0, 7, 1}};
};

TEST_F(TwoWrongWrites, are_named_in_one_order_by_every_call) {
    for (const WritingCall& call : writing_calls())
        for (const bool wraps : {false, true})
            for (unsigned one = 0; one < no_written_flaw; ++one)
                for (unsigned other = one; other < no_written_flaw; ++other)
                    expect_order(call, wraps,
                                 {static_cast<WrittenFlaw>(one), static_cast<WrittenFlaw>(other)});
}

}  // namespace
}  // namespace throng::test
