// A large world in three indexes instead of one: people, all of about one size, as points in a
// UniformGrid; dragons, of any size, in a LooseQuadtree; and castles, which never move, in a StaticIndex.
// Each set is in the structure that is best for it, and to find what is at a place, all three
// are queried.
#include <cstdio>
#include <random>
#include <vector>

#include <throng/structures/loose_quadtree.hpp>
#include <throng/structures/static_index.hpp>
#include <throng/structures/uniform_grid.hpp>

namespace {

using throng::Box;
using throng::Status;
using throng::structures::ElementId;

constexpr float side = 300;
constexpr float largest_person = 1;
constexpr std::size_t groups_a_frame = 4;

class World {
public:
    World(std::size_t people, std::size_t dragons, std::size_t castles) {
        for (std::size_t i = 0; i < people; ++i) people_.push_back(somewhere(0.3f, largest_person / 2));
        for (std::size_t i = 0; i < dragons; ++i) dragons_.push_back(somewhere(2, 15));
        for (std::size_t i = 0; i < castles; ++i) castles_.push_back(somewhere(1, 8));
    }
    // All that is there from the beginning is assigned: that is faster than to insert each, and lays
    // them out by where they are. Element i has the id i.
    Status open() {
        if (Status status = people_index_.assign(throng::Boxes::of(people_)); !status) return status;
        if (Status status = dragon_index_.assign(throng::Boxes::of(dragons_)); !status) return status;
        return castle_index_.assign(throng::Boxes::of(castles_));
    }

    // People all move, so they are assigned again. Dragons are few: each is moved by itself, and what that
    // leaves behind is cleaned up a little at a time.
    Status step() {
        for (Box& box : people_) box = pushed(box, 0.2f);
        if (Status status = people_index_.assign(throng::Boxes::of(people_)); !status) return status;
        for (ElementId id = 0; id < dragons_.size(); ++id) {
            dragons_[id] = pushed(dragons_[id], 1.5f);
            if (Status status = dragon_index_.move(id, dragons_[id]); !status) return status;
        }
        dragon_index_.clean_up(groups_a_frame);
        return {};
    }

    // Pairs of people and of dragons, and people in a castle or under a dragon.
    Status count_touching(std::size_t& touching) {
        touching = 0;
        const auto people_at = [&](const Box& place) {
            // The grid takes each for as large as the largest, so its answers are candidates: the true boxes
            // decide.
            return people_index_.for_each_overlap(
                place, [&](ElementId id) { touching += people_[id].overlaps(place); });
        };
        if (Status status = people_index_.for_each_pair(
                [&](throng::Pair pair) { touching += people_[pair.a].overlaps(people_[pair.b]); });
            !status)
            return status;
        if (Status status = dragon_index_.for_each_pair([&](throng::Pair) { ++touching; }); !status)
            return status;
        for (const Box& dragon : dragons_) {
            if (Status status = people_at(dragon); !status) return status;
            const throng::Count castles = castle_index_.count(dragon);
            if (!castles.status) return castles.status;
            touching += castles.total;
        }
        for (const Box& castle : castles_)
            if (Status status = people_at(castle); !status) return status;
        return {};
    }
    // The same by looking at every two, to see that none was missed.
    std::size_t touching_by_brute_force() const {
        std::vector<Box> all(people_);
        all.insert(all.end(), dragons_.begin(), dragons_.end());
        const std::size_t moving = all.size();
        all.insert(all.end(), castles_.begin(), castles_.end());
        std::size_t touching = 0;
        for (std::size_t a = 0; a < moving; ++a)
            for (std::size_t b = a + 1; b < all.size(); ++b) touching += all[a].overlaps(all[b]);
        return touching;
    }

    std::size_t bytes() const {
        return people_index_.bytes() + dragon_index_.bytes() + castle_index_.bytes();
    }
    std::size_t size() const { return people_.size() + dragons_.size() + castles_.size(); }

private:
    Box somewhere(float smallest, float largest) {
        std::uniform_real_distribution<float> place(0, side), half(smallest, largest);
        const float x = place(random_), y = place(random_);
        return Box::around(x, y, half(random_), smallest);
    }
    Box pushed(const Box& box, float step) {
        std::uniform_real_distribution<float> way(-step, step);
        const float x = way(random_), y = way(random_);
        return box.moved(x, y);
    }

    std::mt19937 random_{7};
    std::vector<Box> people_, dragons_, castles_;
    // A little more than the largest: a push may round a box up by a bit.
    throng::structures::UniformGrid people_index_{
        throng::structures::UniformGrid::recommended({.extents = {0, 0, side, side},
                                                      .elements = 4000,
                                                      .typical_size = largest_person,
                                                      .largest_size = largest_person * 1.01f})};
    throng::structures::LooseQuadtree dragon_index_{throng::structures::LooseQuadtree::recommended(
        {.extents = {0, 0, side, side}, .elements = 40, .typical_size = 10})};
    throng::structures::StaticIndex castle_index_;
};

}  // namespace

int main() {
    World world(4000, 40, 60);
    if (!world.open()) return 1;
    for (int frame = 0; frame < 5; ++frame) {
        std::size_t touching = 0;
        if (!world.step() || !world.count_touching(touching)) return 1;
        std::printf("frame %d: %zu touch each other; %zu elements in %zu bytes\n", frame, touching,
                    world.size(), world.bytes());
        if (touching != world.touching_by_brute_force() || touching == 0) return 1;
    }
    return 0;
}
