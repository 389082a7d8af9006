#include "examples/crowd/kd_tree.hpp"

#include <algorithm>
#include <limits>
#include <nanoflann.hpp>
#include <stdexcept>
#include <tuple>

#include "worlds/workload/workload.hpp"

namespace throng::crowd {

namespace {

struct Places {
    std::vector<Vec> all;
    std::size_t kdtree_get_point_count() const { return all.size(); }
    float kdtree_get_pt(std::size_t i, std::size_t dimension) const {
        return dimension == 0 ? all[i].x : all[i].y;
    }
    template <class Bounds>
    bool kdtree_get_bbox(Bounds&) const {
        return false;
    }
};
using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Places>, Places, 2,
                                                 std::uint32_t>;

// The nearest others of one agent within a radius: the least distance first, and of equal ones the lowest id.
class Nearest {
public:
    using DistanceType = float;

    Nearest(std::uint32_t self, float limit, std::uint32_t most)
        : self_(self), limit_(limit), bound_(just_above(limit)), most_(most) {}
    std::size_t size() const { return count_; }
    bool full() const { return count_ == most_; }
    float worstDist() const { return bound_; }
    bool addPoint(float distance, std::uint32_t id) {
        if (id == self_ || distance > limit_) return true;
        std::size_t at = count_;
        for (; at > 0 && std::tie(distance, id) < std::tie(distances_[at - 1], ids_[at - 1]); --at) {
            distances_[at] = distances_[at - 1];
            ids_[at] = ids_[at - 1];
        }
        distances_[at] = distance;
        ids_[at] = id;
        count_ = std::min<std::size_t>(count_ + 1, most_);
        if (full()) bound_ = just_above(distances_[most_ - 1]);
        return true;
    }
    std::span<const std::uint32_t> ids() const { return {ids_, count_}; }

private:
    // The tree gives what is nearer than this; at equal distances the id decides.
    static float just_above(float distance) {
        return std::max(distance * 1.000001f, std::numeric_limits<float>::min());
    }

    std::uint32_t self_;
    float limit_, bound_;
    std::size_t most_, count_ = 0;
    std::uint32_t ids_[throng::Nearest::count_limit + 1];
    float distances_[throng::Nearest::count_limit + 1];
};

}  // namespace

struct KdTree::Inside {
    Places places;
    // The lists in the order of the leaves: agent order[i] has ids[ends[i - 1]] to ids[ends[i]].
    std::vector<std::uint32_t> order, ids;
    std::vector<std::size_t> ends;
};

KdTree::KdTree() : inside_(std::make_unique<Inside>()) {}
KdTree::~KdTree() = default;

double KdTree::find(std::span<const Agent> agents, float radius, std::uint32_t most) {
    Inside& in = *inside_;
    in.places.all.clear();
    // Rounded as the centres of boxes are, so that both find the same.
    const auto centre = [](float at, float half) { return (at - half) / 2 + (at + half) / 2; };
    for (const Agent& agent : agents)
        in.places.all.push_back({centre(agent.x, agent.radius), centre(agent.y, agent.radius)});

    const double begin = workload::now();
    Tree tree(2, in.places, nanoflann::KDTreeSingleIndexAdaptorParams(16));
    tree.buildIndex();
    in.ids.clear();
    in.ends.clear();
    for (const std::uint32_t id : tree.vAcc) {
        Nearest nearest(id, radius * radius, most);
        tree.findNeighbors(nearest, &in.places.all[id].x, nanoflann::SearchParams());
        in.ids.insert(in.ids.end(), nearest.ids().begin(), nearest.ids().end());
        in.ends.push_back(in.ids.size());
    }
    const double milliseconds = (workload::now() - begin) * 1e3;
    in.order.assign(tree.vAcc.begin(), tree.vAcc.end());
    return milliseconds;
}

void KdTree::check(const NeighbourLists& lists) const {
    const Inside& in = *inside_;
    std::vector<std::size_t> list_of(in.order.size());
    if (lists.size() != in.order.size()) throw std::runtime_error("the kd-tree has other agents");
    for (std::size_t list = 0; list < lists.size(); ++list) list_of[lists.agents()[list]] = list;
    for (std::size_t i = 0; i < in.order.size(); ++i) {
        const std::size_t begin = i == 0 ? 0 : in.ends[i - 1];
        const std::span<const std::uint32_t> found(in.ids.data() + begin, in.ends[i] - begin);
        if (!std::ranges::equal(found, lists[list_of[in.order[i]]]))
            throw std::runtime_error("the kd-tree found other neighbours of agent " +
                                     std::to_string(in.order[i]));
    }
}

}  // namespace throng::crowd
