// The agents of a Mass world in Throng's index: on Unreal's task system, in Unreal's memory.
#pragma once

#include "CoreMinimal.h"
#include "throng.h"

// What the avoidance needs of an agent. Places are floats from an origin near the agents, since an index has
// no doubles.
struct FThrongAgent {
    float X = 0.f;
    float Y = 0.f;
    float Radius = 0.f;
    float VelocityX = 0.f;
    float VelocityY = 0.f;
};

class FThrongIndex {
public:
    FThrongIndex() = default;
    ~FThrongIndex();
    FThrongIndex(const FThrongIndex&) = delete;
    FThrongIndex& operator=(const FThrongIndex&) = delete;

    // Takes the place of the last frame's agents, and finds for each agent all others whose squares are
    // within its radius and this distance. Agents may belong to groups, one number for each. False if that
    // failed: then there are no neighbours, and the log has the agent at fault.
    bool Update(TConstArrayView<FThrongAgent> Agents, float Distance, TConstArrayView<uint32> Groups = {});

    // By their numbers in `Agents`. None is left out, however many there are.
    TConstArrayView<uint32> Neighbours(int32 Agent) const;

    // The nearest agent of another group, for each agent of the last update, whose groups these are;
    // INDEX_NONE if there is none within the distance. All in one call, in every tick.
    bool FindTargets(TConstArrayView<uint32> Groups, float MaxDistance, TArray<int32>& Targets);

    // The newest frame, for other queries of the same tick: any thread may ask it. Null before the first
    // update.
    const throng_frame* Frame() const { return NewestFrame; }

private:
    int32 Create(throng_status_details* Details);
    int32 Index(TConstArrayView<FThrongAgent> Agents, TConstArrayView<uint32> Groups,
                throng_status_details* Details);
    int32 FindNeighbours(TConstArrayView<FThrongAgent> Agents, float Distance,
                         throng_status_details* Details);
    static bool Succeeded(int32 Status, const throng_status_details& Details);

    throng_engine* Engine = nullptr;
    throng_frame* NewestFrame = nullptr;
    throng_neighbours* Lists = nullptr;
    throng_neighbours* TargetLists = nullptr;
    TArray<float> Reaches;
    TArray<throng_query_filter> OtherGroups;
    // Where the lists lie until the next update.
    const uint64_t* Offsets = nullptr;
    const uint32_t* Ids = nullptr;
};
