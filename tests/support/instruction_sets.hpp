// The instruction sets that this machine and this build can run. Every test that compares answers goes
// through all of them, and fails where the engine did not take the one it was given.
#pragma once

#include <vector>

#include "throng/isa.hpp"

namespace throng::test {

inline std::vector<Isa> instruction_sets() {
    std::vector<Isa> sets;
    for (const Isa isa :
         {Isa::sse2, Isa::avx2, Isa::avx512, Isa::avx512vbmi2, Isa::neon64, Isa::wasm128, Isa::wasm32})
        if (is_supported(isa)) sets.push_back(isa);
    return sets;
}

}  // namespace throng::test
