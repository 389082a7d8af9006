#include "ThrongIndex.h"

#include "Async/ParallelFor.h"
#include "Async/TaskGraphInterfaces.h"
#include "HAL/UnrealMemory.h"

DEFINE_LOG_CATEGORY_STATIC(LogThrong, Log, All);

namespace {

void* Allocate(void*, uint64_t Bytes, uint64_t Alignment) {
    return FMemory::Malloc(static_cast<SIZE_T>(Bytes), static_cast<uint32>(Alignment));
}

void Deallocate(void*, void* Memory, uint64_t, uint64_t) { FMemory::Free(Memory); }

// The thread that calls takes part, so a processor may call this on a worker thread.
void RunBlocks(void*, uint64_t Count, throng_block Body, void* Argument) {
    ParallelFor(static_cast<int32>(Count),
                [Body, Argument](int32 Index) { Body(Argument, static_cast<uint64_t>(Index)); });
}

}  // namespace

FThrongIndex::~FThrongIndex() {
    throng_neighbours_destroy(TargetLists);
    throng_neighbours_destroy(Lists);
    throng_frame_release(NewestFrame);
    throng_engine_destroy(Engine);
}

// Not in the constructor: Unreal makes one object of each class that is never used.
int32 FThrongIndex::Create(throng_status_details* Details) {
    int32 Status = THRONG_OK;
    if (Engine == nullptr) {
        throng_engine_config Config;
        throng_engine_config_init(&Config);
        Config.parallel_for = RunBlocks;
        Config.workers = static_cast<uint32>(FTaskGraphInterface::Get().GetNumWorkerThreads() + 1);
        Config.allocate = Allocate;
        Config.deallocate = Deallocate;
        Status = throng_engine_create(&Config, &Engine, Details);
    }
    if (Status == THRONG_OK && Lists == nullptr) Status = throng_neighbours_create(Engine, &Lists, Details);
    if (Status == THRONG_OK && TargetLists == nullptr)
        Status = throng_neighbours_create(Engine, &TargetLists, Details);
    return Status;
}

int32 FThrongIndex::Index(TConstArrayView<FThrongAgent> Agents, TConstArrayView<uint32> Groups,
                          throng_status_details* Details) {
    int32 Status = Create(Details);
    if (Status != THRONG_OK) return Status;
    // Read where they lie. An agent is the square around it, which has all of its circle.
    throng_boxes Boxes;
    throng_boxes_init(&Boxes);
    const FThrongAgent* First = Agents.GetData();
    if (Agents.Num() > 0)
        throng_boxes_centre_half(&Boxes, &First->X, &First->Y, &First->Radius, &First->Radius,
                                 static_cast<uint64_t>(Agents.Num()), sizeof(FThrongAgent));
    throng_labels Labels;
    throng_labels_init(&Labels);
    Labels.groups = Groups.GetData();
    Labels.count = static_cast<uint64_t>(Groups.Num());
    Status = throng_engine_update(Engine, &Boxes, Groups.Num() > 0 ? &Labels : nullptr, Details);
    return Status == THRONG_OK ? throng_engine_frame(Engine, &NewestFrame, Details) : Status;
}

int32 FThrongIndex::FindNeighbours(TConstArrayView<FThrongAgent> Agents, float Distance,
                                   throng_status_details* Details) {
    Reaches.SetNumUninitialized(Agents.Num());
    for (int32 Agent = 0; Agent < Agents.Num(); ++Agent) Reaches[Agent] = Agents[Agent].Radius + Distance;
    throng_within Wanted;
    throng_within_init(&Wanted);
    Wanted.radii = Reaches.GetData();
    Wanted.radii_count = static_cast<uint64_t>(Reaches.Num());
    Wanted.agents_as = THRONG_AGENTS_AS_BOXES;
    const int32 Status = throng_frame_neighbours_within(NewestFrame, &Wanted, nullptr, Lists, Details);
    if (Status != THRONG_OK) return Status;
    Offsets = throng_neighbours_offsets(Lists, nullptr);
    Ids = throng_neighbours_ids(Lists, nullptr);
    return THRONG_OK;
}

bool FThrongIndex::Succeeded(int32 Status, const throng_status_details& Details) {
    if (Status == THRONG_OK) return true;
    char Text[256];
    throng_status_describe(&Details, Text, sizeof(Text));
    UE_LOG(LogThrong, Error, TEXT("Throng: %hs"), Text);
    return false;
}

bool FThrongIndex::Update(TConstArrayView<FThrongAgent> Agents, float Distance,
                          TConstArrayView<uint32> Groups) {
    throng_status_details Details;
    throng_status_details_init(&Details);
    Offsets = nullptr;
    Ids = nullptr;
    int32 Status = Index(Agents, Groups, &Details);
    if (Status == THRONG_OK && Agents.Num() > 0) Status = FindNeighbours(Agents, Distance, &Details);
    return Succeeded(Status, Details);
}

bool FThrongIndex::FindTargets(TConstArrayView<uint32> Groups, float MaxDistance, TArray<int32>& Targets) {
    if (static_cast<uint64_t>(Groups.Num()) != throng_frame_size(NewestFrame)) {
        UE_LOG(LogThrong, Error, TEXT("Throng: %hs"), "there are not as many groups as agents");
        return false;
    }
    OtherGroups.SetNumUninitialized(Groups.Num());
    for (int32 Agent = 0; Agent < Groups.Num(); ++Agent)
        OtherGroups[Agent] = {UINT32_MAX, THRONG_NO_AGENT, Groups[Agent]};
    throng_filter Filter;
    throng_filter_init(&Filter);
    Filter.each = OtherGroups.GetData();
    Filter.each_count = static_cast<uint64_t>(OtherGroups.Num());
    throng_nearest Wanted;
    throng_nearest_init(&Wanted);
    Wanted.count = 1;
    Wanted.max_radius = MaxDistance;
    throng_status_details Details;
    throng_status_details_init(&Details);
    const int32 Status =
        throng_frame_neighbours_nearest(NewestFrame, &Wanted, &Filter, TargetLists, &Details);
    if (!Succeeded(Status, Details)) return false;

    const uint64_t* Begins = throng_neighbours_offsets(TargetLists, nullptr);
    const uint32_t* Found = throng_neighbours_ids(TargetLists, nullptr);
    Targets.SetNumUninitialized(Groups.Num());
    for (int32 Agent = 0; Agent < Groups.Num(); ++Agent)
        Targets[Agent] =
            Begins[Agent] == Begins[Agent + 1] ? INDEX_NONE : static_cast<int32>(Found[Begins[Agent]]);
    return true;
}

TConstArrayView<uint32> FThrongIndex::Neighbours(int32 Agent) const {
    if (Offsets == nullptr) return {};
    const uint64_t Begin = Offsets[Agent];
    return TConstArrayView<uint32>(Ids + Begin, static_cast<int32>(Offsets[Agent + 1] - Begin));
}
