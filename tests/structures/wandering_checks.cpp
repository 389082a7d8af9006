#include "structures/wandering_checks.hpp"

#include "structures/finding.hpp"
#include "structures/worlds.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

enum class Gait {
    bouncing,  // straight on, each at a pace of its own, until the next wall
    astray,    // somewhere else in every step
};

// In a square, four units of area for each agent, of which one is a unit wide at most, or some are larger.
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

void check_wandering(const IndexKind& kind, Wanderers world, bool by_move, HeapCount global) {
    CountingResource memory;
    const std::unique_ptr<AnySpatialIndex> made = kind.make(expected_of(world.boxes()), &memory);
    AnySpatialIndex& index = *made;
    require(index.assign(Boxes::of(world.boxes())).ok(), "it does not take a crowd");
    bool ok = true;
    std::size_t hits = 0, pairs = 0, late = 0, first = 0;
    const std::size_t warm_up = 100, last = warm_up + scaled(400, 150);
    for (std::size_t number = 0; number < last; ++number) {
        world.step();
        const std::vector<Box>& boxes = world.boxes();
        const std::uint64_t before = memory.calls() + memory.returns() + global();
        if (!by_move) {
            ok = index.assign(Boxes::of(boxes)).ok() && ok;
        } else {
            for (std::size_t i = 0; i < boxes.size(); ++i)
                ok = index.move(static_cast<ElementId>(i), boxes[i]).ok() && ok;
            index.clean_up();
        }
        for (std::size_t i = number % 29; i < boxes.size(); i += 29)
            ok = index
                     .for_each_overlap(
                         boxes[i], [&](ElementId) { ++hits; }, static_cast<ElementId>(i))
                     .ok() &&
                 ok;
        ok = index.for_each_pair([&](std::span<const Pair> some) { pairs += some.size(); }).ok() && ok;
        if (number < warm_up || memory.calls() + memory.returns() + global() == before) continue;
        if (late++ == 0) first = number;
    }
    require(late == 0, "memory is asked for or given back in ", late, " late frames, first in frame ", first);
    require(ok && hits != 0 && pairs != 0, "something was refused on the way");
    require(index.validate().sound(), "validate finds ", index.validate().what);
}

}  // namespace

void check_wandering_crowds(const IndexKind& kind, HeapCount global) {
    struct Crowd {
        const char* name;
        std::size_t count;
        Gait gait;
        bool mixed;
        std::uint64_t seed;
    };
    for (const Crowd& crowd : {Crowd{"a crowd that bounces", 800, Gait::bouncing, false, 1},
                               Crowd{"a mixed crowd that bounces", 300, Gait::bouncing, true, 2},
                               Crowd{"a mixed crowd astray", 400, Gait::astray, true, 1}})
        within(crowd.name, [&] {
            const Wanderers world(crowd.count, crowd.gait, crowd.mixed, crowd.seed);
            within("by assign", [&] { check_wandering(kind, world, false, global); });
            if (kind.dynamic) within("by move", [&] { check_wandering(kind, world, true, global); });
        });
}

}  // namespace throng::test
