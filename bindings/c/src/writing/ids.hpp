// Ids as a C host gives them.
#pragma once

#include <cstdint>
#include <span>

#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/geometry.hpp"

namespace throng::c_api {

inline std::span<const AgentId> ids_of(const uint32_t* ids, uint64_t count) noexcept {
    return {ids, as_size(count)};
}
inline Status check_ids(const uint32_t* ids, uint64_t count) noexcept {
    return check_array(ids, count, Argument::ids);
}

}  // namespace throng::c_api
