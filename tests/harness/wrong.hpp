// Arguments that a test makes wrong before the calls of the table get them: their views, their memory and
// their filters. Wrong values are put by the test into what it asks for.
#pragma once

#include "support/test.hpp"

namespace throng::test {

enum Wrong : unsigned {
    null_queries = 1,
    null_output = 2,
    short_output = 4,
    null_filters = 8,
    short_filters = 16,
    one_filter = 32,
};

struct Wrongs {
    unsigned planted = 0;
    unsigned met = 0;  // those that calls have arguments for, planted or not

    // Whether an argument of that kind has to be wrong.
    bool are(Wrong kind) {
        met |= kind;
        return (planted & kind) != 0;
    }
};

inline Wrongs& wrongs() {
    static thread_local Wrongs all;
    return all;
}

// The queries of a batch.
template <class T>
std::span<const T> given(const std::vector<T>& queries) {
    if (queries.empty() || !wrongs().are(null_queries)) return queries;
    return {static_cast<const T*>(nullptr), queries.size()};
}

// Memory for as many answers as there are, of which a call needs `needed`.
template <class T>
std::span<T> room(std::vector<T>& memory, std::size_t needed) {
    std::span<T> all(memory);
    if (needed == 0) return all;
    if (wrongs().are(short_output)) all = all.first(needed - 1);
    return wrongs().are(null_output) ? std::span(static_cast<T*>(nullptr), all.size()) : all;
}

// Memory for however many answers have room.
template <class T>
std::span<T> some_room(std::span<T> memory) {
    return wrongs().are(null_output) ? std::span(static_cast<T*>(nullptr), memory.size() + 2) : memory;
}

}  // namespace throng::test
