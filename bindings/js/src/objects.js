// The classes that a host sees: the calls of calls.js, and what is handier in JavaScript than in C.
import { arrays, CastHitsCalls, EngineCalls, FrameCalls, HitsCalls, KeptNeighboursCalls, NeighboursCalls, PairChangesCalls,
    PairsCalls, StaticLayerCalls, writeEngineConfig, writeKeptNeighbourhood } from "./calls.js";
import { writeBoxes, writeLabels } from "./given.js";
import { Handle, pointerOf } from "./held.js";
import { begin, c, check, counter, details, f32, take, u32 } from "./memory.js";

export class Engine extends EngineCalls {
    constructor(config) {
        begin();
        const configAt = writeEngineConfig(config ?? {}, "the configuration"), at = take(4);
        check(c.throng_engine_create(configAt, at, details));
        super(new Handle(u32[at >>> 2]));
    }
    /** All agents, by (boxes, labels), or by (x, y, radius). */
    update(x, y, radius) {
        if (ArrayBuffer.isView(x)) super.update({ x, y, radius });
        else super.update(x, y);
    }
}

export class Frame extends FrameCalls {
    /** Lists of neighbours. With `count` the nearest; with `points` around points, otherwise around all agents. */
    neighbours({ points, ...wanted }, filter, lists) {
        const hasCount = wanted.count !== undefined, hasRadius = wanted.radius !== undefined || wanted.radii !== undefined;
        const kind = hasCount ? "Nearest" : "Within";
        if (hasCount === hasRadius)
            throw new TypeError("throng: neighbours are those within a radius, or so many nearest: name the radius, or the count with its maxRadius");
        return points === undefined
            ? this["neighbours" + kind](wanted, filter, lists) : this["neighbours" + kind + "Of"](points, wanted, filter, lists);
    }
    nearest(x, y, filter) {
        const { nearest, isStatic } = super.nearest(x, y, filter);
        return nearest.id === NO_AGENT ? null : { ...nearest, isStatic };
    }
    firstHit(cast, filter) {
        const hit = super.firstHit(cast, filter);
        return hit.id === NO_AGENT ? null : hit;
    }
}

const span = { ids: undefined, first: 0, end: 0 };
/** The same as overlaps(), for many small queries: the answers lie in the module's memory until its next call. */
export function overlapping(frame, minX, minY, maxX, maxY) {
    for (let room = 1024n; ;) {
        begin();
        const boxAt = take(16), idsAt = take(4 * Number(room)), totalAt = take(8);
        f32[boxAt >>> 2] = minX;
        f32[boxAt + 4 >>> 2] = minY;
        f32[boxAt + 8 >>> 2] = maxX;
        f32[boxAt + 12 >>> 2] = maxY;
        check(c.throng_frame_overlaps(frame.pointer, boxAt, 0, idsAt, room, totalAt, details));
        const total = u32[totalAt >>> 2];
        if (total <= room) {
            span.ids = u32;
            span.first = idsAt >>> 2;
            span.end = span.first + total;
            return span;
        }
        room = BigInt(total);
    }
}

/** The id in an array of answers that stands for no agent. */
export const NO_AGENT = 0xffffffff;

export class StaticLayer extends StaticLayerCalls {
    constructor(boxes, labels, engine) {
        if (boxes instanceof Handle) return super(boxes);
        begin();
        const boxesAt = writeBoxes(boxes, "boxes"), labelsAt = writeLabels(labels, "labels"), at = take(4);
        const of = engine === undefined ? 0 : pointerOf(engine, Engine, "engine");
        check(c.throng_static_layer_create(of, boxesAt, labelsAt, at, details));
        super(new Handle(u32[at >>> 2]));
    }
}

export class KeptNeighbours extends KeptNeighboursCalls {
    static create(wanted, at) {
        return c.throng_kept_neighbours_create(0, writeKeptNeighbourhood(wanted, "wanted"), at, details);
    }
}
export class Pairs extends PairsCalls {
    get size() { return (c.throng_pairs_get(this.pointer, counter), u32[counter >>> 2]); }
    /** Without a view, for frames with another number of pairs each. */
    forEach(visit) {
        const first = c.throng_pairs_get(this.pointer, counter) >>> 2, size = u32[counter >>> 2];
        for (let k = 0; k < size; ++k) visit(u32[first + 2 * k], u32[first + 2 * k + 1], k);
    }
}
export class PairChanges extends PairChangesCalls {}

/** Lists of ids, one after the other: list k is ids[offsets[k]] .. ids[offsets[k + 1] - 1]. */
const lists = {
    size: { get() { return Math.max(this.offsets.length - 1, 0); } },
    list: {
        value(k) {
            const { offsets } = this;
            if (!Number.isInteger(k) || k < 0 || k + 1 >= offsets.length)
                throw new RangeError(`throng: there is no list ${String(k)}: there are ${this.size}, from 0`);
            return this.ids.subarray(offsets[k], offsets[k + 1]);
        },
    },
};
export class Hits extends HitsCalls {}
export class Neighbours extends NeighboursCalls {}
export class CastHits extends CastHitsCalls {}
Object.defineProperties(Hits.prototype, lists);
Object.defineProperties(Neighbours.prototype, lists);
Object.defineProperties(KeptNeighbours.prototype, lists);
Object.defineProperties(CastHits.prototype, { size: lists.size });

// Names that bundlers leave as they are, for errors.
for (const [name, kind] of Object.entries({ CastHits, Engine, Frame, Hits, KeptNeighbours, Neighbours, PairChanges, Pairs, StaticLayer }))
    Object.defineProperty(kind.prototype, Symbol.toStringTag, { value: name });

export { arrays };
