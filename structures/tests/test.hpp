// What nearly every test of the structures uses: the names of all tests.
#pragma once

#include "support/test.hpp"

namespace throng::structures::test {

using namespace throng::test;

}  // namespace throng::structures::test
