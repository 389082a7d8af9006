// Boxes out of bytes: in the places of a scene, on a small lattice, or of any floats at all.
#pragma once

#include "fuzz/bytes.hpp"
#include "fuzz/history.hpp"
#include "support/test.hpp"

namespace throng::fuzz {

std::vector<Box> read_boxes(Bytes& bytes, std::size_t count);

// A box that touches another one, misses it by the smallest step there is, or reaches around it.
Box beside(const Box& box, std::uint8_t how);

// Chooses how the boxes lie in memory, and spoils one of them now and then.
BoxList as_a_host_has_it(Bytes& bytes, std::vector<Box> boxes);

float finite_or_zero(float value);

}  // namespace throng::fuzz
