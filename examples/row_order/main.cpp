// What a host gains from arrays in row order. Its agents are in the order in which they were born, which says
// nothing about where they are: so each partner of a pair, and each answer of a query, is somewhere else in
// memory. `Frame::row_order` says how to put the arrays so that agents that are near each other are near in
// memory, and `Engine::renumber` makes the engine's ids follow. Agents move little in a frame, so once in
// some hundred frames is enough.
//
//     row_order [agents]
//
// It measures a response to all pairs and a query for each agent, before and after, and checks that nothing
// else has changed: the same agents are pushed to the same places.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>
#include <vector>

#include <throng/throng.hpp>

namespace {

using throng::AgentId;
using throng::Boxes;
using throng::Frame;
using throng::Pair;
using throng::Status;

constexpr float radius = 0.5f;

// The host's own arrays. Agent i of all of them has the id i in the engine.
struct Agents {
    std::vector<float> x, y;
    std::vector<float> push_x, push_y;
    std::vector<int> name;  // what the host knows an agent by, whatever its id is

    std::size_t size() const { return x.size(); }
    Boxes boxes() const { return Boxes::points(x.data(), y.data(), radius, x.size()); }
};

Agents born_anywhere(std::size_t count) {
    std::mt19937 random(1);
    const float side = 1.5f * std::sqrt(static_cast<float>(count));
    std::uniform_real_distribution<float> anywhere(0, side);
    Agents agents;
    for (std::size_t i = 0; i < count; ++i) {
        agents.x.push_back(anywhere(random));
        agents.y.push_back(anywhere(random));
        agents.name.push_back(static_cast<int>(i));
    }
    agents.push_x.resize(count);
    agents.push_y.resize(count);
    return agents;
}

// The element of agent order[k] comes to place k.
template <class T>
void put_in_order(std::vector<T>& elements, const std::vector<AgentId>& order) {
    std::vector<T> before(elements);
    for (std::size_t k = 0; k < order.size(); ++k) elements[k] = before[order[k]];
}

Status put_in_row_order(throng::Engine& engine, Agents& agents) {
    std::vector<AgentId> order(agents.size());
    if (const Status status = engine.frame().row_order(order).status; !status) return status;
    if (const Status status = engine.renumber(order); !status) return status;
    put_in_order(agents.x, order);
    put_in_order(agents.y, order);
    put_in_order(agents.push_x, order);
    put_in_order(agents.push_y, order);
    put_in_order(agents.name, order);
    return {};
}

// Agents that touch push each other apart. Whole numbers, since sums of floats depend on the order of the
// pairs.
void respond(Agents& agents, std::span<const Pair> pairs) {
    std::fill(agents.push_x.begin(), agents.push_x.end(), 0.0f);
    std::fill(agents.push_y.begin(), agents.push_y.end(), 0.0f);
    for (const Pair& pair : pairs) {
        const float dx = agents.x[pair.a] < agents.x[pair.b] ? 1.0f : -1.0f;
        const float dy = agents.y[pair.a] < agents.y[pair.b] ? 1.0f : -1.0f;
        agents.push_x[pair.a] -= dx;
        agents.push_y[pair.a] -= dy;
        agents.push_x[pair.b] += dx;
        agents.push_y[pair.b] += dy;
    }
}

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

// The shortest of some runs.
template <class Work>
double time_of(Work&& work) {
    double best = 1e9;
    for (int run = 0; run < 7; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        best = std::min(best, milliseconds_since(begin));
    }
    return best;
}

struct Times {
    double update, pairs, response, queries;
};

// A frame as the host makes it.
bool measure(throng::Engine& engine, Agents& agents, Times& times) {
    throng::PairList list;
    throng::OverlapLists hits;
    bool good = true;
    times.update = time_of([&] { good = good && engine.update(agents.boxes()).ok(); });
    const Frame frame = engine.frame();
    times.pairs = time_of([&] { good = good && frame.pairs(list).ok(); });
    times.response = time_of([&] { respond(agents, list.pairs()); });
    times.queries = time_of([&] { good = good && frame.overlaps(agents.boxes(), hits).ok(); });
    return good;
}

// What each agent was pushed by, by name.
std::vector<float> pushes_by_name(const Agents& agents) {
    std::vector<float> pushes(2 * agents.size());
    for (std::size_t i = 0; i < agents.size(); ++i) {
        pushes[2 * static_cast<std::size_t>(agents.name[i])] = agents.push_x[i];
        pushes[2 * static_cast<std::size_t>(agents.name[i]) + 1] = agents.push_y[i];
    }
    return pushes;
}

}  // namespace

int main(int argc, char** argv) {
    const std::size_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 20'000;
    Agents agents = born_anywhere(count);
    throng::Engine engine({.executor = throng::serial_executor()});
    Times before{}, after{};
    if (!measure(engine, agents, before)) return 1;
    const std::vector<float> expected = pushes_by_name(agents);

    const auto begin = std::chrono::steady_clock::now();
    if (const Status status = put_in_row_order(engine, agents); !status) {
        std::fprintf(stderr, "element %zu: %s\n", status.index, status.message());
        return 1;
    }
    const double ordering = milliseconds_since(begin);
    if (!measure(engine, agents, after)) return 1;
    if (pushes_by_name(agents) != expected) {
        std::fprintf(stderr, "other agents were pushed\n");
        return 1;
    }

    std::printf("%zu agents, one thread       as born   in row order\n", count);
    const auto line = [](const char* what, double one, double other) {
        std::printf("  %-24s %8.3f ms %8.3f ms   %.2f times as fast\n", what, one, other, one / other);
    };
    line("update", before.update, after.update);
    line("pairs", before.pairs, after.pairs);
    line("response to each pair", before.response, after.response);
    line("a query for each agent", before.queries, after.queries);
    std::printf("  to put all in row order  %8.3f ms, once in a while\n", ordering);
}
