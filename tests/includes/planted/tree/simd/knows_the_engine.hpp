// Kernels do not know who calls them.
#include <throng/looks_inside.hpp>
