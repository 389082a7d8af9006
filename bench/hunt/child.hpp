// A process that does something dangerous and reports through a pipe.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>

#include "bench/hunt/score.hpp"

namespace throng::hunt {

struct Message {
    enum class Kind : std::uint8_t { begins, ended, score, finished, failed, dismissed };

    Kind kind = Kind::ended;
    int round = 0;
    Score score = {};
    char text[160] = {};
};

// The end that is written to. A message is short enough to arrive in one piece.
class Pipe {
public:
    explicit Pipe(int descriptor) : descriptor_(descriptor) {}
    void send(const Message& message) const;

private:
    int descriptor_;
};

class Child {
public:
    // Throws std::runtime_error if there can be no further process.
    Child(const std::function<void(const Pipe&)>& body, std::size_t mebibytes);
    // Ends the process, if it still runs.
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    enum class Received { message, nothing, late };
    // Waits for the next message until the process is that old.
    Received receive(Message& message, double until);
    double age() const;
    // The time it has had on a processor.
    double busy() const;

private:
    int descriptor_ = -1;
    pid_t process_ = -1;
    std::chrono::steady_clock::time_point begin_;
};

}  // namespace throng::hunt
