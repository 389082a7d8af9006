// The classes that a host sees: the calls of calls.js, and what is handier in JavaScript than in C.
import { arrays, CastHitsCalls, EngineCalls, FrameCalls, HitsCalls, KeptNeighboursCalls, NeighboursCalls, PairChangesCalls,
    PairsCalls, StaticLayerCalls, writeEngineConfig, writeKeptNeighbourhood } from "./calls.js";
import { writeBoxes, writeLabels } from "./given.js";
import { pointerOf } from "./held.js";
import { begin, c, check, counter, details, isArray, take, u32 } from "./memory.js";

export class Engine extends EngineCalls {
    constructor(config) {
        begin();
        const configAt = writeEngineConfig(config ?? {}, "the configuration"), at = take(4);
        check(c.throng_engine_create(configAt, at, details));
        super(u32[at >>> 2]);
    }
    /** All agents, by (boxes, labels), or by (x, y, radius). */
    update(x, y, radius) {
        if (ArrayBuffer.isView(x)) super.update({ x, y, radius });
        else super.update(x, y);
    }
}

export class Frame extends FrameCalls {
    /** Lists of neighbours: with `count` the nearest; with `points` those of points, and otherwise of all agents. */
    neighbours({ points, ...wanted }, filter, lists) {
        const kind = wanted.count === undefined ? "Within" : "Nearest";
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

/** The id in an array of answers where there is no agent. */
export const NO_AGENT = 0xffffffff;

export class StaticLayer extends StaticLayerCalls {
    constructor(boxes, labels, engine) {
        // A handle that a call made.
        if (typeof boxes === "number") return super(boxes);
        begin();
        const boxesAt = writeBoxes(boxes, "boxes"), labelsAt = writeLabels(labels), at = take(4);
        const of = engine === undefined ? 0 : pointerOf(engine, Engine, "engine");
        check(c.throng_static_layer_create(of, boxesAt, labelsAt, at, details));
        super(u32[at >>> 2]);
    }
}

export class KeptNeighbours extends KeptNeighboursCalls {
    static create(wanted, at) {
        return c.throng_kept_neighbours_create(0, writeKeptNeighbourhood(wanted, "wanted"), at, details);
    }
}
export class Pairs extends PairsCalls {
    get size() { return (c.throng_pairs_get(this.pointer, counter), u32[counter >>> 2]); }
    /** Without a view, where the number of pairs is another in each frame. */
    forEach(visit) {
        const first = c.throng_pairs_get(this.pointer, counter) >>> 2, size = u32[counter >>> 2];
        for (let k = 0; k < size; ++k) visit(u32[first + 2 * k], u32[first + 2 * k + 1], k);
    }
}
export class PairChanges extends PairChangesCalls {}

/** Lists of ids, which lie one after the other: list k is ids[offsets[k]] .. ids[offsets[k + 1] - 1]. */
const lists = {
    size: { get() { return Math.max(this.offsets.length - 1, 0); } },
    list: { value(k) { return this.ids.subarray(this.offsets[k], this.offsets[k + 1]); } },
};
export class Hits extends HitsCalls {}
export class Neighbours extends NeighboursCalls {}
export class CastHits extends CastHitsCalls {}
Object.defineProperties(Hits.prototype, lists);
Object.defineProperties(Neighbours.prototype, lists);
Object.defineProperties(KeptNeighbours.prototype, lists);
Object.defineProperties(CastHits.prototype, { size: lists.size });

export { arrays };
