// The answers are those of brute force, whatever the arrays come in.
using System;
using System.Linq;
using Throng;

static class AgreementTests {
    const int agents = 600, queries = 40;

    public static void BoxesFindTheAgentsOfBruteForce() {
        var world = new World(agents, 1);
        using (var engine = new Engine())
        using (var hits = new Hits(engine)) {
            engine.Update(world.Boxes, world.Labels);
            Filter filter = Filter.All;
            filter.Categories = 5;
            filter.NotInGroup = 2;
            filter.Self = 17;
            Box[] boxes = Enumerable.Range(0, queries).Select(q => world.AnyBox(q)).ToArray();
            var counts = new uint[queries];
            var answers = new byte[queries];
            using (Frame frame = engine.Frame()) {
                frame.Overlaps(Boxes.Of(boxes), hits, filter);
                frame.CountIn(Boxes.Of(boxes), counts, filter);
                frame.AnyIn(Boxes.Of(boxes), answers, filter);
                Check.Equal((long)queries, hits.Count, "lists");
                for (int q = 0; q < queries; ++q) {
                    uint[] wanted = world.In(boxes[q], i => world.Passes(i, filter)), room = new uint[agents];
                    Check.Same(wanted, World.Sorted(hits[q]), "box " + q);
                    Check.Equal((uint)wanted.Length, counts[q], "count of box " + q);
                    Check.Equal(wanted.Length > 0, answers[q] != 0, "any in box " + q);
                    Check.Equal(wanted.Length > 0, frame.AnyIn(boxes[q], filter), "any in box " + q);
                    Check.Equal((long)wanted.Length, frame.CountIn(boxes[q], filter), "count of box " + q);
                    Check.Equal((long)wanted.Length, frame.Overlaps(boxes[q], room, filter),
                        "total of box " + q);
                    uint[] found = room.Take(wanted.Length).OrderBy(id => id).ToArray();
                    Check.Same(wanted, found, "box " + q + " alone");
                }
            }
        }
    }

    public static void PairsAreThoseOfBruteForce() {
        var world = new World(agents, 2);
        using (var engine = new Engine())
        using (var pairs = new Pairs(engine)) {
            engine.Update(world.Boxes, world.Labels);
            using (Frame frame = engine.Frame()) {
                frame.Pairs(pairs);
                pairs.Sort();
                var found = new Pair[pairs.Count];
                pairs.CopyTo(found);
                Pair[] wanted = AllPairs(world, (i, k) => true);
                Check.That(wanted.Length > 100, "a world without pairs");
                Check.Same(wanted, found, "pairs");
                int index = 0;
                foreach (Pair pair in pairs) Check.Equal(found[index++], pair, "pair " + index);
                PairQuery query = PairQuery.All;
                query.OtherGroupsOnly = 1;
                Pair[] other = AllPairs(world, (i, k) => world.Groups[i] != world.Groups[k]);
                Check.Equal((long)other.Length, frame.CountPairs(query), "pairs of other groups");
                PairQuery circles = PairQuery.All;
                circles.AgentsAs = AgentsAs.Circles;
                Pair[] round = AllPairs(world, (i, k) => World.CirclesTouch(world.Box(i), world.Box(k)));
                Check.That(round.Length < wanted.Length, "boxes that touch where circles do not");
                Check.Equal((long)round.Length, frame.CountPairs(circles), "pairs of circles");
            }
        }
    }
    static Pair[] AllPairs(World world, Func<int, int, bool> passes) {
        return Enumerable.Range(0, world.Count).SelectMany(i => Enumerable.Range(i + 1, world.Count - i - 1)
            .Where(k => World.Touch(world.Box(i), world.Box(k)) && passes(i, k))
            .Select(k => new Pair { A = (uint)i, B = (uint)k })).ToArray();
    }

    public static void NeighboursAreThoseOfBruteForce() {
        var world = new World(agents, 3);
        using (var engine = new Engine())
        using (var lists = new Neighbours(engine)) {
            engine.Update(world.Boxes);
            Points points = Points.Of(world.X.Take(queries).ToArray(), world.Y.Take(queries).ToArray());
            using (Frame frame = engine.Frame()) {
                frame.Neighbours(Within.Of(6), lists);
                Check.Equal((long)agents, lists.Count, "lists");
                for (int i = 0; i < agents; ++i)
                    Check.Same(world.NearAgent(i, 6), World.Sorted(lists[i]), "neighbours of agent " + i);
                frame.Neighbours(points, Within.Of(9), lists);
                for (int q = 0; q < queries; ++q)
                    Check.Same(world.Near(world.X[q], world.Y[q], 9).OrderBy(id => id).ToArray(),
                        World.Sorted(lists[q]), "neighbours of point " + q);
                Nearest(world, frame, points, lists);
            }
        }
    }
    static unsafe void Nearest(World world, Frame frame, Points points, Neighbours lists) {
        Nearest eight = Throng.Nearest.Of(8);
        eight.Distances = 1;
        frame.Neighbours(points, eight, lists);
        for (int q = 0; q < queries; ++q) {
            uint[] wanted = world.Near(world.X[q], world.Y[q], 1000).Take(8).ToArray(), found = new uint[8];
            lists[q].CopyTo(found);
            Check.Same(wanted, found, "nearest of point " + q);
            for (int k = 0; k < 8; ++k)
                Check.Equal(world.SquaredDistance(world.X[q], world.Y[q], (int)wanted[k]),
                    lists.SquaredDistances[lists.Offsets[q] + (ulong)k], "distance " + k + " of point " + q);
            Neighbour one = frame.Nearest(world.X[q], world.Y[q]);
            Check.Equal(wanted[0], one.Id, "nearest one of point " + q);
        }
    }

    public static void RadiiTakeThePlaceOfOneRadius() {
        var world = new World(agents, 4);
        using (var engine = new Engine())
        using (var lists = new Neighbours(engine)) {
            engine.Update(world.Boxes);
            float[] radii = Enumerable.Range(0, agents).Select(i => (float)(i % 12)).ToArray();
            using (Frame frame = engine.Frame())
                frame.Neighbours(Within.Of(1), lists, default(Filter), radii);
            for (int i = 0; i < agents; ++i)
                Check.Same(world.NearAgent(i, radii[i]), World.Sorted(lists[i]), "neighbours of agent " + i);
        }
    }

    // Along an axis, where what a ray touches is what its box overlaps.
    public static void RaysHitTheAgentsOfBruteForce() {
        var world = new World(agents, 5);
        Cast[] casts = Enumerable.Range(0, queries).Select(q => Cast.Ray(-10, world.Any(100), q + 1, 0))
            .ToArray();
        var first = new CastHit[queries];
        var answers = new byte[queries];
        using (var engine = new Engine())
        using (var hits = new CastHits(engine)) {
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) {
                frame.FirstHits(casts, first);
                frame.Blocked(casts, answers);
                frame.AllHits(casts, hits);
                for (int q = 0; q < queries; ++q) {
                    Cast cast = casts[q];
                    float y = cast.MinY;
                    uint[] wanted = world.In(new Box { MinX = -10, MinY = y, MaxX = cast.Dx - 10, MaxY = y });
                    uint[] found = Enumerable.Range(0, (int)hits.Length(q)).Select(k => hits[q, k].Id)
                        .ToArray();
                    Check.Same(wanted, found.OrderBy(id => id).ToArray(), "hits of ray " + q);
                    Check.Equal(wanted.Length > 0, answers[q] != 0, "ray " + q + " is blocked");
                    Check.Equal(wanted.Length > 0, frame.Blocked(cast), "ray " + q + " is blocked");
                    Check.Equal(wanted.Length > 0 ? found[0] : Native.NoAgent, first[q].Id,
                        "first hit of ray " + q);
                    Check.Equal(first[q].Id, frame.FirstHit(cast).Id, "first hit of ray " + q + " alone");
                }
            }
        }
    }

    public static void EditsDoWhatTheySay() {
        var world = new World(agents, 6);
        using (var engine = new Engine()) {
            engine.Update(world.Boxes.First(agents - 2), world.Labels.First(agents - 2));
            var ids = new uint[1];
            Labels label = Labels.Of(new uint[] { 2 }, new uint[] { 9 });
            engine.Insert(Boxes.Of(new[] { world.Box(agents - 2) }), ids, label);
            Check.Equal((uint)agents - 2, ids[0], "the new id");
            engine.Move(new uint[] { 3 }, Boxes.Of(new[] { world.Box(agents - 1) }));
            engine.Relabel(new uint[] { 4 }, Labels.Of(new uint[] { 4 }, null));
            engine.Remove(new uint[] { 5 });
            Check.Equal(4L, engine.Staged, "staged edits");
            engine.Commit();
            using (Frame frame = engine.Frame()) {
                Check.Equal((long)agents - 2, frame.Count, "agents");
                Check.Equal(world.Box(agents - 1), frame.Box(3), "the box that moved");
                Check.Equal(4u, frame.Label(4).Categories, "the label that changed");
                Check.Equal(9u, frame.Label(ids[0]).Group, "the label of the new agent");
                var thrown = Check.Throws<ThrongException>(() => frame.Box(5), "a removed agent");
                Check.Equal(Code.UnknownId, thrown.Code, "code");
            }
            engine.Remove(new uint[] { 3 });
            engine.Discard();
            engine.Commit();
            Check.Equal((long)agents - 2, engine.Count, "agents after a discarded edit");
            Check.Equal(0ul, engine.Validate().Faults, "faults");
        }
    }

    public static unsafe void ArraysPointersAndStridesAreTheSame() {
        var world = new World(agents, 7);
        Box[] boxes = Enumerable.Range(0, agents).Select(world.Box).ToArray();
        uint[] ids = Enumerable.Range(0, agents).Select(i => (uint)i).ToArray();
        float[] minX = boxes.Select(b => b.MinX).ToArray(), maxX = boxes.Select(b => b.MaxX).ToArray();
        float[] minY = boxes.Select(b => b.MinY).ToArray(), maxY = boxes.Select(b => b.MaxY).ToArray();
        using (var engine = new Engine()) {
            ulong wanted = After(engine, world.Boxes);
            Check.Equal(wanted, After(engine, Boxes.MinMax(minX, minY, maxX, maxY)), "edges");
            Check.Equal(wanted, After(engine, Boxes.Of(boxes)), "boxes");
            fixed (float* x = world.X, y = world.Y, half = world.Half)
                Check.Equal(wanted, After(engine, Boxes.CentreHalf(x, y, half, half, agents)), "pointers");
            fixed (Box* first = boxes) {
                Check.Equal(wanted, After(engine, Boxes.Of(first, agents)), "a pointer to boxes");
                float* x = (float*)first;
                Boxes strided = Boxes.MinMax(x, x + 1, x + 2, x + 3, agents, sizeof(Box));
                Check.Equal(wanted, After(engine, strided), "a stride");
            }
            engine.Update(ids, Boxes.Of(boxes));
            using (Frame frame = engine.Frame()) Check.Equal(wanted, frame.Fingerprint, "ids");
            ulong points = After(engine, Boxes.Points(world.X, world.Y, 2));
            float[] two = Enumerable.Repeat(2f, agents).ToArray();
            Check.Equal(points, After(engine, Boxes.CentreHalf(world.X, world.Y, two, two)),
                "points with a radius");
            Check.That(points != wanted, "two worlds have one fingerprint");
        }
    }
    static ulong After(Engine engine, Boxes boxes) {
        engine.Update(boxes);
        using (Frame frame = engine.Frame()) return frame.Fingerprint;
    }

    public static void AnswersAreTheSameOnAnyThreads() {
        var world = new World(20000, 8);
        using (var one = new Engine(1))
        using (var four = new Engine(4))
        using (Neighbours serial = new Neighbours(one), parallel = new Neighbours(four)) {
            one.Update(world.Boxes);
            four.Update(world.Boxes);
            using (Frame first = one.Frame(), second = four.Frame()) {
                Check.Equal(first.Fingerprint, second.Fingerprint, "fingerprint");
                first.Neighbours(Within.Of(1), serial);
                second.Neighbours(Within.Of(1), parallel);
                uint[] wanted = new uint[serial.Total], found = new uint[parallel.Total];
                serial.CopyIdsTo(wanted);
                parallel.CopyIdsTo(found);
                Check.That(wanted.Length > 20000, "a world without neighbours");
                Check.That(wanted.SequenceEqual(found), "neighbours differ");
            }
        }
    }
}
