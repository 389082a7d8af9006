#pragma once

#include "MassCommonTypes.h"
#include "MassEntityQuery.h"

enum class EProcessorExecutionFlags { None = 0, Standalone = 1, Server = 2, Client = 4, All = 7 };

struct FMassProcessorExecutionOrder {
    FName ExecuteInGroup;
    TArray<FName> ExecuteBefore, ExecuteAfter;
};

class UMassProcessor {
public:
    virtual ~UMassProcessor() = default;

    // What the engine does once, and in each tick.
    void StubInitialize() { ConfigureQueries(); }
    void StubTick(FMassEntityManager& Manager) {
        FMassExecutionContext Context;
        Execute(Manager, Context);
    }

protected:
    virtual void ConfigureQueries() = 0;
    virtual void Execute(FMassEntityManager& Manager, FMassExecutionContext& Context) = 0;

    int32 ExecutionFlags = 0;
    FMassProcessorExecutionOrder ExecutionOrder;
};
