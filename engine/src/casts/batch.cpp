// Casts whose answers have a fixed size. A single one goes straight to the kernel, on the calling thread. The
// answers of a batch go to the spots of their casts, so these are searched in the best order.

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <span>

#include "base/blocks.hpp"
#include "base/box_math.hpp"
#include "engine/src/ask/one_query.hpp"
#include "engine/src/casts/casts.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/compiler.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

// --- One ---------------------------------------------------------------------------------------------------

FirstHit Frame::first_hit(const Cast& cast, const Filter& filter) const noexcept {
    if (!Scope::is_plain(*this)) [[unlikely]]
        return answer_of_parts<OneCast, KeptFirst>(*this, cast, filter);
    // One object for all ways out, so the kernel writes to the caller's: a copy would wait for the write.
    FirstHit first;
    const OneCast query(cast);
    if (!has_band(filter))
        first.status = check_band(filter);
    else if (const Code bad = query.fault(); bad != Code::ok)
        first.status = {bad, 0};
    else
        query.find_first(*state_, filter, false, first.hit);
    return first;
}

Found Frame::blocked(const Cast& cast, const Filter& filter) const noexcept {
    if (!Scope::is_plain(*this)) [[unlikely]]
        return answer_of_parts<OneCast, KeptAny>(*this, cast, filter);
    if (!has_band(filter)) return {.status = check_band(filter)};
    const OneCast query(cast);
    if (const Code bad = query.fault(); bad != Code::ok) return {.status = {bad, 0}};
    return {.status = {}, .found = query.any(*state_, filter)};
}

// --- A batch -----------------------------------------------------------------------------------------------

namespace {

Status check_legal(const Executor& executor, const Casts& casts) noexcept {
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::atomic<std::size_t> first_bad{none};
    const parallel::Ran ran = parallel::for_ranges(executor, casts.size(), 8192, [&](parallel::Range part) {
        std::size_t i = part.begin;
        if (const LyingCasts lying(casts); lying.first != nullptr)
            while (i < part.end && lying.legal(i)) ++i;
        else
            while (i < part.end && is_legal(casts[i])) ++i;
        if (i < part.end) parallel::lower(first_bad, i);
    });
    if (!ran) return outcome(ran);
    const std::size_t bad = first_bad.load(std::memory_order_relaxed);
    return bad == none ? Status{} : Status{check(casts[bad]), bad, Argument::boxes};
}

}  // namespace

Status detail::check_all(const Scope& scope, const Casts& casts) noexcept {
    const Status status = check_legal(scope.executor(), casts);
    // A call that was ended, or whose executor failed, names no cast.
    if (!scope.wraps() || (!status.ok() && status.index == Status::no_index)) return status;
    const Torus torus = scope.torus();
    const std::size_t legal = status.ok() ? casts.size() : status.index;
    for (std::size_t i = 0; i < legal; ++i)
        if (goes_around_too_often(casts[i], torus)) return refusal(Code::too_large, i);
    return status;
}

namespace {

// --- The order of a batch ---
//
// Casts are searched by the cells in which they start, so that casts in a row read the same few rows. First
// they are put into up to 256 parts of the world, and then each part is sorted in the cache. In one step
// several workers would write to the same lines of memory all the time. For that reason answers are in this
// order, too, until all are found.

// Each row of each region is cut into equally many groups of columns. With very many rows, some share a bin.
class CastBins {
public:
    static constexpr std::size_t in_part = 256, most = in_part * in_part;

    CastBins(const FrameState& frame, std::size_t casts) noexcept : frame_(frame) {
        groups_ = std::clamp<std::size_t>(std::min(casts, most) / frame.rows.size(), 1, 64);
        while ((frame.rows.size() * groups_ - 1) >> shift_ >= most) ++shift_;
        const simd::Grid& g = frame.map.grid_of_region(0);
        groups_in_width_ = g.inverse_width * (static_cast<float>(groups_) / static_cast<float>(g.columns));
    }
    std::size_t parts() const noexcept {
        return ((frame_.rows.size() * groups_ - 1) >> shift_) / in_part + 1;
    }
    // `layer` is the number of its storey, if there are any.
    std::uint32_t of(const simd::CastQuery& cast, std::uint32_t layer) const noexcept {
        const float x = cast.start.min_x, y = cast.start.min_y;
        if (!frame_.map.has_islands()) {
            // Without a division: only the order depends on it.
            const simd::Grid& g = frame_.map.grid_of_region(0);
            return in_bins(std::size_t{layer} * g.rows + row_at(g, y),
                           bin(x, g.origin_x, groups_in_width_, static_cast<float>(groups_ - 1)));
        }
        const std::uint32_t region = frame_.map.region_at(x, y);
        const simd::Grid& g = frame_.map.grid_of_region(region);
        // In 32 bits, which divide faster; there are at most 65,520 columns.
        return in_bins(frame_.map.first_row(region, layer) + row_at(g, y),
                       column_at(g, x) * static_cast<std::uint32_t>(groups_) / g.columns);
    }

private:
    std::uint32_t in_bins(std::size_t row, std::uint32_t group) const noexcept {
        return static_cast<std::uint32_t>((row * groups_ + group) >> shift_);
    }

    const FrameState& frame_;
    std::size_t groups_;
    unsigned shift_ = 0;
    float groups_in_width_;  // in one unit of a world without islands
};

// For the casts [0, count).
class CastOrder {
public:
    CastOrder(const FrameState& frame, const Executor& executor, CastSpace& space, std::size_t count) noexcept
        : frame_(frame),
          bins_(frame, count),
          executor_(executor),
          space_(space),
          count_(count),
          parts_(bins_.parts()),
          blocks_(parallel::blocks_for(executor, count, 4096)) {}

    // Checks the casts, and writes their order to the space. The first one is number `first` of all.
    Status find(const LyingCasts& casts, const Casts& all, std::size_t first,
                const simd::LabelFilters& filters) noexcept {
        if (!reserve_amply(space_.counts, blocks_ * CastBins::in_part) ||
            !space_.counts.resize(blocks_ * parts_) || !space_.starts.reserve(CastBins::in_part + 1) ||
            !space_.starts.resize(parts_ + 1) || !resize_amply(space_.order, count_) ||
            !resize_amply(space_.bins, count_) || !resize_amply(space_.entries, count_))
            return {Code::out_of_memory};
        std::atomic<std::size_t> first_bad{count_};
        parallel::Ran ran = each_range(
            [&](std::size_t b, parallel::Range some) { count(casts, filters, b, some, first_bad); });
        if (!ran) return outcome(ran);
        if (const std::size_t bad = first_bad.load(std::memory_order_relaxed); bad != count_)
            return {check(all[first + bad]), first + bad, Argument::boxes};
        parallel::scan_bins(space_.counts.data(), blocks_, parts_, space_.starts.data());
        ran = each_range([&](std::size_t b, parallel::Range some) { put_into_parts(b, some); });
        if (!ran) return outcome(ran);
        return outcome(parallel::for_ranges(executor_, parts_, 8, [&](parallel::Range parts) {
            for (std::size_t p = parts.begin; p < parts.end; ++p)
                sort_part(space_.starts[p], space_.starts[p + 1]);
        }));
    }
    // From this order to that of the casts.
    template <class Answer>
    Status put_back(const Answer* found, Answer* answers) const noexcept {
        return outcome(each_range([&](std::size_t, parallel::Range part) {
            for (std::size_t i = part.begin; i < part.end; ++i)
                answers[i] = found[space_.entries[space_.bins[i]].spot];
        }));
    }

private:
    template <class Body>
    parallel::Ran each_range(const Body& body) const noexcept {
        return parallel::for_blocks(executor_, blocks_,
                                    [&](std::size_t b) { body(b, parallel::range_of(count_, blocks_, b)); });
    }
    std::uint32_t* parts_of_block(std::size_t b) const noexcept { return space_.counts.data() + b * parts_; }

    // As many casts at a time as the nearest cache holds are checked, and then counted.
    void count(const LyingCasts casts, const simd::LabelFilters& filters, std::size_t b, parallel::Range some,
               std::atomic<std::size_t>& first_bad) noexcept {
        std::uint32_t* counts = parts_of_block(b);
        std::fill_n(counts, parts_, 0u);
        const bool by_storeys = frame_.map.has_storeys();
        for (std::size_t i = some.begin, end = i; i < some.end;) {
            for (const std::size_t last = std::min(end + 256, some.end); end < last; ++end)
                if (!casts.legal(end)) return parallel::lower(first_bad, end);
            for (; i < end; ++i) {
                const std::uint32_t bin =
                    bins_.of(casts[i], by_storeys ? layer_of_cast(frame_.map, casts, filters, i) : 0);
                space_.bins[i] = bin;
                ++counts[bin / CastBins::in_part];
            }
        }
    }
    void put_into_parts(std::size_t b, parallel::Range some) noexcept {
        std::uint32_t* next = parts_of_block(b);
        for (std::size_t i = some.begin; i < some.end; ++i) {
            const std::uint32_t bin = space_.bins[i], entry = next[bin / CastBins::in_part]++;
            THRONG_PREFETCH(space_.entries.data() + entry + 16, 1);
            space_.entries[entry] = {static_cast<std::uint32_t>(i), bin};
            space_.bins[i] = entry;
        }
    }
    void sort_part(std::uint32_t begin, std::uint32_t end) noexcept {
        std::array<std::uint32_t, CastBins::in_part + 1> next{};
        const std::span<CastEntry> part(space_.entries.data() + begin, end - begin);
        for (const CastEntry& entry : part) ++next[entry.spot % CastBins::in_part + 1];
        next[0] = begin;
        for (std::size_t bin = 1; bin < CastBins::in_part; ++bin) next[bin] += next[bin - 1];
        for (CastEntry& entry : part) {
            entry.spot = next[entry.spot % CastBins::in_part]++;
            space_.order[entry.spot] = entry.number;
        }
    }

    const FrameState& frame_;
    const CastBins bins_;
    const Executor& executor_;
    CastSpace& space_;
    const std::size_t count_, parts_, blocks_;
};

// --- The batch ---

// Fewer casts are not worth sorting. More at a time would need more scratch memory, and what they share
// leaves the cache.
constexpr std::size_t min_casts_sorted = 256, max_casts_sorted = 1 << 17;
// After so many the host is asked whether to end the call.
constexpr std::size_t casts_in_a_piece = 1024;

class CastBatch {
public:
    CastBatch(const FrameState& frame, const Executor& executor, const Casts& casts,
              const Filters& filters) noexcept
        : frame_(frame),
          executor_(executor),
          casts_(casts),
          filters_(frame, filters),
          space_(frame.store->spaces.casts) {}

    // With `is_static`, answers of another frame's agents are replaced only by earlier ones.
    Status find(CastHit* hits, bool is_static) noexcept {
        return answer(frame_.kernels->casts->first, hits, is_static);
    }
    Status find(std::uint8_t* answers, bool is_static) noexcept {
        return answer(frame_.kernels->casts->blocked, answers, is_static);
    }

private:
    template <class Kernel, class Answer>
    Status answer(Kernel kernel, Answer* answers, bool is_static) noexcept {
        if (!space_) return {Code::out_of_memory};
        Status status = casts_.size() < min_casts_sorted ? check_legal(executor_, casts_) : Status{};
        for (std::size_t first = 0; status.ok() && first < casts_.size(); first += max_casts_sorted)
            status = answer_some(kernel, first, std::min(max_casts_sorted, casts_.size() - first),
                                 answers + first, is_static);
        return status;
    }

    template <class Kernel, class Answer>
    Status answer_some(Kernel kernel, std::size_t first, std::size_t count, Answer* answers,
                       bool is_static) noexcept {
        Casts casts = casts_.part(first, count);
        if (casts.data() == nullptr) {
            if (const Status status = copy(first, count); !status.ok()) return status;
            casts = std::span<const Cast>(space_->casts.data(), count);
        }
        const LyingCasts lying(casts);
        const simd::LabelFilters filters = filters_.from(first);
        const bool have_heights = frame_.has_heights() && lying.any_has_heights(count);
        simd::CastBatch all{lying.first, lying.stride, nullptr, 0, count, have_heights, is_static};
        if (casts_.size() < min_casts_sorted) return search(kernel, all, filters, answers, answers);
        CastOrder order(frame_, executor_, *space_, count);
        if (const Status status = order.find(lying, casts_, first, filters); !status.ok()) return status;
        all.order = space_->order.data();
        Buffer<Answer>& found = space_->answers(answers);
        if (!resize_amply(found, count)) return {Code::out_of_memory};
        if (const Status status = search(kernel, all, filters, answers, found.data()); !status.ok())
            return status;
        return order.put_back(found.data(), answers);
    }

    // `former` has the answers of agents, before elements are searched.
    template <class Kernel, class Answer>
    Status search(Kernel kernel, const simd::CastBatch& all, const simd::LabelFilters& filters,
                  const Answer* former, Answer* found) const noexcept {
        const std::size_t blocks = parallel::blocks_for(executor_, all.count, 64, 16);
        const parallel::Stop stop(executor_);
        const auto in_range = [&](const parallel::Range& part) {
            if (stop.is_wanted()) return;
            simd::CastBatch some = all;
            some.first = part.begin;
            some.count = part.size();
            if (all.order != nullptr) some.order += part.begin;
            for (std::size_t i = 0; all.order != nullptr && all.is_static && i < part.size(); ++i)
                found[part.begin + i] = former[some.order[i]];
            kernel(frame_.view, filters, some, as_kernel(found));
        };
        const parallel::Ran ran = parallel::for_blocks(executor_, blocks, [&](std::size_t b) {
            const parallel::Range part = parallel::range_of(all.count, blocks, b);
            const std::size_t piece = executor_.cancelled == nullptr ? part.size() : casts_in_a_piece;
            for (std::size_t at = part.begin; at < part.end; at += piece)
                in_range({at, std::min(at + piece, part.end)});
        });
        return outcome(stop, outcome(ran));
    }

    // The casts [first, first + count), each as a Cast.
    Status copy(std::size_t first, std::size_t count) noexcept {
        if (!resize_amply(space_->casts, count)) return {Code::out_of_memory};
        const parallel::Ran ran = parallel::for_ranges(executor_, count, 4096, [&](parallel::Range part) {
            for (std::size_t i = part.begin; i < part.end; ++i) space_->casts[i] = casts_[first + i];
        });
        return outcome(ran);
    }

    const FrameState& frame_;
    const Executor& executor_;
    const Casts& casts_;
    const FilterBatch filters_;
    Lease<CastSpace> space_;
};

// --- In a world that wraps around ---

// Whether a cast surely touches no seam. Its direction is as good as random, and compilers branch on it
// unless it is a mask.
bool is_inside(const simd::CastQuery& cast, const Inside& inside) noexcept {
    const auto below = [](float d) {
        const auto bits = bits_as<std::int32_t>(d);
        return bits_as<float>(bits & bits >> 31);
    };
    const simd::Query& s = cast.start;
    const float r = cast.radius;
    return inside.has({s.min_x + (below(cast.dx) - r), s.min_y + (below(cast.dy) - r),
                       s.max_x + (r - below(-cast.dx)), s.max_y + (r - below(-cast.dy))});
}

// Notes which casts may touch a seam, and folds those that begin outside the world. The host's own are left
// as they are: then `casts` become copies. The other casts are not checked.
Status fold_all(const Scope& scope, const Torus& torus, Casts& casts, TorusSpace& space) noexcept {
    const Casts given = casts;
    Buffer<Cast>& copies = space.folded_casts;
    copies.clear();
    const auto copy_all = [&] {
        if (!resize_amply(copies, given.size())) return false;
        for (std::size_t i = 0; i < given.size(); ++i) copies[i] = given[i];
        casts = std::span<const Cast>(copies.data(), copies.size());
        return true;
    };
    space.casts_near_seams.clear();
    if (given.data() == nullptr && !copy_all()) return {Code::out_of_memory};
    const Inside inside(torus);
    const LyingCasts lying(casts);
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (is_inside(lying[i], inside)) continue;
        const Cast cast = given[i], there = folded(cast, torus.period);
        if (!is_legal(cast) || goes_around_too_often(cast, torus)) return check_all(scope, given);
        if (!space.casts_near_seams.push_back(static_cast<std::uint32_t>(i))) return {Code::out_of_memory};
        if (there.start == cast.start) continue;
        if (copies.size() == 0 && !copy_all()) return {Code::out_of_memory};
        copies[i] = there;
    }
    return {};
}

// Up to which time an image may change an answer; negative if at no time.
double time_left(const CastHit& hit) noexcept { return hit.found() ? double{hit.fraction} : 1; }
double time_left(std::uint8_t is_blocked) noexcept { return is_blocked != 0 ? -1 : 1; }

// Makes the images of folded casts that may change their answers. Returns false if there is no memory.
template <class Answer>
[[nodiscard]] bool make_images(const Torus& torus, const Casts& casts, const Answer* answers,
                               TorusSpace& space) noexcept {
    // Times are rounded a few times, each by less than 2^-23 of them.
    constexpr double a_little_more = 1 + 0x1p-20;
    space.cast_images.clear();
    space.owners.clear();
    bool enough = true;
    for (const std::uint32_t i : space.casts_near_seams) {
        const double time = std::min(time_left(answers[i]) * a_little_more, 1.0);
        if (time < 0) continue;
        const Cast there = casts[i];
        enough = enough && Moves(torus, extent_of(there, torus, time)).each([&](int k, int l) {
            return space.cast_images.push_back(moved(there, k, l, torus.period)) && space.owners.push_back(i);
        });
    }
    return enough;
}

Buffer<CastHit>& answers_of_images(TorusSpace& space, const CastHit*) noexcept { return space.cast_hits; }
Buffer<std::uint8_t>& answers_of_images(TorusSpace& space, const std::uint8_t*) noexcept {
    return space.found;
}

// First hits, or whether there are any, of all parts.
template <class Answer>
Status answer_parts(const Scope& scope, const Casts& casts, Answer* answers,
                    const Filters& filters) noexcept {
    Status status;
    scope.each([&](const Part& part) {
        const Filters own = part.is_layer ? Scope::of_elements(filters) : filters;
        status = CastBatch(*part.frame, scope.executor(), casts, own).find(answers, part.is_layer);
        return status.ok();
    });
    return status;
}

// The casts are folded and answered, and then their images that matter. If it fails, there may be answers
// without images.
template <class Answer>
Status answer_casts_around(const Scope& scope, const Casts& casts, Answer* answers,
                           const Filters& filters) noexcept {
    const Lease<TorusSpace> space(scope.agents().store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    const Torus torus = scope.torus();
    Casts there = casts;
    Status status = fold_all(scope, torus, there, *space);
    if (status.ok()) status = answer_parts(scope, there, answers, filters);
    if (!status.ok()) return status;
    if (!make_images(torus, there, answers, *space)) return {Code::out_of_memory};
    const std::span<const std::uint32_t> owners(space->owners.data(), space->owners.size());
    const std::span<const Cast> images(space->cast_images.data(), space->cast_images.size());
    if (owners.empty()) return status;
    Filters their_filters;
    Buffer<Answer>& more = answers_of_images(*space, answers);
    if (!filters_for(filters, owners, space->filters, their_filters) || !resize_amply(more, owners.size()))
        return {Code::out_of_memory};
    status = answer_parts(scope, images, more.data(), their_filters);
    for (std::size_t i = 0; i < owners.size() && status.ok(); ++i) join(answers[owners[i]], more[i]);
    return status;
}

template <class Answer>
Status cast_all(const Scope& scope, const Casts& casts, std::span<Answer> answers,
                const Filters& filters) noexcept {
    const Status output = check_output(answers, casts.size());
    Status status = check_call(casts, output, filters, scope.status());
    if (!output.ok()) return status;
    answers = answers.first(casts.size());
    if (!status.ok() || scope.is_empty()) {
        if (status.ok()) status = check_all(scope, casts);
        std::fill(answers.begin(), answers.end(), Answer{});
        return status;
    }
    status = scope.wraps() ? answer_casts_around(scope, casts, answers.data(), filters)
                           : answer_parts(scope, casts, answers.data(), filters);
    if (!status.ok()) std::fill(answers.begin(), answers.end(), Answer{});
    return status;
}

}  // namespace

Status Frame::first_hits(const Casts& casts, std::span<CastHit> hits, const Filters& filters) const noexcept {
    return cast_all(Scope(*this), casts, hits, filters);
}
Status Frame::blocked(const Casts& casts, std::span<std::uint8_t> answers,
                      const Filters& filters) const noexcept {
    return cast_all(Scope(*this), casts, answers, filters);
}

}  // namespace throng
