// What a host does wrong is an exception that names it, and the engine stays as it was.
using System;
using Throng;

static class MisuseTests {
    static void Refuses(Code code, Argument argument, long index, Action action) {
        var thrown = Check.Throws<ThrongException>(action, code.ToString());
        Check.Equal(code, thrown.Code, "code");
        Check.Equal(argument, thrown.Argument, "argument of " + code);
        Check.Equal(index, thrown.Index, "index of " + code);
        Check.That(thrown.Message.Length > 10, "no sentence");
    }

    public static void BadBoxesAreNamedByTheirIndex() {
        float[] x = { 1, 2, float.NaN }, y = { 1, 2, 3 }, half = { 1, 1, 1 }, inverted = { 1, -1, 1 };
        using (var engine = new Engine()) {
            engine.Update(Boxes.CentreHalf(y, y, half, half));
            Boxes nan = Boxes.CentreHalf(x, y, half, half), turned = Boxes.CentreHalf(y, y, inverted, half);
            Refuses(Code.NotFinite, Argument.Boxes, 2, () => engine.Update(nan));
            Refuses(Code.Inverted, Argument.Boxes, 1, () => engine.Update(turned));
            Refuses(Code.SizeMismatch, Argument.Boxes, -1, () => Boxes.Points(x, new float[2], 1));
            Refuses(Code.NullView, Argument.Boxes, -1, () => Boxes.Points(x, null, 1));
            Refuses(Code.NullView, Argument.Boxes, -1, () => Boxes.Of((Box[])null));
            Refuses(Code.SizeMismatch, Argument.Labels, -1, () => Labels.Of(new uint[2], new uint[3]));
            unsafe {
                fixed (float* p = x) {
                    IntPtr at = (IntPtr)p;
                    Refuses(Code.BadStride, Argument.Boxes, -1,
                        () => engine.Update(Boxes.Points((float*)at, (float*)at, 1, 3, 2)));
                    Check.Throws<OverflowException>(() => Boxes.Points((float*)at, (float*)at, 1, -1),
                        "a negative count");
                    Check.Throws<OverflowException>(() => Boxes.Points((float*)at, (float*)at, 1, 3, -4),
                        "a negative stride");
                }
            }
            Check.Throws<ArgumentOutOfRangeException>(() => Boxes.Points(x, y, 1).First(4),
                "more than there are");
            Check.Equal(3L, engine.Count, "agents");
        }
    }

    public static void MoreThanThereMayBeIsNotReserved() {
        using (var engine = new Engine()) {
            ulong before = engine.Memory().Scratch;
            var thrown = Check.Throws<ThrongException>(() => engine.Reserve(1L << 40), "too many agents");
            Check.Equal(Code.TooMany, thrown.Code, "code");
            Check.Throws<OverflowException>(() => engine.Reserve(1, -1), "a negative number of edits");
            Check.Equal(before, engine.Memory().Scratch, "memory");
            engine.Reserve(10000, 100);
            Check.That(engine.Memory().Scratch > before + 1000000, "nothing is reserved");
            engine.ReleaseMemory();
            Check.That(engine.Memory().Scratch <= before, "it did not go back");
        }
    }

    public static void BadIdsAreNamedByTheirIndex() {
        float[] at = { 1, 2, 3 };
        Boxes boxes = Boxes.Points(at, at, 1);
        using (var engine = new Engine()) {
            engine.Update(boxes);
            Refuses(Code.DuplicateId, Argument.Ids, 2, () => engine.Update(new uint[] { 5, 6, 5 }, boxes));
            Refuses(Code.UnknownId, Argument.Ids, 1, () => engine.Remove(new uint[] { 1, 7 }));
            Refuses(Code.NullView, Argument.Ids, -1, () => engine.Remove(null));
            Refuses(Code.NullView, Argument.Ids, -1, () => engine.Insert(boxes, null));
            Refuses(Code.NullPointer, Argument.Labels, -1,
                () => engine.Relabel(new uint[] { 1 }, default(Labels)));
            engine.Remove(new uint[] { 1 });
            Refuses(Code.EditsPending, Argument.Any, -1, () => engine.Update(boxes));
            Check.Equal(3L, engine.Count, "agents");
        }
    }

    public static void OptionsThatWereNotMadeAreRefused() {
        float[] at = { 1, 2, 3 };
        using (var engine = new Engine())
        using (var lists = new Neighbours(engine))
        using (var pairs = new Pairs(engine)) {
            engine.Update(Boxes.Points(at, at, 1));
            using (Frame frame = engine.Frame()) {
                var filter = new Filter { Categories = 1 };
                var query = new PairQuery { A = 1 };
                var within = new Within { Radius = 1 };
                Refuses(Code.BadStruct, Argument.Filters, -1, () => frame.CountIn(new Box(), filter));
                Refuses(Code.BadStruct, Argument.Options, -1, () => frame.Pairs(pairs, query));
                Refuses(Code.BadStruct, Argument.Options, -1, () => frame.Neighbours(within, lists));
                Refuses(Code.BadConfig, Argument.Count, -1, () => frame.Neighbours(Nearest.Of(0), lists));
                Refuses(Code.SizeMismatch, Argument.Radii, -1,
                    () => frame.Neighbours(Within.Of(1), lists, default(Filter), new float[2]));
                Check.Throws<ArgumentNullException>(() => frame.Pairs((Pairs)null), "no result");
                Check.Throws<ArgumentNullException>(() => frame.Overlaps(new Box(), null), "no array");
            }
        }
        Refuses(Code.BadStruct, Argument.Config, -1, () => new Engine(new EngineConfig()));
        Check.Throws<ArgumentOutOfRangeException>(() => new Engine(0), "no threads");
    }

    public static unsafe void ResultsOfACallThatFailedAreThoseOfTheLibrary() {
        float[] at = { 1, 2, 3 }, bad = { 1, 2, float.NaN };
        using (var engine = new Engine())
        using (var hits = new Hits(engine))
        using (var statics = new Hits(engine))
        using (var lists = new Neighbours(engine)) {
            engine.Update(Boxes.Points(at, at, 1));
            using (Frame frame = engine.Frame()) {
                Boxes whole = Boxes.Points(at, at, 1), part = Boxes.Points(bad, bad, 1);
                frame.Overlaps(whole, hits, statics);
                frame.Neighbours(Within.Of(2), lists);
                Check.That(hits.Count == 3 && statics.Count == 3 && lists.Count == 3, "nothing was filled");
                Refuses(Code.NotFinite, Argument.Any, 2, () => frame.Overlaps(part, hits, statics));
                Refuses(Code.Inverted, Argument.Options, -1, () => frame.Neighbours(Within.Of(-1), lists));
                foreach (Lists filled in new Lists[] { hits, statics, lists })
                    Check.Equal(0L, filled.Count, "lists");
                Check.That(hits.Total == 0 && lists.Total == 0, "ids are left");
            }
        }
    }

    public static void ShortArraysAreRefused() {
        float[] at = { 1, 2, 3 };
        Boxes boxes = Boxes.Points(at, at, 1);
        using (var engine = new Engine())
        using (var lists = new Neighbours(engine)) {
            engine.Update(boxes);
            using (Frame frame = engine.Frame()) {
                Refuses(Code.SizeMismatch, Argument.Output, -1, () => frame.CountIn(boxes, new uint[2]));
                Refuses(Code.SizeMismatch, Argument.Output, -1, () => frame.AnyIn(boxes, new byte[2]));
                frame.Neighbours(Within.Of(10), lists);
                Check.Throws<ArgumentException>(() => lists.CopyIdsTo(new uint[5]), "a short array");
                Check.Throws<ArgumentOutOfRangeException>(() => lists[3].CopyTo(new uint[5]),
                    "a list that is none");
                Check.Throws<ArgumentOutOfRangeException>(() => { uint id = lists[0][2]; },
                    "an id that is none");
            }
        }
    }
}
