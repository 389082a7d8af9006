// Batches of questions. A batch is cut into windows, each of which is put in order and asked by one block:
//
//     windows  | 0: sort, ask | 1: sort, ask | ...           in parallel, answers into the windows' work spaces
//     totals   | 0            | t0           | t0 + t1 ...   where each window's answers begin in the result
//     result   | copy         | copy         | ...           in parallel, back in the caller's order
//
// Windows go in waves of a few for each worker, so that the answers are still in the cache when they are copied, and a
// batch of any size needs only so much work space. Where the questions are not sorted and there is one worker, answers go
// straight to the result.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

#include "engine/src/box_check.hpp"
#include "engine/src/packets.hpp"
#include "engine/src/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

constexpr std::size_t largest_window = 1 << 17, smallest_window = 256;
// How many answers a window should have at most, going by the first questions of the batch.
constexpr double answers_in_a_window = 1 << 20;

// How a batch is cut up.
struct Cut {
    std::size_t window, windows, wave;
};

// A rough count of the candidates of a question: agents in the cells within its reach, if they were spread evenly.
double expected_candidates(const FrameState& frame, const Box& box) noexcept {
    const simd::Grid& g = frame.view.grid;
    const double columns = (double(box.max_x) - box.min_x + frame.view.reach_x) * g.inverse_width + 1;
    const double rows = (double(box.max_y) - box.min_y + frame.view.reach_y) * g.inverse_height + 1;
    const double cells = double(g.columns) * g.rows;
    const double some = std::clamp(columns, 1.0, double(g.columns)) * std::clamp(rows, 1.0, double(g.rows));
    return some / cells * static_cast<double>(frame.agents) + 1;
}

Cut cut(const FrameState& frame, const Executor& executor, const Boxes& boxes) noexcept {
    const std::size_t count = boxes.size();
    double candidates = 0;
    const std::size_t looked_at = std::min<std::size_t>(count, 32);
    for (std::size_t i = 0; i < looked_at; ++i) {
        const Box box = boxes[count / looked_at * i];
        candidates += check(box) == Code::ok ? expected_candidates(frame, box) : 1;
    }
    candidates = std::max(candidates / static_cast<double>(looked_at), 1.0);
    const double by_answers = std::max(answers_in_a_window / candidates, 16.0);
    std::size_t window = static_cast<std::size_t>(std::min(by_answers, double{largest_window}));
    const bool parallel = executor.parallel_for != nullptr && executor.workers > 1;
    if (parallel)
        window = std::min(window, std::max(count / (std::size_t{executor.workers} * 4) + 1, smallest_window));
    return {window, (count + window - 1) / window, parallel ? std::size_t{executor.workers} * 2 : 1};
}

// Remembers the fault with the lowest index, whichever block finds it.
class FirstFault {
public:
    void note(Status status) noexcept {
        if (status.ok()) return;
        if (status.code == Code::out_of_memory) out_of_memory_.store(true, std::memory_order_relaxed);
        std::size_t seen = index_.load(std::memory_order_relaxed);
        while (status.index < seen && !index_.compare_exchange_weak(seen, status.index, std::memory_order_relaxed)) {
        }
    }
    Status status(const Boxes& boxes) const noexcept {
        const std::size_t index = index_.load(std::memory_order_relaxed);
        if (index != Status::no_index) return check(boxes, index);
        return out_of_memory_.load(std::memory_order_relaxed) ? Status{Code::out_of_memory} : Status{};
    }

private:
    std::atomic<std::size_t> index_{Status::no_index};
    std::atomic<bool> out_of_memory_{false};
};

// Asks every question of a batch, window by window, in packets: ask(window, first question).
template <class Ask>
Status ask_in_packets(const FrameState& frame, const Executor& executor, const Boxes& boxes, Ask&& ask) noexcept {
    if (boxes.empty()) return {};
    const Cut parts = cut(frame, executor, boxes);
    FirstFault fault;
    const bool ran = parallel::for_blocks(executor, parts.windows, [&](std::size_t index) {
        const std::size_t begin = index * parts.window, end = std::min(begin + parts.window, boxes.size());
        const Lease<WindowSpace> space(frame.store->window_spaces);
        Window window;
        const Status status =
            space ? prepare_window(frame, boxes, begin, end, *space, window) : Status{Code::out_of_memory};
        fault.note(status);
        if (status.ok()) ask(window, begin);
    });
    return ran ? fault.status(boxes) : Status{Code::bad_executor};
}

// --- Hits -----------------------------------------------------------------------------------------------------------

// A sink that keeps all ids in one growing buffer.
struct KeepIds {
    Buffer<AgentId>& ids;
    bool out_of_memory = false;

    bool open(simd::IdSink& sink, std::size_t begin, std::size_t room) noexcept {
        (void)ids.resize(begin);
        if (!ids.reserve(begin + room + 2 * simd::gap)) return false;
        sink = {ids.data() + begin, ids.data() + begin, limit(), full, nullptr, this, false};
        return true;
    }
    AgentId* limit() noexcept { return ids.data() + ids.capacity() - simd::gap; }
    static void full(simd::IdSink& sink) {
        KeepIds& keep = *static_cast<KeepIds*>(sink.context);
        const auto begin = static_cast<std::size_t>(sink.begin - keep.ids.data());
        const auto have = static_cast<std::size_t>(sink.at - keep.ids.data());
        (void)keep.ids.resize(have);
        if (!keep.ids.reserve(have + have / 2 + 2 * simd::gap)) {
            keep.out_of_memory = sink.stopped = true;
            sink.at = sink.begin;
            return;
        }
        sink.begin = keep.ids.data() + begin;
        sink.at = keep.ids.data() + have;
        sink.limit = keep.limit();
    }
};

// Where hits go: room for all of them, or as much as the host gave.
struct Result {
    std::uint64_t* offsets;
    Buffer<AgentId>* growing;  // null where `fixed` is all there is
    std::span<AgentId> fixed;
    std::uint64_t found = 0;

    AgentId* ids() const noexcept { return growing != nullptr ? growing->data() : fixed.data(); }
    std::uint64_t room() const noexcept { return growing != nullptr ? growing->capacity() : fixed.size(); }
    // Room for so many ids and for a vector more.
    bool grow(std::uint64_t count) noexcept {
        if (growing == nullptr) return true;
        (void)growing->resize(static_cast<std::size_t>(found));
        return reserve_amply(*growing, static_cast<std::size_t>(count) + simd::gap);
    }
};

class HitBatch {
public:
    HitBatch(const FrameState& frame, const Executor& executor, const Boxes& boxes, Result& result) noexcept
        : frame_(frame), executor_(executor), boxes_(boxes), result_(result), table_(frame.store->window_tables) {}
    HitBatch(const HitBatch&) = delete;
    ~HitBatch() {
        if (!table_) return;
        for (WindowSpace* space : table_->spaces)
            if (space != nullptr) frame_.store->window_spaces.put_back(space);
        table_->spaces.clear();
    }

    Status run() noexcept {
        result_.offsets[0] = 0;
        if (boxes_.empty()) return {};
        const Cut parts = cut(frame_, executor_, boxes_);
        window_ = parts.window;
        const std::size_t in_wave = std::min(parts.wave, parts.windows);
        if (!table_ || !table_->spaces.resize(in_wave, nullptr) || !windows_begin(in_wave))
            return {Code::out_of_memory};
        for (std::size_t first = 0; first < parts.windows; first += in_wave)
            if (const Status status = wave(first, std::min(in_wave, parts.windows - first)); !status.ok())
                return status;
        return {};
    }

private:
    bool windows_begin(std::size_t in_wave) noexcept {
        for (std::size_t i = 0; i < in_wave; ++i) {
            table_->spaces[i] = frame_.store->window_spaces.take();
            if (table_->spaces[i] == nullptr) return false;
        }
        return true;
    }
    parallel::Part questions_of(std::size_t window) const noexcept {
        return {window * window_, std::min((window + 1) * window_, boxes_.size())};
    }

    Status wave(std::size_t first, std::size_t count) noexcept {
        FirstFault fault;
        const bool straight = count == 1 && result_.growing != nullptr;
        bool done = false;
        bool ran = parallel::for_blocks(executor_, count, [&](std::size_t i) {
            fault.note(ask(first + i, *table_->spaces[i], straight, done));
        });
        if (!ran) return {Code::bad_executor};
        if (const Status status = fault.status(boxes_); !status.ok()) return status;
        if (done) return {};

        std::uint64_t total = result_.found;
        for (std::size_t i = 0; i < count; ++i) total += table_->spaces[i]->ids.size();
        if (!result_.grow(total)) return {Code::out_of_memory};
        ran = parallel::for_blocks(executor_, count, [&](std::size_t i) {
            std::uint64_t begin = result_.found;
            for (std::size_t before = 0; before < i; ++before) begin += table_->spaces[before]->ids.size();
            put_in_place(first + i, *table_->spaces[i], begin);
        });
        if (!ran) return {Code::bad_executor};
        result_.found = total;
        return {};
    }

    // Asks a window into its space; or, if nothing else writes and the order is the caller's, straight into the result.
    Status ask(std::size_t index, WindowSpace& space, bool straight, bool& done) noexcept {
        const parallel::Part part = questions_of(index);
        Window window;
        if (const Status status = prepare_window(frame_, boxes_, part.begin, part.end, space, window); !status.ok())
            return status;
        if (!space.ends.resize(window.count) || !space.rank.resize(window.count)) return {Code::out_of_memory};
        straight = straight && window.as_asked;
        const auto begin = straight ? static_cast<std::size_t>(result_.found) : 0;
        KeepIds keep{straight ? *result_.growing : space.ids};
        simd::IdSink sink{};
        if (!keep.open(sink, begin, 0)) return {Code::out_of_memory};
        std::uint64_t* ends = straight ? result_.offsets + part.begin + 1 : space.ends.data();
        frame_.kernels->find_packet(frame_.view, window.questions, window.order, window.count, sink, ends);
        const std::size_t end = begin + static_cast<std::size_t>(ends[window.count - 1]);
        if (keep.out_of_memory || !keep.ids.resize(end)) return {Code::out_of_memory};
        keep_ample(keep.ids, end + simd::gap);
        if (straight) {
            for (std::size_t q = 0; q < window.count; ++q) ends[q] += begin;
            result_.found = end;
            done = true;
            return {};
        }
        if (!window.as_asked)
            for (std::size_t k = 0; k < window.count; ++k) space.rank[window.order[k]] = static_cast<std::uint32_t>(k);
        space.rank_valid = !window.as_asked;
        return {};
    }

    void put_in_place(std::size_t index, const WindowSpace& space, std::uint64_t begin) noexcept {
        const parallel::Part part = questions_of(index);
        std::uint64_t* offsets = result_.offsets + part.begin + 1;
        const std::uint64_t* ends = space.ends.data();
        const std::uint64_t room = result_.room();
        if (!space.rank_valid) {
            for (std::size_t q = 0; q < part.size(); ++q) offsets[q] = begin + ends[q];
            if (begin < room)
                std::memcpy(result_.ids() + begin, space.ids.data(),
                            std::min<std::uint64_t>(space.ids.size(), room - begin) * sizeof(AgentId));
            return;
        }
        constexpr std::size_t ahead = 16;
        for (std::size_t q = 0; q < part.size(); ++q) {
            if (q + ahead < part.size()) __builtin_prefetch(ends + space.rank[q + ahead]);
            const std::size_t k = space.rank[q];
            const std::uint64_t from = k == 0 ? 0 : ends[k - 1], count = ends[k] - from;
            copy_answers(space.ids.data() + from, begin, count, room);
            begin += count;
            offsets[q] = begin;
        }
    }

    // Most questions have a handful of answers, so sixteen are copied without asking how many there are, where there is
    // room. The copies of the next question then go on top of those that were too many.
    void copy_answers(const AgentId* from, std::uint64_t to, std::uint64_t count, std::uint64_t room) noexcept {
        AgentId* out = result_.ids();
        if (count <= simd::gap && to + simd::gap <= room) [[likely]] {
            std::memcpy(out + to, from, simd::gap * sizeof(AgentId));
        } else if (to < room) {
            std::memcpy(out + to, from, static_cast<std::size_t>(std::min(count, room - to)) * sizeof(AgentId));
        }
    }

    const FrameState& frame_;
    const Executor& executor_;
    const Boxes& boxes_;
    Result& result_;
    Lease<WindowTable> table_;
    std::size_t window_ = 0;
};

}  // namespace

Status Frame::overlaps(const Boxes& boxes, Hits& hits) const noexcept {
    hits.clear();
    if (boxes.null()) return {Code::null_view};
    Status status;
    if (!reserve_amply(hits.offsets_, boxes.size() + 1) || !hits.offsets_.resize(boxes.size() + 1)) {
        status = {Code::out_of_memory};
    } else if (state_ == nullptr) {
        std::fill(hits.offsets_.begin(), hits.offsets_.end(), 0u);
        status = check(boxes);
    } else {
        Result result{hits.offsets_.data(), &hits.ids_, {}};
        status = HitBatch(*state_, executor_, boxes, result).run();
        if (status.ok() && !hits.ids_.resize(static_cast<std::size_t>(result.found))) status = {Code::out_of_memory};
    }
    if (!status.ok()) hits.clear();
    return status;
}

Found Frame::overlaps(const Boxes& boxes, std::span<std::uint64_t> offsets, std::span<AgentId> ids) const noexcept {
    if (boxes.null() || offsets.data() == nullptr || (ids.data() == nullptr && !ids.empty()))
        return {.status = {Code::null_view}};
    if (offsets.size() != boxes.size() + 1) return {.status = {Code::size_mismatch}};
    if (state_ == nullptr) {
        std::fill(offsets.begin(), offsets.end(), std::uint64_t{0});
        return {.status = check(boxes)};
    }
    Result result{offsets.data(), nullptr, ids};
    const Status status = HitBatch(*state_, executor_, boxes, result).run();
    if (!status.ok()) return {.status = status};
    return {.status = {}, .found = result.found, .written = std::min<std::uint64_t>(result.found, ids.size())};
}

Status Frame::count(const Boxes& boxes, std::span<std::uint32_t> counts) const noexcept {
    if (boxes.size() != counts.size()) return {Code::size_mismatch};
    if (boxes.null() || (counts.data() == nullptr && !counts.empty())) return {Code::null_view};
    if (state_ == nullptr) {
        std::fill(counts.begin(), counts.end(), 0u);
        return check(boxes);
    }
    return ask_in_packets(*state_, executor_, boxes, [&](const Window& w, std::size_t first) {
        state_->kernels->count_packet(state_->view, w.questions, w.order, w.count, counts.data() + first);
    });
}

Status Frame::any(const Boxes& boxes, std::span<std::uint8_t> answers) const noexcept {
    if (boxes.size() != answers.size()) return {Code::size_mismatch};
    if (boxes.null() || (answers.data() == nullptr && !answers.empty())) return {Code::null_view};
    if (state_ == nullptr) {
        std::fill(answers.begin(), answers.end(), std::uint8_t{0});
        return check(boxes);
    }
    return ask_in_packets(*state_, executor_, boxes, [&](const Window& w, std::size_t first) {
        state_->kernels->any_packet(state_->view, w.questions, w.order, w.count, answers.data() + first);
    });
}

}  // namespace throng
