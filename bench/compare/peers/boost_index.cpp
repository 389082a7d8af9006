// Boost.Geometry's R-tree as a peer. Its page advises the constructor from a range, which packs the tree and
// makes it faster to build and to search than one that takes boxes one by one; so it is packed anew in every
// frame. It has no call for pairs and no threads of its own.
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <boost/version.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "bench/compare/peers/box_peer.hpp"

namespace throng::bench {

namespace {

namespace geometry = boost::geometry;

using PointOfTree = geometry::model::point<float, 2, geometry::cs::cartesian>;
using BoxOfTree = geometry::model::box<PointOfTree>;
using Value = std::pair<BoxOfTree, std::uint32_t>;
// As many to a node as in the examples of its manual.
using Tree = geometry::index::rtree<Value, geometry::index::quadratic<16>>;

BoxOfTree box_of_tree(const workload::Rect& r) { return {PointOfTree(r.x0, r.y0), PointOfTree(r.x1, r.y1)}; }

class BoostIndex final : public BoxPeer<BoostIndex> {
public:
    About about() const override {
        return {std::to_string(BOOST_VERSION / 100'000) + "." + std::to_string(BOOST_VERSION / 100 % 1000) +
                    "." + std::to_string(BOOST_VERSION % 100),
                "rtree, quadratic<16>, packed anew in every frame; " THRONG_PEER_FLAGS};
    }

    void update(const workload::World& w) override {
        take_boxes(w);
        values_.clear();
        for (std::uint32_t i = 0; i < boxes_.size(); ++i) values_.emplace_back(box_of_tree(boxes_[i]), i);
        tree_ = Tree(values_.begin(), values_.end());
    }

    template <class Found>
    void for_each_overlap(const workload::Rect& box, Found&& found) const {
        tree_.query(geometry::index::intersects(box_of_tree(box)),
                    boost::make_function_output_iterator([&](const Value& value) { found(value.second); }));
    }

private:
    std::vector<Value> values_;
    Tree tree_;
};

}  // namespace

std::unique_ptr<Index> make_boost_index(const Setup&) { return std::make_unique<BoostIndex>(); }

}  // namespace throng::bench
