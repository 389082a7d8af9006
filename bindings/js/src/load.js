// Which module, and how it comes to run.
import { PACKED } from "./packed.js";
import { start } from "./memory.js";
import { unpack } from "./unpack.js";

// (func (v128.const 0) drop): it is valid where there are vectors.
const WITH_VECTORS = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 23, 1, 21, 0, 253, 12,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 26, 11,
]);

/** The module's bytes: with vectors, or the other, which is told by what differs from the first. */
export function moduleBytes(simd, packed = Uint8Array.from(atob(PACKED.text), (letter) => letter.charCodeAt(0))) {
    const all = unpack(packed, simd ? PACKED.simd : PACKED.simd + PACKED.plain);
    return simd ? all : all.subarray(PACKED.simd);
}

/** What the standard library asks of a system: an environment, in which there is nothing; and a clock, which a host's module may read. */
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

let loading, grown = () => {};

/**
 * Loads the module, once. `module` is one that the host has compiled, or its bytes: of moduleBytes(), say, from a file of its own.
 * `simd` chooses, where it is not to be found out. The promise is of what the module exports, for a host whose own has more in it.
 */
export function load({ module, simd = WebAssembly.validate(WITH_VECTORS) } = {}) {
    loading ??= (async () => {
        let exports;
        const imports = {
            wasi_snapshot_preview1: system(() => exports.memory),
            env: { emscripten_notify_memory_growth: () => grown() },
        };
        const made = await WebAssembly.instantiate(module ?? moduleBytes(simd), imports);
        exports = (made.instance ?? made).exports;
        grown = start(exports);
        return exports;
    })();
    loading.catch(() => { loading = undefined; });
    return loading;
}

/** To be awaited. It loads the module when it first is. */
export const ready = { then(yes, no) { return load().then(yes, no); } };
