// Whether frames answer calls as brute force does.
#pragma once

#include <deque>

#include "harness/calls.hpp"
#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {

// A frame, and what it answers into: a host keeps its results from frame to frame.
struct AskedFrame {
    Frame frame;
    Results& results;
};

// What brute force finds of each kind, or of some kinds by name.
class Expectation {
public:
    Expectation(const oracle::BruteForceFrame& twin, std::shared_ptr<const Asked> asked,
                const std::vector<std::string_view>& kinds);

    // Every form of every call gives that, and all forms of a kind give it in one order.
    ::testing::AssertionResult met_by(const Frame& frame, std::string_view only_kind = {}) const;
    // All frames also answer alike, to the last bit.
    ::testing::AssertionResult met_by(std::span<const AskedFrame> frames) const;

private:
    struct Expected {
        const Kind& kind;
        Order order;
        std::vector<Numbers> lists;  // arranged in that order
        std::uint64_t total;
    };
    class Comparison;

    std::shared_ptr<const Asked> asked_;
    std::vector<Expected> expected_;
};

// Engines on every instruction set, on one thread and on several in turn, with the same agents as their twin.
class ManyTwins {
public:
    explicit ManyTwins(const EngineConfig& config);

    Twins& twins() { return twins_; }
    // Asks their newest frames every kind of call, or some kinds by name. Changes of pairs are those since
    // the last time.
    ::testing::AssertionResult agree(const Scene& scene, const Amounts& amounts, Filtered filtered,
                                     std::uint64_t seed, const std::vector<std::string_view>& kinds = {});

private:
    ThreadPool pool_{3};
    Twins twins_;
    std::deque<Results> results_;
    std::vector<Pair> known_pairs_;
};

}  // namespace throng::test
