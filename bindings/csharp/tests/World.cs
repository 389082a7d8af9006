// A random world, the same in every run, and brute force over it.
using System;
using System.Collections.Generic;
using System.Linq;
using Throng;

sealed class World {
    internal const float Side = 100;
    internal readonly float[] X, Y, Half;
    internal readonly uint[] Categories, Groups;
    internal readonly Band[] Bands;
    readonly Random random;

    internal World(int count, int seed) {
        random = new Random(seed);
        X = new float[count];
        Y = new float[count];
        Half = new float[count];
        Categories = new uint[count];
        Groups = new uint[count];
        for (int i = 0; i < count; ++i) {
            X[i] = Any(Side);
            Y[i] = Any(Side);
            // Sixteenths, with which sums are exact. One in twenty is large.
            Half[i] = (random.Next(1, 16) + (i % 20 == 0 ? 64 : 0)) / 16f;
            Categories[i] = 1u << random.Next(3);
            Groups[i] = (uint)random.Next(5);
        }
        Bands = AnyBands(count, seed);
    }
    // In steps, so that many touch.
    internal static Band[] AnyBands(int count, int seed) {
        var random = new Random(seed);
        return Enumerable.Range(0, count).Select(i => random.Next(12) / 2f)
            .Select(low => new Band { MinZ = low, MaxZ = low + random.Next(4) / 2f }).ToArray();
    }
    internal static bool Share(Band a, Band b) { return a.MinZ <= b.MaxZ && b.MinZ <= a.MaxZ; }
    internal float Any(float most) { return random.Next((int)most * 64) / 64f; }

    internal int Count { get { return X.Length; } }
    internal Boxes Boxes { get { return Boxes.CentreHalf(X, Y, Half, Half); } }
    internal Labels Labels { get { return Labels.Of(Categories, Groups); } }
    internal Box Box(int i) {
        return new Box { MinX = X[i] - Half[i], MinY = Y[i] - Half[i], MaxX = X[i] + Half[i], MaxY = Y[i] +
            Half[i] };
    }
    internal Box AnyBox(float size) {
        float x = Any(Side), y = Any(Side);
        return new Box { MinX = x, MinY = y, MaxX = x + size, MaxY = y + size };
    }

    internal static bool Touch(Box a, Box b) {
        return a.MinX <= b.MaxX && b.MinX <= a.MaxX && a.MinY <= b.MaxY && b.MinY <= a.MaxY;
    }
    // Each operation is rounded to a float by itself.
    internal static bool CirclesTouch(Box a, Box b) {
        float dx = (float)(Middle(a.MinX, a.MaxX) - Middle(b.MinX, b.MaxX));
        float dy = (float)(Middle(a.MinY, a.MaxY) - Middle(b.MinY, b.MaxY));
        float reach = (float)(Radius(a) + Radius(b));
        float xx = (float)(dx * dx), yy = (float)(dy * dy);
        return Touch(a, b) && (float)(xx + yy) <= (float)(reach * reach);
    }
    static float Middle(float min, float max) {
        return (float)((float)(0.5f * min) + (float)(0.5f * max));
    }
    static float Radius(Box box) {
        return Math.Min((float)((float)(0.5f * box.MaxX) - (float)(0.5f * box.MinX)),
                        (float)((float)(0.5f * box.MaxY) - (float)(0.5f * box.MinY)));
    }
    internal bool Passes(int i, Filter filter) {
        bool isOfCategory = (Categories[i] & filter.Categories) != 0;
        return isOfCategory && (uint)i != filter.Self && Groups[i] != filter.NotInGroup;
    }
    internal uint[] In(Box box, Func<int, bool> passes = null) {
        return Enumerable.Range(0, Count).Where(i => Touch(box, Box(i)) && (passes == null || passes(i)))
            .Select(i => (uint)i).ToArray();
    }
    internal float SquaredDistance(float x, float y, int i) {
        float dx = X[i] - x, dy = Y[i] - y;
        return dx * dx + dy * dy;
    }
    // The ids whose centres are within the radius, the nearest first.
    internal uint[] Near(float x, float y, float radius) {
        return Enumerable.Range(0, Count).Where(i => SquaredDistance(x, y, i) <= radius * radius)
            .OrderBy(i => SquaredDistance(x, y, i)).ThenBy(i => i).Select(i => (uint)i).ToArray();
    }
    // Those of an agent, by their ids.
    internal uint[] NearAgent(int i, float radius) {
        return Near(X[i], Y[i], radius).Where(id => id != i).OrderBy(id => id).ToArray();
    }

    internal static uint[] Sorted(Ids ids) {
        var all = new List<uint>();
        foreach (uint id in ids) all.Add(id);
        return all.OrderBy(id => id).ToArray();
    }
}
