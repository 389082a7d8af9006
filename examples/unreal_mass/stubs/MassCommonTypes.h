#pragma once

#include <string>

using FName = std::string;

namespace UE::Mass::ProcessorGroupNames {
inline const FName LOD = "LOD";
inline const FName Avoidance = "Avoidance";
}  // namespace UE::Mass::ProcessorGroupNames
