// What an engine chooses for a scene that it sees for the first time.
#pragma once

#include "support/test.hpp"

namespace throng::test {

inline Tuning tuning_of(const Scene& scene, EngineConfig config = {}) {
    Engine engine(scene.configure(config));
    EXPECT_EQ(engine.update(scene.boxes()), Status{});
    return engine.tuning();
}

}  // namespace throng::test
