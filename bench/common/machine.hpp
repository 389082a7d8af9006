// What a measurement has to be quoted with: the CPU and the compiler.
#pragma once

#include <string>

namespace throng::bench {

// The CPU's own name; where that names no model (as in some virtual machines), with its family and model
// numbers.
std::string cpu_name();

// The compiler that built this program, and its version.
std::string compiler_name();

}  // namespace throng::bench
