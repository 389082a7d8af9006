// The engine.
#include <algorithm>
#include <cmath>

#include "bench/compare/frame_index.hpp"
#include "throng/throng.hpp"

namespace throng::bench {

namespace {

class EngineIndex : public FrameIndex<Engine, PairList, OverlapLists> {
public:
    explicit EngineIndex(const Setup& setup)
        : FrameIndex(setup,
                     EngineConfig{.executor = setup.executor, .memory = setup.memory, .isa = setup.isa}),
          threads_(setup.threads) {
        require(world_.status(), "making the engine");
    }

    About about() const override {
        return {std::to_string(header_version.major) + "." + std::to_string(header_version.minor) + "." +
                    std::to_string(header_version.patch),
                "kernels chosen at run time, the executor of oneTBB"};
    }
    bool can(Ability ability) const override {
        return ability != Ability::leaf_order && ability != Ability::only_places &&
               ability != Ability::only_queries && ability != Ability::only_arrays &&
               ability != Ability::only_batches && ability != Ability::only_within;
    }
    unsigned threads() const override { return threads_; }
    const char* instruction_set() const override { return to_string(world_.isa()); }
    std::size_t bytes() const override { return world_.memory().total(); }

    void update_labelled_places(const workload::World& w,
                                std::span<const std::uint32_t> categories) override {
        require(world_.update(Boxes::points(w.x.data(), w.y.data(), 0, w.size()),
                              {.labels = Labels::categories(categories.data(), categories.size())}),
                "update");
        frame_ = world_.frame();
    }
    void find_within(float radius, bool half, std::uint32_t categories) override {
        require(frame_.neighbours({.radius = radius, .half = half}, lists_, Filter{.categories = categories}),
                "neighbours");
    }
    void find_nearest(std::uint32_t most, std::uint32_t categories) override {
        require(
            frame_.neighbours({.count = most, .distances = true}, lists_, Filter{.categories = categories}),
            "neighbours");
    }
    bool find_kept(float radius, float skin) override {
        if (kept_.wanted().radius != radius || kept_.wanted().skin != skin)
            kept_ = KeptNeighbours({.radius = radius, .skin = skin});
        require(kept_.update(frame_), "kept neighbours");
        return kept_.was_rebuilt();
    }
    workload::Checksum within(bool half) const override {
        workload::Checksum sum;
        for (std::uint32_t i = 0; i < lists_.size(); ++i)
            for (const AgentId id : lists_[i]) {
                if (half)
                    sum.pair(i, id);
                else
                    sum.directed(i, id);
            }
        return sum;
    }
    std::span<const std::uint32_t> list_of(std::uint32_t agent) const override { return lists_[agent]; }
    workload::Checksum nearest() const override {
        workload::Checksum sum;
        for (std::size_t i = 0; i < lists_.size(); ++i)
            for (std::size_t k = 0; k < lists_[i].size(); ++k)
                sum.found(i * 8 + k, lists_[i][k], std::sqrt(lists_.squared_distances(i)[k]));
        return sum;
    }
    void find_within_in_rows(float radius) override {
        require(frame_.neighbours({.radius = radius, .in_row_order = true}, lists_), "neighbours");
    }
    workload::Checksum within_in_rows() const override {
        workload::Checksum sum;
        for (std::size_t i = 0; i < lists_.size(); ++i)
            for (const AgentId id : lists_[i]) sum.directed(lists_.agents()[i], id);
        return sum;
    }
    void find_within_singly(std::span<const Point> points, float radius, workload::Checksum* sum) override {
        near_.resize(std::max<std::size_t>(near_.size(), frame_.size()));
        for (std::uint32_t i = 0; i < points.size(); ++i)
            add(frame_.neighbours(points[i], Within{.radius = radius}, near_), i, sum);
    }
    void find_nearest_singly(std::span<const Point> points, std::uint32_t count,
                             workload::Checksum* sum) override {
        near_.resize(std::max<std::size_t>(near_.size(), count));
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            if (count != 1) {
                add(frame_.neighbours(points[i], Nearest{.count = count}, std::span(near_).first(count)),
                    i * count, sum);
                continue;
            }
            const NearestNeighbour found = frame_.nearest(points[i]);
            require(found.status, "nearest");
            if (sum != nullptr) sum->found(i, found.neighbour.id, found.neighbour.squared_distance);
        }
    }
    workload::Checksum visit_singly(std::span<const workload::Rect> queries) override {
        workload::Checksum sum;
        for (const workload::Rect& query : queries)
            require(frame_.for_each_overlap(
                        box_of(query),
                        [&](AgentId id, const Box& box) { visited(sum, id, box.min_x, box.max_y); }),
                    "overlaps");
        return sum;
    }
    void answer_as_found(const std::vector<workload::Rect>& queries) override {
        if (queries.empty()) return as_found_.clear();
        const workload::Rect& first = queries.front();
        require(frame_.overlaps(Boxes::min_max(&first.x0, &first.y0, &first.x1, &first.y1, queries.size(),
                                               sizeof(workload::Rect)),
                                as_found_),
                "overlaps");
    }
    workload::Checksum answers_as_found() const override {
        workload::Checksum sum;
        for (const AgentId id : as_found_.ids()) sum.hit(id);
        return sum;
    }
    void find_changes() override { require(changes_.update(frame_), "pair_changes"); }
    workload::Checksum changes() const override {
        workload::Checksum began, ended;
        for (const Pair& pair : changes_.began()) began.pair(pair.a, pair.b);
        for (const Pair& pair : changes_.ended()) ended.pair(pair.a, pair.b);
        return {began.count + ended.count, began.hash * 3 + ended.hash};
    }
    void count_touched(float radius, const Filter& filter) override {
        counts_.resize(frame_.id_bound());
        require(frame_.count_neighbours({.radius = radius, .agents_as = AgentsAs::boxes, .with_self = true},
                                        counts_, filter),
                "count_neighbours");
    }
    workload::Checksum touched() const override {
        workload::Checksum sum;
        for (std::uint32_t i = 0; i < counts_.size(); ++i) sum.counted(i, counts_[i]);
        return sum;
    }

private:
    // The answers of one call. Those within a radius come in any order, so each has the number of its point.
    void add(const Filled& found, std::uint32_t first, workload::Checksum* sum) const {
        require(found.status, "neighbours");
        if (sum == nullptr) return;
        for (std::size_t k = 0; k < found.written; ++k)
            sum->found(first, near_[k].id, near_[k].squared_distance);
    }

    OverlapsAsFound as_found_;
    std::vector<Neighbour> near_;
    PairChanges changes_;
    NeighbourLists lists_;
    KeptNeighbours kept_{{}};
    std::vector<std::uint32_t> counts_;
    unsigned threads_ = 1;
};

// Lists the pairs of a frame with the update that makes it.
class EngineWithPairs final : public EngineIndex {
public:
    using EngineIndex::EngineIndex;

    void update(const workload::World& w) override {
        const Boxes boxes = Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
        require(world_.update(boxes, pairs_), "update with pairs");
        frame_ = world_.frame();
    }
    void find_pairs() override {}
};

}  // namespace

std::unique_ptr<Index> make_engine_with_pairs(const Setup& setup) {
    return std::make_unique<EngineWithPairs>(setup);
}
std::unique_ptr<Index> make_engine_index(const Setup& setup) { return std::make_unique<EngineIndex>(setup); }

}  // namespace throng::bench
