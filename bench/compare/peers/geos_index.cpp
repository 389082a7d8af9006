// GEOS's STRtree as a peer: a packed tree that takes no more boxes once it has been searched, so it is built
// anew in every frame. Its C++ template is used, which takes boxes as they are; the C interface wants a
// geometry for each box and search.
// Its headers want to hear that their user knows that they may change.
#define USE_UNSTABLE_GEOS_CPP_API
#include <geos/geom/Envelope.h>
#include <geos/index/strtree/TemplateSTRtree.h>
#include <geos/version.h>

#include <memory>

#include "bench/compare/peers/box_peer.hpp"

namespace throng::bench {

namespace {

using Tree = geos::index::strtree::TemplateSTRtree<std::uint32_t>;

geos::geom::Envelope envelope_of(const workload::Rect& r) { return {r.x0, r.x1, r.y0, r.y1}; }

class GeosIndex final : public BoxPeer<GeosIndex> {
public:
    About about() const override {
        return {GEOS_VERSION, "TemplateSTRtree, 10 to a node, built anew in every frame; " THRONG_PEER_FLAGS};
    }

    void update(const workload::World& w) override {
        take_boxes(w);
        tree_ = std::make_unique<Tree>(std::size_t{10}, boxes_.size());
        for (std::uint32_t i = 0; i < boxes_.size(); ++i) tree_->insert(envelope_of(boxes_[i]), i);
        tree_->build();
    }

    template <class Found>
    void for_each_overlap(const workload::Rect& box, Found&& found) {
        tree_->query(envelope_of(box), [&](std::uint32_t id) { found(id); });
    }

private:
    std::unique_ptr<Tree> tree_;
};

}  // namespace

std::unique_ptr<Index> make_geos_index(const Setup&) { return std::make_unique<GeosIndex>(); }

}  // namespace throng::bench
