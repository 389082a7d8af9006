// Agents on storeys, and filters that tell them apart, against brute force.
using System;
using System.Linq;
using Throng;

static unsafe class HeightTests {
    const int agents = 400;

    static uint[] On(World world, Box box, Band band) {
        return world.In(box, i => World.Share(band, world.Bands[i]));
    }
    static Pair[] SharedPairs(World world, Band[] bands) {
        return (from a in Enumerable.Range(0, agents)
                from b in Enumerable.Range(a + 1, agents - a - 1)
                where World.Touch(world.Box(a), world.Box(b)) && World.Share(bands[a], bands[b])
                select new Pair { A = (uint)a, B = (uint)b }).ToArray();
    }

    public static void PairsShareAHeight() {
        var world = new World(agents, 31);
        float[] low = world.Bands.Select(band => band.MinZ).ToArray();
        float[] high = world.Bands.Select(band => band.MaxZ).ToArray();
        Band[] tall = low.Select(z => new Band { MinZ = z, MaxZ = z + 1.5f }).ToArray();
        Pair[] expected = SharedPairs(world, world.Bands), ofTall = SharedPairs(world, tall);
        using (var engine = new Engine())
        using (var pairs = new Pairs(engine)) {
            Action<Boxes, Pair[], string> check = (boxes, those, what) => {
                engine.Update(boxes, pairs, world.Labels);
                pairs.Sort();
                var found = new Pair[pairs.Count];
                pairs.CopyTo(found);
                Check.Same(those, found, what);
            };
            engine.Update(world.Boxes, pairs);
            Check.That(expected.Length > 20 && expected.Length < pairs.Count, "a world of one storey");
            check(world.Boxes.WithHeights(world.Bands), expected, "bands");
            check(world.Boxes.WithHeights(low, high), expected, "arrays");
            check(world.Boxes.WithHeights(low, 1.5f), ofTall, "one height");
            check(world.Boxes.WithHeights(low, 1.5f).WithHeights(world.Bands), expected, "the last ones");
            fixed (float* lowAt = low, highAt = high) {
                check(world.Boxes.WithHeights(lowAt, highAt), expected, "pointers");
                check(world.Boxes.WithHeights(lowAt, 1.5f), ofTall, "a pointer and one height");
            }
            using (Frame frame = engine.Frame()) {
                Check.Equal(tall[7].MaxZ, frame.Height(7).MaxZ, "height");
                var bands = new Band[2];
                frame.Heights(new uint[] { 3, 9 }, bands);
                Check.Equal(tall[9], bands[1], "heights");
            }
        }
    }

    public static void FiltersTellStoreysApart() {
        var world = new World(agents, 32);
        Box[] boxes = Enumerable.Range(0, 40).Select(i => world.AnyBox(20)).ToArray();
        Band[] each = World.AnyBands(40, 33);
        var storey = new Band { MinZ = 1, MaxZ = 1.5f };
        using (var engine = new Engine())
        using (var hits = new Hits(engine)) {
            engine.Update(world.Boxes.WithHeights(world.Bands));
            using (Frame frame = engine.Frame()) {
                Filter filter = Filter.Between(storey.MinZ, storey.MaxZ);
                frame.Overlaps(Boxes.Of(boxes), hits, filter);
                for (int i = 0; i < boxes.Length; ++i) {
                    Check.Same(On(world, boxes[i], storey), World.Sorted(hits[i]), "one band");
                    Check.Equal(hits[i].Count, frame.CountIn(boxes[i], filter), "one query");
                }
                fixed (Band* eachAt = each) {
                    filter = Filter.All;
                    filter.EachBand = eachAt;
                    filter.EachBandCount = (ulong)each.Length;
                    frame.Overlaps(Boxes.Of(boxes), hits, filter);
                }
                for (int i = 0; i < boxes.Length; ++i)
                    Check.Same(On(world, boxes[i], each[i]), World.Sorted(hits[i]), "a band for each");
            }
        }
    }

    public static void CastsRise() {
        Box[] walls = { new Box { MinX = 4, MaxX = 5, MaxY = 2 }, new Box { MinX = 8, MaxX = 9, MaxY = 2 } };
        Band[] bands = { new Band { MinZ = 0, MaxZ = 1 }, new Band { MinZ = 0, MaxZ = 2 } };
        using (var engine = new Engine()) {
            engine.Update(Boxes.Of(walls).WithHeights(bands));
            using (Frame frame = engine.Frame()) {
                var sight = Cast.Ray(0, 1, 8, 0);
                Check.Equal(0u, frame.FirstHit(sight).Id, "no heights");
                foreach (float from in new float[] { 2, 3, 6 }) {
                    var heights = new CastHeights { MinZ = from, MaxZ = from, Dz = -from };
                    if (from == 6) heights.Dz = 0;
                    Filter filter = Filter.All;
                    filter.CastHeights = &heights;
                    filter.CastHeightsCount = 1;
                    CastHit hit = frame.FirstHit(sight, filter);
                    Check.Equal(from == 2 ? 0u : from == 3 ? 1u : uint.MaxValue, hit.Id, "a slope");
                    Check.Equal(from != 6, frame.Blocked(sight, filter), "blocked");
                }
            }
        }
    }

    public static void EditsBringOtherHeights() {
        var world = new World(agents, 36);
        var some = new uint[] { 3, 9 };
        Boxes places = Boxes.Of(new[] { world.Box(3), world.Box(9) });
        Band[] stairs = { new Band { MinZ = 20, MaxZ = 21 }, new Band { MinZ = 22, MaxZ = 23 } };
        using (var engine = new Engine()) {
            engine.Update(world.Boxes.WithHeights(world.Bands));
            engine.Move(some, places.WithHeights(stairs));
            var fresh = new uint[2];
            engine.Insert(places.WithHeights(stairs), fresh);
            engine.Move(new uint[] { 4 }, Boxes.Of(new[] { world.Box(4) }));
            engine.Commit();
            using (Frame frame = engine.Frame()) {
                Check.Equal(stairs[1], frame.Height(9), "moved");
                Check.Equal(stairs[0], frame.Height(fresh[0]), "inserted");
                Check.Equal(world.Bands[4], frame.Height(4), "kept");
                Check.Equal(4L, frame.CountIn(world.Box(3), Filter.Between(20, 21)) +
                    frame.CountIn(world.Box(9), Filter.Between(22, 23)), "on the stairs");
            }
        }
    }

    public static void WallsHaveHeights() {
        var world = new World(agents, 34);
        using (var engine = new Engine())
        using (var layer = new StaticLayer(engine, world.Boxes.WithHeights(world.Bands))) {
            engine.SetStaticLayer(layer);
            engine.Commit();
            Filter filter = Filter.Between(2, 3);
            filter.WithStatic = 1;
            Box box = world.AnyBox(40);
            using (Frame frame = engine.Frame())
                Check.Equal((long)On(world, box, new Band { MinZ = 2, MaxZ = 3 }).Length,
                    frame.CountIn(box, filter), "walls");
        }
    }

    public static void WhatIsWrongWithHeightsIsNamed() {
        var world = new World(agents, 35);
        using (var engine = new Engine()) {
            Action<Boxes, Code, long> refused = (boxes, code, index) => {
                ThrongException said = Check.Throws<ThrongException>(() => engine.Update(boxes), "heights");
                Check.Equal(code, said.Code, "code");
                Check.Equal(Argument.Heights, said.Argument, "argument");
                Check.Equal(index, said.Index, "index");
            };
            world.Bands[7].MaxZ = -1;
            refused(world.Boxes.WithHeights(world.Bands), Code.Inverted, 7);
            world.Bands[5].MinZ = float.NaN;
            refused(world.Boxes.WithHeights(world.Bands), Code.NotFinite, 5);
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) {
                var counts = new uint[agents];
                ThrongException said = Check.Throws<ThrongException>(
                    () => frame.CountIn(world.Boxes.WithHeights(world.Bands), counts), "queries with heights");
                Check.Equal(Code.BadConfig, said.Code, "code");
                said = Check.Throws<ThrongException>(
                    () => frame.CountIn(world.Boxes, counts, Filter.Between(2, 1)), "a band");
                Check.Equal(Code.Inverted, said.Code, "code of a band");
            }
        }
        Check.Throws<ThrongException>(() => world.Boxes.WithHeights(new Band[agents - 1]), "too few");
        Check.Throws<ThrongException>(() => world.Boxes.WithHeights(world.X, null), "null");
    }
}
