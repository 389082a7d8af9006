// A line for each of the structures.
#include "bench/compare/registry.hpp"
#include "bench/compare/structure_index.hpp"

namespace throng::bench {

namespace {

template <class Structure, Updating updating = Updating::anew>
std::unique_ptr<Index> make(const Setup& setup) {
    return std::make_unique<StructureIndex<Structure, updating>>(setup);
}

const Entry entries[] = {
    {.name = "", .what = "", .make = nullptr},
};

}  // namespace

std::span<const Entry> structures() { return std::span(entries).first(0); }

}  // namespace throng::bench
