#include "bench/common/counting_resource.hpp"
#include "bench/common/failures.hpp"
#include "bench/hunt/subject.hpp"
#include "tests/counting/counting.hpp"
#include "throng/engine.hpp"
#include "worlds/hunted/steps.hpp"

namespace throng::hunt {

namespace {

using bench::require;

class CountingSubject final : public Subject {
public:
    bool can(Operation operation) const override { return can_be_counted(operation); }
    explicit CountingSubject(const worlds::Period& period)
        : engine_({.executor = serial_executor(),
                   .memory = &memory_,
                   .period_x = period.x,
                   .period_y = period.y,
                   .isa = counting::counting_set()}) {}

    double spent() const override { return steps_; }

    void update(const worlds::Scene& scene) override {
        require(engine_.update(Boxes::of(scene.boxes), {.heights = scene.heights}), "update");
        frame_ = engine_.frame();
    }
    std::uint64_t list(const BoxBatch& boxes) override {
        return count_steps(frame_.explain(Boxes::of(boxes.queries), boxes.all_filters()));
    }
    std::uint64_t list_shapes(const ShapeBatch& shapes) override {
        return count_steps(frame_.explain(shapes.queries, shapes.all_filters()));
    }
    std::uint64_t single(const Box& box, const Filter& filter) override {
        return count_steps(frame_.explain(box, filter));
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
    std::uint64_t ask(const worlds::Question& question) override {
        const std::uint64_t before = counting::steps();
        const std::uint64_t answers = asker_.ask(frame_, question);
        steps_ += worlds::weighted_steps(question, counting::steps() - before,
                                         static_cast<double>(asker_.size_of(question)),
                                         static_cast<double>(answers));
        return answers;
    }

    // What it cannot is not asked of it.
    std::uint64_t pairs() override { return 0; }
    std::uint64_t count_pairs() override { return 0; }
    std::uint64_t count(const BoxBatch&) override { return 0; }
    void edit(const std::vector<Edit>&) override {}

private:
    std::uint64_t count_steps(const Explain& cost) {
        require(cost.status, "explain");
        steps_ += worlds::weighted_steps(cost);
        return cost.hits;
    }

    bench::CountingResource memory_;
    Engine engine_;
    worlds::Asker asker_;
    Frame frame_;
    double steps_ = 0;
};

}  // namespace

MakeSubject counting_subject() {
    return [](const worlds::Scene& scene) { return std::make_unique<CountingSubject>(scene.period); };
}

}  // namespace throng::hunt
