// The worlds on which everything is tested: agents, how they move, and queries that are awkward for these
// agents. The same name, count and seed give the same scene on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/boxes.hpp"
#include "throng/engine.hpp"
#include "throng/geometry.hpp"
#include "worlds/scenes/random.hpp"

namespace throng::test {

// What a kind of scene is made of.
struct SceneRecipe {
    const char* name;
    // The cell that the engine shall use; zero lets it choose.
    float cell_width, row_height;
    // No more agents than that.
    std::size_t max_count;
    // The box of agent `i` in a world of about that side.
    std::function<Box(Random& random, std::size_t i, float side)> place;
    // Where an agent is in the next frame.
    std::function<Box(Random& random, const Box& box, float side)> nudge;
};

class Scene {
public:
    Scene(const SceneRecipe& recipe, std::size_t count, std::uint64_t seed);

    const std::string& name() const { return name_; }
    const std::vector<Box>& agents() const { return agents_; }
    Boxes boxes() const { return Boxes::of(agents_); }
    // A box such as an agent of this scene might have.
    Box place(Random& random) const;
    // Every agent moves a little, and one in fifty jumps to somewhere else.
    void step();
    // Boxes of agents, boxes that touch an agent exactly or miss it by the smallest step there is,
    // neighbourhoods, points, large parts of the world, and all of it.
    std::vector<Box> queries(std::size_t count, std::uint64_t seed = 1) const;
    // The same scene with other agents, to be queried for these.
    Scene with(std::vector<Box> agents) const {
        Scene other = *this;
        other.agents_ = std::move(agents);
        return other;
    }
    // An engine's configuration with the cell that this scene is about.
    EngineConfig configure(EngineConfig config = {}) const;

private:
    Box query(Random& random) const;

    std::string name_;
    SceneRecipe recipe_;
    float side_;
    Random random_;
    std::vector<Box> agents_;
};

// For GoogleTest, which would print the bytes.
inline void PrintTo(const SceneRecipe& recipe, std::ostream* out) { *out << recipe.name; }

std::span<const SceneRecipe> scene_recipes();
const SceneRecipe& recipe_named(std::span<const SceneRecipe> recipes, std::string_view name);
Scene make_scene(std::string_view name, std::size_t count, std::uint64_t seed = 1);

// Labels of three categories and five groups.
std::vector<Label> labels_by_id(std::size_t count);

}  // namespace throng::test
