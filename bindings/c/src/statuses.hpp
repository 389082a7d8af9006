// Statuses as C has them. Faults that only C can have get codes and arguments of their own, above those of
// the library.
#pragma once

#include <cstdint>

#include "throng.h"
#include "throng/status.hpp"

namespace throng::c_api {

inline constexpr Code null_pointer{THRONG_NULL_POINTER};
inline constexpr Code bad_struct{THRONG_BAD_STRUCT};
inline constexpr Code bad_version{THRONG_BAD_VERSION};

constexpr Argument argument(int number) noexcept { return static_cast<Argument>(number); }
inline constexpr Argument handle = argument(THRONG_ARGUMENT_HANDLE);

// Writes the details, as far as the host's struct reaches, and returns the code. This and the checks below
// are inline where nothing is wrong: otherwise they take ten nanoseconds together, a third of a small query.
void write_details(throng_status_details* details, const Status& status) noexcept;
inline std::int32_t report(throng_status_details* details, const Status& status) noexcept {
    if (details != nullptr) write_details(details, status);
    return static_cast<std::int32_t>(status.code);
}

inline Status needs(const void* pointer, Argument which) noexcept {
    return pointer == nullptr ? Status{null_pointer, which} : Status{};
}

inline Status first_fault(const Status& last) noexcept { return last; }
template <class... Others>
Status first_fault(const Status& first, const Others&... others) noexcept {
    return first ? first_fault(others...) : first;
}

}  // namespace throng::c_api
