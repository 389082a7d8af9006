// nanoflann's kd-tree as a peer for neighbours. It knows places alone, and answers on one thread.
//
// `nanoflann` is given its best case for queries: its places are sorted in space and asked for in that order.
// Only the queries are compared, since `update_places` sorts too. `nanoflann.ids` takes places as they come,
// and is charged for building its tree in every frame.
// Lists stay as they are found, one behind the other.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nanoflann.hpp>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "bench/compare/peers/box_peer.hpp"

namespace throng::bench {

namespace {

struct Cloud {
    std::vector<float> x, y;
    std::size_t kdtree_get_point_count() const { return x.size(); }
    float kdtree_get_pt(std::size_t i, std::size_t dimension) const { return dimension == 0 ? x[i] : y[i]; }
    template <class Bounds>
    bool kdtree_get_bbox(Bounds&) const {
        return false;
    }
};
using Tree =
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>, Cloud, 2, std::uint32_t>;

// The nearest others of one place: the least distance first, and of equal ones the lowest id.
constexpr std::size_t most = 8;
struct Nearest {
    using DistanceType = float;
    std::uint32_t self;
    const std::vector<std::uint32_t>& id_of;
    std::size_t wanted = most;
    std::size_t count = 0;
    std::uint32_t ids[most + 1] = {};
    float distances[most + 1] = {};

    std::size_t size() const { return count; }
    bool full() const { return count == wanted; }
    float worstDist() const {
        return full() ? std::nextafter(distances[wanted - 1], std::numeric_limits<float>::max())
                      : std::numeric_limits<float>::max();
    }
    bool addPoint(float distance, std::uint32_t place) {
        if (place == self) return true;
        const std::uint32_t id = id_of[place];
        std::size_t at = count;
        for (; at > 0 && std::tie(distance, id) < std::tie(distances[at - 1], ids[at - 1]); --at) {
            distances[at] = distances[at - 1];
            ids[at] = ids[at - 1];
        }
        distances[at] = distance;
        ids[at] = id;
        count = std::min(count + 1, wanted);
        return true;
    }
};
// All others within a radius, or those of higher ids.
struct Within {
    using DistanceType = float;
    std::uint32_t self;
    float limit;
    bool half;
    const std::vector<std::uint32_t>& id_of;
    std::vector<std::uint32_t>& ids;

    std::size_t size() const { return ids.size(); }
    bool full() const { return true; }
    float worstDist() const { return std::nextafter(limit, std::numeric_limits<float>::max()); }
    bool addPoint(float distance, std::uint32_t place) {
        if (distance <= limit && place != self && !(half && id_of[place] < id_of[self]))
            ids.push_back(id_of[place]);
        return true;
    }
};

class NanoflannIndex final : public Index {
public:
    explicit NanoflannIndex(bool sorted) : sorted_(sorted) {}

    About about() const override {
        const std::string version = std::to_string(NANOFLANN_VERSION >> 8) + "." +
                                    std::to_string(NANOFLANN_VERSION >> 4 & 15) + "." +
                                    std::to_string(NANOFLANN_VERSION & 15);
        return {version, std::string("KDTreeSingleIndexAdaptor, 16 to a leaf, ") +
                             (sorted_ ? "places sorted in space before; " : "places by id; ") +
                             THRONG_PEER_FLAGS};
    }
    bool can(Ability ability) const override {
        return ability == Ability::neighbours || ability == Ability::only_places ||
               ability == Ability::single_neighbours || (ability == Ability::neighbour_lists && !sorted_);
    }

    void update_places(const workload::World& w) override {
        ids_.resize(w.size());
        std::iota(ids_.begin(), ids_.end(), 0u);
        const auto block = [&](std::uint32_t i) {
            return std::tuple(static_cast<int>(w.y[i] / 8), static_cast<int>(w.x[i] / 8), i);
        };
        if (sorted_)
            std::sort(ids_.begin(), ids_.end(),
                      [&](std::uint32_t a, std::uint32_t b) { return block(a) < block(b); });
        cloud_.x.clear();
        cloud_.y.clear();
        for (const std::uint32_t id : ids_) {
            cloud_.x.push_back(w.x[id]);
            cloud_.y.push_back(w.y[id]);
        }
        tree_ = std::make_unique<Tree>(2, cloud_, nanoflann::KDTreeSingleIndexAdaptorParams(16));
        tree_->buildIndex();
    }
    void find_within(float radius, bool half, std::uint32_t) override {
        found_.clear();
        ends_.clear();
        for (std::uint32_t i = 0; i < ids_.size(); ++i) {
            Within within{i, radius * radius, half, ids_, found_};
            search_tree(i, within);
            ends_.push_back(found_.size());
        }
    }
    void find_nearest(std::uint32_t count, std::uint32_t) override {
        found_.clear();
        distances_.clear();
        ends_.clear();
        for (std::uint32_t i = 0; i < ids_.size(); ++i) {
            Nearest nearest{i, ids_, count};
            search_tree(i, nearest);
            found_.insert(found_.end(), nearest.ids, nearest.ids + nearest.count);
            for (std::size_t k = 0; k < nearest.count; ++k)
                distances_.push_back(std::sqrt(nearest.distances[k]));
            ends_.push_back(found_.size());
        }
    }
    void find_within_singly(std::span<const Point> points, float radius, workload::Checksum* sum) override {
        // nanoflann's own list of what is within a radius takes only what is nearer, so the limit is a little
        // more.
        const float limit = std::nextafter(radius * radius, std::numeric_limits<float>::max());
        nanoflann::SearchParams any_order;
        any_order.sorted = false;
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            tree_->radiusSearch(&points[i].x, limit, near_, any_order);
            if (sum != nullptr)
                for (const auto& [place, distance] : near_) sum->found(i, ids_[place], distance);
        }
    }
    // Its own call for the nearest. Of equal distances it takes any, so there the others may have another id.
    void find_nearest_singly(std::span<const Point> points, std::uint32_t count,
                             workload::Checksum* sum) override {
        std::uint32_t places[most];
        float distances[most];
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            const std::size_t many = tree_->knnSearch(&points[i].x, count, places, distances);
            if (sum != nullptr)
                for (std::size_t k = 0; k < many; ++k) sum->found(i * count, ids_[places[k]], distances[k]);
        }
    }
    std::span<const std::uint32_t> list_of(std::uint32_t i) const override {
        const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
        return std::span(found_).subspan(begin, ends_[i] - begin);
    }
    workload::Checksum within(bool half) const override {
        workload::Checksum sum;
        for (std::size_t i = 0, at = 0; i < ids_.size(); ++i)
            for (; at < ends_[i]; ++at) {
                if (half)
                    sum.pair(ids_[i], found_[at]);
                else
                    sum.directed(ids_[i], found_[at]);
            }
        return sum;
    }
    workload::Checksum nearest() const override {
        workload::Checksum sum;
        for (std::size_t i = 0, at = 0; i < ids_.size(); ++i)
            for (std::size_t k = 0; at < ends_[i]; ++at, ++k)
                sum.found(ids_[i] * most + k, found_[at], distances_[at]);
        return sum;
    }
    std::size_t bytes() const override { return tree_ == nullptr ? 0 : tree_->usedMemory(*tree_); }

private:
    template <class Results>
    void search_tree(std::uint32_t i, Results& results) const {
        const float place[2] = {cloud_.x[i], cloud_.y[i]};
        tree_->findNeighbors(results, place, nanoflann::SearchParams());
    }

    bool sorted_;
    Cloud cloud_;
    std::vector<std::uint32_t> ids_;  // of the places as they are sorted
    std::unique_ptr<Tree> tree_;
    std::vector<std::uint32_t> found_;
    std::vector<float> distances_;
    std::vector<std::size_t> ends_;
    std::vector<std::pair<std::uint32_t, float>> near_;
};

}  // namespace

std::unique_ptr<Index> make_nanoflann_index(const Setup&) { return std::make_unique<NanoflannIndex>(true); }
std::unique_ptr<Index> make_nanoflann_by_id(const Setup&) { return std::make_unique<NanoflannIndex>(false); }

}  // namespace throng::bench
