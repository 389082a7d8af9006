// The engine, used as a host would use it: its arrays are handed over where they lie, and results go into
// lists that are used again every frame.
#include <algorithm>

#include "bench/common/failures.hpp"
#include "bench/compare/index.hpp"
#include "throng/throng.hpp"

namespace throng::bench {

namespace {

Box box_of(const workload::Rect& r) { return {r.x0, r.y0, r.x1, r.y1}; }

class EngineIndex final : public Index {
public:
    explicit EngineIndex(const Setup& setup)
        : engine_({.executor = setup.executor, .memory = setup.memory, .isa = setup.isa}),
          found_(setup.agents),
          threads_(setup.threads) {
        require(engine_.status(), "making the engine");
    }

    bool can(Ability ability) const override { return ability != Ability::leaf_order; }
    unsigned threads() const override { return threads_; }
    const char* instruction_set() const override { return to_string(engine_.isa()); }

    void update(const workload::World& w) override {
        const Boxes boxes = Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
        require(engine_.update(boxes), "update");
        frame_ = engine_.frame();
    }
    void find_pairs() override { require(frame_.pairs(pairs_), "pairs"); }
    workload::Checksum pairs() const override {
        workload::Checksum sum;
        for (const Pair& pair : pairs_) sum.pair(pair.a, pair.b);
        return sum;
    }

    void answer(const std::vector<workload::Rect>& queries) override {
        if (queries.empty()) return hits_.clear();
        const workload::Rect& first = queries.front();
        require(frame_.overlaps(Boxes::min_max(&first.x0, &first.y0, &first.x1, &first.y1, queries.size(),
                                               sizeof(workload::Rect)),
                                hits_),
                "overlaps");
    }
    workload::Checksum answers() const override {
        workload::Checksum sum;
        for (const AgentId id : hits_.ids()) sum.hit(id);
        return sum;
    }

    std::uint64_t search(const workload::Rect& query) override {
        const Filled found = frame_.overlaps(box_of(query), found_);
        require(found.status, "overlaps");
        written_ = static_cast<std::size_t>(found.written);
        return found.total;
    }
    std::span<const std::uint32_t> searched() const override { return std::span(found_).first(written_); }
    std::uint64_t count(const workload::Rect& query) override {
        const Count found = frame_.count(box_of(query));
        require(found.status, "count");
        return found.total;
    }

    void update_labelled(const workload::World& w, std::span<const std::uint32_t> categories) override {
        const Boxes boxes = Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
        require(engine_.update(boxes, Labels::categories(categories.data(), categories.size())), "update");
        frame_ = engine_.frame();
    }
    void answer_category(const std::vector<workload::Rect>& queries, std::uint32_t categories) override {
        if (queries.empty()) return hits_.clear();
        const workload::Rect& first = queries.front();
        require(frame_.overlaps(Boxes::min_max(&first.x0, &first.y0, &first.x1, &first.y1, queries.size(),
                                               sizeof(workload::Rect)),
                                hits_, Filters::all({.categories = categories})),
                "overlaps");
    }
    std::uint64_t search_category(const workload::Rect& query, std::uint32_t categories) override {
        const Filled found =
            frame_.overlaps(box_of(query), std::span<AgentId>(found_), {.categories = categories});
        require(found.status, "overlaps");
        written_ = static_cast<std::size_t>(found.written);
        return found.total;
    }

    void stage(const workload::World& w, std::span<const std::uint32_t> ids) override {
        boxes_.clear();
        for (const std::uint32_t i : ids) boxes_.push_back(Box::around(w.x[i], w.y[i], w.hx[i], w.hy[i]));
        require(engine_.move(ids, Boxes::of(boxes_)), "move");
    }
    void commit() override {
        require(engine_.commit(), "commit");
        frame_ = engine_.frame();
    }

    std::size_t bytes() const override { return engine_.memory().total(); }

private:
    Engine engine_;
    Frame frame_;
    PairList pairs_;
    Hits hits_;
    std::vector<AgentId> found_;
    std::size_t written_ = 0;
    std::vector<Box> boxes_;
    unsigned threads_ = 1;
};

}  // namespace

std::unique_ptr<Index> make_engine_index(const Setup& setup) { return std::make_unique<EngineIndex>(setup); }

}  // namespace throng::bench
