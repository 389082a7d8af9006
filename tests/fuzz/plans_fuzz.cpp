// Bytes that look like a plan: the plan of an engine, in which the input changes some. With any such bytes,
// an engine either refuses them and stays as it was, or its frames are sound, answer as brute force does, and
// take no more memory than they may.
//
//     input    which engine the plan is of, and what is done at once; which agents the plan is for;
//     then
//              places and what is put there
#include <cstdio>

#include "fuzz/bytes.hpp"
#include "oracle/brute_force.hpp"
#include "support/test.hpp"

namespace throng::fuzz {
namespace {

using PlanBytes = std::vector<std::byte>;

[[noreturn]] void fail_for(const PlanBytes& plan, const std::string& what) {
    std::fprintf(stderr, "%s, with a plan of %zu bytes:", what.c_str(), plan.size());
    for (const std::byte byte : plan) std::fprintf(stderr, " %02x", std::to_integer<unsigned>(byte));
    std::fprintf(stderr, "\n");
    std::abort();
}

PlanBytes plan_of(const Engine& engine) {
    PlanBytes bytes(static_cast<std::size_t>(engine.plan({}).total));
    (void)engine.plan(bytes);
    return bytes;
}

// Agents of a world, the plan of an engine that has been there, and what brute force says.
struct PlannedScene {
    explicit PlannedScene(test::Scene its_scene, std::uint32_t storeys = 0, float its_row_height = 0)
        : scene(std::move(its_scene)), row_height(its_row_height) {
        for (std::uint32_t i = 0; storeys != 0 && i < scene.agents().size(); ++i) {
            const float base = 3 * static_cast<float>(i % storeys);
            bands.push_back({base, i % 30 == 0 ? base + 3 : base + 1.5f});  // some are on stairs
        }
        Engine engine({.executor = serial_executor(), .row_height = row_height});
        for (int k = 0; k < 3; ++k) {
            if (k != 0) scene.step();
            if (!engine.update(scene.boxes(), {.heights = heights()})) std::abort();
        }
        plan = plan_of(engine);
        for (std::size_t i = 0; i < scene.agents().size(); i += scene.agents().size() / 8 + 1)
            moved.push_back(static_cast<AgentId>(i));
    }

    Heights heights() const { return bands.empty() ? Heights() : Heights(bands); }

    test::Scene scene;
    float row_height;
    std::vector<Band> bands;
    PlanBytes plan;
    std::vector<AgentId> moved;
};

const std::vector<PlannedScene>& planned_scenes() {
    static const std::vector<PlannedScene> all = [] {
        std::vector<PlannedScene> made;
        for (const char* name : {"villages", "villages_of_all_sizes", "a_city_and_its_hinterland"})
            made.emplace_back(test::make_island_scene(name, 1500, 2));
        for (const char* name : {"uniform", "mixed_sizes", "none"})
            made.emplace_back(test::make_scene(name, 400, 2));
        made.emplace_back(test::make_scene("uniform", 2400, 2), 4);
        made.emplace_back(test::make_island_scene("villages", 1500, 2), 0, 1e-20f);
        return made;
    }();
    return all;
}

// Bytes that mean something as the upper ones of a float or a count come more often than by chance.
PlanBytes changed(PlanBytes plan, Bytes& bytes) {
    constexpr std::uint8_t telling[] = {0x00, 0x01, 0x7F, 0x80, 0xFF, 0x3F, 0xC0, 0x10};
    for (int k = 0; k < 24 && !bytes.empty() && !plan.empty(); ++k) {
        const std::uint32_t at = bytes.two_bytes();
        const std::uint8_t how = bytes.byte(), value = bytes.byte();
        // The upper half of the numbers is for what lies at the end, where islands are.
        std::byte& place = plan[at < 0x8000 ? at % plan.size() : plan.size() - 1 - at % plan.size()];
        switch (how % 8) {
        case 0: plan.resize(at % (2 * plan.size())); break;
        case 1: plan.insert(plan.end(), value % 40, std::byte{value}); break;
        case 2: place = std::byte{telling[value % std::size(telling)]}; break;
        case 3: place ^= static_cast<std::byte>(1u << value % 8); break;
        case 4: place = static_cast<std::byte>(std::to_integer<unsigned>(place) + value % 5 - 2); break;
        default: place = std::byte{value}; break;
        }
    }
    return plan;
}

class Trial {
public:
    Trial(const PlannedScene& of, const PlannedScene& agents, PlanBytes plan)
        : agents_(agents),
          before_(of.plan),
          plan_(std::move(plan)),
          engine_({.executor = serial_executor(), .memory = &memory_, .row_height = of.row_height}) {}

    void run(int at_once) {
        if (!engine_.set_plan(before_)) fail_for(before_, "a plan is refused");
        if (at_once != 0) update(agents_.scene);
        const PlanBytes held = plan_of(engine_);
        const Status status = engine_.set_plan(plan_);
        if (!status && !(status == Code::bad_plan)) fail_for(plan_, status.message());
        if (!status && plan_of(engine_) != held) fail_for(plan_, "a refused plan changed something");
        check_memory(most_for_tiles, "after the plan");
        test::Scene scene = agents_.scene;
        if (at_once == 1) move_all(scene);
        if (at_once == 2) renumber(scene);
        for (int k = 0; k < 3; ++k, scene.step()) {
            if (k != 0) move_some(scene);
            update(scene);
            compare(scene);
        }
        move_some(scene);
        compare(scene);
        move_all(scene);
    }
    test::CountingResource& memory() { return memory_; }

private:
    static constexpr std::size_t most_for_tiles = 100u << 20;

    void update(const test::Scene& scene) {
        const UpdateOptions options{.heights = agents_.heights()};
        if (!engine_.update(scene.boxes(), options)) fail_for(plan_, "an update failed");
        twin_ = {};
        (void)twin_.update(scene.boxes(), options);
    }
    void renumber(const test::Scene& scene) {
        std::vector<AgentId> same(scene.agents().size());
        std::iota(same.begin(), same.end(), 0u);
        if (!engine_.renumber(same)) fail_for(plan_, "a renumbering failed");
        compare(scene);
    }
    void move_all(const test::Scene& scene) {
        if (!engine_.rebase(8, -3)) fail_for(plan_, "a rebase failed");
        (void)twin_.rebase(8, -3);
        compare(scene);
    }
    void move_some(const test::Scene& scene) {
        for (const AgentId id : agents_.moved) {
            const Box box = scene.agents()[scene.agents().size() - 1 - id];
            if (!engine_.move(id, box)) fail_for(plan_, "a move failed");
            (void)twin_.move(id, box);
        }
        if (!engine_.commit()) fail_for(plan_, "a commit failed");
        (void)twin_.commit();
    }
    void compare(const test::Scene& scene) {
        check_memory(most_for_tiles + 8000 * (scene.agents().size() + 100), "in a frame");
        if (const Validation found = engine_.validate(); !found.sound())
            fail_for(plan_, describe(found.first));
        const auto frame = engine_.frame();
        const auto twin = twin_.frame();
        const Count pairs = frame.count_pairs();
        oracle::PairLists expected;
        (void)twin.pairs(expected);
        if (!pairs.status || pairs.total != expected.size()) fail_for(plan_, "other pairs");
        for (const Box& box : scene.queries(6))
            if (frame.count(box).total != twin.count(box).total) fail_for(plan_, "other answers");
    }
    void check_memory(std::size_t most, const char* when) {
        if (memory_.bytes_out() > most)
            fail_for(plan_, std::to_string(memory_.bytes_out()) + " bytes " + when);
    }

    const PlannedScene& agents_;
    const PlanBytes before_, plan_;
    test::CountingResource memory_;
    Engine engine_;
    oracle::BruteForce twin_;
};

}  // namespace
}  // namespace throng::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace throng::fuzz;
    Bytes bytes({data, size});
    const std::vector<PlannedScene>& scenes = planned_scenes();
    const std::uint8_t first = bytes.byte();
    const PlannedScene& of = scenes[first % scenes.size()];
    const PlannedScene& agents = scenes[bytes.byte() % scenes.size()];
    PlanBytes plan = changed(of.plan, bytes);
    Trial(of, agents, std::move(plan)).run(static_cast<int>(first / scenes.size() % 3));
    return 0;
}
