#include "bench/hunt/score.hpp"

#include <algorithm>

#include "bench/common/statistics.hpp"

namespace throng::hunt {

void Costs::took(const Timing& timing) {
    std::vector<Timing>& all = timings_[static_cast<std::size_t>(timing.operation)];
    const auto same = std::find_if(all.begin(), all.end(), [&](const Timing& other) {
        return other.moment.frame == timing.moment.frame && other.moment.edited == timing.moment.edited;
    });
    if (same == all.end())
        all.push_back(timing);
    else if (timing.cost() < same->cost())
        *same = timing;
}

std::optional<Timing> Costs::worst(Operation operation, Phase phase) const {
    std::optional<Timing> found;
    for (const Timing& timing : timings_[static_cast<std::size_t>(operation)])
        if (timing.moment.phase() == phase && (!found || timing.cost() > found->cost())) found = timing;
    return found;
}

template <class Cost>
double Costs::typical(Operation operation, Phase phase, Cost&& cost) const {
    const bool by_phase = operation == Operation::update || operation == Operation::memory;
    std::vector<double> costs;
    for (const Timing& timing : timings_[static_cast<std::size_t>(operation)])
        if (!by_phase || timing.moment.phase() == phase) costs.push_back(cost(timing));
    return bench::median(costs);
}

double Costs::expected(Operation operation, Phase phase, double asked, double answers) const {
    const double by_answers =
        (asked + answers) * typical(operation, phase, [](const Timing& timing) { return timing.cost(); });
    const std::optional<Operation> smaller = smaller_query(operation);
    if (!smaller || !(by_answers > 0)) return by_answers;
    return std::max(by_answers, asked * typical(*smaller, phase, [](const Timing& timing) {
                                    return timing.cost_of_a_query();
                                }));
}

Score score_of(const Timing& timing, const Costs& crowd) {
    Score score{.operation = timing.operation, .phase = timing.moment.phase()};
    const double expected = crowd.expected(score.operation, score.phase, timing.asked, timing.answers);
    if (expected > 0) score.ratio = timing.amount / expected;
    score.amount = timing.amount;
    score.asked = timing.asked;
    score.answers = timing.answers;
    return score;
}

std::vector<Score> scores_of(const Costs& world, const Costs& crowd, double brief) {
    std::vector<Score> scores;
    for (std::size_t operation = 0; operation < operation_count; ++operation)
        for (std::size_t phase = 0; phase < phase_count; ++phase) {
            const std::optional<Timing> timing =
                world.worst(static_cast<Operation>(operation), static_cast<Phase>(phase));
            if (!timing) continue;
            scores.push_back(score_of(*timing, crowd));
            scores.back().is_brief = timing->operation != Operation::memory && timing->amount < brief;
        }
    return scores;
}

std::optional<Score> Verdict::worst(Operation operation) const {
    std::optional<Score> found;
    for (const Score& score : scores)
        if (score.operation == operation && !score.is_brief && (!found || score.ratio > found->ratio))
            found = score;
    return found;
}

}  // namespace throng::hunt
