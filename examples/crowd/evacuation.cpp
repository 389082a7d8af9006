// Houses of six rooms along a corridor. The rooms at its ends empty through the corridor, which is open at
// both ends. Each of the two rooms in the middle has an exit of its own.
#include <algorithm>
#include <cmath>

#include "examples/crowd/scenario.hpp"

namespace throng::crowd {

namespace {

constexpr std::uint16_t rooms = 6, columns = 3;
constexpr std::size_t places_across = 10, places_deep = 10, places_a_room = places_across * places_deep;
constexpr std::size_t agents_a_house = rooms * places_a_room;

constexpr float room_width = 46, room_depth = 44, half_corridor = 8, half_door = 4;
constexpr float half_thickness = 0.5f, outside = 10, street = 40;
constexpr float half_width = columns * room_width / 2, half_height = half_corridor + room_depth;

// A wall along x or y, with doors in it.
class WallBuilder {
public:
    WallBuilder(Scenario& scenario, Vec house) : walls_(&scenario.walls), house_(house) {}

    void along_x(float y, float begin, float end, std::initializer_list<float> doors = {}) {
        for (const float door : doors) {
            add({begin, y}, {door - half_door, y});
            begin = door + half_door;
        }
        add({begin, y}, {end, y});
    }
    void along_y(float x, float begin, float end) { add({x, begin}, {x, end}); }

private:
    void add(Vec from, Vec to) {
        from = from + house_;
        to = to + house_;
        walls_->push_back(
            {from.x - half_thickness, from.y - half_thickness, to.x + half_thickness, to.y + half_thickness});
    }

    std::vector<Box>* walls_;
    Vec house_;
};

void add_walls(Scenario& scenario, Vec house) {
    WallBuilder walls(scenario, house);
    for (const float side : {-1.0f, 1.0f}) {
        walls.along_x(side * half_height, -half_width, half_width, {0});
        walls.along_x(side * half_corridor, -half_width, -room_width / 2, {-room_width});
        walls.along_x(side * half_corridor, -room_width / 2, room_width / 2);
        walls.along_x(side * half_corridor, room_width / 2, half_width, {room_width});
        for (const float x : {-half_width, -room_width / 2, room_width / 2, half_width})
            walls.along_y(x, std::min(side * half_corridor, side * half_height),
                          std::max(side * half_corridor, side * half_height));
    }
}

// The way out of a room: through its door, and through the corridor if the door leads there. The first three
// rooms are below the corridor.
Route way_out(Vec house, std::uint16_t room) {
    constexpr float half_way = half_door - half_thickness - 1;
    const int column = room % columns - 1;
    const float side = room < columns ? -1.0f : 1.0f, middle = static_cast<float>(column) * room_width;
    Route route;
    if (column == 0) {
        const float y = side * (half_height + outside);
        route.gates = {{house + Vec{-half_way, side * half_height},
                        house + Vec{half_way, side * half_height},
                        {0, side}},
                       {house + Vec{-outside, y}, house + Vec{outside, y}, {0, side}}};
        route.goal = side < 0 ? 0 : 1;
        return route;
    }
    const float door = side * (half_corridor - half_thickness - 1), end = half_corridor - half_thickness - 1;
    const auto ahead = static_cast<float>(column);
    route.gates = {{house + Vec{middle - half_way, door}, house + Vec{middle + half_way, door}, {0, -side}},
                   {house + Vec{ahead * half_width, -end}, house + Vec{ahead * half_width, end}, {ahead, 0}},
                   {house + Vec{ahead * (half_width + outside), -end},
                    house + Vec{ahead * (half_width + outside), end},
                    {ahead, 0}}};
    route.goal = column < 0 ? 2 : 3;
    return route;
}

// The first agents of a room stand in the row that is the nearest to the corridor.
void add_agents(Scenario& scenario, Vec house, std::uint16_t room, std::size_t count, std::uint16_t route) {
    const float side = room < columns ? -1.0f : 1.0f;
    const float middle = static_cast<float>(room % columns - 1) * room_width;
    for (std::size_t i = 0; i < count; ++i) {
        const auto across = static_cast<float>(i % places_across) - (places_across - 1) / 2.0f;
        const auto deep = static_cast<float>(i / places_across) + 0.75f;
        add_agent(scenario, house + Vec{middle + across * spacing, side * (half_corridor + deep * spacing)},
                  route);
    }
}

// The share of part `index` of equal parts.
std::size_t share(std::size_t total, std::size_t parts, std::size_t index) {
    return total * (index + 1) / parts - total * index / parts;
}

}  // namespace

Scenario make_evacuation(std::size_t agents) {
    Scenario scenario;
    const std::size_t houses = std::max<std::size_t>((agents + agents_a_house - 1) / agents_a_house, 1);
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(houses))));
    const float step_x = 2 * half_width + street, step_y = 2 * half_height + street;
    for (std::size_t k = 0; k < houses; ++k) {
        const Vec house{static_cast<float>(k % side) * step_x, static_cast<float>(k / side) * step_y};
        const std::size_t inside = share(agents, houses, k);
        add_walls(scenario, house);
        for (std::uint16_t room = 0; room < rooms; ++room) {
            const auto route = static_cast<std::uint16_t>(scenario.routes.size());
            scenario.routes.push_back(way_out(house, room));
            add_agents(scenario, house, room, share(inside, rooms, room), route);
        }
    }
    scenario.goals = {"lower exit", "upper exit", "left exit", "right exit"};
    const auto last = static_cast<float>(side - 1);
    const float half = std::max(last * step_x / 2 + half_width, last * step_y / 2 + half_height) + street / 2;
    const Vec middle{last * step_x / 2, last * step_y / 2};
    scenario.view = {middle.x - half, middle.y - half, middle.x + half, middle.y + half};
    return scenario;
}

}  // namespace throng::crowd
