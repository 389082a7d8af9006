// The answers on each scene, one number for each kind of answer. They are the same on every machine, with
// every compiler and kind of build: two machines that both agree with them agree with each other.
//
// They change when the grid is chosen otherwise, or pairs are found in another order. Then run the golden
// tests with THRONG_PRINT_GOLDEN=1 in the environment, and put what they print in here. The sum columns do
// not depend on any order, so they change only with the scenes themselves.
#pragma once

#include <cstdint>

namespace throng::test {

struct GoldenValues {
    const char* scene;
    std::uint64_t hit_sum, pair_sum;         // whatever the order
    std::uint64_t hits, pairs, fingerprint;  // in the engine's order
};

inline constexpr GoldenValues golden_values[] = {
    {"uniform", 0x7bf5cf4163e2f94e, 0x0f98ab4e94f40160, 0x47913ceab1c1886e, 0xcb8b00ff98bb0618,
     0xf2747606e62b4011},
    {"mixed_sizes", 0x5119cf7f9de1654c, 0xd979b0ed511ed7bc, 0x6570f3c6530244ff, 0xe7ff49d10154793f,
     0x72f387db48a8e8e7},
    {"clustered", 0xc71f3697f2e30b5c, 0xf1365457120e6be8, 0x5b2cdad85e006aec, 0xe9c9fe4e7570c35a,
     0xc44535c979ded44b},
    {"one_point", 0xcaa31751e7a47f0f, 0xef3f8ea34aaf6861, 0x840c860f85e78d02, 0x28f7984d4c850d17,
     0x5f4e3bdaabbe7e4e},
    {"on_a_line", 0x512e9d65d19ca76b, 0x38f6a6905025c090, 0x1359162cecd90b30, 0xbcbe5d915ba6a0bf,
     0x683d55388f7a34d4},
    {"on_a_column", 0xa62640a32937382d, 0x799fc21116427c27, 0xe98d4fb821e15cca, 0xd5943f3e19a9d118,
     0x5f040038b4ae51cd},
    {"lattice", 0xa1f89a32cc08fa25, 0xaae61ec741cda2a7, 0xbefcd5c57beb6250, 0x63d7eb3dab0323fc,
     0xb4d0d9715f6ef7ce},
    {"lattice_by_centre", 0x422389c98fbdb520, 0xc7ea823a1b4b8cc0, 0xd541da5d053d72b6, 0x06f1501db430710f,
     0xa190368f99c6ad01},
    {"lattice_in_tenth_cells", 0xa1f89a32cc08fa25, 0xaae61ec741cda2a7, 0xae2138f99b27ef02, 0xa13aa6f3a6b0806b,
     0xba2fb90aacf49ee5},
    {"cell_edges", 0xbf35b4c12d85cb9d, 0x36c695e64fb0489a, 0xbc44a58d10eb4ac5, 0xdb9feaa8dd7585ec,
     0xd86f53ec7ee7a009},
    {"inexact_cell_edges", 0x798230feba13c72b, 0x4f4f8d2f6d8ba459, 0x177aea99792f357b, 0x133bc7b4be2e1ecf,
     0xe97dc490bc9cd2ef},
    {"piles_on_cell_edges", 0xdd267b6fc1d030e5, 0x98923487e0267357, 0x5164b62448420b41, 0xb974dd8fe214a586,
     0x8fbb0d45016d99e3},
    {"huge_numbers", 0x2f9f915dd3bd7a32, 0x6735a637d69d625f, 0x00b003b831c5fe89, 0x963e7a0d6b660fc3,
     0x505cfcac32c52739},
    {"tiny_numbers", 0x30042c952b57c495, 0x25076161074a01af, 0x89159f935f234552, 0x0576a37444f479e4,
     0xca82533ae6a4fcb3},
    {"any_numbers", 0xd1b354ab4fa2a025, 0xb0c0102cadb7d527, 0x4bd8e28d0c7600eb, 0x8fd38c196a087b47,
     0x96f6da4973037080},
    {"none", 0x0000000000000000, 0x0000000000000000, 0x0000000000000000, 0x0000000000000000,
     0xb5bdf52637da716c},
    {"one_agent", 0x14faecdaf2911f9a, 0x0000000000000000, 0x1e7880f521f488c6, 0x0000000000000000,
     0xc4ea56a0c1e69e19},
    {"giants_over_small", 0xfd0ac3726715aada, 0x3eeffab982fbb742, 0x7e93c6d02234b5ad, 0x67d934d2731a6de3,
     0x902d4184efa537cb},
    {"sizes_over_decades", 0xe4cfd428db92463f, 0x253fe80791f61331, 0x3ce6648a532bdff2, 0x9e66a1e70dae5321,
     0x1e48578adb92efb9},
    {"slivers", 0x72f7db6e8e633457, 0xaf2e8d4e36fbfc12, 0x624c3f38e3a5c0b8, 0xf67c343cf88ac2f0,
     0xaeb33ec99755e152},
    {"specks", 0xf6f04decebfd2a37, 0x2aec05c7ab5110c6, 0xd6a54d03c4607424, 0x3beb47301dcbd358,
     0xf123a6e57c8b88df},
    {"a_light_year_away", 0x1ae0909929f7834b, 0xb5e6928145e004eb, 0xf948b6fa4f117905, 0xd140ec62b4880a8a,
     0xdf0d2cd618bdbbd5},
    {"two_worlds", 0x14cd2e128843172e, 0x0f308008e56f5820, 0x6579794d4e75916a, 0x2caef613f2bf2f77,
     0xc2c3ad6d843d5264},
    {"sizes", 0x1b87d647483493cc, 0x6cf65cd112ff4229, 0xae9d6eabd33b6bc3, 0x08529fcd51ea2922,
     0xb3a393d1b20998a6},
    {"decades", 0x5ac8642c7f8b4cab, 0x43892844dec36c30, 0x2241c6fdef41800f, 0xb34474f28def77b8,
     0x9fff055103f589f1},
    {"crushed", 0x0dac0a88bcd29f68, 0xfe8353f91d1dafdf, 0x978c6f20b7101d74, 0x77b12fb19caf8e02,
     0xe04c7698ad249bd5},
    {"villages", 0xc8425da8bdf98d05, 0x01ce7146842478c4, 0x9a8e931fb81b3900, 0xe731ba95172da83b,
     0x832b6551bbdce736},
    {"power_law", 0x180523d347bf5dbd, 0x09d080c8c150f615, 0xe1f3311a7cbd4045, 0xe5e359e6c6117bd4,
     0xaff6d8a35207b73f},
    {"giants_everywhere", 0x69d2f4ec29ee8d92, 0x4cdadb10a102e97f, 0x77a6bc520707c48c, 0x9ab168a57510751c,
     0xbb0720c4339d8b53},
};

}  // namespace throng::test
