// throng.h as C# would have it: its calls, structs, callbacks and constants.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;

sealed class CHeader {
    internal sealed class Member {
        internal string Name, Type;
    }
    // Of a call or a callback the first member is what it returns.
    internal readonly Dictionary<string, Member[]> Calls = new Dictionary<string, Member[]>();
    internal readonly Dictionary<string, Member[]> Callbacks = new Dictionary<string, Member[]>();
    internal readonly Dictionary<string, Member[]> Structs = new Dictionary<string, Member[]>();
    internal readonly Dictionary<string, long> Constants = new Dictionary<string, long>();
    internal readonly uint Version;

    static readonly Dictionary<string, string> numbers = new Dictionary<string, string> {
        { "int32_t", "Int32" }, { "uint32_t", "UInt32" }, { "int64_t", "Int64" }, { "uint64_t", "UInt64" },
        { "uint8_t", "Byte" }, { "char", "Byte" }, { "float", "Single" }, { "double", "Double" },
        { "void", "Void" }
    };
    readonly HashSet<string> opaque;

    internal CHeader(string text) {
        string bare = Regex.Replace(text, @"//[^\n]*", "");
        foreach (Match m in All(bare, @"#define THRONG_C_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)"))
            Version = Version * 1000 + uint.Parse(m.Groups[1].Value);
        bare = Regex.Replace(bare, @"(?m)^#.*(\\\n.*)*", "");
        opaque = new HashSet<string>(All(bare, @"typedef struct (\w+) \1;").Select(m => m.Groups[1].Value));
        var names = All(bare, @"\(\*(throng_\w+)\)").Select(m => m.Groups[1].Value).ToList();
        foreach (Match m in All(bare, @"typedef ([\w ]+\*?) ?\(\*(throng_\w+)\)\(([^()]*)\);"))
            Callbacks[m.Groups[2].Value] = Signature(m.Groups[1].Value, m.Groups[3].Value, names);
        foreach (Match m in All(bare, @"(?s)typedef struct (\w+) \{(.*?)\} \1;"))
            Structs[m.Groups[1].Value] = m.Groups[2].Value.Split(';').SelectMany(line => Fields(line, names))
                .ToArray();
        foreach (Match m in All(bare, @"(?m)^(THRONG_[^\n#{};]*?)\b(throng_\w+)\(([^{};()]*)\);"))
            Calls[m.Groups[2].Value] = Signature(m.Groups[1].Value, m.Groups[3].Value, names);
        foreach (Match m in All(bare, @"(THRONG_\w+)\s*=\s*(-?\d+)"))
            Constants[m.Groups[1].Value] = long.Parse(m.Groups[2].Value);
    }

    static IEnumerable<Match> All(string text, string pattern) {
        return Regex.Matches(text, pattern).Cast<Match>();
    }

    Member[] Signature(string result, string arguments, List<string> callbacks) {
        var all = new List<Member> { new Member { Name = "", Type = TypeOf(result, callbacks) } };
        if (arguments.Trim() != "void")
            all.AddRange(arguments.Split(',').SelectMany(argument => Fields(argument, callbacks)));
        return all.ToArray();
    }

    // `const float* x`, `float x, y` and `uint8_t reserved[3]`.
    IEnumerable<Member> Fields(string line, List<string> callbacks) {
        Match m = Regex.Match(line.Trim(), @"(?s)^(.*?[\s*])(\w+(?:\s*,\s*\w+)*)(\[\d+\])?$");
        if (!m.Success) return new Member[0];
        string type = TypeOf(m.Groups[1].Value, callbacks) + m.Groups[3].Value;
        return m.Groups[2].Value.Split(',').Select(name => new Member { Name = name.Trim(), Type = type });
    }

    string TypeOf(string words, List<string> callbacks) {
        string type = Regex.Replace(words, @"\b(const|THRONG_EXPERIMENTAL|THRONG_C_API)\b|\s", "");
        int stars = type.Count(c => c == '*');
        type = type.TrimEnd('*');
        if (callbacks.Contains(type)) return "IntPtr";
        if (opaque.Contains(type)) return "IntPtr" + new string('*', stars - 1);
        string number;
        return (numbers.TryGetValue(type, out number) ? number : Pascal(type)) + new string('*', stars);
    }

    // throng_cast_hit is CastHit, and THRONG_NOT_FINITE is NotFinite.
    internal static string Pascal(string name) {
        IEnumerable<string> words = name.Split('_').Where(w => w != "");
        if (name.ToLowerInvariant().StartsWith("throng_")) words = words.Skip(1);
        words = words.Select(w => w.ToLowerInvariant());
        return string.Concat(words.Select(w => char.ToUpperInvariant(w[0]) + w.Substring(1)));
    }
}
