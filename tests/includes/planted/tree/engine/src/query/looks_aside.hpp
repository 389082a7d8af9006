// Queries and writing know nothing of each other.
#include "engine/src/build/rows_from_boxes.hpp"
