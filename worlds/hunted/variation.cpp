#include "worlds/hunted/variation.hpp"

#include <cstddef>

namespace throng::worlds {

namespace {

Call random_call(Part part, Random& random) {
    const std::span<const Recipe> all = recipes_of(part);
    Call call{static_cast<std::uint32_t>(random.below(all.size())), {}};
    call.values = recipe_of(part, call).fallbacks();
    const std::span<const Parameter> parameters = recipe_of(part, call).named();
    for (std::size_t k = 0; k < parameters.size(); ++k)
        if (random.one_in(2)) call.values[k] = parameters[k].draw(random);
    return call;
}

Call varied(Part part, Call call, Random& random) {
    const std::span<const Parameter> parameters = recipe_of(part, call).named();
    if (parameters.empty() || random.one_in(3)) return random_call(part, random);
    const std::size_t k = random.below(parameters.size());
    call.values[k] = parameters[k].vary(call.values[k], random);
    return call;
}

// One agent, or as many as in all other layers: every share in between is equally likely.
double random_share(Random& random) { return with_three_digits(exp2(random.uniform(-10, 10))); }

Layer random_layer(Random& random) {
    Layer layer;
    layer.place = random_call(Part::place, random);
    if (!random.one_in(3)) layer.size = random_call(Part::size, random);
    if (random.one_in(3)) layer.at = varied(Part::at, layer.at, random);
    if (random.one_in(2)) layer.share = random_share(random);
    return layer;
}

void vary_layer(Layer& layer, Random& random) {
    switch (random.below(5)) {
    case 0: layer.at = varied(Part::at, layer.at, random); break;
    case 1: layer.share = random_share(random); break;
    case 2: layer.size = varied(Part::size, layer.size, random); break;
    default: layer.place = varied(Part::place, layer.place, random); break;
    }
}

void vary_layers(std::vector<Layer>& layers, Random& random) {
    if (layers.size() < max_layers && random.one_in(5)) {
        layers.insert(layers.begin() + static_cast<std::ptrdiff_t>(random.below(layers.size() + 1)),
                      random_layer(random));
    } else if (layers.size() > 1 && random.one_in(4)) {
        layers.erase(layers.begin() + static_cast<std::ptrdiff_t>(random.below(layers.size())));
    } else {
        vary_layer(layers[random.below(layers.size())], random);
    }
}

// The worlds that are simpler in one call: as in the plain crowd, or with one parameter less.
template <class Take>
void simplify_call(Part part, Call& call, Take&& take) {
    const Call before = call;
    if (call == plain(part)) return;
    call = plain(part);
    take();
    call = before;
    const Values fallbacks = recipe_of(part, call).fallbacks();
    for (std::size_t k = 0; k < fallbacks.size(); ++k) {
        if (call.values[k] == fallbacks[k]) continue;
        call.values[k] = fallbacks[k];
        take();
        call = before;
    }
}

}  // namespace

World random_world(std::size_t agents, Random& random) {
    World world;
    world.agents = agents;
    world.seed = random.below(1000);
    world.layers.clear();
    do world.layers.push_back(random_layer(random));
    while (world.layers.size() < max_layers && random.one_in(2));
    if (random.one_in(2)) world.ids = random_call(Part::ids, random);
    if (!random.one_in(3)) world.then = random_call(Part::then, random);
    if (random.one_in(4)) world.wraps = random_call(Part::wraps, random);
    if (random.one_in(6)) world.heights = random_call(Part::heights, random);
    return world;
}

World mutated(World world, Random& random) {
    do {
        switch (random.below(10)) {
        case 0: world.ids = varied(Part::ids, world.ids, random); break;
        case 1: world.then = varied(Part::then, world.then, random); break;
        case 2: world.seed = random.below(1000); break;
        case 3: world.wraps = varied(Part::wraps, world.wraps, random); break;
        case 4: world.heights = varied(Part::heights, world.heights, random); break;
        default: vary_layers(world.layers, random); break;
        }
    } while (random.one_in(2));
    return world;
}

World crossed(const World& a, const World& b, Random& random) {
    World child = random.one_in(2) ? a : b;
    child.layers.clear();
    for (const World* parent : {&a, &b})
        for (const Layer& layer : parent->layers)
            if (child.layers.size() < max_layers && random.one_in(2)) child.layers.push_back(layer);
    if (child.layers.empty()) child.layers.push_back(a.layers.front());
    child.ids = random.one_in(2) ? a.ids : b.ids;
    child.then = random.one_in(2) ? a.then : b.then;
    child.wraps = random.one_in(2) ? a.wraps : b.wraps;
    child.heights = random.one_in(2) ? a.heights : b.heights;
    return child;
}

std::vector<World> simpler(const World& world) {
    std::vector<World> all;
    World other = world;
    const auto take = [&] { all.push_back(other); };
    for (std::size_t k = 0; k < world.layers.size() && world.layers.size() > 1; ++k) {
        other.layers.erase(other.layers.begin() + static_cast<std::ptrdiff_t>(k));
        take();
        other = world;
    }
    simplify_call(Part::ids, other.ids, take);
    simplify_call(Part::then, other.then, take);
    simplify_call(Part::wraps, other.wraps, take);
    simplify_call(Part::heights, other.heights, take);
    for (Layer& layer : other.layers) {
        simplify_call(Part::place, layer.place, take);
        simplify_call(Part::size, layer.size, take);
        simplify_call(Part::at, layer.at, take);
    }
    return all;
}

}  // namespace throng::worlds
