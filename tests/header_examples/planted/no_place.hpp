// Has an example for which there is no place.
//
//     throng::Engine engine;
#include "throng/throng.hpp"
