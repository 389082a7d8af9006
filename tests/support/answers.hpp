// What a frame answers to a list of queries. `Answers` keeps the engine's order, so two of them are equal
// only if they are the same to the last byte. `ExpectedAnswers` is what brute force says, in no order.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gtest/gtest.h"
#include "oracle/brute_force.hpp"
#include "throng/boxes.hpp"
#include "throng/engine.hpp"
#include "throng/frame.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/static_layer.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

struct Answers {
    std::uint64_t size = 0;
    std::uint64_t fingerprint = 0;
    std::vector<std::uint64_t> offsets;
    std::vector<AgentId> ids;
    std::vector<std::uint32_t> counts;
    std::vector<std::uint8_t> any;
    std::vector<Pair> pairs;
    Tuning tuning;
};

// Queries through the batch calls. Fails the running test if a call fails.
Answers ask(const Frame& frame, const std::vector<Box>& queries);

// Whether two gave the same answers in the same order; if not, where they first differ.
::testing::AssertionResult identical(const Answers& one, const Answers& other);

// What brute force answers to these queries, and all its pairs.
class Expectation;
struct ExpectedAnswers {
    std::shared_ptr<const Expectation> all;
    std::vector<Pair> pairs;
};

ExpectedAnswers expect(const oracle::BruteForceFrame& frame, const std::vector<Box>& queries);

// Whether the frame answers so, in every form of the call; the forms must also agree on the order. Each half
// may be asked for alone, where time is short.
::testing::AssertionResult answers_as(const Frame& frame, const ExpectedAnswers& expected);
::testing::AssertionResult queries_agree(const Frame& frame, const ExpectedAnswers& expected);
::testing::AssertionResult pairs_agree(const Frame& frame, const ExpectedAnswers& expected);

// An engine that was updated with these agents, also over a static layer; the same of brute force; and the
// frame of such an engine.
Engine engine_with(const Boxes& boxes, const EngineConfig& config = {});
Engine engine_with(const Boxes& boxes, const Labels& labels, const EngineConfig& config = {});
Engine engine_with_layer(const StaticLayer& layer, const Boxes& boxes, const EngineConfig& config = {});
oracle::BruteForce twin_with(const Boxes& boxes);
Frame frame_of(const std::vector<Box>& boxes);
Frame frame_of(const Scene& scene);

// The same pairs, but with agents of another frame, which may be a temporary one.
inline PairQuery with_other(const Frame& other, PairQuery wanted = {}) {
    wanted.with = &other;
    return wanted;
}

// The status of an edit, or of its commit.
Status committed(Engine& engine, const Status& edit);

PairList listed_pairs(const Frame& frame, const PairQuery& wanted = {});
// The ids of one answer in the engine's order.
std::vector<AgentId> hits_of(const Frame& frame, const Box& query);
// The same pairs, each with the lower id first, in ascending order.
std::vector<Pair> in_order(std::span<const Pair> pairs);

// A frame's pairs in that order.
std::vector<Pair> sorted_pairs(const Frame& frame);

}  // namespace throng::test
