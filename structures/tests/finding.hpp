// What a check of the structures found wrong. A check ends with the first thing that it finds, by an
// exception that says it in words. So a test can run it, or a fuzz target, or the test that plants faults to
// see whether they are found (planted_faults_test.cpp).
//
//     const std::string found = finding_of(check_readers, kind);        // empty: nothing
//
// Never call `require` in a visitor: a structure need not let an exception through.
#pragma once

#include <exception>
#include <sstream>

#include "structures/tests/test.hpp"

namespace throng::structures::test {

class Finding : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

template <class Value>
void put_words(std::ostream& out, const Value& value) {
    out << value;
}
inline void put_words(std::ostream& out, const Box& box) {
    out << '{' << box.min_x << ", " << box.min_y << ", " << box.max_x << ", " << box.max_y << '}';
}
inline void put_words(std::ostream& out, const Status& status) {
    out << '"' << status.message() << '"';
    if (status.index != Status::no_index) out << " at " << status.index;
}
inline void put_words(std::ostream& out, Code code) { out << '"' << describe(code) << '"'; }

template <class... Words>
std::string in_words(const Words&... words) {
    std::ostringstream text;
    text.precision(9);
    (put_words(text, words), ...);
    return text.str();
}

template <class... Words>
void require(bool holds, const Words&... words) {
    if (!holds) throw Finding(in_words(words...));
}

// Runs a part of a check; a finding then says in which part it was.
template <class Part>
void within(const std::string& where, Part&& part) {
    try {
        part();
    } catch (const std::exception& finding) {
        throw Finding(where + ": " + finding.what());
    }
}

// A structure must not throw either, so any exception of a check is a finding.
template <class Check, class... Arguments>
std::string finding_of(Check&& check, const Arguments&... arguments) {
    try {
        check(arguments...);
    } catch (const std::exception& finding) {
        return finding.what();
    }
    return {};
}

}  // namespace throng::structures::test
