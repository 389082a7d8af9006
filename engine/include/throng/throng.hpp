// Throng: box-overlap, pair and batch queries over millions of moving agents. This header includes the whole
// engine; start reading at engine.hpp and frame.hpp. The small structures are in throng/structures.hpp.
#pragma once

#include "throng/boxes.hpp"
#include "throng/engine.hpp"
#include "throng/executor.hpp"
#include "throng/frame.hpp"
#include "throng/geometry.hpp"
#include "throng/isa.hpp"
#include "throng/labels.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/folds.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/pairs.hpp"
#include "throng/queries/shapes.hpp"
#include "throng/queries/without_engine.hpp"
#include "throng/reports.hpp"
#include "throng/results.hpp"
#include "throng/static_layer.hpp"
#include "throng/status.hpp"
#include "throng/version.hpp"
#include "throng/views/members.hpp"
