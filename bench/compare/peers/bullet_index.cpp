// Bullet's broad phase for moving boxes, btDbvtBroadphase, as Bullet sets it up. Each box lies in a leaf that
// is a little larger. An agent that leaves its leaf is put in anew and collided with the tree at once, and a
// hashed cache keeps the pairs of leaves. So most of a frame's work for pairs is done in its update. Boxes
// are a unit deep, since Bullet knows three dimensions only.
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <memory>
#include <vector>

#include "bench/compare/peers/box_peer.hpp"

namespace throng::bench {

namespace {

btVector3 low(const workload::Rect& r) { return {r.x0, r.y0, 0}; }
btVector3 high(const workload::Rect& r) { return {r.x1, r.y1, 1}; }
// A proxy points to its agent's id.
std::uint32_t id_of(const btBroadphaseProxy* proxy) {
    return *static_cast<const std::uint32_t*>(proxy->m_clientObject);
}

template <class Found>
struct BoxSearch final : btBroadphaseAabbCallback {
    explicit BoxSearch(Found& to) : found(to) {}
    Found& found;
    bool process(const btBroadphaseProxy* proxy) override {
        found(id_of(proxy));
        return true;
    }
};

class BulletIndex final : public BoxPeer<BulletIndex> {
public:
    About about() const override {
        return {std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100),
                "btDbvtBroadphase with its defaults; Debian's library and " THRONG_PEER_FLAGS};
    }
    bool can(Ability ability) const override { return ability == Ability::edits; }

    void update(const workload::World& w) override {
        if (proxies_.size() != w.size()) return begin(w);
        for (std::uint32_t i = 0; i < proxies_.size(); ++i) move(w, i);
    }
    void stage(const workload::World& w, std::span<const std::uint32_t> ids) override {
        for (const std::uint32_t i : ids) move(w, i);
    }
    void commit() override {}

    void find_pairs() override {
        broad_->calculateOverlappingPairs(nullptr);
        pairs_.clear();
        const btBroadphasePairArray& kept = broad_->getOverlappingPairCache()->getOverlappingPairArray();
        for (int k = 0; k < kept.size(); ++k) {
            const std::uint32_t a = id_of(kept[k].m_pProxy0), b = id_of(kept[k].m_pProxy1);
            if (touch(boxes_[a], boxes_[b])) pairs_.push_back({a, b});
        }
    }

    template <class Found>
    void for_each_overlap(const workload::Rect& box, Found&& found) {
        auto exact = [&](std::uint32_t id) {
            if (touch(box, boxes_[id])) found(id);
        };
        BoxSearch<decltype(exact)> search(exact);
        broad_->aabbTest(low(box), high(box), search);
    }

private:
    void begin(const workload::World& w) {
        take_boxes(w);
        broad_ = std::make_unique<btDbvtBroadphase>();
        ids_.resize(boxes_.size());
        proxies_.clear();
        for (std::uint32_t i = 0; i < boxes_.size(); ++i) {
            ids_[i] = i;
            proxies_.push_back(
                broad_->createProxy(low(boxes_[i]), high(boxes_[i]), 0, &ids_[i], 1, 1, nullptr));
        }
        broad_->optimize();
    }
    void move(const workload::World& w, std::uint32_t i) {
        boxes_[i] = box_of(w, i);
        broad_->setAabb(proxies_[i], low(boxes_[i]), high(boxes_[i]), nullptr);
    }

    std::unique_ptr<btDbvtBroadphase> broad_;
    std::vector<std::uint32_t> ids_;
    std::vector<btBroadphaseProxy*> proxies_;
};

}  // namespace

std::unique_ptr<Index> make_bullet_index(const Setup&) { return std::make_unique<BulletIndex>(); }

}  // namespace throng::bench
