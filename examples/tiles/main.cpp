// A world in four tiles, each with an engine of its own, as on four machines. In each frame a tile hands
// agents that have left it to their new owner, and sends the others copies of those that are near their
// borders: their ghosts. Then each asks its own engine alone, and together they know what one engine of all
// agents does.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include <throng/throng.hpp>

namespace {

constexpr float side = 60, radius = 0.5f, sight = 2.5f;

struct Agent {
    throng::AgentId id;  // the same on all tiles
    float x, y, dx, dy;

    void walk() {
        x += dx, y += dy;
        if (x < 0 || x > side) dx = -dx;
        if (y < 0 || y > side) dy = -dy;
    }
};

class Tile {
public:
    void place(float x, float y) { min_x_ = x, min_y_ = y; }
    // The outermost tiles own what lies beyond the world, too.
    bool owns(const Agent& agent) const {
        return (agent.x < side / 2) == (min_x_ == 0) && (agent.y < side / 2) == (min_y_ == 0);
    }
    // Whether an agent of another tile can be seen from here, or touched.
    bool wants(const Agent& agent) const {
        return std::max(min_x_ - agent.x, agent.x - min_x_ - side / 2) <= sight &&
               std::max(min_y_ - agent.y, agent.y - min_y_ - side / 2) <= sight;
    }
    void add(const Agent& agent) { agents_.push_back(agent); }

    void walk() {
        for (Agent& agent : agents_) agent.walk();
    }
    // Ghosts stand behind the owned agents, and were copied from others.
    void hand_over(std::array<Tile, 4>& tiles) {
        const auto left = std::stable_partition(agents_.begin(), agents_.end(),
                                                [&](const Agent& agent) { return owns(agent); });
        const std::vector<Agent> leaving(left, agents_.end());
        agents_.erase(left, agents_.end());
        for (const Agent& agent : leaving)
            for (Tile& tile : tiles)
                if (tile.owns(agent)) tile.add(agent);
    }
    void send_ghosts(std::array<Tile, 4>& tiles) const {
        for (Tile& tile : tiles)
            for (std::size_t i = 0; i < agents_.size() && &tile != this; ++i)
                if (tile.wants(agents_[i])) tile.ghosts_.push_back(agents_[i]);
    }
    bool update() {
        owned_ = agents_.size();
        agents_.insert(agents_.end(), ghosts_.begin(), ghosts_.end());
        ghosts_.clear();
        std::vector<throng::AgentId> ids;
        for (const Agent& agent : agents_) ids.push_back(agent.id);
        const auto boxes = throng::Boxes::points(agents_, &Agent::x, &Agent::y, radius);
        return engine_.update(ids, boxes, pairs_, {.owned = owned_}).ok() &&
               engine_.frame().neighbours({.radius = sight}, lists_).ok();
    }
    // They go, and come anew in the next frame.
    void forget_ghosts() { agents_.resize(owned_); }

    // A pair across a border is listed by both owners: it counts where its lower id is owned.
    std::size_t pairs() const {
        const throng::Frame frame = engine_.frame();
        return static_cast<std::size_t>(std::count_if(
            pairs_.begin(), pairs_.end(),
            [&](const throng::Pair& pair) { return !frame.is_ghost(std::min(pair.a, pair.b)); }));
    }
    std::size_t ghosts() const { return agents_.size() - owned_; }
    std::size_t owned() const { return owned_; }
    template <class Visit>
    void each_owned(const Visit& visit) const {
        for (std::size_t i = 0; i < owned_; ++i) visit(agents_[i], lists_[agents_[i].id]);
    }

private:
    float min_x_ = 0, min_y_ = 0;
    std::vector<Agent> agents_, ghosts_;
    std::size_t owned_ = 0;
    throng::Engine engine_;
    throng::PairList pairs_;
    throng::NeighbourLists lists_;
};

// One engine of all agents, which the tiles do without.
bool agree(const std::array<Tile, 4>& tiles, std::size_t agents) {
    std::vector<Agent> all(agents);
    for (const Tile& tile : tiles) tile.each_owned([&](const Agent& agent, auto) { all[agent.id] = agent; });
    throng::Engine engine;
    throng::PairList pairs;
    throng::NeighbourLists lists;
    if (!engine.update(throng::Boxes::points(all, &Agent::x, &Agent::y, radius), pairs).ok()) return false;
    if (!engine.frame().neighbours({.radius = sight}, lists).ok()) return false;
    std::size_t listed = 0, seen = 0;
    bool same = true;
    for (const Tile& tile : tiles) {
        listed += tile.pairs();
        tile.each_owned([&](const Agent& agent, auto list) {
            ++seen;
            same = same && std::is_permutation(list.begin(), list.end(), lists[agent.id].begin(),
                                               lists[agent.id].end());
        });
    }
    return same && seen == agents && listed == pairs.size();
}

}  // namespace

int main() {
    constexpr std::size_t agents = 3000;
    std::array<Tile, 4> tiles;
    for (std::size_t t = 0; t < tiles.size(); ++t)
        tiles[t].place(t % 2 == 0 ? 0 : side / 2, t < 2 ? 0 : side / 2);
    // Leaves of a sunflower: a crowd without random numbers. Each walks in a direction of its own.
    for (std::size_t i = 0; i < agents; ++i) {
        const float angle = 2.4f * static_cast<float>(i), out = 0.5f * std::sqrt(static_cast<float>(i));
        tiles[0].add({static_cast<throng::AgentId>(i), side / 2 + out * std::cos(angle),
                      side / 2 + out * std::sin(angle), 0.3f * std::cos(3 * angle),
                      0.3f * std::sin(3 * angle)});
    }
    for (int frame = 0; frame < 60; ++frame) {
        for (Tile& tile : tiles) tile.walk();
        for (Tile& tile : tiles) tile.hand_over(tiles);
        for (const Tile& tile : tiles) tile.send_ghosts(tiles);
        for (Tile& tile : tiles)
            if (!tile.update()) return 1;
        if (!agree(tiles, agents)) return 1;
        if (frame % 20 == 0)
            for (const Tile& tile : tiles)
                std::printf("frame %d: %zu agents, %zu ghosts, %zu pairs\n", frame, tile.owned(),
                            tile.ghosts(), tile.pairs());
        for (Tile& tile : tiles) tile.forget_ghosts();
    }
    std::puts("all tiles together: the answers of one engine of all agents");
    return 0;
}
