// Instruction sets against each other. There is one engine for each that runs here, each with an executor of
// another kind. All get the same history and must give the same answers in the same order. The first
// instruction set takes part once more at the end, so that there are always two engines.
#include "fuzz/executors.hpp"
#include "fuzz/failure.hpp"
#include "fuzz/history.hpp"
#include "fuzz/player.hpp"
#include "fuzz/transcript.hpp"
#include "support/test.hpp"

namespace throng::fuzz {
namespace {

using Engines = std::vector<std::unique_ptr<Player<Engine>>>;

Engines engines_for(const History& history) {
    std::vector<Isa> sets = test::instruction_sets();
    sets.push_back(sets.front());
    Engines engines;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        engines.push_back(std::make_unique<Player<Engine>>(
            EngineConfig{.executor = executor(history.executor + static_cast<unsigned>(i)),
                         .cell_width = history.cell_width,
                         .row_height = history.row_height,
                         .isa = sets[i]}));
        if (engines.back()->world().isa() != sets[i])
            fail(history, 0, "another instruction set than asked for");
    }
    return engines;
}

template <class Ask>
void expect_the_same(const Engines& engines, const History& history, std::size_t at, Ask ask) {
    Transcript first(Order::as_given);
    for (const auto& engine : engines) {
        Transcript transcript(Order::as_given);
        ask(*engine, transcript);
        if (engine == engines.front()) {
            first = std::move(transcript);
            continue;
        }
        const std::string parted = difference(first, transcript);
        if (!parted.empty())
            fail(history, at,
                 std::string(to_string(engines.front()->world().isa())) + ", then " +
                     to_string(engine->world().isa()) + ": " + parted);
    }
}

}  // namespace
}  // namespace throng::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace throng::fuzz;
    const History history = decode({data, size});
    const Engines engines = engines_for(history);
    for (std::size_t at = 0; at < history.operations.size(); ++at)
        expect_the_same(engines, history, at, [&](Player<throng::Engine>& engine, Transcript& out) {
            engine.play(history.operations[at], out);
            engine.look(out);
        });
    expect_the_same(engines, history, history.operations.size(),
                    [](Player<throng::Engine>& engine, Transcript& out) { engine.look_back(out); });
    return 0;
}
