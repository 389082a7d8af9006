#include "bench/common/failures.hpp"
#include "bench/hunt/touched_memory.hpp"
#include "throng/engine.hpp"
#include "throng/memory.hpp"

namespace throng::hunt {

namespace {

using bench::require;

class EngineSubject final : public TimedSubject {
public:
    bool can(Operation operation) const override { return operation != Operation::moves; }

    void update(const std::vector<Box>& boxes) override {
        require(engine_.update(Boxes::of(boxes)), "update");
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
    std::uint64_t list(const std::vector<Box>& boxes) override {
        require(frame_.overlaps(Boxes::of(boxes), hits_), "overlaps");
        return hits_.ids().size();
    }
    std::uint64_t count(const std::vector<Box>& boxes) override {
        if (!counts_.resize(boxes.size())) throw std::bad_alloc();
        require(frame_.count(Boxes::of(boxes), {counts_.data(), counts_.size()}), "count");
        std::uint64_t all = 0;
        for (const std::uint32_t one : counts_) all += one;
        return all;
    }
    std::uint64_t list_shapes(const std::vector<Shape>& shapes) override {
        require(frame_.overlaps(shapes, hits_), "overlaps");
        return hits_.ids().size();
    }
    std::uint64_t single(const Box& box) override {
        std::uint64_t answers = 0;
        require(
            frame_.for_each_overlap(box, [&answers](std::span<const AgentId> ids) { answers += ids.size(); }),
            "overlaps");
        return answers;
    }
    void edit(const std::vector<Edit>& edits) override {
        for (const Edit& one : edits) require(engine_.move(one.id, one.box), "move");
        require(engine_.commit(), "commit");
        frame_ = engine_.frame();
    }
    std::size_t bytes() const override { return memory_.bytes(); }

private:
    Engine engine_{{.executor = serial_executor(), .memory = &memory_}};
    Frame frame_;
    PairList pairs_{&outputs_};
    OverlapLists hits_{&outputs_};
    detail::Buffer<std::uint32_t> counts_{&outputs_};
};

}  // namespace

MakeSubject engine_subject() {
    return [](const std::vector<Box>&) { return std::make_unique<EngineSubject>(); };
}

}  // namespace throng::hunt
