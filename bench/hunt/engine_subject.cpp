#include "bench/common/failures.hpp"
#include "bench/hunt/touched_memory.hpp"
#include "bench/hunt/trial_engine.hpp"
#include "throng/engine.hpp"
#include "throng/memory.hpp"

namespace throng::hunt {

namespace {

using bench::require;

class EngineSubject final : public TimedSubject {
public:
    explicit EngineSubject(const worlds::Period& period)
        : engine_({.executor = serial_executor(),
                   .memory = &memory_,
                   .period_x = period.x,
                   .period_y = period.y}),
          trials_(period) {}

    bool can(Operation operation) const override {
        if (operation == Operation::trials) return TrialEngine::exists();
        return operation != Operation::moves;
    }

    void update(const worlds::Scene& scene) override {
        require(engine_.update(Boxes::of(scene.boxes), {.heights = scene.heights}), "update");
        frame_ = engine_.frame();
    }
    std::uint64_t pairs() override {
        require(frame_.pairs(pairs_), "pairs");
        return pairs_.size();
    }
    std::uint64_t count_pairs() override {
        const Count found = frame_.count_pairs();
        require(found.status, "count_pairs");
        return found.total;
    }
    std::uint64_t list(const BoxBatch& boxes) override {
        require(frame_.overlaps(Boxes::of(boxes.queries), hits_, boxes.all_filters()), "overlaps");
        return hits_.ids().size();
    }
    std::uint64_t count(const BoxBatch& boxes) override {
        if (!counts_.resize(boxes.size())) throw std::bad_alloc();
        require(frame_.count(Boxes::of(boxes.queries), {counts_.data(), counts_.size()}, boxes.all_filters()),
                "count");
        std::uint64_t all = 0;
        for (const std::uint32_t one : counts_) all += one;
        return all;
    }
    std::uint64_t list_shapes(const ShapeBatch& shapes) override {
        require(frame_.overlaps(shapes.queries, hits_, shapes.all_filters()), "overlaps");
        return hits_.ids().size();
    }
    std::uint64_t single(const Box& box, const Filter& filter) override {
        std::uint64_t answers = 0;
        require(frame_.for_each_overlap(
                    box, [&answers](std::span<const AgentId> ids) { answers += ids.size(); }, filter),
                "overlaps");
        return answers;
    }
    void edit(const std::vector<Edit>& edits) override {
        for (const Edit& one : edits) require(engine_.move(one.id, one.box, one.height), "move");
        require(engine_.commit(), "commit");
        frame_ = engine_.frame();
    }
    std::size_t bytes() const override { return memory_.bytes(); }

    void look_at(const worlds::Scene& scene, std::size_t casts, worlds::Random& random) override {
        asker_.look_at(scene, casts, random);
    }
    std::size_t size_of(const worlds::Question& question) const override { return asker_.size_of(question); }
    bool is_promised(const worlds::Question& question) override {
        return asker_.is_promised(frame_, question);
    }
    double expected_answers(const worlds::Question& question) override {
        return asker_.expected_answers(frame_, question);
    }
    std::uint64_t ask(const worlds::Question& question) override { return asker_.ask(frame_, question); }
    void follow(const worlds::Scene& scene) override { trials_.update(scene); }
    std::uint64_t try_moves(const std::vector<Edit>& moves) override { return trials_.try_moves(moves); }

private:
    Engine engine_;
    TrialEngine trials_;
    worlds::Asker asker_{&outputs_};
    Frame frame_;
    PairList pairs_{&outputs_};
    OverlapLists hits_{&outputs_};
    detail::Buffer<std::uint32_t> counts_{&outputs_};
};

}  // namespace

MakeSubject engine_subject() {
    return [](const worlds::Scene& scene) { return std::make_unique<EngineSubject>(scene.period); };
}

}  // namespace throng::hunt
