// What is asked about all agents of a world, besides its boxes: pairs of circles and of centres, neighbours
// and casts. Each question is one call of the library, or many single ones, with distances that suit the
// world.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "throng/frame.hpp"
#include "worlds/hunted/frames.hpp"

namespace throng::worlds {

// A frame's agents as they were given to the engine.
struct Scene {
    const std::vector<Box>& boxes;
    std::span<const Band> heights;
    Period period;
};
inline Scene scene_of(const Frames& frames) { return {frames.boxes(), frames.heights(), frames.period()}; }

// So much of a length as a segment or a cast may have, which must not go around the world very often.
double without_many_turns(double length, const Period& period) noexcept;

// The distance at which a typical agent has its fourth neighbour, at its own heights; where several are at
// one place, how wide a typical agent is where it is narrower.
float reach_of(const Scene& scene, Random& random);

struct Question {
    enum class Kind : std::uint8_t { pairs, numbers, lists, nearest, first_hits, all_hits };

    const char* name;
    const char* what;
    Kind kind;
    AgentsAs agents_as = AgentsAs::centres;
    // How far it looks, or how wide a circle is that is cast, as a multiple of the world's reach.
    float reach = 0;
    // One call for each cast.
    bool one_by_one = false;

    constexpr bool is_cast() const noexcept { return kind == Kind::first_hits || kind == Kind::all_hits; }
};

inline constexpr Question questions[] = {
    {"touching", "how many pairs of circles touch", Question::Kind::pairs, AgentsAs::circles},
    {"close", "how many pairs of circles are within a distance", Question::Kind::pairs, AgentsAs::circles,
     0.25f},
    {"close_centres", "how many pairs of centres are", Question::Kind::pairs, AgentsAs::centres, 0.6f},
    {"numbers", "how many centres are within a radius of each agent", Question::Kind::numbers,
     AgentsAs::centres, 1},
    {"circle_numbers", "how many circles are", Question::Kind::numbers, AgentsAs::circles, 1},
    {"lists", "all agents within a radius of each agent", Question::Kind::lists, AgentsAs::centres, 1},
    {"nearest", "the eight nearest of each agent", Question::Kind::nearest},
    {"first_rays", "a batch of rays from agents, the first hit of each", Question::Kind::first_hits},
    {"first_circles", "the same of circles that move", Question::Kind::first_hits, AgentsAs::boxes, 0.2f},
    {"all_rays", "a batch of rays from agents, all hits of each", Question::Kind::all_hits},
    {"all_circles", "the same of circles that move", Question::Kind::all_hits, AgentsAs::boxes, 0.2f},
    {"single_first_rays", "rays one by one", Question::Kind::first_hits, AgentsAs::boxes, 0, true},
    {"single_first_circles", "circles that move one by one", Question::Kind::first_hits, AgentsAs::boxes,
     0.2f, true},
    {"single_all_rays", "rays one by one, all hits of each", Question::Kind::all_hits, AgentsAs::boxes, 0,
     true},
    {"single_all_circles", "circles that move one by one, all hits of each", Question::Kind::all_hits,
     AgentsAs::boxes, 0.2f, true},
};

// Puts questions to frames, and keeps the room for their answers. A call of the library that fails throws
// std::runtime_error.
class Asker {
public:
    explicit Asker(MemoryResource* memory = nullptr) noexcept : lists_(memory), all_hits_(memory) {}

    // Makes the questions for the agents of the frames that are asked from now on. At most so many agents
    // cast, each at its own heights, and none hits itself.
    void look_at(const Scene& scene, std::size_t casts, Random& random);
    // Of how many agents or casts a question is.
    std::size_t size_of(const Question& question) const noexcept;
    // Whether docs/design.md promises anything about it. Not so where casts begin inside very many different
    // boxes, of which the first hit is the least id, and where squares of distances do not fit into floats.
    bool is_promised(const Frame& frame, const Question& question) const;
    // How many answers there may be, by those to a few agents or casts.
    double expected_answers(const Frame& frame, const Question& question) const;
    // Returns how many answers there were.
    std::uint64_t ask(const Frame& frame, const Question& question);

private:
    static constexpr std::size_t most_one_by_one = 512, few = 64;

    const std::vector<Cast>& casts_of(const Question& question) const noexcept {
        return question.reach > 0 ? circles_ : rays_;
    }
    bool starts_in_many_boxes(const Frame& frame, const Question& question) const;
    double answers_around_a_few(const Frame& frame, const Question& question) const;
    std::uint64_t casts_one_by_one(const Frame& frame, const Question& question, std::size_t count) const;
    std::uint64_t first_hits(const Frame& frame, const std::vector<Cast>& casts);

    float reach_ = 0;
    bool squares_fit_ = true;
    std::size_t agents_ = 0;
    // Of a few agents: the largest circle in the box of each, and its own filter.
    std::vector<Circle> circles_of_few_;
    std::vector<Filter> filters_of_few_;
    std::vector<Cast> rays_, circles_;
    std::vector<Filter> filters_;
    std::vector<std::uint32_t> numbers_;
    std::vector<CastHit> hits_;
    NeighbourLists lists_;
    CastHits all_hits_;
};

}  // namespace throng::worlds
