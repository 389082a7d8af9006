// Folds stand beside the engine.
#include "engine/src/frame/rows.hpp"
