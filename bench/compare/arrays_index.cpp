// The library's own queries on the host's arrays (throng/queries/without_engine.hpp): no index of the agents
// is kept, so an update notes where they are, and each batch passes over them.
#include "bench/compare/index.hpp"
#include "throng/queries/without_engine.hpp"

namespace throng::bench {

namespace {

class ArraysIndex final : public Index {
public:
    explicit ArraysIndex(const Setup& setup)
        : config_{.executor = setup.executor, .memory = setup.memory, .isa = setup.isa} {}

    bool can(Ability ability) const override { return ability == Ability::only_queries; }

    void update(const workload::World& w) override {
        boxes_ = Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
    }
    void find_pairs() override {}
    workload::Checksum pairs() const override { return {}; }

    void answer(const std::vector<workload::Rect>& queries) override {
        require(overlaps(boxes_, corners(queries), hits_, config_));
    }
    workload::Checksum answers() const override {
        workload::Checksum sum;
        for (const AgentId id : hits_.ids()) sum.hit(id);
        return sum;
    }
    std::uint64_t search(const workload::Rect& query) override {
        require(overlaps(boxes_, corners({&query, 1}), hits_, config_));
        return hits_.ids().size();
    }
    std::span<const std::uint32_t> searched() const override { return hits_.ids(); }
    std::uint64_t count(const workload::Rect& query) override {
        std::uint32_t found = 0;
        require(throng::count(boxes_, corners({&query, 1}), {&found, 1}, config_));
        return found;
    }

    std::size_t bytes() const override { return 0; }

private:
    static void require(const Status& status) {
        if (!status.ok()) throw std::runtime_error(status.message());
    }
    static Boxes corners(std::span<const workload::Rect> queries) {
        return Boxes::min_max(queries, &workload::Rect::x0, &workload::Rect::y0, &workload::Rect::x1,
                              &workload::Rect::y1);
    }

    ArrayQueryConfig config_;
    Boxes boxes_;
    OverlapLists hits_;
};

}  // namespace

std::unique_ptr<Index> make_arrays_index(const Setup& setup) { return std::make_unique<ArraysIndex>(setup); }

}  // namespace throng::bench
