#include "bench/common/counting_resource.hpp"
#include "bench/common/failures.hpp"
#include "bench/hunt/subject.hpp"
#include "throng/engine.hpp"
#include "worlds/hunted/steps.hpp"

namespace throng::hunt {

namespace {

using bench::require;

class CountingSubject final : public Subject {
public:
    bool can(Operation operation) const override { return can_be_counted(operation); }
    double spent() const override { return steps_; }

    void update(const std::vector<Box>& boxes) override {
        require(engine_.update(Boxes::of(boxes)), "update");
        frame_ = engine_.frame();
    }
    std::uint64_t list(const std::vector<Box>& boxes) override {
        return count_steps(frame_.explain(Boxes::of(boxes)));
    }
    std::uint64_t list_shapes(const std::vector<Shape>& shapes) override {
        return count_steps(frame_.explain(shapes));
    }
    std::uint64_t single(const Box& box) override { return count_steps(frame_.explain(box)); }
    std::size_t bytes() const override { return memory_.bytes(); }

    // What it cannot is not asked of it.
    std::uint64_t pairs() override { return 0; }
    std::uint64_t count_pairs() override { return 0; }
    std::uint64_t count(const std::vector<Box>&) override { return 0; }
    void edit(const std::vector<Edit>&) override {}

private:
    std::uint64_t count_steps(const Explain& cost) {
        require(cost.status, "explain");
        steps_ += worlds::weighted_steps(cost);
        return cost.hits;
    }

    bench::CountingResource memory_;
    Engine engine_{{.executor = serial_executor(), .memory = &memory_}};
    Frame frame_;
    double steps_ = 0;
};

}  // namespace

MakeSubject counting_subject() {
    return [](const std::vector<Box>&) { return std::make_unique<CountingSubject>(); };
}

}  // namespace throng::hunt
