// Throng for C#: a spatial index in the plane for very many agents, of which most move in every frame.
//
//     using (var engine = new Throng.Engine())
//     using (var pairs = new Throng.Pairs(engine)) {
//         engine.Update(Throng.Boxes.CentreHalf(x, y, radii, radii));    // all agents, in every frame
//         using (Throng.Frame frame = engine.Frame()) frame.Pairs(pairs);    // a snapshot: any thread may ask it
//         foreach (Throng.Pair pair in pairs) Bounce(pair.A, pair.B);    // every two that touch
//     }
//
// One file, for C# 7 with unsafe code, on netstandard2.0, .NET Framework, Mono and Unity. throng.h is the manual: this file
// has its calls twice. `Native` has all of them as they are, for Burst and for whoever wants them. The classes above it have
// what most hosts need: arrays are pinned for the time of a call, statuses become exceptions, and handles are disposed of or
// finalized. In a settled simulation no call of theirs allocates, neither here nor in the library: keep frames and results
// from call to call.
//
// Threads. As in C: one thread at a time writes to an engine, meanwhile any thread asks frames, and a result is for one thread
// at a time. Nobody may dispose of an object while another thread uses it; what is only forgotten is safe.
using System;
using System.Runtime.ConstrainedExecution;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Throng {

// --- Statuses ----------------------------------------------------------------------------------------------

/// <summary>What went wrong; throng.h explains each.</summary>
public enum Code {
    Ok = 0,
    NotFinite = 1,
    Inverted = 2,
    UnknownId = 3,
    DuplicateId = 4,
    SizeMismatch = 5,
    NullView = 6,
    BadStride = 7,
    TooMany = 8,
    EditsPending = 9,
    OutOfMemory = 10,
    BadConfig = 11,
    UnknownIsa = 12,
    UnsupportedIsa = 13,
    BadExecutor = 14,
    TooLarge = 17,
    BadShape = 19,
    OtherRounding = 20,
    NullPointer = 100,
    BadStruct = 101,
    BadVersion = 102
}

/// <summary>Which argument was wrong.</summary>
public enum Argument {
    Any = 0,
    Boxes = 1,
    Ids = 2,
    Labels = 3,
    Filters = 4,
    Radii = 5,
    Output = 6,
    Options = 7,
    Extents = 8,
    CellSize = 9,
    ElementSize = 10,
    Counts = 11,
    Executor = 12,
    Count = 13,
    AgentsAs = 14,
    Half = 15,
    EitherReaches = 16,
    InRowOrder = 17,
    Queries = 18,
    Handle = 100,
    Config = 101,
    Memory = 102,
    Isa = 103
}

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

/// <summary>Closed: boxes that touch overlap.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct Box {
    public float MinX, MinY, MaxX, MaxY;
}

[StructLayout(LayoutKind.Sequential)]
public struct Point {
    public float X, Y;
}

/// <summary>An agent, and not only its id, which another may get once the agent was removed.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct Handle {
    public uint Id, Generation;
}

[StructLayout(LayoutKind.Sequential)]
public struct Pair {
    public uint A, B;
}

[StructLayout(LayoutKind.Sequential)]
public struct Label {
    public uint Categories, Group;
}

[StructLayout(LayoutKind.Sequential)]
public struct Neighbour {
    public uint Id;
    public float SquaredDistance;
}

/// <summary>A box that moves by (Dx, Dy), with corners rounded by a radius. A point is a ray.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct Cast {
    public float MinX, MinY, MaxX, MaxY, Dx, Dy, Radius;

    public static Cast Ray(float x, float y, float dx, float dy) {
        return new Cast { MinX = x, MinY = y, MaxX = x, MaxY = y, Dx = dx, Dy = dy };
    }
}

/// <summary>Which agent, at which fraction of the movement. Without a hit: Native.NoAgent and infinity.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct CastHit {
    public uint Id;
    public float Fraction;
    public uint IsStatic;
}

public enum AgentsAs : uint { Boxes = 0, Centres = 1, Circles = 2 }

[StructLayout(LayoutKind.Sequential)]
public unsafe struct Circle {
    public float X, Y, Radius;
    public byte AgentsAs;
    public fixed byte Reserved[3];

    public static Circle Of(float x, float y, float radius, AgentsAs agents = Throng.AgentsAs.Boxes) {
        return new Circle { X = x, Y = y, Radius = radius, AgentsAs = (byte)agents };
    }
}

public enum ShapeKind : uint { Box = 0, Circle = 1, Segment = 2, Polygon = 3 }

/// <summary>A shape of any kind. A segment has a radius; a polygon is convex, and its corners must stay where they are
/// during the call.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct Shape {
    public ShapeKind Kind;
    public AgentsAs AgentsAs;
    public float X, Y, ToX, ToY, Radius;
    public uint CornerCount;
    public Point* Corners;

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

/// <summary>A filter of one query of a batch.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct QueryFilter {
    public uint Categories, Self, NotInGroup;
}

/// <summary>How boxes are given.</summary>
public enum Form : uint { MinMax = 0, CentreHalf = 1, Points = 2, Circles = 3, Shapes = 4 }

/// <summary>Which agents a query finds. Begin with All and set what you want; default stands for All too.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct Filter {
    public uint Size, Categories, Self, NotInGroup, EachWithoutItself, WithStatic;
    public QueryFilter* Each;  // NULL, or one for each query of a batch, which stay where they are during the call
    public ulong EachCount;

    public static Filter All {
        get {
            Filter filter;
            Native.throng_init_filter(&filter, (uint)sizeof(Filter));
            return filter;
        }
    }

    // One that is neither made nor empty goes to the library, which refuses it.
    internal static Filter* OrNull(Filter* filter) {
        uint any = filter->Size | filter->Categories | filter->Self | filter->NotInGroup |
            filter->EachWithoutItself | filter->WithStatic;
        return any == 0 && filter->Each == null && filter->EachCount == 0 ? null : filter;
    }
}

/// <summary>Which pairs; default stands for all that overlap. Begin with All.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct PairQuery {
    public uint Size, A, B, OtherGroupsOnly;
    public float Within;
    public uint Reserved;

    public static PairQuery All {
        get {
            PairQuery query;
            Native.throng_init_pair_query(&query, (uint)sizeof(PairQuery));
            return query;
        }
    }

    internal static PairQuery* OrNull(PairQuery* query) {
        uint any = query->Size | query->A | query->B | query->OtherGroupsOnly | query->Reserved;
        return any == 0 && query->Within == 0 ? null : query;
    }
}

/// <summary>All agents within a radius. Of numbers that say yes or no, 0 is no.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct Within {
    public uint Size;
    public float Radius;
    public float* Radii;
    public ulong RadiiCount;
    public AgentsAs AgentsAs;
    public uint EitherReaches, Half, WithSelf, Distances, InRowOrder;

    public static Within Of(float radius) {
        Within within;
        Native.throng_init_within(&within, (uint)sizeof(Within));
        within.Radius = radius;
        return within;
    }
}

/// <summary>The nearest agents, sorted. Of equal distances the lowest id comes first.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct Nearest {
    public uint Size, Count;
    public float MaxRadius;
    public AgentsAs AgentsAs;
    public float* MaxRadii;
    public ulong RadiiCount;
    public uint WithSelf, Distances, InRowOrder, Reserved;

    public static Nearest Of(int count) {
        Nearest nearest;
        Native.throng_init_nearest(&nearest, (uint)sizeof(Nearest));
        nearest.Count = (uint)count;
        return nearest;
    }
}

/// <summary>What is kept of neighbours from frame to frame.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct KeptNeighbourhood {
    public uint Size;
    public float Radius, Skin;
    public uint Half;

    public static KeptNeighbourhood Of(float radius, float skin) {
        KeptNeighbourhood wanted;
        Native.throng_init_kept_neighbourhood(&wanted, (uint)sizeof(KeptNeighbourhood));
        wanted.Radius = radius;
        wanted.Skin = skin;
        return wanted;
    }
}

/// <summary>What an engine is made with. Begin with Made. What its pointers point to must outlive the engine, its frames
/// and its results: keep delegates in static fields.</summary>
[StructLayout(LayoutKind.Sequential)]
public unsafe struct EngineConfig {
    public uint Size, HeaderVersion;
    public IntPtr ParallelFor;  // a Native.ParallelFor
    public void* ExecutorContext;
    public uint Workers, Serial;
    public IntPtr Allocate, Deallocate;  // a Native.Allocate and a Native.Deallocate
    public void* MemoryContext;
    public byte* Isa;
    public float CellWidth, RowHeight, CommonSize;
    public uint Reserved;

    public static EngineConfig Made {
        get {
            EngineConfig config;
            Native.throng_init_engine_config(&config, (uint)sizeof(EngineConfig), Native.HeaderVersion);
            return config;
        }
    }
}

// --- Reports -----------------------------------------------------------------------------------------------

/// <summary>Bytes, by part.</summary>
[StructLayout(LayoutKind.Sequential)]
public struct MemoryReport {
    public uint Size, Reserved;
    public ulong Rows, History, Tables, Agents, Staged, Scratch, Allocations;
}

[StructLayout(LayoutKind.Sequential)]
public struct Tuning {
    public uint Size;
    public int Reason;  // Native.throng_tuning_text has it in words
    public float CellWidth, RowHeight, OriginX, OriginY;
    public uint Columns, Rows;
    public float CommonWidth, CommonHeight;
    public uint Islands;
    public float Crowding;
    public ulong Oversized, TimesChosen;
}

[StructLayout(LayoutKind.Sequential)]
public struct Validation {
    public uint Size;
    public int First;  // Native.throng_fault_text has it in words
    public ulong Faults;
    public uint Row, Slot, Agent, Reserved;
}

[StructLayout(LayoutKind.Sequential)]
public struct Explanation {
    public uint Size, Reserved;
    public ulong Queries, Rows, Cells, Tested, Covered, Islands, Nodes, Oversized, Hits;
}

// --- What is given -----------------------------------------------------------------------------------------

/// <summary>Boxes in arrays or behind pointers, which are read during a call and not kept.</summary>
public unsafe struct Boxes {
    internal float[] X, Y, LastX, LastY;
    internal Box[] Elements;
    internal Circle[] Circles;
    internal Shape[] Shapes;
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

    // As the queries of a batch, and only there, they may be shapes.
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

    // Strides are in bytes, and 0 says close together. For a NativeArray of Unity, or Vector2[] that the host has pinned.
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
    internal Native.Boxes At(float* x, float* y, float* lastX, float* lastY, Box* elements) {
        Native.Boxes at = view;
        if (Elements != null) {
            at.X = (float*)elements;
            at.Y = at.X + 1;
            at.LastX = at.X + 2;
            at.LastY = at.X + 3;
        } else if (X != null) {
            at.X = x;
            at.Y = y;
            at.LastX = lastX;
            at.LastY = lastY;
        }
        return at;
    }
    internal Native.Boxes At(float* x, float* y, float* lastX, float* lastY, Box* elements, Circle* circles,
            Shape* shapes) {
        Native.Boxes at = At(x, y, lastX, lastY, elements);
        at.Circles = circles;
        at.Shapes = shapes;
        return at;
    }
}

/// <summary>A mask of up to 32 categories and a group for each agent; default: no labels. An array that is null stands
/// for the first category, or for no group.</summary>
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
    internal static Native.Labels* OrNull(Native.Labels* labels) { return labels->Size == 0 ? null : labels; }
}

/// <summary>Points in arrays or behind pointers.</summary>
public unsafe struct Points {
    internal float[] X, Y;
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

    internal Native.Points At(float* x, float* y) {
        Native.Points at = view;
        if (X != null) {
            at.X = x;
            at.Y = y;
        }
        return at;
    }
}

// --- Handles -----------------------------------------------------------------------------------------------

/// <summary>What the library made, and takes back by Dispose or, if that was forgotten, by the finalizer.</summary>
public abstract unsafe class NativeObject : CriticalFinalizerObject, IDisposable {
    IntPtr pointer;

    /// <summary>For `Native`. It is only there as long as this object is.</summary>
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
        if (held != IntPtr.Zero) Destroy(held);
    }
    protected abstract void Destroy(IntPtr held);

    // Keeps the objects of a call alive until it has returned: a pointer alone does not. A call that failed may have filled
    // results, and moved what they point to.
    internal static void Check(int status, Native.StatusDetails* details, object one, object other = null,
            object third = null) {
        if (status != 0) {
            (one as Result)?.Read();
            (other as Result)?.Read();
            (third as Result)?.Read();
        }
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
}

/// <summary>All agents. One thread at a time may write.</summary>
public sealed unsafe class Engine : NativeObject {
    /// <summary>On the library's threads: oneTBB's if it has them, otherwise the thread that calls.</summary>
    public Engine() : this(EngineConfig.Made) {}
    /// <summary>With 1 all runs on the calling thread, with more on as many of the thread pool, at the cost of some small
    /// objects for each parallel step.</summary>
    public Engine(int threads) : this(PoolThreads.Config(threads)) {}
    public Engine(EngineConfig config) {
        IntPtr made;
        Native.StatusDetails details = Details;
        Check(Native.throng_engine_create(&config, &made, &details), &details, this);
        Pointer = made;
    }
    protected override void Destroy(IntPtr held) { Native.throng_engine_destroy(held); }

    /// <summary>Replaces all agents, which get the ids from 0, and publishes a frame.</summary>
    public void Update(Boxes boxes, Labels labels = default(Labels)) {
        Native.StatusDetails details = Details;
        fixed (float* x = boxes.X, y = boxes.Y, lastX = boxes.LastX, lastY = boxes.LastY)
        fixed (Box* elements = boxes.Elements)
        fixed (uint* categories = labels.Categories, groups = labels.Groups) {
            Native.Boxes at = boxes.At(x, y, lastX, lastY, elements);
            Native.Labels labelsAt = labels.At(categories, groups);
            Check(
                Native.throng_engine_update(Pointer, &at, Labels.OrNull(&labelsAt), &details),
                &details, this);
        }
    }
    /// <summary>The same, where element i has the id ids[i].</summary>
    public void Update(uint[] ids, Boxes boxes, Labels labels = default(Labels)) {
        Native.StatusDetails details = Details;
        fixed (float* x = boxes.X, y = boxes.Y, lastX = boxes.LastX, lastY = boxes.LastY)
        fixed (Box* elements = boxes.Elements)
        fixed (uint* id = ids, categories = labels.Categories, groups = labels.Groups) {
            Native.Boxes at = boxes.At(x, y, lastX, lastY, elements);
            Native.Labels labelsAt = labels.At(categories, groups);
            Check(
                Native.throng_engine_update_by_ids(Pointer, id, Length(ids), &at, Labels.OrNull(&labelsAt),
                    &details),
                &details, this);
        }
    }

    /// <summary>Stages new agents, and writes their ids. Edits take effect together, by Commit.</summary>
    public void Insert(Boxes boxes, uint[] ids, Labels labels = default(Labels)) {
        Native.StatusDetails details = Details;
        fixed (float* x = boxes.X, y = boxes.Y, lastX = boxes.LastX, lastY = boxes.LastY)
        fixed (Box* elements = boxes.Elements)
        fixed (uint* id = ids, categories = labels.Categories, groups = labels.Groups) {
            Native.Boxes at = boxes.At(x, y, lastX, lastY, elements);
            Native.Labels labelsAt = labels.At(categories, groups);
            Check(
                Native.throng_engine_insert(Pointer, &at, Labels.OrNull(&labelsAt), id, Length(ids),
                    &details),
                &details, this);
        }
    }
    public void Move(uint[] ids, Boxes boxes) {
        Native.StatusDetails details = Details;
        fixed (float* x = boxes.X, y = boxes.Y, lastX = boxes.LastX, lastY = boxes.LastY)
        fixed (Box* elements = boxes.Elements)
        fixed (uint* id = ids) {
            Native.Boxes at = boxes.At(x, y, lastX, lastY, elements);
            Check(Native.throng_engine_move(Pointer, id, Length(ids), &at, &details), &details, this);
        }
    }
    public void Relabel(uint[] ids, Labels labels) {
        Native.StatusDetails details = Details;
        fixed (uint* id = ids, categories = labels.Categories, groups = labels.Groups) {
            Native.Labels at = labels.At(categories, groups);
            Check(
                Native.throng_engine_relabel(Pointer, id, Length(ids), Labels.OrNull(&at), &details),
                &details, this);
        }
    }
    public void Remove(uint[] ids) {
        Native.StatusDetails details = Details;
        fixed (uint* id = ids)
            Check(Native.throng_engine_remove(Pointer, id, Length(ids), &details), &details, this);
    }
    public void Commit() {
        Native.StatusDetails details = Details;
        Check(Native.throng_engine_commit(Pointer, &details), &details, this);
    }
    public void Discard() {
        Native.StatusDetails details = Details;
        Check(Native.throng_engine_discard(Pointer, &details), &details, this);
    }
    /// <summary>How many edits wait for Commit.</summary>
    public long Staged {
        get {
            ulong staged = Native.throng_engine_staged(Pointer);
            GC.KeepAlive(this);
            return (long)staged;
        }
    }

    // By handle, for hosts whose agents may be removed elsewhere: a stale one is UnknownId.
    public Handle HandleOf(uint id) {
        Handle agent;
        Native.StatusDetails details = Details;
        Check(Native.throng_engine_handle(Pointer, id, &agent, &details), &details, this);
        return agent;
    }
    public bool IsCurrent(Handle agent) {
        int answer = Native.throng_engine_is_current(Pointer, &agent);
        GC.KeepAlive(this);
        return answer != 0;
    }
    public void Move(Handle agent, Box box) {
        Native.StatusDetails details = Details;
        Check(Native.throng_engine_move_handle(Pointer, &agent, &box, &details), &details, this);
    }
    public void Remove(Handle agent) {
        Native.StatusDetails details = Details;
        Check(Native.throng_engine_remove_handle(Pointer, &agent, &details), &details, this);
    }

    /// <summary>Subtracts (dx, dy) from every box, and publishes that frame.</summary>
    public void Rebase(float dx, float dy) {
        Native.StatusDetails details = Details;
        Check(Native.throng_engine_rebase(Pointer, dx, dy, &details), &details, this);
    }
    /// <summary>Gives the agent with the id order[k] the id k, and publishes that frame.</summary>
    public void Renumber(uint[] order) {
        Native.StatusDetails details = Details;
        fixed (uint* id = order)
            Check(Native.throng_engine_renumber(Pointer, id, Length(order), &details), &details, this);
    }

    /// <summary>What never moves: frames that are published from now on have it.</summary>
    public void SetStaticLayer(StaticLayer layer) {
        Native.StatusDetails details = Details;
        Check(
            Native.throng_engine_set_static_layer(Pointer, PointerOf(layer), &details),
            &details, this, layer);
    }
    public void ClearStaticLayer() {
        Native.StatusDetails details = Details;
        Check(Native.throng_engine_clear_static_layer(Pointer, &details), &details, this);
    }
    /// <summary>For a loading screen: takes the memory now that updates of up to so many agents need, and
    /// commits of up to so many edits each, so that the first frames do not wait for the system. It is kept until
    /// ReleaseMemory.</summary>
    public void Reserve(long agents, long edits = 0) {
        Native.StatusDetails details = Details;
        Check(
            Native.throng_engine_reserve(Pointer, checked((ulong)agents), checked((ulong)edits), &details),
            &details, this);
    }
    /// <summary>Gives back what is kept for later calls.</summary>
    public void ReleaseMemory() {
        Native.StatusDetails details = Details;
        Check(Native.throng_engine_release_memory(Pointer, &details), &details, this);
    }

    /// <summary>The newest frame. Any thread may ask for it.</summary>
    public Frame Frame() { return Frame(null); }
    /// <summary>The same in a frame that the host holds, whose handle is reused; null makes one.</summary>
    public Frame Frame(Frame reused) {
        IntPtr held = reused == null ? IntPtr.Zero : reused.Pointer;
        Native.StatusDetails details = Details;
        Check(Native.throng_engine_frame(Pointer, &held, &details), &details, this, reused);
        if (reused == null) return new Frame(held);
        reused.Holds(held);
        return reused;
    }

    /// <summary>How many agents the newest frame has.</summary>
    public long Count {
        get {
            ulong count = Native.throng_engine_size(Pointer);
            GC.KeepAlive(this);
            return (long)count;
        }
    }
    public string Isa {
        get {
            string isa = Marshal.PtrToStringAnsi((IntPtr)Native.throng_engine_isa(Pointer));
            GC.KeepAlive(this);
            return isa;
        }
    }
    public MemoryReport Memory() {
        MemoryReport report;
        Native.StatusDetails details = Details;
        Native.throng_init_memory_report(&report, (uint)sizeof(MemoryReport));
        Check(Native.throng_engine_memory(Pointer, &report, &details), &details, this);
        return report;
    }
    public Tuning Tuning() {
        Tuning tuning;
        Native.StatusDetails details = Details;
        Native.throng_init_tuning(&tuning, (uint)sizeof(Tuning));
        Check(Native.throng_engine_tuning(Pointer, &tuning, &details), &details, this);
        return tuning;
    }
    /// <summary>Reads everything, on this thread: for tests and bug reports.</summary>
    public Validation Validate() {
        Validation validation;
        Native.StatusDetails details = Details;
        Native.throng_init_validation(&validation, (uint)sizeof(Validation));
        Check(Native.throng_engine_validate(Pointer, &validation, &details), &details, this);
        return validation;
    }

    static ulong Length(uint[] ids) {
        if (ids == null) throw new ThrongException(Code.NullView, Argument.Ids);
        return (ulong)ids.Length;
    }
}

/// <summary>What never moves: built once, and shared by the frames of one or more engines.</summary>
public sealed unsafe class StaticLayer : NativeObject {
    /// <summary>On the threads and in the memory of the engine.</summary>
    public StaticLayer(Engine engine, Boxes boxes, Labels labels = default(Labels)) {
        IntPtr made;
        Native.StatusDetails details = Details;
        fixed (float* x = boxes.X, y = boxes.Y, lastX = boxes.LastX, lastY = boxes.LastY)
        fixed (Box* elements = boxes.Elements)
        fixed (uint* categories = labels.Categories, groups = labels.Groups) {
            Native.Boxes at = boxes.At(x, y, lastX, lastY, elements);
            Native.Labels labelsAt = labels.At(categories, groups);
            Check(
                Native.throng_static_layer_create(PointerOf(engine), &at, Labels.OrNull(&labelsAt), &made,
                    &details),
                &details, engine);
        }
        Pointer = made;
    }
    protected override void Destroy(IntPtr held) { Native.throng_static_layer_destroy(held); }
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

    // What is left undone because of an exception the library notices, and returns BadExecutor.
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

// Unity's ahead-of-time compiler looks for this name on what native code calls.
[AttributeUsage(AttributeTargets.Method)]
sealed class MonoPInvokeCallbackAttribute : Attribute {
    internal MonoPInvokeCallbackAttribute(Type type) {}
}

/// <summary>An immutable snapshot of all agents, which any thread may ask, also when the engine is gone.</summary>
public sealed unsafe class Frame : NativeObject {
    internal Frame(IntPtr held) { Pointer = held; }
    internal void Holds(IntPtr held) { Pointer = held; }
    protected override void Destroy(IntPtr held) { Native.throng_frame_release(held); }

    /// <summary>The same frame once more, for someone who disposes of it on his own.</summary>
    public Frame Share() {
        Native.throng_frame_retain(Pointer);
        var shared = new Frame(Pointer);
        GC.KeepAlive(this);
        return shared;
    }

    public long Count { get { return (long)Kept(Native.throng_frame_size(Pointer)); } }
    public long IdBound { get { return (long)Kept(Native.throng_frame_id_bound(Pointer)); } }
    public long Number { get { return (long)Kept(Native.throng_frame_number(Pointer)); } }
    /// <summary>A hash of all agents.</summary>
    public ulong Fingerprint { get { return Kept(Native.throng_frame_fingerprint(Pointer)); } }
    ulong Kept(ulong answer) {
        GC.KeepAlive(this);
        return answer;
    }

    /// <summary>The static layer as a frame, which is empty if there was none.</summary>
    public Frame StaticLayer() {
        IntPtr layer = IntPtr.Zero;
        Native.StatusDetails details = Details;
        Check(Native.throng_frame_static_layer(Pointer, &layer, &details), &details, this);
        return new Frame(layer);
    }
    /// <summary>The same frame, whose batches run on the calling thread, for use inside a job of the host's.</summary>
    public Frame Serial() {
        IntPtr serial = IntPtr.Zero;
        Native.StatusDetails details = Details;
        Check(Native.throng_frame_serial(Pointer, &serial, &details), &details, this);
        return new Frame(serial);
    }
    /// <summary>All ids, row by row: what is near in the world is near in this order. See Engine.Renumber.</summary>
    public void RowOrder(uint[] ids) {
        Native.StatusDetails details = Details;
        fixed (uint* to = ids)
            Check(Native.throng_frame_row_order(Pointer, to, Room(ids), &details), &details, this);
    }
    public Box Box(uint id) {
        Box box;
        Native.StatusDetails details = Details;
        Check(Native.throng_frame_agent_box(Pointer, id, &box, &details), &details, this);
        return box;
    }
    public Label Label(uint id) {
        Label label;
        Native.StatusDetails details = Details;
        Check(Native.throng_frame_agent_label(Pointer, id, &label, &details), &details, this);
        return label;
    }

    /// <summary>Which agents overlap a box: as many as there is room for. Returns how many there are.</summary>
    public long Overlaps(Box box, uint[] ids, Filter filter = default(Filter)) {
        ulong total;
        Native.StatusDetails details = Details;
        fixed (uint* to = ids)
            Check(
                Native.throng_frame_overlaps(Pointer, &box, Filter.OrNull(&filter), to, Room(ids), &total,
                    &details),
                &details, this);
        return (long)total;
    }
    public long CountIn(Box box, Filter filter = default(Filter)) {
        ulong total;
        Native.StatusDetails details = Details;
        Check(
            Native.throng_frame_count(Pointer, &box, Filter.OrNull(&filter), &total, &details),
            &details, this);
        return (long)total;
    }
    public bool AnyIn(Box box, Filter filter = default(Filter)) {
        int found;
        Native.StatusDetails details = Details;
        Check(
            Native.throng_frame_any(Pointer, &box, Filter.OrNull(&filter), &found, &details),
            &details, this);
        return found != 0;
    }
    /// <summary>The same for many boxes or shapes, in parallel. Answers are in the boxes' order.</summary>
    public void Overlaps(Boxes boxes, Hits hits, Filter filter = default(Filter)) {
        Native.StatusDetails details = Details;
        fixed (float* x = boxes.X, y = boxes.Y, lastX = boxes.LastX, lastY = boxes.LastY)
        fixed (Box* elements = boxes.Elements)
        fixed (Circle* circles = boxes.Circles)
        fixed (Shape* shapes = boxes.Shapes) {
            Native.Boxes at = boxes.At(x, y, lastX, lastY, elements, circles, shapes);
            Check(
                Native.throng_frame_overlaps_of(Pointer, &at, Filter.OrNull(&filter), PointerOf(hits),
                    &details),
                &details, this, hits);
        }
        hits.Read();
    }
    /// <summary>Agents, and elements of the static layer.</summary>
    public void Overlaps(Boxes boxes, Hits agents, Hits statics, Filter filter = default(Filter)) {
        Native.StatusDetails details = Details;
        fixed (float* x = boxes.X, y = boxes.Y, lastX = boxes.LastX, lastY = boxes.LastY)
        fixed (Box* elements = boxes.Elements)
        fixed (Circle* circles = boxes.Circles)
        fixed (Shape* shapes = boxes.Shapes) {
            Native.Boxes at = boxes.At(x, y, lastX, lastY, elements, circles, shapes);
            Check(
                Native.throng_frame_overlaps_of_both(Pointer, &at, Filter.OrNull(&filter),
                    PointerOf(agents), PointerOf(statics), &details),
                &details, this, agents, statics);
        }
        agents.Read();
        statics.Read();
    }
    public void CountIn(Boxes boxes, uint[] counts, Filter filter = default(Filter)) {
        Native.StatusDetails details = Details;
        fixed (float* x = boxes.X, y = boxes.Y, lastX = boxes.LastX, lastY = boxes.LastY)
        fixed (Box* elements = boxes.Elements)
        fixed (Circle* circles = boxes.Circles)
        fixed (Shape* shapes = boxes.Shapes)
        fixed (uint* to = counts) {
            Native.Boxes at = boxes.At(x, y, lastX, lastY, elements, circles, shapes);
            Check(
                Native.throng_frame_count_of(Pointer, &at, Filter.OrNull(&filter), to, Room(counts),
                    &details),
                &details, this);
        }
    }
    /// <summary>Bytes of 1 and 0.</summary>
    public void AnyIn(Boxes boxes, byte[] answers, Filter filter = default(Filter)) {
        Native.StatusDetails details = Details;
        fixed (float* x = boxes.X, y = boxes.Y, lastX = boxes.LastX, lastY = boxes.LastY)
        fixed (Box* elements = boxes.Elements)
        fixed (Circle* circles = boxes.Circles)
        fixed (Shape* shapes = boxes.Shapes)
        fixed (byte* to = answers) {
            Native.Boxes at = boxes.At(x, y, lastX, lastY, elements, circles, shapes);
            Check(
                Native.throng_frame_any_of(Pointer, &at, Filter.OrNull(&filter), to, Room(answers), &details),
                &details, this);
        }
    }

    /// <summary>Every pair once.</summary>
    public void Pairs(Pairs pairs, PairQuery query = default(PairQuery)) {
        Native.StatusDetails details = Details;
        Check(
            Native.throng_frame_pairs(Pointer, PairQuery.OrNull(&query), PointerOf(pairs), &details),
            &details, this, pairs);
        pairs.Read();
    }
    public long CountPairs(PairQuery query = default(PairQuery)) {
        ulong total;
        Native.StatusDetails details = Details;
        Check(
            Native.throng_frame_count_pairs(Pointer, PairQuery.OrNull(&query), &total, &details),
            &details, this);
        return (long)total;
    }

    /// <summary>Pairs of an agent of this frame and one of the other, such as that of the static layer.</summary>
    public void PairsWith(Frame other, Pairs pairs, PairQuery query = default(PairQuery)) {
        Native.StatusDetails details = Details;
        Check(
            Native.throng_frame_pairs_with(Pointer, PointerOf(other), PairQuery.OrNull(&query),
                PointerOf(pairs), &details),
            &details, this, pairs, other);
        pairs.Read();
    }
    /// <summary>Which pairs began and ended since the frame that `changes` saw last.</summary>
    public void Changes(PairChanges changes, PairQuery query = default(PairQuery)) {
        Native.StatusDetails details = Details;
        Check(
            Native.throng_frame_pair_changes(Pointer, PairQuery.OrNull(&query), PointerOf(changes), &details),
            &details, this, changes);
        changes.Read();
    }

    /// <summary>The neighbours of all agents: list i is that of id i. `radii`, one for each id below IdBound, takes the
    /// place of one radius for all.</summary>
    public void Neighbours(Within wanted, Neighbours lists, Filter filter = default(Filter),
            float[] radii = null) {
        Native.StatusDetails details = Details;
        fixed (float* radius = radii) {
            if (radii != null) { wanted.Radii = radius; wanted.RadiiCount = (ulong)radii.Length; }
            Check(
                Native.throng_frame_neighbours_within(Pointer, &wanted, Filter.OrNull(&filter), PointerOf(lists),
                    &details),
                &details, this, lists);
        }
        lists.Read();
    }
    public void Neighbours(Nearest wanted, Neighbours lists, Filter filter = default(Filter)) {
        Native.StatusDetails details = Details;
        Check(
            Native.throng_frame_neighbours_nearest(Pointer, &wanted, Filter.OrNull(&filter), PointerOf(lists), &details),
            &details, this, lists);
        lists.Read();
    }
    /// <summary>Those of points: list i is that of point i.</summary>
    public void Neighbours(Points points, Within wanted, Neighbours lists, Filter filter = default(Filter)) {
        Native.StatusDetails details = Details;
        fixed (float* x = points.X, y = points.Y) {
            Native.Points at = points.At(x, y);
            Check(
                Native.throng_frame_neighbours_within_of(Pointer, &at, &wanted, Filter.OrNull(&filter),
                    PointerOf(lists), &details),
                &details, this, lists);
        }
        lists.Read();
    }
    public void Neighbours(Points points, Nearest wanted, Neighbours lists, Filter filter = default(Filter)) {
        Native.StatusDetails details = Details;
        fixed (float* x = points.X, y = points.Y) {
            Native.Points at = points.At(x, y);
            Check(
                Native.throng_frame_neighbours_nearest_of(Pointer, &at, &wanted, Filter.OrNull(&filter),
                    PointerOf(lists), &details),
                &details, this, lists);
        }
        lists.Read();
    }
    /// <summary>Kept lists, completed for this frame or made again.</summary>
    public void Neighbours(KeptNeighbours kept) {
        Native.StatusDetails details = Details;
        Check(Native.throng_frame_neighbours_kept(Pointer, PointerOf(kept), &details), &details, this, kept);
        kept.Read();
    }
    /// <summary>How many neighbours each agent has: counts[id], with room for IdBound of them.</summary>
    public void CountNeighbours(Within wanted, uint[] counts, Filter filter = default(Filter)) {
        Native.StatusDetails details = Details;
        fixed (uint* to = counts)
            Check(
                Native.throng_frame_count_neighbours(Pointer, &wanted, Filter.OrNull(&filter), to, Room(counts),
                    &details),
                &details, this);
    }
    /// <summary>The one nearest to a point, by the distance to its centre: Native.NoAgent if there is none.</summary>
    public Neighbour Nearest(float x, float y, Filter filter = default(Filter)) {
        Neighbour nearest;
        Native.StatusDetails details = Details;
        Check(
            Native.throng_frame_nearest(Pointer, x, y, Filter.OrNull(&filter), &nearest, null, &details),
            &details, this);
        return nearest;
    }

    /// <summary>What a cast touches first.</summary>
    public CastHit FirstHit(Cast cast, Filter filter = default(Filter)) {
        CastHit hit;
        Native.StatusDetails details = Details;
        Check(
            Native.throng_frame_first_hit(Pointer, &cast, Filter.OrNull(&filter), &hit, &details),
            &details, this);
        return hit;
    }
    public bool Blocked(Cast cast, Filter filter = default(Filter)) {
        int blocked;
        Native.StatusDetails details = Details;
        Check(
            Native.throng_frame_blocked(Pointer, &cast, Filter.OrNull(&filter), &blocked, &details),
            &details, this);
        return blocked != 0;
    }
    public void FirstHits(Cast[] casts, CastHit[] hits, Filter filter = default(Filter)) {
        Native.StatusDetails details = Details;
        fixed (Cast* from = casts)
        fixed (CastHit* to = hits)
            Check(
                Native.throng_frame_first_hits_of(Pointer, from, Room(casts), Filter.OrNull(&filter), to,
                    Room(hits), &details),
                &details, this);
    }
    public void Blocked(Cast[] casts, byte[] answers, Filter filter = default(Filter)) {
        Native.StatusDetails details = Details;
        fixed (Cast* from = casts)
        fixed (byte* to = answers)
            Check(
                Native.throng_frame_blocked_of(Pointer, from, Room(casts), Filter.OrNull(&filter), to,
                    Room(answers), &details),
                &details, this);
    }
    /// <summary>All that each cast touches, the earliest first.</summary>
    public void AllHits(Cast[] casts, CastHits hits, Filter filter = default(Filter)) {
        Native.StatusDetails details = Details;
        fixed (Cast* from = casts)
            Check(
                Native.throng_frame_all_hits_of(Pointer, from, Room(casts), Filter.OrNull(&filter),
                    PointerOf(hits), &details),
                &details, this, hits);
        hits.Read();
    }

    static ulong Room(Array array) {
        if (array == null) throw new ArgumentNullException();
        return (ulong)array.Length;
    }
}

// --- Results -----------------------------------------------------------------------------------------------

// What pointers point to is there until the next call that fills the object, or until it is disposed of or collected. A host
// that fills one through Native calls Read afterwards.

/// <summary>What a call fills.</summary>
public abstract class Result : NativeObject {
    /// <summary>Takes the pointers to what the library found: for after it was filled through Native.</summary>
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
public sealed unsafe class Pairs : Result {
    PairList list;

    public Pairs(Engine engine) {
        IntPtr made;
        Native.StatusDetails details = Details;
        Check(Native.throng_pairs_create(PointerOf(engine), &made, &details), &details, engine);
        Pointer = made;
    }
    protected override void Destroy(IntPtr held) {
        list = default(PairList);
        Native.throng_pairs_destroy(held);
    }
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
    /// <summary>By A, which becomes the lower id of each, then by B.</summary>
    public void Sort() {
        Native.StatusDetails details = Details;
        Check(Native.throng_pairs_sort(Pointer, &details), &details, this);
        Read();
    }
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

/// <summary>Lists one behind the other: list q is what lies from Offsets[q] to Offsets[q + 1].</summary>
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

/// <summary>Ids for each query.</summary>
public sealed unsafe class Hits : Lists {
    public Hits(Engine engine) {
        IntPtr made;
        Native.StatusDetails details = Details;
        Check(Native.throng_hits_create(PointerOf(engine), &made, &details), &details, engine);
        Pointer = made;
    }
    protected override void Destroy(IntPtr held) {
        SetOffsets(null, 0);
        Ids = null;
        Native.throng_hits_destroy(held);
    }
    /// <summary>The next call that fills it begins at list `first`, and stops at so many bytes: for answers that are too
    /// many to hold.</summary>
    public void Block(long first, long maxBytes) {
        Native.StatusDetails details = Details;
        Check(
            Native.throng_hits_block(Pointer, checked((ulong)first), checked((ulong)maxBytes), &details),
            &details, this);
    }
    public override void Read() {
        ulong count;
        ulong* offsets = Native.throng_hits_offsets(Pointer, &count);
        SetOffsets(offsets, count);
        Ids = Native.throng_hits_ids(Pointer, null);
        GC.KeepAlive(this);
    }

    public uint* Ids { get; private set; }
    public Ids this[long list] {
        get { return new Ids(this, Ids + Offsets[Below(list, Count)], Length(list)); }
    }
    public void CopyIdsTo(uint[] to) {
        fixed (uint* begin = to) Copy(Ids, begin, Total, to.Length, sizeof(uint));
        GC.KeepAlive(this);
    }
}

/// <summary>Neighbours for each agent or point.</summary>
public sealed unsafe class Neighbours : Lists {
    public Neighbours(Engine engine) {
        IntPtr made;
        Native.StatusDetails details = Details;
        Check(Native.throng_neighbours_create(PointerOf(engine), &made, &details), &details, engine);
        Pointer = made;
    }
    protected override void Destroy(IntPtr held) {
        SetOffsets(null, 0);
        Ids = Agents = null;
        SquaredDistances = null;
        Native.throng_neighbours_destroy(held);
    }
    /// <summary>The next call that fills it begins at list `first`, and stops at so many bytes: for answers that are too
    /// many to hold.</summary>
    public void Block(long first, long maxBytes) {
        Native.StatusDetails details = Details;
        Check(
            Native.throng_neighbours_block(Pointer, checked((ulong)first), checked((ulong)maxBytes),
                &details),
            &details, this);
    }
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

    public uint* Ids { get; private set; }
    /// <summary>Null unless they were asked for.</summary>
    public float* SquaredDistances { get; private set; }
    /// <summary>In row order the agent that each list belongs to, otherwise null.</summary>
    public uint* Agents { get; private set; }
    public Ids this[long list] {
        get { return new Ids(this, Ids + Offsets[Below(list, Count)], Length(list)); }
    }
    public void CopyIdsTo(uint[] to) {
        fixed (uint* begin = to) Copy(Ids, begin, Total, to.Length, sizeof(uint));
        GC.KeepAlive(this);
    }
    public void CopySquaredDistancesTo(float[] to) {
        fixed (float* begin = to)
            Copy(SquaredDistances, begin, SquaredDistances == null ? 0 : Total, to.Length, sizeof(float));
        GC.KeepAlive(this);
    }
}

/// <summary>Neighbours that are kept from frame to frame, known as Verlet lists: list i has every agent within the radius,
/// and maybe others within radius + skin.</summary>
public sealed unsafe class KeptNeighbours : Lists {
    public KeptNeighbours(Engine engine, KeptNeighbourhood wanted) {
        IntPtr made;
        Native.StatusDetails details = Details;
        Check(
            Native.throng_kept_neighbours_create(PointerOf(engine), &wanted, &made, &details),
            &details, engine);
        Pointer = made;
    }
    protected override void Destroy(IntPtr held) {
        SetOffsets(null, 0);
        Ids = null;
        Native.throng_kept_neighbours_destroy(held);
    }
    public override void Read() {
        ulong count;
        ulong* offsets = Native.throng_kept_neighbours_offsets(Pointer, &count);
        SetOffsets(offsets, count);
        Ids = Native.throng_kept_neighbours_ids(Pointer, null);
        WasRebuilt = Native.throng_kept_neighbours_was_rebuilt(Pointer) != 0;
        GC.KeepAlive(this);
    }
    /// <summary>Forgets the lists.</summary>
    public void Clear() {
        Native.throng_kept_neighbours_clear(Pointer);
        Read();
    }

    public uint* Ids { get; private set; }
    public bool WasRebuilt { get; private set; }
    public Ids this[long list] {
        get { return new Ids(this, Ids + Offsets[Below(list, Count)], Length(list)); }
    }
}

/// <summary>Which pairs began and which ended, sorted, and all pairs of the last frame.</summary>
public sealed unsafe class PairChanges : Result {
    public PairChanges(Engine engine) {
        IntPtr made;
        Native.StatusDetails details = Details;
        Check(Native.throng_pair_changes_create(PointerOf(engine), &made, &details), &details, engine);
        Pointer = made;
    }
    protected override void Destroy(IntPtr held) {
        Began = Ended = Pairs = default(PairList);
        Native.throng_pair_changes_destroy(held);
    }
    public override void Read() {
        ulong count;
        Pair* first = Native.throng_pair_changes_began(Pointer, &count);
        Began = new PairList(this, first, (long)count);
        first = Native.throng_pair_changes_ended(Pointer, &count);
        Ended = new PairList(this, first, (long)count);
        first = Native.throng_pair_changes_pairs(Pointer, &count);
        Pairs = new PairList(this, first, (long)count);
    }
    /// <summary>Forgets the frame.</summary>
    public void Clear() {
        Native.throng_pair_changes_clear(Pointer);
        Read();
    }

    public PairList Began { get; private set; }
    public PairList Ended { get; private set; }
    public PairList Pairs { get; private set; }
}

/// <summary>What each cast touches.</summary>
public sealed unsafe class CastHits : Lists {
    public CastHits(Engine engine) {
        IntPtr made;
        Native.StatusDetails details = Details;
        Check(Native.throng_cast_hits_create(PointerOf(engine), &made, &details), &details, engine);
        Pointer = made;
    }
    protected override void Destroy(IntPtr held) {
        SetOffsets(null, 0);
        First = null;
        Native.throng_cast_hits_destroy(held);
    }
    /// <summary>The next call that fills it begins at list `first`, and stops at so many bytes: for answers that are too
    /// many to hold.</summary>
    public void Block(long first, long maxBytes) {
        Native.StatusDetails details = Details;
        Check(
            Native.throng_cast_hits_block(Pointer, checked((ulong)first), checked((ulong)maxBytes), &details),
            &details, this);
    }
    public override void Read() {
        ulong count;
        ulong* offsets = Native.throng_cast_hits_offsets(Pointer, &count);
        SetOffsets(offsets, count);
        First = Native.throng_cast_hits_get(Pointer, null);
        GC.KeepAlive(this);
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

// --- The calls as they are ---------------------------------------------------------------------------------

/// <summary>throng.h: numbers and pointers alone, and no exceptions. Handles are IntPtr.</summary>
public static unsafe class Native {
    // The library's file: throng.dll, libthrong_c.so, or part of the program where that is all a system allows.
#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR
    public const string Library = "__Internal";
#elif UNITY_EDITOR_WIN || UNITY_STANDALONE_WIN || THRONG_WINDOWS
    public const string Library = "throng";
#else
    public const string Library = "throng_c";
#endif
    const CallingConvention C = CallingConvention.Cdecl;

    /// <summary>The version of throng.h that this file was written after, as throng_version has the library's.</summary>
    public const uint HeaderVersion = 0 * 1000000 + 2 * 1000 + 0;
    public const ulong NoIndex = ulong.MaxValue;
    public const uint NoAgent = uint.MaxValue;

    [UnmanagedFunctionPointer(C)]
    public delegate void* Allocate(void* context, ulong bytes, ulong alignment);
    [UnmanagedFunctionPointer(C)]
    public delegate void Deallocate(void* context, void* memory, ulong bytes, ulong alignment);
    [UnmanagedFunctionPointer(C)]
    public delegate void Block(void* argument, ulong index);
    /// <summary>`body` is a Block. No exception may leave it.</summary>
    [UnmanagedFunctionPointer(C)]
    public delegate void ParallelFor(void* context, ulong count, IntPtr body, void* argument);

    [StructLayout(LayoutKind.Sequential)]
    public struct StatusDetails {
        public uint Size;
        public int Code, Argument;
        public uint Reserved;
        public ulong Index;

        public static StatusDetails Made(Code code, Argument argument) {
            return new StatusDetails {
                Size = (uint)sizeof(StatusDetails), Code = (int)code, Argument = (int)argument,
                Index = NoIndex
            };
        }
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Boxes {
        public uint Size;
        public Form Form;
        public ulong Count;
        public float* X, Y, LastX, LastY;
        public ulong StrideX, StrideY, StrideLastX, StrideLastY;
        public float Radius;
        public uint Reserved;
        public Circle* Circles;
        public Shape* Shapes;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Labels {
        public uint Size, Reserved;
        public ulong Count;
        public uint* Categories, Groups;
        public ulong Stride;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct Points {
        public uint Size, Reserved;
        public ulong Count;
        public float* X, Y;
        public ulong Stride;
    }

    [DllImport(Library, CallingConvention = C)] public static extern
        uint throng_version();
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_status_details(StatusDetails* details, uint size);
    [DllImport(Library, CallingConvention = C)] public static extern
        byte* throng_status_text(int code);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong throng_status_describe(StatusDetails* details, byte* text, ulong room);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_boxes(Boxes* boxes, uint size);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_boxes_min_max(Boxes* boxes, float* minX, float* minY, float* maxX, float* maxY,
            ulong count, ulong stride);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_boxes_centre_half(Boxes* boxes, float* x, float* y, float* halfX, float* halfY,
            ulong count, ulong stride);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_boxes_points(Boxes* boxes, float* x, float* y, float radius, ulong count, ulong stride);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_boxes_of(Boxes* boxes, Box* first, ulong count);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_boxes_circles(Boxes* boxes, Circle* first, ulong count);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_boxes_shapes(Boxes* boxes, Shape* first, ulong count);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_labels(Labels* labels, uint size);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_filter(Filter* filter, uint size);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_engine_config(EngineConfig* config, uint size, uint headerVersion);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_create(EngineConfig* config, IntPtr* engine, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        void throng_engine_destroy(IntPtr engine);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_update(IntPtr engine, Boxes* boxes, Labels* labels, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_update_by_ids(IntPtr engine, uint* ids, ulong count, Boxes* boxes, Labels* labels,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_update_with_pairs(IntPtr engine, Boxes* boxes, Labels* labels, IntPtr pairs,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_update_by_ids_with_pairs(IntPtr engine, uint* ids, ulong count, Boxes* boxes,
            Labels* labels, IntPtr pairs, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_update_legal(IntPtr engine, Boxes* boxes, Labels* labels, uint* leftOut,
            ulong room, ulong* total, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_update_legal_by_ids(IntPtr engine, uint* ids, ulong count, Boxes* boxes,
            Labels* labels, uint* leftOut, ulong room, ulong* total, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_insert(IntPtr engine, Boxes* boxes, Labels* labels, uint* ids, ulong count,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_move(IntPtr engine, uint* ids, ulong count, Boxes* boxes, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_relabel(IntPtr engine, uint* ids, ulong count, Labels* labels,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_remove(IntPtr engine, uint* ids, ulong count, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_commit(IntPtr engine, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_discard(IntPtr engine, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong throng_engine_staged(IntPtr engine);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_handle(IntPtr engine, uint id, Handle* agent, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_insert_handle(IntPtr engine, Box* box, Label* label, Handle* agent,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_move_handle(IntPtr engine, Handle* agent, Box* box, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_relabel_handle(IntPtr engine, Handle* agent, Label* label, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_remove_handle(IntPtr engine, Handle* agent, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_is_current(IntPtr engine, Handle* agent);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_rebase(IntPtr engine, float dx, float dy, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_renumber(IntPtr engine, uint* order, ulong count, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_static_layer_create(IntPtr engine, Boxes* boxes, Labels* labels, IntPtr* layer,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_static_layer_rebased(IntPtr layer, float dx, float dy, IntPtr* rebased,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        void throng_static_layer_destroy(IntPtr layer);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_static_layer_frame(IntPtr layer, IntPtr* frame, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_set_static_layer(IntPtr engine, IntPtr layer, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_clear_static_layer(IntPtr engine, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_reserve(IntPtr engine, ulong agents, ulong edits, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_release_memory(IntPtr engine, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_memory_report(MemoryReport* report, uint size);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_tuning(Tuning* tuning, uint size);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_validation(Validation* validation, uint size);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_memory(IntPtr engine, MemoryReport* report, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_tuning(IntPtr engine, Tuning* tuning, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong throng_build_describe(byte* text, ulong room);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_validate(IntPtr engine, Validation* validation, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong throng_engine_size(IntPtr engine);
    [DllImport(Library, CallingConvention = C)] public static extern
        byte* throng_engine_isa(IntPtr engine);
    [DllImport(Library, CallingConvention = C)] public static extern
        byte* throng_tuning_text(int reason);
    [DllImport(Library, CallingConvention = C)] public static extern
        byte* throng_fault_text(int fault);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_engine_frame(IntPtr engine, IntPtr* frame, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        void throng_frame_retain(IntPtr frame);
    [DllImport(Library, CallingConvention = C)] public static extern
        void throng_frame_release(IntPtr frame);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong throng_frame_size(IntPtr frame);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong throng_frame_id_bound(IntPtr frame);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong throng_frame_number(IntPtr frame);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong throng_frame_fingerprint(IntPtr frame);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_static_layer(IntPtr frame, IntPtr* layer, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_serial(IntPtr frame, IntPtr* serial, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_agent_box(IntPtr frame, uint id, Box* box, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_agent_label(IntPtr frame, uint id, Label* label, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_agent_boxes(IntPtr frame, uint* ids, ulong count, Box* boxes, ulong room,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_agent_labels(IntPtr frame, uint* ids, ulong count, Label* labels, ulong room,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_agents(IntPtr frame, uint* ids, Box* boxes, ulong room, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_row_order(IntPtr frame, uint* ids, ulong room, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_hits_create(IntPtr engine, IntPtr* hits, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        void throng_hits_destroy(IntPtr hits);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong* throng_hits_offsets(IntPtr hits, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        uint* throng_hits_ids(IntPtr hits, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_pairs_create(IntPtr engine, IntPtr* pairs, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        void throng_pairs_destroy(IntPtr pairs);
    [DllImport(Library, CallingConvention = C)] public static extern
        Pair* throng_pairs_get(IntPtr pairs, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_pairs_sort(IntPtr pairs, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_neighbours_create(IntPtr engine, IntPtr* lists, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        void throng_neighbours_destroy(IntPtr lists);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong* throng_neighbours_offsets(IntPtr lists, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        uint* throng_neighbours_ids(IntPtr lists, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        float* throng_neighbours_squared_distances(IntPtr lists, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        uint* throng_neighbours_agents(IntPtr lists, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_cast_hits_create(IntPtr engine, IntPtr* hits, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        void throng_cast_hits_destroy(IntPtr hits);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong* throng_cast_hits_offsets(IntPtr hits, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        CastHit* throng_cast_hits_get(IntPtr hits, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_hits_as_found_create(IntPtr engine, IntPtr* hits, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        void throng_hits_as_found_destroy(IntPtr hits);
    [DllImport(Library, CallingConvention = C)] public static extern
        uint* throng_hits_as_found_queries(IntPtr hits, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong* throng_hits_as_found_offsets(IntPtr hits, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        uint* throng_hits_as_found_ids(IntPtr hits, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_pair_changes_create(IntPtr engine, IntPtr* changes, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        void throng_pair_changes_destroy(IntPtr changes);
    [DllImport(Library, CallingConvention = C)] public static extern
        void throng_pair_changes_clear(IntPtr changes);
    [DllImport(Library, CallingConvention = C)] public static extern
        Pair* throng_pair_changes_began(IntPtr changes, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        Pair* throng_pair_changes_ended(IntPtr changes, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        Pair* throng_pair_changes_pairs(IntPtr changes, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_kept_neighbourhood(KeptNeighbourhood* wanted, uint size);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_kept_neighbours_create(IntPtr engine, KeptNeighbourhood* wanted, IntPtr* kept,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        void throng_kept_neighbours_destroy(IntPtr kept);
    [DllImport(Library, CallingConvention = C)] public static extern
        void throng_kept_neighbours_clear(IntPtr kept);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong* throng_kept_neighbours_offsets(IntPtr kept, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        uint* throng_kept_neighbours_ids(IntPtr kept, ulong* count);
    [DllImport(Library, CallingConvention = C)] public static extern
        ulong throng_kept_neighbours_times_rebuilt(IntPtr kept);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_kept_neighbours_was_rebuilt(IntPtr kept);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_hits_block(IntPtr hits, ulong first, ulong maxBytes, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_neighbours_block(IntPtr lists, ulong first, ulong maxBytes, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_cast_hits_block(IntPtr hits, ulong first, ulong maxBytes, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_overlaps(IntPtr frame, Box* box, Filter* filter, uint* ids, ulong room,
            ulong* total, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_count(IntPtr frame, Box* box, Filter* filter, ulong* total, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_any(IntPtr frame, Box* box, Filter* filter, int* found, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_overlaps_shape(IntPtr frame, Shape* shape, Filter* filter, uint* ids, ulong room,
            ulong* total, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_count_shape(IntPtr frame, Shape* shape, Filter* filter, ulong* total,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_any_shape(IntPtr frame, Shape* shape, Filter* filter, int* found,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_overlaps_of(IntPtr frame, Boxes* boxes, Filter* filter, IntPtr hits,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_count_of(IntPtr frame, Boxes* boxes, Filter* filter, uint* counts, ulong room,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_any_of(IntPtr frame, Boxes* boxes, Filter* filter, byte* answers, ulong room,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_overlaps_into(IntPtr frame, Boxes* boxes, Filter* filter, ulong* offsets,
            ulong offsetRoom, uint* ids, ulong room, ulong* total, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_overlaps_of_both(IntPtr frame, Boxes* boxes, Filter* filter, IntPtr agents,
            IntPtr elements, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_overlaps_as_found(IntPtr frame, Boxes* boxes, Filter* filter, IntPtr hits,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_overlaps_as_found_both(IntPtr frame, Boxes* boxes, Filter* filter, IntPtr agents,
            IntPtr elements, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_pair_query(PairQuery* query, uint size);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_pairs(IntPtr frame, PairQuery* query, IntPtr pairs, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_count_pairs(IntPtr frame, PairQuery* query, ulong* total, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_pairs_into(IntPtr frame, PairQuery* query, Pair* pairs, ulong room, ulong* total,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_pairs_with(IntPtr frame, IntPtr other, PairQuery* query, IntPtr pairs,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_count_pairs_with(IntPtr frame, IntPtr other, PairQuery* query, ulong* total,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_pairs_with_into(IntPtr frame, IntPtr other, PairQuery* query, Pair* pairs,
            ulong room, ulong* total, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_pair_changes(IntPtr frame, PairQuery* query, IntPtr changes, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_within(Within* within, uint size);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_nearest(Nearest* nearest, uint size);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_points(Points* points, uint size);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_neighbours_within(IntPtr frame, Within* wanted, Filter* filter, IntPtr lists,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_neighbours_nearest(IntPtr frame, Nearest* wanted, Filter* filter, IntPtr lists,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_neighbours_within_of(IntPtr frame, Points* points, Within* wanted, Filter* filter,
            IntPtr lists, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_neighbours_nearest_of(IntPtr frame, Points* points, Nearest* wanted, Filter* filter,
            IntPtr lists, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_neighbours_within_in(IntPtr frame, IntPtr others, Within* wanted, Filter* filter, IntPtr lists,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_neighbours_nearest_in(IntPtr frame, IntPtr others, Nearest* wanted, Filter* filter,
            IntPtr lists, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_neighbours_within_both(IntPtr frame, Within* wanted, Filter* filter, IntPtr agents,
            IntPtr elements, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_neighbours_nearest_both(IntPtr frame, Nearest* wanted, Filter* filter, IntPtr agents,
            IntPtr elements, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_neighbours_within_of_both(IntPtr frame, Points* points, Within* wanted, Filter* filter,
            IntPtr agents, IntPtr elements, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_neighbours_nearest_of_both(IntPtr frame, Points* points, Nearest* wanted, Filter* filter,
            IntPtr agents, IntPtr elements, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_count_neighbours(IntPtr frame, Within* wanted, Filter* filter, uint* counts, ulong room,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_count_neighbours_of(IntPtr frame, Points* points, Within* wanted, Filter* filter,
            uint* counts, ulong room, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_neighbours_kept(IntPtr frame, IntPtr kept, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_neighbours_within_into(IntPtr frame, float x, float y, Within* wanted, Filter* filter,
            Neighbour* neighbours, ulong room, ulong* total, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_neighbours_nearest_into(IntPtr frame, float x, float y, Nearest* wanted, Filter* filter,
            Neighbour* neighbours, ulong room, ulong* total, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_nearest(IntPtr frame, float x, float y, Filter* filter, Neighbour* nearest,
            int* isStatic, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_first_hit(IntPtr frame, Cast* cast, Filter* filter, CastHit* hit,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_blocked(IntPtr frame, Cast* cast, Filter* filter, int* blocked,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_all_hits(IntPtr frame, Cast* cast, Filter* filter, CastHit* hits, ulong room,
            ulong* total, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_first_hits_of(IntPtr frame, Cast* casts, ulong count, Filter* filter, CastHit* hits,
            ulong room, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_blocked_of(IntPtr frame, Cast* casts, ulong count, Filter* filter, byte* answers,
            ulong room, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_all_hits_of(IntPtr frame, Cast* casts, ulong count, Filter* filter, IntPtr hits,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_init_explanation(Explanation* explanation, uint size);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_frame_explain(IntPtr frame, Boxes* boxes, Filter* filter, Explanation* explanation,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_arrays_overlaps_of(Boxes* boxes, Boxes* queries, EngineConfig* config, IntPtr hits,
            StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_arrays_count_of(Boxes* boxes, Boxes* queries, EngineConfig* config, uint* counts,
            ulong room, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_arrays_any_of(Boxes* boxes, Boxes* queries, EngineConfig* config, byte* answers,
            ulong room, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_arrays_neighbours_within_of(Boxes* boxes, Points* points, Within* wanted, EngineConfig* config,
            IntPtr lists, StatusDetails* details);
    [DllImport(Library, CallingConvention = C)] public static extern
        int throng_arrays_neighbours_nearest_of(Boxes* boxes, Points* points, Nearest* wanted, EngineConfig* config,
            IntPtr lists, StatusDetails* details);
}

}
