// The agents of a frame that is built from scratch.
#pragma once

#include "throng/boxes.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

struct AgentList {
    Boxes boxes;
    const AgentId* ids = nullptr;  // null where agent i has id i
    Labels labels;                 // empty if all are the default one
    bool labels_are_by_id = true;  // otherwise in the order of the boxes, and then the ids ascend
    bool ids_ascend = true;
};

}  // namespace throng::detail
