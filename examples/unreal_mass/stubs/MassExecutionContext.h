#pragma once

#include "MassEntityManager.h"

// One chunk as a query's function sees it. What the query did not ask for, or only to read, is refused.
class FMassExecutionContext {
public:
    using FRequirements = std::map<std::type_index, EMassFragmentAccess>;

    int32 GetNumEntities() const { return Chunk->Entities.Num(); }
    FMassEntityHandle GetEntity(int32 Index) const { return Chunk->Entities[Index]; }

    template <class Fragment>
    TConstArrayView<Fragment> GetFragmentView() const {
        Require<Fragment>(EMassFragmentAccess::ReadOnly);
        TArray<Fragment>* Items = Chunk->template Find<Fragment>();
        if (Items == nullptr) return {};
        return {Items->GetData(), Items->Num()};
    }
    template <class Fragment>
    TArrayView<Fragment> GetMutableFragmentView() {
        Require<Fragment>(EMassFragmentAccess::ReadWrite);
        TArray<Fragment>* Items = Chunk->template Find<Fragment>();
        if (Items == nullptr) return {};
        return {Items->GetData(), Items->Num()};
    }

    void StubSet(FStubChunk& One, const FRequirements& Asked) {
        Chunk = &One;
        Requirements = &Asked;
    }

private:
    template <class Fragment>
    void Require(EMassFragmentAccess Access) const {
        const auto Asked = Requirements->find(typeid(Fragment));
        if (Asked == Requirements->end() || Asked->second < Access)
            throw std::logic_error("the query did not ask for this fragment, or only to read it");
    }

    FStubChunk* Chunk = nullptr;
    const FRequirements* Requirements = nullptr;
};
