// How GoogleTest prints the library's plain types when a test fails.
#pragma once

#include <ostream>

#include "throng/geometry.hpp"
#include "throng/isa.hpp"
#include "throng/queries/casts.hpp"
#include "throng/reports.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"

namespace throng {

inline void PrintTo(const Box& box, std::ostream* out) {
    *out << '[' << box.min_x << ", " << box.max_x << "] x [" << box.min_y << ", " << box.max_y << ']';
}

inline void PrintTo(const Pair& pair, std::ostream* out) { *out << '(' << pair.a << ", " << pair.b << ')'; }

inline void PrintTo(const Cast& cast, std::ostream* out) {
    out->precision(9);
    PrintTo(cast.start, out);
    *out << " by (" << cast.dx << ", " << cast.dy << "), radius " << cast.radius;
}

inline void PrintTo(const CastHit& hit, std::ostream* out) {
    out->precision(9);
    *out << (hit.is_static != 0 ? "element " : "agent ") << hit.id << " at " << hit.fraction;
}

inline void PrintTo(Code code, std::ostream* out) {
    *out << static_cast<int>(code) << " (" << describe(code) << ')';
}

inline void PrintTo(const Status& status, std::ostream* out) {
    *out << static_cast<int>(status.code) << " (" << status.message() << ')';
    if (status.index != Status::no_index) *out << " at " << status.index;
}

inline void PrintTo(Fault fault, std::ostream* out) {
    *out << static_cast<int>(fault) << " (" << describe(fault) << ')';
}

inline void PrintTo(Isa isa, std::ostream* out) { *out << to_string(isa); }

inline void PrintTo(const Validation& validation, std::ostream* out) {
    *out << validation.faults << " faults, the first: ";
    PrintTo(validation.first, out);
    *out << " in row " << validation.row << ", slot " << validation.slot << ", agent " << validation.agent
         << "; status ";
    PrintTo(validation.status, out);
}

}  // namespace throng
