// What is known when the library is compiled. CMake gives this file the compiler's name.

#include "throng/version.hpp"

#include "parallel/blocks.hpp"
#include "simd/kernels.hpp"
#include "throng/executor.hpp"

namespace throng {

BuildInfo build_info() noexcept {
    return {.version = library_version(),
            .compiler = THRONG_COMPILER,
            .has_tbb = has_tbb(),
            .tbb_version = detail::tbb_version(),
            .instruction_sets = simd::carried_sets()};
}

}  // namespace throng
