// A steady simulation allocates nothing, from the engine's resource or from the global heap.
#include "support/global_allocations.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Where the walkers are, and which turn at which wall.
enum class Place {
    room,      // one for all; here and there a giant
    villages,  // a hundred to a village, each in its own one: islands
    giants,    // one of four is a giant; these stand about in a country, and the others in a room of it
};

class Crowd {
public:
    Crowd(Place place, std::size_t count, std::uint64_t seed) : random_(seed) {
        for (std::size_t i = 0; i < count; ++i) {
            const bool giant = place == Place::giants ? i % 4 == 3 : i % 1000 == 7;
            const float scale = !giant ? 1.0f : place == Place::giants ? 60.0f : 20.0f;
            home_.push_back(home_of(place, i, count, giant));
            const Box& home = home_.back();
            x.push_back(random_.uniform(home.min_x, home.max_x));
            y.push_back(random_.uniform(home.min_y, home.max_y));
            half_x.push_back(scale * random_.uniform(0.35f, 0.5f));
            half_y.push_back(scale * random_.uniform(0.35f, 0.5f));
            speed_x_.push_back(random_.uniform(-0.1f, 0.1f));
            speed_y_.push_back(random_.uniform(-0.1f, 0.1f));
        }
    }
    Boxes boxes() const {
        return Boxes::centre_half(x.data(), y.data(), half_x.data(), half_y.data(), x.size());
    }
    void step() {
        for (std::size_t i = 0; i < x.size(); ++i) {
            walk(x[i], speed_x_[i], home_[i].min_x, home_[i].max_x);
            walk(y[i], speed_y_[i], home_[i].min_y, home_[i].max_y);
        }
    }
    // One agent in a hundred goes to any other place of its home at once.
    void jump(std::vector<AgentId>& ids, std::vector<Box>& places) {
        ids.clear();
        places.clear();
        for (std::size_t i = random_.below(100); i < x.size(); i += 100) {
            x[i] = random_.uniform(home_[i].min_x, home_[i].max_x);
            y[i] = random_.uniform(home_[i].min_y, home_[i].max_y);
            ids.push_back(static_cast<AgentId>(i));
            places.push_back(Box::around(x[i], y[i], half_x[i], half_y[i]));
        }
    }

    std::vector<float> x, y, half_x, half_y;

private:
    static Box home_of(Place place, std::size_t i, std::size_t count, bool giant) {
        const float side = 2 * std::sqrt(static_cast<float>(count));
        if (place == Place::villages) {
            Random village(i / 100 + 1);
            const float left = village.uniform(0, 20 * side), low = village.uniform(0, 20 * side);
            return {left, low, left + 20, low + 20};
        }
        if (place == Place::giants && giant) {
            Random spot(i);
            const float left = spot.uniform(0, 20 * side), low = spot.uniform(0, 20 * side);
            return {left, low, left + 2, low + 2};
        }
        return {0, 0, side, side};
    }
    static void walk(float& at, float& speed, float from, float to) {
        at += speed;
        if (at < from || at > to) speed = -speed;
    }

    Random random_;
    std::vector<Box> home_;
    std::vector<float> speed_x_, speed_y_;
};

// A host's frame: it writes, keeps the frame before for its readers, and makes every query.
class Host {
public:
    Host(const EngineConfig& config, MemoryResource* memory, Place place, std::size_t agents)
        : crowd_(place, agents, 3),
          engine_(config),
          hits_(memory),
          hits_as_found_(memory),
          block_(memory),
          pairs_(memory),
          changes_(memory),
          // The skin is so small that lists are made in most frames, and their memory settles as soon as the
          // rest.
          kept_({.radius = 2, .skin = 0.1f}, memory),
          counts_(agents),
          any_(agents),
          some_pairs_(100),
          offsets_(agents + 1),
          ids_(5000),
          cast_hits_(memory),
          first_hits_(agents),
          casts_(agents) {
        moved_.reserve(agents);
        places_.reserve(agents);
    }
    // Every other time with its pairs.
    void update() {
        crowd_.step();
        with_pairs_ = !with_pairs_;
        ok_ = ok_ &&
              (with_pairs_ ? engine_.update(crowd_.boxes(), pairs_) : engine_.update(crowd_.boxes())).ok();
        ask();
    }
    void commit() {
        crowd_.jump(moved_, places_);
        ok_ = ok_ && engine_.move(moved_, Boxes::of(places_)).ok() && engine_.commit().ok();
        ask();
    }
    // All move, with ids with holes every other time. Then a few jump, come or leave.
    void update_and_edit() {
        crowd_.step();
        by_ids_ = !by_ids_;
        ok_ =
            ok_ && (by_ids_ ? engine_.update(slots(), crowd_.boxes()) : engine_.update(crowd_.boxes())).ok();
        crowd_.jump(moved_, places_);
        for (AgentId& agent : moved_) agent = by_ids_ ? slots_[agent] : agent;
        const AgentId leaving = moved_[0] + 1;
        AgentId id = 0;
        ok_ = ok_ && engine_.insert(places_[0], id).ok() && engine_.move(moved_, Boxes::of(places_)).ok() &&
              engine_.remove(leaving % 5 == 3 ? leaving + 1 : leaving).ok() && engine_.commit().ok() &&
              engine_.move(id, places_[1]).ok() && engine_.commit().ok();
        before_ = engine_.frame();
    }
    // The same in a world where one agent in a hundred is of another kind.
    void update_with_labels() {
        crowd_.step();
        label_all();
        ok_ = ok_ && engine_.update(crowd_.boxes(), {.labels = Labels::of(labels_)}).ok();
        ask_with_filters();
    }
    void commit_with_labels() {
        if (labels_.empty()) {
            label_all();
            ok_ = ok_ && engine_.update(crowd_.boxes(), {.labels = Labels::of(labels_)}).ok();
        }
        crowd_.jump(moved_, places_);
        ok_ = ok_ && engine_.move(moved_, Boxes::of(places_)).ok() &&
              engine_.relabel(moved_, Labels::of(std::span(labels_).first(moved_.size()))).ok() &&
              engine_.commit().ok();
        ask_with_filters();
    }
    // As on stairs: those that are elsewhere are at other heights too.
    void commit_with_heights() {
        if (heights_.empty()) {
            heights_.resize(crowd_.x.size());
            for (std::size_t i = 0; i < heights_.size(); ++i) climb(heights_[i], i);
            label_all();
            ok_ = ok_ && engine_.update(crowd_.boxes(), {.labels = labels_, .heights = heights_}).ok();
        }
        crowd_.jump(moved_, places_);
        for (std::size_t i = 0; i < moved_.size(); ++i) climb(heights_[i], i + ++climbed_);
        const Heights theirs = Heights::of(std::span(heights_).first(moved_.size()));
        AgentId id = 0;
        ok_ = ok_ && engine_.move(moved_, Boxes::of(places_), theirs).ok() &&
              engine_.insert(places_[0], id, Label{}, heights_[0]).ok() && engine_.remove(id).ok() &&
              engine_.commit().ok();
        ask_with_filters();
    }
    bool ok() const { return ok_; }
    std::size_t pairs() const { return pairs_.size(); }
    Tuning tuning() const { return engine_.frame().tuning(); }
    Validation validate() const { return engine_.validate(); }

private:
    std::span<const AgentId> slots() {
        for (AgentId i = 0; slots_.size() < crowd_.x.size(); ++i)
            if (i % 5 != 3) slots_.push_back(i);
        return slots_;
    }
    void label_all() {
        labels_.resize(crowd_.x.size());
        for (std::size_t i = 0; i < labels_.size(); ++i)
            labels_[i] = {i % 100 == 0 ? 3u : 1u, static_cast<std::uint32_t>(i % 7)};
    }
    static void climb(Band& height, std::size_t step) {
        height.min_z = static_cast<float>(step % 20) * 0.5f;
        height.max_z = height.min_z + 1.75f;
    }
    void ask_with_filters() {
        const Frame frame = engine_.frame();
        const Boxes queries = crowd_.boxes();
        for (const std::uint32_t categories : {1u, 2u}) {
            const Filters filters =
                Filters::all({.categories = categories, .not_in_group = 3, .heights = {2, 9}});
            ok_ = ok_ && frame.overlaps(queries, hits_, filters).ok() &&
                  frame.count(queries, counts_, filters).ok() && frame.any(queries, any_, filters).ok() &&
                  frame.overlaps(queries, offsets_, ids_, filters).status.ok() &&
                  frame.pairs(pairs_, PairFilter{.a = 1, .b = categories}).ok() &&
                  frame.count_pairs(PairFilter{.a = categories}).status.ok();
        }
        before_ = frame;
    }
    // Every agent casts a ray, its box or its circle.
    bool cast(const Frame& frame) {
        for (std::size_t i = 0; i < casts_.size(); ++i) {
            const float dx = static_cast<float>(i % 7) - 3, dy = static_cast<float>(i % 11) - 5;
            casts_[i] = i % 3 == 0 ? Cast::ray(crowd_.x[i], crowd_.y[i], 4 * dx, 4 * dy)
                                   : Cast::box(crowd_.boxes()[i], dx, dy);
            if (i % 3 == 1) casts_[i].radius = 0.5f;
        }
        const Casts steps = Casts::boxes(crowd_.boxes(), Points::members(casts_, &Cast::dx, &Cast::dy), 0.5f);
        return frame.first_hits(casts_, first_hits_).ok() && frame.blocked(casts_, any_).ok() &&
               frame.all_hits(casts_, cast_hits_).ok() &&
               frame.all_hits(casts_[0], std::span(first_hits_)).status.ok() &&
               frame.with_static().first_hits(casts_, first_hits_).ok() &&
               frame.with_static().all_hits(casts_, cast_hits_).ok() &&
               frame.first_hits(steps, first_hits_).ok();
    }
    void ask() {
        const Frame frame = engine_.frame();
        ok_ = ok_ && cast(frame);
        const Boxes queries = crowd_.boxes();
        ok_ = ok_ && frame.pairs(pairs_).ok() && frame.overlaps(queries, hits_).ok() &&
              frame.overlaps(queries, hits_as_found_).ok() && frame.count(queries, counts_).ok() &&
              frame.any(queries, any_).ok() && frame.overlaps(queries, offsets_, ids_).status.ok() &&
              frame.pairs(std::span(some_pairs_)).status.ok() && frame.count_pairs().status.ok() &&
              frame.for_each_pair_concurrently([](std::span<const Pair>) {}).ok() &&
              frame.for_each_overlap(queries[0], [](AgentId) {}).ok() && changes_.update(frame).ok() &&
              kept_.update(frame).ok() && pairs_.sort().ok() && frame.box(0) == queries[0] &&
              frame.for_each_answer(queries, block_, [](std::size_t, const OverlapLists&) {}).ok();
        before_ = frame;
    }

    Crowd crowd_;
    Engine engine_;
    OverlapLists hits_;
    OverlapsAsFound hits_as_found_;
    OverlapLists block_;
    PairList pairs_;
    PairChanges changes_;
    KeptNeighbours kept_;
    std::vector<std::uint32_t> counts_;
    std::vector<std::uint8_t> any_;
    std::vector<Pair> some_pairs_;
    std::vector<std::uint64_t> offsets_;
    std::vector<AgentId> ids_;
    CastHits cast_hits_;
    std::vector<CastHit> first_hits_;
    std::vector<Cast> casts_;
    std::vector<AgentId> moved_;
    std::vector<Box> places_;
    std::vector<Label> labels_;
    std::vector<Band> heights_;
    std::size_t climbed_ = 0;
    Frame before_;
    std::vector<AgentId> slots_;
    bool ok_ = true, with_pairs_ = false, by_ids_ = false;
};

constexpr std::size_t agents = 4000, warm_up = 100;
// Islands have many more rows than a room. With a hundredth of the agents edited in a frame, it takes longer
// until each row was rebuilt and there are blocks of all sizes. Where updates come in between, rows have
// blocks of their own for one frame only.
constexpr std::size_t agents_on_islands = 2000, warm_up_of_islands = 400, warm_up_of_mixed = 1000;

using Frames = void (Host::*)();

// Runs blocks on the calling thread, in order. Once the world has settled it begins with another block each
// time, so other blocks come to other work spaces, as with workers that are now faster and now slower.
struct Turning {
    Executor executor() {
        return {.context = this,
                .workers = 3,
                .parallel_for = [](void* turning, std::size_t count, Executor::Body body, void* argument) {
                    auto& self = *static_cast<Turning*>(turning);
                    self.first += self.settled ? 1 : 0;
                    for (std::size_t i = 0; i < count; ++i) body(argument, (self.first + i) % count);
                }};
    }

    bool settled = false;
    std::size_t first = 0;
};

void expect_no_allocation(const Executor& executor, bool own_resource, Frames frame,
                          Place place = Place::room, Turning* turning = nullptr) {
    CountingResource memory;
    MemoryResource* resource = own_resource ? &memory : nullptr;
    const bool room = place == Place::room;
    const std::size_t count = room ? std::min(agents, scaled(10000, 1500)) : agents_on_islands;
    // Where the host gives the common size, giants are kept beside the grid.
    const bool giants = place == Place::giants;
    Host host({.executor = executor, .memory = resource, .common_size = giants ? 2.0f : 0.0f}, resource,
              place, count);
    host.update();
    const bool edits =
        frame == &Host::commit || frame == &Host::commit_with_labels || frame == &Host::commit_with_heights;
    const std::size_t frames_before = frame == &Host::update_and_edit ? warm_up_of_mixed
                                      : room || !edits                ? warm_up
                                                                      : warm_up_of_islands;
    for (std::size_t i = 0; i < frames_before; ++i) (host.*frame)();
    if (turning != nullptr) turning->settled = true;

    const std::size_t frames = scaled(room ? 1000 : 200, 100);
    std::size_t first = 0;
    const std::uint64_t calls = memory.calls() + memory.returns(), global = global_allocations();
    for (std::size_t i = 1; i <= frames; ++i) {
        (host.*frame)();
        if (first == 0 && (memory.calls() + memory.returns() != calls || global_allocations() != global))
            first = i;
    }
    EXPECT_EQ(memory.calls() + memory.returns() - calls, 0u)
        << "calls to the resource, the first in frame " << first;
    EXPECT_EQ(global_allocations() - global, 0u) << "global allocations, the first in frame " << first;
    EXPECT_TRUE(host.ok());
    EXPECT_GT(host.pairs(), 0u);
    EXPECT_TRUE(host.validate().sound());
    EXPECT_EQ(host.tuning().islands != 0, place == Place::villages);
    EXPECT_GE(host.tuning().oversized, giants ? count / 5 : 1);
}

// On one thread without a resource of the host's: the engine then takes its memory from the global heap.
TEST(SteadyState, allocates_nothing_for_bulk_updates) {
    ThreadPool pool(3);
    expect_no_allocation(serial_executor(), false, &Host::update);
    expect_no_allocation(pool.executor(), true, &Host::update);
}

TEST(SteadyState, allocates_nothing_for_edits) {
    ThreadPool pool(3);
    expect_no_allocation(serial_executor(), false, &Host::commit);
    expect_no_allocation(pool.executor(), true, &Host::commit);
}

TEST(SteadyState, allocates_nothing_for_updates_and_a_few_edits) {
    ThreadPool pool(3);
    expect_no_allocation(serial_executor(), true, &Host::update_and_edit);
    expect_no_allocation(pool.executor(), true, &Host::update_and_edit);
}

TEST(SteadyState, allocates_nothing_for_updates_with_labels) {
    ThreadPool pool(3);
    expect_no_allocation(serial_executor(), true, &Host::update_with_labels);
    expect_no_allocation(pool.executor(), true, &Host::update_with_labels);
}

TEST(SteadyState, allocates_nothing_for_edits_with_labels) {
    ThreadPool pool(3);
    expect_no_allocation(serial_executor(), true, &Host::commit_with_labels);
    expect_no_allocation(pool.executor(), true, &Host::commit_with_labels);
}

TEST(SteadyState, allocates_nothing_for_edits_with_heights) {
    ThreadPool pool(3);
    expect_no_allocation(serial_executor(), true, &Host::commit_with_heights);
    expect_no_allocation(pool.executor(), true, &Host::commit_with_heights);
}

// These worlds take longest to settle, so with a tenth of the work two of four combinations are enough.
void expect_no_allocation_of_updates_and_edits(Place place) {
    ThreadPool pool(3);
    expect_no_allocation(serial_executor(), true, &Host::update, place);
    expect_no_allocation(pool.executor(), true, &Host::commit, place);
    if (scale() <= 0.1) return;
    expect_no_allocation(serial_executor(), true, &Host::commit, place);
    expect_no_allocation(pool.executor(), true, &Host::update, place);
}

TEST(SteadyState, allocates_nothing_in_a_world_with_islands) {
    expect_no_allocation_of_updates_and_edits(Place::villages);
}

TEST(SteadyState, allocates_nothing_in_a_world_with_many_giants) {
    expect_no_allocation_of_updates_and_edits(Place::giants);
}

TEST(SteadyState, allocates_nothing_when_workers_take_other_blocks_than_before) {
    for (const Place place : {Place::room, Place::villages, Place::giants}) {
        Turning turning;
        expect_no_allocation(turning.executor(), true, &Host::update, place, &turning);
    }
}

TEST(SteadyState, is_measured_by_counters_that_count) {
    const std::uint64_t before = global_allocations();
    // Called by name, since a compiler may leave out an unused new-expression.
    void* const plain = ::operator new(64);
    void* const aligned = ::operator new (64, std::align_val_t{128});
    EXPECT_GE(global_allocations(), before + 2);
    ::operator delete(plain);
    ::operator delete (aligned, std::align_val_t{128});
    CountingResource memory;
    const OverlapLists hits(&memory);
    Engine engine({.memory = &memory});
    EXPECT_GT(memory.calls(), 0u);
}

}  // namespace
}  // namespace throng::test
