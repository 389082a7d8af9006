#pragma once

#include "MassEntityTypes.h"

struct FMassVelocityFragment : FMassFragment {
    FVector Value;
};

struct FMassForceFragment : FMassFragment {
    FVector Value;
};
