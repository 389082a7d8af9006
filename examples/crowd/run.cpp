#include "examples/crowd/run.hpp"

#include <deque>
#include <optional>

#include "examples/crowd/kd_tree.hpp"

namespace throng::crowd {

namespace {

// Keeps where agents were, every few steps, and copies it out at the moments of the picture.
class Recorder {
public:
    Recorder(std::size_t agents, unsigned steps) : agents_(agents), steps_(steps) {}

    void at(unsigned step, std::span<const Agent> agents, std::vector<Moment>& moments) {
        if (agents_ <= most_with_trails && step % stride == 0) {
            if (places_.size() == places_of_trail) places_.pop_front();
            places_.emplace_back(agents_, nowhere);
            for (const Agent& agent : agents) places_.back()[agent.number] = agent.position();
        }
        // After a tenth of the steps, three tenths, and six.
        for (const unsigned tenths : {1u, 3u, 6u})
            if (step == std::max(steps_ * tenths / 10, tenths)) moments.push_back(moment(step, agents));
    }

private:
    static constexpr std::size_t most_with_trails = 20'000, places_of_trail = 12;
    static constexpr unsigned stride = 3;
    static constexpr Vec nowhere{1e30f, 1e30f};

    Moment moment(unsigned step, std::span<const Agent> agents) const {
        Moment moment{step, {agents.begin(), agents.end()}, {}};
        for (const Agent& agent : agents) {
            std::vector<Vec>& trail = moment.trails.emplace_back();
            for (const std::vector<Vec>& places : places_)
                if (places[agent.number] != nowhere) trail.push_back(places[agent.number]);
            trail.push_back(agent.position());
        }
        return moment;
    }

    std::size_t agents_;
    unsigned steps_;
    std::deque<std::vector<Vec>> places_;
};

}  // namespace

Result run(const Options& options, const Executor& executor) {
    Result result{.scenario = make_scenario(options.scenario, options.agents)};
    const Settings settings{.executor = executor, .isa = options.isa};
    Simulation simulation(result.scenario, settings);
    Recorder recorder(options.agents, options.frames);
    std::optional<KdTree> tree;
    if (options.compare) tree.emplace();

    for (unsigned step = 1; step <= options.frames; ++step) {
        if (!simulation.agents().empty()) {
            result.agent_steps += simulation.agents().size();
            if (tree)
                result.kd_tree.push_back(
                    tree->find(simulation.agents(), settings.sight, settings.max_neighbours));
            result.times.push_back(simulation.step());
            if (tree) tree->check(simulation.neighbours());
            result.neighbours += simulation.neighbours().ids().size();
        }
        recorder.at(step, simulation.agents(), result.moments);
    }
    result.arrived = options.agents - simulation.agents().size();
    result.isa = simulation.isa();
    return result;
}

}  // namespace throng::crowd
