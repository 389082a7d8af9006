// Statuses as C has them. What only C can do wrong has codes and arguments of its own, above those of the library.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "throng.h"
#include "throng/status.hpp"

namespace throng::c_api {

inline constexpr Code null_pointer{THRONG_NULL_POINTER};
inline constexpr Code bad_struct{THRONG_BAD_STRUCT};
inline constexpr Code bad_version{THRONG_BAD_VERSION};

constexpr Argument argument(int number) noexcept { return static_cast<Argument>(number); }
inline constexpr Argument handle = argument(THRONG_ARGUMENT_HANDLE);

// Writes the details, as far as the host's struct reaches, and returns the code.
std::int32_t report(throng_status_details* details, const Status& status) noexcept;

inline Status needs(const void* pointer, Argument which) noexcept {
    return pointer == nullptr ? Status{null_pointer, which} : Status{};
}

inline Status first_fault(std::initializer_list<Status> checks) noexcept {
    for (const Status& status : checks)
        if (!status) return status;
    return {};
}

}  // namespace throng::c_api
