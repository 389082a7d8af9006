// Coordinates in doubles, counted from an origin, are the world of floats that they stand for.
using System.Linq;
using Throng;

static class DoubleTests {
    const int agents = 400;
    static readonly Origin origin = new Origin(500000, 5400000);

    // Sixteenths, which doubles and floats both hold, so both worlds are the same to the last bit.
    static double[] Far(float[] near, double from) { return near.Select(v => v + from).ToArray(); }

    static void Same(World world, Boxes given, string what) {
        using (var engine = new Engine())
        using (var other = new Engine()) {
            engine.Update(world.Boxes);
            other.Update(given);
            using (Frame frame = engine.Frame())
            using (Frame same = other.Frame()) Check.Equal(frame.Fingerprint, same.Fingerprint, what);
        }
    }

    public static unsafe void DoublesAreTheWorldOfTheirFloats() {
        var world = new World(agents, 51);
        double[] x = Far(world.X, origin.X), y = Far(world.Y, origin.Y), half = Far(world.Half, 0);
        Same(world, Boxes.CentreHalf(x, y, half, half, origin), "centres");
        Same(world, Boxes.CentreHalf(x, y, world.Half, world.Half, origin), "halves in floats");
        double[] maxX = x.Zip(half, (v, h) => v + h).ToArray(), maxY = y.Zip(half, (v, h) => v + h).ToArray();
        double[] minX = x.Zip(half, (v, h) => v - h).ToArray(), minY = y.Zip(half, (v, h) => v - h).ToArray();
        Same(world, Boxes.MinMax(minX, minY, maxX, maxY, origin), "corners");
        fixed (double* px = x, py = y, ph = half)
            Same(world, Boxes.CentreHalf(px, py, ph, ph, agents, origin), "pointers");
        Check.Throws<ThrongException>(() => Boxes.Points(x, new double[3], 1, origin), "lengths that differ");
    }

    public static void QueriesInDoublesFindWhatFloatsFind() {
        var world = new World(agents, 52);
        double[] x = Far(world.X, origin.X), y = Far(world.Y, origin.Y);
        using (var engine = new Engine())
        using (var hits = new Hits(engine))
        using (var lists = new Neighbours(engine)) {
            engine.Update(Boxes.Points(x, y, 0.5f, origin));
            using (Frame frame = engine.Frame()) {
                frame.Overlaps(Boxes.Points(x, y, 2, origin), hits);
                frame.Neighbours(Points.Of(x, y, origin), Within.Of(3), lists);
                for (int i = 0; i < agents; ++i) {
                    Box box = origin.Box(x[i] - 2, y[i] - 2, x[i] + 2, y[i] + 2);
                    Check.Equal((long)World.Sorted(hits[i]).Length, frame.CountIn(box), "box " + i);
                    uint[] near = world.Near(world.X[i], world.Y[i], 3).OrderBy(id => id).ToArray();
                    Check.Same(near, World.Sorted(lists[i]), "point " + i);
                }
            }
        }
    }

    public static void AnOriginIsChosenAmidTheAgents() {
        var world = new World(agents, 53);
        double[] x = Far(world.X, origin.X), y = Far(world.Y, origin.Y);
        OriginChoice choice = Arrays.ChooseOrigin(Boxes.Points(x, y, 0.5f, default(Origin)), 0, 0, 0);
        Check.That(choice.X > x.Min() - 200 && choice.X < x.Max() + 200, "an origin far from the agents");
        Check.That(choice.Spacing < 1e-3 && choice.Extent == 1, "floats that are not fine enough");
    }
}
