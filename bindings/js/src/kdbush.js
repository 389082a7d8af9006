// kdbush's index over an engine: the same calls and answers, in another order. Coordinates are of any type, as there, but in the
// range of floats and no NaN, else finish() throws. The engine finds what may be inside in floats, whose rounding keeps the order
// of numbers. Then each is compared as kdbush compares it.
import { Engine, overlapping } from "./core.js";

// The types of coordinates, by their number in the data. The first two bytes are those of kdbush, with another version: its
// points are in the order of a tree, ours in rows.
const KINDS = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array];
const MAGIC = 0xdb, HEADER = 8, THEIRS = 1, OURS = 15;

export class KDBush {
    #engine = new Engine();
    #frame;
    #added = 0;
    #isFinished = false;

    /** From the data of an index, also of kdbush's own: another thread's, say. */
    static from(data) {
        if (!data || data.byteLength === undefined || data.buffer) throw new Error("Data must be an instance of ArrayBuffer or SharedArrayBuffer.");
        const [magic, kind] = new Uint8Array(data, 0, 2), version = kind >> 4;
        if (magic !== MAGIC) throw new Error("Data does not appear to be in a KDBush format.");
        if (version !== THEIRS && version !== OURS) throw new Error(`Got v${version} data when expected v${THEIRS} or v${OURS}.`);
        if (KINDS[kind & 15] === undefined) throw new Error("Unrecognized array type.");
        return new KDBush(new Uint32Array(data, 4, 1)[0], new Uint16Array(data, 2, 1)[0], KINDS[kind & 15], undefined, data);
    }
    constructor(numItems, nodeSize = 64, ArrayType = Float64Array, ArrayBufferType = ArrayBuffer, data = undefined) {
        if (!Number.isInteger(+numItems) || numItems < 0) throw new Error(`Unexpected numItems value: ${numItems}.`);
        const kind = KINDS.indexOf(ArrayType);
        if (kind < 0) throw new Error(`Unexpected typed array class: ${ArrayType}.`);
        this.numItems = +numItems;
        this.nodeSize = Math.min(Math.max(+nodeSize, 2), 65535);
        this.ArrayType = ArrayType;
        this.IndexArrayType = numItems < 65536 ? Uint16Array : Uint32Array;
        const first = HEADER + Math.ceil(numItems * this.IndexArrayType.BYTES_PER_ELEMENT / 8) * 8;
        this.data = data ?? new ArrayBufferType(first + 2 * numItems * ArrayType.BYTES_PER_ELEMENT);
        this.ids = new this.IndexArrayType(this.data, HEADER, this.numItems);
        this.coords = new ArrayType(this.data, first, 2 * this.numItems);
        if (data !== undefined) {
            this.#index(false);
            return;
        }
        new Uint8Array(this.data, 0, 2).set([MAGIC, (OURS << 4) + kind]);
        new Uint16Array(this.data, 2, 1)[0] = this.nodeSize;
        new Uint32Array(this.data, 4, 1)[0] = this.numItems;
    }
    /** After finish() this is the first of all points, which have moved. */
    add(x, y) {
        if (this.#isFinished) {
            this.#isFinished = false;
            this.#added = 0;
        }
        const index = this.#added++;
        this.ids[index] = index;
        this.coords[2 * index] = x;
        this.coords[2 * index + 1] = y;
        return index;
    }
    finish() {
        if (this.#added !== this.numItems && !this.#isFinished) throw new Error(`Added ${this.#added} items when expected ${this.numItems}.`);
        this.#index(true);
        return this;
    }
    /** Puts points into the order of the engine's rows, so that those of a query are side by side. */
    #index(isNew) {
        this.#place();
        if (isNew) {
            const { ids, coords } = this, order = this.#frame.rowOrder(), oldIds = ids.slice(), oldCoords = coords.slice();
            for (let k = 0; k < order.length; ++k) {
                const from = order[k];
                ids[k] = oldIds[from];
                coords[2 * k] = oldCoords[2 * from];
                coords[2 * k + 1] = oldCoords[2 * from + 1];
            }
            this.#place();
        }
        this.#isFinished = true;
    }
    #place() {
        const { coords, numItems } = this, x = new Float64Array(numItems), y = new Float64Array(numItems);
        for (let k = 0; k < numItems; ++k) {
            x[k] = coords[2 * k];
            y[k] = coords[2 * k + 1];
        }
        this.#engine.update({ x, y, radius: 0 });
        this.#frame = this.#engine.frame(this.#frame);
    }
    range(minX, minY, maxX, maxY) {
        const { ids, coords } = this, result = [], { ids: found, first, end } = this.#near(minX, minY, maxX, maxY);
        for (let k = first; k < end; ++k) {
            const at = found[k], x = coords[2 * at], y = coords[2 * at + 1];
            if (x >= minX && x <= maxX && y >= minY && y <= maxY) result.push(ids[at]);
        }
        return result;
    }
    within(qx, qy, r) {
        const result = [];
        this.withinInto(qx, qy, r, result);
        return result;
    }
    /** Writes them into an array of any kind, and returns how many. */
    withinInto(qx, qy, r, out) {
        const { ids, coords } = this, r2 = r * r;
        const slackX = (Math.abs(qx) + r) * ROUNDING, slackY = (Math.abs(qy) + r) * ROUNDING;
        const { ids: found, first, end } = this.#near(qx - r - slackX, qy - r - slackY, qx + r + slackX, qy + r + slackY);
        let count = 0;
        for (let k = first; k < end; ++k) {
            const at = found[k], dx = coords[2 * at] - qx, dy = coords[2 * at + 1] - qy;
            if (dx * dx + dy * dy <= r2) out[count++] = ids[at];
        }
        return count;
    }
    /** The places of points that may be inside. */
    #near(minX, minY, maxX, maxY) {
        if (!this.#isFinished) throw new Error("Data not yet indexed - call index.finish().");
        if (!(minX <= maxX && minY <= maxY)) return NOTHING;
        return overlapping(this.#frame, limit(minX), limit(minY), limit(maxX), limit(maxY));
    }
    free() {
        this.#frame?.free();
        this.#engine.free();
    }
}
export default KDBush;

const NOTHING = { ids: [], first: 0, end: 0 };
const LARGEST = 3.4028234663852886e38;
const limit = (v) => Math.min(Math.max(v, -LARGEST), LARGEST);
/** More than the rounding of a distance and a bound. */
const ROUNDING = 2 ** -50;
