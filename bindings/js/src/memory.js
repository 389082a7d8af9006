// The module, its memory, and how a call's arguments get there.
//
// Arguments lie in one block. Each call fills it from its beginning, and it grows to what the largest call needs. So a settled
// loop allocates nothing. Addresses are numbers from 0 to 2^32.
import { ARGUMENTS, CODES } from "./calls.js";

let c;  // the module's exports
let u8, u32, f32, f64;  // its memory
let details, counter;  // where calls write a status, and how many elements there are

/** Memory that grew is a new buffer: then this is called at once, so that the four views are always valid. */
function readMemory() {
    const buffer = c.memory.buffer;
    u8 = new Uint8Array(buffer);
    u32 = new Uint32Array(buffer);
    f32 = new Float32Array(buffer);
    f64 = new Float64Array(buffer);
}

export function start(exports) {
    c = exports;
    readMemory();
    c._initialize();
    details = allocate(40);
    counter = details + 32;
    c.throng_init_status_details(details, 24);
    return readMemory;
}

export const isStarted = () => c !== undefined;

function allocate(bytes) {
    if (c === undefined) throw new Error("throng is not there yet: `await ready` first");
    // malloc would take what is left of a larger number in 32 bits.
    const at = bytes > 0xffffffff ? 0 : c.malloc(bytes) >>> 0;
    if (at === 0) throw new ThrongError("OUT_OF_MEMORY", "ANY", -1, "out of memory");
    return at;
}

// --- Room for arguments ---

let block = 0, room = 0, top = 0;
let outgrown = [];  // blocks that were too small for the call that is being prepared

export function begin() {
    if (outgrown.length !== 0) {
        for (const each of outgrown) c.free(each);
        outgrown = [];
    }
    top = block;
}

export function take(bytes) {
    bytes = Math.ceil(bytes / 8) * 8;
    if (top + bytes > block + room) {
        const more = Math.max(2 * room, bytes, 4096);
        const larger = allocate(more);
        if (block !== 0) outgrown.push(block);
        block = top = larger;
        room = more;
    }
    const at = top;
    top += bytes;
    return at;
}

/** Writes what take() returns: `u32[at] = take(n)` would write into the old memory. */
export function store(at, value) { u32[at >>> 2] = value; }

// --- What is given ---

export const kindOf = (value) =>
    value === null ? "null" : typeof value === "object" ? (value[Symbol.toStringTag] || value.constructor?.name || "an object") : typeof value;

export function wrong(what, wanted, value) {
    return new TypeError(`throng: ${what} must be ${wanted}, and is ${kindOf(value)}`);
}
/** By its name, since a test runner or an iframe may have array types of its own. */
export const isArray = (value, kind) => ArrayBuffer.isView(value) && value[Symbol.toStringTag] === kind;

/** A view of the module's memory is empty once that has grown: giving one would mean "nothing". */
function isGone(view) {
    if (view.length !== 0) return false;
    try {
        return new Uint8Array(view.buffer) === undefined;
    } catch {
        return true;
    }
}
export function needArray(value, kind, what) {
    if (!isArray(value, kind)) throw wrong(what, `a ${kind}`, value);
    if (isGone(value))
        throw new TypeError(`throng: ${what} is a view of memory that has grown since: ask its object for it again, or keep a copy by slice()`);
}
function put(value, kind, heap, shift, what) {
    needArray(value, kind, what);
    // Arrays in the module's memory, such as ids of an earlier answer, stay there.
    if (value.buffer === c.memory.buffer) return value.byteOffset;
    const at = take(value.byteLength);
    (heap === 0 ? u8 : heap === 1 ? u32 : heap === 2 ? f32 : f64).set(value, shift === 0 ? at : at / 2 ** shift);
    return at;
}
export const putU8 = (value, what) => put(value, "Uint8Array", 0, 0, what);
export const putU32 = (value, what) => put(value, "Uint32Array", 1, 2, what);
export const putF32 = (value, what) => put(value, "Float32Array", 2, 2, what);
export const putF64 = (value, what) => put(value, "Float64Array", 3, 3, what);

export function countIn(array, words, what) {
    const count = array.length / words;
    if (!Number.isInteger(count)) throw wrong(what, `an array with ${words} numbers for each element`, array);
    return count;
}
export function number(value, what) {
    if (typeof value !== "number" && typeof value !== "boolean") throw wrong(what, "a number", value);
    return +value;
}
const none = (value, what, wanted) => new TypeError(`throng: ${what} must be ${wanted}, and is ${typeof value === "number" ? value : kindOf(value)}`);
/** An id or a count. Another number would become another element's. */
export function whole(value, what, most = 0xffffffff) {
    if (!Number.isInteger(value) || value < 0 || value > most) throw none(value, what, `a whole number from 0 to ${most}`);
    return value;
}
/** Bits. JavaScript's own operators make them negative. */
export function mask(value, what) {
    if (!Number.isInteger(value) || value < -0x80000000 || value > 0xffffffff) throw none(value, what, "a mask of 32 bits");
    return value;
}
const words = { agentsAs: ["boxes", "centres", "circles"] };
export function whichOf(kind, value) {
    const found = words[kind].indexOf(value);
    if (found < 0) throw new TypeError(`throng: ${kind} must be one of ${words[kind].join(", ")}, and is ${value}`);
    return found;
}
export const unknownOption = (what, key, names) =>
    new TypeError(`throng: ${what} has no option ${key}. There are: ${names}`);

// --- What comes back ---

/** The host's own array has room for the answers, if there is one. It is asked before the call changes anything. */
export function needRoom(own, kind, length) {
    if (own === undefined) return;
    if (!isArray(own, kind)) throw wrong("the array for answers", `a ${kind}`, own);
    if (own.length < length) throw new RangeError(`throng: the array for answers has ${own.length} of ${length} elements`);
}
/** A copy, in the host's own array if there is one. */
function copied(heap, first, length, own) {
    if (own === undefined) return heap.slice(first, first + length);
    own.set(heap.subarray(first, first + length));
    return own;
}
export const copyU8 = (at, length, own) => copied(u8, at, length, own);
export const copyU32 = (at, length, own) => copied(u32, at >>> 2, length, own);
export const copyF32 = (at, length, own) => copied(f32, at >>> 2, length, own);

export function textAt(at) {
    at >>>= 0;
    let text = "";
    while (u8[at] !== 0) text += String.fromCharCode(u8[at++]);
    return text;
}

/** A call that failed, and left everything as it was. */
export class ThrongError extends Error {
    constructor(code, argument, index, message) {
        super(message);
        this.name = "ThrongError";
        this.code = code;
        this.argument = argument;
        this.index = index;
    }
}

export function check(status) {
    if (status === 0) return;
    const index = u32[(details >>> 2) + 4];
    const text = take(256);
    c.throng_status_describe(details, text, 256n);
    throw new ThrongError(CODES[status], ARGUMENTS[u32[(details >>> 2) + 2]], index === 0xffffffff ? -1 : index, textAt(text));
}
