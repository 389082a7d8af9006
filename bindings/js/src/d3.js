// Two forces of d3-force, with its signatures and their meaning. The engine finds each pair that is near enough, once.
import { Engine, Pairs } from "./core.js";

const constant = (value) => () => value;
const jiggle = (random) => (random() - 0.5) * 1e-6;
const accessor = (value, otherwise) =>
    typeof value === "function" ? value : constant(value == null ? otherwise : +value);

const LARGEST = 1e38;  // that is a float, and with another still is
/** A number that an engine takes. d3 leaves out a node without one, and so do the forces: no comparison with it is true. */
const legal = (value, otherwise) => (Number.isNaN(value) ? otherwise : Math.min(Math.max(value, -LARGEST), LARGEST));

/** The nodes' numbers in arrays, which engines and loops read faster than objects. */
class Bodies {
    engine = new Engine();
    pairs = new Pairs();
    sizes = [];  // by the index of a node
    count = -1;

    measure(nodes, sizeOf) {
        this.sizes = [];
        nodes.forEach((node, i) => { this.sizes[node.index ?? i] = +sizeOf(node, i, nodes); });
    }
    /** For the present nodes. A node that the simulation does not know has no size, as with d3. */
    read(nodes) {
        if (this.count !== nodes.length) {
            this.count = nodes.length;
            for (const name of ["x", "y", "vx", "vy", "size", "px", "py", "reach"]) this[name] = new Float64Array(this.count);
        }
        nodes.forEach((node, i) => {
            this.x[i] = node.x;
            this.y[i] = node.y;
            this.vx[i] = node.vx;
            this.vy[i] = node.vy;
            this.size[i] = this.sizes[node.index ?? i] ?? NaN;
        });
        return this;
    }
    write(nodes) {
        nodes.forEach((node, i) => {
            if (!Number.isNaN(this.vx[i])) node.vx = this.vx[i];
            if (!Number.isNaN(this.vy[i])) node.vy = this.vy[i];
        });
    }
}

// Circles that begin to overlap while others are parted are found too: d3's tree finds most of them.
const MARGIN = 1.25;

/** Circles that push each other apart: d3's forceCollide. */
export function forceCollide(radius) {
    let nodes, bodies, random = Math.random, strength = 1, iterations = 1;
    let radiusOf = accessor(radius, 1);

    function force() {
        const { engine, pairs, x, y, vx, vy, size, px, py, reach, count } = bodies.read(nodes);
        for (let k = 0; k < iterations; ++k) {
            for (let i = 0; i < count; ++i) {
                px[i] = legal(x[i] + vx[i], i);
                py[i] = legal(y[i] + vy[i], i);
                reach[i] = legal(Math.abs(size[i]) * MARGIN, 0);
            }
            engine.updateWithPairs({ x: px, y: py, radius: reach }, undefined, pairs);
            // As d3 does: node by node in their order, each from its place at that time.
            pairs.sort();
            let last = -1, xi = 0, yi = 0;
            pairs.forEach((i, j) => {
                if (i !== last) {
                    xi = x[i] + vx[i];
                    yi = y[i] + vy[i];
                    last = i;
                }
                let dx = xi - x[j] - vx[j], dy = yi - y[j] - vy[j], l = dx * dx + dy * dy;
                const ri = size[i], rj = size[j], r = ri + rj;
                if (!(l < r * r)) return;
                if (dx === 0) l += (dx = jiggle(random)) ** 2;
                if (dy === 0) l += (dy = jiggle(random)) ** 2;
                l = Math.sqrt(l);
                l = (r - l) / l * strength;
                dx *= l;
                dy *= l;
                const share = rj * rj / (ri * ri + rj * rj);
                vx[i] += dx * share;
                vy[i] += dy * share;
                vx[j] -= dx * (1 - share);
                vy[j] -= dy * (1 - share);
            });
        }
        bodies.write(nodes);
    }
    function initialize() {
        if (!nodes) return;
        (bodies ??= new Bodies()).measure(nodes, radiusOf);
    }
    force.initialize = (given, source) => {
        nodes = given;
        if (source) random = source;
        initialize();
    };
    force.iterations = (value) => (value === undefined ? iterations : ((iterations = +value), force));
    force.strength = (value) => (value === undefined ? strength : ((strength = +value), force));
    force.radius = (value) => (value === undefined ? radiusOf : ((radiusOf = accessor(value, 1)), initialize(), force));
    return force;
}

/** Bodies that attract or repel each other: d3's forceManyBody, pair by pair, within a distance that must be set. */
export function forceManyBody() {
    let nodes, bodies, random = Math.random, strengthOf = constant(-30), theta = 0.9, least = 1, most = Infinity;

    function force(alpha) {
        if (most === Infinity) throw new TypeError("throng2d/d3: forceManyBody wants a distanceMax; without one d3's own is right");
        const { engine, pairs, x, y, vx, vy, size, px, py, count } = bodies.read(nodes), least2 = least * least, most2 = most * most;
        let far = 0;
        for (let i = 0; i < count; ++i) {
            px[i] = legal(x[i], i);
            py[i] = legal(y[i], i);
            far = Math.max(far, Math.abs(px[i]), Math.abs(py[i]));
        }
        // Squares that touch are found faster than near centres. They are a little larger, for the rounding of floats.
        engine.updateWithPairs({ x: px, y: py, radius: legal(most / 2 + far * 2 ** -22, 0) }, undefined, pairs);
        pairs.forEach((i, j) => {
            let dx = x[j] - x[i], dy = y[j] - y[i], l = dx * dx + dy * dy;
            if (!(l < most2)) return;
            if (dx === 0) l += (dx = jiggle(random)) ** 2;
            if (dy === 0) l += (dy = jiggle(random)) ** 2;
            if (l < least2) l = Math.sqrt(least2 * l);
            const onI = size[j] * alpha / l, onJ = size[i] * alpha / l;
            vx[i] += dx * onI;
            vy[i] += dy * onI;
            vx[j] -= dx * onJ;
            vy[j] -= dy * onJ;
        });
        bodies.write(nodes);
    }
    function initialize() {
        if (!nodes) return;
        (bodies ??= new Bodies()).measure(nodes, strengthOf);
    }
    force.initialize = (given, source) => {
        nodes = given;
        if (source) random = source;
        initialize();
    };
    force.strength = (value) =>
        value === undefined ? strengthOf : ((strengthOf = accessor(value, -30)), initialize(), force);
    force.distanceMin = (value) => (value === undefined ? least : ((least = +value), force));
    force.distanceMax = (value) => (value === undefined ? most : ((most = +value), force));
    // For d3's approximation, which is not needed here.
    force.theta = (value) => (value === undefined ? theta : ((theta = +value), force));
    return force;
}
