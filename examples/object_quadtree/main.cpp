// A small game world in one quadtree of its own objects: what is on the screen, what a lamp shines upon, what
// a guard can hear, and what runs into what.
#include <cstdio>
#include <vector>

#include <throng/structures/object_quadtree.hpp>

namespace {

struct Object {
    enum class Kind { wall, person } kind;
    throng::Box bounds;
};
struct BoundsOf {
    throng::Box operator()(const Object* object) const { return object->bounds; }
};
using World = throng::structures::ObjectQuadtree<Object*, BoundsOf>;

int count(const World& world, const throng::Box& place, Object::Kind kind) {
    int found = 0;
    const throng::Status asked =
        world.for_each_overlap(place, [&](const Object* object) { found += object->kind == kind; });
    return asked ? found : -1;
}

}  // namespace

int main() {
    std::vector<Object> objects;
    for (int i = 0; i < 10; ++i)  // walls across the world, and people between them
        objects.push_back(
            {Object::Kind::wall, throng::Box::around(50, static_cast<float>(i) * 10, 40, 0.5f)});
    for (int i = 0; i < 90; ++i)
        objects.push_back(
            {Object::Kind::person, throng::Box::around(static_cast<float>(i % 10) * 10,
                                                       static_cast<float>(i / 10) * 10 + 5, 1, 1)});
    World world({.extents = {0, 0, 100, 100}});
    for (Object& object : objects)
        if (!world.insert(&object)) return 1;

    const int on_screen = count(world, {0, 0, 50, 50}, Object::Kind::person);
    const int lit = count(world, throng::Box::around({50, 50}, 12), Object::Kind::wall);
    const int heard = count(world, throng::Box::around({35, 35}, 6), Object::Kind::person);

    // A person walks into a wall: the tree is told where the object was.
    Object& walker = objects.back();
    const throng::Box before = walker.bounds;
    walker.bounds = throng::Box::around({50, 50}, 1);
    if (!world.move(before, &walker)) return 1;
    int collisions = 0;
    if (!world.for_each_pair([&](const Object*, const Object*) { ++collisions; })) return 1;

    std::printf("on the screen %d, lit walls %d, heard %d, collisions %d\n", on_screen, lit, heard,
                collisions);
    return on_screen == 30 && lit == 3 && heard == 2 && collisions == 1 ? 0 : 1;
}
