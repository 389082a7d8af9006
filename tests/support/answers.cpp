#include <sstream>

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

AssertionResult single_forms_agree(const Frame& frame, const Box& box, const std::vector<AgentId>& batch,
                                   const Filter& filter) {
    std::vector<AgentId> one_by_one, in_runs, written(batch.size() + 3), half(batch.size() / 2);
    if (!frame.for_each_overlap(
            box, [&](AgentId id) { one_by_one.push_back(id); }, filter))
        return AssertionFailure() << "refused";
    const auto append = [&](std::span<const AgentId> run) {
        in_runs.insert(in_runs.end(), run.begin(), run.end());
    };
    if (!frame.for_each_overlap(box, append, filter)) return AssertionFailure() << "refused in runs";
    const Filled found = frame.overlaps(box, std::span(written), filter),
                 some = frame.overlaps(box, std::span(half), filter);
    const Count count = frame.count(box, filter);
    const Found any = frame.any(box, filter);
    if (!found.status || !some.status || !count.status || !any.status)
        return AssertionFailure() << "refused as a span, a count or any";
    if (auto result = same("hits one by one", one_by_one, batch); !result) return result;
    if (auto result = same("hits in runs", in_runs, batch); !result) return result;
    written.resize(static_cast<std::size_t>(found.written));
    if (auto result = same("hits into a span", written, batch); !result) return result;
    if (found.total != batch.size() || some.total != batch.size() || some.written != half.size() ||
        !std::equal(half.begin(), half.end(), batch.begin()))
        return AssertionFailure() << "found " << found.total << " and " << some.total << " of "
                                  << batch.size() << ", or others in too little memory";
    std::size_t seen = 0;
    (void)frame.for_each_overlap(
        box, [&](AgentId) { return ++seen < 2; }, filter);
    if (seen != std::min<std::size_t>(batch.size(), 2)) return AssertionFailure() << "a search that stops";
    if (count.total != batch.size())
        return AssertionFailure() << "counted " << count.total << " of " << batch.size();
    if (any.found == batch.empty()) return AssertionFailure() << "any says " << any.found;
    return AssertionSuccess();
}

AssertionResult batch_forms_agree(const Frame& frame, const Boxes& queries, const Hits& hits,
                                  const Filters& filters) {
    std::vector<std::uint64_t> offsets(queries.size() + 1, 77);
    std::vector<AgentId> ids(hits.ids().size()), half(hits.ids().size() / 2 + 1);
    std::vector<std::uint32_t> counts(queries.size(), 77);
    std::vector<std::uint8_t> any(queries.size(), 77);
    const Filled some = frame.overlaps(queries, offsets, half, filters),
                 found = frame.overlaps(queries, offsets, ids, filters);
    if (!found.status || !some.status || !frame.count(queries, counts, filters) ||
        !frame.any(queries, any, filters))
        return AssertionFailure() << "a batch was refused";
    if (found.total != ids.size() || found.written != ids.size() || some.total != ids.size() ||
        some.written != std::min(half.size(), ids.size()))
        return AssertionFailure() << "a batch found " << found.total << " and wrote " << found.written;
    half.resize(static_cast<std::size_t>(some.written));
    if (auto result = same("offsets", offsets, copy_of(hits.offsets())); !result) return result;
    if (auto result = same("ids of a batch", ids, copy_of(hits.ids())); !result) return result;
    if (!std::equal(half.begin(), half.end(), ids.begin()))
        return AssertionFailure() << "a batch gives others in too little memory";
    for (std::size_t i = 0; i < queries.size(); ++i) {
        if (counts[i] != hits[i].size())
            return AssertionFailure()
                   << "query " << i << " counted " << counts[i] << " of " << hits[i].size();
        if (any[i] != (hits[i].empty() ? 0 : 1))
            return AssertionFailure() << "any of query " << i << " is " << int{any[i]};
    }
    return AssertionSuccess();
}

AssertionResult pair_forms_agree(const Frame& frame, const std::vector<Pair>& expected,
                                 const PairQuery& wanted) {
    PairList list;
    if (const Status status = frame.pairs(list, wanted); !status)
        return AssertionFailure() << status.message();
    if (auto result = same("pairs", in_order(list.pairs()), expected); !result) return result;

    std::vector<Pair> written(list.size()), half(list.size() / 2 + 1);
    const Filled found = frame.pairs(std::span(written), wanted), some = frame.pairs(std::span(half), wanted);
    const Count counted = frame.count_pairs(wanted);
    if (!found.status || !some.status || !counted.status)
        return AssertionFailure() << "bounded or counted pairs were refused";
    if (found.total != list.size() || found.written != list.size() || counted.total != list.size() ||
        some.total != list.size() || some.written != std::min<std::size_t>(half.size(), list.size()))
        return AssertionFailure() << "found " << found.total << " pairs, wrote " << found.written
                                  << ", counted " << counted.total << " of " << list.size();
    if (auto result = same("pairs into a span", written, copy_of(list.pairs())); !result) return result;
    half.resize(static_cast<std::size_t>(some.written));
    if (!std::equal(half.begin(), half.end(), written.begin()))
        return AssertionFailure() << "pairs in too little memory are others";

    std::mutex mutex;
    std::vector<Pair> streamed;
    const Status status = frame.for_each_pair_concurrently(
        [&](std::span<const Pair> pairs) {
            const std::lock_guard lock(mutex);
            streamed.insert(streamed.end(), pairs.begin(), pairs.end());
        },
        wanted);
    if (!status) return AssertionFailure() << status.message();
    return same("streamed pairs", in_order(streamed), expected);
}

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
    Hits hits;
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
    ExpectedAnswers expected{.queries = queries, .size = frame.size(), .hits = {}, .pairs = {}};
    oracle::HitLists hits;
    oracle::PairLists pairs;
    EXPECT_EQ(frame.overlaps(Boxes::of(queries), hits), Status{});
    EXPECT_EQ(frame.pairs(pairs), Status{});
    for (std::size_t i = 0; i < queries.size(); ++i) expected.hits.push_back(copy_of(hits[i]));
    expected.pairs = copy_of(pairs.pairs());
    return expected;
}

AssertionResult queries_agree(const Frame& frame, const ExpectedAnswers& expected) {
    const Boxes queries = Boxes::of(expected.queries);
    Hits hits;
    if (const Status status = frame.overlaps(queries, hits); !status)
        return AssertionFailure() << status.message();
    if (hits.size() != queries.size()) return AssertionFailure() << hits.size() << " answers";
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const std::vector<AgentId> batch = copy_of(hits[i]);
        std::vector<AgentId> ids = batch;
        std::sort(ids.begin(), ids.end());
        AssertionResult result = same("hits", ids, expected.hits[i]);
        if (result) result = single_forms_agree(frame, expected.queries[i], batch);
        if (!result)
            return result << ", query " << i << ", " << ::testing::PrintToString(expected.queries[i]);
    }
    return batch_forms_agree(frame, queries, hits);
}

AssertionResult pairs_agree(const Frame& frame, const ExpectedAnswers& expected) {
    return pair_forms_agree(frame, expected.pairs);
}

AssertionResult answers_as(const Frame& frame, const ExpectedAnswers& expected) {
    if (frame.size() != expected.size)
        return AssertionFailure() << frame.size() << " agents, not " << expected.size;
    if (auto result = queries_agree(frame, expected); !result) return result;
    return pairs_agree(frame, expected);
}

Engine engine_with(const Boxes& boxes, const EngineConfig& config) { return engine_with(boxes, {}, config); }

Engine engine_with(const Boxes& boxes, const Labels& labels, const EngineConfig& config) {
    Engine engine(config);
    EXPECT_EQ(engine.update(boxes, labels), Status{});
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
