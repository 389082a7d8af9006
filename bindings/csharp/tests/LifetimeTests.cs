// How long things live, what is freed, and that a settled simulation allocates nothing.
using System;
using System.Collections.Generic;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using Throng;

// The host's memory, which counts what is out.
static unsafe class CountedMemory {
    internal static int Blocks, Calls;
    static readonly Native.Allocate allocate = Allocate;
    static readonly Native.Deallocate deallocate = Deallocate;

    internal static EngineConfig Config() {
        EngineConfig config = EngineConfig.Made;
        config.Serial = 1;  // at its end Mono waits for threads of others that called C#
        config.Allocate = Marshal.GetFunctionPointerForDelegate(allocate);
        config.Deallocate = Marshal.GetFunctionPointerForDelegate(deallocate);
        return config;
    }
    // In front of the aligned memory is where it really begins.
    static void* Allocate(void* context, ulong bytes, ulong alignment) {
        Interlocked.Increment(ref Blocks);
        Interlocked.Increment(ref Calls);
        var begin = (ulong)Marshal.AllocHGlobal((IntPtr)(bytes + alignment + 8));
        ulong aligned = (begin + 8 + alignment - 1) / alignment * alignment;
        *(ulong*)(aligned - 8) = begin;
        return (void*)aligned;
    }
    static void Deallocate(void* context, void* memory, ulong bytes, ulong alignment) {
        Interlocked.Decrement(ref Blocks);
        Marshal.FreeHGlobal((IntPtr)(*(ulong*)((ulong)memory - 8)));
    }
}

static class LifetimeTests {
    static readonly World world = new World(2000, 9);

    public static void AFrameOutlivesItsEngine() {
        Frame frame, shared;
        Pairs pairs;
        long wanted;
        using (var engine = new Engine(CountedMemory.Config())) {
            engine.Update(world.Boxes);
            frame = engine.Frame();
            pairs = new Pairs(engine);
            wanted = frame.CountPairs();
            shared = frame.Share();
        }
        frame.Dispose();
        shared.Pairs(pairs);
        Check.Equal(wanted, pairs.Count, "pairs of a frame whose engine is gone");
        shared.Dispose();
        Check.That(CountedMemory.Blocks > 0, "the host's memory is not used");
        pairs.Dispose();
        Check.Equal(0, CountedMemory.Blocks, "blocks that are out");
    }

    public static unsafe void MemoryOutlivesItsEngineAndIsTheHosts() {
        Memory memory;
        EngineConfig config = EngineConfig.Made;
        config.HugePages = 1;
        using (var engine = new Engine(config))
        using (var pairs = new Pairs(engine)) {
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) {
                frame.Pairs(pairs);
                Check.That(pairs.Bytes >= 8 * pairs.Count, "a result holds what it found");
            }
            memory = new Memory(engine, 5000000);
        }
        Check.Equal(5000000L, memory.Bytes, "bytes");
        Check.Equal(0ul, (ulong)memory.First % 64, "where it begins");
        for (long i = 0; i < memory.Bytes; ++i) memory.First[i] = 1;
        memory.Dispose();
        Check.Throws<ObjectDisposedException>(() => memory.Bytes.ToString(), "disposed memory");
    }

    public static void ADisposedObjectIsRefused() {
        var engine = new Engine();
        engine.Update(world.Boxes);
        Frame frame = engine.Frame();
        var pairs = new Pairs(engine);
        frame.Pairs(pairs);
        pairs.Dispose();
        pairs.Dispose();
        Check.Equal(0L, pairs.Count, "pairs of a disposed result");
        Check.Throws<ObjectDisposedException>(() => frame.Pairs(pairs), "a disposed result");
        frame.Dispose();
        Check.Throws<ObjectDisposedException>(() => frame.CountPairs(), "a disposed frame");
        Check.Throws<ObjectDisposedException>(() => engine.Frame(frame), "a disposed frame to reuse");
        engine.Dispose();
        Check.Throws<ObjectDisposedException>(() => engine.Update(world.Boxes), "a disposed engine");
        Check.Throws<ObjectDisposedException>(() => new Pairs(engine), "a result of a disposed engine");
    }

    public static void WhatIsForgottenIsFreed() {
        // On another thread, whose stack, which the collector reads, is gone afterwards.
        for (int i = 0; i < 20; ++i) {
            var thread = new Thread(Forget);
            thread.Start();
            thread.Join();
        }
        Check.That(CountedMemory.Blocks > 0, "nothing was made");
        for (int tries = 0; tries < 50 && CountedMemory.Blocks > 0; ++tries) {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Check.Equal(0, CountedMemory.Blocks, "blocks that are out");
    }
    static void Forget() {
        var engine = new Engine(CountedMemory.Config());
        engine.Update(world.Boxes);
        var lists = new Neighbours(engine);
        engine.Frame().Neighbours(Within.Of(1), lists);
    }

    public static void AFrameIsReusedAndFollowsItsEngine() {
        using (var engine = new Engine()) {
            Frame frame = engine.Frame();
            Check.Equal(0L, frame.Count, "agents of a new engine");
            engine.Update(world.Boxes);
            Check.Equal(0L, frame.Count, "agents of an old frame");
            Check.That(ReferenceEquals(frame, engine.Frame(frame)), "another object");
            Check.Equal((long)world.Count, frame.Count, "agents of the frame that follows");
            frame.Dispose();
        }
    }

    public static void ASettledSimulationAllocatesNothing() {
        var allocated = (Func<long>)Delegate.CreateDelegate(typeof(Func<long>),
            typeof(GC).GetMethod("GetAllocatedBytesForCurrentThread"));
        using (var engine = new Engine(CountedMemory.Config()))
        using (var pairs = new Pairs(engine))
        using (var lists = new Neighbours(engine))
        using (Frame frame = engine.Frame()) {
            long before = 0, sum = 0;
            int calls = 0;
            for (int k = 0; k < 100; ++k) {
                if (k == 80) {
                    before = allocated();
                    calls = CountedMemory.Calls;
                }
                engine.Update(world.Boxes);
                engine.Frame(frame).Pairs(pairs);
                frame.Neighbours(Within.Of(2), lists);
                foreach (Pair pair in pairs) sum += pair.A;
                for (int i = 0; i < 10; ++i)
                    foreach (uint id in lists[i]) sum += id;
            }
            Check.Equal(before, allocated(), "bytes that C# allocated");
            Check.Equal(calls, CountedMemory.Calls, "the library's allocations");
            Check.That(sum > 0, "nothing was found");
        }
    }

    public static void AThreadEndsItsCallsAndNoOthers() {
        using (var engine = new Engine(1)) {
            var many = new World(20000, 9);
            engine.Update(many.Boxes);
            using (Frame frame = engine.Frame()) {
                var counts = new uint[many.Count];
                Within all = Within.Of(float.MaxValue);
                int asked = 0;
                using (new Cancelling(() => ++asked > 0)) {
                    var refused = Check.Throws<ThrongException>(() => frame.CountNeighbours(all, counts), "a long call");
                    Check.Equal(Code.Cancelled, refused.Code, "why it ended");
                    using (new Cancelling(() => { throw new Failure("an exception counts as a yes"); }))
                        Check.Throws<ThrongException>(() => engine.Update(many.Boxes), "an update");
                    int before = asked;
                    var other = new Thread(() => frame.CountNeighbours(all, counts));
                    other.Start();
                    other.Join();
                    Check.Equal(before, asked, "questions in another thread");
                    Check.Throws<ThrongException>(() => engine.Update(many.Boxes), "an update after another's questions");
                }
                frame.CountNeighbours(all, counts);
                Check.Equal((uint)many.Count - 1, counts[0], "neighbours");
                Check.Equal((long)many.Count, engine.Count, "agents");
            }
        }
    }

    public static void ManyThreadsAskOneFrame() {
        using (var engine = new Engine()) {
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) {
                long wanted = frame.CountPairs();
                int wrong = 0;
                var threads = new List<Thread>();
                for (int i = 0; i < 4; ++i) {
                    threads.Add(new Thread(() => {
                        for (int k = 0; k < 20; ++k)
                            using (Frame mine = frame.Share())
                                if (mine.CountPairs() != wanted) Interlocked.Increment(ref wrong);
                    }));
                    threads[i].Start();
                }
                for (int k = 0; k < 20; ++k) engine.Update(world.Boxes);
                foreach (Thread thread in threads) thread.Join();
                Check.Equal(0, wrong, "wrong answers");
            }
        }
    }
}
