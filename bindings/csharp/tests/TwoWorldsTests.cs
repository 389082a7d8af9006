// Agents and walls in one query, agents of another frame, and boxes without an engine.
using System;
using System.Linq;
using Throng;

static class TwoWorldsTests {
    const int agents = 400, queries = 30;

    static Box[] SomeBoxes(World world) {
        return Enumerable.Range(0, queries).Select(q => world.AnyBox(15)).ToArray();
    }
    static Points SomePoints(World world) {
        return Points.Of(world.X.Take(queries).ToArray(), world.Y.Take(queries).ToArray());
    }

    // A frame of a world with another one as its walls.
    static void With(World world, World walls, Action<Engine, Frame> body) {
        using (var engine = new Engine()) {
            using (var layer = new StaticLayer(engine, walls.Boxes)) engine.SetStaticLayer(layer);
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) body(engine, frame);
        }
    }

    public static unsafe void OverlapsAsFoundAreThoseOfBothLayers() {
        World world = new World(agents, 41), walls = new World(agents, 42);
        Box[] boxes = SomeBoxes(world);
        With(world, walls, (engine, frame) => {
            using (HitsAsFound moving = new HitsAsFound(engine), still = new HitsAsFound(engine)) {
                frame.Overlaps(Boxes.Of(boxes), moving, still);
                Check.That(moving.Total > 50 && still.Total > 50, "nothing is found");
                for (int k = 0; k < queries; ++k) {
                    Check.Same(world.In(boxes[moving.Queries[k]]), World.Sorted(moving[k]), "agents " + k);
                    Check.Same(walls.In(boxes[still.Queries[k]]), World.Sorted(still[k]), "elements " + k);
                }
            }
        });
    }

    public static void NeighboursAreThoseOfBothLayers() {
        World world = new World(agents, 43), walls = new World(agents, 44);
        Points points = SomePoints(world);
        With(world, walls, (engine, frame) => {
            using (Neighbours moving = new Neighbours(engine), still = new Neighbours(engine)) {
                frame.Neighbours(Within.Of(6), moving, still);
                for (int i = 0; i < agents; ++i) {
                    uint[] elements = walls.Near(world.X[i], world.Y[i], 6).OrderBy(id => id).ToArray();
                    Check.Same(world.NearAgent(i, 6), World.Sorted(moving[i]), "agents near agent " + i);
                    Check.Same(elements, World.Sorted(still[i]), "elements near agent " + i);
                }
                frame.Neighbours(points, Within.Of(6), moving, still);
                for (int q = 0; q < queries; ++q) {
                    uint[] near = world.Near(world.X[q], world.Y[q], 6).OrderBy(id => id).ToArray();
                    uint[] elements = walls.Near(world.X[q], world.Y[q], 6).OrderBy(id => id).ToArray();
                    Check.Same(near, World.Sorted(moving[q]), "agents near point " + q);
                    Check.Same(elements, World.Sorted(still[q]), "elements near point " + q);
                }
            }
        });
    }

    public static void TheNearestOfBothLayersAreFound() {
        World world = new World(agents, 45), walls = new World(agents, 46);
        Points points = SomePoints(world);
        With(world, walls, (engine, frame) => {
            using (Neighbours moving = new Neighbours(engine), still = new Neighbours(engine)) {
                frame.Neighbours(points, Nearest.Of(8), moving, still);
                for (int q = 0; q < queries; ++q) NearestOf(world, walls, q, moving, still, -1);
                frame.Neighbours(Nearest.Of(8), moving, still);
                for (int i = 0; i < queries; ++i) NearestOf(world, walls, i, moving, still, i);
                Filter both = Filter.All;
                both.WithStatic = 1;
                int elements = 0;
                for (int q = 0; q < queries; ++q) {
                    float x = walls.X[q] + 0.25f, y = walls.Y[q];
                    float agent = Enumerable.Range(0, agents).Min(i => world.SquaredDistance(x, y, i));
                    float wall = Enumerable.Range(0, agents).Min(i => walls.SquaredDistance(x, y, i));
                    bool isStatic;
                    Neighbour nearest = frame.Nearest(x, y, out isStatic, both);
                    Check.Equal(Math.Min(agent, wall), nearest.SquaredDistance, "the nearest of point " + q);
                    if (agent != wall) Check.Equal(wall < agent, isStatic, "the layer of point " + q);
                    elements += isStatic ? 1 : 0;
                }
                Check.That(elements > 0, "no element is nearest");
            }
        });
    }
    // The distances of the nearest eight, in whichever layer they are.
    static void NearestOf(World world, World walls, int i, Neighbours moving, Neighbours still, int without) {
        float x = world.X[i], y = world.Y[i];
        float[] wanted = Enumerable.Range(0, agents).Where(k => k != without)
            .Select(k => world.SquaredDistance(x, y, k))
            .Concat(Enumerable.Range(0, agents).Select(k => walls.SquaredDistance(x, y, k)))
            .OrderBy(d => d).Take(8).ToArray();
        float[] found = World.Sorted(moving[i]).Select(k => world.SquaredDistance(x, y, (int)k))
            .Concat(World.Sorted(still[i]).Select(k => walls.SquaredDistance(x, y, (int)k)))
            .OrderBy(d => d).ToArray();
        Check.Same(wanted, found, "the nearest of " + i);
    }

    public static void AnotherFrameHasNeighboursAndPairs() {
        World world = new World(agents, 47), others = new World(agents, 48);
        using (var engine = new Engine())
        using (var other = new Engine())
        using (var lists = new Neighbours(engine))
        using (var pairs = new Pairs(engine)) {
            engine.Update(world.Boxes);
            other.Update(others.Boxes);
            using (Frame frame = engine.Frame(), otherFrame = other.Frame()) {
                frame.NeighboursIn(otherFrame, Within.Of(5), lists);
                for (int i = 0; i < agents; ++i)
                    Check.Same(others.Near(world.X[i], world.Y[i], 5).OrderBy(id => id).ToArray(),
                        World.Sorted(lists[i]), "within of agent " + i);
                frame.NeighboursIn(otherFrame, Nearest.Of(3), lists);
                for (int i = 0; i < agents; ++i) {
                    var found = new uint[3];
                    lists[i].CopyTo(found);
                    uint[] wanted = others.Near(world.X[i], world.Y[i], 1000).Take(3).ToArray();
                    Check.Same(wanted, found, "nearest of " + i);
                }
                frame.PairsWith(otherFrame, pairs);
                var whole = new Pair[pairs.Count];
                var some = new Pair[pairs.Count];
                pairs.CopyTo(whole);
                Check.That(whole.Length > 100, "worlds without pairs");
                Check.Equal(pairs.Count, frame.CountPairsWith(otherFrame), "count of pairs");
                Check.Equal(pairs.Count, frame.PairsWith(otherFrame, some), "total of pairs");
                Check.Same(whole.OrderBy(p => p.A).ThenBy(p => p.B).ToArray(),
                    some.OrderBy(p => p.A).ThenBy(p => p.B).ToArray(), "pairs");
            }
        }
    }

    public static void BoxesWithoutAnEngineAreThoseOfBruteForce() {
        var world = new World(agents, 49);
        Box[] boxes = SomeBoxes(world);
        Points points = SomePoints(world);
        var counts = new uint[queries];
        var answers = new byte[queries];
        float[] radii = Enumerable.Range(0, queries).Select(q => (float)(q % 9)).ToArray();
        EngineConfig config = EngineConfig.Made;
        config.Serial = 1;
        using (var engine = new Engine(1))
        using (var hits = new Hits(engine))
        using (var lists = new Neighbours(engine)) {
            Arrays.Overlaps(world.Boxes, Boxes.Of(boxes), hits);
            Arrays.Count(world.Boxes, Boxes.Of(boxes), counts, config);
            Arrays.Any(world.Boxes, Boxes.Of(boxes), answers);
            for (int q = 0; q < queries; ++q) {
                uint[] wanted = world.In(boxes[q]);
                Check.Same(wanted, World.Sorted(hits[q]), "box " + q);
                Check.Equal((uint)wanted.Length, counts[q], "count of box " + q);
                Check.Equal(wanted.Length > 0, answers[q] != 0, "any in box " + q);
            }
            Arrays.Neighbours(world.Boxes, points, Within.Of(1), lists, config, radii);
            for (int q = 0; q < queries; ++q)
                Check.Same(world.Near(world.X[q], world.Y[q], radii[q]).OrderBy(id => id).ToArray(),
                    World.Sorted(lists[q]), "within of point " + q);
            Arrays.Neighbours(world.Boxes, points, Nearest.Of(4), lists);
            for (int q = 0; q < queries; ++q) {
                var found = new uint[4];
                lists[q].CopyTo(found);
                uint[] wanted = world.Near(world.X[q], world.Y[q], 1000).Take(4).ToArray();
                Check.Same(wanted, found, "nearest of point " + q);
            }
            config = new EngineConfig { Workers = 1 };
            Action ask = () => Arrays.Count(world.Boxes, Boxes.Of(boxes), counts, config);
            var thrown = Check.Throws<ThrongException>(ask, "a config that was not made");
            Check.Equal(Code.BadStruct, thrown.Code, "code");
        }
    }
}
