// The answers on each scene as one number a kind of answer, the same on every machine, compiler and kind of build. A
// run on one machine is compared with them, so that two machines which both agree with them agree with each other.
//
// They change when the grid is chosen otherwise, since agents then come in another order: run the golden tests with
// THRONG_PRINT_GOLDEN=1 in the environment, and put what they print in here. The sum columns do not depend on any
// order, so they change only with the scenes themselves.
#pragma once

#include <cstdint>

namespace throng::test {

struct GoldenValues {
    const char* scene;
    std::uint64_t hit_sum, pair_sum;  // whatever the order
    // In the engine's order. Zero where that order is not settled yet, and only the sums are compared.
    std::uint64_t hits = 0, pairs = 0, fingerprint = 0;
};

inline constexpr GoldenValues golden_values[] = {
    {"uniform", 0x7bf5cf4163e2f94e, 0x0f98ab4e94f40160, 0xf53d2f851d3aeb86, 0x7fc0350a9981a756,
     0x460dc1f0aaed3a5f},
    {"mixed_sizes", 0x5119cf7f9de1654c, 0xd979b0ed511ed7bc, 0x95ebce22b04cc388, 0xf0ffa3cd8346ce77,
     0xf300d0028a33c465},
    {"clustered", 0xc71f3697f2e30b5c, 0xf1365457120e6be8, 0xeed420170b430555, 0xb5b3b84d8dea82b0,
     0x2c52b64a83426cde},
    {"one_point", 0xcaa31751e7a47f0f, 0xef3f8ea34aaf6861, 0x840c860f85e78d02, 0x28f7984d4c850d17,
     0x5f4e3bdaabbe7e4e},
    {"on_a_line", 0x512e9d65d19ca76b, 0x38f6a6905025c090, 0x1359162cecd90b30, 0xbcbe5d915ba6a0bf,
     0x683d55388f7a34d4},
    {"on_a_column", 0xa62640a32937382d, 0x799fc21116427c27, 0xdc4f803f569d1a55, 0x29ad7be36e57f85b,
     0x7cfb9f2fa6a2a7c6},
    {"lattice", 0xa1f89a32cc08fa25, 0xaae61ec741cda2a7, 0xa966ae8a8f774aeb, 0x532ce72a9f08eab2,
     0xe4d9776a1b55f8e0},
    {"lattice_by_centre", 0x422389c98fbdb520, 0xc7ea823a1b4b8cc0, 0xa2156366de115baf, 0xf054eb8cd4ce08ab,
     0x96c265aa452c1296},
    {"lattice_in_tenth_cells", 0xa1f89a32cc08fa25, 0xaae61ec741cda2a7, 0xae2138f99b27ef02, 0xa13aa6f3a6b0806b,
     0xba2fb90aacf49ee5},
    {"cell_edges", 0xbf35b4c12d85cb9d, 0x36c695e64fb0489a, 0xbc44a58d10eb4ac5, 0xdb9feaa8dd7585ec,
     0xd86f53ec7ee7a009},
    {"inexact_cell_edges", 0x798230feba13c72b, 0x4f4f8d2f6d8ba459, 0x177aea99792f357b, 0x133bc7b4be2e1ecf,
     0xe97dc490bc9cd2ef},
    {"piles_on_cell_edges", 0xdd267b6fc1d030e5, 0x98923487e0267357, 0x52500135d9f0da41, 0x2e0b08d69f9a63bb,
     0xbc7a82ec1c59f2f2},
    {"huge_numbers", 0x2f9f915dd3bd7a32, 0x6735a637d69d625f, 0xe8f31f17220a1f87, 0x226ab73e2788baf6,
     0x5decd3702f43591c},
    {"tiny_numbers", 0x30042c952b57c495, 0x25076161074a01af, 0xbed0ae24f7164566, 0xfe4155b6d43121e8,
     0x878a2e1a1f86f65c},
    {"any_numbers", 0xd1b354ab4fa2a025, 0xb0c0102cadb7d527, 0xcfa3605be9bfddd7, 0xd70073a123bb9c19,
     0x6300731f879f56de},
    {"none", 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
     0xb5bdf52637da716c},
    {"one_agent", 0x14faecdaf2911f9a, 0x0000000000000000, 0x1e7880f521f488c6, 0x0000000000000000,
     0xc4ea56a0c1e69e19},
    {"giants_over_small", 0xfd0ac3726715aada, 0x3eeffab982fbb742, 0xec6776d66b10ea8c, 0x2b3f17467ff16869,
     0x2fa52376fc7f2dcc},
    {"sizes_over_decades", 0xe4cfd428db92463f, 0x253fe80791f61331, 0x76feddf16057d955, 0xa7b4c93528a9b18b,
     0x0f1fe636fd5607df},
    {"slivers", 0x72f7db6e8e633457, 0xaf2e8d4e36fbfc12, 0x93fcd00eefd58780, 0x24a27a241bf10d23,
     0x77e1f679cdd02c1c},
    {"specks", 0xf6f04decebfd2a37, 0x2aec05c7ab5110c6, 0x9cacfadd2a80f658, 0x1c99c87ea57033c3,
     0xa4680c137449a584},
    {"a_light_year_away", 0x1ae0909929f7834b, 0xb5e6928145e004eb, 0x691711acbef9832a, 0xd3dcd02b931083c8,
     0xdc4925e38baa263a},
    {"two_worlds", 0x14cd2e128843172e, 0x0f308008e56f5820, 0x0c73aeeadb8f151c, 0xaa2244fa0a231ffb,
     0x64b5694c01b0a1cd},
    {"sizes", 0x1b87d647483493cc, 0x6cf65cd112ff4229},
    {"decades", 0x5ac8642c7f8b4cab, 0x43892844dec36c30},
    {"crushed", 0x0dac0a88bcd29f68, 0xfe8353f91d1dafdf},
    {"villages", 0xc8425da8bdf98d05, 0x01ce7146842478c4},
    {"power_law", 0x180523d347bf5dbd, 0x09d080c8c150f615},
    {"giants_everywhere", 0x69d2f4ec29ee8d92, 0x4cdadb10a102e97f},
};

}  // namespace throng::test
