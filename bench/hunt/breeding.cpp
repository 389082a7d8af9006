#include "bench/hunt/breeding.hpp"

#include <algorithm>

#include "worlds/hunted/variation.hpp"

namespace throng::hunt {

namespace {

// Lists of more answers than this would measure the memory.
constexpr double max_answers_in_all = 5e7;

// While it is bred, a world may take this share of the time that is given to one which is measured.
double share_of_bred_trials(std::size_t agents) {
    return std::clamp(static_cast<double>(agents) / 200'000, 0.1, 1.0);
}

// What crashed, failed or hung; null if nothing did.
const Score* fault_in(const Verdict& verdict) {
    for (const Score& score : verdict.scores)
        if (score.ratio == beyond_measure) return &score;
    return nullptr;
}

}  // namespace

Trial sized(Trial trial, std::size_t agents) {
    trial.plan.max_answers = std::min(500.0, max_answers_in_all / static_cast<double>(agents));
    trial.plan.max_answers_of_questions = trial.plan.max_answers;
    return trial;
}

double growth_of(const worlds::World& world, const Score& score, const Trial& trial) {
    worlds::World larger = world;
    larger.agents = std::min(4 * world.agents, worlds::max_agents);
    Trial only = sized(trial, larger.agents);
    only.plan.wanted = [&](Operation operation) { return operation == score.operation; };
    only.seconds = 4 * trial.seconds;
    only.rounds = 2;
    const Verdict verdict = try_world(larger, only);
    for (const Score& other : verdict.scores)
        if (other.operation == score.operation && other.phase == score.phase && score.cost() > 0)
            return 4 * other.cost() / score.cost();
    return 0;
}

Hunt::Hunt(const Rules& rules) : rules_(rules), breeding_(rules.trial), random_(rules.seed) {
    if (!rules.count_steps) return;
    breeding_ = counting_trial(rules.trial);
    for (const std::size_t agents : rules.sizes) count_crowd(breeding_, agents);
}

void Hunt::run(const std::function<void(const Progress&)>& tell) {
    double told = 0;
    const auto tell_now_and_then = [&] {
        if (seconds() - told < 10) return;
        told = seconds();
        tell({worlds_, told, worst()});
    };
    while (!time_is_up(0.75) && worlds_ < rules_.worlds) {
        Find fault;
        if (!judge(next(), fault)) tell({worlds_, seconds(), worst(), &fault});
        tell_now_and_then();
    }
    measure_finds(tell_now_and_then);
}

double Hunt::seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

const Find* Hunt::worst() const {
    const Find* worst = nullptr;
    const auto look = [&](const std::array<Shelf, operation_count>& shelves) {
        for (const Shelf& shelf : shelves)
            for (const Find& find : shelf)
                if (worst == nullptr || find.score.ratio > worst->score.ratio) worst = &find;
    };
    look(measured_);
    if (worst == nullptr) look(bred_);
    return worst;
}

std::size_t Hunt::any_size() {
    const std::size_t a = random_.below(rules_.sizes.size()), b = random_.below(rules_.sizes.size());
    return rules_.sizes[std::min(a, b)];
}

// The first worlds are random, and later every fourth.
worlds::World Hunt::next() {
    const Find* const one = worlds_ < 40 || random_.one_in(4) ? nullptr : parent();
    if (one == nullptr) return worlds::random_world(any_size(), random_);
    const Find* const other = random_.one_in(3) ? parent() : nullptr;
    if (other != nullptr) return worlds::crossed(one->world, other->world, random_);
    worlds::World world = worlds::mutated(one->world, random_);
    if (random_.one_in(6)) world.agents = any_size();
    return world;
}

// Of any operation, and more likely one of its worst.
const Find* Hunt::parent() {
    const Operation operation = rules_.operations[random_.below(rules_.operations.size())];
    const Shelf& shelf = bred_[index(operation)];
    if (shelf.empty()) return nullptr;
    return &shelf[random_.below(1 + random_.below(shelf.size()))];
}

bool Hunt::judge(const worlds::World& world, Find& fault) {
    ++worlds_;
    Trial trial = breeding_;
    if (!trial.counts_steps) {
        trial = sized(trial, world.agents);
        trial.seconds *= share_of_bred_trials(world.agents);
    }
    Verdict verdict = try_world(world, trial);
    // A machine that stood still for a moment is no fault of the world.
    if (fault_in(verdict) != nullptr) verdict = try_world(world, trial);
    if (verdict.end == End::dismissed) return true;
    for (const Operation operation : rules_.operations)
        if (const std::optional<Score> score = verdict.worst(operation))
            shelve(bred_[index(operation)], {world, *score, verdict.end});
    const Score* const score = fault_in(verdict);
    if (score != nullptr) fault = {world, *score, verdict.end};
    return score == nullptr;
}

// One of each family, which shares a seed: else the children of one world crowd out all others.
void Hunt::shelve(Shelf& shelf, const Find& find) const {
    const auto relative = std::find_if(
        shelf.begin(), shelf.end(), [&](const Find& other) { return other.world.seed == find.world.seed; });
    if (relative != shelf.end()) {
        if (relative->score.ratio >= find.score.ratio) return;
        shelf.erase(relative);
    }
    const auto place = std::upper_bound(shelf.begin(), shelf.end(), find, [](const Find& a, const Find& b) {
        return a.score.ratio > b.score.ratio;
    });
    shelf.insert(place, find);
    if (shelf.size() > shelf_size) shelf.pop_back();
}

// The worst of each operation first, then the second of each.
void Hunt::measure_finds(const std::function<void()>& tell) {
    for (std::size_t rank = 0; rank < std::min(rules_.top, shelf_size); ++rank)
        for (const Operation operation : rules_.operations) {
            const Shelf& shelf = bred_[index(operation)];
            if (rank >= shelf.size() || (rank > 0 && time_is_up(1))) continue;
            measure_again(rank == 0 ? simplified(shelf[rank], operation) : shelf[rank], operation);
            tell();
        }
    for (const Operation operation : rules_.operations) {
        Shelf& shelf = measured_[index(operation)];
        if (!shelf.empty() && !time_is_up(1))
            shelf.front().growth = growth_of(shelf.front().world, shelf.front().score, rules_.trial);
    }
}

std::optional<Find> Hunt::measured(const worlds::World& world, Trial trial, Operation operation) {
    trial.plan.wanted = [&](Operation other) { return other == operation; };
    trial.suspicious = 0;
    const Verdict verdict = try_world(world, trial);
    const std::optional<Score> score = verdict.worst(operation);
    if (!score || verdict.end == End::dismissed) return std::nullopt;
    return Find{world, *score, verdict.end};
}

// What does not matter for a find only hides what does. So it goes, as long as most of the ratio stays.
Find Hunt::simplified(Find find, Operation operation) {
    const double enough = 0.7 * find.score.ratio;
    for (bool again = true; again;) {
        again = false;
        for (const worlds::World& world : worlds::simpler(find.world)) {
            if (time_is_up(1)) return find;
            const std::optional<Find> other = measured(world, breeding_, operation);
            if (!other || other->score.ratio < enough) continue;
            find = *other;
            again = true;
            break;
        }
    }
    return find;
}

void Hunt::measure_again(const Find& find, Operation operation) {
    const Trial trial = sized(rules_.trial, find.world.agents);
    if (const std::optional<Find> again = measured(find.world, trial, operation))
        shelve(measured_[index(operation)], *again);
}

}  // namespace throng::hunt
