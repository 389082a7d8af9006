// A fault: <vector> is left out.
#include "by_way_of_ours.hpp"

std::string first(const std::vector<std::string>& names) { return names.empty() ? std::string() : names[0]; }
