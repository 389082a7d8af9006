// An engine and brute force that get the same calls. Both have to answer each with the same status and the same ids.
#pragma once

#include "support/test.hpp"

namespace throng::test {

inline ::testing::AssertionResult agents_agree_by_id(const Frame& frame,
                                                     const oracle::BruteForceFrame& twin) {
    const std::vector<AgentId> ids = twin.ids();
    const std::vector<Box> boxes = twin.boxes();
    const std::vector<Label> labels = twin.labels();
    std::size_t next = 0;
    for (AgentId id = 0; id < frame.id_bound() + 200; ++id) {
        const bool used = next < ids.size() && ids[next] == id;
        if (frame.contains(id) != used || frame.box(id) != (used ? boxes[next] : no_box) ||
            frame.label(id) != (used ? labels[next] : Label{}))
            return ::testing::AssertionFailure() << "agent " << id << " is not as it should be";
        next += used;
    }
    if (next != ids.size() || frame.size() != next)
        return ::testing::AssertionFailure() << "agents are missing";
    return ::testing::AssertionSuccess();
}

class Twins {
public:
    explicit Twins(const EngineConfig& config = {}) : engine_(config) {}

    const Engine& engine() const { return engine_; }
    Frame frame() const { return engine_.frame(); }
    oracle::BruteForceFrame twin() const { return twin_.frame(); }
    // Whether the id belongs to an agent, staged edits included.
    bool knows(AgentId id) const { return twin_.knows(id); }
    std::size_t size() const { return twin_.size(); }

    Code update(const Boxes& boxes, const Labels& labels = {}) {
        return both([&](auto& each) { return each.update(boxes, labels); });
    }
    Code update(std::span<const AgentId> ids, const Boxes& boxes, const Labels& labels = {}) {
        return both([&](auto& each) { return each.update(ids, boxes, labels); });
    }
    Code renumber(std::span<const AgentId> order) {
        return both([&](auto& each) { return each.renumber(order); });
    }
    Code insert(const Box& box, AgentId& id) { return insert(Boxes::of({&box, 1}), {}, {&id, 1}); }
    Code insert(const Boxes& boxes, const Labels& labels, std::span<AgentId> ids) {
        std::vector<AgentId> others(ids.begin(), ids.end());
        const Code code = same(engine_.insert(boxes, labels, ids), twin_.insert(boxes, labels, others));
        EXPECT_TRUE(equal_ranges(ids, others)) << "the lowest free ids";
        return code;
    }
    Code move(AgentId id, const Box& box) {
        return both([&](auto& each) { return each.move(id, box); });
    }
    Code move(std::span<const AgentId> ids, const Boxes& boxes) {
        return both([&](auto& each) { return each.move(ids, boxes); });
    }
    Code relabel(AgentId id, const Label& label) {
        return both([&](auto& each) { return each.relabel(id, label); });
    }
    Code relabel(std::span<const AgentId> ids, const Labels& labels) {
        return both([&](auto& each) { return each.relabel(ids, labels); });
    }
    Code remove(AgentId id) {
        return both([&](auto& each) { return each.remove(id); });
    }
    Code remove(std::span<const AgentId> ids) {
        return both([&](auto& each) { return each.remove(ids); });
    }
    Code commit() {
        return both([](auto& each) { return each.commit(); });
    }
    Code rebase(float dx, float dy) {
        return both([&](auto& each) { return each.rebase(dx, dy); });
    }
    void discard() {
        engine_.discard();
        twin_.discard();
    }

    // Whether they agree in all pairs, in these queries, and in the boxes and labels by id, and the engine is sound.
    ::testing::AssertionResult agree(const std::vector<Box>& queries) const {
        if (const Validation found = engine_.validate(); !found.sound())
            return ::testing::AssertionFailure() << ::testing::PrintToString(found);
        if (engine_.staged() != twin_.staged()) return ::testing::AssertionFailure() << "staged edits differ";
        if (auto same = agents_agree_by_id(frame(), twin()); !same) return same;
        return answers_as(frame(), expect(twin(), queries));
    }

private:
    static Code same(const Status& one, const Status& other) {
        EXPECT_EQ(one, other);
        return one.code;
    }
    template <class Call>
    Code both(Call&& call) {
        return same(call(engine_), call(twin_));
    }

    Engine engine_;
    oracle::BruteForce twin_;
};

}  // namespace throng::test
