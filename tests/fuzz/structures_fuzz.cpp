// All spatial structures against brute force: the same history is told to each, and each has to be right
// about it after each operation, also when it ran out of memory on the way.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <typeinfo>

#include "fuzz/structure_history.hpp"
#include "fuzz/structure_player.hpp"
#include "structures/index_types.hpp"

namespace throng::fuzz {
namespace {

template <class Index>
void tell(const StructureHistory& history) {
    std::size_t at = 0;
    const std::string found = test::finding_of([&] {
        test::CountingResource memory;
        {
            StructurePlayer<Index> player(history.expected, memory);
            for (; at < history.operations.size(); ++at) player.play(history.operations[at]);
            player.look_back();
        }
        test::require(memory.blocks_out() == 0, "memory was not given back");
        test::require(!memory.misused(), "memory was given back otherwise than it was taken");
    });
    if (found.empty()) return;
    std::fprintf(stderr, "%s: %s\nafter operation %zu of:\n%s", typeid(Index).name(), found.c_str(), at,
                 describe(history, at).c_str());
    std::abort();
}

template <class... Indexes>
void tell_all(const StructureHistory& history, ::testing::Types<Indexes...>) {
    (tell<Indexes>(history), ...);
}

}  // namespace
}  // namespace throng::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace throng;
    fuzz::tell_all(fuzz::decode_for_structures({data, size}), test::Indexes{});
    return 0;
}
