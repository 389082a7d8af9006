// Drives the processor through stubs of Mass, and compares what it and the index find and do with brute
// force.

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "HAL/UnrealMemory.h"
#include "MassCommonFragments.h"
#include "MassMovementFragments.h"
#include "ThrongAvoidanceProcessor.h"
#include "gtest/gtest.h"

namespace {

// A hundred kilometres from the origin, where a float in centimetres knows no halves.
constexpr double Far = 1e7;
constexpr double Side = 20000;

struct Body {
    FMassEntityHandle Entity;
    double X, Y, Radius, VelocityX, VelocityY;
};

// Entities in chunks of 128; one chunk in four has what only stands: no velocity, and no force.
class Crowd {
public:
    explicit Crowd(int32 Count) { Add(Count); }

    void Add(int32 Count) {
        for (int32 Added = 0; Added < Count; ++Added) {
            if (Added % 128 == 0) Manager.Chunks.push_back(Empty(Manager.Chunks.size() % 4 != 3));
            FStubChunk& Chunk = Manager.Chunks.back();
            Chunk.Add({++LastIndex, 1});
            const int32 At = Chunk.Entities.Num() - 1;
            const FVector Place(Far + Any(Side), Far + Any(Side), 0);
            (*Chunk.Find<FTransformFragment>())[At].GetMutableTransform().SetLocation(Place);
            (*Chunk.Find<FAgentRadiusFragment>())[At].Radius = static_cast<float>(20 + Any(40));
            // A few are as large as houses.
            if (LastIndex % 500 == 0) (*Chunk.Find<FAgentRadiusFragment>())[At].Radius = 600;
            if (auto* Velocities = Chunk.Find<FMassVelocityFragment>())
                (*Velocities)[At].Value = FVector(Any(200) - 100, Any(200) - 100, 0);
        }
    }
    std::vector<Body> Bodies() {
        std::vector<Body> All;
        for (FStubChunk& Chunk : Manager.Chunks)
            for (int32 At = 0; At < Chunk.Entities.Num(); ++At) {
                const FVector Place = (*Chunk.Find<FTransformFragment>())[At].GetTransform().GetLocation();
                const auto* Velocities = Chunk.Find<FMassVelocityFragment>();
                const FVector Velocity =
                    Velocities == nullptr ? FVector::ZeroVector : (*Velocities)[At].Value;
                const double Radius = (*Chunk.Find<FAgentRadiusFragment>())[At].Radius;
                All.push_back({Chunk.Entities[At], Place.X, Place.Y, Radius, Velocity.X, Velocity.Y});
            }
        return All;
    }
    // What the rest of Mass would do with the forces.
    void Move(double Seconds) {
        for (FStubChunk& Chunk : Manager.Chunks) {
            auto* Forces = Chunk.Find<FMassForceFragment>();
            for (int32 At = 0; Forces != nullptr && At < Chunk.Entities.Num(); ++At) {
                FVector& Velocity = (*Chunk.Find<FMassVelocityFragment>())[At].Value;
                FVector& Force = (*Forces)[At].Value;
                Velocity += FVector(Force.X * Seconds, Force.Y * Seconds, 0);
                Force = FVector::ZeroVector;
                FTransform& Transform = (*Chunk.Find<FTransformFragment>())[At].GetMutableTransform();
                FVector Place = Transform.GetLocation();
                Place += FVector(Velocity.X * Seconds, Velocity.Y * Seconds, 0);
                Transform.SetLocation(Place);
            }
        }
    }

    FMassEntityManager Manager;

private:
    double Any(double Most) { return std::uniform_real_distribution<double>(0, Most)(Random); }
    static FStubChunk Empty(bool bMoves) {
        FStubChunk Chunk;
        Chunk.AddFragments<FTransformFragment>();
        Chunk.AddFragments<FAgentRadiusFragment>();
        if (bMoves) Chunk.AddFragments<FMassVelocityFragment>();
        if (bMoves) Chunk.AddFragments<FMassForceFragment>();
        return Chunk;
    }

    std::mt19937 Random{1};
    int32 LastIndex = 0;
};

// How far a place is from the square around a body.
double DistanceToSquare(const Body& From, const Body& To) {
    return std::hypot(std::max(0., std::abs(From.X - To.X) - To.Radius),
                      std::max(0., std::abs(From.Y - To.Y) - To.Radius));
}

// What floats may change: a thousandth of a centimetre of each place, which turns short arrows much.
struct Force {
    double X = 0, Y = 0, Slack = 0.1;
    void Push(double AlongX, double AlongY, double Strength) {
        const double Length = std::hypot(AlongX, AlongY);
        X += AlongX / Length * Strength;
        Y += AlongY / Length * Strength;
        Slack += Strength * (1e-4 + 0.005 / Length);
    }
};

// The same rules once more, in doubles.
void PushApart(const UThrongAvoidanceProcessor& Rules, const Body& Self, const Body& Other, Force& On) {
    const double X = Self.X - Other.X, Y = Self.Y - Other.Y, Radii = Self.Radius + Other.Radius;
    if (std::abs(X) >= Rules.DetectionDistance + Radii) return;
    const double Gap = std::hypot(X, Y) - Radii;
    if (Gap >= Rules.DetectionDistance) return;
    if (Gap < Rules.SeparationDistance)
        On.Push(X, Y, Rules.SeparationStiffness * std::pow(1 - Gap / Rules.SeparationDistance, 2));
    const double SpeedX = Self.VelocityX - Other.VelocityX, SpeedY = Self.VelocityY - Other.VelocityY;
    const double Time = -(X * SpeedX + Y * SpeedY) / (SpeedX * SpeedX + SpeedY * SpeedY);
    if (!(Time > 0) || Time >= Rules.PredictionTime) return;
    const double ThenX = X + SpeedX * Time, ThenY = Y + SpeedY * Time;
    const double ThenGap = std::hypot(ThenX, ThenY) - Radii;
    if (ThenGap >= Rules.SeparationDistance) return;
    const double Urgency =
        (1 - Time / Rules.PredictionTime) * std::min(1 - Gap / Rules.DetectionDistance, 1.);
    On.Push(ThenX, ThenY,
            Rules.PredictionStiffness * std::min(1 - ThenGap / Rules.SeparationDistance, 2.) * Urgency);
}

struct Simulation {
    explicit Simulation(int32 Count) : World(Count) {
        Processor = std::make_unique<UThrongAvoidanceProcessor>();
        Processor->StubInitialize();
    }
    // Compares every `step`th agent's neighbours, but for those at the very edge, where floats decide.
    void CompareNeighbours(std::size_t Step) {
        const std::vector<Body> Bodies = World.Bodies();
        std::size_t Total = 0, Most = 0;
        for (std::size_t Self = 0; Self < Bodies.size(); Self += Step) {
            const int32 Number = Processor->NumberOf(Bodies[Self].Entity);
            ASSERT_EQ(Number, static_cast<int32>(Self));
            std::vector<char> IsFound(Bodies.size());
            for (const uint32 Other : Processor->Index().Neighbours(Number)) {
                ASSERT_FALSE(IsFound.at(Other)++) << "twice";
                ++Total;
            }
            Most = std::max<std::size_t>(
                Most, static_cast<std::size_t>(Processor->Index().Neighbours(Number).Num()));
            const double Reach = Processor->DetectionDistance + Bodies[Self].Radius;
            for (std::size_t Other = 0; Other < Bodies.size(); ++Other) {
                const double Distance = DistanceToSquare(Bodies[Self], Bodies[Other]);
                if (std::abs(Distance - Reach) < 0.01) continue;
                ASSERT_EQ(IsFound[Other] != 0, Other != Self && Distance < Reach) << Self << " and " << Other;
            }
        }
        EXPECT_GT(Total, 10 * Bodies.size() / Step) << "a world without neighbours";
        EXPECT_GT(Most, 24u) << "no agent has more than a fixed list would hold";
    }
    void CompareForces() {
        const std::vector<Body> Bodies = World.Bodies();
        std::size_t Body = 0, Pushed = 0;
        for (FStubChunk& Chunk : World.Manager.Chunks) {
            auto* Forces = Chunk.Find<FMassForceFragment>();
            for (int32 At = 0; At < Chunk.Entities.Num(); ++At, ++Body) {
                if (Forces == nullptr) continue;
                Force Wanted;
                for (std::size_t Other = 0; Other < Bodies.size(); ++Other)
                    if (Other != Body) PushApart(*Processor, Bodies[Body], Bodies[Other], Wanted);
                ASSERT_NEAR((*Forces)[At].Value.X, Wanted.X, Wanted.Slack) << "agent " << Body;
                ASSERT_NEAR((*Forces)[At].Value.Y, Wanted.Y, Wanted.Slack) << "agent " << Body;
                Pushed += std::hypot(Wanted.X, Wanted.Y) > 10;
            }
        }
        EXPECT_GT(Pushed, Bodies.size() / 4) << "hardly any force";
    }

    Crowd World;
    std::unique_ptr<UThrongAvoidanceProcessor> Processor;
};

TEST(UnrealMass, ten_thousand_agents_have_the_neighbours_and_forces_of_brute_force) {
    Simulation Mass(10000);
    for (int Frame = 0; Frame < 3; ++Frame) {
        StubParallelIndices = 0;
        Mass.Processor->StubTick(Mass.World.Manager);
        EXPECT_GT(StubParallelIndices, static_cast<int32>(Mass.World.Manager.Chunks.size()))
            << "Throng ran alone";
        Mass.CompareNeighbours(10);
        Mass.CompareForces();
        Mass.World.Move(1. / 30);
        if (Frame == 0) Mass.World.Add(300);
    }
}

TEST(UnrealMass, memory_comes_from_unreal_and_all_goes_back) {
    ASSERT_EQ(FMemory::BlocksOut, 0);
    {
        Simulation Mass(500);
        EXPECT_EQ(FMemory::BlocksOut, 0) << "an object that is never used makes no engine";
        Mass.Processor->StubTick(Mass.World.Manager);
        EXPECT_GT(FMemory::BlocksOut, 0);
    }
    EXPECT_EQ(FMemory::BlocksOut, 0);
}

TEST(UnrealMass, an_agent_in_no_place_is_logged_and_nobody_is_pushed_in_that_tick) {
    Simulation Mass(300);
    auto& Radius = (*Mass.World.Manager.Chunks[0].Find<FAgentRadiusFragment>())[7].Radius;
    const float Before = Radius;
    Radius = std::numeric_limits<float>::quiet_NaN();
    StubLog.clear();
    Mass.Processor->StubTick(Mass.World.Manager);
    ASSERT_EQ(StubLog.size(), 1u);
    EXPECT_NE(StubLog[0].find('7'), std::string::npos) << StubLog[0];
    EXPECT_EQ(Mass.Processor->Index().Neighbours(0).Num(), 0);
    EXPECT_EQ((*Mass.World.Manager.Chunks[0].Find<FMassForceFragment>())[0].Value.X, 0);
    Radius = Before;
    Mass.Processor->StubTick(Mass.World.Manager);
    EXPECT_EQ(StubLog.size(), 1u);
}

TEST(UnrealMass, a_world_without_agents_and_two_agents_in_one_place_are_fine) {
    Simulation Mass(0);
    Mass.Processor->StubTick(Mass.World.Manager);
    Mass.World.Add(2);
    FStubChunk& Chunk = Mass.World.Manager.Chunks[0];
    auto& Places = *Chunk.Find<FTransformFragment>();
    Places[1].GetMutableTransform().SetLocation(Places[0].GetTransform().GetLocation());
    Mass.Processor->StubTick(Mass.World.Manager);
    auto& Forces = *Chunk.Find<FMassForceFragment>();
    EXPECT_GT(Forces[0].Value.X, 0);
    EXPECT_LT(Forces[1].Value.X, 0);
    EXPECT_EQ(Mass.Processor->NumberOf({99, 1}), INDEX_NONE);
}

TEST(UnrealMass, each_agent_has_the_nearest_of_another_group_as_its_target) {
    std::mt19937 Random(3);
    TArray<FThrongAgent> Agents;
    TArray<uint32> Groups;
    for (int32 Agent = 0; Agent < 1500; ++Agent) {
        // Whole numbers, whose squared distances are exact. The last one is too far away from all others.
        const auto Any = [&] { return static_cast<float>(Random() % 2000); };
        const float X = Any();
        Agents.Add({Agent == 1499 ? 9000.f : X, Any(), 10.f, 0.f, 0.f});
        Groups.Add(static_cast<uint32>(Random() % 3));
    }
    FThrongIndex Index;
    TArray<int32> Targets;
    ASSERT_TRUE(Index.Update(Agents, 0.f, Groups));
    ASSERT_TRUE(Index.FindTargets(Groups, 1000.f, Targets));
    ASSERT_EQ(Targets.Num(), 1500);
    for (int32 Self = 0; Self < 1500; ++Self) {
        int32 Nearest = INDEX_NONE;
        float Least = 1000.f * 1000.f;
        for (int32 Other = 0; Other < 1500; ++Other) {
            const FVector2f Apart(Agents[Self].X - Agents[Other].X, Agents[Self].Y - Agents[Other].Y);
            const float Square = Apart.SizeSquared();
            if (Groups[Other] == Groups[Self] || Square > Least || (Square == Least && Nearest != INDEX_NONE))
                continue;
            Nearest = Other;
            Least = Square;
        }
        EXPECT_EQ(Targets[Self], Nearest) << "agent " << Self;
    }
    EXPECT_EQ(Targets[1499], INDEX_NONE);
    StubLog.clear();
    Groups.Add(0);
    EXPECT_FALSE(Index.FindTargets(Groups, 1000.f, Targets));
    EXPECT_EQ(StubLog.size(), 1u);
}

}  // namespace
