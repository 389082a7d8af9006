// Throng.cs against throng.h: the calls, the callbacks, the layout of each struct, and the constants.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Throng;

static class HeaderTests {
    const BindingFlags all = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Static |
        BindingFlags.Instance;

    public static void EachCallStructAndConstantIsThatOfTheHeader() {
        List<string> found = Differences(File.ReadAllText(Program.Header));
        Check.That(found.Count == 0, string.Join("\n    ", found));
    }

    // The library refuses a struct that is smaller than its own, and 1 byte less than ours.
    public static unsafe void EachStructHasTheSizeThatTheLibraryKnows() {
        var header = new CHeader(File.ReadAllText(Program.Header));
        int structs = 0;
        foreach (string call in header.Calls.Keys.Where(name => name.StartsWith("throng_init_"))) {
            Type type = TypeOf("throng_" + call.Substring("throng_init_".Length));
            byte* memory = stackalloc byte[4096];
            Check.Equal(0, Init(call, type, memory, Marshal.SizeOf(type)), call);
            int less = Init(call, type, memory, Marshal.SizeOf(type) - 1);
            Check.Equal((int)Code.BadStruct, less, call + " of less");
            ++structs;
        }
        Check.That(structs > 0, "the header has no structs");
    }
    // By a method made for it: reflection passes no pointers under Mono.
    static unsafe int Init(string call, Type type, byte* memory, int size) {
        MethodInfo method = typeof(Native).GetMethod(call);
        var caller = new DynamicMethod(call, typeof(int), new[] { typeof(IntPtr), typeof(uint) },
            typeof(Program).Module);
        ILGenerator code = caller.GetILGenerator();
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Ldarg_1);
        if (method.GetParameters().Length == 3) code.Emit(OpCodes.Ldc_I4, (int)Native.HeaderVersion);
        code.Emit(OpCodes.Call, method);
        code.Emit(OpCodes.Ret);
        var init = (Func<IntPtr, uint, int>)caller.CreateDelegate(typeof(Func<IntPtr, uint, int>));
        return init((IntPtr)memory, (uint)size);
    }

    public static void TheVersionIsTheLibrarys() {
        Check.Equal(Native.HeaderVersion, Native.throng_version(), "version");
    }

    internal static List<string> Differences(string text) {
        var header = new CHeader(text);
        var found = new List<string>();
        bool isEmpty = header.Calls.Count == 0 || header.Structs.Count == 0;
        if (isEmpty) found.Add("the header has nothing to compare");
        if (header.Version != Native.HeaderVersion) found.Add("the version is another");
        CompareCalls(header, found);
        foreach (var callback in header.Callbacks) {
            Type type = TypeOf(callback.Key);
            if (type == null) found.Add(callback.Key + " is missing");
            else Compare(callback.Key, callback.Value, type.GetMethod("Invoke"), found);
        }
        foreach (var one in header.Structs) CompareLayout(one.Key, one.Value, TypeOf(one.Key), found);
        CompareConstants(header, found);
        return found;
    }

    static void CompareCalls(CHeader header, List<string> found) {
        var ours = typeof(Native).GetMethods(all)
            .Where(m => m.GetCustomAttribute<DllImportAttribute>() != null).ToDictionary(m => m.Name);
        foreach (var call in header.Calls)
            if (!ours.ContainsKey(call.Key)) found.Add(call.Key + " is missing");
            else Compare(call.Key, call.Value, ours[call.Key], found);
        IEnumerable<string> more = ours.Keys.Where(n => !header.Calls.ContainsKey(n));
        found.AddRange(more.Select(n => n + " is not in the header"));
    }

    static void Compare(string name, CHeader.Member[] wanted, MethodInfo method, List<string> found) {
        string c = string.Join(", ", wanted.Select(m => m.Type));
        string ours = string.Join(", ",
            new[] { method.ReturnType }.Concat(method.GetParameters().Select(p => p.ParameterType))
                .Select(Name));
        if (c != ours) found.Add(name + " has the types " + ours + ", in the header " + c);
        for (int i = 1; i < wanted.Length && i <= method.GetParameters().Length; ++i)
            if (Name(method.GetParameters()[i - 1]) != wanted[i].Name.Replace("_", ""))
                found.Add(name + " has " + method.GetParameters()[i - 1].Name + " for " + wanted[i].Name);
    }
    static string Name(ParameterInfo parameter) { return parameter.Name.ToLowerInvariant(); }
    static string Name(Type type) {
        if (type.IsPointer) return Name(type.GetElementType()) + "*";
        return type.IsEnum ? Enum.GetUnderlyingType(type).Name : type.Name;
    }

    // By C's rules: each member lies at a multiple of its size, and the whole is a multiple of the largest.
    static void CompareLayout(string name, CHeader.Member[] members, Type type, List<string> found) {
        if (type == null) {
            found.Add(name + " is missing");
            return;
        }
        FieldInfo[] fields = type.GetFields(all & ~BindingFlags.Static);
        string c = string.Join(", ", members.Select(m => m.Type + " " + CHeader.Pascal(m.Name)));
        string ours = string.Join(", ", fields.Select(f => TypeOf(f) + " " + f.Name));
        if (c != ours) {
            found.Add(name + " has " + ours + ", in the header " + c);
            return;
        }
        int at = 0, widest = 1;
        foreach (CHeader.Member member in members) {
            string[] words = member.Type.Split('[', ']');
            int size = member.Type.EndsWith("*") || member.Type == "IntPtr" ? IntPtr.Size
                : Marshal.SizeOf(Type.GetType("System." + words[0]));
            at = (at + size - 1) / size * size;
            if ((int)Marshal.OffsetOf(type, CHeader.Pascal(member.Name)) != at)
                found.Add(name + "." + member.Name + " lies elsewhere");
            at += words.Length > 1 ? size * int.Parse(words[1]) : size;
            widest = Math.Max(widest, size);
        }
        int whole = (at + widest - 1) / widest * widest;
        if (Marshal.SizeOf(type) != whole) found.Add(name + " has another size");
    }

    static string TypeOf(FieldInfo field) {
        var buffer = field.GetCustomAttribute<FixedBufferAttribute>();
        return buffer == null ? Name(field.FieldType) : buffer.ElementType.Name + "[" + buffer.Length + "]";
    }

    // THRONG_NOT_FINITE is Code.NotFinite, and THRONG_ARGUMENT_BOXES is Argument.Boxes.
    static void CompareConstants(CHeader header, List<string> found) {
        var ours = new Dictionary<string, long>();
        foreach (Type type in typeof(Native).Assembly.GetTypes().Where(t =>
            t.IsEnum && t.Namespace == "Throng"))
            foreach (object value in Enum.GetValues(type)) {
                bool isPlain = type == typeof(Code) || type == typeof(Form) || type == typeof(ShapeKind);
                ours[(isPlain ? "" : type.Name) + value] = Convert.ToInt64(value);
            }
        foreach (var constant in header.Constants) {
            long value;
            bool isOurs = ours.TryGetValue(CHeader.Pascal(constant.Key), out value);
            if (!isOurs) found.Add(constant.Key + " is missing");
            else if (value != constant.Value) found.Add(constant.Key + " has another value");
        }
        var known = new HashSet<string>(header.Constants.Keys.Select(CHeader.Pascal));
        found.AddRange(ours.Keys.Where(n => !known.Contains(n)).Select(n => n + " is not in the header"));
    }

    static Type TypeOf(string name) {
        string pascal = CHeader.Pascal(name);
        return typeof(Native).GetNestedType(pascal) ?? typeof(Native).Assembly.GetType("Throng." + pascal);
    }
}
