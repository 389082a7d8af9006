// All spatial structures against brute force. Each gets the same history and must be right after each
// operation, also when it ran out of memory.
#include <cstdio>

#include "fuzz/structure_history.hpp"
#include "fuzz/structure_player.hpp"
#include "structures/tests/finding.hpp"
#include "structures/tests/index_kinds.hpp"
#include "support/test.hpp"

namespace throng::fuzz {
namespace {

void tell(const StructureHistory& history, const structures::test::IndexKind& kind) {
    std::size_t at = 0;
    const std::string found = structures::test::finding_of([&] {
        test::CountingResource memory;
        {
            StructurePlayer player(kind, history.expected, memory);
            for (; at < history.operations.size(); ++at) player.play(history.operations[at]);
            player.look_back();
        }
        structures::test::require(memory.blocks_out() == 0, "memory was not given back");
        structures::test::require(!memory.misused(), "memory was given back otherwise than it was taken");
    });
    if (found.empty()) return;
    std::fprintf(stderr, "%s: %s\nafter operation %zu of:\n%s", kind.name, found.c_str(), at,
                 describe(history, at).c_str());
    std::abort();
}

}  // namespace
}  // namespace throng::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace throng;
    static const std::vector<structures::test::IndexKind> kinds = structures::test::index_kinds();
    const fuzz::StructureHistory history = fuzz::decode_for_structures({data, size});
    for (const structures::test::IndexKind& kind : kinds) fuzz::tell(history, kind);
    return 0;
}
