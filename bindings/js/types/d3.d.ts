/** A node as d3-force has it. */
export interface Node {
    x?: number;
    y?: number;
    vx?: number;
    vy?: number;
    index?: number;
}
type Accessor<N> = (node: N, index: number, nodes: N[]) => number;

export interface Collide<N extends Node> {
    (alpha?: number): void;
    initialize(nodes: N[], random?: () => number): void;
    iterations(): number;
    iterations(value: number): this;
    strength(): number;
    strength(value: number): this;
    radius(): Accessor<N>;
    radius(value: number | Accessor<N>): this;
}
/** d3's forceCollide. Await `ready` of "throng2d" first. */
export declare function forceCollide<N extends Node = Node>(radius?: number | Accessor<N>): Collide<N>;

export interface ManyBody<N extends Node> {
    (alpha: number): void;
    initialize(nodes: N[], random?: () => number): void;
    strength(): Accessor<N>;
    strength(value: number | Accessor<N>): this;
    distanceMin(): number;
    distanceMin(value: number): this;
    /** Must be set. Each pair within it counts. */
    distanceMax(): number;
    distanceMax(value: number): this;
    theta(): number;
    theta(value: number): this;
}
/** d3's forceManyBody within a distance, without its approximation. It is faster if few nodes lie within that distance. */
export declare function forceManyBody<N extends Node = Node>(): ManyBody<N>;
