// What writes to an engine, and what a host reads back from a frame.
using System;
using System.Linq;
using Throng;

static class WritingTests {
    const int agents = 500;

    static Pair[] Sorted(Pairs pairs) {
        pairs.Sort();
        var all = new Pair[pairs.Count];
        pairs.CopyTo(all);
        return all;
    }
    // Other ids, with holes.
    static uint[] Ids() { return Enumerable.Range(0, agents).Select(i => (uint)(2 * i + 1)).ToArray(); }

    public static void AnUpdateWithPairsIsAnUpdateAndItsPairs() {
        var world = new World(agents, 21);
        using (var engine = new Engine())
        using (Pairs together = new Pairs(engine), after = new Pairs(engine)) {
            engine.Update(world.Boxes, together, world.Labels);
            using (Frame frame = engine.Frame()) {
                frame.Pairs(after);
                Check.Equal(world.Groups[7], frame.Label(7).Group, "group");
            }
            Check.That(after.Count > 100, "a world without pairs");
            Check.Same(Sorted(after), Sorted(together), "pairs");
            engine.Update(Ids(), world.Boxes, together);
            using (Frame frame = engine.Frame()) {
                frame.Pairs(after);
                Check.Equal(2L * agents, frame.IdBound, "id bound");
            }
            Check.Same(Sorted(after), Sorted(together), "pairs of other ids");
        }
    }

    public static void AgentsBehindTheOwnedOnesAreGhosts() {
        var world = new World(agents, 23);
        const int owned = agents * 3 / 4;
        using (var engine = new Engine())
        using (Pairs all = new Pairs(engine), listed = new Pairs(engine)) {
            engine.Update(world.Boxes, all);
            Pair[] expected = Sorted(all).Where(pair => Math.Min(pair.A, pair.B) < owned).ToArray();
            engine.Update(world.Boxes.WithGhosts(agents - owned), listed, world.Labels);
            Check.That(expected.Length < all.Count, "a world without pairs of two ghosts");
            Check.Same(expected, Sorted(listed), "pairs");
            using (Frame frame = engine.Frame()) {
                Check.Equal((long)(agents - owned), frame.GhostCount, "ghosts");
                Check.That(frame.IsGhost(owned) && !frame.IsGhost(owned - 1), "the first ghost");
            }
            Check.Throws<ArgumentOutOfRangeException>(() => world.Boxes.WithGhosts(agents + 1), "too many ghosts");
        }
    }

    public static void IllegalAgentsAreLeftOutAndListed() {
        var world = new World(agents, 22);
        world.X[3] = float.NaN;
        world.Half[40] = -1;
        var leftOut = new uint[4];
        using (var engine = new Engine()) {
            Check.Equal(2L, engine.UpdateLegal(world.Boxes, leftOut, world.Labels), "left out");
            Check.Same(new uint[] { 3, 40, 0, 0 }, leftOut, "left out");
            Check.Equal(agents - 2L, engine.Count, "agents");
            Check.Equal(2L, engine.UpdateLegal(Ids(), world.Boxes, leftOut), "left out of other ids");
            Check.Same(new uint[] { 7, 81, 0, 0 }, leftOut, "left out of other ids");
            using (Frame frame = engine.Frame()) Check.Equal(world.Box(4), frame.Box(9), "box of another id");
        }
    }

    public static void APlanLeadsAnotherEngineTheSameWay() {
        World world = new World(agents, 24), elsewhere = new World(3 * agents, 25);
        using (Engine engine = new Engine(), joining = new Engine())
        using (Pairs pairs = new Pairs(engine), others = new Pairs(joining)) {
            for (int k = 0; k < 3; ++k) engine.Update(elsewhere.Boxes);
            engine.Update(world.Boxes);
            byte[] plan = engine.Plan();
            joining.SetPlan(plan);
            Check.Same(plan, joining.Plan(), "plan");
            engine.Update(world.Boxes, pairs);
            joining.Update(world.Boxes, others);
            Pair[] all = new Pair[pairs.Count], same = new Pair[others.Count];
            pairs.CopyTo(all);
            others.CopyTo(same);
            Check.Same(all, same, "pairs in their order");
            plan[0] ^= 1;
            var thrown = Check.Throws<ThrongException>(() => joining.SetPlan(plan), "no plan");
            Check.Equal(Code.BadPlan, thrown.Code, "no plan");
            joining.Replan();
            using (var fresh = new Engine()) Check.Same(fresh.Plan(), joining.Plan(), "a plan of nothing");
        }
    }

    public static void AStaticLayerIsAFrameAndMoves() {
        var world = new World(agents, 24);
        using (var engine = new Engine())
        using (var layer = new StaticLayer(engine, world.Boxes, world.Labels))
        using (StaticLayer moved = layer.Rebased(10, 20))
        using (Frame before = layer.Frame(), after = moved.Frame()) {
            Check.Equal((long)agents, before.Count, "elements");
            Check.Equal(world.Groups[3], before.Label(3).Group, "group");
            for (uint i = 0; i < agents; ++i) {
                Check.Equal(before.Box(i).MinX - 10, after.Box(i).MinX, "x of element " + i);
                Check.Equal(before.Box(i).MaxY - 20, after.Box(i).MaxY, "y of element " + i);
            }
        }
    }

    public static void AgentsBoxesAndLabelsAreThoseOfEach() {
        var world = new World(agents, 25);
        uint[] asked = { 9, 3, 400 };
        uint[] ids = new uint[agents], alone = new uint[agents], order = new uint[agents];
        Box[] boxes = new Box[3], all = new Box[agents], boxesAlone = new Box[agents];
        var labels = new Label[3];
        using (var engine = new Engine()) {
            engine.Update(world.Boxes, world.Labels);
            using (Frame frame = engine.Frame()) {
                frame.Boxes(asked, boxes);
                frame.Labels(asked, labels);
                for (int k = 0; k < 3; ++k) {
                    Check.Equal(frame.Box(asked[k]), boxes[k], "box " + k);
                    Check.Equal(frame.Label(asked[k]), labels[k], "label " + k);
                }
                frame.Agents(ids, all);
                frame.Agents(alone, null);
                frame.Agents(null, boxesAlone);
                frame.RowOrder(order);
                Check.Same(order, ids, "ids in row order");
                Check.Same(ids, alone, "ids alone");
                Check.Same(all, boxesAlone, "boxes alone");
                for (int k = 0; k < agents; ++k)
                    Check.Equal(frame.Box(ids[k]), all[k], "box of agent " + ids[k]);
                Check.Throws<ArgumentNullException>(() => frame.Agents(null, null), "no array");
                Check.Throws<ThrongException>(() => frame.Boxes(asked, new Box[2]), "a short array");
                Check.Throws<ThrongException>(() => frame.Labels(new uint[] { agents }, labels), "no agent");
            }
        }
    }

    public static void ReportsSayWhatTheLibrarySays() {
        var world = new World(agents, 26);
        using (var engine = new Engine()) {
            engine.Update(world.Boxes);
            Check.That(engine.Memory().Rows > 0 && engine.Memory().Allocations > 0, "no memory");
            Check.That(engine.Tuning().Rows > 0 && engine.Tuning().Words.Length > 5, "no reason");
            Check.That(engine.Validate().Words.Length > 1, "no words for a fault");
            Check.That(Library.Build.Contains(engine.Isa), "the build does not know " + engine.Isa);
            Check.That(Library.Describe(Code.NotFinite) != Library.Describe(Code.Inverted), "one sentence");
            using (Frame frame = engine.Frame()) {
                Boxes boxes = world.Boxes.First(20);
                Explanation explained = frame.Explain(boxes);
                var counts = new uint[20];
                frame.CountIn(boxes, counts);
                Check.Equal(20ul, explained.Queries, "queries");
                Check.Equal((ulong)counts.Sum(c => c), explained.Hits, "hits");
            }
        }
    }
}
