#pragma once

#include "MassEntityTypes.h"

struct FTransformFragment : FMassFragment {
    const FTransform& GetTransform() const { return Transform; }
    FTransform& GetMutableTransform() { return Transform; }

private:
    FTransform Transform;
};

struct FAgentRadiusFragment : FMassFragment {
    float Radius = 40.f;
};
