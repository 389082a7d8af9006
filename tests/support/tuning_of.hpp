// What an engine chooses for a scene that it sees for the first time.
#pragma once

#include "support/test.hpp"

namespace throng::test {

inline Tuning tuning_of(const Scene& scene, EngineConfig config = {}) {
    return engine_with(scene.boxes(), scene.configure(config)).frame().tuning();
}

}  // namespace throng::test
