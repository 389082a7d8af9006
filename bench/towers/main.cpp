// What a world of storeys above each other costs beside one of a single storey with as many agents, and as
// densely: a frame, small boxes with a band, lists by own band, the nearest, and casts with a band, on one
// thread. Each task takes turns in both worlds. A time is divided by the number of agents or queries and of
// their answers.
//
//     throng-towers [AGENTS [STOREYS [ROUNDS]]]
//     throng-towers AGENTS STOREYS 1 TASK      one task in the tower alone, for counting instructions
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "bench/common/statistics.hpp"
#include "throng/throng.hpp"
#include "worlds/workload/workload.hpp"

namespace {

using throng::Band;
using throng::Filter;

constexpr float storey_height = 3, tall = 1.8f;
constexpr std::size_t unmeasured = 2, casts_at_most = 100000;

void must(const throng::Status& status) {
    if (status) return;
    std::fprintf(stderr, "%s\n", status.message());
    std::exit(1);
}

// A plain crowd on each storey, of agents in any order, and what is asked.
class World {
public:
    World(std::size_t agents, std::size_t storeys) : plane_(workload::make("crowd", agents / storeys)) {
        const std::size_t on_storey = plane_.size();
        workload::Random random(5);
        for (std::size_t s = 0; s < storeys; ++s)
            for (std::size_t i = 0; i < on_storey; ++i) add(s, i, random);
        // Ids are in no order.
        for (std::size_t i = boxes_.size(); i > 1; --i) {
            const std::size_t other = random.next() % i;
            std::swap(boxes_[i - 1], boxes_[other]);
            std::swap(bands_[i - 1], bands_[other]);
        }
        for (std::size_t i = 0; i < boxes_.size(); ++i) ask(i, random);
        must(engine_.update(boxes_, {.heights = bands_}));
    }

    // Each returns how many agents or queries it had, and answers.
    std::size_t frame() {
        must(engine_.update(boxes_, {.heights = bands_}));
        must(engine_.frame().pairs(pairs_));
        return boxes_.size() + pairs_.size();
    }
    std::size_t boxes() {
        must(engine_.frame().overlaps(small_boxes_, hits_, filters_));
        return small_boxes_.size() + hits_.ids().size();
    }
    std::size_t lists() {
        must(engine_.frame().neighbours(throng::Within{.radius = 2}, lists_));
        return boxes_.size() + lists_.ids().size();
    }
    std::size_t nearest() {
        must(engine_.frame().neighbours(throng::Nearest{.count = 8}, lists_));
        return boxes_.size() + lists_.ids().size();
    }
    std::size_t casts() {
        first_.resize(casts_.size());
        must(engine_.frame().first_hits(casts_, first_, cast_filters_));
        std::size_t found = 0;
        for (const throng::CastHit& hit : first_) found += std::size_t{hit.found()};
        return casts_.size() + found;
    }

private:
    void add(std::size_t storey, std::size_t i, workload::Random& random) {
        const float floor = storey_height * static_cast<float>(storey);
        // Each storey is another crowd: mirrored and turned.
        const float x = (storey & 1) != 0 ? plane_.side - plane_.x[i] : plane_.x[i],
                    y = (storey & 2) != 0 ? plane_.side - plane_.y[i] : plane_.y[i],
                    dx = random.uniform(-1, 1), dy = random.uniform(-1, 1);
        const float left = x + dx, low = y + dy, half_x = plane_.hx[i], half_y = plane_.hy[i];
        boxes_.push_back({left - half_x, low - half_y, left + half_x, low + half_y});
        bands_.push_back({floor, floor + tall});
    }
    void ask(std::size_t i, workload::Random& random) {
        const throng::Box& box = boxes_[i];
        const float x = (box.min_x + box.max_x) / 2, y = (box.min_y + box.max_y) / 2;
        small_boxes_.push_back({x - 2, y - 2, x + 2, y + 2});
        filters_.push_back({.heights = bands_[i]});
        if (i >= casts_at_most) return;
        const float angle = random.uniform(0, 6.2831853f);
        casts_.push_back(throng::Cast::ray(x, y, 50 * std::cos(angle), 50 * std::sin(angle)));
        cast_filters_.push_back({.self = static_cast<throng::AgentId>(i), .heights = bands_[i]});
    }

    workload::World plane_;
    std::vector<throng::Box> boxes_, small_boxes_;
    std::vector<Band> bands_;
    std::vector<Filter> filters_, cast_filters_;
    std::vector<throng::Cast> casts_;
    std::vector<throng::CastHit> first_;
    throng::Engine engine_{{.executor = throng::serial_executor()}};
    throng::PairList pairs_;
    throng::OverlapLists hits_;
    throng::NeighbourLists lists_;
};

struct Task {
    const char* name;
    std::size_t (World::*run)();
};
constexpr Task tasks[] = {{"frame", &World::frame},
                          {"T2", &World::boxes},
                          {"T2r", &World::lists},
                          {"knn", &World::nearest},
                          {"T5", &World::casts}};

// Nanoseconds for each agent or query, and answer. Not inlined, so that a profiler can count its instructions
// alone.
THRONG_NOINLINE double measured(World& world, const Task& task) {
    const auto begin = std::chrono::steady_clock::now();
    const std::size_t steps = (world.*task.run)();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - begin;
    return time.count() / static_cast<double>(steps);
}

std::size_t argument(int count, char** arguments, int which, std::size_t otherwise) {
    return which < count ? std::strtoul(arguments[which], nullptr, 10) : otherwise;
}

void one_task(std::size_t agents, std::size_t storeys, const char* name) {
    World world(agents, storeys);
    for (const Task& task : tasks)
        if (std::strcmp(task.name, name) == 0) {
            const std::size_t steps = (world.*task.run)();
            (void)measured(world, task);
            std::printf("%s: %zu agents or queries, and answers\n", name, steps);
        }
}

}  // namespace

int main(int count, char** arguments) {
    const std::size_t agents = argument(count, arguments, 1, 1000000),
                      storeys = argument(count, arguments, 2, 16), rounds = argument(count, arguments, 3, 7);
    if (count > 4) {
        one_task(agents, storeys, arguments[4]);
        return 0;
    }
    World one(agents, 1), tower(agents, storeys);
    std::printf("%zu agents, ns for each and answer: on one storey, on %zu\n", agents, storeys);
    for (const Task& task : tasks) {
        std::vector<double> flat, high;
        for (std::size_t i = 0; i < unmeasured + rounds; ++i) {
            const double times[] = {measured(one, task), measured(tower, task)};
            if (i < unmeasured) continue;
            flat.push_back(times[0]);
            high.push_back(times[1]);
        }
        const double a = throng::bench::median(flat), b = throng::bench::median(high);
        std::printf("%-6s %7.2f %7.2f  %.2f\n", task.name, a, b, b / a);
    }
    return 0;
}
