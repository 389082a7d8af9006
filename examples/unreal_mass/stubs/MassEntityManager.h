#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <typeindex>

#include "MassEntityTypes.h"

// Entities of one composition: a column for each kind of fragment. As in Mass, entities are kept in chunks of
// bounded size.
class FStubChunk {
public:
    template <class Fragment>
    void AddFragments() {
        Columns[typeid(Fragment)] = std::make_shared<TColumn<Fragment>>();
    }
    template <class Fragment>
    TArray<Fragment>* Find() {
        const auto Column = Columns.find(typeid(Fragment));
        return Column == Columns.end() ? nullptr : &static_cast<TColumn<Fragment>&>(*Column->second).Items;
    }
    bool Has(std::type_index Kind) const { return Columns.contains(Kind); }
    void Add(FMassEntityHandle Entity) {
        Entities.Add(Entity);
        for (auto& [Kind, Column] : Columns) Column->Grow();
    }

    TArray<FMassEntityHandle> Entities;

private:
    struct FColumn {
        virtual ~FColumn() = default;
        virtual void Grow() = 0;
    };
    template <class Fragment>
    struct TColumn : FColumn {
        void Grow() override { Items.Add(Fragment()); }
        TArray<Fragment> Items;
    };
    std::map<std::type_index, std::shared_ptr<FColumn>> Columns;
};

struct FMassEntityManager {
    std::vector<FStubChunk> Chunks;
};
