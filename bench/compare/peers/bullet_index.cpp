// Bullet's dynamic tree as a peer: leaves that are a little too large and are put in again once an agent has
// left its own, and a few steps of improvement in every frame, as Bullet's own broad phase does both. Pairs
// are the tree collided with itself. Boxes are a unit deep, since the tree knows three dimensions only.
#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <memory>
#include <vector>

#include "bench/compare/peers/box_peer.hpp"

namespace throng::bench {

namespace {

btDbvtVolume volume_of(const workload::Rect& r) {
    return btDbvtVolume::FromMM(btVector3(r.x0, r.y0, 0), btVector3(r.x1, r.y1, 1));
}
std::uint32_t id_of(const btDbvtNode* leaf) { return static_cast<std::uint32_t>(leaf->dataAsInt); }

template <class Found>
struct PairSearch final : btDbvt::ICollide {
    explicit PairSearch(Found& to) : found(to) {}
    Found& found;
    void Process(const btDbvtNode* a, const btDbvtNode* b) override { found(id_of(a), id_of(b)); }
};
template <class Found>
struct BoxSearch final : btDbvt::ICollide {
    explicit BoxSearch(Found& to) : found(to) {}
    Found& found;
    void Process(const btDbvtNode* leaf) override { found(id_of(leaf)); }
};

class BulletIndex final : public BoxPeer<BulletIndex> {
public:
    About about() const override {
        return {std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100),
                "btDbvt, margin 0.05, 1 % of the tree improved in every frame; Debian's library "
                "and " THRONG_PEER_FLAGS};
    }
    bool can(Ability ability) const override { return ability == Ability::edits; }

    void update(const workload::World& w) override {
        if (leaves_.size() != w.size()) return begin(w);
        for (std::uint32_t i = 0; i < leaves_.size(); ++i) move(w, i);
        commit();
    }
    void stage(const workload::World& w, std::span<const std::uint32_t> ids) override {
        for (const std::uint32_t i : ids) move(w, i);
    }
    void commit() override { tree_.optimizeIncremental(1 + tree_.m_leaves / 100); }

    void find_pairs() override {
        pairs_.clear();
        auto keep = [&](std::uint32_t a, std::uint32_t b) {
            if (touch(boxes_[a], boxes_[b])) pairs_.push_back({a, b});
        };
        PairSearch<decltype(keep)> search(keep);
        tree_.collideTTpersistentStack(tree_.m_root, tree_.m_root, search);
    }

    template <class Found>
    void for_each_overlap(const workload::Rect& box, Found&& found) {
        auto exact = [&](std::uint32_t id) {
            if (touch(box, boxes_[id])) found(id);
        };
        BoxSearch<decltype(exact)> search(exact);
        tree_.collideTVNoStackAlloc(tree_.m_root, volume_of(box), stack_, search);
    }

private:
    static constexpr btScalar margin = 0.05f;  // of Bullet's broad phase

    void begin(const workload::World& w) {
        tree_.clear();
        take_boxes(w);
        leaves_.clear();
        for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
            leaves_.push_back(tree_.insert(volume_of(boxes_[i]), nullptr));
            leaves_.back()->dataAsInt = static_cast<int>(i);
        }
        tree_.optimizeTopDown();
    }
    void move(const workload::World& w, std::uint32_t i) {
        const workload::Rect now = box_of(w, i);
        btDbvtVolume volume = volume_of(now);
        // Half of the way that it goes in a frame, as Bullet's broad phase foresees it.
        const btVector3 way((now.x0 - boxes_[i].x0) * 0.5f, (now.y0 - boxes_[i].y0) * 0.5f, 0);
        tree_.update(leaves_[i], volume, way, margin);
        boxes_[i] = now;
    }

    btDbvt tree_;
    btNodeStack stack_;
    std::vector<btDbvtNode*> leaves_;
};

}  // namespace

std::unique_ptr<Index> make_bullet_index(const Setup&) { return std::make_unique<BulletIndex>(); }

}  // namespace throng::bench
