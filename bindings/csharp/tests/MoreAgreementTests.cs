// Shapes, both layers, blocks, filters of each query, changes, kept lists and handles, against brute force.
using System;
using System.Linq;
using Throng;

static class MoreAgreementTests {
    const int agents = 500, queries = 30;

    // The nearest point of a box decides, in numbers that are exact.
    static uint[] InCircle(World world, Circle circle) {
        return Enumerable.Range(0, agents).Where(i => {
            Box box = world.Box(i);
            float dx = Math.Max(0, Math.Max(box.MinX - circle.X, circle.X - box.MaxX));
            float dy = Math.Max(0, Math.Max(box.MinY - circle.Y, circle.Y - box.MaxY));
            return dx * dx + dy * dy <= circle.Radius * circle.Radius;
        }).Select(i => (uint)i).ToArray();
    }

    public static unsafe void ShapesFindTheAgentsOfBruteForce() {
        var world = new World(agents, 11);
        Circle[] circles = Enumerable.Range(0, queries)
            .Select(q => Circle.Of(world.Any(100), world.Any(100), q)).ToArray();
        Shape[] shapes = circles.Select(c => Shape.Circle(c.X, c.Y, c.Radius)).ToArray();
        var corners = new[] {
            new Point { X = 20, Y = 20 }, new Point { X = 60, Y = 20 }, new Point { X = 60, Y = 50 },
            new Point { X = 20, Y = 50 }
        };
        var counts = new uint[queries];
        using (var engine = new Engine())
        using (Hits ofCircles = new Hits(engine), ofShapes = new Hits(engine)) {
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame())
            fixed (Point* corner = corners) {
                // Shapes of other kinds that are the same sets of points.
                shapes[0] = Shape.Polygon(corner, 4);
                shapes[1] = Shape.Segment(circles[1].X, circles[1].Y, circles[1].X, circles[1].Y, 1);
                frame.Overlaps(Boxes.Of(circles), ofCircles);
                frame.Overlaps(Boxes.Of(shapes), ofShapes);
                frame.CountIn(Boxes.Of(circles), counts);
            }
            for (int q = 0; q < queries; ++q) {
                uint[] wanted = InCircle(world, circles[q]);
                Check.Same(wanted, World.Sorted(ofCircles[q]), "circle " + q);
                Check.Equal((uint)wanted.Length, counts[q], "count of circle " + q);
                if (q > 0) Check.Same(wanted, World.Sorted(ofShapes[q]), "shape " + q);
            }
            Check.Same(world.In(new Box { MinX = 20, MinY = 20, MaxX = 60, MaxY = 50 }),
                World.Sorted(ofShapes[0]), "polygon");
        }
    }

    public static void BothLayersAnswerOneQuery() {
        World world = new World(agents, 12), walls = new World(agents, 13);
        Box[] boxes = Enumerable.Range(0, queries).Select(q => world.AnyBox(10)).ToArray();
        using (var engine = new Engine())
        using (Hits moving = new Hits(engine), still = new Hits(engine))
        using (var pairs = new Pairs(engine)) {
            using (var layer = new StaticLayer(engine, walls.Boxes)) engine.SetStaticLayer(layer);
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame(), elements = frame.StaticLayer()) {
                Filter both = Filter.All;
                both.WithStatic = 1;
                frame.Overlaps(Boxes.Of(boxes), moving, still);
                for (int q = 0; q < queries; ++q) {
                    Check.Same(world.In(boxes[q]), World.Sorted(moving[q]), "agents in box " + q);
                    Check.Same(walls.In(boxes[q]), World.Sorted(still[q]), "elements in box " + q);
                    Check.Equal(moving.Length(q) + still.Length(q), frame.CountIn(boxes[q], both),
                        "both in box " + q);
                }
                frame.PairsWith(elements, pairs);
                long wanted = Enumerable.Range(0, agents).Sum(i => walls.In(world.Box(i)).Length);
                Check.Equal(wanted, pairs.Count, "pairs");
            }
            engine.ClearStaticLayer();
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame(), none = frame.StaticLayer())
                Check.Equal(0L, none.Count, "elements");
        }
    }

    public static void BlocksAreTheListsOfTheWhole() {
        var world = new World(agents, 14);
        using (var engine = new Engine())
        using (Neighbours whole = new Neighbours(engine), block = new Neighbours(engine)) {
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) {
                frame.Neighbours(Within.Of(8), whole);
                long first = 0, blocks = 0;
                for (; first < whole.Count; first += block.Count, ++blocks) {
                    block.Block(first, 1 << 10);
                    frame.Neighbours(Within.Of(8), block);
                    Check.That(block.Count > 0, "an empty block");
                    for (long i = 0; i < block.Count; ++i)
                        Check.Same(World.Sorted(whole[first + i]), World.Sorted(block[i]),
                            "list " + (first + i));
                }
                Check.Equal(whole.Count, first, "lists of all blocks");
                Check.That(blocks > 3, "one block has all");
            }
        }
    }

    public static unsafe void EachQueryHasItsFilter() {
        var world = new World(agents, 15);
        Box[] boxes = Enumerable.Range(0, queries).Select(q => world.AnyBox(30)).ToArray();
        QueryFilter[] filters = Enumerable.Range(0, queries).Select(q => new QueryFilter {
            Categories = 1u << (q % 3), Self = (uint)q, NotInGroup = (uint)(q % 5)
        }).ToArray();
        using (var engine = new Engine())
        using (var hits = new Hits(engine)) {
            engine.Update(world.Boxes, world.Labels);
            using (Frame frame = engine.Frame())
            fixed (QueryFilter* each = filters) {
                Filter filter = Filter.All;
                filter.Each = each;
                filter.EachCount = queries;
                frame.Overlaps(Boxes.Of(boxes), hits, filter);
            }
            for (int q = 0; q < queries; ++q) {
                Filter one = Filter.All;
                one.Categories = filters[q].Categories;
                one.Self = filters[q].Self;
                one.NotInGroup = filters[q].NotInGroup;
                Check.Same(world.In(boxes[q], i => world.Passes(i, one)), World.Sorted(hits[q]), "box " + q);
            }
        }
    }

    public static void PairsBeginAndEnd() {
        World before = new World(agents, 16), after = new World(agents, 17);
        using (var engine = new Engine())
        using (var changes = new PairChanges(engine)) {
            engine.Update(before.Boxes);
            using (Frame frame = engine.Frame()) {
                frame.Changes(changes);
                Pair[] first = Copied(changes.Pairs);
                Check.Same(first.OrderBy(Key).ToArray(), Copied(changes.Began), "pairs that began");
                engine.Update(after.Boxes);
                engine.Frame(frame).Changes(changes);
                Pair[] second = Copied(changes.Pairs);
                Check.Same(second.Except(first).OrderBy(Key).ToArray(), Copied(changes.Began),
                    "pairs that began");
                Check.Same(first.Except(second).OrderBy(Key).ToArray(), Copied(changes.Ended),
                    "pairs that ended");
                Check.That(changes.Began.Count > 100 && changes.Ended.Count > 100, "nothing changed");
                long most = 0;
                foreach (Pair pair in changes.Ended) most = Math.Max(most, pair.B);
                Check.That(most < agents, "a pair of no agents");
            }
        }
    }
    static ulong Key(Pair pair) { return ((ulong)pair.A << 32) + pair.B; }
    static Pair[] Copied(PairList list) {
        var pairs = new Pair[list.Count];
        list.CopyTo(pairs);
        return pairs;
    }

    public static void KeptNeighboursHaveAllThatAreNear() {
        var world = new World(agents, 18);
        using (var engine = new Engine())
        using (var kept = new KeptNeighbours(engine, KeptNeighbourhood.Of(5, 2))) {
            for (int step = 0; step < 4; ++step) {
                engine.Update(world.Boxes);
                using (Frame frame = engine.Frame()) frame.Neighbours(kept);
                Check.Equal(step == 0 || step == 3, kept.WasRebuilt, "rebuilt in step " + step);
                for (int i = 0; i < agents; ++i) {
                    uint[] near = world.Near(world.X[i], world.Y[i], 5).Where(id => id != i).ToArray();
                    Check.Equal(0, near.Except(World.Sorted(kept[i])).Count(),
                        "missing neighbours of agent " + i);
                }
                for (int i = 0; i < agents; i += 3) world.X[i] += step == 2 ? 5 : 0.25f;
            }
        }
    }

    public static void HandlesRebaseAndRenumber() {
        var world = new World(agents, 19);
        var counts = new uint[agents];
        var order = new uint[agents];
        using (var engine = new Engine()) {
            engine.Update(world.Boxes);
            Handle agent = engine.HandleOf(7), gone = engine.HandleOf(8);
            engine.Move(new[] { engine.IdOf(agent) }, Boxes.Of(new[] { world.Box(20) }));
            engine.Remove(new[] { engine.IdOf(gone) });
            engine.Insert(Boxes.Of(new[] { world.Box(8) }), new uint[1]);
            engine.Commit();
            Check.That(engine.IdOf(agent) == 7 && engine.IdOf(gone) == Native.NoAgent, "which handles are current");
            var thrown = Check.Throws<ThrongException>(() => engine.Remove(new[] { engine.IdOf(gone) }), "a stale handle");
            Check.Equal(Code.UnknownId, thrown.Code, "code");
            engine.Rebase(10, 20);
            using (Frame frame = engine.Frame()) {
                Check.Equal(world.Box(20).MinX - 10, frame.Box(7).MinX, "x of the agent that moved");
                Check.Equal(world.Box(30).MinY - 20, frame.Box(30).MinY, "y after a rebase");
                frame.RowOrder(order);
                frame.CountNeighbours(Within.Of(5), counts);
                using (Frame alone = frame.Serial()) {
                    var again = new uint[agents];
                    alone.CountNeighbours(Within.Of(5), again);
                    Check.Same(counts, again, "counts on the calling thread");
                }
                engine.Renumber(order);
                using (Frame after = engine.Frame())
                    for (uint k = 0; k < agents; ++k)
                        Check.Equal(frame.Box(order[k]), after.Box(k), "box of agent " + k);
            }
        }
    }
}
