#pragma once
#include "in_a_circle.hpp"
