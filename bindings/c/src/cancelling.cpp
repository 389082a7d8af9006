#include "bindings/c/src/cancelling.hpp"

#include <chrono>

#include "throng.h"

namespace throng::c_api {

namespace {

using Clock = std::chrono::steady_clock;

// Nothing else of the library reads a clock or keeps a variable: no answer depends on these.
//
// The host's callback may be slow, so it is called this often, and then without a pause while it says yes.
constexpr std::chrono::milliseconds time_between_calls{50};

struct Asked {
    throng_cancelled cancelled;
    void* context;
    Clock::rep next;  // when to ask again
    bool is_asking;   // calls that the host makes meanwhile go on
};

constinit thread_local Asked asked{};

}  // namespace

bool is_cancelled(void*) noexcept {
    Asked& mine = asked;
    if (mine.cancelled == nullptr || mine.is_asking) return false;
    const Clock::rep now = Clock::now().time_since_epoch().count();
    if (now < mine.next) return false;
    mine.is_asking = true;
    const bool yes = mine.cancelled(mine.context) != 0;
    mine.is_asking = false;
    const Clock::duration pause = time_between_calls;
    mine.next = yes ? now : Clock::now().time_since_epoch().count() + pause.count();
    return yes;
}

}  // namespace throng::c_api

void throng_cancel_with(throng_cancelled cancelled, void* context) {
    throng::c_api::asked = {cancelled, context, 0, false};
}
