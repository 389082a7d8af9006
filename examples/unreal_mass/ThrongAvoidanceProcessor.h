// Avoidance for Mass whose neighbours come from Throng, in place of the navigation obstacle grid.
#pragma once

#include "MassEntityQuery.h"
#include "MassProcessor.h"
#include "ThrongIndex.h"

#include "ThrongAvoidanceProcessor.generated.h"

UCLASS()
class UThrongAvoidanceProcessor : public UMassProcessor {
    GENERATED_BODY()

public:
    UThrongAvoidanceProcessor();

    // Gaps between agents' circles, in centimetres, and seconds.
    UPROPERTY(EditAnywhere, Category = "Avoidance")
    float DetectionDistance = 400.f;
    UPROPERTY(EditAnywhere, Category = "Avoidance")
    float SeparationDistance = 75.f;
    UPROPERTY(EditAnywhere, Category = "Avoidance")
    float SeparationStiffness = 250.f;
    UPROPERTY(EditAnywhere, Category = "Avoidance")
    float PredictionTime = 2.5f;
    UPROPERTY(EditAnywhere, Category = "Avoidance")
    float PredictionStiffness = 700.f;

    // This tick's index, for other processors that run after this one.
    const FThrongIndex& Index() const { return AgentIndex; }
    // The number of an entity in it, or INDEX_NONE.
    int32 NumberOf(FMassEntityHandle Entity) const;

protected:
    virtual void ConfigureQueries() override;
    virtual void Execute(FMassEntityManager& EntityManager, FMassExecutionContext& Context) override;

private:
    void Gather(FMassEntityManager& EntityManager, FMassExecutionContext& Context);
    void Steer(FMassExecutionContext& Chunk) const;
    FVector2f ForceOn(int32 Number) const;
    FVector2f ForceBetween(const FThrongAgent& Self, const FThrongAgent& Other, bool bIsFirst) const;

    // All agents, and those of them that are steered.
    FMassEntityQuery AgentQuery;
    FMassEntityQuery SteeredQuery;

    FThrongIndex AgentIndex;
    TArray<FThrongAgent> Agents;
    TArray<int32> Numbers;  // by the index of the entity
};
