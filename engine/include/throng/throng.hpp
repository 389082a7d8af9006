// Throng: box-overlap, pair and batch queries over millions of moving agents. This header includes the whole
// engine; start reading at engine.hpp and frame.hpp. The small structures are a library of their own:
// throng/structures.hpp.
#pragma once

#include "throng/boxes.hpp"
#include "throng/build_info.hpp"
#include "throng/engine.hpp"
#include "throng/executor.hpp"
#include "throng/frame.hpp"
#include "throng/geometry.hpp"
#include "throng/isa.hpp"
#include "throng/labels.hpp"
#include "throng/queries/answer_blocks.hpp"
#include "throng/queries/boxes_or_shapes.hpp"
#include "throng/queries/cast_views.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/frame_parts.hpp"
#include "throng/queries/kept_neighbours.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/pair_changes.hpp"
#include "throng/queries/points.hpp"
#include "throng/queries/with_static.hpp"
#include "throng/queries/without_engine.hpp"
#include "throng/reports.hpp"
#include "throng/results.hpp"
#include "throng/static_layer.hpp"
#include "throng/status.hpp"
#include "throng/version.hpp"
