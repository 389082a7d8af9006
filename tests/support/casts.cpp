#include "support/casts.hpp"

#include "support/test.hpp"

namespace throng::test {

namespace {

constexpr float largest = std::numeric_limits<float>::max();

float legal(float v) { return std::isfinite(v) ? v : v < 0 ? -largest : largest; }

class CastMaker {
public:
    CastMaker(const Scene& scene, std::uint64_t seed) : scene_(scene), random_(seed) {
        for (const Box& box : scene.agents())
            bounds_ = {std::min(bounds_.min_x, box.min_x), std::min(bounds_.min_y, box.min_y),
                       std::max(bounds_.max_x, box.max_x), std::max(bounds_.max_y, box.max_y)};
        if (scene.agents().empty()) bounds_ = {0, 0, 100, 100};
    }

    Cast make() {
        Cast cast = moving();
        if (random_.one_in(4)) cast.radius = a_radius();
        cast.dx = legal(cast.dx);
        cast.dy = legal(cast.dy);
        return cast;
    }

private:
    Box agent() {
        return scene_.agents().empty() ? Box{1, 1, 2, 2}
                                       : scene_.agents()[random_.below(scene_.agents().size())];
    }
    // A corner, the centre, a point of an edge, or any point of the world.
    Point point() {
        const Box box = agent();
        const float mid_x = 0.5f * box.min_x + 0.5f * box.max_x, mid_y = 0.5f * box.min_y + 0.5f * box.max_y;
        const float x[] = {box.min_x, box.max_x, mid_x}, y[] = {box.min_y, box.max_y, mid_y};
        if (random_.one_in(3)) return anywhere();
        return {x[random_.below(3)], y[random_.below(3)]};
    }
    Point anywhere() {
        return {random_.uniform(bounds_.min_x, bounds_.max_x), random_.uniform(bounds_.min_y, bounds_.max_y)};
    }
    float a_radius() {
        const Box box = agent();
        const float extent = legal(std::max(box.max_x - box.min_x, box.max_y - box.min_y));
        const float choices[] = {extent,
                                 0.5f * extent,
                                 legal(3 * extent),
                                 1e-30f,
                                 0.25f,
                                 largest,
                                 random_.uniform() * 0.1f * legal(bounds_.max_x - bounds_.min_x)};
        return legal(choices[random_.below(std::size(choices))]);
    }
    Cast start() {
        const Box box = agent();
        if (random_.one_in(3)) return Cast::box(box, 0, 0);
        if (random_.one_in(6)) {
            const Point a = point(), b = point();
            return Cast::box({std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)},
                             0, 0);
        }
        const Point p = point();
        return Cast::ray(p.x, p.y, 0, 0);
    }
    Cast moving() {
        Cast cast = start();
        const Point to = point();
        switch (random_.below(10)) {
        case 0: break;  // not at all
        case 1: cast.dx = legal(to.x - cast.start.min_x); break;
        case 2: cast.dy = legal(to.y - cast.start.min_y); break;
        case 3: {
            const float factor = random_.decades(-12, 12);
            cast.dx = factor * legal(to.x - cast.start.min_x);
            cast.dy = factor * legal(to.y - cast.start.min_y);
            break;
        }
        case 4:
            cast.dx = random_.one_in(2) ? random_.subnormal() : random_.any_finite();
            cast.dy = random_.one_in(2) ? random_.subnormal() : random_.any_finite();
            break;
        case 5: {  // from far away, through the world
            const float far_x = legal(to.x - random_.bell() * 1e6f),
                        far_y = legal(to.y - random_.bell() * 1e6f);
            cast = Cast::ray(far_x, far_y, 2 * (to.x - far_x), 2 * (to.y - far_y));
            break;
        }
        default: {
            const float part = random_.one_in(2) ? 1.0f : random_.uniform();
            cast.dx = part * legal(to.x - cast.start.min_x);
            cast.dy = part * legal(to.y - cast.start.min_y);
        }
        }
        return cast;
    }

    const Scene& scene_;
    Random random_;
    Box bounds_{largest, largest, -largest, -largest};
};

::testing::AssertionResult differs(const char* call, std::size_t cast, const ExpectedCasts& expected,
                                   std::span<const CastHit> got) {
    return ::testing::AssertionFailure()
           << call << " of cast " << cast << ", " << ::testing::PrintToString(expected.casts[cast])
           << ": got " << ::testing::PrintToString(std::vector<CastHit>(got.begin(), got.end()))
           << ", expected " << ::testing::PrintToString(expected.hits[cast]);
}

// A target is a Frame or a WithStatic, which have the same calls.
template <class Target>
::testing::AssertionResult singles_agree(const Target& target, const ExpectedCasts& e, std::size_t i) {
    const std::vector<CastHit>& all = e.hits[i];
    const CastHit first = all.empty() ? CastHit{} : all.front();
    const FirstHit one = target.first_hit(e.casts[i], e.filter(i));
    if (!one.status.ok() || one.hit != first) return differs("first_hit", i, e, std::span(&one.hit, 1));
    if (target.blocked(e.casts[i], e.filter(i)).found != first.found()) return differs("blocked", i, e, {});

    std::vector<CastHit> got;
    const std::size_t most = all.size() / 2 + 1;
    const auto visit = [&](const CastHit& hit) {
        got.push_back(hit);
        return got.size() < most;
    };
    if (!target.for_each_hit(e.casts[i], visit, e.filter(i)).ok() ||
        got.size() != std::min(most, all.size()) || !std::equal(got.begin(), got.end(), all.begin()))
        return differs("for_each_hit", i, e, got);

    got.clear();
    const auto visit_boxes = [&](const CastHit& hit, const Box& box) {
        if (oracle::time_of_touch(e.casts[i], box) == hit.fraction) got.push_back(hit);
        return got.size() < most;
    };
    if (!target.for_each_hit(e.casts[i], visit_boxes, e.filter(i)).ok() ||
        got.size() != std::min(most, all.size()) || !std::equal(got.begin(), got.end(), all.begin()))
        return differs("for_each_hit with boxes", i, e, got);

    got.assign(all.size() / 2, CastHit{});
    const Filled filled = target.all_hits(e.casts[i], got, e.filter(i));
    if (!filled.status.ok() || filled.total != all.size() || filled.written != got.size() ||
        !std::equal(got.begin(), got.end(), all.begin()))
        return differs("all_hits", i, e, got);
    return ::testing::AssertionSuccess();
}

// In blocks that hold as much, and in small ones.
template <class Target>
::testing::AssertionResult blocks_agree(const Target& target, const ExpectedCasts& e, const CastHits& all) {
    for (const std::size_t max_bytes : {std::size_t{1} << 24, std::size_t{3000}}) {
        CastHits block;
        std::size_t next = 0;
        bool are_those = true;
        const Status status = target.for_each_answer(
            e.casts, block,
            [&](std::size_t first, const CastHits& some) {
                const std::size_t bytes = some.offsets().size_bytes() + some.hits().size_bytes();
                are_those = are_those && first == next && (bytes <= max_bytes || some.size() == 1);
                for (const std::span<const CastHit> hits : some)
                    are_those = are_those && equal_ranges(hits, all[next++]);
            },
            {.max_bytes = max_bytes}, e.as_filters());
        if (!status.ok() || !are_those || next != all.size())
            return ::testing::AssertionFailure() << "other hits in blocks of " << max_bytes << " bytes";
    }
    return ::testing::AssertionSuccess();
}

template <class Target>
::testing::AssertionResult all_agree(const Target& target, const ExpectedCasts& e) {
    const std::size_t count = e.casts.size();
    std::vector<CastHit> first(count);
    std::vector<std::uint8_t> blocked(count);
    CastHits all;
    if (!target.first_hits(e.casts, first, e.as_filters()).ok() ||
        !target.blocked(e.casts, blocked, e.as_filters()).ok() ||
        !target.all_hits(e.casts, all, e.as_filters()).ok())
        return ::testing::AssertionFailure() << "a batch was refused";
    if (all.size() != count) return ::testing::AssertionFailure() << "answers to " << all.size() << " casts";
    if (const auto agree = blocks_agree(target, e, all); !agree) return agree;
    for (std::size_t i = 0; i < count; ++i) {
        const CastHit expected = e.hits[i].empty() ? CastHit{} : e.hits[i].front();
        if (first[i] != expected) return differs("first_hits", i, e, std::span(&first[i], 1));
        if ((blocked[i] != 0) != expected.found()) return differs("blocked, in a batch,", i, e, {});
        if (!std::equal(all[i].begin(), all[i].end(), e.hits[i].begin(), e.hits[i].end()))
            return differs("all_hits, in a batch,", i, e, all[i]);
        if (i % 7 == 0)
            if (const auto agree = singles_agree(target, e, i); !agree) return agree;
    }
    return ::testing::AssertionSuccess();
}

}  // namespace

std::vector<Cast> casts_for(const Scene& scene, std::size_t count, std::uint64_t seed) {
    CastMaker maker(scene, seed);
    std::vector<Cast> casts;
    while (casts.size() < count) casts.push_back(maker.make());
    return casts;
}

ExpectedCasts expect_casts(const oracle::BruteForceFrame& twin, std::vector<Cast> casts,
                           std::vector<Filter> filters) {
    ExpectedCasts expected{std::move(casts), std::move(filters), {}};
    EXPECT_EQ(twin.all_hits(expected.casts, expected.hits, expected.as_filters()), Status{});
    return expected;
}

ExpectedCasts expect_casts_of_both(const oracle::BruteForceFrame& agents,
                                   const oracle::BruteForceFrame& elements, std::vector<Cast> casts,
                                   std::vector<Filter> filters) {
    ExpectedCasts expected{std::move(casts), std::move(filters), {}};
    EXPECT_EQ(
        oracle::all_hits_of_both(agents, elements, expected.casts, expected.hits, expected.as_filters()),
        Status{});
    return expected;
}

::testing::AssertionResult casts_agree(const Frame& frame, const ExpectedCasts& expected) {
    return all_agree(frame, expected);
}
::testing::AssertionResult casts_agree(const WithStatic& both, const ExpectedCasts& expected) {
    return all_agree(both, expected);
}

}  // namespace throng::test
