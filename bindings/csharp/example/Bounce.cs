// A crowd that bounces off itself and off the walls of its world, drawn as text: bounce.c in C#, which prints the same.
//
//     mono Bounce.exe [AGENTS] [FRAMES]
//
// In each frame the agents move, the engine is given all of them, and each pair that touches bounces: the two take on each
// other's movement along the axis on which they overlap least. The last frame is drawn, a digit for each agent in a field.
using System;
using System.Text;
using Throng;

static class Bounce {
    struct Agent {
        public float X, Y, Half, Vx, Vy;
    }

    const float side = 100;
    static uint state = 1;

    // Any number from 0 to 1, the same in every run.
    static float Any() {
        state = unchecked(state * 1664525u + 1013904223u);
        return (state >> 8) / 16777216.0f;
    }

    static void Walk(ref float at, ref float speed, float half) {
        at += speed;
        if ((at < half && speed < 0) || (at > side - half && speed > 0)) speed = -speed;
    }

    static void Part(ref Agent one, ref Agent other) {
        float dx = other.X - one.X, dy = other.Y - one.Y, reach = one.Half + other.Half;
        if (reach - Math.Abs(dx) < reach - Math.Abs(dy))
            Exchange(ref one.Vx, ref other.Vx, dx);
        else
            Exchange(ref one.Vy, ref other.Vy, dy);
    }

    static void Exchange(ref float mine, ref float its, float apart) {
        float before = mine;
        if ((mine - its) * apart <= 0) return;  // they part already
        mine = its;
        its = before;
    }

    static void Draw(Frame frame) {
        const int columns = 64, rows = 24;
        float width = side / columns, height = side / rows;
        for (int row = 0; row < rows; ++row) {
            var line = new StringBuilder();
            for (int column = 0; column < columns; ++column) {
                float x = column * width, y = row * height;
                var field = new Box { MinX = x, MinY = y, MaxX = x + width, MaxY = y + height };
                long here = frame.CountIn(field);
                line.Append(here == 0 ? '.' : (char)('0' + Math.Min(here, 9)));
            }
            Console.WriteLine(line);
        }
    }

    // One frame: walk, index, bounce. The engine reads the agents where they lie.
    static unsafe long Step(Engine engine, Frame frame, Pairs pairs, Agent[] agents) {
        for (int i = 0; i < agents.Length; ++i) {
            Walk(ref agents[i].X, ref agents[i].Vx, agents[i].Half);
            Walk(ref agents[i].Y, ref agents[i].Vy, agents[i].Half);
        }
        fixed (Agent* first = agents)
            engine.Update(Boxes.CentreHalf(&first->X, &first->Y, &first->Half, &first->Half, agents.Length,
                sizeof(Agent)));
        engine.Frame(frame).Pairs(pairs);
        foreach (Pair pair in pairs) Part(ref agents[pair.A], ref agents[pair.B]);
        return pairs.Count;
    }

    static int Main(string[] arguments) {
        var agents = new Agent[arguments.Length > 0 ? int.Parse(arguments[0]) : 1000];
        int frames = arguments.Length > 1 ? int.Parse(arguments[1]) : 100;
        for (int i = 0; i < agents.Length; ++i)
            agents[i] = new Agent {
                X = side * Any(), Y = side * Any(), Half = 0.2f + 0.3f * Any(),
                Vx = Any() - 0.5f, Vy = Any() - 0.5f
            };
        long bounces = 0;
        using (var engine = new Engine())
        using (var pairs = new Pairs(engine))
        using (Frame frame = engine.Frame()) {
            try {
                for (; frames > 0; --frames) bounces += Step(engine, frame, pairs, agents);
            } catch (ThrongException exception) {
                Console.Error.WriteLine(exception.Message);
                return 1;
            }
            Draw(frame);
        }
        Console.WriteLine("{0} agents touched {1} times", agents.Length, bounces);
        return bounces > 0 ? 0 : 1;
    }
}
