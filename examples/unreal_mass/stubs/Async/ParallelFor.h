#pragma once

#include <atomic>
#include <thread>

#include "CoreMinimal.h"

// How many indices ran, for the test.
inline std::atomic<int32> StubParallelIndices = 0;

// On this thread and another, in no order that anybody could count on.
inline void ParallelFor(int32 Num, const std::function<void(int32)>& Body) {
    StubParallelIndices += Num;
    std::atomic<int32> Next = 0;
    const auto Work = [&] {
        for (int32 Index = Next++; Index < Num; Index = Next++) Body(Num - 1 - Index);
    };
    std::thread Other(Work);
    Work();
    Other.join();
}
