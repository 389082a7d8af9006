#include <initializer_list>

#include "structures/tests/finding.hpp"
#include "structures/tests/index_checks.hpp"
#include "structures/tests/test.hpp"
#include "structures/tests/worlds.hpp"

namespace throng::structures::test {
namespace {

// All elements go to and fro, so that every frame comes again and again, to the last bit.
class Pacing {
public:
    static constexpr std::size_t period = 50;

    explicit Pacing(std::size_t count) : home_(even_crowd(count, 60, 15)) {
        Random random(28);
        for (std::size_t i = 0; i < count; ++i)
            ways_.push_back({random.uniform(-6, 6), random.uniform(-6, 6), 0, 0});
        // Some giants, and some far outside.
        for (std::size_t i = 0; i < count; i += 100) home_[i] = {5, 5, 50, 50};
        for (std::size_t i = 1; i < count; i += 100) home_[i] = {-400, -300, -399, -299};
        now_ = home_;
    }
    const std::vector<Box>& boxes() const { return now_; }
    void step() {
        const std::size_t step = ++number_ % period, steps = step < period / 2 ? step : period - step;
        const float by = static_cast<float>(steps) / static_cast<float>(period / 2);
        for (std::size_t i = 0; i < now_.size(); ++i) {
            const float x = ways_[i].min_x * by, y = ways_[i].min_y * by;
            now_[i] = {home_[i].min_x + x, home_[i].min_y + y, home_[i].max_x + x, home_[i].max_y + y};
        }
    }

private:
    std::vector<Box> home_, now_, ways_;
    std::size_t number_ = 0;
};

enum class Gait {
    bouncing,  // straight on, each at a pace of its own, until the next wall
    astray,    // somewhere else in every step
};

// In a square with four units of area for each agent. Agents are at most one unit wide, or some are larger.
class Wanderers {
public:
    Wanderers(std::size_t count, Gait gait, bool mixed, std::uint64_t seed)
        : gait_(gait), side_(2 * std::sqrt(static_cast<float>(count))), random_(seed) {
        for (std::size_t i = 0; i < count; ++i) {
            const float x = random_.uniform(0, side_), y = random_.uniform(0, side_);
            const float half_x = random_.uniform(0.35f, 0.5f), half_y = random_.uniform(0.35f, 0.5f);
            const float times = mixed && i % 100 == 0 ? random_.uniform(2, 12) : 1;
            agents_.push_back({x, y, times * half_x, times * half_y, 0, 0});
            turn(agents_.back(), 1);
            boxes_.push_back(box_of(agents_.back()));
        }
    }
    const std::vector<Box>& boxes() const { return boxes_; }
    void step() {
        for (std::size_t i = 0; i < agents_.size(); ++i) {
            Agent& agent = agents_[i];
            if (gait_ == Gait::astray) turn(agent, 1.5f);
            walk(agent.x, agent.pace_x);
            walk(agent.y, agent.pace_y);
            boxes_[i] = box_of(agent);
        }
    }

private:
    struct Agent {
        float x, y, half_x, half_y, pace_x, pace_y;
    };
    static Box box_of(const Agent& a) { return Box::around(a.x, a.y, a.half_x, a.half_y); }
    void turn(Agent& agent, float fastest) {
        agent.pace_x = random_.uniform(-fastest, fastest);
        agent.pace_y = random_.uniform(-fastest, fastest);
    }
    void walk(float& at, float& pace) const {
        at += pace;
        if (at < 0 || at > side_) pace = -pace;
        at = std::clamp(at, 0.0f, side_);
    }

    Gait gait_;
    float side_;
    Random random_;
    std::vector<Agent> agents_;
    std::vector<Box> boxes_;
};

enum class Frames { by_assign, by_move, by_both };
constexpr const char* names[] = {"frames by assign", "frames by move", "frames by both"};

bool make_frame(AnySpatialIndex& index, const std::vector<Box>& boxes, bool by_move) {
    if (!by_move) return index.assign(Boxes::of(boxes)).ok();
    bool ok = true;
    for (std::size_t i = 0; i < boxes.size(); ++i)
        ok = index.move(static_cast<ElementId>(i), boxes[i]).ok() && ok;
    // A coming and going too.
    ElementId id = no_element;
    for (std::size_t i = 0; i < 20; ++i)
        ok = index.remove(static_cast<ElementId>(i)).ok() && index.insert(boxes[i], id).ok() && ok;
    index.clean_up();
    return ok && index.size() == boxes.size();
}

template <class World>
void check_frames(const IndexKind& kind, World world, Frames frames, std::size_t warm_up, std::size_t last,
                  HeapCount global) {
    CountingResource memory;
    const std::unique_ptr<AnySpatialIndex> made = kind.make(expected_of(world.boxes()), &memory);
    AnySpatialIndex& index = *made;
    const std::vector<Box>& boxes = world.boxes();
    require(index.assign(Boxes::of(boxes)).ok(), "it does not take a crowd");
    bool ok = true;
    std::size_t hits = 0, pairs = 0, late = 0, first = 0;
    std::uint64_t asked_by_queries = 0;
    const auto calls = [&] { return memory.calls() + memory.returns() + global(); };
    for (std::size_t number = 0; number < last; ++number) {
        world.step();
        const std::uint64_t before = calls();
        ok = make_frame(index, boxes,
                        frames == Frames::by_move || (frames == Frames::by_both && number % 3 != 0)) &&
             ok;
        const std::uint64_t before_queries = calls();
        for (std::size_t i = number % 29; i < boxes.size(); i += 29)
            ok = index
                     .for_each_overlap(
                         boxes[i], [&](ElementId) { ++hits; }, static_cast<ElementId>(i))
                     .ok() &&
                 ok;
        asked_by_queries += calls() - before_queries;
        ok = index.for_each_pair([&](std::span<const Pair> some) { pairs += some.size(); }).ok() && ok;
        if (number >= warm_up && calls() != before && late++ == 0) first = number;
    }
    require(late == 0, "memory is asked for or given back in ", late, " late frames, first in frame ", first);
    require(asked_by_queries == 0, "queries allocate, ", asked_by_queries, " times");
    require(ok && hits != 0 && pairs != 0, "something was refused on the way");
    require(index.validate().sound(), "validate finds ", index.validate().what);
}

template <class World>
void check_all_frames(const IndexKind& kind, const World& world, std::initializer_list<Frames> all,
                      std::size_t warm_up, std::size_t last, HeapCount global) {
    for (const Frames frames : all)
        if (kind.dynamic || frames == Frames::by_assign)
            within(names[static_cast<int>(frames)],
                   [&] { check_frames(kind, world, frames, warm_up, last, global); });
}

}  // namespace

void check_steady_state(const IndexKind& kind, HeapCount global) {
    // So long that an array that grows by half at a time grows once more.
    constexpr std::size_t period = Pacing::period, warm_up = 3 * period;
    check_all_frames(kind, Pacing(scaled(800, 400)), {Frames::by_assign, Frames::by_move, Frames::by_both},
                     warm_up, warm_up + scaled(4 * period, 2 * period), global);
}

void check_wandering_crowds(const IndexKind& kind, HeapCount global) {
    const auto check = [&](const char* name, const Wanderers& world) {
        within(name, [&] {
            check_all_frames(kind, world, {Frames::by_assign, Frames::by_move}, 100, 100 + scaled(400, 150),
                             global);
        });
    };
    check("a crowd that bounces", {800, Gait::bouncing, false, 1});
    check("a mixed crowd that bounces", {300, Gait::bouncing, true, 2});
    check("a mixed crowd astray", {400, Gait::astray, true, 1});
    // Here rows soon hold more than at first, also in a tenth of the frames.
    check("another mixed crowd astray", {400, Gait::astray, true, 3});
}

}  // namespace throng::structures::test
