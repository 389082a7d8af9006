// Runs the tests: the public static methods of the classes whose names end in Tests.
//
//     mono Tests.exe                     all of them
//     mono Tests.exe --layouts           prints a program in C that compiles if structs lie in memory as here
//     mono Tests.exe --layouts STRUCT    the same with one byte too many in that struct
using System;
using System.Linq;
using System.Reflection;

sealed class Failure : Exception {
    internal Failure(string what) : base(what) {}
}

static class Check {
    internal static void That(bool holds, string what) {
        if (!holds) throw new Failure(what);
    }
    internal static void Equal<T>(T expected, T found, string what) {
        That(Equals(expected, found), what + ": " + found + ", expected " + expected);
    }
    internal static void Same<T>(T[] expected, T[] found, string what) {
        for (int i = 0; i < Math.Min(expected.Length, found.Length); ++i)
            Equal(expected[i], found[i], what + ", element " + i);
        Equal(expected.Length, found.Length, what + ", elements");
    }
    // That an action throws, and what.
    internal static T Throws<T>(Action action, string what) where T : Exception {
        try {
            action();
        } catch (T exception) {
            return exception;
        }
        throw new Failure(what + ": nothing was thrown");
    }
}

static class Program {
    static int Main(string[] arguments) {
        if (arguments.Length > 0) {
            LayoutTests.Print(arguments.Length > 1 ? arguments[1] : "");
            return 0;
        }
        int failed = 0, ran = 0;
        foreach (Type type in Assembly.GetExecutingAssembly().GetTypes().Where(t => t.Name.EndsWith("Tests")))
            foreach (MethodInfo test in type.GetMethods(BindingFlags.Public | BindingFlags.Static)) {
                ++ran;
                try {
                    test.Invoke(null, null);
                } catch (TargetInvocationException exception) {
                    ++failed;
                    Exception cause = exception.InnerException;
                    Console.WriteLine("{0}.{1} failed: {2}", type.Name, test.Name,
                        cause is Failure ? cause.Message : cause.ToString());
                }
            }
        Console.WriteLine("{0} tests, {1} failed", ran, failed);
        return ran > 0 && failed == 0 ? 0 : 1;
    }
}
