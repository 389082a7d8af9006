// Throng for C#: a spatial index in the plane for very many agents; most of them move in every frame.
//
//     using (var engine = new Throng.Engine())
//     using (var pairs = new Throng.Pairs(engine)) {
//         engine.Update(Throng.Boxes.CentreHalf(x, y, radii, radii));    // all agents, in every frame
//         using (Throng.Frame frame = engine.Frame()) frame.Pairs(pairs);    // a snapshot for any thread
//         foreach (Throng.Pair pair in pairs) Bounce(pair.A, pair.B);    // every two that touch
//     }
//
// Two files, this one and Throng.Generated.cs, for C# 7 with unsafe code, on netstandard2.0, .NET Framework,
// Mono and Unity. throng.h is the manual. These files have its calls twice. `Native` has them as they are in
// C, for Burst for example. The classes pin arrays during a call, turn statuses into exceptions, and dispose
// of or finalize handles. In a settled simulation their calls allocate nothing, here or in the library: keep
// frames and results from call to call.
//
// Threads. As in C: one thread at a time writes to an engine, meanwhile any thread asks frames, and a result
// is for one thread at a time. Do not dispose of an object while another thread uses it. Forgetting it is
// safe.
//
// This file has what differs from C. scripts/bindings writes the rest into the other file.
using System;
using System.Runtime.ConstrainedExecution;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Throng {
using static Calls;

// --- Statuses ----------------------------------------------------------------------------------------------

/// <summary>A call that failed, and left everything as it was.</summary>
public sealed class ThrongException : Exception {
    public Code Code { get; }
    public Argument Argument { get; }
    /// <summary>The lowest element at fault, or -1.</summary>
    public long Index { get; }

    internal unsafe ThrongException(Native.StatusDetails details) : base(Describe(&details)) {
        Code = (Code)details.Code;
        Argument = (Argument)details.Argument;
        Index = details.Index == Native.NoIndex ? -1 : (long)details.Index;
    }

    internal ThrongException(Code code, Argument argument)
        : this(Native.StatusDetails.Made(code, argument)) {}

    static unsafe string Describe(Native.StatusDetails* details) {
        const int room = 256;
        byte* text = stackalloc byte[room];
        Native.throng_status_describe(details, text, room);
        return Marshal.PtrToStringAnsi((IntPtr)text);
    }
}

// --- Elements of arrays, and options -----------------------------------------------------------------------

public partial struct Cast {
    public static Cast Ray(float x, float y, float dx, float dy) {
        return new Cast { MinX = x, MinY = y, MaxX = x, MaxY = y, Dx = dx, Dy = dy };
    }
}

public partial struct Circle {
    public static Circle Of(float x, float y, float radius, AgentsAs agents = Throng.AgentsAs.Boxes) {
        return new Circle { X = x, Y = y, Radius = radius, AgentsAs = (byte)agents };
    }
}

/// <remarks>The corners of a polygon must stay where they are during the call.</remarks>
public unsafe partial struct Shape {
    public static Shape Circle(float x, float y, float radius, AgentsAs agents = AgentsAs.Boxes) {
        return new Shape { Kind = ShapeKind.Circle, AgentsAs = agents, X = x, Y = y, Radius = radius };
    }
    public static Shape Segment(float x, float y, float toX, float toY, float radius) {
        return new Shape { Kind = ShapeKind.Segment, X = x, Y = y, ToX = toX, ToY = toY, Radius = radius };
    }
    public static Shape Polygon(Point* corners, int count) {
        return new Shape { Kind = ShapeKind.Polygon, Corners = corners, CornerCount = checked((uint)count) };
    }
}

/// <remarks>Begin with All and set what you want; default means All too. Each and EachBand point to one
/// element for each query of a batch, which must stay in place during the call.</remarks>
public unsafe partial struct Filter {
    /// <summary>All agents that share a height with this band.</summary>
    public static Filter Between(float minZ, float maxZ) {
        Filter filter = All;
        filter.MinZ = minZ;
        filter.MaxZ = maxZ;
        return filter;
    }
    public static Filter All {
        get {
            Filter filter;
            Native.throng_init_filter(&filter, (uint)sizeof(Filter));
            return filter;
        }
    }
}

/// <remarks>Begin with All; default means All too.</remarks>
public unsafe partial struct PairQuery {
    public static PairQuery All {
        get {
            PairQuery query;
            Native.throng_init_pair_query(&query, (uint)sizeof(PairQuery));
            return query;
        }
    }
}

/// <remarks>In numbers that say yes or no, 0 is no.</remarks>
public unsafe partial struct Within {
    public static Within Of(float radius) {
        Within within;
        Native.throng_init_within(&within, (uint)sizeof(Within));
        within.Radius = radius;
        return within;
    }
}

public unsafe partial struct Nearest {
    public static Nearest Of(int count) {
        Nearest nearest;
        Native.throng_init_nearest(&nearest, (uint)sizeof(Nearest));
        nearest.Count = (uint)count;
        return nearest;
    }
}

public unsafe partial struct KeptNeighbourhood {
    public static KeptNeighbourhood Of(float radius, float skin) {
        KeptNeighbourhood wanted;
        Native.throng_init_kept_neighbourhood(&wanted, (uint)sizeof(KeptNeighbourhood));
        wanted.Radius = radius;
        wanted.Skin = skin;
        return wanted;
    }
}

/// <remarks>What it points to must stay in place during the call: keep the lists or pairs.</remarks>
public unsafe partial struct Links {
    static Links Made {
        get {
            Links links;
            Native.throng_init_links(&links, (uint)sizeof(Links));
            return links;
        }
    }
    public static Links Of(IdLists lists) {
        Links links = Made;
        links.Offsets = lists.Offsets;
        links.OffsetCount = lists.Offsets == null ? 0 : checked((ulong)lists.Count + 1);
        links.Ids = lists.Ids;
        links.IdCount = checked((ulong)lists.Total);
        links.Places = lists.Places;
        links.PlaceCount = lists.Places == null ? 0 : checked((ulong)lists.Count);
        return links;
    }
    public static Links Of(PairList pairs) { return Of(pairs.First, pairs.Count); }
    public static Links Of(Pairs pairs) { return Of(pairs.First, pairs.Count); }
    public static Links Of(Pair* first, long count) {
        Links links = Made;
        links.ArePairs = 1;
        links.Pairs = first;
        links.PairCount = checked((ulong)count);
        return links;
    }
}

/// <remarks>The numbers must stay where they are during the call.</remarks>
public unsafe partial struct Column {
    public static Column Of(float* first, long count, int stride = 0) {
        return Of(first, count, stride, NumberType.Floats);
    }
    public static Column Of(double* first, long count, int stride = 0) {
        return Of(first, count, stride, NumberType.Doubles);
    }
    static Column Of(void* first, long count, int stride, NumberType type) {
        return new Column {
            First = first, Count = checked((ulong)count), Stride = checked((ulong)stride), Type = type
        };
    }
}
public unsafe partial struct ResultColumn {
    public static ResultColumn Of(float* first, long count, int stride = 0) {
        return Of(first, count, stride, NumberType.Floats);
    }
    public static ResultColumn Of(double* first, long count, int stride = 0) {
        return Of(first, count, stride, NumberType.Doubles);
    }
    static ResultColumn Of(void* first, long count, int stride, NumberType type) {
        return new ResultColumn {
            First = first, Count = checked((ulong)count), Stride = checked((ulong)stride), Type = type
        };
    }
}

/// <remarks>Default means sums. What Weights points to must stay in place during the call.</remarks>
public unsafe partial struct Fold {
    public static Fold Of(FoldKind by) {
        Fold fold;
        Native.throng_init_fold(&fold, (uint)sizeof(Fold));
        fold.By = by;
        return fold;
    }
}

/// <remarks>Begin with Made. ParallelFor is the pointer of a Native.ParallelFor, and so are Allocate and
/// Deallocate: keep the delegates in static fields.</remarks>
public unsafe partial struct EngineConfig {
    public static EngineConfig Made {
        get {
            EngineConfig config;
            Native.throng_init_engine_config(&config, (uint)sizeof(EngineConfig), Native.HeaderVersion);
            return config;
        }
    }
}

// --- Reports -----------------------------------------------------------------------------------------------

public unsafe partial struct Tuning {
    /// <summary>Why the grid is as it is.</summary>
    public string Words { get { return Marshal.PtrToStringAnsi((IntPtr)Native.throng_tuning_text(Reason)); } }
}

public unsafe partial struct Validation {
    /// <summary>The first fault.</summary>
    public string Words { get { return Marshal.PtrToStringAnsi((IntPtr)Native.throng_fault_text(First)); } }
}

/// <summary>The library that is loaded.</summary>
public static unsafe class Library {
    public static Version Version {
        get {
            var number = (int)Native.throng_version();
            return new Version(number / 1000000, number / 1000 % 1000, number % 1000);
        }
    }
    /// <summary>How it was built, in one line for bug reports.</summary>
    public static string Build {
        get {
            const int room = 1024;
            byte* text = stackalloc byte[room];
            Native.throng_build_describe(text, room);
            return Marshal.PtrToStringAnsi((IntPtr)text);
        }
    }
    /// <summary>A sentence about a code.</summary>
    public static string Describe(Code code) {
        return Marshal.PtrToStringAnsi((IntPtr)Native.throng_status_text((int)code));
    }
}

// --- What is given -----------------------------------------------------------------------------------------

/// <summary>The point that coordinates in doubles are counted from: amid the agents, and the same for all
/// agents of an engine, its static layer and its queries.</summary>
public struct Origin {
    public double X, Y;

    public Origin(double x, double y) {
        X = x;
        Y = y;
    }
    /// <summary>A box in doubles, as single queries take it. For two coordinates: (float)(x - origin.X),
    /// (float)(y - origin.Y).</summary>
    public Box Box(double minX, double minY, double maxX, double maxY) {
        return new Box {
            MinX = (float)(minX - X), MinY = (float)(minY - Y), MaxX = (float)(maxX - X),
            MaxY = (float)(maxY - Y)
        };
    }
}

/// <summary>Boxes in arrays or behind pointers. A call reads them and does not keep them.</summary>
public unsafe struct Boxes {
    internal float[] X, Y, LastX, LastY;
    internal double[] DoubleX, DoubleY, DoubleLastX, DoubleLastY;
    internal Box[] Elements;
    internal Circle[] Circles;
    internal Shape[] Shapes;
    internal float[] MinZ, MaxZ;
    internal Band[] Bands;
    Native.Boxes view;

    public static Boxes MinMax(float[] minX, float[] minY, float[] maxX, float[] maxY) {
        return Arrays(Form.MinMax, minX, minY, maxX, maxY);
    }
    public static Boxes CentreHalf(float[] x, float[] y, float[] halfX, float[] halfY) {
        return Arrays(Form.CentreHalf, x, y, halfX, halfY);
    }
    public static Boxes Points(float[] x, float[] y, float radius) {
        // Points have no last edges, so any array will do for these.
        Boxes boxes = Arrays(Form.Points, x, y, x, x);
        boxes.LastX = boxes.LastY = null;
        boxes.view.Radius = radius;
        return boxes;
    }
    public static Boxes Of(Box[] boxes) {
        if (boxes == null) throw new ThrongException(Code.NullView, Argument.Boxes);
        Boxes made = Pointers(Form.MinMax, null, null, null, null, boxes.Length, sizeof(Box));
        made.Elements = boxes;
        return made;
    }

    // Doubles, whose edges are counted from an origin in double, and rounded once.
    public static Boxes MinMax(double[] minX, double[] minY, double[] maxX, double[] maxY, Origin origin) {
        return Arrays(Form.MinMax, minX, minY, maxX, maxY, origin);
    }
    public static Boxes CentreHalf(double[] x, double[] y, double[] halfX, double[] halfY, Origin origin) {
        return Arrays(Form.CentreHalf, x, y, halfX, halfY, origin);
    }
    public static Boxes Points(double[] x, double[] y, float radius, Origin origin) {
        Boxes boxes = Arrays(Form.Points, x, y, x, x, origin);
        boxes.DoubleLastX = boxes.DoubleLastY = null;
        boxes.view.Radius = radius;
        return boxes;
    }
    // Centres in doubles, and half extents in floats.
    public static Boxes CentreHalf(double[] x, double[] y, float[] halfX, float[] halfY, Origin origin) {
        if (halfX == null || halfY == null) throw new ThrongException(Code.NullView, Argument.Boxes);
        Boxes boxes = Arrays(Form.CentreHalf, x, y, x, x, origin);
        if (halfX.Length != x.Length || halfY.Length != x.Length)
            throw new ThrongException(Code.SizeMismatch, Argument.Boxes);
        boxes.DoubleLastX = boxes.DoubleLastY = null;
        boxes.LastX = halfX;
        boxes.LastY = halfY;
        return boxes;
    }

    // The queries of a batch, and only they, may be shapes.
    public static Boxes Of(Circle[] circles) {
        if (circles == null) throw new ThrongException(Code.NullView, Argument.Boxes);
        Boxes made = Pointers(Form.Circles, null, null, null, null, circles.Length, 0);
        made.Circles = circles;
        return made;
    }
    public static Boxes Of(Shape[] shapes) {
        if (shapes == null) throw new ThrongException(Code.NullView, Argument.Boxes);
        Boxes made = Pointers(Form.Shapes, null, null, null, null, shapes.Length, 0);
        made.Shapes = shapes;
        return made;
    }

    // Strides are in bytes; 0 means close together. For Unity's NativeArray, or a pinned Vector2[].
    public static Boxes MinMax(float* minX, float* minY, float* maxX, float* maxY, long count,
            int stride = 0) {
        return Pointers(Form.MinMax, minX, minY, maxX, maxY, count, stride);
    }
    public static Boxes CentreHalf(float* x, float* y, float* halfX, float* halfY, long count,
            int stride = 0) {
        return Pointers(Form.CentreHalf, x, y, halfX, halfY, count, stride);
    }
    public static Boxes Points(float* x, float* y, float radius, long count, int stride = 0) {
        Boxes boxes = Pointers(Form.Points, x, y, null, null, count, stride);
        boxes.view.Radius = radius;
        return boxes;
    }
    public static Boxes MinMax(double* minX, double* minY, double* maxX, double* maxY, long count,
            Origin origin, int stride = 0) {
        return Pointers(Form.MinMax, minX, minY, maxX, maxY, count, stride, origin);
    }
    public static Boxes CentreHalf(double* x, double* y, double* halfX, double* halfY, long count,
            Origin origin, int stride = 0) {
        return Pointers(Form.CentreHalf, x, y, halfX, halfY, count, stride, origin);
    }
    public static Boxes Points(double* x, double* y, float radius, long count, Origin origin,
            int stride = 0) {
        Boxes boxes = Pointers(Form.Points, x, y, null, null, count, stride, origin);
        boxes.view.Radius = radius;
        return boxes;
    }
    public static Boxes Of(Circle* circles, long count) {
        Boxes made = Pointers(Form.Circles, null, null, null, null, count, 0);
        made.view.Circles = circles;
        return made;
    }
    public static Boxes Of(Shape* shapes, long count) {
        Boxes made = Pointers(Form.Shapes, null, null, null, null, count, 0);
        made.view.Shapes = shapes;
        return made;
    }
    public static Boxes Of(Box* boxes, long count) {
        float* x = (float*)boxes;
        return Pointers(Form.MinMax, x, x + 1, x + 2, x + 3, count, sizeof(Box));
    }

    /// <summary>The first `count` of them: arrays may be longer than the crowd.</summary>
    public Boxes First(int count) {
        if (count < 0 || (ulong)count > view.Count) throw new ArgumentOutOfRangeException(nameof(count));
        Boxes some = this;
        some.view.Count = (ulong)count;
        return some;
    }

    public long Count { get { return (long)view.Count; } }

    /// <summary>The same for an update, where the last `ghosts` boxes are ghosts: copies of agents that
    /// another engine owns.</summary>
    public Boxes WithGhosts(long ghosts) {
        if (ghosts < 0 || (ulong)ghosts > view.Count) throw new ArgumentOutOfRangeException(nameof(ghosts));
        Boxes some = this;
        some.view.Ghosts = (ulong)ghosts;
        return some;
    }

    /// <summary>The same for an update, an edit or a static layer, with a band of heights for each. Two
    /// agents are a pair only if they share a height, and filters choose storeys. Without bands, agents that
    /// move keep theirs.</summary>
    public Boxes WithHeights(float[] minZ, float[] maxZ) {
        Boxes boxes = AtHeights(null, null, 0, 0, minZ, maxZ);
        boxes.MinZ = minZ;
        boxes.MaxZ = maxZ;
        return boxes;
    }
    /// <summary>From minZ to minZ + height: all are equally tall.</summary>
    public Boxes WithHeights(float[] minZ, float height) {
        Boxes boxes = AtHeights(null, null, 0, height, minZ, minZ);
        boxes.MinZ = minZ;
        return boxes;
    }
    public Boxes WithHeights(Band[] bands) {
        Boxes boxes = AtHeights(null, null, sizeof(Band), 0, bands, bands);
        boxes.Bands = bands;
        return boxes;
    }
    // As many as boxes. Strides are in bytes; 0 means close together.
    public Boxes WithHeights(float* minZ, float* maxZ, int stride = 0) {
        return AtHeights(minZ, maxZ, stride, 0);
    }
    public Boxes WithHeights(float* minZ, float height, int stride = 0) {
        return AtHeights(minZ, null, stride, height);
    }
    Boxes AtHeights(float* minZ, float* maxZ, int stride, float height) {
        Boxes boxes = this;
        boxes.MinZ = boxes.MaxZ = null;
        boxes.Bands = null;
        boxes.view.MinZ = minZ;
        boxes.view.MaxZ = maxZ;
        boxes.view.StrideZ = checked((ulong)stride);
        boxes.view.Height = height;
        return boxes;
    }
    Boxes AtHeights(float* minZ, float* maxZ, int stride, float height, Array one, Array other) {
        if (one == null || other == null) throw new ThrongException(Code.NullView, Argument.Heights);
        if ((ulong)one.Length < view.Count || (ulong)other.Length < view.Count)
            throw new ThrongException(Code.SizeMismatch, Argument.Heights);
        return AtHeights(minZ, maxZ, stride, height);
    }

    static Boxes Arrays(Form form, float[] x, float[] y, float[] lastX, float[] lastY) {
        if (x == null || y == null || lastX == null || lastY == null)
            throw new ThrongException(Code.NullView, Argument.Boxes);
        if (x.Length != y.Length || x.Length != lastX.Length || x.Length != lastY.Length)
            throw new ThrongException(Code.SizeMismatch, Argument.Boxes);
        Boxes boxes = Pointers(form, null, null, null, null, x.Length, 0);
        boxes.X = x;
        boxes.Y = y;
        boxes.LastX = lastX;
        boxes.LastY = lastY;
        return boxes;
    }

    static Boxes Arrays(Form form, double[] x, double[] y, double[] lastX, double[] lastY, Origin origin) {
        if (x == null || y == null || lastX == null || lastY == null)
            throw new ThrongException(Code.NullView, Argument.Boxes);
        if (x.Length != y.Length || x.Length != lastX.Length || x.Length != lastY.Length)
            throw new ThrongException(Code.SizeMismatch, Argument.Boxes);
        Boxes boxes = Pointers(form, null, null, null, null, x.Length, 0, origin);
        boxes.DoubleX = x;
        boxes.DoubleY = y;
        boxes.DoubleLastX = lastX;
        boxes.DoubleLastY = lastY;
        return boxes;
    }

    static Boxes Pointers(Form form, double* x, double* y, double* lastX, double* lastY, long count,
            int stride, Origin origin) {
        Boxes boxes = Pointers(form, (float*)null, null, null, null, count, stride);
        boxes.view.DoubleX = x;
        boxes.view.DoubleY = y;
        boxes.view.DoubleLastX = lastX;
        boxes.view.DoubleLastY = lastY;
        boxes.view.OriginX = origin.X;
        boxes.view.OriginY = origin.Y;
        return boxes;
    }

    static Boxes Pointers(Form form, float* x, float* y, float* lastX, float* lastY, long count, int stride) {
        ulong step = checked((ulong)stride);
        var boxes = new Boxes();
        boxes.view = new Native.Boxes {
            Size = (uint)sizeof(Native.Boxes), Form = form, Count = checked((ulong)count),
            X = x, Y = y, LastX = lastX, LastY = lastY,
            StrideX = step, StrideY = step, StrideLastX = step, StrideLastY = step
        };
        return boxes;
    }

    // As the library takes them. The arguments are where the arrays are pinned.
    internal Native.Boxes At(float* x, float* y, float* lastX, float* lastY, double* doubleX, double* doubleY,
            double* doubleLastX, double* doubleLastY, Box* elements, Circle* circles, Shape* shapes,
            float* minZ, float* maxZ, Band* bands) {
        Native.Boxes at = view;
        if (Elements != null) {
            at.X = (float*)elements;
            at.Y = at.X + 1;
            at.LastX = at.X + 2;
            at.LastY = at.X + 3;
        }
        if (X != null) {
            at.X = x;
            at.Y = y;
        }
        if (LastX != null) {
            at.LastX = lastX;
            at.LastY = lastY;
        }
        if (DoubleX != null) {
            at.DoubleX = doubleX;
            at.DoubleY = doubleY;
        }
        if (DoubleLastX != null) {
            at.DoubleLastX = doubleLastX;
            at.DoubleLastY = doubleLastY;
        }
        if (Circles != null) at.Circles = circles;
        if (Shapes != null) at.Shapes = shapes;
        if (MinZ != null) at.MinZ = minZ;
        if (MaxZ != null) at.MaxZ = maxZ;
        if (Bands != null) {
            at.MinZ = (float*)bands;
            at.MaxZ = at.MinZ + 1;
        }
        return at;
    }
}

/// <summary>A mask of up to 32 categories and a group for each agent; default: no labels. Null for an array
/// means the first category, or no group.</summary>
public unsafe struct Labels {
    internal uint[] Categories, Groups;
    Native.Labels view;

    public static Labels Of(uint[] categories, uint[] groups) {
        if (categories != null && groups != null && categories.Length != groups.Length)
            throw new ThrongException(Code.SizeMismatch, Argument.Labels);
        uint[] either = categories ?? groups;
        Labels labels = Of(null, null, either == null ? 0 : either.Length);
        labels.Categories = categories;
        labels.Groups = groups;
        return labels;
    }
    public static Labels Of(uint* categories, uint* groups, long count, int stride = 0) {
        var labels = new Labels();
        labels.view = new Native.Labels {
            Size = (uint)sizeof(Native.Labels), Count = checked((ulong)count),
            Categories = categories, Groups = groups, Stride = checked((ulong)stride)
        };
        return labels;
    }

    public Labels First(int count) {
        if (count < 0 || (ulong)count > view.Count) throw new ArgumentOutOfRangeException(nameof(count));
        Labels some = this;
        some.view.Count = (ulong)count;
        return some;
    }

    internal Native.Labels At(uint* categories, uint* groups) {
        Native.Labels at = view;
        if (Categories != null) at.Categories = categories;
        if (Groups != null) at.Groups = groups;
        return at;
    }
}

/// <summary>Points in arrays or behind pointers.</summary>
public unsafe struct Points {
    internal float[] X, Y;
    internal double[] DoubleX, DoubleY;
    Native.Points view;

    public static Points Of(float[] x, float[] y) {
        if (x == null || y == null) throw new ThrongException(Code.NullView, Argument.Boxes);
        if (x.Length != y.Length) throw new ThrongException(Code.SizeMismatch, Argument.Boxes);
        Points points = Of(null, null, x.Length);
        points.X = x;
        points.Y = y;
        return points;
    }
    public static Points Of(float* x, float* y, long count, int stride = 0) {
        var points = new Points();
        points.view = new Native.Points {
            Size = (uint)sizeof(Native.Points), Count = checked((ulong)count), X = x, Y = y,
            Stride = checked((ulong)stride)
        };
        return points;
    }

    // Doubles, from which the origin is subtracted in double.
    public static Points Of(double[] x, double[] y, Origin origin) {
        if (x == null || y == null) throw new ThrongException(Code.NullView, Argument.Boxes);
        if (x.Length != y.Length) throw new ThrongException(Code.SizeMismatch, Argument.Boxes);
        Points points = Of(null, null, x.Length, origin);
        points.DoubleX = x;
        points.DoubleY = y;
        return points;
    }
    public static Points Of(double* x, double* y, long count, Origin origin, int stride = 0) {
        Points points = Of((float*)null, null, count, stride);
        points.view.DoubleX = x;
        points.view.DoubleY = y;
        points.view.OriginX = origin.X;
        points.view.OriginY = origin.Y;
        return points;
    }

    internal Native.Points At(float* x, float* y, double* doubleX, double* doubleY) {
        Native.Points at = view;
        if (X != null) {
            at.X = x;
            at.Y = y;
        }
        if (DoubleX != null) {
            at.DoubleX = doubleX;
            at.DoubleY = doubleY;
        }
        return at;
    }
}

// --- Handles -----------------------------------------------------------------------------------------------

/// <summary>An object of the library. Dispose gives it back, or else the finalizer.</summary>
public abstract unsafe class NativeObject : CriticalFinalizerObject, IDisposable {
    IntPtr pointer;

    /// <summary>For `Native`. It lives as long as this object.</summary>
    public IntPtr Pointer {
        get {
            if (pointer == IntPtr.Zero) throw new ObjectDisposedException(GetType().Name);
            return pointer;
        }
        protected set { pointer = value; }
    }

    ~NativeObject() { Release(); }
    public void Dispose() {
        Release();
        GC.SuppressFinalize(this);
    }
    void Release() {
        IntPtr held = Interlocked.Exchange(ref pointer, IntPtr.Zero);
        if (held == IntPtr.Zero) return;
        Forget();
        Destroy(held);
    }
    protected abstract void Destroy(IntPtr held);
    // The pointers into what is destroyed next.
    internal virtual void Forget() {}
}

// What each method does around its call.
static unsafe class Calls {
    // Keeps the objects of a call alive until it has returned: a pointer alone does not. A failed call may
    // have filled results, and moved what they point to.
    internal static void Check(int status, Native.StatusDetails* details, object one = null,
            object other = null, object third = null) {
        (one as Result)?.Read();
        (other as Result)?.Read();
        (third as Result)?.Read();
        GC.KeepAlive(one);
        GC.KeepAlive(other);
        GC.KeepAlive(third);
        if (status != 0) throw new ThrongException(*details);
    }
    internal static Native.StatusDetails Details {
        get { return Native.StatusDetails.Made(Code.Ok, Argument.Any); }
    }
    internal static IntPtr PointerOf(NativeObject handle) {
        if (handle == null) throw new ArgumentNullException();
        return handle.Pointer;
    }
    internal static ulong Room(Array array) {
        if (array == null) throw new ArgumentNullException();
        return (ulong)array.Length;
    }
    internal static ulong Length(uint[] ids) {
        if (ids == null) throw new ThrongException(Code.NullView, Argument.Ids);
        return (ulong)ids.Length;
    }

    // `default` means the defaults. Anything else that was not made goes to the library, which refuses it.
    internal static Filter* OrNull(Filter* filter) { return (Filter*)OrNull(filter, sizeof(Filter)); }
    internal static PairQuery* OrNull(PairQuery* query) {
        return (PairQuery*)OrNull(query, sizeof(PairQuery));
    }
    internal static Fold* OrNull(Fold* fold) { return (Fold*)OrNull(fold, sizeof(Fold)); }
    internal static EngineConfig* OrNull(EngineConfig* config) {
        return (EngineConfig*)OrNull(config, sizeof(EngineConfig));
    }
    internal static Native.Labels* OrNull(Native.Labels* labels) {
        return (Native.Labels*)OrNull(labels, sizeof(Native.Labels));
    }
    static void* OrNull(void* options, int size) {
        for (int i = 0; i < size / sizeof(uint); ++i)
            if (((uint*)options)[i] != 0) return options;
        return null;
    }
}

/// <summary>All agents. One thread at a time may write.</summary>
public sealed unsafe partial class Engine : NativeObject {
    /// <summary>On oneTBB's threads if the library has them, otherwise on the calling thread.</summary>
    public Engine() : this(EngineConfig.Made) {}
    /// <summary>With 1 everything runs on the calling thread. With more it runs on as many threads of the
    /// thread pool, and makes some small objects for each parallel step.</summary>
    public Engine(int threads) : this(PoolThreads.Config(threads)) {}
    /// <summary>The plan of the newest frame, for another engine or for later: see SetPlan.</summary>
    public byte[] Plan() {
        var plan = new byte[Plan(new byte[0])];
        Plan(plan);
        return plan;
    }
    public Engine(EngineConfig config) {
        IntPtr made;
        Native.StatusDetails details = Details;
        Check(Native.throng_engine_create(&config, &made, &details), &details, this);
        Pointer = made;
    }

    public void Reserve(long agents) { Reserve(agents, 0); }

    /// <summary>The newest frame. Any thread may ask for it.</summary>
    public Frame Frame() { return Frame(null); }
    /// <summary>The same in a frame that the host holds: its handle is reused. Null makes a new
    /// one.</summary>
    public Frame Frame(Frame reused) {
        IntPtr held = reused == null ? IntPtr.Zero : reused.Pointer;
        Native.StatusDetails details = Details;
        Check(Native.throng_engine_frame(Pointer, &held, &details), &details, this, reused);
        if (reused == null) return new Frame(held);
        reused.Holds(held);
        return reused;
    }

    /// <summary>The name of the instruction set.</summary>
    public string Isa {
        get {
            string isa = Marshal.PtrToStringAnsi((IntPtr)Native.throng_engine_isa(Pointer));
            GC.KeepAlive(this);
            return isa;
        }
    }
}

/// <summary>What never moves: built once, and shared by the frames of one or more engines.</summary>
public sealed partial class StaticLayer : NativeObject {
    internal StaticLayer(IntPtr held) { Pointer = held; }
}

// Runs blocks on the thread pool. The delegate is static: frames may call it after their engine is gone.
static unsafe class PoolThreads {
    static readonly Native.ParallelFor run = Run;
    static readonly IntPtr callback = Marshal.GetFunctionPointerForDelegate(run);

    internal static EngineConfig Config(int threads) {
        if (threads < 1) throw new ArgumentOutOfRangeException(nameof(threads));
        EngineConfig config = EngineConfig.Made;
        config.Serial = 1;
        if (threads == 1) return config;
        config.ParallelFor = callback;
        config.ExecutorContext = (void*)threads;
        config.Workers = (uint)threads;
        return config;
    }

    // If an exception leaves blocks undone, the library notices, and returns BadExecutor.
    [MonoPInvokeCallback(typeof(Native.ParallelFor))]
    static void Run(void* threads, ulong count, IntPtr body, void* argument) {
        try {
            var block = Marshal.GetDelegateForFunctionPointer<Native.Block>(body);
            var most = new ParallelOptions { MaxDegreeOfParallelism = (int)threads };
            var given = (IntPtr)argument;
            Parallel.For(0, (int)count, most, index => block((void*)given, (ulong)index));
        } catch (Exception) {
        }
    }
}

/// <summary>Stops long calls. Until it is disposed, calls of its thread ask about every 50 milliseconds
/// whether to end, for example `() => token.IsCancellationRequested`. Then they throw with Code.Cancelled:
/// nothing has changed, and the same call may be made again. An exception of the delegate counts as a
/// yes.</summary>
public sealed unsafe class Cancelling : IDisposable {
    static readonly Native.Cancelled ask = Ask;
    static readonly IntPtr callback = Marshal.GetFunctionPointerForDelegate(ask);
    [ThreadStatic] static Func<bool> asked;
    readonly Func<bool> outer;

    public Cancelling(Func<bool> shallEnd) {
        if (shallEnd == null) throw new ArgumentNullException(nameof(shallEnd));
        outer = asked;
        Use(shallEnd);
    }
    public void Dispose() { Use(outer); }

    static void Use(Func<bool> shallEnd) {
        asked = shallEnd;
        Native.throng_cancel_with(shallEnd == null ? IntPtr.Zero : callback, null);
    }
    [MonoPInvokeCallback(typeof(Native.Cancelled))]
    static int Ask(void* context) {
        try {
            return asked() ? 1 : 0;
        } catch (Exception) {
            return 1;
        }
    }
}

// Unity's ahead-of-time compiler looks for this name on what native code calls.
[AttributeUsage(AttributeTargets.Method)]
sealed class MonoPInvokeCallbackAttribute : Attribute {
    internal MonoPInvokeCallbackAttribute(Type type) {}
}

/// <summary>An immutable snapshot of all agents. Any thread may query it, even after the engine is
/// gone.</summary>
public sealed unsafe partial class Frame : NativeObject {
    internal Frame(IntPtr held) { Pointer = held; }
    internal void Holds(IntPtr held) { Pointer = held; }
    protected override void Destroy(IntPtr held) { Native.throng_frame_release(held); }

    /// <summary>The same frame as another object, which is disposed of by itself.</summary>
    public Frame Share() {
        Native.throng_frame_retain(Pointer);
        var shared = new Frame(Pointer);
        GC.KeepAlive(this);
        return shared;
    }

    /// <summary>Whether an agent is a ghost; false for an unused id. (throng_frame_is_ghost)</summary>
    public bool IsGhost(uint id) {
        int answer = Native.throng_frame_is_ghost(Pointer, id);
        GC.KeepAlive(this);
        return answer != 0;
    }

    /// <summary>A hash of the agents alone, the same in every frame with these ids, boxes and labels.</summary>
    public ulong AgentsFingerprint {
        get {
            ulong answer = Native.throng_frame_agents_fingerprint(Pointer);
            GC.KeepAlive(this);
            return answer;
        }
    }
    /// <summary>A hash of all agents in their order, which follows from the engine's history.</summary>
    public ulong Fingerprint {
        get {
            ulong answer = Native.throng_frame_fingerprint(Pointer);
            GC.KeepAlive(this);
            return answer;
        }
    }

    /// <summary>All agents with their boxes, row by row, in the order of answers: as many as both arrays have
    /// room for. Either may be null.</summary>
    public void Agents(uint[] ids, Box[] boxes) {
        Native.StatusDetails details = Details;
        ulong room = Math.Min(Room((Array)ids ?? boxes), Room((Array)boxes ?? ids));
        fixed (uint* idsAt = ids)
        fixed (Box* boxesAt = boxes)
            Check(Native.throng_frame_agents(Pointer, idsAt, boxesAt, room, &details), &details, this);
    }

    /// <summary>The agent whose centre is nearest to a point; Native.NoAgent if there is none.</summary>
    public Neighbour Nearest(float x, float y, Filter filter = default(Filter)) {
        bool isStatic;
        return Nearest(x, y, out isStatic, filter);
    }
    /// <summary>The same, and whether it is an element of the static layer.</summary>
    public Neighbour Nearest(float x, float y, out bool isStatic, Filter filter = default(Filter)) {
        Neighbour nearest;
        int answer;
        Native.StatusDetails details = Details;
        Check(
            Native.throng_frame_nearest(Pointer, x, y, OrNull(&filter), &nearest, &answer, &details),
            &details, this);
        isStatic = answer != 0;
        return nearest;
    }
}

// --- Results -----------------------------------------------------------------------------------------------

// What pointers point to stays until the next call that fills the object, or until it is disposed of or
// collected. After filling one through Native, call Read.

/// <summary>What a call fills.</summary>
public abstract class Result : NativeObject {
    /// <summary>Takes the pointers to the answers: call it after filling through Native.</summary>
    public abstract void Read();
}

/// <summary>Pairs of a result.</summary>
public unsafe struct PairList {
    // It keeps the result, whose memory would go with it.
    readonly object owner;
    public readonly Pair* First;
    public readonly long Count;

    internal PairList(object owner, Pair* first, long count) {
        this.owner = owner;
        First = first;
        Count = count;
    }
    public Pair this[long index] { get { return First[Lists.Below(index, Count)]; } }
    public void CopyTo(Pair[] to) {
        fixed (Pair* begin = to) Lists.Copy(First, begin, Count, to.Length, sizeof(Pair));
        GC.KeepAlive(owner);
    }

    public Enumerator GetEnumerator() { return new Enumerator(this); }
    public struct Enumerator {
        readonly PairList pairs;
        long index;
        internal Enumerator(PairList pairs) {
            this.pairs = pairs;
            index = -1;
        }
        public bool MoveNext() {
            if (++index < pairs.Count) return true;
            GC.KeepAlive(pairs.owner);
            return false;
        }
        public Pair Current { get { return pairs.First[index]; } }
    }
}

/// <summary>Pairs of agents.</summary>
public sealed unsafe partial class Pairs : Result {
    PairList list;

    internal override void Forget() { list = default(PairList); }
    public override void Read() {
        ulong count;
        Pair* first = Native.throng_pairs_get(Pointer, &count);
        list = new PairList(this, first, (long)count);
    }

    public Pair* First { get { return list.First; } }
    public long Count { get { return list.Count; } }
    public Pair this[long index] { get { return list[index]; } }
    public void CopyTo(Pair[] to) { list.CopyTo(to); }
    public PairList.Enumerator GetEnumerator() { return list.GetEnumerator(); }
}

/// <summary>One list of ids: a piece of a result.</summary>
public unsafe struct Ids {
    // It keeps the result, whose memory would go with it.
    readonly object owner;
    public readonly uint* First;
    public readonly long Count;

    internal Ids(object owner, uint* first, long count) {
        this.owner = owner;
        First = first;
        Count = count;
    }
    public uint this[long index] { get { return First[Lists.Below(index, Count)]; } }
    public void CopyTo(uint[] to) {
        fixed (uint* begin = to) Lists.Copy(First, begin, Count, to.Length, sizeof(uint));
        GC.KeepAlive(owner);
    }

    public Enumerator GetEnumerator() { return new Enumerator(this); }
    public struct Enumerator {
        readonly Ids ids;
        long index;
        internal Enumerator(Ids ids) {
            this.ids = ids;
            index = -1;
        }
        public bool MoveNext() {
            if (++index < ids.Count) return true;
            GC.KeepAlive(ids.owner);
            return false;
        }
        public uint Current { get { return ids.First[index]; } }
    }
}

/// <summary>Lists one behind the other: list q goes from Offsets[q] to Offsets[q + 1].</summary>
public abstract unsafe class Lists : Result {
    public ulong* Offsets { get; internal set; }
    /// <summary>How many lists there are.</summary>
    public long Count { get; internal set; }
    /// <summary>How many elements all of them have.</summary>
    public long Total { get { return Count == 0 ? 0 : (long)Offsets[Count]; } }
    public long Length(long list) {
        Below(list, Count);
        return (long)(Offsets[list + 1] - Offsets[list]);
    }
    public void CopyOffsetsTo(ulong[] to) {
        fixed (ulong* begin = to) Copy(Offsets, begin, Count == 0 ? 0 : Count + 1, to.Length, sizeof(ulong));
        GC.KeepAlive(this);
    }

    internal override void Forget() { SetOffsets(null, 0); }
    internal void SetOffsets(ulong* offsets, ulong count) {
        Offsets = offsets;
        Count = count == 0 ? 0 : (long)count - 1;
    }
    internal static long Below(long index, long count) {
        if (index < 0 || index >= count) throw new ArgumentOutOfRangeException(nameof(index));
        return index;
    }
    internal static void Copy(void* from, void* to, long count, long room, int size) {
        if (room < count) throw new ArgumentException("the array is shorter than the result");
        Buffer.MemoryCopy(from, to, room * size, count * size);
    }
}

/// <summary>Lists of ids.</summary>
public abstract unsafe class IdLists : Lists {
    public uint* Ids { get; internal set; }
    public Ids this[long list] {
        get { return new Ids(this, Ids + Offsets[Below(list, Count)], Length(list)); }
    }
    public void CopyIdsTo(uint[] to) {
        fixed (uint* begin = to) Copy(Ids, begin, Total, to.Length, sizeof(uint));
        GC.KeepAlive(this);
    }

    // The rows for results of folds, if they are not the lists' own numbers.
    internal virtual uint* Places { get { return null; } }

    internal override void Forget() {
        base.Forget();
        Ids = null;
    }
}

/// <summary>Ids for each query.</summary>
public sealed unsafe partial class Hits : IdLists {
    public override void Read() {
        ulong count;
        ulong* offsets = Native.throng_hits_offsets(Pointer, &count);
        SetOffsets(offsets, count);
        Ids = Native.throng_hits_ids(Pointer, null);
        GC.KeepAlive(this);
    }
}

/// <summary>Ids for each query, in the order in which they were found, which is the fastest: list k is that
/// of query Queries[k].</summary>
public sealed unsafe partial class HitsAsFound : IdLists {
    public override void Read() {
        ulong count;
        ulong* offsets = Native.throng_hits_as_found_offsets(Pointer, &count);
        SetOffsets(offsets, count);
        Ids = Native.throng_hits_as_found_ids(Pointer, null);
        Queries = Native.throng_hits_as_found_queries(Pointer, null);
        GC.KeepAlive(this);
    }
    internal override void Forget() {
        base.Forget();
        Queries = null;
    }

    public uint* Queries { get; private set; }
    internal override uint* Places { get { return Queries; } }
}

/// <summary>Neighbours for each agent or point.</summary>
public sealed unsafe partial class Neighbours : IdLists {
    public override void Read() {
        ulong count;
        ulong* offsets = Native.throng_neighbours_offsets(Pointer, &count);
        SetOffsets(offsets, count);
        Ids = Native.throng_neighbours_ids(Pointer, null);
        SquaredDistances = Native.throng_neighbours_squared_distances(Pointer, &count);
        if (count == 0) SquaredDistances = null;
        Agents = Native.throng_neighbours_agents(Pointer, &count);
        if (count == 0) Agents = null;
        GC.KeepAlive(this);
    }
    internal override void Forget() {
        base.Forget();
        Agents = null;
        SquaredDistances = null;
    }

    /// <summary>Null unless they were asked for.</summary>
    public float* SquaredDistances { get; private set; }
    /// <summary>In row order the agent that each list belongs to, otherwise null.</summary>
    public uint* Agents { get; private set; }
    internal override uint* Places { get { return Agents; } }
    public void CopySquaredDistancesTo(float[] to) {
        fixed (float* begin = to)
            Copy(SquaredDistances, begin, SquaredDistances == null ? 0 : Total, to.Length, sizeof(float));
        GC.KeepAlive(this);
    }
}

/// <summary>Neighbours that are kept from frame to frame, known as Verlet lists. List i has every agent
/// within the radius that shares a height with agent i, and maybe others, which may have gone far away since.</summary>
public sealed unsafe partial class KeptNeighbours : IdLists {
    public override void Read() {
        ulong count;
        ulong* offsets = Native.throng_kept_neighbours_offsets(Pointer, &count);
        SetOffsets(offsets, count);
        Ids = Native.throng_kept_neighbours_ids(Pointer, null);
        GC.KeepAlive(this);
    }
}

public static unsafe partial class Arrays {
    /// <summary>Folds several columns into as many: each list, or for each agent the values of all that it is
    /// paired with. (throng_arrays_fold)</summary>
    public static void Fold(Links links, Column[] values, ResultColumn[] results,
            Fold fold = default(Fold), EngineConfig config = default(EngineConfig)) {
        Native.StatusDetails details = Details;
        fixed (Column* from = values)
        fixed (ResultColumn* to = results)
            Check(
                Native.throng_arrays_fold(&links, from, Room(values), to, Room(results), OrNull(&fold),
                    OrNull(&config), &details),
                &details);
    }
    /// <summary>Folds the values of the agents in each list: one column, by id. For a count the values may be
    /// null. There may be a weight for each id of the lists.</summary>
    public static void Fold(IdLists lists, float[] values, float[] results, FoldKind by = FoldKind.Sum,
            float[] weights = null) {
        Fold(Links.Of(lists), values, results, by, weights);
        GC.KeepAlive(lists);
    }
    /// <summary>For each agent the values of all that it is paired with. There may be a weight for each
    /// pair.</summary>
    public static void Fold(Pairs pairs, float[] values, float[] results, FoldKind by = FoldKind.Sum,
            float[] weights = null) {
        Fold(Links.Of(pairs), values, results, by, weights);
        GC.KeepAlive(pairs);
    }
    static void Fold(Links links, float[] values, float[] results, FoldKind by, float[] weights) {
        Native.StatusDetails details = Details;
        Throng.Fold fold = Throng.Fold.Of(by);
        fixed (float* valuesAt = values, resultsAt = results, weightsAt = weights) {
            Column from = Column.Of(valuesAt, values == null ? 0 : values.Length);
            Column weighted = Column.Of(weightsAt, weights == null ? 0 : weights.Length);
            ResultColumn to = ResultColumn.Of(resultsAt, (long)Room(results));
            if (weights != null) fold.Weights = &weighted;
            ulong columns = by == FoldKind.Count ? 0u : 1u;
            Check(Native.throng_arrays_fold(&links, &from, columns, &to, 1, &fold, null, &details), &details);
        }
    }
}

/// <summary>Which pairs began and which ended, sorted, and all pairs of the last frame.</summary>
public sealed unsafe partial class PairChanges : Result {
    public override void Read() {
        ulong count;
        Pair* first = Native.throng_pair_changes_began(Pointer, &count);
        Began = new PairList(this, first, (long)count);
        first = Native.throng_pair_changes_ended(Pointer, &count);
        Ended = new PairList(this, first, (long)count);
        first = Native.throng_pair_changes_pairs(Pointer, &count);
        Pairs = new PairList(this, first, (long)count);
    }
    internal override void Forget() { Began = Ended = Pairs = default(PairList); }

    public PairList Began { get; private set; }
    public PairList Ended { get; private set; }
    public PairList Pairs { get; private set; }
}

/// <summary>What each cast touches.</summary>
public sealed unsafe partial class CastHits : Lists {
    public override void Read() {
        ulong count;
        ulong* offsets = Native.throng_cast_hits_offsets(Pointer, &count);
        SetOffsets(offsets, count);
        First = Native.throng_cast_hits_get(Pointer, null);
        GC.KeepAlive(this);
    }
    internal override void Forget() {
        base.Forget();
        First = null;
    }

    public CastHit* First { get; private set; }
    /// <summary>Hit k of a cast.</summary>
    public CastHit this[long list, long k] {
        get { return First[(long)Offsets[Below(list, Count)] + Below(k, Length(list))]; }
    }
    public void CopyTo(CastHit[] to) {
        fixed (CastHit* begin = to) Copy(First, begin, Total, to.Length, sizeof(CastHit));
        GC.KeepAlive(this);
    }
}

/// <summary>A block of memory from an engine's source, or from the heap.</summary>
public sealed unsafe partial class Memory : NativeObject {
    /// <summary>Where it begins. It lives as long as this object.</summary>
    public byte* First {
        get {
            byte* first = (byte*)Native.throng_memory_get(Pointer, null);
            GC.KeepAlive(this);
            return first;
        }
    }
    public long Bytes {
        get {
            ulong bytes;
            Native.throng_memory_get(Pointer, &bytes);
            GC.KeepAlive(this);
            return (long)bytes;
        }
    }
}

// --- The calls as they are ---------------------------------------------------------------------------------

public static unsafe partial class Native {
    // The library's file: throng.dll, libthrong_c.so, or the program itself on systems that allow only that.
#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR
    public const string Library = "__Internal";
#elif UNITY_EDITOR_WIN || UNITY_STANDALONE_WIN || THRONG_WINDOWS
    public const string Library = "throng";
#else
    public const string Library = "throng_c";
#endif
    const CallingConvention C = CallingConvention.Cdecl;

    public partial struct StatusDetails {
        public static StatusDetails Made(Code code, Argument argument) {
            return new StatusDetails {
                Size = (uint)sizeof(StatusDetails), Code = (int)code, Argument = (int)argument,
                Index = NoIndex
            };
        }
    }
}

}
