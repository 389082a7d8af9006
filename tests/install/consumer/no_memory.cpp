// A host whose memory runs out, with and without exceptions of its own. Returns whether everything that gets
// memory in the host's own code, by templates of the public headers, says so by its status.
#include "bounded.hpp"

#include <throng/throng.hpp>

bool a_lack_of_memory_is_a_status() {
    Bounded nothing;
    throng::MemoryResource* const none = &nothing;
    const throng::Box boxes[] = {{0, 0, 1, 1}, {0.5f, 0.5f, 2, 2}};

    throng::Engine without({.memory = none});
    if (without.update(throng::Boxes::of(boxes)).code != throng::Code::out_of_memory) return false;
    throng::Engine engine;
    throng::PairList pairs(none);
    throng::OverlapLists hits(none);
    if (!engine.update(throng::Boxes::of(boxes))) return false;
    if (engine.frame().pairs(pairs).code != throng::Code::out_of_memory) return false;
    return engine.frame().overlaps(throng::Boxes::of(boxes), hits).code == throng::Code::out_of_memory;
}
