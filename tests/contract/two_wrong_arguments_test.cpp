// Of two wrong arguments a status names the one that calls look at first: it is the same order for every call
// that reads a frame, whatever is in the frame.
#include <deque>

#include "harness/calls.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Something wrong with what a call is given, in that order.
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

// Whether a call that was made has an argument with which that may be wrong.
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

// Those that are not yet in this order, and what they name instead.
struct NotYet {
    const char* kind;  // how its name begins
    const char* call;  // the same; "single" is each that is made for one query after the other
    Flaw wanted;
    std::vector<Flaw> named;
};
const std::vector<NotYet>& not_yet() {
    static const std::vector<NotYet> all{

        {"casts", "single", of_a_band, {of_a_query}},
        {"casts", "single", of_the_frame, {of_a_query}},
        {"casts", "blocked", of_queries, {of_memory, too_little_memory}},
        {"casts", "blocked", of_memory, {too_little_memory}},
        {"casts", "first hits", of_queries, {of_memory, too_little_memory}},
        {"casts", "first hits", of_memory, {too_little_memory}},

    };
    return all;
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
        for (const NotYet& other : not_yet())
            if (begins_with(kind.name, other.kind) && other.wanted == wanted &&
                (std::string_view(other.call) == "single" ? call.is_single
                                                          : begins_with(call.name, other.call)) &&
                std::count(other.named.begin(), other.named.end(), named) != 0) {
                used_.insert(&other);
                return;
            }
        ADD_FAILURE() << kind.name << ": " << call.name << " has to name flaw " << wanted
                      << ", and says: " << status.message();
    }

    const Scene scene_ = make_scene("uniform", 40);
    std::set<const NotYet*> used_;
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
    for (const NotYet& other : not_yet())
        EXPECT_TRUE(used_.contains(&other)) << other.kind << ": " << other.call << " are in order by now";
}

}  // namespace
}  // namespace throng::test
