// A world that wraps around: the answers are those of brute force over all images. All coordinates are in
// steps that moves by a period keep, so no answer depends on rounding.
using System;
using System.Linq;
using Throng;

static class AroundTests {
    const int agents = 400, queries = 40;
    const float period = 80;  // less than the world's side, so some agents are folded

    static Engine Wrapping() {
        EngineConfig config = EngineConfig.Made;
        config.PeriodX = config.PeriodY = period;
        return new Engine(config);
    }
    static Box Moved(Box box, int k, int l) {
        return new Box { MinX = box.MinX + k * period, MinY = box.MinY + l * period, MaxX = box.MaxX + k * period,
            MaxY = box.MaxY + l * period };
    }
    static bool Touch(Box a, Box b) {
        for (int k = -4; k <= 4; ++k)
            for (int l = -4; l <= 4; ++l)
                if (World.Touch(Moved(a, k, l), b)) return true;
        return false;
    }
    static float Way(float a, float b) {
        float way = Math.Abs(a - b) % period;
        return Math.Min(way, period - way);
    }

    public static void PairsCrossTheSeams() {
        var world = new World(agents, 61);
        using (Engine engine = Wrapping())
        using (var pairs = new Pairs(engine)) {
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) {
                frame.Pairs(pairs);
                pairs.Sort();
                var found = new Pair[pairs.Count];
                pairs.CopyTo(found);
                Pair[] wanted = Enumerable.Range(0, agents)
                    .SelectMany(i => Enumerable.Range(i + 1, agents - i - 1)
                        .Where(k => Touch(world.Box(i), world.Box(k)))
                        .Select(k => new Pair { A = (uint)i, B = (uint)k }))
                    .ToArray();
                Check.That(wanted.Length > 100, "a world without pairs");
                Check.Same(wanted, found, "pairs");
                Check.Equal((long)wanted.Length, frame.CountPairs(), "how many pairs");
            }
        }
    }

    public static void BoxesFindAgentsAndWallsAnywhere() {
        World world = new World(agents, 62), walls = new World(agents, 63);
        using (Engine engine = Wrapping())
        using (var layer = new StaticLayer(engine, walls.Boxes)) {
            engine.SetStaticLayer(layer);
            engine.Update(world.Boxes);
            Filter both = Filter.All;
            both.WithStatic = 1;
            using (Frame frame = engine.Frame())
                for (int q = 0; q < queries; ++q) {
                    Box box = Moved(world.AnyBox(q), q % 5 - 2, q % 3 - 1);
                    long own = Enumerable.Range(0, agents).Count(i => Touch(box, world.Box(i)));
                    long still = Enumerable.Range(0, agents).Count(i => Touch(box, walls.Box(i)));
                    Check.Equal(own, frame.CountIn(box), "agents in box " + q);
                    Check.Equal(own + still, frame.CountIn(box, both), "both in box " + q);
                }
        }
    }

    public static unsafe void DistancesAreThoseOfTheNearestImages() {
        var world = new World(agents, 64);
        using (Engine engine = Wrapping())
        using (var lists = new Neighbours(engine)) {
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) {
                Nearest eight = Nearest.Of(8);
                eight.Distances = 1;
                frame.Neighbours(eight, lists);
                for (int i = 0; i < agents; ++i) {
                    float[] wanted = Enumerable.Range(0, agents).Where(k => k != i)
                        .Select(k => {
                            float x = Way(world.X[i], world.X[k]), y = Way(world.Y[i], world.Y[k]);
                            return x * x + y * y;
                        })
                        .OrderBy(way => way).Take(8).ToArray();
                    for (int n = 0; n < wanted.Length; ++n)
                        Check.Equal(wanted[n], lists.SquaredDistances[lists.Offsets[i] + (ulong)n],
                            "distance " + n + " of agent " + i);
                }
            }
        }
    }
}
