// kdbush's index, for points that move: the same calls and answers, over an engine. Coordinates are doubles, as
// there; the engine finds what may be inside by floats, whose rounding keeps the order of numbers, and each is
// then compared as kdbush compares it.
import { Engine } from "./throng.js";

export class KDBush {
    #engine = new Engine();
    #frame;
    #at = 0;
    constructor(numItems, nodeSize, ArrayType = Float64Array) {
        if (!Number.isInteger(numItems) || numItems < 0) throw new TypeError(`Unexpected numItems value: ${numItems}`);
        this.numItems = numItems;
        this.xs = new ArrayType(numItems);
        this.ys = new ArrayType(numItems);
    }
    add(x, y) {
        this.xs[this.#at] = x;
        this.ys[this.#at] = y;
        return this.#at++;
    }
    /** Also after points have moved: set xs and ys, and finish again. */
    finish() {
        const isReal = this.xs instanceof Float64Array || this.xs instanceof Float32Array;
        const [x, y] = isReal ? [this.xs, this.ys] : [Float64Array.from(this.xs), Float64Array.from(this.ys)];
        this.#engine.update({ x, y, radius: 0 });
        this.#frame = this.#engine.frame(this.#frame);
        return this;
    }
    range(minX, minY, maxX, maxY) {
        const { xs, ys } = this;
        return this.#inside(minX, minY, maxX, maxY,
            (id) => xs[id] >= minX && xs[id] <= maxX && ys[id] >= minY && ys[id] <= maxY);
    }
    within(qx, qy, r) {
        const { xs, ys } = this, r2 = r * r;
        return this.#inside(below(qx - r), below(qy - r), -below(-qx - r), -below(-qy - r),
            (id) => (xs[id] - qx) * (xs[id] - qx) + (ys[id] - qy) * (ys[id] - qy) <= r2);
    }
    #inside(minX, minY, maxX, maxY, isInside) {
        if (this.#frame === undefined) throw new Error("Data not yet indexed - call index.finish().");
        if (!(minX <= maxX && minY <= maxY)) return [];
        const limit = (v) => Math.min(Math.max(v, -LARGEST), LARGEST);
        const found = this.#frame.overlaps(
            { minX: limit(minX), minY: limit(minY), maxX: limit(maxX), maxY: limit(maxY) });
        return Array.from(found.filter(isInside));
    }
    free() {
        this.#frame?.free();
        this.#engine.free();
    }
}
export default KDBush;

const LARGEST = 3.4028234663852886e38;
/** A number that no rounding of the distance to it makes too large. */
const below = (v) => v - Math.abs(v) * 2 ** -50;
