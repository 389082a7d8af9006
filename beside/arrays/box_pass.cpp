#include "beside/arrays/box_pass.hpp"

#include <algorithm>
#include <cstring>

#include "base/blocks.hpp"
#include "base/box_reader.hpp"
#include "base/legal.hpp"
#include "engine/src/memory/growth.hpp"
#include "simd/query_kernels.hpp"

namespace throng::detail {

namespace {

// Boxes that are looked at together, in all steps. They fit into the first-level cache.
constexpr std::size_t tile_size = 1024;
constexpr std::size_t smallest_block = 16384;

}  // namespace

BoxPass::BoxPass(const simd::Kernels& kernels, const Executor& executor, const Boxes& boxes,
                 const QueryIndex& index, HostMemory& memory) noexcept
    : kernels_(kernels),
      executor_(executor),
      boxes_(boxes),
      index_(index),
      blocks_(parallel::blocks_for(executor, boxes.size(), smallest_block)),
      pool_(memory),
      spaces_(&memory) {}

BoxPass::~BoxPass() { pool_.put_back_all(spaces_); }

Status BoxPass::run(bool counting) noexcept {
    if (!pool_.take_all(spaces_, blocks_)) return {Code::out_of_memory};
    const std::size_t queries = index_.queries().size(), boxes = boxes_.size();
    for (PassSpace* space : spaces_)
        if (!space->counts.resize(queries, 0u) || !space->slots.resize(tile_size + simd::gap))
            return {Code::out_of_memory};
    std::atomic<std::size_t> bad{boxes};
    const parallel::Ran ran = parallel::for_blocks(executor_, blocks_, [&](std::size_t block) {
        const std::size_t end = parallel::range_of(boxes, blocks_, block).end,
                          legal = run_block(block, counting);
        if (legal != end) parallel::lower(bad, legal);
    });
    if (!ran) return outcome(ran);
    if (const std::size_t first = bad.load(std::memory_order_relaxed); first != boxes)
        return check(boxes_, first);
    return outcome(ran, out_of_memory_);
}

// Without memory it goes on, but finds nothing: faults of the boxes come first, whether there is memory or
// not.
std::size_t BoxPass::run_block(std::size_t block, bool counting) noexcept {
    PassSpace& space = *spaces_[block];
    const parallel::Range part = parallel::range_of(boxes_.size(), blocks_, block);
    std::size_t legal = part.end;
    bool enough = true;
    read_boxes(boxes_, part.begin, part.end,
               [&](const simd::Columns& columns, std::size_t first, std::size_t count) {
                   for (std::size_t at = 0; at < count && legal == part.end; at += tile_size) {
                       const std::size_t here = std::min(tile_size, count - at);
                       std::size_t legal_here = here;
                       const simd::Columns tile = part_of(columns, at);
                       if (enough)
                           enough = look_at(tile, first + at, here, counting, space, legal_here);
                       else
                           legal_here = kernels_.queries->count_legal_boxes(tile, here);
                       if (legal_here != here) legal = first + at + legal_here;
                   }
                   return legal == part.end;
               });
    if (!enough)
        out_of_memory_.store(true, std::memory_order_relaxed);
    else
        for (const std::uint32_t query : space.matches) ++space.counts[query];  // none if it only counts
    return legal;
}

// Returns false if there is no memory.
bool BoxPass::look_at(const simd::Columns& tile, std::size_t first, std::size_t count, bool counting,
                      PassSpace& space, std::size_t& legal) noexcept {
    const simd::QueryKernels& kernels = *kernels_.queries;
    const simd::QueryCells* const cells = index_.cells();
    std::uint32_t listed = 0;
    legal = cells == nullptr ? kernels.count_legal_boxes(tile, count)
                             : kernels.screen_boxes(*cells, tile, count, space.slots.data(), listed);
    if (legal != count) return true;
    if (!counting) return find_alone(tile, first, count, space) && find_near(tile, first, listed, space);
    for (const std::uint32_t query : index_.alone())
        space.counts[query] += kernels.count_boxes(index_.queries()[query], tile, count);
    if (listed != 0) kernels.count_matches(*cells, tile, space.slots.data(), listed, space.counts.data());
    return true;
}

bool BoxPass::find_alone(const simd::Columns& tile, std::size_t first, std::size_t count,
                         PassSpace& space) const noexcept {
    for (const std::uint32_t query : index_.alone()) {
        const std::size_t before = space.ids.size();
        if (!reserve_amply(space.ids, before + count + simd::gap)) return false;
        const std::uint32_t found =
            kernels_.queries->find_boxes(index_.queries()[query], tile, count,
                                         static_cast<std::uint32_t>(first), space.ids.data() + before);
        if (!space.ids.resize(before + found) || !space.lengths.push_back(found)) return false;
        space.counts[query] += found;
    }
    return true;
}

bool BoxPass::find_near(const simd::Columns& tile, std::size_t first, std::uint32_t listed,
                        PassSpace& space) const noexcept {
    const std::size_t of_one = index_.queries().size(), more = of_one + tile_size + simd::gap;
    for (std::uint32_t done = 0; done != listed;) {
        const std::size_t before = space.matches.size();
        if (!reserve_amply(space.matches, before + more) || !reserve_amply(space.matched, before + more))
            return false;
        const std::size_t room = std::min(space.matches.capacity(), space.matched.capacity());
        simd::MatchSink sink{space.matches.data(), space.matched.data(), before, room - of_one - simd::gap};
        done += kernels_.queries->match_boxes(*index_.cells(), tile, space.slots.data() + done, listed - done,
                                              static_cast<std::uint32_t>(first), sink);
        if (!space.matches.resize(sink.count) || !space.matched.resize(sink.count)) return false;
    }
    return true;
}

std::uint64_t BoxPass::count_of(std::size_t query) const noexcept {
    std::uint64_t count = 0;
    for (const PassSpace* space : spaces_) count += space->counts[query];
    return count;
}

// Makes room for the lists when everything is found.
Status BoxPass::lists(Buffer<std::uint64_t>& offsets, Buffer<AgentId>& ids) noexcept {
    if (const Status bad = run(false); !bad.ok()) return bad;
    const std::size_t queries = index_.queries().size();
    if (!resize_amply(offsets, queries + 1)) return {Code::out_of_memory};
    for (PassSpace* space : spaces_)
        if (!space->begins.resize(queries)) return {Code::out_of_memory};
    std::uint64_t end = 0;
    for (std::size_t query = 0; query < queries; ++query) {
        offsets[query] = end;
        for (PassSpace* space : spaces_) {
            space->begins[query] = end;
            end += space->counts[query];
        }
    }
    offsets[queries] = end;
    if (!resize_amply(ids, end)) return {Code::out_of_memory};
    return outcome(parallel::for_blocks(executor_, blocks_,
                                        [&](std::size_t block) { place(*spaces_[block], ids.data()); }));
}

void BoxPass::place(PassSpace& space, AgentId* ids) const noexcept {
    const AgentId* from = space.ids.data();
    const std::span<const std::uint32_t> alone = index_.alone();
    for (std::size_t k = 0; k < space.lengths.size(); ++k) {
        const std::uint32_t length = space.lengths[k];
        std::uint64_t& begin = space.begins[alone[k % alone.size()]];
        if (length != 0) std::memcpy(ids + begin, from, length * sizeof(AgentId));
        begin += length;
        from += length;
    }
    for (std::size_t i = 0; i < space.matches.size(); ++i)
        ids[space.begins[space.matches[i]]++] = space.matched[i];
}

}  // namespace throng::detail
