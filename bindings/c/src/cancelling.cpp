#include "bindings/c/src/cancelling.hpp"

#include <chrono>

#include "throng.h"

namespace throng::c_api {

namespace {

using Clock = std::chrono::steady_clock;

// Only this part reads a clock or keeps a variable: no answer depends on these.
//
// The host's callback may be slow, so it is called this often. While it says yes, it is called without a
// pause.
constexpr std::chrono::milliseconds time_between_calls{50};

struct Asked {
    throng_cancelled cancelled;
    void* context;
    Clock::rep next;  // when to ask again
    bool is_asking;   // calls that the callback makes meanwhile go on
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
