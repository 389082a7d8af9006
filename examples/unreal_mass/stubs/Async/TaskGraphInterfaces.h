#pragma once

#include "CoreMinimal.h"

class FTaskGraphInterface {
public:
    static FTaskGraphInterface& Get() {
        static FTaskGraphInterface Instance;
        return Instance;
    }
    // Without the thread that calls ParallelFor.
    int32 GetNumWorkerThreads() { return 1; }
};
