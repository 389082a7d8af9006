type Kind = Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** kdbush's index for points that move: the same calls and answers, in another order. Await `ready` of "throng2d" first. */
export declare class KDBush {
    /** From the `data` of an index, also of kdbush's own. */
    static from(data: ArrayBufferLike): KDBush;
    /** `nodeSize` has no effect here. */
    constructor(
        numItems: number, nodeSize?: number, ArrayType?: new (length: number) => Kind,
        ArrayBufferType?: new (length: number) => ArrayBufferLike, data?: ArrayBufferLike,
    );
    readonly numItems: number;
    readonly nodeSize: number;
    /** The types of `coords` and `ids`. */
    readonly ArrayType: new (length: number) => Kind;
    readonly IndexArrayType: Uint16ArrayConstructor | Uint32ArrayConstructor;
    /** The whole index, for another thread. kdbush itself cannot read it: its points have another order. */
    readonly data: ArrayBufferLike;
    readonly ids: Uint16Array | Uint32Array;
    readonly coords: Kind;
    /** After finish(), add() begins anew, for points that have moved. finish() refuses what is no float: NaN, or 1e39. */
    add(x: number, y: number): number;
    finish(): this;
    range(minX: number, minY: number, maxX: number, maxY: number): number[];
    within(x: number, y: number, radius: number): number[];
    /** Writes the ids into `out`, and returns how many. */
    withinInto(x: number, y: number, radius: number, out: number[] | Kind): number;
    free(): void;
}
export default KDBush;
