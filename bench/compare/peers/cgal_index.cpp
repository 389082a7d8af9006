// CGAL's intersecting sequences of boxes as a peer: no index, but an algorithm that is given all boxes at
// once. Pairs are the agents' boxes with themselves, and a batch of queries is its boxes with the agents'. It
// sorts boxes, not pointers to them, and stops to divide at the square root of their number: its manual says
// so for small boxes of few dimensions and a cheap callback.
#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "bench/compare/peers/box_peer.hpp"

#ifdef CGAL_LINKED_WITH_TBB
#include <tbb/task_arena.h>
#endif

namespace throng::bench {

namespace {

using BoxOfCgal = CGAL::Box_intersection_d::Box_with_info_d<float, 2, std::uint32_t>;

void take(const std::vector<workload::Rect>& rects, std::vector<BoxOfCgal>& boxes) {
    boxes.clear();
    for (std::uint32_t i = 0; i < rects.size(); ++i) {
        const workload::Rect& r = rects[i];
        float low[2] = {r.x0, r.y0}, high[2] = {r.x1, r.y1};
        boxes.emplace_back(low, high, i);
    }
}
std::ptrdiff_t cutoff(std::size_t boxes) {
    return std::max(10l, std::lround(std::sqrt(static_cast<double>(boxes))));
}

class CgalIndex final : public BoxPeer<CgalIndex> {
public:
    explicit CgalIndex(const Setup& setup) : threads_(setup.threads), lists_(setup.threads) {}

    About about() const override {
        return {CGAL_VERSION_STR, "box_self_intersection_d of boxes, cutoff sqrt(n); " THRONG_PEER_FLAGS};
    }
    bool can(Ability ability) const override { return ability == Ability::only_batches; }
    unsigned threads() const override { return threads_; }

    // There is nothing that it could make ready.
    void update(const workload::World& w) override { take_boxes(w); }

    void find_pairs() override {
        take(boxes_, agents_);
        for (auto& list : lists_) list.clear();
        run([&]<class Tag>() {
            CGAL::box_self_intersection_d<Tag>(agents_.begin(), agents_.end(), keep(),
                                               cutoff(agents_.size()));
        });
    }
    workload::Checksum pairs() const override {
        workload::Checksum sum;
        for (const auto& list : lists_)
            for (const FoundPair& pair : list) sum.pair(pair.a, pair.b);
        return sum;
    }

    // Answers stay as they are found, each beside its query's number.
    void answer(const std::vector<workload::Rect>& queries) override {
        take(boxes_, agents_);
        take(queries, queries_);
        for (auto& list : lists_) list.clear();
        run([&]<class Tag>() {
            CGAL::box_intersection_d<Tag>(queries_.begin(), queries_.end(), agents_.begin(), agents_.end(),
                                          keep(), cutoff(agents_.size()));
        });
    }
    workload::Checksum answers() const override {
        workload::Checksum sum;
        for (const auto& list : lists_)
            for (const FoundPair& answer : list) sum.hit(answer.b);
        return sum;
    }

    template <class Found>
    void for_each_overlap(const workload::Rect&, Found&&) const {}

private:
    unsigned threads_;

#ifdef CGAL_LINKED_WITH_TBB
    auto keep() {
        return [this](const BoxOfCgal& a, const BoxOfCgal& b) {
            lists_[static_cast<std::size_t>(tbb::this_task_arena::current_thread_index())].push_back(
                {a.info(), b.info()});
        };
    }
    template <class Body>
    void run(Body&& body) {
        arena_.execute([&] {
            if (threads_ == 1)
                body.template operator()<CGAL::Sequential_tag>();
            else
                body.template operator()<CGAL::Parallel_tag>();
        });
    }
    tbb::task_arena arena_{static_cast<int>(threads_)};
#else
    auto keep() {
        return [this](const BoxOfCgal& a, const BoxOfCgal& b) { lists_[0].push_back({a.info(), b.info()}); };
    }
    template <class Body>
    void run(Body&& body) {
        body.template operator()<CGAL::Sequential_tag>();
    }
#endif

    std::vector<BoxOfCgal> agents_, queries_;
    std::vector<std::vector<FoundPair>> lists_;  // for each thread
};

}  // namespace

std::unique_ptr<Index> make_cgal_index(const Setup& setup) { return std::make_unique<CgalIndex>(setup); }

}  // namespace throng::bench
