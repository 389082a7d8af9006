// Box2D's broad phase as a peer: a dynamic tree of boxes that are a little too large, so that most agents
// stay where they are in it. As its own contact manager does, pairs of such boxes are kept from frame to
// frame: new ones are added for the boxes that were put in again, and those that are apart by now are
// dropped.
#include <box2d/b2_broad_phase.h>
#include <box2d/b2_common.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "bench/compare/peers/box_peer.hpp"

namespace throng::bench {

namespace {

b2AABB aabb_of(const workload::Rect& r) {
    b2AABB box;
    box.lowerBound.Set(r.x0, r.y0);
    box.upperBound.Set(r.x1, r.y1);
    return box;
}

// What the library hands back of an agent.
void* data_of(std::uint32_t id) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(id)); }
std::uint32_t id_of(void* data) { return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(data)); }

template <class Found>
struct TreeSearch {
    const b2BroadPhase& phase;
    Found& found;
    bool QueryCallback(int32 proxy) {  // NOLINT: Box2D's name
        found(id_of(phase.GetUserData(proxy)));
        return true;
    }
};

class Box2dIndex final : public BoxPeer<Box2dIndex> {
public:
    About about() const override {
        return {std::to_string(b2_version.major) + "." + std::to_string(b2_version.minor) + "." +
                    std::to_string(b2_version.revision),
                "b2BroadPhase, boxes moved and pairs kept; Debian's library"};
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
        phase_.UpdatePairs(this);
        pairs_.clear();
        for (std::uint32_t a = 0; a < partners_.size(); ++a)
            std::erase_if(partners_[a], [&](std::uint32_t b) {
                if (!phase_.TestOverlap(proxies_[a], proxies_[b])) return true;
                if (touch(boxes_[a], boxes_[b])) pairs_.push_back({a, b});
                return false;
            });
    }
    // Called by UpdatePairs, for kept pairs too.
    void AddPair(void* one, void* other) {  // NOLINT: Box2D's name
        const std::uint32_t a = std::min(id_of(one), id_of(other)), b = std::max(id_of(one), id_of(other));
        if (std::ranges::find(partners_[a], b) == partners_[a].end()) partners_[a].push_back(b);
    }

    template <class Found>
    void for_each_overlap(const workload::Rect& box, Found&& found) const {
        auto exact = [&](std::uint32_t id) {
            if (touch(box, boxes_[id])) found(id);
        };
        TreeSearch<decltype(exact)> search{phase_, exact};
        phase_.Query(&search, aabb_of(box));
    }

private:
    void begin(const workload::World& w) {
        for (const int32 proxy : proxies_) phase_.DestroyProxy(proxy);
        take_boxes(w);
        partners_.assign(w.size(), {});
        proxies_.clear();
        for (std::uint32_t i = 0; i < boxes_.size(); ++i)
            proxies_.push_back(phase_.CreateProxy(aabb_of(boxes_[i]), data_of(i)));
    }
    void move(const workload::World& w, std::uint32_t i) {
        const workload::Rect now = box_of(w, i);
        const b2Vec2 way(now.x0 - boxes_[i].x0, now.y0 - boxes_[i].y0);
        boxes_[i] = now;
        phase_.MoveProxy(proxies_[i], aabb_of(now), way);
    }

    b2BroadPhase phase_;
    std::vector<int32> proxies_;
    // Of each agent, those of higher ids whose large boxes touch its own.
    std::vector<std::vector<std::uint32_t>> partners_;
};

}  // namespace

std::unique_ptr<Index> make_box2d_index(const Setup&) { return std::make_unique<Box2dIndex>(); }

}  // namespace throng::bench
