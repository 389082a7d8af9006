// What agents get from pairs that stand once, added up in one order. A term of a ghost goes to its owner,
// with the id of the other agent. Then each agent adds its terms by that id, wherever the pairs were found.
//
//     pairs    in parts, by several threads: terms by the bucket of their agent; those of ghosts in the last
//     ghosts   their terms go to the owners, and what comes is put into buckets, too
//     buckets  by several threads: terms by agent and by the other one, then added
//
// A bucket has so few agents that it stays in a cache. All memory is taken before the sums of all ranks.
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "cluster/src/values/in_parts.hpp"
#include "cluster/src/values/links.hpp"
#include "cluster/src/values/numbers.hpp"
#include "throng/cluster/cluster_engine.hpp"
#include "throng/compiler.hpp"

namespace throng::cluster {

namespace detail {

namespace {

// A term on its way, before its value: where its agent is in the lists of both ranks, and where in the sums
// once it has arrived; whether it is taken away; and the other agent of the pair.
struct TermHead {
    std::uint32_t at, takes_away;
    GlobalId other;
};

// Values that are longer do not fit into a letter.
constexpr std::size_t longest_value = std::size_t{1} << 15;
// So that terms, also those from other ranks, are counted in 32 bits.
constexpr std::size_t most_pairs = std::size_t{1} << 30;
constexpr std::size_t most_terms = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t no_place = ClusterPair::no_place;

constexpr std::size_t least_pairs_in_part = 8192, least_agents_in_bucket = 4096;

// Most agents have few terms, for which a sort of the standard library takes far longer. One without a branch
// takes the least: in which order two terms are is as good as random.
constexpr std::ptrdiff_t few_terms = 8;

// A term in its bucket: the place of the other agent, and the source of the value. So terms with places of
// owned agents are in the order of ids.
using Key = std::uint64_t;
std::uint32_t other_of(Key key) noexcept { return static_cast<std::uint32_t>(key >> 32); }
std::uint32_t source_of(Key key) noexcept { return static_cast<std::uint32_t>(key); }

// Where the values of terms are. Their sources are numbered: what `a` and what `b` get of each pair in turn,
// and then what has come.
struct TermValues {
    static constexpr std::size_t head_words = words_of<TermHead>();

    bool is_here(std::uint32_t source) const noexcept { return source < 2 * pairs; }
    bool takes_away(std::uint32_t source) const noexcept {
        return is_here(source) ? opposite && source % 2 != 0 : head(source).takes_away != 0;
    }
    const std::byte* operator[](std::uint32_t source) const noexcept {
        if (!is_here(source)) return reinterpret_cast<const std::byte*>(record(source) + head_words);
        return (opposite || source % 2 == 0 ? to_a : to_b) + source / 2 * bytes;
    }
    const Word* record(std::uint32_t source) const noexcept {
        return inbox + (source - 2 * pairs) * record_words;
    }
    TermHead head(std::uint32_t source) const noexcept {
        TermHead head;
        get(record(source), head);
        return head;
    }

    const std::byte *to_a, *to_b;
    std::size_t pairs, bytes;
    const Word* inbox;
    std::size_t record_words;
    bool opposite;
};

class PairSums {
public:
    PairSums(ClusterState& state, const SomePairs& pairs, const ConstValues& to_a, const ConstValues& to_b,
             const Values& sums) noexcept
        : state_(state),
          of_(state.values.pair_terms),
          pairs_(pairs),
          to_a_(to_a),
          to_b_(to_b),
          sums_(sums),
          owned_(state.now.owned),
          executor_(state.config.engine.executor),
          ids_(state.now.agents.ids.data()) {
        while (owned_ >> shift_ >= PairTerms::most_buckets) ++shift_;
        buckets_ = (owned_ >> shift_) + 1;
    }

    Status fault() const noexcept;
    // Puts the terms of all pairs here into buckets, and packs those of ghosts.
    void sort_out() noexcept;
    void exchange() noexcept;
    void take_what_came() noexcept;
    void add_up() noexcept;

private:
    std::size_t record_words() const noexcept { return TermValues::head_words + words_for(sums_.bytes()); }
    bool b_gets_the_opposite() const noexcept { return to_b_.data() == nullptr; }
    std::size_t bucket_of(std::uint32_t place) const noexcept {
        return place < owned_ ? place >> shift_ : buckets_;  // that of ghosts is the last
    }

    std::uint32_t source(std::size_t pair, bool is_b) const noexcept {
        return static_cast<std::uint32_t>(2 * pair + is_b);
    }
    TermValues values_of_terms() const noexcept {
        return {to_a_.data(),     to_b_.data(),   pairs_.size(),        sums_.bytes(),
                of_.inbox.data(), record_words(), b_gets_the_opposite()};
    }
    // An agent without a place here is one of another rank, or `b` of another cluster.
    GlobalId id(std::uint32_t place, std::uint32_t source) const noexcept {
        if (place != no_place) return ids_[place];
        const TermValues values = values_of_terms();
        if (!values.is_here(source)) return values.head(source).other;
        return pairs_.read(source / 2, ids_).b;
    }

    std::size_t count(PairTerms::Counts& counts, std::size_t begin, std::size_t end) const noexcept;
    void pack() noexcept;
    void sort_terms(Key* begin, Key* end) const noexcept;
    std::size_t first_of(std::size_t bucket) const noexcept { return std::min(owned_, bucket << shift_); }
    void sort_bucket(std::size_t bucket) noexcept;
    template <class T>
    void add_bucket(std::size_t bucket) noexcept;

    ClusterState& state_;
    PairTerms& of_;
    const SomePairs& pairs_;
    const ConstValues &to_a_, &to_b_;
    const Values& sums_;
    const std::size_t owned_;
    const Executor& executor_;
    const GlobalId* const ids_;
    std::size_t shift_ = std::bit_width(least_agents_in_bucket) - 1, buckets_ = 1;
};

Status PairSums::fault() const noexcept {
    if (pairs_.is_null()) return {Code::null_view, Argument::lists};
    if (pairs_.size() > most_pairs) return {Code::too_many, Argument::lists};
    // Their agents lie in the arrays of hosts, not of owners.
    if (state_.config.agents_stay) return {Code::bad_config, Argument::lists};
    const auto is_like_sums = [&](const ConstValues& values) {
        return values.number() == sums_.number() && values.numbers() == sums_.numbers();
    };
    if (const Status bad = fault_of(sums_, owned_); !bad.ok()) return bad;
    if (const Status bad = fault_of(to_a_, pairs_.size()); !bad.ok()) return bad;
    if (!b_gets_the_opposite() || to_b_.size() != 0)
        if (const Status bad = fault_of(to_b_, pairs_.size()); !bad.ok()) return bad;
    if (sums_.number() == Number::bytes || !is_like_sums(to_a_) ||
        (!b_gets_the_opposite() && !is_like_sums(to_b_)))
        return {Code::bad_config, Argument::values};
    if (sums_.bytes() > longest_value) return {Code::too_large, Argument::values};
    return {};
}

// How many terms a part has for each bucket. Returns the first pair that names no agent, or the end.
std::size_t PairSums::count(PairTerms::Counts& counts, std::size_t begin, std::size_t end) const noexcept {
    const std::size_t elements = state_.now.elements();
    counts = {};
    for (std::size_t i = begin; i < end; ++i) {
        const Pair pair = pairs_.places(i);
        const bool has_b = !pairs_.may_lack_b() || pair.b != no_place;
        if (pair.a >= elements || (has_b && pair.b >= elements)) return i;
        ++counts[bucket_of(pair.a)];
        if (has_b) ++counts[bucket_of(pair.b)];
    }
    return end;
}

void PairSums::sort_out() noexcept {
    const std::size_t pairs = pairs_.size();
    const std::size_t parts = parallel::blocks_for(executor_, pairs, least_pairs_in_part);
    if (!state_.need(find_places(state_) && of_.counts.resize(parts) &&
                     state_.parcels.begin(state_.ranks.size(), record_words())))
        return;
    std::atomic<std::size_t> wrong{pairs};
    in_parts(executor_, parts, [&](std::size_t part) {
        const std::size_t end = pairs * (part + 1) / parts;
        const std::size_t stopped = count(of_.counts[part], pairs * part / parts, end);
        if (stopped != end) parallel::lower(wrong, stopped);
    });
    if (wrong < pairs) return state_.fail(Status(Code::unknown_id, wrong, Argument::lists));
    std::uint32_t at = 0;
    for (std::size_t bucket = 0; bucket <= buckets_; ++bucket) {
        of_.begins[bucket] = at;
        for (PairTerms::Counts& counts : of_.counts) at += std::exchange(counts[bucket], at);
    }
    of_.begins[buckets_ + 1] = at;
    if (!state_.need(of_.terms.resize(at))) return;
    PairTerm* const terms = of_.terms.data();
    in_parts(executor_, parts, [&](std::size_t part) {
        PairTerms::Counts to = of_.counts[part];
        for (std::size_t i = pairs * part / parts; i < pairs * (part + 1) / parts; ++i) {
            const Pair pair = pairs_.a_and_b(i, owned_, ids_);
            terms[to[bucket_of(pair.a)]++] = {pair.a, pair.b, source(i, false)};
            if (pair.b != no_place) terms[to[bucket_of(pair.b)]++] = {pair.b, pair.a, source(i, true)};
        }
    });
    pack();
}

void PairSums::pack() noexcept {
    const TermValues values = values_of_terms();
    const std::span<const PairTerm> of_ghosts = of_.bucket(buckets_);
    for (const PairTerm& term : of_ghosts)
        state_.parcels.count(state_.values.listed[term.place - owned_].rank);
    if (!state_.need(state_.parcels.open())) return;
    for (const PairTerm& term : of_ghosts) {
        const Listed& listed = state_.values.listed[term.place - owned_];
        const TermHead head{listed.index, values.takes_away(term.source), id(term.other, term.source)};
        put_bytes(put(state_.parcels.place(listed.rank), head), values[term.source], sums_.bytes());
    }
}

void PairSums::exchange() noexcept {
    throng::detail::Buffer<Word>& inbox = of_.inbox;
    inbox.clear();
    state_.fail(state_.post.to_neighbours(
        state_.parcels, peers_of(state_), state_.asking.ghosting, state_.asking.waited_seconds,
        [&](int from, std::span<const Word> came) {
            const std::size_t first = inbox.size();
            if (!state_.trouble.ok() || !state_.need(inbox.resize(first + came.size()))) return;
            std::copy(came.begin(), came.end(), inbox.begin() + first);
            for (Word* at = inbox.data() + first; at != inbox.end(); at += record_words()) {
                TermHead head;
                get(at, head);
                head.at = told_to(state_, from)[head.at];
                put(at, head);
            }
        }));
}

void PairSums::take_what_came() noexcept {
    if (!state_.trouble.ok()) return;
    const std::size_t first = 2 * pairs_.size(), came = of_.inbox.size() / record_words();
    if (came > most_terms - first) return state_.fail({Code::too_many, Argument::lists});
    if (!state_.need(of_.came.resize(came) && of_.sorted.resize(of_.begins[buckets_] + came) &&
                     of_.ends.resize(owned_)))
        return;
    const TermValues values = values_of_terms();
    PairTerms::Counts to = {};
    for (std::size_t k = 0; k < came; ++k)
        ++to[bucket_of(values.head(static_cast<std::uint32_t>(first + k)).at)];
    std::uint32_t at = 0;
    for (std::size_t bucket = 0; bucket <= buckets_; ++bucket) {
        of_.came_begins[bucket] = at;
        at += std::exchange(to[bucket], at);
    }
    for (std::size_t k = 0; k < came; ++k) {
        const std::uint32_t source = static_cast<std::uint32_t>(first + k), place = values.head(source).at;
        of_.came[to[bucket_of(place)]++] = {place, no_place, source};
    }
}

void PairSums::sort_terms(Key* begin, Key* end) const noexcept {
    if (end - begin > few_terms)
        std::sort(begin, end);
    else
        for (Key* next = begin; next < end; ++next) {
            Key last = *next;
            for (Key* at = begin; at != next; ++at) {
                const Key one = *at;
                *at = std::min(one, last);
                last = std::max(one, last);
            }
            *next = last;
        }
    // Ids of others that are not owned here may lie anywhere between.
    if (begin == end || other_of(end[-1]) < owned_) return;
    std::sort(begin, end, [&](Key a, Key b) {
        const GlobalId of_a = id(other_of(a), source_of(a)), of_b = id(other_of(b), source_of(b));
        return of_a != of_b ? of_a < of_b : source_of(a) < source_of(b);
    });
}

// By agent. Values lie anywhere in the host's arrays, and are needed soon.
void PairSums::sort_bucket(std::size_t bucket) noexcept {
    const std::size_t first = first_of(bucket), last = first_of(bucket + 1);
    std::uint32_t* const ends = of_.ends.data();
    Key* const sorted = of_.sorted.data();
    std::fill(ends + first, ends + last, 0u);
    const std::span<const PairTerm> both[] = {of_.bucket(bucket), of_.bucket_that_came(bucket)};
    for (const std::span<const PairTerm> terms : both)
        for (const PairTerm& term : terms) ++ends[term.place];
    const TermValues values = values_of_terms();
    std::uint32_t at = of_.begins[bucket] + of_.came_begins[bucket];
    for (std::size_t place = first; place < last; ++place) at += std::exchange(ends[place], at);
    for (const std::span<const PairTerm> terms : both)
        for (const PairTerm& term : terms) {
            sorted[ends[term.place]++] = Key{term.other} << 32 | term.source;
            THRONG_PREFETCH(values[term.source]);
        }
}

template <class T>
void PairSums::add_bucket(std::size_t bucket) noexcept {
    sort_bucket(bucket);
    Key* term = of_.sorted.data() + of_.begins[bucket] + of_.came_begins[bucket];
    const TermValues values = values_of_terms();
    const std::size_t numbers = sums_.numbers();
    std::byte* sum = sums_.data() + first_of(bucket) * sums_.bytes();
    const std::uint32_t* const ends = of_.ends.data();
    for (std::size_t place = first_of(bucket); place < first_of(bucket + 1); ++place) {
        Key* const end = of_.sorted.data() + ends[place];
        sort_terms(term, end);
        for (; term != end; ++term) {
            const std::uint32_t source = source_of(*term);
            add<T>(sum, values[source], numbers, values.takes_away(source));
        }
        sum += numbers * sizeof(T);
    }
}

void PairSums::add_up() noexcept {
    with_number(sums_.number(), [&](auto zero) {
        using T = decltype(zero);
        in_parts(executor_, buckets_, [&](std::size_t bucket) { add_bucket<T>(bucket); });
    });
}

}  // namespace

}  // namespace detail

ClusterStatus ClusterEngine::sum_pairs(const SomePairs& pairs, const ConstValues& to_a,
                                       const ConstValues& to_b, const Values& sums) noexcept {
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    detail::ClusterState& state = *state_;
    const detail::Stopwatch asking(state.asking.seconds);
    detail::PairSums work(state, pairs, to_a, to_b, sums);
    state.trouble = {};
    state.fail(work.fault());
    if (state.trouble.ok()) work.sort_out();
    const ClusterStatus refused =
        state.begin(ClusterStatus(state.trouble), detail::shared_values(3, sums)).fault;
    if (!refused.ok()) return refused;
    work.exchange();
    work.take_what_came();
    const ClusterStatus status = detail::agree(state.ranks, state.trouble, state.asking);
    if (status.ok()) work.add_up();
    return status;
}

}  // namespace throng::cluster
