// Every fault that the object checks look for. This file is compiled and looked at, and never linked or run.
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace planted {

int make();

// Code that other objects may contain as well.
[[gnu::noinline]] inline int weak_function(int i) { return i * make(); }

// Code that runs on loading.
int started = make();

// Variables of each kind.
int zeroed_variable;
int initialised_variable = 1;
thread_local int thread_variable = 2;
inline int inline_variable = 3;

int static_in_a_function() {
    static int counted = 0;
    return ++counted;
}

// And none that may pass: a table of addresses is a constant, though the loader fills it in.
extern int (*const constant_table[])(int);
int (*const constant_table[])(int) = {&weak_function};

void calls() {
    std::printf("%d\n", inline_variable + thread_variable);
    std::puts("planted");
    char digits[8];
    std::to_chars(digits, digits + sizeof digits, 1.5f, std::chars_format::general, 4);
    std::cout << "planted";
    std::thread([] {}).detach();
    if (std::chrono::steady_clock::now().time_since_epoch().count() == 0) std::exit(1);
    std::abort();
}

}  // namespace planted

// What belongs to the inside of the library by its name, and what does not, though a parameter does.
namespace throng::detail {
struct Inner;
int inner_function(int value) { return value; }
}  // namespace throng::detail
namespace throng {
int public_function(const detail::Inner*) { return 0; }
}  // namespace throng
namespace throng::structures {
namespace detail {
int inner_function_of_structures(int value) { return value; }
}  // namespace detail
int needed_structure(int value);
int structure_function() { return needed_structure(1); }
}  // namespace throng::structures
