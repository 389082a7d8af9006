#pragma once
#include "engine/src/plan/back_again.hpp"
