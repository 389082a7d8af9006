// Throng: who overlaps this box, and who touches whom, among very many moving agents. This header brings
// everything about that; begin reading at engine.hpp and frame.hpp. Structures that are of use on their own
// are in throng/structures.
#pragma once

#include "throng/boxes.hpp"
#include "throng/engine.hpp"
#include "throng/executor.hpp"
#include "throng/frame.hpp"
#include "throng/geometry.hpp"
#include "throng/isa.hpp"
#include "throng/labels.hpp"
#include "throng/reports.hpp"
#include "throng/results.hpp"
#include "throng/static_layer.hpp"
#include "throng/status.hpp"
#include "throng/version.hpp"
