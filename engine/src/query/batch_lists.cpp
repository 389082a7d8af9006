// A batch of queries whose answers are ids; answers are in the caller's order, or in the order of the search.
//
// Spatially coherent queries run in the caller's order, and so do portions of a batch in which each query
// finds very many agents. Others are sorted into packets (packets.hpp), and their answers have to be put back
// into the caller's order. Random writes to tens of megabytes would cost more than the search. So the batch
// is cut into parts of some ten thousand queries. Each block writes each part's answers to a stream of its
// own:
//
//     search   rows 0..9     ->  stream of part 0, of part 1, of part 2 ...    in parallel over rows
//              rows 10..19   ->  stream of part 0, of part 1, of part 2 ...
//     place    part 0        <-  its streams of all blocks                     in parallel over parts
//
// A part's answers fit into the second-level cache, where random access is cheap, and its output is one
// contiguous range of the result. The lengths of its streams give its number of answers, so each part knows
// where to begin.
//
// In the order of the search the answers of each block are a piece of the result (parallel/in_turn.hpp).

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>
#include <numeric>

#include "base/blocks.hpp"
#include "base/kernels.hpp"
#include "engine/src/answers/lists/place_answers.hpp"
#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/query/packets.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "simd/query_kernels.hpp"
#include "throng/compiler.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

// The maximum number of queries that are sorted into packets together, and of their candidates. This bounds
// the scratch memory of a batch, where answers wait for their spot.
constexpr std::size_t max_sorted = 1 << 20;
constexpr double max_candidates = 1 << 25;
// `candidates_an_agent` for each agent are sorted together, and for each of several workers four times as
// many, since workers wait for each other; but at least `candidates_a_worker` and `queries_a_worker`, or a
// worker would have too little to do.
constexpr double candidates_an_agent = 48, candidates_a_worker = 1 << 20, queries_a_worker = 8192;
// Candidates of one part's queries. About four in ten are answers, so its streams take about 0.4 MB.
constexpr double candidates_in_a_part = 1 << 18, answers_of_a_candidate = 0.4;
// Queries that test this many agents gain nothing from the cache lines of their neighbours.
constexpr double large_query = 256;
constexpr std::size_t few_in_a_batch = 256;
// Candidates of one piece of queries in the caller's order.
constexpr double candidates_in_a_piece = 1 << 16;

// Candidates whose answers may wait for each worker.
double waiting_at_once(double agents) noexcept {
    return std::max(candidates_an_agent * agents, candidates_a_worker);
}

// How many queries are sorted together. A power of two, so an estimate that varies a little from frame to
// frame leaves it as it is.
std::size_t sorted_at_once(double candidates, double agents, double workers) noexcept {
    const double a_worker = waiting_at_once(agents) / candidates;
    const double wanted = std::max(a_worker, queries_a_worker) * (workers == 1 ? 1 : 4 * workers);
    const double most = std::min(max_candidates / candidates, double{max_sorted});
    return std::bit_floor(static_cast<std::size_t>(std::max(std::min(wanted, most), 64.0)));
}

// Whether the answers of so few queries may wait that sorting them gains nothing.
bool too_crowded_to_sort(double candidates, double agents) noexcept {
    return candidates > large_query && candidates * queries_a_worker > waiting_at_once(agents);
}

std::uint32_t part_shift(std::size_t count, double candidates) noexcept {
    const auto part = static_cast<std::size_t>(std::clamp(candidates_in_a_part / candidates, 256.0, 65536.0));
    const auto wanted = static_cast<std::uint32_t>(std::bit_width(part) - 1);
    const std::size_t shortest = (count + AnswerSpace::max_streams - 1) / AnswerSpace::max_streams;
    return std::max(wanted, static_cast<std::uint32_t>(std::bit_width(shortest - 1)));
}

Status illegal(const QueryBatch& batch, std::size_t index) noexcept {
    return {check(box_of(batch.data()[index])), index};
}

// Answers of images, which are put behind those of their queries: image i is of query owners[i] - first.
struct ImageAnswers {
    std::span<const std::uint32_t> owners;
    std::uint32_t first;
    const Buffer<std::uint64_t>& offsets;
    const Buffer<AgentId>& ids;
    std::size_t placed = 0;  // the first so many queries have theirs already

    // The first image of a query from that number on.
    std::size_t image_of(std::size_t query) const noexcept {
        const auto at = std::lower_bound(owners.begin(), owners.end(), first + query);
        return static_cast<std::size_t>(at - owners.begin());
    }
    std::size_t query_of(std::size_t image) const noexcept {
        return image < owners.size() ? owners[image] - first : none;
    }
    AgentId* copy(std::size_t image, AgentId* to) const noexcept {
        return std::copy(ids.data() + offsets[image], ids.data() + offsets[image + 1], to);
    }
};

struct HitResult {
    std::uint64_t* offsets;  // one more than there are queries
    Destination<AgentId> ids;
    // Not null if the answers may come in the order of the search: then it gets the number of each answer's
    // query. Only with a growing buffer.
    std::uint32_t* order = nullptr;
    ImageAnswers* images = nullptr;  // null if there are none
};

class HitBatch {
public:
    HitBatch(const FrameState& frame, const Executor& executor, const QueryBatch& batch, BatchSpace& space,
             const FilterBatch& filters, HitResult& result) noexcept
        : frame_(frame),
          executor_(executor),
          has_workers_(parallel::workers_of(executor) > 1),
          stop_(executor),
          batch_(batch),
          space_(space),
          filters_(filters),
          result_(result) {}
    HitBatch(const HitBatch&) = delete;
    ~HitBatch() { frame_.store->spaces.answers.put_back_all(space_.blocks); }

    Status run() noexcept { return outcome(stop_, search()); }

private:
    // The queries [first, first + count), in parts of 2^shift.
    struct Parts {
        std::size_t first, count;
        std::uint32_t shift;

        std::size_t number() const noexcept { return (count + (std::size_t{1} << shift) - 1) >> shift; }
        std::size_t queries_in(std::size_t part) const noexcept {
            return std::min(std::size_t{1} << shift, count - (part << shift));
        }
    };

    Status search() noexcept {
        result_.offsets[0] = 0;
        // A few queries run in the caller's order, without an estimate of their cost.
        if (batch_.size() <= few_in_a_batch && !has_workers_)
            return search_in_order(0, batch_.size(), large_query);
        double candidates = batch_.expected_candidates(frame_);
        // Without a grid, the way to an answer may be longer than the answers.
        if (candidates > large_query && !frame_.view.is_all)
            candidates = std::min(
                candidates, batch_.expected_answers(frame_, {0, batch_.size()}) / answers_of_a_candidate);
        const bool in_order =
            candidates > large_query || filters_.are_selective(frame_, batch_) || batch_.is_coherent(frame_);
        if (!in_order && result_.order == nullptr) return search_in_packets(candidates);
        const auto at_once =
            static_cast<std::size_t>(std::clamp(max_candidates / candidates, 64.0, double{max_sorted}));
        for (std::size_t first = 0; first < batch_.size(); first += at_once) {
            const std::size_t count = std::min(at_once, batch_.size() - first);
            const Status status =
                in_order ? search_in_order(first, count, candidates) : search_as_found(first, count);
            if (!status.ok()) return status;
        }
        return {};
    }

    // --- In order ---

    Status search_in_order(std::size_t first, std::size_t count, double candidates) noexcept {
        if (result_.order != nullptr)
            std::iota(result_.order + first, result_.order + first + count,
                      static_cast<std::uint32_t>(first));
        std::atomic<std::size_t> first_bad{none};
        const auto said = [&](const Status& status) {
            const std::size_t bad = first_bad.load(std::memory_order_relaxed);
            const bool ran = status.code != Code::bad_executor && status.code != Code::cancelled;
            return ran && bad != none ? illegal(batch_, bad) : status;
        };
        // On one thread they fit into the cache between the check and the search. Otherwise a power of two,
        // so an estimate that varies a little from frame to frame gives the same pieces, or twice as large
        // ones, which fit.
        constexpr std::size_t in_one_thread = 4096;
        const bool is_straight = !has_workers_ && result_.ids.is_growing();
        const std::size_t piece =
            is_straight
                ? in_one_thread
                : std::bit_floor(static_cast<std::size_t>(std::max(candidates_in_a_piece / candidates, 1.0)));
        const auto first_of = [&](std::size_t p) { return first + std::min(p * piece, count); };
        return said(append((count + piece - 1) / piece, 2, first_of,
                           [&](std::size_t p, AnswerSpace*, simd::IdSink& sink, std::uint64_t* ends) {
                               return !stop_.is_wanted() &&
                                      find_legal({first_of(p), first_of(p + 1)}, sink, ends, first_bad);
                           }));
    }

    // Returns false at the first illegal query.
    bool find_legal(parallel::Range some, simd::IdSink& sink, std::uint64_t* ends,
                    std::atomic<std::size_t>& first_bad) const noexcept {
        const std::size_t legal =
            frame_.kernels->queries->count_legal(batch_.data() + some.begin, some.size());
        if (legal == some.size())
            batch_.find(frame_, frame_.view, filters_.from(some.begin), some.begin, nullptr, some.size(),
                        &sink, 0, ends);
        else
            parallel::lower(first_bad, some.begin + legal);
        return legal == some.size();
    }

    // Appends the answers of pieces; each begins with the query first_of(piece).
    Status append(
        std::size_t pieces, std::size_t times, parallel::Call<std::size_t(std::size_t)> first_of,
        parallel::Call<bool(std::size_t, AnswerSpace*, simd::IdSink&, std::uint64_t* ends)> find) noexcept {
        return append_lists<simd::IdSink>(
            executor_, {frame_.store->spaces.answers, space_.blocks, space_.pieces}, pieces, times, false,
            result_.ids, [&](std::size_t p) { return result_.offsets + first_of(p) + 1; },
            [&](std::size_t p, AnswerSpace* space, simd::IdSink* sinks, std::uint64_t* ends) {
                return find(p, space, *sinks, ends);
            },
            [&](const AnswerSpace& space, std::uint64_t begin) {
                result_.ids.copy(space.streams[0], begin);
            });
    }

    // --- In packets ---

    Status sort(Packets& packets, std::size_t first, std::size_t count) noexcept {
        const Status status = packets.sort(batch_.data() + first, count, filters_.from(first));
        return status.code == Code::not_finite ? illegal(batch_, first + status.index) : status;
    }

    // If not all are sorted together, some of the next queries tell how many answers to expect, and so do the
    // last: queries that follow each other may be of one crowded spot. They tell nothing of later queries, so
    // the portion may have fewer, but not more.
    Status search_in_packets(double candidates) noexcept {
        const auto agents = static_cast<double>(frame_.agents);
        const auto workers = static_cast<double>(parallel::workers_of(executor_));
        double found = 0;
        for (std::size_t first = 0; first < batch_.size();) {
            const std::size_t left = batch_.size() - first;
            std::size_t count = std::min(sorted_at_once(candidates, agents, workers), left);
            if (first != 0 || count < left) {
                const double expected = batch_.expected_answers(frame_, {first, first + count});
                candidates = std::max(expected, found) / answers_of_a_candidate;
                count = std::min(sorted_at_once(candidates, agents, workers), count);
            }
            const std::uint64_t before = result_.ids.found;
            const Status status = too_crowded_to_sort(candidates, agents)
                                      ? search_in_order(first, count, candidates)
                                      : search_sorted({first, count, part_shift(count, candidates)});
            if (!status.ok()) return status;
            first += count;
            found = static_cast<double>(result_.ids.found - before) / static_cast<double>(count);
        }
        return {};
    }
    Status search_sorted(const Parts& parts) noexcept {
        Packets packets(frame_, executor_, space_, batch_.is_far_in_tree(frame_));
        Status status = sort(packets, parts.first, parts.count);
        if (status.ok()) status = find_parts(packets, parts);
        return status.ok() ? place(parts) : status;
    }

    // Each block finds the answers of its rows, in a stream for each part of the batch. The spaces that will
    // place them are made too, so that streams are in the same spaces from then on.
    Status find_parts(const Packets& packets, const Parts& parts) noexcept {
        Pool<AnswerSpace>& spaces = frame_.store->spaces.answers;
        spaces.put_back_all(space_.blocks);
        if (!spaces.prepare(packets.blocks() + parallel::at_once(executor_, parts.number()),
                            [](AnswerSpace&) { return true; }) ||
            !spaces.take_all(space_.blocks, packets.blocks()))
            return {Code::out_of_memory};
        const Status status = search_into_streams<simd::IdSink>(
            executor_, space_.blocks, parts.number(), false, result_.ids.bound,
            [&](std::size_t b, AnswerSpace& space, simd::IdSink* sinks,
                const std::atomic<bool>& out_of_memory) {
                return packets.for_each_row(b, space, [&](const Packet& packet) {
                    if (out_of_memory.load(std::memory_order_relaxed) || stop_.is_wanted()) return;
                    batch_.find(frame_, packet.view, packet.filters, parts.first, packet.records,
                                packet.count, sinks, parts.shift, nullptr);
                });
            });
        for (AnswerSpace* space : space_.blocks)
            for (std::size_t p = 0; p < parts.number(); ++p)
                keep_ample(space->streams[p], space->streams[p].size() + 2 * KeepIds::slack);
        return status;
    }

    // With those of images, if all queries before have theirs.
    Status place(const Parts& parts) noexcept {
        ImageAnswers* const images =
            result_.images != nullptr && result_.images->placed == parts.first ? result_.images : nullptr;
        const auto first_of = [&](std::size_t p) { return parts.first + (p << parts.shift); };
        const Status status = place_parts(
            frame_, executor_, parts.number(), result_.ids,
            [&](std::size_t p) {
                std::uint64_t words = 0;
                for (const AnswerSpace* block : space_.blocks) words += block->streams[p].size();
                const std::size_t first = first_of(p), count = parts.queries_in(p);
                if (images != nullptr)
                    words += images->offsets[images->image_of(first + count)] -
                             images->offsets[images->image_of(first)];
                return words - count * simd::stream_header;
            },
            [&](AnswerSpace& space) { return resize_amply(space.spots, parts.queries_in(0)); },
            [&](std::size_t p, std::uint64_t begin, std::uint64_t end, AnswerSpace& space) {
                place_part({first_of(p), first_of(p) + parts.queries_in(p)}, p, begin, end, space, images);
                return true;
            });
        if (status.ok() && images != nullptr) images->placed = parts.first + parts.count;
        return status;
    }

    // First locates each query's answers in the streams, then copies them query by query. Most have a
    // handful, so sixteen are copied without a branch on their number; the next query overwrites the surplus.
    // Spots after `end` belong to another part, and spots after `room` to the host.
    void place_part(const parallel::Range& queries, std::size_t part, std::uint64_t begin, std::uint64_t end,
                    AnswerSpace& space, const ImageAnswers* images) noexcept {
        const std::size_t first = queries.begin, count = queries.size(), mask = std::bit_ceil(count) - 1;
        for (const AnswerSpace* block : space_.blocks) {
            const Buffer<AgentId>& stream = block->streams[part];
            for (const AgentId* at = stream.begin(); at != stream.end(); at += simd::stream_header + at[1])
                space.spots[at[0] & mask] = {at + simd::stream_header, at[1]};
        }
        AgentId* out = result_.ids.data();
        std::uint64_t* offsets = result_.offsets + first + 1;
        const std::uint64_t room = std::min(result_.ids.room(), end);
        // Copying waits for the cache and leaves memory free. So if one worker places all, the stream of the
        // next part comes meanwhile.
        const bool has_next = space_.blocks.size() == 1 && part + 1 < AnswerSpace::max_streams;
        const Buffer<AgentId>& next = space_.blocks[0]->streams[part + has_next];
        auto coming = reinterpret_cast<std::uintptr_t>(next.data());
        const std::size_t step = next.size() * sizeof(AgentId) / count + 1;
        constexpr std::size_t ahead = 8;
        const auto with_image = [&](std::size_t i) { return images == nullptr ? none : images->query_of(i); };
        for (std::size_t q = 0, image = images == nullptr ? 0 : images->image_of(first); q < count;) {
            const std::size_t last = std::min(with_image(image) - first, count - 1);
            for (; q <= last; ++q) {
                THRONG_PREFETCH(reinterpret_cast<const void*>(coming), 0, 2);
                coming += step;
                if (q + ahead < count) THRONG_PREFETCH(space.spots[q + ahead].ids);
                const auto [ids, found] = space.spots[q];
                if (found <= simd::gap && begin + simd::gap <= room) [[likely]]
                    std::memcpy(out + begin, ids, simd::gap * sizeof(AgentId));
                else if (begin < room)
                    std::memcpy(out + begin, ids,
                                static_cast<std::size_t>(std::min(found, room - begin)) * sizeof(AgentId));
                begin += found;
                offsets[q] = begin;
            }
            for (; with_image(image) == first + last; ++image)
                begin = static_cast<std::uint64_t>(images->copy(image, out + begin) - out);
            offsets[last] = begin;
        }
    }

    // --- As found ---

    // Finds the answers of one block's packets behind each other.
    bool find_block(const Packets& packets, std::size_t block, std::size_t first, AnswerSpace& space,
                    simd::IdSink& sink, std::uint64_t* ends) noexcept {
        std::uint32_t* const order = result_.order + first + packets.queries_of(block).begin;
        std::size_t done = 0;
        return packets.for_each_row(block, space, [&](const Packet& packet) {
            sink.stopped = sink.stopped || stop_.is_wanted();
            if (sink.stopped) return;
            batch_.find(frame_, packet.view, packet.filters, first, packet.records, packet.count, &sink, 0,
                        ends + done);
            for (std::size_t k = 0; k < packet.count; ++k)
                order[done + k] = static_cast<std::uint32_t>(first) + packet.records[k].id;
            done += packet.count;
        });
    }

    Status search_as_found(std::size_t first, std::size_t count) noexcept {
        Packets packets(frame_, executor_, space_, batch_.is_far_in_tree(frame_));
        if (const Status status = sort(packets, first, count); !status.ok()) return status;
        const std::size_t blocks = packets.blocks();
        LateLease<AnswerSpace> own(frame_.store->spaces.answers);
        const Status status = append(
            blocks, 1,
            [&](std::size_t b) { return first + (b == blocks ? count : packets.queries_of(b).begin); },
            [&](std::size_t b, AnswerSpace* space, simd::IdSink& sink, std::uint64_t* ends) {
                if (space == nullptr) space = own.get();
                return space != nullptr && find_block(packets, b, first, *space, sink, ends);
            });
        if (status.ok())
            for (AnswerSpace* space : space_.blocks) (void)packets.make_ready(*space);
        return status;
    }

    const FrameState& frame_;
    const Executor& executor_;
    const bool has_workers_;
    const parallel::Stop stop_;
    const QueryBatch batch_;
    BatchSpace& space_;
    const FilterBatch filters_;
    HitResult& result_;
};

}  // namespace

Status OpenedBatch::find_apart(const ImagedBatch& batch, const Executor& executor, const FoundLists& lists,
                               std::size_t* placed) noexcept {
    const auto find_each = [&](const QueryBatch& some, const Filters& filters, const FoundLists& to,
                               ImageAnswers* images) -> Status {
        if (!resize_amply(to.offsets, some.size() + 1)) return {Code::out_of_memory};
        HitResult result{to.offsets.data(), {&to.ids, {}, 0, to.room}, to.order, images};
        const Status bad = HitBatch(*frame_, executor, some, space(), {*frame_, filters}, result).run();
        if (!bad.ok() || to.ids.resize(static_cast<std::size_t>(result.ids.found))) return bad;
        return {Code::out_of_memory};
    };
    const auto if_they_fit = [&](const Status& status, std::size_t more) -> Status {
        if (!status.ok() || lists.room == nullptr || lists.room->admits(lists.ids.size() + more))
            return status;
        return {Code::out_of_memory};
    };
    if (!batch.has_images()) return if_they_fit(find_each(batch.queries, batch.filters, lists, nullptr), 0);
    Buffer<std::uint64_t>& offsets = around().more_offsets;
    Buffer<AgentId>& ids = around().more_ids;
    ImageAnswers images{batch.owners, batch.first, offsets, ids};
    if (lists.room != nullptr)
        lists.room->add_words(std::uint64_t{simd::stream_header} * batch.images.size());
    Status status =
        find_each(batch.images, batch.their_filters, {offsets, ids, nullptr, lists.room}, nullptr);
    if (status.ok())
        status = find_each(batch.queries, batch.filters, lists, placed != nullptr ? &images : nullptr);
    if (placed != nullptr) *placed = images.placed;
    return if_they_fit(status, ids.size());
}

Status OpenedBatch::find(const ImagedBatch& batch, const FoundLists& lists) noexcept {
    const bool may_place = batch.repeating.empty() && lists.order == nullptr && lists.room == nullptr;
    std::size_t placed = 0;
    const Status bad = find_apart(batch, executor_, lists, may_place ? &placed : nullptr);
    if (!bad.ok() || !batch.has_images() || add_lists_of_images(batch, lists, placed)) return bad;
    return {Code::out_of_memory};
}

Status Frame::find_all(const BoxesOrShapes& queries, OverlapLists& hits, const Filters& filters,
                       std::uint32_t* order, ListRoom* room) const noexcept {
    hits.clear();
    if (const Status bad = check_call(queries, {}, filters, failure_); !bad.ok()) return bad;
    Status status;
    if (state_ != nullptr) {
        OpenedBatch opened(*state_, executor_);
        status = opened.open(queries, filters, torus());
        if (status.ok()) status = opened.find(opened.all(), {hits.offsets_, hits.answers_, order, room});
    } else if (!resize_amply(hits.offsets_, queries.size() + 1)) {
        status = {Code::out_of_memory};
    } else {
        std::fill(hits.offsets_.begin(), hits.offsets_.end(), 0u);
        status = check(queries);
        if (order != nullptr) std::iota(order, order + queries.size(), 0u);
    }
    if (!status.ok()) hits.clear();
    return status;
}

Status Frame::overlaps(const BoxesOrShapes& queries, OverlapsAsFound& hits,
                       const Filters& filters) const noexcept {
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    hits.clear();
    if (queries.size() > most) return {Code::too_many, most};
    if (!resize_amply(hits.queries_, queries.size())) return {Code::out_of_memory};
    const Status status = find_all(queries, hits.lists_, filters, hits.queries_.data());
    if (!status.ok()) hits.clear();
    return status;
}

Filled Frame::overlaps(const BoxesOrShapes& queries, std::span<std::uint64_t> offsets, std::span<AgentId> ids,
                       const Filters& filters) const noexcept {
    Status output = check_output(ids, 0);
    if (offsets.data() == nullptr) output = {Code::null_view, Argument::output};
    if (output.ok() && offsets.size() != queries.size() + 1) output = {Code::size_mismatch, Argument::output};
    if (const Status bad = check_call(queries, output, filters, failure_); !bad.ok()) return {.status = bad};
    if (state_ == nullptr) {
        const Status legal = check(queries);
        if (legal.ok()) std::fill(offsets.begin(), offsets.end(), std::uint64_t{0});
        return {.status = legal};
    }
    OpenedBatch opened(*state_, executor_);
    Status status = opened.open(queries, filters, torus());
    HitResult result{offsets.data(), {nullptr, ids}};
    if (status.ok() && !opened.all().has_images()) {
        status =
            HitBatch(*state_, executor_, opened.all().queries, opened.space(), {*state_, filters}, result)
                .run();
    } else if (status.ok()) {
        Buffer<std::uint64_t>& all_offsets = opened.around().made_offsets;
        Buffer<AgentId>& all = opened.around().made_ids;
        status = opened.find(opened.all(), {all_offsets, all});
        if (status.ok()) {
            std::copy(all_offsets.begin(), all_offsets.end(), offsets.begin());
            std::copy_n(all.begin(), std::min(all.size(), ids.size()), ids.begin());
            result.ids.found = all.size();
        }
    }
    return status.ok() ? filled(result.ids.found, ids.size()) : Filled{.status = status};
}

}  // namespace throng
