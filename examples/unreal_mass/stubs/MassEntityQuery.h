#pragma once

#include "Async/ParallelFor.h"
#include "MassExecutionContext.h"

class UMassProcessor;

class FMassEntityQuery {
public:
    using FFunction = std::function<void(FMassExecutionContext&)>;

    explicit FMassEntityQuery(UMassProcessor&) {}

    template <class Fragment>
    FMassEntityQuery& AddRequirement(EMassFragmentAccess Access,
                                     EMassFragmentPresence Presence = EMassFragmentPresence::All) {
        Requirements[typeid(Fragment)] = Access;
        if (Presence == EMassFragmentPresence::All) Needed.push_back(typeid(Fragment));
        return *this;
    }

    void ForEachEntityChunk(FMassEntityManager& Manager, FMassExecutionContext& Context,
                            const FFunction& Function) {
        for (FStubChunk* Chunk : Matching(Manager)) {
            Context.StubSet(*Chunk, Requirements);
            Function(Context);
        }
    }
    void ParallelForEachEntityChunk(FMassEntityManager& Manager, FMassExecutionContext&,
                                    const FFunction& Function) {
        const std::vector<FStubChunk*> Chunks = Matching(Manager);
        ParallelFor(static_cast<int32>(Chunks.size()), [&](int32 Index) {
            FMassExecutionContext Own;
            Own.StubSet(*Chunks[static_cast<std::size_t>(Index)], Requirements);
            Function(Own);
        });
    }

private:
    std::vector<FStubChunk*> Matching(FMassEntityManager& Manager) const {
        std::vector<FStubChunk*> Chunks;
        for (FStubChunk& Chunk : Manager.Chunks)
            if (std::all_of(Needed.begin(), Needed.end(),
                            [&](std::type_index Kind) { return Chunk.Has(Kind); }))
                Chunks.push_back(&Chunk);
        return Chunks;
    }

    FMassExecutionContext::FRequirements Requirements;
    std::vector<std::type_index> Needed;
};
