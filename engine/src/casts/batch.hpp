// A batch of casts in a frame, whose answers have a fixed size and go to the places of their casts. So the casts are
// searched in whatever order is best.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/query/filter_batch.hpp"
#include "engine/src/store/store.hpp"
#include "simd/cast_kernels.hpp"
#include "throng/executor.hpp"
#include "throng/labels.hpp"
#include "throng/queries/cast_views.hpp"
#include "throng/queries/casts.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class CastBatch {
public:
    // The casts are legal.
    CastBatch(const FrameState& frame, const Executor& executor, const Casts& casts,
              const Filters& filters) noexcept
        : frame_(frame),
          executor_(executor),
          casts_(casts),
          filters_(frame, filters),
          space_(frame.store->cast_spaces) {}

    // With `is_static`, what the agents of another frame found is replaced only by what comes earlier.
    Status find(CastHit* hits, bool is_static) noexcept;
    Status find(std::uint8_t* answers, bool is_static) noexcept;

private:
    template <class Kernel, class Answer>
    Status answer(Kernel kernel, Answer* answers, bool is_static) noexcept;
    Status copy(std::size_t first, std::size_t count) noexcept;

    const FrameState& frame_;
    const Executor& executor_;
    const Casts& casts_;
    const FilterBatch filters_;
    Lease<CastSpace> space_;
};

}  // namespace throng::detail
