// The nodes, the two simulations, and what is measured of them: for the page and for compare.mjs.
import { forceCollide as ofD3, forceSimulation, forceX, forceY } from "d3-force";
import { forceCollide as ofThrong } from "throng2d/d3";

export const FORCES = { "d3-force": ofD3, "throng2d/d3": ofThrong };

/** As many circles all over a disc, which at the end fills two thirds of it. */
export function nodesOf(count) {
    let state = 7;
    const any = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32, wide = 2.6 * Math.sqrt(count);
    return Array.from({ length: count }, () => {
        const turn = 2 * Math.PI * any(), far = wide * Math.sqrt(any());
        return { x: far * Math.cos(turn), y: far * Math.sin(turn), r: 1 + 2 * any() };
    });
}

/** A force that knows how many milliseconds it took. */
function timed(force) {
    const measured = (alpha) => {
        const begin = performance.now();
        force(alpha);
        measured.took.push(performance.now() - begin);
    };
    measured.took = [];
    measured.initialize = (nodes, random) => force.initialize(nodes, random);
    return measured;
}

/** A simulation that stands, with one of FORCES: tick() lets it go on. */
export function simulationOf(name, nodes) {
    const collide = timed(FORCES[name]((node) => node.r));
    const simulation = forceSimulation(nodes).stop().alphaDecay(0)
        .force("x", forceX(0).strength(0.0003)).force("y", forceY(0).strength(0.0003)).force("collide", collide);
    return { nodes, tick: () => simulation.tick(), took: collide.took };
}

/** The middle one of times. */
export const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];

/** How deep circles lie in each other, all together: by squares as wide as the largest circle. */
export function overlap(nodes) {
    const wide = 2 * Math.max(...nodes.map((node) => node.r)), squares = new Map();
    const key = (x, y) => (Math.floor(x / wide) + 2 ** 20) * 2 ** 21 + Math.floor(y / wide) + 2 ** 20;
    let sum = 0;
    for (const node of nodes) {
        for (const dx of [-wide, 0, wide])
            for (const dy of [-wide, 0, wide])
                for (const other of squares.get(key(node.x + dx, node.y + dy)) ?? [])
                    sum += Math.max(0, node.r + other.r - Math.hypot(node.x - other.x, node.y - other.y));
        const at = key(node.x, node.y);
        if (!squares.has(at)) squares.set(at, []);
        squares.get(at).push(node);
    }
    return sum;
}
