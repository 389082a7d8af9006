// What differs from C. The rest is in calls.d.ts.
import {
    CastHit, CastHitArrays, CastHitsCalls, EngineCalls, EngineConfig, Filter, FrameCalls, HitsCalls, KeptNeighbourhood,
    KeptNeighboursCalls, Nearest, NeighboursCalls, PairChangesCalls, PairsCalls, StaticLayerCalls, Within,
} from "./calls";
import type { AgentsAs, Argument, Code, Neighbour } from "./calls";
export { arrays } from "./calls";
export type { Held, Result } from "./held";
export type {
    AgentsAs, Argument, Band, Box, CastHit, CastHitArrays, Code, EngineConfig, Filter, KeptNeighbourhood, Label, MemoryReport,
    Nearest, Neighbour, NeighbourArrays, PairQuery, Tuning, Within,
} from "./calls";

type Floats = Float32Array | Float64Array;
/** Doubles are rounded once, after an origin amid the agents is subtracted. All arrays are of one kind. */
interface Origin {
    originX?: number;
    originY?: number;
}
interface OfAgents {
    /** For an update: how many of the boxes, the last ones, are ghosts. */
    ghosts?: number;
    /** For an update, an edit or a static layer: bands of heights, from minZ to maxZ, or to minZ + height. */
    minZ?: Float32Array;
    maxZ?: Float32Array;
    height?: number;
}
/** Boxes in arrays, which are read during the call. All numbers are finite. */
type BoxArrays =
    | ({ x: Floats; y: Floats; radius?: number | Floats } & Origin)
    | ({ x: Floats; y: Floats; halfX: Floats; halfY: Floats } & Origin)
    | ({ minX: Floats; minY: Floats; maxX: Floats; maxY: Floats } & Origin)
    /** Four numbers each: minX, minY, maxX, maxY. */
    | { boxes: Float32Array };
/** Boxes of agents. */
export type Boxes = BoxArrays & OfAgents;
/** The queries of a batch. */
export type Queries =
    | BoxArrays
    /** Three numbers each: x, y, radius. */
    | { circles: Float32Array; agentsAs?: AgentsAs }
    | { shapes: Shape[] };
export type Points = { x: Floats; y: Floats } & Origin;
/** A mask of up to 32 categories, and a group, for each agent. */
export interface Labels {
    categories?: Uint32Array;
    groups?: Uint32Array;
}
export type Shape =
    | { kind: "box"; x: number; y: number; toX: number; toY: number }
    | { kind: "circle"; x: number; y: number; radius: number; agentsAs?: AgentsAs }
    | { kind: "segment"; x: number; y: number; toX: number; toY: number; radius: number }
    /** Convex, with the corners in order: x and y in turn. */
    | { kind: "polygon"; corners: Float32Array };
/** A ray from (x, y), or a box that moves by (dx, dy). A radius rounds its corners. */
export type Cast = { dx: number; dy: number; radius?: number } & (
    | { x: number; y: number }
    | { minX: number; minY: number; maxX: number; maxY: number }
);

/** A call failed, and changed nothing. A wrong type is a TypeError. */
export declare class ThrongError extends Error {
    readonly code: Code;
    readonly argument: Argument;
    /** The lowest element at fault, or -1. */
    readonly index: number;
}

export declare class Engine extends EngineCalls {
    constructor(config?: EngineConfig);
    /** Replaces all agents, with ids from 0, and publishes a frame. This is the fastest way if most agents move. */
    update(boxes: Boxes, labels?: Labels): void;
    update(x: Floats, y: Floats, radius: number | Floats): void;
}
type NeighboursWanted =
    | (Within & ({ radius: number } | { radii: Float32Array }) & { count?: undefined })
    | (Nearest & { count: number; radius?: undefined; radii?: undefined });
export declare class Frame extends FrameCalls {
    private constructor();
    /** All within the radius, or the `count` nearest: for all agents, or for the points. */
    neighbours(wanted: NeighboursWanted & { points?: Points }, filter?: Filter, lists?: Neighbours): Neighbours;
    /** The agent whose centre is nearest to a point. */
    nearest(x: number, y: number, filter?: Filter): (Neighbour & { isStatic: boolean }) | null;
    /** What a cast touches first. */
    firstHit(cast: Cast, filter?: Filter): CastHit | null;
}
export declare class StaticLayer extends StaticLayerCalls {
    constructor(boxes: Boxes, labels?: Labels, engine?: Engine);
}
interface Lists {
    /** How many lists. */
    readonly size: number;
    /** A view of one list. A RangeError if there is none. */
    list(k: number): Uint32Array;
}
export declare class Hits extends HitsCalls implements Lists {
    constructor(engine?: Engine);
    readonly size: number;
    list(k: number): Uint32Array;
}
export declare class Neighbours extends NeighboursCalls implements Lists {
    constructor(engine?: Engine);
    readonly size: number;
    list(k: number): Uint32Array;
}
export declare class KeptNeighbours extends KeptNeighboursCalls implements Lists {
    constructor(wanted: KeptNeighbourhood);
    readonly size: number;
    list(k: number): Uint32Array;
}
export declare class CastHits extends CastHitsCalls {
    constructor(engine?: Engine);
    readonly size: number;
}
export declare class Pairs extends PairsCalls {
    constructor(engine?: Engine);
    /** How many pairs; `array` has twice as many ids. */
    readonly size: number;
    /** Makes no view, which helps if each frame has another number of pairs. Meanwhile it may not be filled, sorted or freed. */
    forEach(visit: (a: number, b: number, k: number) => void): void;
}
/** `began`, `ended` and `pairs` are flat: two ids for each pair. */
export declare class PairChanges extends PairChangesCalls {
    constructor(engine?: Engine);
}

/** The id in an array of answers that stands for no agent. */
export declare const NO_AGENT: number;
/** Loads the module when it is first awaited. Await it before any other call. */
export declare const ready: Promise<void>;
/** The same with a module that the host compiled, or with its bytes, for example moduleBytes() from a file of its own. `simd`
 * chooses whether it has WebAssembly's vectors. Resolves to the module's exports, for a host whose own module has more of them.
 * Rejected if another module is loaded already, or an option is wrong. */
export declare function load(options?: { module?: WebAssembly.Module | BufferSource; simd?: boolean }): Promise<WebAssembly.Exports>;
/** The module's bytes, to keep in a file. `packed` is for a host that keeps both modules in a file of its own. */
export declare function moduleBytes(simd: boolean, packed?: Uint8Array): Uint8Array;
