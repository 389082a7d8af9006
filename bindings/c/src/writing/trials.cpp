// Trial moves. Each counts what overlaps an agent where it is and where it would be, is decided, and
// published before the next one.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/fold.hpp"
#include "bindings/c/src/cancelling.hpp"
#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/structs.hpp"
#include "bindings/c/src/views.hpp"
#include "bindings/c/src/writing/ids.hpp"
#include "throng/engine.hpp"
#include "throng/frame.hpp"
#include "throng/queries/shapes.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

// What is tried, and by which rule it is accepted.
struct Trials {
    std::span<const AgentId> ids;
    Boxes boxes;
    throng_trial_rule rule;
    Wanted<Filter> wanted;

    float radius(std::size_t i) const noexcept { return rule.radii == nullptr ? rule.radius : rule.radii[i]; }
    double weight_of(std::uint32_t others) const noexcept {
        return others < rule.weight_count ? rule.weights[others] : 0;
    }
    bool accepts(const throng_trial& counted, std::size_t i) const noexcept {
        if (rule.weights == nullptr) return counted.after == 0;
        return rule.randoms[i] * weight_of(counted.before) < weight_of(counted.after);
    }
};

// The first number that is negative or not finite.
template <class Number>
Status check_numbers(const Number* numbers, std::uint64_t count, Code negative, Argument which) noexcept {
    for (std::size_t i = 0; i < count; ++i)
        if (!(numbers[i] >= 0) || std::isinf(numbers[i]))
            return {numbers[i] < 0 ? negative : Code::not_finite, i, which};
    return {};
}

// Of arrays with one number for each trial.
Status check_length(bool is_given, std::uint64_t length, std::uint64_t trials, Argument which) noexcept {
    return {is_given && length != trials ? Code::size_mismatch : Code::ok, which};
}

Status read_rule(const throng_trial_rule* given, std::uint64_t trials, throng_trial_rule& own) noexcept {
    if (const Status bad = read(given, own, Argument::options, false); !bad) return bad;
    const bool has_radii = own.radii != nullptr, has_weights = own.weights != nullptr;
    const Status bad = first_fault(
        check_array(own.radii, own.radii_count, Argument::radii),
        check_length(has_radii, own.radii_count, trials, Argument::radii),
        check_array(own.weights, own.weight_count, Argument::weights),
        check_array(own.randoms, own.random_count, Argument::values),
        check_length(has_weights || own.randoms != nullptr, own.random_count, trials, Argument::values));
    if (!bad) return bad;
    return first_fault(
        Status{own.agents_as > THRONG_AGENTS_AS_CIRCLES ? Code::bad_config : Code::ok, Argument::agents_as},
        has_radii ? check_numbers(own.radii, own.radii_count, Code::inverted, Argument::radii) : Status{},
        check_numbers(own.weights, own.weight_count, Code::bad_config, Argument::weights),
        check_numbers(own.randoms, own.random_count, Code::bad_config, Argument::values));
}

// A trial leaves out the agent that moves, and is one query.
Status check_filter(const throng_filter* given) noexcept {
    auto own = defaults<throng_filter>();
    if (given == nullptr || !read_sized(given, own)) return {};  // view() refuses the latter
    const bool is_of_others = own.self == THRONG_NO_AGENT && own.each == nullptr &&
                              own.each_band == nullptr && own.each_without_itself == 0;
    return {is_of_others ? Code::ok : Code::bad_config, Argument::filters};
}

Count count_around(const Frame& frame, const Trials& trials, std::size_t i, const Point& centre) noexcept {
    Wanted<Filter> others = trials.wanted;
    others.filter.self = trials.ids[i];
    const Circle circle{centre.x, centre.y, trials.radius(i), agents_as(trials.rule.agents_as)};
    return ask(frame, others,
               [&](const auto& asked, const Filter& filter) noexcept { return asked.count(circle, filter); });
}

Status stage_move(Engine& engine, const Trials& trials, std::size_t i) noexcept {
    return engine.move(trials.ids.subspan(i, 1), trials.boxes.part(i, 1));
}

// All moves are staged once to learn whether they are legal; an agent may have several. One count around the
// largest circle learns whether that is legal.
Status check_all(Engine& engine, const Trials& trials) noexcept {
    if (engine.staged() != 0) return Code::edits_pending;
    const std::size_t count = trials.ids.size();
    if (trials.boxes.size() != count) return {Code::size_mismatch, Argument::boxes};
    if (const Code fault = trials.boxes.fault(); fault != Code::ok) return {fault, Argument::boxes};
    Status legal;
    std::size_t largest = 0;
    for (std::size_t i = 0; i < count && legal; ++i) {
        legal = stage_move(engine, trials, i);
        if (legal.code != Code::out_of_memory) legal.index = i;
        if (trials.radius(i) > trials.radius(largest)) largest = i;
    }
    engine.discard();
    if (!legal || count == 0) return legal;
    return count_around(engine.frame(), trials, largest, {0, 0}).status;
}

// Reads where agents are, unless only trials have written since it was read.
Status read_centres(const Frame& frame, Centres& centres) noexcept {
    if (centres.frame == frame.number()) return {};
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    constexpr std::size_t many = std::size_t{1} << 24, ids_an_agent = 64;
    const std::size_t bound = frame.id_bound();
    if (bound > many && bound / ids_an_agent > frame.size()) return {Code::too_many, Argument::ids};
    centres.of.clear();
    if (!centres.of.resize(bound, Point{none, none})) return Code::out_of_memory;
    return frame.for_each_agent([&](AgentId id, const Box& box) { centres.of[id] = box.centre(); });
}

Status publish_move(Engine& engine, const Trials& trials, std::size_t i) noexcept {
    Status status = stage_move(engine, trials, i);
    if (status) status = engine.commit();
    if (!status) engine.discard();
    return status;
}

// The centre of the box that the engine is to keep. So no new frame is asked for it, which would take a look
// at all of its agents.
Point centre_after(const Trials& trials, std::size_t i, const Point& period) noexcept {
    return throng::detail::folded(trials.boxes, i, trials.boxes[i], {period.x, period.y}).centre();
}

// Makes the trials until one fails, and says how many were made.
Status make_trials(throng_engine& engine, const Trials& trials, throng_trial* answers,
                   std::uint64_t& made) noexcept {
    if (const Status bad = engine.engine.commit(); !bad) return bad;  // a static layer that was set
    Frame frame = engine.engine.frame();
    Centres& centres = engine.centres;
    if (const Status bad = read_centres(frame, centres); !bad) return bad;
    for (; made < trials.ids.size(); ++made) {
        if (is_cancelled(nullptr)) return Code::cancelled;
        const auto i = static_cast<std::size_t>(made);
        const Point there = centre_after(trials, i, engine.period);
        Point& here = centres.of[trials.ids[i]];
        const Count before = count_around(frame, trials, i, here),
                    after = count_around(frame, trials, i, there);
        if (const Status bad = first_fault(before.status, after.status); !bad) return bad;
        throng_trial& trial = answers[i];
        trial = {static_cast<std::uint32_t>(before.total), static_cast<std::uint32_t>(after.total), 0};
        if (!trials.accepts(trial, i)) continue;
        frame = Frame();  // the engine may want its memory
        const Status published = publish_move(engine.engine, trials, i);
        frame = engine.engine.frame();
        centres.frame = frame.number();
        if (!published) return published;
        here = there;
        trial.accepted = 1;
    }
    centres.frame = frame.number();
    return {};
}

}  // namespace

int32_t throng_engine_try_moves(throng_engine* engine, const uint32_t* ids, uint64_t count,
                                const throng_boxes* boxes, const throng_trial_rule* rule,
                                const throng_filter* filter, throng_trial* trials, uint64_t room,
                                uint64_t* total, throng_status_details* details) {
    Trials all;
    std::uint64_t made = 0;
    Status status = first_fault(needs(engine, handle), check_ids(ids, count), view(boxes, all.boxes),
                                read_rule(rule, count, all.rule), view(filter, all.wanted),
                                check_filter(filter), check_output(trials, room),
                                Status{room < count ? Code::size_mismatch : Code::ok, Argument::output});
    if (status) {
        all.ids = ids_of(ids, count);
        status = check_all(engine->engine, all);
    }
    if (status) status = make_trials(*engine, all, trials, made);
    if (total != nullptr) *total = made;
    return report(details, status);
}
