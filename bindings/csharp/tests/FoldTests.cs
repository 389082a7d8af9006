// Sums and other folds over lists and pairs, against brute force.
using System;
using System.Linq;
using Throng;

static class FoldTests {
    const int agents = 500;

    // Sixteenths, with which sums are exact.
    static float[] Values(World world) { return world.Half; }

    static float Plain(float[] values, FoldKind by) {
        switch (by) {
        case FoldKind.Sum: return values.Sum();
        case FoldKind.Count: return values.Length;
        case FoldKind.Mean: return values.Length == 0 ? float.NaN : (float)values.Average(v => (double)v);
        case FoldKind.Least: return values.Length == 0 ? float.NaN : values.Min();
        default: return values.Length == 0 ? float.NaN : values.Max();
        }
    }

    public static void OfListsAreThoseOfBruteForce() {
        var world = new World(agents, 31);
        float[] values = Values(world), byId = new float[agents], byRow = new float[agents];
        using (var engine = new Engine())
        using (Neighbours lists = new Neighbours(engine), rows = new Neighbours(engine)) {
            engine.Update(world.Boxes);
            Within inRowOrder = Within.Of(5);
            inRowOrder.InRowOrder = 1;
            using (Frame frame = engine.Frame()) {
                frame.Neighbours(Within.Of(5), lists);
                frame.Neighbours(inRowOrder, rows);
            }
            foreach (FoldKind by in Enum.GetValues(typeof(FoldKind))) {
                Arrays.Fold(lists, values, byId, by);
                Arrays.Fold(rows, values, byRow, by);
                for (int i = 0; i < agents; ++i) {
                    float[] near = World.Sorted(lists[i]).Select(id => values[id]).ToArray();
                    Check.Equal(Plain(near, by), byId[i], by + " of list " + i);
                    Check.Equal(byId[i], byRow[i], by + " in row order of list " + i);
                }
            }
            float[] twos = Enumerable.Repeat(2f, (int)lists.Total).ToArray(), twice = new float[agents];
            Arrays.Fold(lists, values, byId);
            Arrays.Fold(lists, values, twice, FoldKind.Sum, twos);
            for (int i = 0; i < agents; ++i) Check.Equal(2 * byId[i], twice[i], "weighted sum " + i);
        }
    }

    public static unsafe void OfPairsAreThoseOfBruteForce() {
        var world = new World(agents, 32);
        float[] values = Values(world), sums = new float[agents];
        var wide = new double[agents];
        using (var engine = new Engine())
        using (var pairs = new Pairs(engine)) {
            engine.Update(world.Boxes);
            using (Frame frame = engine.Frame()) frame.Pairs(pairs);
            Arrays.Fold(pairs, values, sums);
            fixed (float* from = values)
            fixed (double* to = wide)
                Arrays.Fold(Links.Of(pairs), new[] { Column.Of(from, agents) },
                    new[] { ResultColumn.Of(to, agents) });
            for (int i = 0; i < agents; ++i) {
                float wanted = world.In(world.Box(i)).Where(id => id != i).Sum(id => values[id]);
                Check.Equal(wanted, sums[i], "sum of the pairs of " + i);
                Check.Equal((double)wanted, wide[i], "the same in doubles");
            }
        }
    }

    public static void AnIdWithoutAValueIsNamed() {
        float[] at = { 1, 2, 3 };
        using (var engine = new Engine())
        using (var lists = new Neighbours(engine)) {
            engine.Update(Boxes.Points(at, at, 1));
            using (Frame frame = engine.Frame()) frame.Neighbours(Within.Of(9), lists);
            var thrown = Check.Throws<ThrongException>(
                () => Arrays.Fold(lists, new float[2], new float[3]), "two values for three agents");
            Check.Equal(Code.UnknownId, thrown.Code, "code");
            Check.Equal(Argument.Lists, thrown.Argument, "argument");
            Check.That(thrown.Index >= 0, "no index");
        }
    }
}
