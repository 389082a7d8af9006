// throng-micro: every kernel of every instruction set that runs here, and the public structures, by Google
// Benchmark.
//
//     throng-micro --benchmark_filter='sort_row|row_pairs'
//
// The rates are agents or queries a second.
#include <benchmark/benchmark.h>

#include "bench/common/machine.hpp"
#include "bench/micro/kernel_benches.hpp"

int main(int argc, char** argv) {
    using namespace throng;
    for (const Isa isa : {Isa::sse2, Isa::avx2, Isa::avx512, Isa::avx512vbmi2, Isa::neon64, Isa::wasm128}) {
        const simd::Kernels* kernels = simd::kernels(isa);
        if (kernels == nullptr) continue;
        bench::register_building(*kernels);
        bench::register_pairs(*kernels);
        bench::register_queries(*kernels);
        bench::register_neighbours(*kernels);
        bench::register_packets(*kernels);
        bench::register_loose_grid(*kernels);
        bench::register_casts(*kernels);
        bench::register_static_index(isa);
        bench::register_shapes(isa);
    }
    bench::register_frames();
    bench::register_bitsets();
    benchmark::AddCustomContext("cpu", bench::cpu_name());
    benchmark::AddCustomContext("compiler", bench::compiler_name());
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
