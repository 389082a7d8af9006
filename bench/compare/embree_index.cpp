// Intel's Embree 3, the ray tracing library, as a peer: its bounding volume hierarchies are among the fastest
// there are, they can be refitted or built again every frame, and rtcCollide lists the overlaps of two
// of them.
//
// `embree.refit` keeps the tree of the first frame and refits it to the boxes; `embree.rebuild` builds
// another one every frame, of low quality: one of medium quality took six times as long to build, and neither
// pairs nor queries were found sooner in it.
//
// Pairs are the agents' scene collided with itself. Embree names every candidate in both orders, and by whole
// leaves; the callback keeps those of rising order whose boxes do touch.
//
// Queries are a scene of their own, collided with the agents': a batch is one scene, a single query a
// scene of one box. The other way is rtcPointQuery with a radius that covers the box. Among 250,000 agents it
// took from as long (`sizes`) to three times as long (`crushed`) for a batch of one query per agent, and
// about twice as long for large searches.
//
// Circles around agents are a scene of their boxes, collided likewise.
//
// Answers to a batch stay as Embree finds them, each beside its query's number, where the engine gives
// them query by query: no time is charged for bringing them into that order.
#include <embree3/rtcore.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <functional>

#include "bench/compare/embree_casts.hpp"
#include "bench/compare/embree_scene.hpp"
#include "bench/compare/peers/box_peer.hpp"

namespace throng::bench {

namespace {

struct Collision {
    std::uint32_t a, b;
};
// A list for every thread of the arena.
using Collisions = std::vector<std::vector<Collision>>;

// What a callback needs to know.
struct Collecting {
    std::span<const workload::Rect> a, b;
    Collisions& found;

    std::vector<Collision>& mine() const {
        return found[static_cast<std::size_t>(tbb::this_task_arena::current_thread_index())];
    }
};

void collect_pairs(void* user, RTCCollision* candidates, unsigned count) {
    const Collecting& to = *static_cast<const Collecting*>(user);
    std::vector<Collision>& mine = to.mine();
    for (const RTCCollision& c : std::span(candidates, count))
        if (c.primID0 < c.primID1 && touch(to.a[c.primID0], to.b[c.primID1]))
            mine.push_back({c.primID0, c.primID1});
}

void collect_answers(void* user, RTCCollision* candidates, unsigned count) {
    const Collecting& to = *static_cast<const Collecting*>(user);
    std::vector<Collision>& mine = to.mine();
    for (const RTCCollision& c : std::span(candidates, count))
        if (touch(to.a[c.primID0], to.b[c.primID1])) mine.push_back({c.primID0, c.primID1});
}

// The circle around the middle of a box.
struct Circle {
    float x, y;

    explicit Circle(const workload::Rect& box)
        : x(box.x0 * 0.5f + box.x1 * 0.5f), y(box.y0 * 0.5f + box.y1 * 0.5f) {}
    workload::Rect box(float radius) const { return {x - radius, y - radius, x + radius, y + radius}; }
    bool touches(const workload::Rect& box, float radius) const {
        const float dx = std::max(0.0f, std::max(box.x0 - x, x - box.x1));
        const float dy = std::max(0.0f, std::max(box.y0 - y, y - box.y1));
        return dx * dx + dy * dy <= radius * radius;
    }
};

// What a callback needs to know. Counts for every thread of the arena, since several may find the same
// circle.
struct Counting {
    std::span<const workload::Rect> boxes;
    float radius;
    std::vector<std::vector<std::uint32_t>>& counts;
};

void count_touching(void* user, RTCCollision* candidates, unsigned count) {
    const Counting& to = *static_cast<const Counting*>(user);
    std::vector<std::uint32_t>& mine =
        to.counts[static_cast<std::size_t>(tbb::this_task_arena::current_thread_index())];
    for (const RTCCollision& c : std::span(candidates, count))
        mine[c.primID0] += Circle(to.boxes[c.primID0]).touches(to.boxes[c.primID1], to.radius) ? 1u : 0u;
}

// The same for one query, on one thread.
struct Searching {
    workload::Rect query;
    std::span<const workload::Rect> boxes;
    std::uint32_t* out;
    std::size_t found = 0;
};

void collect_ids(void* user, RTCCollision* candidates, unsigned count) {
    Searching& to = *static_cast<Searching*>(user);
    for (const RTCCollision& c : std::span(candidates, count))
        if (touch(to.query, to.boxes[c.primID1])) to.out[to.found++] = c.primID1;
}

void count_ids(void* user, RTCCollision* candidates, unsigned count) {
    Searching& to = *static_cast<Searching*>(user);
    for (const RTCCollision& c : std::span(candidates, count))
        to.found += touch(to.query, to.boxes[c.primID1]) ? 1u : 0u;
}

class EmbreeIndex final : public Index {
public:
    EmbreeIndex(const Setup& setup, RTCBuildQuality quality)
        : threads_(setup.threads),
          refits_(quality == RTC_BUILD_QUALITY_REFIT),
          device_(setup.threads),
          agents_(device_, quality),
          queries_(device_, RTC_BUILD_QUALITY_LOW),
          query_(device_, RTC_BUILD_QUALITY_LOW),
          arena_(static_cast<int>(setup.threads)),
          pairs_(setup.threads),
          answers_(setup.threads),
          counts_(setup.threads),
          found_(setup.agents) {}

    About about() const override {
        return {RTC_VERSION_STRING,
                std::string(refits_ ? "user geometry, refitted in every frame"
                                    : "user geometry, built anew in every frame at low quality") +
                    "; pairs and queries by rtcCollide; Debian's library"};
    }
    bool can(Ability ability) const override {
        return ability == Ability::casts || ability == Ability::touched;
    }
    unsigned threads() const override { return threads_; }

    void update(const workload::World& w) override {
        const std::span<workload::Rect> boxes = agents_.resize(w.size());
        for (std::size_t i = 0; i < boxes.size(); ++i) boxes[i] = {w.x0(i), w.y0(i), w.x1(i), w.y1(i)};
        arena_.execute([&] { agents_.commit(); });
    }
    void find_pairs() override { collide(agents_, collect_pairs, pairs_); }
    workload::Checksum pairs() const override {
        workload::Checksum sum;
        for (const auto& list : pairs_)
            for (const Collision& pair : list) sum.pair(pair.a, pair.b);
        return sum;
    }

    void answer(const std::vector<workload::Rect>& queries) override {
        std::copy(queries.begin(), queries.end(), queries_.resize(queries.size()).begin());
        arena_.execute([&] { queries_.commit(); });
        collide(queries_, collect_answers, answers_);
    }
    workload::Checksum answers() const override {
        workload::Checksum sum;
        for (const auto& list : answers_)
            for (const Collision& answer : list) sum.hit(answer.b);
        return sum;
    }

    void count_touched(float radius, const Filter&) override {
        const std::span<const workload::Rect> agents = agents_.boxes();
        for (auto& counts : counts_) counts.assign(agents.size(), 0);
        const std::span<workload::Rect> circles = queries_.resize(agents.size());
        std::ranges::transform(agents, circles.begin(),
                               [&](const workload::Rect& box) { return Circle(box).box(radius); });
        Counting counting{agents, radius, counts_};
        arena_.execute([&] {
            queries_.commit();
            rtcCollide(queries_.get(), agents_.get(), count_touching, &counting);
        });
        device_.check("colliding scenes");
        for (std::size_t thread = 1; thread < counts_.size(); ++thread)
            std::ranges::transform(counts_[0], counts_[thread], counts_[0].begin(), std::plus());
    }
    workload::Checksum touched() const override {
        workload::Checksum sum;
        for (std::uint32_t i = 0; i < counts_[0].size(); ++i) sum.counted(i, counts_[0][i]);
        return sum;
    }

    std::uint64_t search(const workload::Rect& query) override { return written_ = ask(query, collect_ids); }
    std::span<const std::uint32_t> searched() const override { return std::span(found_).first(written_); }
    std::uint64_t count(const workload::Rect& query) override { return ask(query, count_ids); }

    void prepare_casts(const std::vector<workload::Ray>& rays, float half) override {
        arena_.execute([&] { casts_.prepare(agents_.boxes(), rays, half); });
    }
    void find_first_hits() override {
        arena_.execute([&] { casts_.find_first(); });
    }
    void find_blocked() override {
        arena_.execute([&] { casts_.find_any(); });
    }
    std::span<const CastHit> first_hits() const override { return casts_.hits(); }
    std::span<const std::uint8_t> blocked() const override { return casts_.blocked(); }
    bool defines_hits_likewise() const override { return false; }

    std::size_t bytes() const override {
        return device_.bytes() + agents_.boxes().size() * sizeof(workload::Rect);
    }

private:
    void collide(const BoxScene& with, RTCCollideFunc collect, Collisions& found) {
        for (auto& list : found) list.clear();
        Collecting collecting{with.boxes(), agents_.boxes(), found};
        arena_.execute([&] { rtcCollide(with.get(), agents_.get(), collect, &collecting); });
        device_.check("colliding scenes");
    }
    std::size_t ask(const workload::Rect& query, RTCCollideFunc collect) {
        Searching searching{query, agents_.boxes(), found_.data()};
        alone_.execute([&] {
            query_.resize(1)[0] = query;
            query_.commit();
            rtcCollide(query_.get(), agents_.get(), collect, &searching);
        });
        device_.check("colliding a box with a scene");
        return searching.found;
    }

    unsigned threads_;
    bool refits_;
    EmbreeDevice device_;
    BoxScene agents_, queries_, query_;
    EmbreeCasts casts_{device_};
    // Embree's collisions run on the threads of the arena they are called from.
    tbb::task_arena arena_, alone_{1};
    Collisions pairs_, answers_;
    std::vector<std::vector<std::uint32_t>> counts_;
    std::vector<std::uint32_t> found_;
    std::size_t written_ = 0;
};

}  // namespace

std::unique_ptr<Index> make_embree_refit_index(const Setup& setup) {
    return std::make_unique<EmbreeIndex>(setup, RTC_BUILD_QUALITY_REFIT);
}
std::unique_ptr<Index> make_embree_rebuild_index(const Setup& setup) {
    return std::make_unique<EmbreeIndex>(setup, RTC_BUILD_QUALITY_LOW);
}

}  // namespace throng::bench
