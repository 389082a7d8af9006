// What reads this may use std::string, and no other name of the standard library.
#pragma once

#include <string>

inline std::string name_of_a_test() { return "std::map is a word here, and no name"; }
