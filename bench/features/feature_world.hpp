// A crowd that uses one of the engine's features, and its queries. The plain crowd has the same agents and
// queries, so the times of both may be compared.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bench/common/failures.hpp"
#include "throng/throng.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::bench {

enum class Ghosts { none, last, spread };
// What a feature has to answer as the crowd beside it: nothing, the host's own queries, or all.
enum class Alike { nothing, queries, all };

struct Feature {
    const char *name, *what;
    const char* beside = "plain";
    Alike alike = Alike::nothing;
    unsigned storeys = 0;  // with none, agents have no heights
    bool wraps = false, has_walls = false;
    Ghosts ghosts = Ghosts::none;  // a tenth of the agents
    float within = 0, grown = 0;   // how far apart pairs may be; how much larger boxes are on each side
};
inline constexpr Feature features[] = {
    {.name = "plain", .what = "a crowd without any of them", .beside = nullptr},
    {.name = "storey", .what = "one storey, with heights", .alike = Alike::all, .storeys = 1},
    {.name = "storeys", .what = "eight storeys, as many agents in all", .storeys = 8},
    {.name = "torus", .what = "two seams", .wraps = true},
    {.name = "ghosts.last",
     .what = "the last tenth are ghosts",
     .alike = Alike::queries,
     .ghosts = Ghosts::last},
    {.name = "ghosts.spread",
     .what = "every tenth is a ghost",
     .alike = Alike::queries,
     .ghosts = Ghosts::spread},
    {.name = "walls", .what = "a static layer, a wall for fifty agents", .has_walls = true},
    {.name = "within", .what = "pairs up to 1 apart, beside larger boxes", .beside = "grown", .within = 1},
    {.name = "grown",
     .what = "a crowd with boxes larger by 0.5 on each side",
     .beside = nullptr,
     .grown = 0.5f},
};

class FeatureWorld {
public:
    FeatureWorld(const Feature& feature, std::size_t agents, Isa isa)
        : feature_(feature),
          storeys_(std::max(feature.storeys, 1u)),
          plane_(workload::make("crowd", agents / storeys_)),
          engine_({.executor = serial_executor(),
                   .period_x = feature.wraps ? plane_.side : 0,
                   .period_y = feature.wraps ? plane_.side : 0,
                   .isa = isa}) {
        require(engine_.status(), "making the engine");
        make_agents();
        make_queries();
        make_ghosts();
        if (feature.has_walls) make_walls();
        for (int settled = 0; settled < 3; ++settled) next_frame();
    }

    // What is timed, and counted by scripts/gate, which knows them by their names. Each returns the number of
    // answers.
    THRONG_NOINLINE std::size_t update() {
        next_frame();
        return frame_.size();
    }
    THRONG_NOINLINE std::size_t find_pairs() {
        require(frame_.pairs(pairs_, {.within = feature_.within}), "pairs");
        if (!feature_.has_walls) return pairs_.size();
        const Frame walls = frame_.static_layer();
        require(frame_.pairs(wall_pairs_, {.with = &walls}), "pairs with walls");
        return pairs_.size() + wall_pairs_.size();
    }
    THRONG_NOINLINE std::size_t answer() { return answer_all(random_); }
    THRONG_NOINLINE std::size_t answer_coherent() { return answer_all(coherent_); }
    THRONG_NOINLINE std::size_t find_within() { return find_lists(Within{.radius = 2}); }
    THRONG_NOINLINE std::size_t find_nearest() { return find_lists(Nearest{.count = 8, .distances = true}); }
    THRONG_NOINLINE std::size_t find_first_hits() {
        const Filters filters = of(cast_filters_);
        require(feature_.has_walls ? frame_.with_static().first_hits(casts_, first_, filters)
                                   : frame_.first_hits(casts_, first_, filters),
                "first hits");
        return static_cast<std::size_t>(
            std::count_if(first_.begin(), first_.end(), [](const CastHit& hit) { return hit.found(); }));
    }

private:
    static constexpr float storey_height = 3, tall = 1.8f, query_half = 2;
    static constexpr std::size_t most_casts = 100'000, agents_of_a_wall = 50, agents_of_a_ghost = 10;

    struct Queries {
        std::vector<Box> boxes;
        std::vector<Filter> filters;
    };

    static Filters of(const std::vector<Filter>& filters) {
        return filters.empty() ? Filters() : Filters(filters);
    }
    // Agents go forth and back between two places.
    void next_frame() {
        const std::vector<Box>& boxes = boxes_[now_ ^= 1];
        const UpdateOptions options{.heights = bands_.empty() ? Heights() : Heights(bands_), .owned = owned_};
        require(ids_.empty() ? engine_.update(boxes, options) : engine_.update(ids_, boxes, options),
                "update");
        frame_ = engine_.frame();
    }
    std::size_t answer_all(const Queries& queries) {
        if (!feature_.has_walls) {
            require(frame_.overlaps(queries.boxes, hits_, of(queries.filters)), "overlaps");
            return hits_.ids().size();
        }
        require(frame_.with_static().overlaps(queries.boxes, hits_, wall_hits_), "overlaps");
        return hits_.ids().size() + wall_hits_.ids().size();
    }
    template <class Wanted>
    std::size_t find_lists(const Wanted& wanted) {
        if (!feature_.has_walls) {
            require(frame_.neighbours(wanted, lists_), "neighbours");
            return lists_.ids().size();
        }
        require(frame_.with_static().neighbours(wanted, lists_, wall_lists_), "neighbours");
        return lists_.ids().size() + wall_lists_.ids().size();
    }

    bool has_heights() const { return feature_.storeys != 0; }
    Band band_of(std::size_t storey) const {
        const float floor = storey_height * static_cast<float>(storey);
        return {floor, floor + tall};
    }
    // Agents stay inside the world.
    float step_of(float place, float velocity) const {
        const float next = place + velocity;
        return next < 0 || next >= plane_.side ? -velocity : velocity;
    }
    // The crowd on each storey, mirrored and moved a little above the first; then in any order.
    void make_agents() {
        workload::Random random(5);
        for (std::size_t storey = 0; storey < storeys_; ++storey)
            for (std::size_t i = 0; i < plane_.size(); ++i) {
                float x = plane_.x[i], y = plane_.y[i];
                if ((storey & 1) != 0) x = plane_.side - x;
                if ((storey & 2) != 0) y = plane_.side - y;
                if (storey != 0) x += random.uniform(-1, 1), y += random.uniform(-1, 1);
                const Box box =
                    Box::around(x, y, plane_.hx[i] + feature_.grown, plane_.hy[i] + feature_.grown);
                boxes_[0].push_back(box);
                boxes_[1].push_back(box.moved(step_of(x, plane_.vx[i]), step_of(y, plane_.vy[i])));
                if (has_heights()) bands_.push_back(band_of(storey));
            }
        for (std::size_t i = boxes_[0].size(); storeys_ > 1 && i > 1; --i) {
            const std::size_t other = random.next() % i;
            for (std::vector<Box>& boxes : boxes_) std::swap(boxes[i - 1], boxes[other]);
            std::swap(bands_[i - 1], bands_[other]);
        }
    }
    // A box around each agent, in the order of ids and in a coherent one, storey by storey; and segments.
    void make_queries() {
        const auto ask = [&](Queries& queries, std::size_t i) {
            queries.boxes.push_back(Box::around(boxes_[0][i].centre(), query_half));
            if (has_heights()) queries.filters.push_back({.heights = bands_[i]});
        };
        std::vector<std::pair<std::uint64_t, std::size_t>> order;
        for (std::size_t i = 0; i < boxes_[0].size(); ++i) {
            ask(random_, i);
            const Point at = boxes_[0][i].centre();
            const auto cell = [](float place) { return static_cast<std::uint64_t>(place / 4 + 16); };
            const auto storey = has_heights() ? static_cast<std::uint64_t>(bands_[i].min_z) : 0;
            order.emplace_back(storey << 40 | cell(at.y) << 20 | cell(at.x), i);
        }
        std::sort(order.begin(), order.end());
        for (const auto& [place, i] : order) ask(coherent_, i);

        for (const workload::Ray& ray : workload::rays(plane_, std::min(boxes_[0].size(), most_casts))) {
            if (has_heights()) cast_filters_.push_back({.heights = band_of(casts_.size() % storeys_)});
            casts_.push_back(Cast::ray(ray.x, ray.y, ray.dx, ray.dy));
        }
        first_.resize(casts_.size());
    }
    // Ghosts come last in an update. Spread over all, they have every tenth id.
    void make_ghosts() {
        const std::size_t agents = boxes_[0].size();
        if (feature_.ghosts == Ghosts::none) return;
        owned_ = agents - agents / agents_of_a_ghost;
        if (feature_.ghosts == Ghosts::last) return;
        for (const bool are_ghosts : {false, true})
            for (std::size_t i = 0; i < agents; ++i)
                if ((i % agents_of_a_ghost == agents_of_a_ghost - 1) == are_ghosts)
                    ids_.push_back(static_cast<AgentId>(i));
        for (std::vector<Box>& boxes : boxes_) {
            const std::vector<Box> by_id = boxes;
            std::transform(ids_.begin(), ids_.end(), boxes.begin(), [&](AgentId id) { return by_id[id]; });
        }
    }
    // Thin walls of length 8, along both axes.
    void make_walls() {
        workload::Random random(7);
        std::vector<Box> walls;
        for (std::size_t i = 0; i < boxes_[0].size() / agents_of_a_wall; ++i) {
            const float x = random.uniform(0, plane_.side), y = random.uniform(0, plane_.side);
            walls.push_back(i % 2 == 0 ? Box::around(x, y, 4, 0.1f) : Box::around(x, y, 0.1f, 4));
        }
        const StaticLayer layer(walls, {.executor = serial_executor(), .isa = engine_.isa()});
        require(engine_.set_static_layer(layer), "setting the static layer");
    }

    const Feature feature_;
    const std::size_t storeys_;
    const workload::World plane_;
    std::vector<Box> boxes_[2];
    int now_ = 0;
    std::vector<Band> bands_;
    std::vector<AgentId> ids_;
    std::size_t owned_ = all_owned;
    Queries random_, coherent_;
    std::vector<Cast> casts_;
    std::vector<Filter> cast_filters_;
    Engine engine_;
    Frame frame_;
    PairList pairs_, wall_pairs_;
    OverlapLists hits_, wall_hits_;
    NeighbourLists lists_, wall_lists_;
    std::vector<CastHit> first_;
};

}  // namespace throng::bench
