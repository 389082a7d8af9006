// The drop-ins for kdbush and d3-force, beside these where npm gave them to the tests.
import assert from "node:assert/strict";
import test from "node:test";
import { ready } from "throng2d";
import { forceCollide, forceManyBody } from "throng2d/d3";
import { KDBush } from "throng2d/kdbush";
import { numbers, sorted } from "./worlds.mjs";

await ready;
const there = async (name) => import(name).catch(() => undefined);
const kdbush = await there("kdbush"), d3 = await there("d3-force");
const missing = (found) => (found === undefined ? "npm did not give it to the tests" : false);

const any = numbers(3);
function filled(Index, points, Kind) {
    const index = new Index(points.length, 64, Kind);
    for (const [x, y] of points) index.add(x, y);
    index.finish();
    return index;
}
/** Many lie on the edge of a query, and differ from it by less than a float tells. */
const points = Array.from({ length: 3000 }, (_, i) => i % 3 === 0 ? [any(100), any(100)]
    : [Math.floor(any(20)) + (i % 3 === 1 ? 0 : 1e-12), Math.floor(any(20)) - (i % 2 === 1 ? 0 : 1e-12)]);
const queries = Array.from({ length: 300 }, (_, i) => i % 2 === 0 ? [any(20), any(20)] : [Math.floor(any(20)), Math.floor(any(20))]);

test("KDBush finds the points of brute force, as doubles tell them apart", () => {
    for (const Kind of [Float64Array, Float32Array, Int32Array]) {
        const index = filled(KDBush, points, Kind), stored = new Kind(2);
        for (const [x, y] of queries) {
            const within = [], range = [];
            for (let i = 0; i < points.length; ++i) {
                stored.set(points[i]);
                const [px, py] = stored;
                if ((px - x) ** 2 + (py - y) ** 2 <= 9) within.push(i);
                if (px >= x && px <= x + 2 && py >= y && py <= y + 3) range.push(i);
            }
            assert.deepEqual(sorted(index.within(x, y, 3)), within);
            const out = new Uint32Array(points.length), count = index.withinInto(x, y, 3, out);
            assert.deepEqual([sorted(out.subarray(0, count)), out[count]], [within, 0]);
            assert.deepEqual(sorted(index.range(x, y, x + 2, y + 3)), range);
        }
        assert.equal(index.range(-Infinity, -Infinity, Infinity, Infinity).length, points.length);
        assert.deepEqual(index.range(5, 5, 4, 4), []);
    }
});

test("KDBush finds points where they have moved to", () => {
    const index = filled(KDBush, points);
    points.forEach(([x, y], i) => assert.equal(index.add(...(i === 7 ? [500, 500] : [x + 1, y])), i));
    assert.throws(() => index.within(0, 0, 1), /finish/);
    assert.deepEqual(index.finish().within(500, 500, 1), [7]);
    assert.deepEqual(sorted(index.range(-1, -1, 999, 999)), [...points.keys()]);
});

test("KDBush takes as many points as were announced", () => {
    const index = new KDBush(2);
    assert.throws(() => index.within(0, 0, 1), /finish/);
    index.add(3, 3);
    assert.throws(() => index.finish(), /Added 1 items when expected 2/);
    index.add(4, 4);
    index.add(5, 5);
    assert.throws(() => index.finish(), /Added 3 items when expected 2/);
    for (const wrong of [-1, NaN, 0.5, "x"]) assert.throws(() => new KDBush(wrong), /Unexpected numItems/);
    assert.throws(() => new KDBush(1, 64, Array), /Unexpected typed array class/);
    for (const wrong of [NaN, Infinity, 1e39]) assert.throws(() => filled(KDBush, [[1, 2], [wrong, 0]]));
});

test("KDBush is made again of its data, which threads may share, and of kdbush's", () => {
    const shared = new KDBush(points.length, 16, Float32Array, SharedArrayBuffer);
    for (const [x, y] of points) shared.add(x, y);
    assert.ok(shared.finish().data instanceof SharedArrayBuffer);
    const again = KDBush.from(shared.data), its = kdbush && filled(kdbush.default, points, Float32Array);
    assert.deepEqual(again, shared);
    for (const index of [again, ...(its === undefined ? [] : [KDBush.from(its.data)])])
        for (const [x, y] of queries.slice(0, 50)) assert.deepEqual(sorted(index.within(x, y, 3)), sorted(shared.within(x, y, 3)));
    if (its !== undefined) assert.throws(() => kdbush.default.from(shared.data), /v15/);  // it would answer wrong
    assert.throws(() => KDBush.from(new Uint8Array(8)), /ArrayBuffer/);
    assert.throws(() => KDBush.from(new ArrayBuffer(8)), /KDBush format/);
});

test("KDBush answers as kdbush", { skip: missing(kdbush) }, () => {
    const mine = filled(KDBush, points), its = filled(kdbush.default, points);
    for (const [x, y] of queries) {
        assert.deepEqual(sorted(mine.within(x, y, 3)), sorted(its.within(x, y, 3)));
        assert.deepEqual(sorted(mine.range(x, y, x + 2, y + 3)), sorted(its.range(x, y, x + 2, y + 3)));
    }
});

const crowd = (n, side) => {
    const at = numbers(5);
    return Array.from({ length: n }, () => ({ x: at(side), y: at(side), vx: 0, vy: 0, r: 1 + at(2) }));
};
/** How deep circles lie in each other, all together. */
function depth(nodes) {
    let sum = 0;
    for (let i = 0; i < nodes.length; ++i)
        for (let j = i + 1; j < nodes.length; ++j)
            sum += Math.max(0, nodes[i].r + nodes[j].r - Math.hypot(nodes[i].x - nodes[j].x, nodes[i].y - nodes[j].y));
    return sum;
}
function ticks(nodes, force, count, alpha = 1) {
    nodes.forEach((node, index) => { node.index = index; });
    force.initialize(nodes, numbers(9));
    for (let k = 0; k < count; ++k) {
        force(alpha);
        for (const node of nodes) {
            node.x += node.vx *= 0.6;
            node.y += node.vy *= 0.6;
        }
    }
    return nodes;
}

test("forceCollide parts two circles as d3 does", { skip: missing(d3) }, () => {
    const two = () => [{ x: 0, y: 0, vx: 0, vy: 0 }, { x: 1, y: 0.5, vx: 0.25, vy: 0 }];
    const radius = (node, i) => i + 1;
    assert.deepEqual(ticks(two(), forceCollide(radius).strength(0.7), 3), ticks(two(), d3.forceCollide(radius).strength(0.7), 3));
});

test("forces treat what is no number as d3 does", { skip: missing(d3) }, () => {
    const odd = () => [{ x: 0, y: 0, r: 2 }, { x: 1, y: 0, r: 2 }, { x: 1, y: 1 }, { x: 9, y: 9, r: -1 }, { x: 8, y: 8.5, r: 2 }, { x: 1, y: 2, r: NaN }];
    const run = (force) => {
        const nodes = odd(), simulation = d3.forceSimulation(nodes).force("it", force).stop();
        simulation.tick(3);
        nodes.push({ index: nodes.length, x: 0.5, y: 1, vx: 0, vy: 0 });  // which no one told the simulation
        nodes[4].x = NaN;
        simulation.tick(3);
        return nodes.map(({ x, y, vx, vy }) => [x, y, vx, vy]);
    };
    assert.deepEqual(run(forceCollide((node) => node.r)), run(d3.forceCollide((node) => node.r)));
    const nodes = odd();
    d3.forceSimulation(nodes).force("it", forceManyBody().distanceMax(5).strength((node) => node.r)).stop().tick(3);
    d3.forceSimulation(nodes).force("it", forceCollide(Infinity)).stop().tick(3);  // they are no numbers any more, as with d3
});

test("forceCollide leaves no more overlap than d3's", { skip: missing(d3) }, () => {
    const mine = depth(ticks(crowd(1500, 100), forceCollide((node) => node.r).iterations(2), 40));
    const its = depth(ticks(crowd(1500, 100), d3.forceCollide((node) => node.r).iterations(2), 40));
    assert.ok(mine <= its * 1.02, `${mine} and ${its}`);
});

test("forceCollide parts nodes that lie in one point, sooner than d3", { skip: missing(d3) }, () => {
    const pile = () => Array.from({ length: 10 }, () => ({ x: 0, y: 0, vx: 0, vy: 0, r: 1 }));
    const mine = depth(ticks(pile(), forceCollide(1), 1)), its = depth(ticks(pile(), d3.forceCollide(1), 1));
    assert.ok(mine < its / 2, `${mine} and ${its}`);
});

test("forceCollide has d3's getters and setters", () => {
    const force = forceCollide();
    assert.equal(force.radius()(), 1);
    assert.equal(force.strength(), 1);
    assert.equal(force.iterations(), 1);
    assert.equal(force.radius(3).strength(0.5).iterations(4), force);
    assert.deepEqual([force.radius()(), force.strength(), force.iterations()], [3, 0.5, 4]);
    assert.equal(ticks([{ x: 0, y: 0, vx: 0, vy: 0 }, { x: 0, y: 0, vx: 0, vy: 0 }], force, 5).every((node) => Number.isFinite(node.x)), true);
});

test("forceManyBody is d3's, where that approximates nothing", { skip: missing(d3) }, () => {
    const set = (force) => force.strength((node) => -node.r).distanceMax(20).distanceMin(2);
    const mine = ticks(crowd(400, 60), set(forceManyBody()), 3), its = ticks(crowd(400, 60), set(d3.forceManyBody()).theta(0), 3);
    mine.forEach((node, i) => assert.ok(Math.hypot(node.x - its[i].x, node.y - its[i].y) < 1e-6, `${i}: ${node.x} and ${its[i].x}`));
});

test("forceManyBody wants a distance", () => {
    assert.throws(() => ticks(crowd(3, 9), forceManyBody(), 1), /distanceMax/);
});
