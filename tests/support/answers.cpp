#include "harness/agreement.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using ::testing::AssertionFailure;
using ::testing::AssertionResult;
using ::testing::AssertionSuccess;

template <class T>
std::vector<T> copy_of(std::span<const T> values) {
    return {values.begin(), values.end()};
}

template <class T>
AssertionResult same(const char* what, const std::vector<T>& one, const std::vector<T>& other) {
    const std::size_t common = std::min(one.size(), other.size());
    for (std::size_t i = 0; i < common; ++i)
        if (!(one[i] == other[i]))
            return AssertionFailure()
                   << what << " differ at " << i << ": " << ::testing::PrintToString(one[i]) << " and "
                   << ::testing::PrintToString(other[i]);
    if (one.size() != other.size())
        return AssertionFailure() << what << ": " << one.size() << " and " << other.size() << " of them";
    return AssertionSuccess();
}

bool same_grid(const Tuning& a, const Tuning& b) {
    return a.cell_width == b.cell_width && a.row_height == b.row_height && a.origin_x == b.origin_x &&
           a.origin_y == b.origin_y && a.columns == b.columns && a.rows == b.rows &&
           a.common_width == b.common_width && a.common_height == b.common_height &&
           a.oversized == b.oversized && a.islands == b.islands && a.crowding == b.crowding &&
           a.times_chosen == b.times_chosen && a.reason == b.reason;
}

}  // namespace

std::vector<Pair> in_order(std::span<const Pair> pairs) {
    // One number for each pair: a sanitizer looks at every access, and a sort of these has a quarter of them.
    std::vector<std::uint64_t> keys;
    keys.reserve(pairs.size());
    for (const Pair& pair : pairs)
        keys.push_back(std::uint64_t{std::min(pair.a, pair.b)} << 32 | std::max(pair.a, pair.b));
    std::sort(keys.begin(), keys.end());
    std::vector<Pair> sorted;
    sorted.reserve(keys.size());
    for (const std::uint64_t key : keys)
        sorted.push_back({static_cast<AgentId>(key >> 32), static_cast<AgentId>(key)});
    return sorted;
}

Answers ask(const Frame& frame, const std::vector<Box>& queries) {
    Answers answers;
    const Boxes boxes = Boxes::of(queries);
    OverlapLists hits;
    PairList pairs;
    answers.counts.resize(queries.size());
    answers.any.resize(queries.size());
    EXPECT_EQ(frame.overlaps(boxes, hits), Status{});
    EXPECT_EQ(frame.pairs(pairs), Status{});
    EXPECT_EQ(frame.count(boxes, answers.counts), Status{});
    EXPECT_EQ(frame.any(boxes, answers.any), Status{});
    answers.size = frame.size();
    answers.fingerprint = frame.fingerprint();
    answers.offsets = copy_of(hits.offsets());
    answers.ids = copy_of(hits.ids());
    answers.pairs = copy_of(pairs.pairs());
    answers.tuning = frame.tuning();
    return answers;
}

AssertionResult identical(const Answers& one, const Answers& other) {
    if (one.size != other.size) return AssertionFailure() << one.size << " and " << other.size << " agents";
    if (auto result = same("offsets", one.offsets, other.offsets); !result) return result;
    if (auto result = same("ids", one.ids, other.ids); !result) return result;
    if (auto result = same("counts", one.counts, other.counts); !result) return result;
    if (auto result = same("any", one.any, other.any); !result) return result;
    if (auto result = same("pairs", one.pairs, other.pairs); !result) return result;
    if (one.fingerprint != other.fingerprint) return AssertionFailure() << "the fingerprints differ";
    if (!same_grid(one.tuning, other.tuning)) return AssertionFailure() << "the grids differ";
    return AssertionSuccess();
}

ExpectedAnswers expect(const oracle::BruteForceFrame& frame, const std::vector<Box>& queries) {
    const auto asked = std::make_shared<Asked>();
    asked->boxes = queries;
    oracle::PairLists pairs;
    EXPECT_EQ(frame.pairs(pairs), Status{});
    return {std::make_shared<Expectation>(frame, asked,
                                          std::vector<std::string_view>{"all agents", "boxes", "pairs"}),
            copy_of(pairs.pairs())};
}

AssertionResult answers_as(const Frame& frame, const ExpectedAnswers& expected) {
    return expected.all->met_by(frame);
}
AssertionResult queries_agree(const Frame& frame, const ExpectedAnswers& expected) {
    return expected.all->met_by(frame, "boxes");
}
AssertionResult pairs_agree(const Frame& frame, const ExpectedAnswers& expected) {
    return expected.all->met_by(frame, "pairs");
}

Engine engine_with(const Boxes& boxes, const EngineConfig& config) { return engine_with(boxes, {}, config); }

Engine engine_with(const Boxes& boxes, const Labels& labels, const EngineConfig& config) {
    Engine engine(config);
    EXPECT_EQ(engine.update(boxes, {.labels = labels}), Status{});
    return engine;
}

Engine engine_with_layer(const StaticLayer& layer, const Boxes& boxes, const EngineConfig& config) {
    Engine engine(config);
    EXPECT_EQ(engine.set_static_layer(layer), Status{});
    EXPECT_EQ(engine.update(boxes), Status{});
    return engine;
}

oracle::BruteForce twin_with(const Boxes& boxes) {
    oracle::BruteForce twin;
    EXPECT_EQ(twin.update(boxes), Status{});
    return twin;
}

Frame frame_of(const std::vector<Box>& boxes) { return engine_with(boxes).frame(); }

Frame frame_of(const Scene& scene) { return engine_with(scene.boxes(), scene.configure()).frame(); }

Status committed(Engine& engine, const Status& edit) { return edit.ok() ? engine.commit() : edit; }

PairList listed_pairs(const Frame& frame, const PairQuery& wanted) {
    PairList list;
    EXPECT_EQ(frame.pairs(list, wanted), Status{});
    return list;
}

std::vector<AgentId> hits_of(const Frame& frame, const Box& query) {
    std::vector<AgentId> ids;
    EXPECT_EQ(frame.for_each_overlap(query, [&](AgentId id) { ids.push_back(id); }), Status{});
    return ids;
}

std::vector<Pair> sorted_pairs(const Frame& frame) {
    PairList list;
    EXPECT_EQ(frame.pairs(list), Status{});
    return in_order(list.pairs());
}

}  // namespace throng::test
