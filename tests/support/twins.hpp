// Engines, mostly one, and brute force, which get the same calls. All must answer each call with the same
// status and the same ids.
#pragma once

#include "support/test.hpp"

namespace throng::test {

inline ::testing::AssertionResult agents_agree_by_id(const Frame& frame,
                                                     const oracle::BruteForceFrame& twin) {
    const std::vector<AgentId> ids = twin.ids();
    const std::vector<Box> boxes = twin.boxes();
    const std::vector<Label> labels = twin.labels();
    const std::vector<Band> heights = twin.heights();
    const std::vector<bool> ghosts = twin.ghosts();
    std::size_t next = 0;
    for (AgentId id = 0; id < frame.id_bound() + 200; ++id) {
        const bool used = next < ids.size() && ids[next] == id;
        if (frame.contains(id) != used || frame.box(id) != (used ? boxes[next] : no_box) ||
            frame.label(id) != (used ? labels[next] : Label{}) ||
            frame.height(id) != (used ? heights[next] : Band{}) ||
            frame.is_ghost(id) != (used && ghosts[next]))
            return ::testing::AssertionFailure() << "agent " << id << " is not as it should be";
        next += used;
    }
    if (next != ids.size() || frame.size() != next ||
        frame.ghost_count() != static_cast<std::size_t>(std::count(ghosts.begin(), ghosts.end(), true)))
        return ::testing::AssertionFailure() << "agents are missing";
    return ::testing::AssertionSuccess();
}

class Twins {
public:
    explicit Twins(const EngineConfig& config = {}) : twin_({config.period_x, config.period_y}) {
        engines_.emplace_back(config);
    }
    // On each instruction set, on several threads and on one in turn.
    Twins(EngineConfig config, const Executor& executor) : twin_({config.period_x, config.period_y}) {
        for (const Isa isa : instruction_sets()) {
            config.isa = isa;
            config.executor = engines_.size() % 2 == 0 ? executor : serial_executor();
            engines_.emplace_back(config);
        }
    }

    const std::vector<Engine>& engines() const { return engines_; }
    const Engine& engine() const { return engines_.front(); }
    Frame frame() const { return engine().frame(); }
    oracle::BruteForceFrame twin() const { return twin_.frame(); }
    // Whether the id belongs to an agent, staged edits included.
    bool knows(AgentId id) const { return twin_.knows(id); }
    std::size_t size() const { return twin_.size(); }

    Code update(const Boxes& boxes, const UpdateOptions& options = {}) {
        return both([&](auto& each) { return each.update(boxes, options); });
    }
    Code update(std::span<const AgentId> ids, const Boxes& boxes, const UpdateOptions& options = {}) {
        return both([&](auto& each) { return each.update(ids, boxes, options); });
    }
    // Each engine lists the pairs that its frame has.
    Code update_with_pairs(const Boxes& boxes, const UpdateOptions& options = {}) {
        const Status status = twin_.update(boxes, options);
        for (Engine& engine : engines_) {
            PairList listed, of_frame;
            EXPECT_EQ(engine.update(boxes, listed, options), status);
            if (status) {
                EXPECT_EQ(engine.frame().pairs(of_frame), Status{});
            }
            EXPECT_TRUE(equal_ranges(listed, of_frame));
        }
        return status.code;
    }
    // Those that are not legal are left out.
    Code update_legal(std::span<const AgentId> ids, const Boxes& boxes, UpdateOptions options = {}) {
        std::vector<AgentId> expected(boxes.size()), listed(boxes.size());
        LeftOut by_twin{expected}, left_out{listed};
        options.left_out = &by_twin;
        const Status status = twin_.update(ids, boxes, options);
        options.left_out = &left_out;
        for (Engine& engine : engines_) {
            EXPECT_EQ(engine.update(ids, boxes, options), status);
            EXPECT_EQ(left_out.total, by_twin.total);
            EXPECT_EQ(listed, expected);
        }
        return status.code;
    }
    Code renumber(std::span<const AgentId> order) {
        return both([&](auto& each) { return each.renumber(order); });
    }
    Code insert(const Box& box, AgentId& id) { return insert(Boxes::of({&box, 1}), {&id, 1}); }
    Code insert(const Boxes& boxes, std::span<AgentId> ids, const UpdateOptions& options = {}) {
        const Status status = twin_.insert(boxes, ids, options);
        for (Engine& engine : engines_) {
            std::vector<AgentId> others(ids.size());
            EXPECT_EQ(engine.insert(boxes, others, options), status);
            EXPECT_TRUE(!status || equal_ranges(ids, others)) << "the lowest free ids";
        }
        return status.code;
    }
    Code move(AgentId id, const Box& box) {
        return both([&](auto& each) { return each.move(id, box); });
    }
    Code move(AgentId id, const Box& box, const Band& height) {
        return both([&](auto& each) { return each.move(id, box, height); });
    }
    Code move(std::span<const AgentId> ids, const Boxes& boxes, const Heights& heights = {}) {
        return both([&](auto& each) { return each.move(ids, boxes, heights); });
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
        for (Engine& engine : engines_) engine.discard();
        twin_.discard();
    }
    // By each engine's own handle for the agent; the twin has no handles.
    Code remove_by_handle(AgentId id) {
        return both_by_handle(id, [](auto& each, AgentId agent) { return each.remove(agent); });
    }
    Code move_by_handle(AgentId id, const Box& box) {
        return both_by_handle(id, [&](auto& each, AgentId agent) { return each.move(agent, box); });
    }
    // Changes nothing that anyone can see, and the twin has none to give.
    void release_memory() {
        for (Engine& engine : engines_) {
            engine.release_memory();
            EXPECT_EQ(engine.staged(), twin_.staged());
        }
    }
    // The same. Memory is taken for that many agents, or is there.
    void reserve(std::size_t agents) {
        for (Engine& engine : engines_) EXPECT_EQ(engine.reserve(agents, agents / 8), Status{});
    }
    // To another place in memory.
    void relocate() {
        for (Engine& engine : engines_) {
            Engine elsewhere(std::move(engine));
            engine = std::move(elsewhere);
        }
    }
    // Of the frames that follow.
    void set_static_layer(const std::vector<Box>& walls, const std::vector<Label>& labels,
                          const std::vector<Band>& heights = {}) {
        const UpdateOptions options{labels, heights};
        oracle::BruteForce layer(twin().around());
        EXPECT_EQ(layer.update(walls, options), Status{});
        twin_.set_static_layer(layer.frame());
        for (Engine& engine : engines_)
            EXPECT_EQ(engine.set_static_layer(StaticLayer(walls, options, {.isa = engine.isa()})), Status{});
    }
    void clear_static_layer() {
        for (Engine& engine : engines_) engine.clear_static_layer();
        twin_.clear_static_layer();
    }

    // Whether they agree in the boxes and labels by id, and the engines are sound; and also in all pairs and
    // these queries.
    ::testing::AssertionResult agree_by_id() const {
        for (const Engine& engine : engines_) {
            if (const Validation found = engine.validate(); !found.sound())
                return ::testing::AssertionFailure() << ::testing::PrintToString(found);
            if (engine.staged() != twin_.staged())
                return ::testing::AssertionFailure() << "staged edits differ";
            if (auto same = agents_agree_by_id(engine.frame(), twin()); !same) return same;
        }
        return ::testing::AssertionSuccess();
    }
    ::testing::AssertionResult agree(const std::vector<Box>& queries) const {
        auto same = agree_by_id();
        const ExpectedAnswers expected = expect(twin(), queries);
        for (std::size_t i = 0; same && i < engines_.size(); ++i)
            same = answers_as(engines_[i].frame(), expected);
        return same;
    }

private:
    template <class Call>
    Code both(Call&& call) {
        const Status status = call(twin_);
        for (Engine& engine : engines_) EXPECT_EQ(call(engine), status);
        return status.code;
    }

    template <class Call>
    Code both_by_handle(AgentId id, Call&& call) {
        const Status known = twin_.knows(id) ? Status{} : Status{Code::unknown_id, 0};
        const Status status = known ? call(twin_, id) : known;
        for (Engine& engine : engines_) {
            AgentHandle handle;
            EXPECT_EQ(engine.handle(id, handle), known);
            EXPECT_EQ(call(engine, engine.id(handle)), status);
        }
        return status.code;
    }

    std::vector<Engine> engines_;
    oracle::BruteForce twin_;
};

}  // namespace throng::test
