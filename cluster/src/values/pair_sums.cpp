// What agents get from pairs that stand once, added up in one order. A term of a ghost goes to its owner,
// with the id of the other agent. Then each agent adds its terms by that id, wherever the pairs were found.
#include <algorithm>
#include <limits>
#include <tuple>

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

// Most agents have few terms, for which a sort of the standard library takes far longer.
constexpr std::ptrdiff_t few_terms = 16;
// Values lie anywhere in the host's arrays; so many terms later one is needed.
constexpr std::ptrdiff_t ahead = 24;

bool comes_before(const Term& one, const Term& other) noexcept {
    return std::tie(one.other, one.source) < std::tie(other.other, other.source);
}

void sort_terms(Term* begin, Term* end) noexcept {
    if (end - begin > few_terms) return std::sort(begin, end, comes_before);
    if (begin == end) return;
    for (Term* next = begin + 1; next < end; ++next) {
        const Term term = *next;
        Term* at = next;
        for (; at != begin && comes_before(term, at[-1]); --at) *at = at[-1];
        *at = term;
    }
}

class PairSums {
public:
    PairSums(ClusterState& state, const SomePairs& pairs, const ConstValues& to_a, const ConstValues& to_b,
             const Values& sums) noexcept
        : state_(state), pairs_(pairs), to_a_(to_a), to_b_(to_b), sums_(sums), owned_(state.now.owned) {}

    Status fault() const noexcept;
    // Counts the terms of each agent here, and packs those of ghosts.
    void count() noexcept;
    void pack() noexcept;
    void exchange() noexcept;
    // Puts all terms to their agents.
    void sort_out() noexcept;
    void add_up() noexcept;

private:
    static constexpr std::size_t head_words = words_of<TermHead>();
    std::size_t record_words() const noexcept { return head_words + words_for(sums_.bytes()); }
    bool b_gets_the_opposite() const noexcept { return to_b_.data() == nullptr; }

    // Calls `call(place, other, source, takes_away)` for each agent of each pair. The sources are numbered:
    // what agents `a` get, then what agents `b` get, then what has come.
    template <class Call>
    void for_each_of_pairs(const Call& call) const noexcept {
        const bool takes_away = b_gets_the_opposite();
        const std::size_t first_of_b = takes_away ? 0 : pairs_.size();
        const GlobalId* const ids = state_.now.agents.ids.data();
        for (std::size_t i = 0; i < pairs_.size(); ++i) {
            const ClusterPair pair = pairs_.read(i, ids);
            call(pair.a_place, pair.b, i, false);
            if (pair.b_place != ClusterPair::no_place) call(pair.b_place, pair.a, first_of_b + i, takes_away);
        }
    }
    template <class Call>
    void for_each_that_came(const Call& call) const noexcept {
        const throng::detail::Buffer<Word>& inbox = state_.values.inbox;
        for (std::size_t k = 0; k * record_words() < inbox.size(); ++k) {
            TermHead head;
            get(inbox.data() + k * record_words(), head);
            call(head.at, head.other, 2 * pairs_.size() + k, head.takes_away != 0);
        }
    }
    const void* value(std::size_t source) const noexcept {
        const std::size_t count = pairs_.size(), bytes = sums_.bytes();
        if (source < count) return to_a_.data() + source * bytes;
        if (source < 2 * count) return to_b_.data() + (source - count) * bytes;
        return state_.values.inbox.data() + (source - 2 * count) * record_words() + head_words;
    }
    bool is_place(std::uint32_t place) const noexcept { return place < state_.now.elements(); }

    ClusterState& state_;
    const SomePairs& pairs_;
    const ConstValues &to_a_, &to_b_;
    const Values& sums_;
    const std::size_t owned_;
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

void PairSums::count() noexcept {
    HostValues& values = state_.values;
    Parcels& parcels = state_.parcels;
    values.of_agents.clear();
    if (!state_.need(find_places(state_) && values.of_agents.resize(owned_, Terms{0, 0}) &&
                     parcels.begin(state_.ranks.size(), record_words())))
        return;
    const auto count = [&](std::uint32_t place) {
        if (place < owned_)
            ++values.of_agents[place].end;
        else
            parcels.count(values.listed[place - owned_].rank);
    };
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        const Pair pair = pairs_.places(i);
        const bool has_b = !pairs_.may_lack_b() || pair.b != ClusterPair::no_place;
        if (!is_place(pair.a) || (has_b && !is_place(pair.b)))
            return state_.fail(Status(Code::unknown_id, i, Argument::lists));
        count(pair.a);
        if (has_b) count(pair.b);
    }
    if (state_.need(parcels.open()) && state_.now.has_ghosts()) pack();
}

void PairSums::pack() noexcept {
    for_each_of_pairs([&](std::uint32_t place, GlobalId other, std::size_t source, bool takes_away) {
        if (place < owned_) return;
        const Listed& listed = state_.values.listed[place - owned_];
        Word* const at = put(state_.parcels.place(listed.rank), TermHead{listed.index, takes_away, other});
        at[words_for(sums_.bytes()) - 1] = 0;
        std::memcpy(at, value(source), sums_.bytes());
    });
}

void PairSums::exchange() noexcept {
    throng::detail::Buffer<Word>& inbox = state_.values.inbox;
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

void PairSums::sort_out() noexcept {
    HostValues& values = state_.values;
    if (!state_.trouble.ok()) return;
    for_each_that_came(
        [&](std::uint32_t place, GlobalId, std::size_t, bool) { ++values.of_agents[place].end; });
    std::uint64_t all = 0;
    for (const Terms& of : values.of_agents) all += of.end;
    if (all > std::numeric_limits<std::uint32_t>::max())
        return state_.fail({Code::too_many, Argument::lists});
    std::uint32_t begin = 0;
    for (Terms& of : values.of_agents) {
        const std::uint32_t count = of.end;
        of = {begin, begin};
        begin += count;
    }
    if (!state_.need(values.terms.resize(begin))) return;
    const auto take = [&](std::uint32_t place, GlobalId other, std::size_t source, bool takes_away) {
        if (place < owned_)
            values.terms[values.of_agents[place].end++] = {other, 2 * source + (takes_away ? 1 : 0)};
    };
    for_each_of_pairs(take);
    for_each_that_came(take);
}

void PairSums::add_up() noexcept {
    HostValues& values = state_.values;
    with_number(sums_.number(), [&](auto zero) {
        std::byte* sum = sums_.data();
        const Term* const last = values.terms.end();
        for (const Terms& of : values.of_agents) {
            Term *const begin = values.terms.data() + of.begin, *const end = values.terms.data() + of.end;
            sort_terms(begin, end);
            for (const Term* term = begin; term != end; ++term) {
                if (term + ahead < last) THRONG_PREFETCH(value(term[ahead].source / 2));
                add<decltype(zero)>(sum, value(term->source / 2), sums_.numbers(), term->source % 2 != 0);
            }
            sum += sums_.bytes();
        }
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
    if (state.trouble.ok()) work.count();
    const ClusterStatus refused =
        state.begin(ClusterStatus(state.trouble), detail::shared_values(3, sums)).fault;
    if (!refused.ok()) return refused;
    work.exchange();
    work.sort_out();
    const ClusterStatus status = detail::agree(state.ranks, state.trouble, state.asking);
    if (status.ok()) work.add_up();
    return status;
}

}  // namespace throng::cluster
