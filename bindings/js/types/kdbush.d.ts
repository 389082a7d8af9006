/** kdbush's index for points that move: the same calls and answers. Await `ready` of "throng" first. */
export declare class KDBush {
    /** `nodeSize` is not needed here. */
    constructor(numItems: number, nodeSize?: number, ArrayType?: new (length: number) => KDBush["xs"]);
    readonly numItems: number;
    readonly xs: Float64Array | Float32Array | Int32Array | Uint32Array | Int16Array | Uint16Array | Int8Array | Uint8Array;
    readonly ys: KDBush["xs"];
    add(x: number, y: number): number;
    /** Also after points have moved: set xs and ys, and finish again. */
    finish(): this;
    range(minX: number, minY: number, maxX: number, maxY: number): number[];
    within(x: number, y: number, radius: number): number[];
    free(): void;
}
export default KDBush;
