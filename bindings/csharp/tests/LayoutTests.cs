// The structs lie in memory as those of C, and the library takes them.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.InteropServices;
using Throng;

static class LayoutTests {
    // How much later versions have added.
    static int Grown(Type type) {
        return type == typeof(EngineConfig) ? 16 : type == typeof(Native.Boxes) ? 88 :
            type == typeof(Native.Points) ? 32 : type == typeof(Filter) ? 40 : 0;
    }

    // The library refuses a struct that is smaller than its first one, which may have grown since.
    public static unsafe void EachStructHasTheSizeThatTheLibraryKnows() {
        int structs = 0;
        MethodInfo[] calls = typeof(Native).GetMethods();
        foreach (MethodInfo call in calls.Where(m => m.Name.StartsWith("throng_init_"))) {
            Type type = call.GetParameters()[0].ParameterType.GetElementType();
            byte* memory = stackalloc byte[4096];
            Check.Equal(0, Init(call, memory, Marshal.SizeOf(type)), call.Name);
            int less = Init(call, memory, Marshal.SizeOf(type) - Grown(type) - 1);
            Check.Equal((int)Code.BadStruct, less, call.Name + " of less");
            ++structs;
        }
        Check.That(structs > 10, "there are no structs");
    }
    // By a method made for it: reflection passes no pointers under Mono.
    static unsafe int Init(MethodInfo method, byte* memory, int size) {
        var caller = new DynamicMethod(method.Name, typeof(int), new[] { typeof(IntPtr), typeof(uint) },
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
        Check.Equal((int)(Native.HeaderVersion / 1000 % 1000), Library.Version.Minor, "minor version");
    }

    // In C the names are those of throng.h: CastHit.IsStatic is throng_cast_hit.is_static.
    internal static void Print(string planted) {
        Console.WriteLine("#include <stddef.h>\n#include \"throng.h\"");
        foreach (Type type in Structs()) {
            string name = "throng_" + InC(type.Name);
            int size = Marshal.SizeOf(type) + (type.Name == planted ? 1 : 0);
            Console.WriteLine("_Static_assert(sizeof({0}) == {1}, \"{0}\");", name, size);
            foreach (FieldInfo field in type.GetFields(BindingFlags.Public | BindingFlags.Instance))
                Console.WriteLine("_Static_assert(offsetof({0}, {1}) == {2}, \"{0}.{1}\");", name,
                    InC(field.Name), Marshal.OffsetOf(type, field.Name));
        }
    }
    // All that calls of Native take the address of.
    static IEnumerable<Type> Structs() {
        return typeof(Native).GetMethods().SelectMany(m => m.GetParameters()).Select(p => p.ParameterType)
            .Concat(new[] { typeof(Point*), typeof(QueryFilter*), typeof(Band*) })
            .Where(t => t.IsPointer && !t.GetElementType().IsPointer && !t.GetElementType().IsPrimitive &&
                t.GetElementType() != typeof(void))
            .Select(t => t.GetElementType()).Distinct();
    }
    static string InC(string name) {
        IEnumerable<string> words = name.Select(c => char.IsUpper(c) ? "_" + char.ToLower(c) : c.ToString());
        return string.Concat(words).TrimStart('_');
    }
}
