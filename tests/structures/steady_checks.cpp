#include "structures/steady_checks.hpp"

#include "structures/finding.hpp"
#include "structures/worlds.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// All elements go to and fro, so that every frame comes again and again, to the last bit.
class Pacing {
public:
    static constexpr std::size_t period = 50;

    explicit Pacing(std::size_t count) : home_(even_crowd(count, 60, 15)), now_(home_) {
        Random random(28);
        for (std::size_t i = 0; i < count; ++i)
            ways_.push_back({random.uniform(-6, 6), random.uniform(-6, 6), 0, 0});
        // Some giants, and some far outside.
        for (std::size_t i = 0; i < count; i += 100) home_[i] = {5, 5, 50, 50};
        for (std::size_t i = 1; i < count; i += 100) home_[i] = {-400, -300, -399, -299};
    }
    const std::vector<Box>& home() const { return home_; }
    const std::vector<Box>& frame(std::size_t number) {
        const std::size_t step = number % period, steps = step < period / 2 ? step : period - step;
        const float by = static_cast<float>(steps) / static_cast<float>(period / 2);
        for (std::size_t i = 0; i < now_.size(); ++i) {
            const float x = ways_[i].min_x * by, y = ways_[i].min_y * by;
            now_[i] = {home_[i].min_x + x, home_[i].min_y + y, home_[i].max_x + x, home_[i].max_y + y};
        }
        return now_;
    }

private:
    std::vector<Box> home_, now_, ways_;
};

enum class Frames { by_assign, by_move, by_move_and_assign };

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

void check_steady_frames(const IndexKind& kind, Frames frames, HeapCount global) {
    CountingResource memory;
    Pacing pacing(scaled(800, 400));
    const std::unique_ptr<AnySpatialIndex> made = kind.make(expected_of(pacing.home()), &memory);
    AnySpatialIndex& index = *made;
    require(index.assign(Boxes::of(pacing.frame(0))).ok(), "it does not take a crowd");
    bool ok = true;
    std::size_t hits = 0, pairs = 0, first = 0;
    std::uint64_t calls = 0, asked = 0, asked_by_queries = 0;
    // Long enough for whatever grows by a half at a time to grow once more.
    const std::size_t warm_up = 3 * Pacing::period,
                      last = warm_up + scaled(4 * Pacing::period, 2 * Pacing::period);
    for (std::size_t number = 0; number < last; ++number) {
        const std::vector<Box>& boxes = pacing.frame(number);
        if (number == warm_up) calls = memory.calls() + memory.returns(), asked = global();
        ok = make_frame(index, boxes,
                        frames == Frames::by_move || (frames != Frames::by_assign && number % 3 != 0)) &&
             ok;
        const std::uint64_t before = memory.calls() + global();
        for (std::size_t i = 0; i < boxes.size(); i += 7)
            ok = index
                     .for_each_overlap(
                         boxes[i], [&](ElementId) { ++hits; }, static_cast<ElementId>(i))
                     .ok() &&
                 ok;
        asked_by_queries += memory.calls() + global() - before;
        ok = index.for_each_pair([&](std::span<const Pair> some) { pairs += some.size(); }).ok() && ok;
        if (number >= warm_up && first == 0 &&
            (memory.calls() + memory.returns() != calls || global() != asked))
            first = number;
    }
    require(first == 0, "frame ", first, " allocates: ", memory.calls() + memory.returns() - calls,
            " calls to the resource in all, ", global() - asked, " to the global heap");
    require(asked_by_queries == 0, "queries allocate, ", asked_by_queries, " times");
    require(ok && hits != 0 && pairs != 0, "something was refused on the way");
    require(index.validate().sound(), "validate finds ", index.validate().what);
}

}  // namespace

void check_steady_state(const IndexKind& kind, HeapCount global) {
    within("frames by assign", [&] { check_steady_frames(kind, Frames::by_assign, global); });
    if (kind.dynamic) {
        within("frames by move", [&] { check_steady_frames(kind, Frames::by_move, global); });
        within("frames by both", [&] { check_steady_frames(kind, Frames::by_move_and_assign, global); });
    }
}

}  // namespace throng::test
