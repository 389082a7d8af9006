// A batch of queries of all ranks. Each query goes to the ranks that may know, these ask their local
// frames, and what they find comes back. A rank without memory asks and answers nothing, and its state says
// so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>

#include "cluster/src/messages/parcels.hpp"
#include "cluster/src/world/cluster_state.hpp"
#include "throng/cluster/results.hpp"
#include "throng/memory.hpp"

namespace throng::cluster::detail {

// An answer: an agent, and how far away it is, or when it is hit.
struct Found {
    GlobalId id;
    float number;
    std::uint32_t query;

    friend bool operator<(const Found& one, const Found& other) noexcept {
        return std::tie(one.query, one.number, one.id) < std::tie(other.query, other.number, other.id);
    }
};

class Inquiry {
public:
    explicit Inquiry(ClusterState& state) noexcept
        : found(state.memory), state_(state), asked_(state.memory), from_(state.memory) {}

    // Ends it: whether anybody had no memory.
    ClusterStatus end() noexcept { return agree(state_.ranks, state_.trouble, state_.asking); }

    // `touched(q)` are the ranks that query q goes to, and `pack(q, at)` writes it.
    template <class Touched, class Pack>
    void ask(std::size_t count, std::size_t words, const Touched& touched, const Pack& pack) noexcept {
        words_ = words;
        state_.sends.clear();
        for (std::size_t q = 0; state_.trouble.ok() && q < count; ++q)
            for (const int rank : touched(q))
                if (!state_.need(state_.sends.push_back({rank, static_cast<std::uint32_t>(q)}))) break;
        open(words, [&](const auto& each) {
            for (const Send& send : state_.sends) each(send.rank);
        });
        if (state_.trouble.ok())
            for (const Send& send : state_.sends) pack(send.element, state_.parcels.place(send.rank));
        send_queries();
    }

    // What this rank was asked, query after query in the order of the ranks.
    std::size_t asked() const noexcept { return from_.size(); }
    const Word* query(std::size_t q) const noexcept { return asked_.data() + q * words_; }
    std::span<const Word> queries() const noexcept { return {asked_.data(), asked_.size()}; }
    int from(std::size_t q) const noexcept { return from_[q]; }

    // `each(q, answer)` calls answer(Found) for each answer to the q-th that was asked, twice the same. What
    // other ranks answered is in `found` then.
    template <class Each>
    void answer(const Each& each) noexcept {
        deliver(asked(), [&](std::size_t q, const auto& to) {
            each(q, [&](const Found& answer) { to(from(q), answer); });
        });
    }
    // The same without queries: `each(q, to)` calls to(rank, Found).
    template <class Each>
    void deliver(std::size_t count, const Each& each) noexcept {
        open(words_of<Found>(), [&](const auto& one) {
            for (std::size_t q = 0; q < count; ++q) each(q, [&](int rank, const Found&) { one(rank); });
        });
        for (std::size_t q = 0; state_.trouble.ok() && q < count; ++q)
            each(q, [&](int rank, const Found& answer) { put(state_.parcels.place(rank), answer); });
        take_answers();
    }

    // The answers as lists, one for each query, each by number and id.
    bool write(std::size_t queries, Lists& lists, bool with_numbers) noexcept;

    throng::detail::Buffer<Found> found;

private:
    // `count(each)` calls each(rank) for each record.
    template <class Count>
    void open(std::size_t words, const Count& count) noexcept {
        if (!state_.need(state_.parcels.begin(state_.ranks.size(), words))) return;
        if (state_.trouble.ok()) count([&](int rank) { state_.parcels.count(rank); });
        state_.need(state_.parcels.open());
    }
    void send_queries() noexcept;
    void take_answers() noexcept;

    ClusterState& state_;
    std::size_t words_ = 1;
    throng::detail::Buffer<Word> asked_;
    throng::detail::Buffer<int> from_;
};

}  // namespace throng::cluster::detail
