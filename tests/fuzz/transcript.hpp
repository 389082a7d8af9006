// What a world answered to a history, entry by entry, to be compared with what another world answered to it.
//
// Two engines must agree in everything. An engine and its twin by brute force agree but for the order of
// agents and pairs. So between those two each answer is sorted, and in a pair the lower id comes first.
#pragma once

#include "support/test.hpp"

namespace throng::fuzz {

enum class Order : std::uint8_t { as_given, sorted };

class Transcript {
public:
    explicit Transcript(Order order) : order_(order) {}

    // Whether the order of answers is a part of them.
    bool in_order() const { return order_ == Order::as_given; }
    // A call failed for lack of memory.
    bool out_of_memory() const { return out_of_memory_; }

    // `what` is a literal.
    void note(const char* what, std::uint64_t value) { entries_.push_back({what, {value}}); }
    void note(const char* what, const Status& status);
    // Of a call with one element, whose index says nothing.
    void note(const char* what, Code code) { note(what, Status{code}); }
    void note(const char* what, std::span<const AgentId> ids);
    void note(const char* what, std::vector<Pair> pairs);
    // Pairs that come in no certain order at all.
    void note_unordered(const char* what, std::vector<Pair> pairs);

    // Where the two first differ, for people; empty if they are equal.
    friend std::string difference(const Transcript& one, const Transcript& other);

private:
    struct Entry {
        const char* what;
        std::vector<std::uint64_t> values;
    };

    Order order_;
    bool out_of_memory_ = false;
    std::vector<Entry> entries_;
};

}  // namespace throng::fuzz
