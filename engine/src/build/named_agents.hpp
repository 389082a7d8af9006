// The input of an update by ids: checks the ids, and puts labels and heights where the builder finds them.
//
//     ids ascend           a scan; the boxes are taken as they are
//     in another order     each id is marked in a bitmap, which shows duplicates; the builder puts each cell
//     in order that, and far apart  the agents are sorted by id, so memory follows their number and not the
//     largest id
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/build/agent_list.hpp"
#include "throng/executor.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class NamedAgents {
public:
    explicit NamedAgents(MemoryResource* memory) noexcept
        : marks_(memory), keys_(memory), boxes_(memory), ids_(memory), traits_(memory) {}

    // There is an id for each box, and a label and a height for each or none. The status names the lowest
    // element whose id is too large or came before.
    Status take(const Executor& executor, std::span<const AgentId> ids, const Boxes& boxes,
                const Labels& labels, const Heights& heights) noexcept;
    // Valid until the next call, as long as the input is.
    const AgentList& list() const noexcept { return list_; }
    // One more than the largest id.
    std::size_t bound() const noexcept { return bound_; }

    void give_back_excess(std::size_t agents) noexcept;

private:
    Status take_ascending(std::span<const AgentId> ids) noexcept;
    Status take_in_any_order(std::span<const AgentId> ids) noexcept;
    Status mark(std::span<const AgentId> ids) noexcept;
    Status sort(std::span<const AgentId> ids) noexcept;
    bool put_traits_by_id(std::span<const AgentId> ids) noexcept;

    AgentList list_;
    std::size_t bound_ = 0;
    Buffer<std::uint64_t> marks_;  // a bit for each id
    Buffer<std::uint64_t> keys_;   // an id, and the number of its element
    Buffer<Box> boxes_;
    Buffer<AgentId> ids_;
    Buffer<Traits> traits_;
};

}  // namespace throng::detail
