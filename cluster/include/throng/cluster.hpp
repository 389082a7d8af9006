// Throng over MPI: all of it.
#pragma once

#include "throng/cluster/agents.hpp"
#include "throng/cluster/cluster_engine.hpp"
#include "throng/cluster/report.hpp"
#include "throng/cluster/results.hpp"
#include "throng/cluster/status.hpp"
