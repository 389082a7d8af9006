// How much stack a call takes: executor.hpp tells hosts, whose jobs may run on fibers. Only a release build
// must take no more.
#if defined(_WIN32)
#include <thread>
#else
#include <pthread.h>
#endif

#include <algorithm>
#include <functional>

#include "support/instruction_sets.hpp"
#include "support/test.hpp"
#include "worlds/hunted/frames.hpp"
#include "worlds/hunted/text.hpp"

namespace throng::test {
namespace {

constexpr std::size_t bytes_said = 112 * 1024;

constexpr std::uint8_t paint = 0xA5;

// The lowest byte of a thread's stack that a call wrote to shows how much it took.
#if defined(_WIN32)
// A thread takes no stack from its creator, so it paints its own: the next function that it calls has the
// same place.
constexpr std::size_t painted = std::size_t{1} << 19;

[[gnu::noinline]] void paint_stack() {
    std::uint8_t stack[painted];
    std::fill(stack, stack + painted, paint);
    // Read, as far as the compiler knows.
    __asm__ volatile("" : : "m"(stack));
}

[[gnu::noinline]] std::size_t painted_over() {
    std::uint8_t stack[painted];
    // Written to, as far as the compiler knows.
    __asm__ volatile("" : "=m"(stack));
    return painted -
           static_cast<std::size_t>(
               std::find_if(stack, stack + painted, [](std::uint8_t b) { return b != paint; }) - stack);
}

std::size_t stack_of(std::function<void()> call) {
    std::size_t taken = 0;
    std::thread([&] {
        paint_stack();
        call();
        taken = painted_over();
    }).join();
    return taken;
}
#else
std::size_t stack_of(std::function<void()> call) {
    constexpr std::size_t page = 4096;
    std::vector<std::uint8_t> memory((std::size_t{1} << 20) + page, paint);
    std::uint8_t* const stack = memory.data() + page - reinterpret_cast<std::uintptr_t>(memory.data()) % page;
    const std::size_t size = memory.size() - page;
    pthread_attr_t attributes;
    pthread_t thread;
    EXPECT_EQ(pthread_attr_init(&attributes), 0);
    EXPECT_EQ(pthread_attr_setstack(&attributes, stack, size), 0);
    const auto run = [](void* argument) -> void* {
        (*static_cast<std::function<void()>*>(argument))();
        return nullptr;
    };
    EXPECT_EQ(pthread_create(&thread, &attributes, run, &call), 0);
    EXPECT_EQ(pthread_join(thread, nullptr), 0);
    EXPECT_EQ(pthread_attr_destroy(&attributes), 0);
    return size - static_cast<std::size_t>(
                      std::find_if(stack, stack + size, [](std::uint8_t b) { return b != paint; }) - stack);
}
#endif

// A crowd; islands within islands; and trees over many oversized agents.
constexpr std::string_view texts[] = {
    "h1;n=5000;seed=1;place=square;then=walk",
    "h1;n=20000;seed=140;place=radial(centres=10000,apart=259);"
    "size=sliver(long=8450000,thin=0.00945,tall=0.415);at=at(spread=1.47e-05,turn=0.251);"
    "place=hinterland(octaves=93.5);place=line(step=17.2,width=66.2);"
    "size=power(least=6.47e-07,most=8.3e-06);at=at(turn=0.7);share=0.856;ids=y;then=walk(step=1e+06)",
    "h1;n=20000;seed=531;place=hinterland(octaves=100);at=at(y=-1560);share=25.1;"
    "place=villages(each=127,continent=3.33e+25);size=distance(factor=0.0331);at=at(scale=0.362);place=piles;"
    "size=sliver(long=8.27e+08);at=at(spread=2.81);place=piles(each=29);place=star(rays=9,octaves=15.8);"
    "size=distance(factor=2.65e-06);share=16.4;then=shrink(share=0.0525)"};

TEST(Stack, holds_every_call_in_what_hosts_are_told) {
    const std::size_t of_thread = stack_of([] {});
    std::size_t most = 0;
    for (const Isa isa : instruction_sets())
        for (const std::string_view text : texts) {
            worlds::Frames frames(worlds::parse(text).world.value());
            Engine engine({.executor = serial_executor(), .isa = isa});
            const auto take = [&](const char* name, std::function<Status()> call) {
                Status status;
                const std::size_t bytes = stack_of([&] { status = call(); }) - of_thread;
                EXPECT_EQ(status, Status{}) << name;
                EXPECT_LE(bytes, bytes_said) << name << " with " << static_cast<int>(isa) << " in " << text;
                most = std::max(most, bytes);
            };
            for (int k = 0; k < 2; ++k, frames.next()) {
                const auto& boxes = frames.boxes();
                take("update", [&] { return engine.update(Boxes::of(boxes)); });
                std::vector<AgentId> some;
                std::vector<Box> there;
                for (std::size_t i = 0; i < boxes.size(); i += 3) {
                    some.push_back(static_cast<AgentId>(i));
                    there.push_back(boxes[i / 2]);
                }
                take("move", [&] { return engine.move(some, Boxes::of(there)); });
                take("commit", [&] { return engine.commit(); });

                const Frame frame = engine.frame();
                PairList pairs;
                OverlapLists hits;
                OverlapsAsFound found;
                NeighbourLists lists;
                std::vector<Circle> circles;
                std::vector<Box> wide;
                std::vector<Cast> casts;
                for (const Box& b : boxes) {
                    const float x = (b.min_x + b.max_x) / 2, y = (b.min_y + b.max_y) / 2,
                                half = 5 * (b.max_x - b.min_x) / 2;
                    if (wide.size() == 2000) break;
                    wide.push_back(Box::around(x, y, half, 5 * (b.max_y - b.min_y) / 2));
                    circles.push_back({x, y, half});
                    casts.push_back(Cast::segment({x, y}, {x + half, y + half}));
                }
                std::vector<std::uint32_t> counts(wide.size());
                std::vector<CastHit> first(casts.size());
                take("pairs", [&] { return frame.pairs(pairs); });
                take("overlaps", [&] { return frame.overlaps(Boxes::of(wide), hits); });
                take("overlaps as found", [&] { return frame.overlaps(Boxes::of(wide), found); });
                take("count", [&] { return frame.count(Boxes::of(wide), counts); });
                take("circles", [&] { return frame.overlaps(std::span<const Circle>(circles), hits); });
                take("circles counted",
                     [&] { return frame.count(std::span<const Circle>(circles), counts); });
                take("nearest", [&] { return frame.neighbours({.count = 8}, lists); });
                take("first hits", [&] { return frame.first_hits(casts, first); });
            }
        }
    EXPECT_GE(2 * most, bytes_said) << "hosts are told far more than is taken";
}

}  // namespace
}  // namespace throng::test
