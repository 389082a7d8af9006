// Objects of the module that JavaScript holds: freed by free(), by `using`, or when they are collected.
import { Engine } from "./objects.js";
import { check, counter, f32, take, u32, wrong } from "./memory.js";

const forgotten = typeof FinalizationRegistry === "undefined"
    ? undefined : new FinalizationRegistry((held) => { if (held.pointer !== 0) held.destroy(held.pointer); });

/** Made by a call. A host has none, so it cannot make an object from a number. */
export class Handle {
    constructor(pointer, destroy) {
        this.pointer = pointer;
        this.destroy = destroy;
    }
}
/** Not the name of the class, which bundlers shorten. */
const nameOf = (kind) => kind.prototype[Symbol.toStringTag];
const one = (kind) => `${/^[AEIOU]/.test(nameOf(kind)) ? "an" : "a"} ${nameOf(kind)}`;

export class Held {
    #held;
    constructor(handle) {
        if (!(handle instanceof Handle)) throw new TypeError(`throng: ${one(new.target)} comes from a call`);
        this.#held = new Handle(handle.pointer, this.constructor.destroy);
        forgotten?.register(this, this.#held, this.#held);
    }
    /** For the calls of this package. */
    get pointer() {
        if (this.#held.pointer === 0) throw new TypeError(`throng: this ${this[Symbol.toStringTag]} was freed`);
        return this.#held.pointer;
    }
    set pointer(pointer) { this.#held.pointer = pointer; }
    free() {
        if (this.#held.pointer === 0) return;
        this.#held.destroy(this.#held.pointer);
        this.#held.pointer = 0;
        forgotten?.unregister(this.#held);
    }
}
// `using` asks for the first, if there is one; transpilers' own is the second.
for (const symbol of [Symbol.dispose, Symbol.for("Symbol.dispose")])
    if (symbol !== undefined) Object.defineProperty(Held.prototype, symbol, { value() { this.free(); } });

/** A result, which calls fill again and again. Its arrays are made when they are asked for. */
export class Result extends Held {
    #version = 0;
    #views = {};
    constructor(given) {
        super(made(new.target, given));
    }
    changed() { ++this.#version; }
    get version() { return this.#version; }

    /** The last view, if it still shows the same. */
    #viewed(name, heap, at, length) {
        const seen = this.#views[name];
        if (seen !== undefined && seen.buffer === heap.buffer && seen.byteOffset === at && seen.length === length)
            return seen;
        return (this.#views[name] = heap.subarray(at / 4, at / 4 + length));
    }
    viewU32(name, at, words) { return this.#viewed(name, u32, at >>> 0, u32[counter >>> 2] * words); }
    viewF32(name, at, words) { return this.#viewed(name, f32, at >>> 0, u32[counter >>> 2] * words); }

    /** Offsets have 64 bits in C. Here they are copied, once after each call. */
    narrow(name, at) {
        const length = u32[counter >>> 2], first = at >>> 2;
        let seen = this.#views[name];
        if (seen !== undefined && seen.version === this.#version) return seen.array;
        if (seen === undefined || seen.all.length < length)
            seen = this.#views[name] = { version: -1, all: new Uint32Array(length), array: undefined };
        for (let k = 0; k < length; ++k) seen.all[k] = u32[first + 2 * k];
        if (seen.array === undefined || seen.array.length !== length) seen.array = seen.all.subarray(0, length);
        seen.version = this.#version;
        return seen.array;
    }
    once(name, read) {
        let seen = this.#views[name];
        if (seen === undefined || seen.version !== this.#version)
            seen = this.#views[name] = { version: this.#version, read: read() };
        return seen.read;
    }
}

function made(kind, given) {
    const at = take(4);
    u32[at >>> 2] = 0;
    check(kind.create(given, at));
    return new Handle(u32[at >>> 2]);
}

export function resultOf(given, kind) {
    const result = given === undefined ? new kind() : given;
    if (!(result instanceof kind)) throw wrong("the result", one(kind), given);
    result.changed();
    return result;
}
export function pointerOf(given, kind, what) {
    if (!(given instanceof kind)) throw wrong(what, one(kind), given);
    return given.pointer;
}

export const engineOf = (given) => (given === undefined ? 0 : pointerOf(given, Engine, "engine"));

/** Where a call writes a handle: of an existing object, or a new one. C takes an existing frame, to fill it again. */
export function heldBy(given, kind, isTaken) {
    if (given !== undefined && !(given instanceof kind)) throw wrong("the object", one(kind), given);
    const at = take(4), before = given === undefined ? 0 : given.pointer;
    u32[at >>> 2] = isTaken ? before : 0;
    return {
        at: () => at,
        read() {
            if (given === undefined) return new kind(new Handle(u32[at >>> 2]));
            given.pointer = u32[at >>> 2];
            if (!isTaken) kind.destroy(before);
            return given;
        },
    };
}
