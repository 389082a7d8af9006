// A value that counts how many of its kind live, checks that none is used or destroyed twice, and throws when
// it is told to. A container of any type must get all of this right.
#pragma once

#include "structures/tests/test.hpp"

namespace throng::structures::test {

class Tracked {
public:
    static constexpr int moved_from = -1;

    // How many live, and in how many copies the next exception comes; never, if negative.
    static inline long living = 0;
    static inline long copies_until_throw = -1;

    explicit Tracked(int number = 0) : number_(number) {
        may_throw();
        ++living;
    }
    Tracked(const Tracked& other) : number_(other.number()) {
        may_throw();
        ++living;
    }
    Tracked(Tracked&& other) noexcept : number_(std::exchange(other.number_, moved_from)) {
        EXPECT_EQ(other.self_, &other);
        ++living;
    }
    Tracked& operator=(const Tracked& other) {
        may_throw();
        number_ = other.number();
        return *this;
    }
    Tracked& operator=(Tracked&& other) noexcept {
        number_ = std::exchange(other.number_, moved_from);
        return *this;
    }
    ~Tracked() {
        EXPECT_EQ(self_, this) << "destroyed twice, or never made";
        self_ = nullptr;
        --living;
    }
    int number() const {
        EXPECT_EQ(self_, this) << "used where none was made";
        return number_;
    }
    friend bool operator==(const Tracked& a, const Tracked& b) { return a.number() == b.number(); }

private:
    static void may_throw() {
        if (copies_until_throw >= 0 && copies_until_throw-- == 0) throw std::runtime_error("told to");
    }

    int number_;
    const Tracked* self_ = this;
};

// Cannot be copied, and must lie where vectors do.
struct alignas(64) Wide {
    explicit Wide(int value) noexcept : number(value) {}
    Wide(Wide&& other) noexcept : number(std::exchange(other.number, -1)) {}
    Wide& operator=(Wide&&) = delete;
    ~Wide() { EXPECT_EQ(reinterpret_cast<std::size_t>(this) % 64, 0u); }

    int number;
};

// After a test of a container there is no value left, and no memory.
class TrackedTest : public ::testing::Test {
protected:
    void SetUp() override { living_before_ = Tracked::living; }
    void TearDown() override {
        Tracked::copies_until_throw = -1;
        EXPECT_EQ(Tracked::living, living_before_);
        EXPECT_EQ(memory_.bytes_out(), 0u);
        EXPECT_FALSE(memory_.misused());
    }

    CountingResource memory_;

private:
    long living_before_ = 0;
};

}  // namespace throng::structures::test
