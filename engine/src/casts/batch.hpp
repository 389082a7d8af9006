// A batch of casts in a frame. Answers of a fixed size go to the places of their casts, so the casts are
// searched in whatever order is best; all hits are found in the caller's order, block by block, and then joined.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>

#include "engine/src/frame/store.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "simd/cast_kernels.hpp"
#include "throng/executor.hpp"
#include "throng/labels.hpp"
#include "throng/queries/casts.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class CastBatch {
public:
    // The casts are legal.
    CastBatch(const FrameState& frame, const Executor& executor, std::span<const Cast> casts,
              const Filters& filters) noexcept
        : frame_(frame),
          executor_(executor),
          casts_(casts),
          filters_(frame, filters),
          space_(frame.store->cast_spaces) {}

    // With `is_static`, what the agents of another frame found is replaced only by what comes earlier.
    Status find_first(CastHit* hits, bool is_static) noexcept;
    Status find_any(std::uint8_t* answers, bool is_static) noexcept;
    // Sets `ends`, one for each cast, to where its hits end among all.
    Status find_all(std::uint64_t* ends, Buffer<CastHit>& hits) noexcept;

private:
    template <class Kernel, class Answer>
    Status answer(Kernel kernel, Answer* answers, bool is_static) noexcept;
    bool take_blocks(std::size_t count) noexcept;
    void release_blocks() noexcept;
    void keep_blocks_ample() noexcept;
    bool find_block(std::size_t begin, std::size_t end, CastSpace& block, std::uint64_t* ends) const noexcept;

    const FrameState& frame_;
    const Executor& executor_;
    const std::span<const Cast> casts_;
    const FilterBatch filters_;
    Lease<CastSpace> space_;
};

// All hits of a cast, appended in their order. Returns false if there is no memory.
bool append_hits(const FrameState& frame, const simd::LabelFilters& filters, const Cast& cast, std::size_t n,
                 Buffer<CastHit>& hits) noexcept;

}  // namespace throng::detail
