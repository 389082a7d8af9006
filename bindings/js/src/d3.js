// Two forces of d3-force, with its signatures and their meaning. The engine finds all pairs that are near enough,
// and each is looked at once.
import { Engine, Pairs } from "./throng.js";

const constant = (value) => () => value;
const jiggle = (random) => (random() - 0.5) * 1e-6;
const accessor = (value, otherwise) =>
    typeof value === "function" ? value : constant(value == null ? otherwise : +value);

/** The nodes' numbers in arrays, which an engine and loops read sooner than objects. */
class Bodies {
    engine = new Engine();
    pairs = new Pairs();
    constructor(nodes) {
        const n = nodes.length, array = () => new Float64Array(n);
        this.nodes = nodes;
        [this.x, this.y, this.vx, this.vy, this.size] = [array(), array(), array(), array(), array()];
    }
    read() {
        this.nodes.forEach((node, i) => {
            this.x[i] = node.x;
            this.y[i] = node.y;
            this.vx[i] = node.vx;
            this.vy[i] = node.vy;
        });
    }
    write() {
        this.nodes.forEach((node, i) => {
            node.vx = this.vx[i];
            node.vy = this.vy[i];
        });
    }
}

// Circles that come to overlap while others are parted are found as well: d3's tree finds most of them.
const MARGIN = 1.25;

/** Circles that push each other apart: d3's forceCollide. */
export function forceCollide(radius) {
    let nodes, bodies, random = Math.random, strength = 1, iterations = 1;
    let radiusOf = accessor(radius, 1);

    function force() {
        bodies.read();
        const { engine, pairs, x, y, vx, vy, size } = bodies, n = nodes.length;
        for (let k = 0; k < iterations; ++k) {
            const px = bodies.px ??= new Float64Array(n), py = bodies.py ??= new Float64Array(n);
            const reach = bodies.reach ??= new Float64Array(n);
            for (let i = 0; i < n; ++i) {
                px[i] = x[i] + vx[i];
                py[i] = y[i] + vy[i];
                reach[i] = size[i] * MARGIN;
            }
            engine.updateWithPairs({ x: px, y: py, radius: reach }, undefined, pairs);
            // As d3 does: node by node in their order, each from where it is when its turn comes.
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
                if (l >= r * r) return;
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
        bodies.write();
    }
    function initialize() {
        if (!nodes) return;
        if (bodies?.nodes !== nodes || bodies.size.length !== nodes.length) bodies = new Bodies(nodes);
        nodes.forEach((node, i) => { bodies.size[i] = +radiusOf(node, i, nodes); });
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

/** Bodies that attract or repel each other: d3's forceManyBody, each pair for itself, within a distance that must be set. */
export function forceManyBody() {
    let nodes, bodies, random = Math.random, strengthOf = constant(-30), theta = 0.9, least = 1, most = Infinity;

    function force(alpha) {
        if (most === Infinity) throw new TypeError("throng/d3: forceManyBody wants a distanceMax; without one d3's own is right");
        bodies.read();
        const { engine, pairs, x, y, vx, vy, size } = bodies, least2 = least * least, most2 = most * most;
        engine.update({ x, y, radius: 0 });
        bodies.frame = engine.frame(bodies.frame);
        bodies.frame.pairs({ within: most, agentsAs: "centres" }, pairs);
        pairs.forEach((i, j) => {
            let dx = x[j] - x[i], dy = y[j] - y[i], l = dx * dx + dy * dy;
            if (l >= most2) return;
            if (dx === 0) l += (dx = jiggle(random)) ** 2;
            if (dy === 0) l += (dy = jiggle(random)) ** 2;
            if (l < least2) l = Math.sqrt(least2 * l);
            const onI = size[j] * alpha / l, onJ = size[i] * alpha / l;
            vx[i] += dx * onI;
            vy[i] += dy * onI;
            vx[j] -= dx * onJ;
            vy[j] -= dy * onJ;
        });
        bodies.write();
    }
    function initialize() {
        if (!nodes) return;
        if (bodies?.nodes !== nodes || bodies.size.length !== nodes.length) bodies = new Bodies(nodes);
        nodes.forEach((node, i) => { bodies.size[i] = +strengthOf(node, i, nodes); });
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
    // Of d3's approximation, which is not needed here.
    force.theta = (value) => (value === undefined ? theta : ((theta = +value), force));
    return force;
}
