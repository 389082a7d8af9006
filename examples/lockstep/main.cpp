// A game in lockstep: every player simulates all agents, and all come to the same floats, to the last bit.
// Forces are added in the order of the answers, so that order has to be the same for all: a state that is
// sent to a player who joins, or kept for a rollback, has the engine's plan in it.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

#include <throng/throng.hpp>

namespace {

// What is sent over the network, or kept.
struct State {
    std::vector<float> x, y;
    std::vector<std::byte> plan;
};

class Player {
public:
    explicit Player(const State& state) { go_to(state); }

    void go_to(const State& state) {
        x_ = state.x, y_ = state.y;
        if (!state.plan.empty()) is_well_ = engine_.set_plan(state.plan).ok() && is_well_;
    }
    State state() const {
        std::vector<std::byte> plan(static_cast<std::size_t>(engine_.plan({}).total));
        const bool written = engine_.plan(plan).status.ok();
        return {x_, y_, written ? plan : std::vector<std::byte>()};
    }
    // Who touch push each other away; all drift outwards.
    void step() {
        is_well_ = engine_.update(throng::Boxes::points(x_, y_, 0.5f), pairs_).ok() && is_well_;
        for (const auto [a, b] : pairs_) {
            const float dx = (x_[a] - x_[b]) / 7, dy = (y_[a] - y_[b]) / 7;
            x_[a] += dx, y_[a] += dy, x_[b] -= dx, y_[b] -= dy;
        }
        for (std::size_t i = 0; i < x_.size(); ++i) x_[i] *= 1.0007f, y_[i] *= 1.0007f;
    }
    bool is_well() const { return is_well_; }
    bool agrees_with(const Player& other) const { return x_ == other.x_ && y_ == other.y_; }

private:
    throng::Engine engine_;
    throng::PairList pairs_;
    std::vector<float> x_, y_;
    bool is_well_ = true;
};

// Leaves of a sunflower: a crowd without random numbers.
State sunflower(std::size_t agents) {
    State state;
    for (std::size_t i = 0; i < agents; ++i) {
        const float angle = 2.4f * static_cast<float>(i), radius = 0.45f * std::sqrt(static_cast<float>(i));
        state.x.push_back(radius * std::cos(angle));
        state.y.push_back(radius * std::sin(angle));
    }
    return state;
}

}  // namespace

int main() {
    Player first(sunflower(5000));
    for (int frame = 0; frame < 300; ++frame) first.step();
    const State joined = first.state();
    Player second(joined), without_plan({joined.x, joined.y, {}});
    for (int frame = 300; frame < 350; ++frame)
        for (Player* player : {&first, &second, &without_plan}) player->step();
    std::printf("a player who joins: %s; without the plan: %s\n",
                first.agrees_with(second) ? "the same" : "another",
                first.agrees_with(without_plan) ? "the same" : "another");
    if (!first.agrees_with(second) || first.agrees_with(without_plan)) return 1;

    // An input of another player comes late: back by fifty frames, and on again.
    second.go_to(joined);
    for (int frame = 300; frame < 400; ++frame) second.step();
    for (int frame = 350; frame < 400; ++frame) first.step();
    std::printf("after a rollback:   %s\n", first.agrees_with(second) ? "the same" : "another");
    return first.agrees_with(second) && first.is_well() && second.is_well() ? 0 : 1;
}
