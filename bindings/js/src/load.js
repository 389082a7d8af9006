// Which module is used, and how it is loaded.
import { needMembers, needObject } from "./given.js";
import { start } from "./memory.js";
import { PACKED } from "./packed.js";
import { unpack } from "./unpack.js";

// (func (v128.const 0) drop): it is valid if there are vectors.
const WITH_VECTORS = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 23, 1, 21, 0, 253, 12,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 26, 11,
]);

/** The module's bytes: the one with vectors, or the other, which is stored as its differences from the first. */
export function moduleBytes(simd, packed) {
    const sizes = PACKED();
    packed ??= Uint8Array.from(atob(sizes.text), (letter) => letter.charCodeAt(0));
    const all = unpack(packed, simd ? sizes.simd : sizes.simd + sizes.plain);
    return simd ? all : all.subarray(sizes.simd);
}

/** What the standard library asks of a system: an environment, which is empty, and a clock, which a host's module may read. */
function system(memory) {
    return {
        environ_sizes_get(count, bytes) {
            const view = new DataView(memory().buffer);
            view.setUint32(count, 0, true);
            view.setUint32(bytes, 0, true);
            return 0;
        },
        environ_get: () => 0,
        clock_time_get(_which, _precision, at) {
            new DataView(memory().buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
            return 0;
        },
        proc_exit() { throw new Error("throng: the module ended"); },
    };
}

let loading, asked, grown = () => {};

/**
 * Loads the module, once. `module` is one that the host compiled, or its bytes, for example moduleBytes() from a file of its own.
 * `simd` chooses instead of finding out. Resolves to the module's exports, for a host whose own module has more of them. `source`
 * is where the module comes from by default.
 */
export function load(options = {}, source = moduleBytes) {
    try {
        needObject(options, "load");
        needMembers(options, "load", ["module", "simd"]);
    } catch (error) {
        return Promise.reject(error);
    }
    if (loading === undefined) {
        asked = options.module === undefined ? { simd: WebAssembly.validate(WITH_VECTORS), ...options } : options;
        loading = started(asked, source);
        loading.catch(() => { loading = undefined; });
    } else if (["module", "simd"].some((name) => options[name] !== undefined && options[name] !== asked[name])) {
        return Promise.reject(new Error("throng: another module is loaded already: call load() with options before anything awaits `ready`"));
    }
    return loading;
}
async function started({ module, simd }, source) {
    let exports;
    const imports = {
        wasi_snapshot_preview1: system(() => exports.memory),
        env: { emscripten_notify_memory_growth: () => grown() },
    };
    const made = await WebAssembly.instantiate(module ?? await source(simd), imports);
    exports = (made.instance ?? made).exports;
    grown = start(exports);
    return exports;
}

/** Await it like a promise. It loads the module when it is first awaited. */
export const promised = (load) => ({
    then: (yes, no) => load().then(yes, no),
    catch: (no) => load().catch(no),
    finally: (last) => load().finally(last),
    [Symbol.toStringTag]: "Promise",
});
export const ready = promised(load);
