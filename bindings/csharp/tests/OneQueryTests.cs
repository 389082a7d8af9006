// One query on the calling thread, answers into arrays and in the order of the search: those of batches.
using System;
using System.Linq;
using Throng;

static class OneQueryTests {
    const int agents = 500, queries = 30;

    static Box[] SomeBoxes(World world) {
        return Enumerable.Range(0, queries).Select(q => world.AnyBox(q)).ToArray();
    }

    public static void OneShapeIsThatOfABatch() {
        var world = new World(agents, 31);
        Shape[] shapes = Enumerable.Range(0, queries).Select(q => {
            float x = world.Any(100), y = world.Any(100);
            return q % 2 == 0 ? Shape.Circle(x, y, q) : Shape.Segment(x, y, world.Any(100), y, q / 10f);
        }).ToArray();
        Filter filter = Filter.All;
        filter.Categories = 5;
        using (var engine = new Engine())
        using (var hits = new Hits(engine)) {
            engine.Update(world.Boxes, world.Labels);
            using (Frame frame = engine.Frame()) {
                frame.Overlaps(Boxes.Of(shapes), hits, filter);
                Check.That(hits.Total > 100, "nothing is found");
                for (int q = 0; q < queries; ++q) {
                    var room = new uint[agents];
                    long total = frame.Overlaps(shapes[q], room, filter);
                    uint[] found = room.Take((int)total).OrderBy(id => id).ToArray();
                    Check.Same(World.Sorted(hits[q]), found, "shape " + q);
                    Check.Equal(total, frame.CountIn(shapes[q], filter), "count of shape " + q);
                    Check.Equal(total > 0, frame.AnyIn(shapes[q], filter), "any in shape " + q);
                }
            }
        }
    }

    public static unsafe void ListsInArraysAndAsFoundAreThoseOfHits() {
        var world = new World(agents, 32);
        Box[] boxes = SomeBoxes(world);
        var offsets = new ulong[queries + 1];
        var ids = new uint[agents * queries];
        using (var engine = new Engine())
        using (var hits = new Hits(engine))
        using (var found = new HitsAsFound(engine)) {
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) {
                frame.Overlaps(Boxes.Of(boxes), hits);
                frame.Overlaps(Boxes.Of(boxes), found);
                Check.Equal(hits.Total, frame.Overlaps(Boxes.Of(boxes), offsets, ids), "total");
            }
            Check.Equal((long)queries, found.Count, "lists");
            Check.Equal(hits.Total, found.Total, "ids");
            var isThere = new bool[queries];
            for (int k = 0; k < queries; ++k) {
                uint q = found.Queries[k];
                isThere[q] = true;
                Check.Same(World.Sorted(hits[q]), World.Sorted(found[k]), "box " + q + " as found");
                uint[] one = ids.Skip((int)offsets[k]).Take((int)(offsets[k + 1] - offsets[k])).ToArray();
                Array.Sort(one);
                Check.Same(World.Sorted(hits[k]), one, "box " + k + " in an array");
            }
            Check.That(isThere.All(b => b), "a query without a list");
            Check.Throws<ThrongException>(() => engine.Frame().Overlaps(Boxes.Of(boxes), new ulong[3], ids),
                "too few offsets");
        }
    }

    public static unsafe void PairsInArraysAreThoseOfLists() {
        var world = new World(agents, 33);
        using (var engine = new Engine())
        using (var pairs = new Pairs(engine)) {
            engine.Update(world.Boxes, world.Labels);
            PairQuery query = PairQuery.All;
            query.OtherGroupsOnly = 1;
            query.Within = 0.5f;
            using (Frame frame = engine.Frame()) {
                frame.Pairs(pairs, query);
                var whole = new Pair[pairs.Count];
                pairs.CopyTo(whole);
                Check.That(whole.Length > 100, "a world without pairs");
                var found = new Pair[whole.Length];
                Check.Equal((long)whole.Length, frame.Pairs(found, query), "total");
                Check.Same(whole.OrderBy(Key).ToArray(), found.OrderBy(Key).ToArray(), "pairs");
                Check.Equal((long)whole.Length, frame.Pairs(new Pair[3], query), "total of three");
            }
        }
    }
    static ulong Key(Pair pair) { return ((ulong)Math.Min(pair.A, pair.B) << 32) + Math.Max(pair.A, pair.B); }

    public static void NeighboursOfOnePointAreThoseOfBruteForce() {
        var world = new World(agents, 34);
        using (var engine = new Engine()) {
            engine.Update(world.Boxes);
            var found = new Neighbour[agents];
            using (Frame frame = engine.Frame())
                for (int q = 0; q < queries; ++q) {
                    float x = world.Any(100), y = world.Any(100);
                    uint[] wanted = world.Near(x, y, 9).OrderBy(id => id).ToArray();
                    Check.Equal((long)wanted.Length, frame.Neighbours(x, y, Within.Of(9), found), "total");
                    uint[] ids = found.Take(wanted.Length).Select(n => n.Id).OrderBy(id => id).ToArray();
                    Check.Same(wanted, ids, "within of point " + q);
                    Check.Equal(5L, frame.Neighbours(x, y, Nearest.Of(5), found), "the nearest");
                    wanted = world.Near(x, y, 1000).Take(5).ToArray();
                    Check.Same(wanted, found.Take(5).Select(n => n.Id).ToArray(), "nearest of point " + q);
                    float last = world.SquaredDistance(x, y, (int)wanted[4]);
                    Check.Equal(last, found[4].SquaredDistance, "distance");
                    Check.Equal(wanted[0], frame.Nearest(x, y).Id, "the nearest one");
                }
        }
    }

    public static void CountsAndRadiiOfPointsAreThoseOfLists() {
        var world = new World(agents, 35);
        var counts = new uint[queries];
        float[] radii = Enumerable.Range(0, queries).Select(q => (float)(q % 12)).ToArray();
        Points points = Points.Of(world.X.Take(queries).ToArray(), world.Y.Take(queries).ToArray());
        using (var engine = new Engine())
        using (var lists = new Neighbours(engine)) {
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) {
                frame.Neighbours(points, Within.Of(1), lists, default(Filter), radii);
                frame.CountNeighbours(points, Within.Of(1), counts, default(Filter), radii);
                for (int q = 0; q < queries; ++q) {
                    uint[] near = world.Near(world.X[q], world.Y[q], radii[q]);
                    Check.Same(near.OrderBy(id => id).ToArray(), World.Sorted(lists[q]), "point " + q);
                    Check.Equal((uint)near.Length, counts[q], "count of point " + q);
                }
                frame.Neighbours(points, Nearest.Of(40), lists, default(Filter), radii);
                for (int q = 0; q < queries; ++q)
                    Check.Equal(Math.Min(40L, counts[q]), lists.Length(q), "nearest of point " + q);
            }
        }
    }

    public static void AllHitsOfOneCastAreThoseOfABatch() {
        var world = new World(agents, 36);
        Cast[] casts = Enumerable.Range(0, queries).Select(q => Cast.Ray(-10, world.Any(100), 4 * q, 7))
            .ToArray();
        using (var engine = new Engine())
        using (var hits = new CastHits(engine)) {
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) {
                frame.AllHits(casts, hits);
                Check.That(hits.Total > 50, "nothing is hit");
                var found = new CastHit[agents];
                for (int q = 0; q < queries; ++q) {
                    Check.Equal(hits.Length(q), frame.AllHits(casts[q], found), "hits of ray " + q);
                    for (int k = 0; k < hits.Length(q); ++k)
                        Check.Equal(hits[q, k], found[k], "hit " + k + " of ray " + q);
                }
            }
        }
    }

    public static void BlocksOfHitsAreThoseOfTheWhole() {
        var world = new World(agents, 38);
        Boxes boxes = Boxes.Of(SomeBoxes(world));
        Cast[] casts = Enumerable.Range(0, queries).Select(q => Cast.Ray(-10, world.Any(100), 120, 7))
            .ToArray();
        using (var engine = new Engine())
        using (Hits whole = new Hits(engine), block = new Hits(engine))
        using (CastHits all = new CastHits(engine), some = new CastHits(engine)) {
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) {
                Check.Equal(1L, frame.Number, "number of the first frame");
                frame.Overlaps(boxes, whole);
                for (long first = 0; first < queries; first += block.Count) {
                    block.Block(first, 256);
                    frame.Overlaps(boxes, block);
                    Check.That(block.Count > 0 && block.Count < queries, "one block");
                    for (long q = 0; q < block.Count; ++q)
                        Check.Same(World.Sorted(whole[first + q]), World.Sorted(block[q]),
                            "box " + (first + q));
                }
                frame.AllHits(casts, all);
                for (long first = 0; first < queries; first += some.Count) {
                    some.Block(first, 256);
                    frame.AllHits(casts, some);
                    Check.That(some.Count > 0 && some.Count < queries, "one block of rays");
                    for (long q = 0; q < some.Count; ++q) {
                        Check.Equal(all.Length(first + q), some.Length(q), "hits of ray " + (first + q));
                        for (long k = 0; k < some.Length(q); ++k)
                            Check.Equal(all[first + q, k], some[q, k], "hit " + k + " of ray " + (first + q));
                    }
                }
            }
        }
    }

    public static void ResultsAreCleared() {
        var world = new World(agents, 37);
        using (var engine = new Engine())
        using (var changes = new PairChanges(engine))
        using (var kept = new KeptNeighbours(engine, KeptNeighbourhood.Of(5, 2))) {
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) {
                frame.Changes(changes);
                long all = changes.Pairs.Count;
                frame.Neighbours(kept);
                frame.Neighbours(kept);
                Check.Equal(1L, kept.TimesRebuilt, "times that lists were made");
                Check.That(!kept.WasRebuilt, "lists are made again without need");
                changes.Clear();
                kept.Clear();
                Check.Equal(0L, changes.Pairs.Count, "pairs that are left");
                Check.Equal(0L, kept.Count, "lists that are left");
                frame.Changes(changes);
                frame.Neighbours(kept);
                Check.Equal(all, changes.Began.Count, "pairs that begin again");
                Check.Equal(2L, kept.TimesRebuilt, "times that lists were made");
                Check.That(kept.WasRebuilt, "forgotten lists are there");
            }
        }
    }
}
