#include "ThrongAvoidanceProcessor.h"

#include "MassCommonFragments.h"
#include "MassCommonTypes.h"
#include "MassExecutionContext.h"
#include "MassMovementFragments.h"

namespace {
FVector2f DirectionOf(const FVector2f& Vector, const FVector2f& IfZero) {
    const FVector2f Direction = Vector.GetSafeNormal();
    return Direction.IsZero() ? IfZero : Direction;
}
}  // namespace

UThrongAvoidanceProcessor::UThrongAvoidanceProcessor() : AgentQuery(*this), SteeredQuery(*this) {
    ExecutionFlags = static_cast<int32>(EProcessorExecutionFlags::All);
    ExecutionOrder.ExecuteInGroup = UE::Mass::ProcessorGroupNames::Avoidance;
    ExecutionOrder.ExecuteAfter.Add(UE::Mass::ProcessorGroupNames::LOD);
}

void UThrongAvoidanceProcessor::ConfigureQueries() {
    AgentQuery.AddRequirement<FTransformFragment>(EMassFragmentAccess::ReadOnly);
    AgentQuery.AddRequirement<FAgentRadiusFragment>(EMassFragmentAccess::ReadOnly);
    // What stands has none, and is avoided all the same.
    AgentQuery.AddRequirement<FMassVelocityFragment>(EMassFragmentAccess::ReadOnly,
                                                     EMassFragmentPresence::Optional);

    SteeredQuery.AddRequirement<FTransformFragment>(EMassFragmentAccess::ReadOnly);
    SteeredQuery.AddRequirement<FAgentRadiusFragment>(EMassFragmentAccess::ReadOnly);
    SteeredQuery.AddRequirement<FMassVelocityFragment>(EMassFragmentAccess::ReadOnly);
    SteeredQuery.AddRequirement<FMassForceFragment>(EMassFragmentAccess::ReadWrite);
}

void UThrongAvoidanceProcessor::Execute(FMassEntityManager& EntityManager, FMassExecutionContext& Context) {
    Gather(EntityManager, Context);
    if (!AgentIndex.Update(Agents, DetectionDistance)) return;
    SteeredQuery.ParallelForEachEntityChunk(EntityManager, Context,
                                            [this](FMassExecutionContext& Chunk) { Steer(Chunk); });
}

// Copies what Mass keeps in chunks into one array: places as floats from the first agent's, where floats are
// finest.
void UThrongAvoidanceProcessor::Gather(FMassEntityManager& EntityManager, FMassExecutionContext& Context) {
    Agents.Reset();
    Numbers.Reset();
    FVector Origin = FVector::ZeroVector;
    AgentQuery.ForEachEntityChunk(EntityManager, Context, [this, &Origin](FMassExecutionContext& Chunk) {
        const auto Transforms = Chunk.GetFragmentView<FTransformFragment>();
        const auto Radii = Chunk.GetFragmentView<FAgentRadiusFragment>();
        const auto Velocities = Chunk.GetFragmentView<FMassVelocityFragment>();
        for (int32 Entity = 0; Entity < Chunk.GetNumEntities(); ++Entity) {
            const FVector Place = Transforms[Entity].GetTransform().GetLocation();
            if (Agents.Num() == 0) Origin = Place;
            FThrongAgent Agent;
            Agent.X = static_cast<float>(Place.X - Origin.X);
            Agent.Y = static_cast<float>(Place.Y - Origin.Y);
            Agent.Radius = Radii[Entity].Radius;
            if (Velocities.Num() > 0) {
                Agent.VelocityX = static_cast<float>(Velocities[Entity].Value.X);
                Agent.VelocityY = static_cast<float>(Velocities[Entity].Value.Y);
            }
            const int32 Index = Chunk.GetEntity(Entity).Index;
            while (Numbers.Num() <= Index) Numbers.Add(INDEX_NONE);
            Numbers[Index] = Agents.Add(Agent);
        }
    });
}

int32 UThrongAvoidanceProcessor::NumberOf(FMassEntityHandle Entity) const {
    return Entity.Index < Numbers.Num() ? Numbers[Entity.Index] : INDEX_NONE;
}

void UThrongAvoidanceProcessor::Steer(FMassExecutionContext& Chunk) const {
    const auto Forces = Chunk.GetMutableFragmentView<FMassForceFragment>();
    for (int32 Entity = 0; Entity < Chunk.GetNumEntities(); ++Entity) {
        const FVector2f Force = ForceOn(NumberOf(Chunk.GetEntity(Entity)));
        Forces[Entity].Value += FVector(Force.X, Force.Y, 0.);
    }
}

FVector2f UThrongAvoidanceProcessor::ForceOn(int32 Number) const {
    FVector2f Force = FVector2f::ZeroVector;
    for (const uint32 Neighbour : AgentIndex.Neighbours(Number)) {
        const int32 Other = static_cast<int32>(Neighbour);
        Force += ForceBetween(Agents[Number], Agents[Other], Number < Other);
    }
    return Force;
}

// Apart where they are too close, and aside where they soon will be. Both end smoothly at the distances where
// they begin.
FVector2f UThrongAvoidanceProcessor::ForceBetween(const FThrongAgent& Self, const FThrongAgent& Other,
                                                  bool bIsFirst) const {
    FVector2f Force = FVector2f::ZeroVector;
    const FVector2f Apart(Self.X - Other.X, Self.Y - Other.Y);
    const float Radii = Self.Radius + Other.Radius;
    const float Gap = Apart.Size() - Radii;
    if (Gap >= DetectionDistance) return Force;

    // Agents in one place part along x.
    const FVector2f Aside(bIsFirst ? 1.f : -1.f, 0.f);
    if (Gap < SeparationDistance) {
        const float Closeness = 1.f - Gap / SeparationDistance;
        Force += DirectionOf(Apart, Aside) * (SeparationStiffness * Closeness * Closeness);
    }

    const FVector2f Velocity(Self.VelocityX - Other.VelocityX, Self.VelocityY - Other.VelocityY);
    const float Approach = -FVector2f::DotProduct(Apart, Velocity);
    const float Time = Approach / FMath::Max(Velocity.SizeSquared(), UE_SMALL_NUMBER);
    if (Approach <= 0.f || Time >= PredictionTime) return Force;
    const FVector2f Closest = Apart + Velocity * Time;
    const float ClosestGap = Closest.Size() - Radii;
    if (ClosestGap >= SeparationDistance) return Force;
    const float Closeness = FMath::Min(1.f - ClosestGap / SeparationDistance, 2.f);
    const float Urgency = (1.f - Time / PredictionTime) * FMath::Min(1.f - Gap / DetectionDistance, 1.f);
    return Force + DirectionOf(Closest, Aside) * (PredictionStiffness * Closeness * Urgency);
}
