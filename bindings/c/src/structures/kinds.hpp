// A structure of any kind, in a place large enough for each. All are handles of a few words to their private
// parts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>

#include "bindings/c/src/host.hpp"
#include "bindings/c/src/statuses.hpp"
#include "throng/structures/structure.hpp"
#include "throng_structures.h"

struct throng_structure {
    explicit throng_structure(throng::c_api::Host* its_host) noexcept : host(its_host) {}
    ~throng_structure() {
        if (all != nullptr) end(place);
    }
    throng_structure(const throng_structure&) = delete;
    throng_structure& operator=(const throng_structure&) = delete;

    throng::c_api::Host* host;
    throng::structures::Structure* all = nullptr;
    throng::structures::DynamicStructure* dynamic = nullptr;  // null: it takes no edits
    void (*end)(void* place) = nullptr;
    alignas(std::max_align_t) std::byte place[64];
};

namespace throng::c_api {

// Makes the kind that is wanted. Its status says whether it can be used.
Status make_kind(const throng_structure_config& config, throng_structure& structure) noexcept;

}  // namespace throng::c_api
