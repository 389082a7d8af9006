#include "harness/agreement.hpp"

#include "support/test.hpp"

namespace throng::test {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

// In an order that does not depend on the frame's.
void arrange(Numbers& list, Order order) {
    if (order == Order::given) return;
    if (order == Order::of_pairs)
        for (std::uint64_t& pair : list)
            pair = std::min(pair, pair << 32 | pair >> 32);  // the lower id first
    std::sort(list.begin(), list.end());
}
Numbers arranged(Numbers list, Order order) {
    arrange(list, order);
    return list;
}

// What a call has to give of a list.
Numbers part_of(const Numbers& list, Gives gives) {
    switch (gives) {
    case Gives::sizes: return {list.size()};
    case Gives::any: return {list.empty() ? 0u : 1u};
    case Gives::one: return {list.begin(), list.begin() + (list.empty() ? 0 : 1)};
    case Gives::two:
        return {list.begin(),
                list.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(list.size(), 2))};
    default: return list;
    }
}

AssertionResult differs(std::size_t list, const Numbers& got, const Numbers& expected) {
    AssertionResult failure = AssertionFailure();
    failure << "list " << list << " has " << got.size() << " and not " << expected.size() << ":";
    for (const Numbers* some : {&got, &expected}) {
        for (std::size_t k = 0; k < std::min<std::size_t>(some->size(), 12); ++k)
            failure << ' ' << ((*some)[k] >> 32) << '/' << ((*some)[k] & 0xFFFFFFFFu);
        failure << (some == &got ? " |" : "");
    }
    return failure;
}

using Lists = std::vector<Numbers>;

}  // namespace

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = [] {
        std::vector<Kind> some;
        for (const auto& part : {kinds_of_overlaps(), kinds_of_pairs(), kinds_of_neighbours(),
                                 kinds_of_layered_neighbours(), kinds_of_casts()})
            some.insert(some.end(), part.begin(), part.end());
        return some;
    }();
    return all;
}

// All calls of one kind, to one frame after the other.
class Expectation::Comparison {
public:
    Comparison(const Expected& expected, const Asked& asked)
        : expected_(expected), kind_(expected.kind), asked_(asked), records_(kind_.calls.size()) {}

    AssertionResult of(const Frame& frame, Results& results) {
        for (std::size_t i = 0; i < kind_.calls.size(); ++i) {
            const Call& call = kind_.calls[i];
            if (call.is_none && call.is_none(asked_)) continue;
            results.answer.clear();
            results.record.clear();
            const Status status = call.make(frame, asked_, results);
            const bool refused = call.is_refused && call.is_refused(asked_);
            if (status != (refused ? Status{Code::bad_config} : Status{}))
                return AssertionFailure() << kind_.name << ", " << call.name << ": " << status.message()
                                          << " at " << status.index << (refused ? ", and is refused" : "");
            if (refused) continue;
            AssertionResult same = compare(call, results.answer);
            if (same && is_first_) records_[i] = results.record;
            if (same && records_[i] != results.record) same = AssertionFailure() << "another record";
            if (!same) return same << ", " << kind_.name << ", " << call.name;
        }
        is_first_ = false;
        return AssertionSuccess();
    }

private:
    AssertionResult compare(const Call& call, const Lists& answer) {
        if (call.gives == Gives::total) {
            if (answer.at(0).at(0) == expected_.total) return AssertionSuccess();
            return AssertionFailure() << answer[0][0] << " in all and not " << expected_.total;
        }
        if (in_order_.empty()) {
            if (call.gives != Gives::lists) return AssertionFailure() << "no lists to compare with";
            in_order_ = answer;
            in_order_.resize(std::max(answer.size(), expected_.lists.size()) + 1);
            return agrees_with(expected_.lists, call, answer);
        }
        return agrees_with(call.gives == Gives::in_any_order ? expected_.lists : in_order_, call, answer);
    }
    // There may be more lists than are expected: of ids that are not in use.
    AssertionResult agrees_with(const Lists& lists, const Call& call, const Lists& answer) const {
        if (answer.size() < expected_.lists.size())
            return AssertionFailure() << answer.size() << " lists and not " << expected_.lists.size();
        const bool any_order = &lists == &expected_.lists;
        for (std::size_t i = 0; i < answer.size(); i += call.is_single ? asked_.one_in : 1) {
            static const Numbers none;
            const Numbers& all = i < lists.size() ? lists[i] : none;
            if (answer[i] == all && (call.gives == Gives::lists || call.gives == Gives::in_any_order))
                continue;
            const Numbers expected = part_of(all, call.gives);
            const Numbers got = any_order ? arranged(answer[i], expected_.order) : answer[i];
            if (got != expected) return differs(i, got, expected);
        }
        return AssertionSuccess();
    }

    const Expected& expected_;
    const Kind& kind_;
    const Asked& asked_;
    Lists in_order_;
    std::vector<Numbers> records_;
    bool is_first_ = true;
};

Expectation::Expectation(const oracle::BruteForceFrame& twin, std::shared_ptr<const Asked> asked,
                         const std::vector<std::string_view>& names)
    : asked_(std::move(asked)) {
    const bool is_layered = twin.static_layer().size() != 0;
    for (const Kind& kind : kinds()) {
        const bool is_named = std::find(names.begin(), names.end(), kind.name) != names.end();
        if (names.empty() ? kind.is_layered && !is_layered : !is_named) continue;
        expected_.push_back({kind, kind.order(*asked_), kind.expect(twin, *asked_), 0});
        Expected& expected = expected_.back();
        for (Numbers& list : expected.lists) {
            arrange(list, expected.order);
            expected.total += list.size();
        }
    }
    EXPECT_TRUE(names.empty() || expected_.size() == names.size()) << "there is no such kind";
}

AssertionResult Expectation::met_by(const Frame& frame, std::string_view only_kind) const {
    Results results;
    for (const Expected& expected : expected_) {
        if (!only_kind.empty() && only_kind != expected.kind.name) continue;
        if (AssertionResult same = Comparison(expected, *asked_).of(frame, results); !same) return same;
    }
    return AssertionSuccess();
}

AssertionResult Expectation::met_by(std::span<const AskedFrame> frames) const {
    for (const Expected& expected : expected_) {
        Comparison comparison(expected, *asked_);
        for (std::size_t i = 0; i < frames.size(); ++i)
            if (AssertionResult same = comparison.of(frames[i].frame, frames[i].results); !same)
                return same << ", frame " << i;
    }
    return AssertionSuccess();
}

ManyTwins::ManyTwins(const EngineConfig& config)
    : twins_(config, pool_.executor()), results_(twins_.engines().size()) {}

AssertionResult ManyTwins::agree(const Scene& scene, const Amounts& amounts, Filtered filtered,
                                 std::uint64_t seed, const std::vector<std::string_view>& kinds) {
    if (AssertionResult same = twins_.agree_by_id(); !same) return same;
    // Where agents have very many partners, answers are long.
    const bool crowded = twins_.twin().count_pairs().total > 30 * scene.agents().size();
    const auto asked = std::make_shared<Asked>(scene, twins_.frame().id_bound(),
                                               crowded ? amounts.fewer() : amounts, filtered, seed);
    asked->known_pairs = known_pairs_;
    asked->fit_into(twins_.twin().around());
    std::vector<AskedFrame> frames;
    for (std::size_t i = 0; i < results_.size(); ++i)
        frames.push_back({twins_.engines()[i].frame(), results_[i]});
    oracle::PairLists now;
    EXPECT_EQ(twins_.twin().pairs(now, asked->pair_queries[0]), Status{});
    known_pairs_.assign(now.begin(), now.end());
    return Expectation(twins_.twin(), asked, kinds).met_by(frames);
}

}  // namespace throng::test
