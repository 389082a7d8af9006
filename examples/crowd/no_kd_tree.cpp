// Stands in for kd_tree.cpp where there is no nanoflann.
#include <stdexcept>

#include "examples/crowd/kd_tree.hpp"

namespace throng::crowd {

struct KdTree::Inside {};

KdTree::KdTree() { throw std::runtime_error("this build has no nanoflann (Debian: libnanoflann-dev)"); }
KdTree::~KdTree() = default;
double KdTree::find(std::span<const Agent>, float, std::uint32_t) { return 0; }
void KdTree::check(const NeighbourLists&) const {}

}  // namespace throng::crowd
