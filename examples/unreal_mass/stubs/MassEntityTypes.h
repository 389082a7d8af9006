#pragma once

#include "CoreMinimal.h"

struct FMassEntityHandle {
    int32 Index = 0;
    int32 SerialNumber = 0;
};

struct FMassFragment {};

enum class EMassFragmentAccess { None, ReadOnly, ReadWrite };
enum class EMassFragmentPresence { All, Any, None, Optional };
