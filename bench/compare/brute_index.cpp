// Brute force: the tests' oracle, for checksums that need no trust. It answers on one thread.
#include <cmath>
#include <vector>

#include "bench/compare/frame_index.hpp"
#include "oracle/brute_force.hpp"
#include "oracle/neighbours.hpp"

namespace throng::bench {

namespace {

class BruteIndex final : public FrameIndex<oracle::BruteForce, oracle::PairLists, oracle::OverlapLists> {
public:
    using FrameIndex::FrameIndex;

    bool can(Ability ability) const override {
        switch (ability) {
        case Ability::casts:
        case Ability::edits:
        case Ability::insertions:
        case Ability::labels:
        case Ability::layouts:
        case Ability::neighbour_lists:
        case Ability::neighbours:
        case Ability::removals:
        case Ability::single_calls:
        case Ability::single_casts:
        case Ability::single_neighbours: return true;
        default: return false;
        }
    }

    void update_labelled_places(const workload::World& w,
                                std::span<const std::uint32_t> categories) override {
        require(world_.update(Boxes::points(w.x, w.y, 0),
                              {.labels = Labels::categories(categories.data(), categories.size())}),
                "update");
        frame_ = world_.frame();
    }
    void find_within(float radius, bool half, std::uint32_t categories) override {
        lists_ =
            oracle::neighbours(frame_, {.radius = radius, .half = half}, Filter{.categories = categories});
    }
    void find_nearest(std::uint32_t count, std::uint32_t categories) override {
        lists_ = oracle::neighbours(frame_, {.max_count = count}, Filter{.categories = categories});
    }
    workload::Checksum within(bool half) const override {
        workload::Checksum sum;
        for (std::uint32_t i = 0; i < lists_.size(); ++i)
            for (const Neighbour& one : lists_[i]) half ? sum.pair(i, one.id) : sum.directed(i, one.id);
        return sum;
    }
    std::span<const std::uint32_t> list_of(std::uint32_t agent) const override {
        listed_.clear();
        for (const Neighbour& one : lists_[agent]) listed_.push_back(one.id);
        return listed_;
    }
    workload::Checksum nearest() const override {
        workload::Checksum sum;
        for (std::size_t i = 0; i < lists_.size(); ++i)
            for (std::size_t k = 0; k < lists_[i].size(); ++k)
                sum.found(i * 8 + k, lists_[i][k].id, std::sqrt(lists_[i][k].squared_distance));
        return sum;
    }

    void find_within_singly(std::span<const Point> points, float radius, workload::Checksum* sum) override {
        find_singly(points, {.radius = radius}, 1, sum);
    }
    void find_nearest_singly(std::span<const Point> points, std::uint32_t count,
                             workload::Checksum* sum) override {
        find_singly(points, {.max_count = count}, count, sum);
    }
    workload::Checksum visit_singly(std::span<const workload::Rect> queries) override {
        const std::vector<AgentId> ids = frame_.ids();
        const std::vector<Box> boxes = frame_.boxes();
        workload::Checksum sum;
        for (const workload::Rect& query : queries)
            for (std::size_t i = 0; i < ids.size(); ++i)
                if (boxes[i].overlaps(box_of(query))) visited(sum, ids[i], boxes[i].min_x, boxes[i].max_y);
        return sum;
    }
    // The agents' boxes and ids in its frame.
    std::size_t bytes() const override { return frame_.size() * (sizeof(Box) + sizeof(AgentId)); }

private:
    void find_singly(std::span<const Point> points, const oracle::Neighbourhood& wanted, std::uint32_t stride,
                     workload::Checksum* sum) {
        lists_ = oracle::neighbours(frame_, std::vector<Point>(points.begin(), points.end()), wanted);
        if (sum == nullptr) return;
        for (std::size_t i = 0; i < lists_.size(); ++i)
            for (const Neighbour& one : lists_[i]) sum->found(i * stride, one.id, one.squared_distance);
    }

    oracle::NeighbourLists lists_;
    mutable std::vector<std::uint32_t> listed_;
};

}  // namespace

std::unique_ptr<Index> make_brute_index(const Setup& setup) { return std::make_unique<BruteIndex>(setup); }

}  // namespace throng::bench
