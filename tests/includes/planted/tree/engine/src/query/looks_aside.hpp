// Queries and writing know nothing of each other.
#include "engine/src/write/rows_from_boxes.hpp"
