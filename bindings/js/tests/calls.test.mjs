// The package as a host sees it: answers beside brute force, what is refused, and how long things live. THRONG_JS says which
// module is tested: simd or plain.
import assert from "node:assert/strict";
import test from "node:test";
import { arrays, Engine, KeptNeighbours, load, moduleBytes, NO_AGENT, PairChanges, Pairs, ready, StaticLayer, ThrongError } from "throng2d";
import { asTexts, boxOf, inside, near, overlap, pairsOf, sorted, worlds } from "./worlds.mjs";

const simd = process.env.THRONG_JS !== "plain";

test("says that it wants to be awaited", () => {
    assert.throws(() => new Engine(), /`await ready` first/);
    assert.throws(() => new Pairs(), /`await ready` first/);
});

test("loads a module that the host compiled", async () => {
    await load({ module: await WebAssembly.compile(moduleBytes(simd)) });
    await ready;
    assert.equal(new Engine().isa, simd ? "wasm128" : "wasm32");
});

const made = worlds();
const frameOf = (world) => {
    const engine = new Engine();
    engine.update(world.x, world.y, world.radius);
    return engine.frame();
};

test("finds the pairs of brute force", () => {
    for (const world of made) {
        const frame = frameOf(world), pairs = frame.pairs(), expected = pairsOf(world);
        assert.deepEqual(asTexts(pairs.array), expected);
        assert.equal(pairs.size, expected.length);
        assert.equal(frame.countPairs(), expected.length);
        const visited = [];
        pairs.forEach((a, b) => visited.push(a, b));
        assert.deepEqual(visited, Array.from(pairs.array));
        const both = new Engine().updateWithPairs({ x: world.x, y: world.y, radius: world.radius });
        assert.deepEqual(Array.from(both.array), Array.from(pairs.array));
    }
});

test("finds what overlaps a box, one by one and in a batch", () => {
    for (const world of made) {
        const frame = frameOf(world), asked = new Float32Array(4 * world.count);
        for (let i = 0; i < world.count; ++i) asked.set(Object.values(boxOf(world, i)), 4 * i);
        const hits = frame.overlapsOf({ boxes: asked }), counts = frame.countOf({ boxes: asked });
        assert.equal(hits.size, world.count);
        for (let i = 0; i < world.count; ++i) {
            const expected = inside(world, boxOf(world, i));
            assert.deepEqual(sorted(hits.list(i)), expected);
            assert.deepEqual(sorted(frame.overlaps(boxOf(world, i))), expected);
            assert.equal(frame.count(boxOf(world, i)), expected.length);
            assert.equal(counts[i], expected.length);
        }
        assert.deepEqual(Array.from(frame.anyOf({ boxes: asked })), Array(world.count).fill(1));
        assert.equal(frame.any({ minX: 1e6, minY: 1e6, maxX: 2e6, maxY: 2e6 }), false);
    }
});

test("gives more answers than it first had room for", () => {
    const frame = frameOf({ x: new Float32Array(5000), y: new Float32Array(5000), radius: new Float32Array(5000) });
    assert.deepEqual(sorted(frame.overlaps({ minX: 0, minY: 0, maxX: 0, maxY: 0 })), Array.from(Array(5000).keys()));
    assert.equal(frame.neighboursWithinAt(0, 0, { radius: 1 }).id.length, 5000);
});

test("finds neighbours within a radius and the nearest", () => {
    for (const world of made) {
        const frame = frameOf(world), lists = frame.neighbours({ radius: 2 });
        const points = { x: world.x.slice(0, 50), y: world.y.slice(0, 50) };
        const of = frame.neighbours({ radius: 2, points, distances: true }), nearest = frame.neighbours({ count: 3, points });
        for (let i = 0; i < 50; ++i) {
            const expected = near(world, world.x[i], world.y[i], 2);
            assert.deepEqual(sorted(lists.list(i)), expected.filter((j) => j !== i));
            assert.deepEqual(sorted(of.list(i)), expected);
            const one = frame.nearest(world.x[i], world.y[i]);
            assert.equal(one.id, nearest.list(i)[0]);
            assert.ok(one.squaredDistance < 1e-6);
        }
        assert.equal(of.squaredDistances.length, of.ids.length);
        assert.deepEqual(Array.from(frame.countNeighbours({ radius: 2 })), Array.from(lists.offsets.slice(1), (end, k) => end - lists.offsets[k]));
    }
    assert.equal(new Engine().frame().nearest(0, 0), null);
});

test("answers casts alike, one by one and in a batch", () => {
    const world = made[0], frame = frameOf(world), casts = new Float32Array(7 * 50);
    for (let i = 0; i < 50; ++i) casts.set([i, -9, i, -9, 0, 60, 0], 7 * i);
    const first = frame.firstHits(casts), blocked = frame.blockedOf(casts), all = frame.allHitsOf(casts);
    for (let i = 0; i < 50; ++i) {
        const cast = { x: i, y: -9, dx: 0, dy: 60 }, hit = frame.firstHit(cast);
        const met = inside(world, { minX: i, minY: -9, maxX: i, maxY: 51 });
        assert.equal(hit === null, met.length === 0);
        assert.equal(first.id[i], hit === null ? NO_AGENT : hit.id);
        assert.equal(frame.blocked(cast), hit !== null);
        assert.equal(blocked[i], hit === null ? 0 : 1);
        const slice = all.array.id.slice(all.offsets[i], all.offsets[i + 1]);
        assert.deepEqual(sorted(slice), met);
        if (hit !== null) {
            assert.equal(first.fraction[i], hit.fraction);
            assert.equal(Math.fround(boxOf(world, hit.id).minY), Math.min(...met.map((j) => boxOf(world, j).minY)));
        }
    }
});

test("asks with shapes", () => {
    const world = made[0], frame = frameOf(world);
    const circle = { kind: "circle", x: 20, y: 20, radius: 5, agentsAs: "centres" };
    const expected = near(world, 20, 20, 5);
    assert.deepEqual(sorted(frame.overlapsShape(circle)), expected);
    assert.deepEqual(sorted(frame.overlapsOf({ shapes: [circle] }).list(0)), expected);
    assert.deepEqual(sorted(frame.overlapsOf({ circles: new Float32Array([20, 20, 5]), agentsAs: "centres" }).list(0)), expected);
    const square = { kind: "polygon", corners: new Float32Array([10, 10, 30, 10, 30, 30, 10, 30]) };
    assert.deepEqual(sorted(frame.overlapsShape(square)), inside(world, { minX: 10, minY: 10, maxX: 30, maxY: 30 }));
    assert.equal(frame.countShape({ kind: "segment", x: 0, y: 20, toX: 40, toY: 20, radius: 1 }) > 0, true);
});

test("takes filters", () => {
    const world = made[1], all = { minX: -99, minY: -99, maxX: 99, maxY: 99 };
    const engine = new Engine(), categories = Uint32Array.from(world.x, (_, i) => 1 << (i % 3)), groups = Uint32Array.from(world.x, (_, i) => i % 5);
    engine.update({ x: world.x, y: world.y, radius: world.radius }, { categories, groups });
    const frame = engine.frame();
    assert.equal(frame.count(all, { categories: 2 }), Array.from(categories).filter((each) => each === 2).length);
    assert.equal(frame.count(all, { self: 7 }), world.count - 1);
    assert.equal(frame.count(all, { notInGroup: 3 }), Array.from(groups).filter((each) => each !== 3).length);
    const each = Uint32Array.from([1, NO_AGENT, NO_AGENT, 0xffffffff, 0, 4]);
    const counts = frame.countOf({ boxes: new Float32Array([-99, -99, 99, 99, -99, -99, 99, 99]) }, { each });
    assert.deepEqual(Array.from(counts), [1, 0xffffffff].map((mask, k) =>
        Array.from(categories).filter((category, i) => category & mask && (k === 0 || i !== 0 && groups[i] !== 4)).length));
    const pairs = asTexts(frame.pairs({ a: 1, b: 2, otherGroupsOnly: true }).array);
    assert.deepEqual(pairs, pairsOf(world).filter((text) => {
        const [i, j] = text.split(" ").map(Number);
        return categories[i] + categories[j] === 3 && groups[i] !== groups[j];
    }));
});

test("tells which pairs began and which ended", () => {
    const engine = new Engine(), changes = new PairChanges();
    let before = [], frame;
    for (const world of made) {
        engine.update(world.x, world.y, world.radius);
        frame = engine.frame(frame);
        frame.pairChanges(undefined, changes);
        const now = pairsOf(world);
        assert.deepEqual(asTexts(changes.began), now.filter((pair) => !before.includes(pair)));
        assert.deepEqual(asTexts(changes.ended), before.filter((pair) => !now.includes(pair)));
        assert.deepEqual(asTexts(changes.pairs), now);
        before = now;
    }
    assert.equal(frame.number, 3);
});

test("asks walls that never move", () => {
    const world = made[0], engine = new Engine();
    const walls = new StaticLayer({ minX: new Float32Array([10]), minY: new Float32Array([0]), maxX: new Float32Array([11]), maxY: new Float32Array([40]) });
    engine.setStaticLayer(walls);
    engine.update(world.x, world.y, world.radius);
    const frame = engine.frame(), box = { minX: 9, minY: 9, maxX: 12, maxY: 12 };
    assert.equal(frame.count(box, { withStatic: true }), frame.count(box) + 1);
    assert.equal(walls.frame().count(box), 1);
    const { agents, elements } = frame.overlapsOfBoth({ boxes: new Float32Array(Object.values(box)) });
    assert.deepEqual(sorted(agents.list(0)), inside(world, box));
    assert.deepEqual(Array.from(elements.list(0)), [0]);
    assert.equal(frame.firstHit({ x: 9.999, y: -0.5, dx: 1, dy: 1 }, { withStatic: true, categories: 0xffffffff }) !== null, true);
});

test("edits, and keeps neighbours from frame to frame", () => {
    const engine = new Engine();
    engine.update(new Float32Array([1, 5]), new Float32Array([1, 5]), 1);
    const [id] = engine.insert({ x: new Float32Array([2]), y: new Float32Array([2]), radius: 1 });
    assert.equal(engine.staged, 1);
    engine.commit();
    assert.deepEqual(asTexts(engine.frame().pairs().array), [`0 ${id}`]);
    engine.move(new Uint32Array([id]), { x: new Float32Array([6]), y: new Float32Array([6]), radius: 1 });
    engine.remove(new Uint32Array([0]));
    engine.commit();
    assert.deepEqual(asTexts(engine.frame().pairs().array), [`1 ${id}`]);
    assert.equal(engine.size, 2);
    const kept = new KeptNeighbours({ radius: 3, skin: 1 });
    engine.frame().neighboursKept(kept);
    assert.deepEqual(Array.from(kept.list(1)), [id]);
    assert.equal(kept.wasRebuilt, true);
});

test("lists what touches a ghost, and no pair of two", () => {
    const engine = new Engine();
    engine.update({ x: new Float32Array([0, 1, 1.5]), y: new Float32Array(3), radius: 1, ghosts: 2 });
    const frame = engine.frame();
    assert.deepEqual(asTexts(frame.pairs().array), ["0 1", "0 2"]);
    assert.deepEqual([frame.isGhost(0), frame.isGhost(2), frame.ghostCount], [false, true, 2]);
    assert.throws(() => engine.update({ boxes: new Float32Array(4), ghosts: 2 }), { code: "BAD_CONFIG", argument: "OWNED" });
});

test("tells storeys apart", () => {
    const engine = new Engine();
    const x = new Float32Array(3), y = new Float32Array(3), minZ = new Float32Array([0, 1, 3]);
    engine.update({ x, y, radius: 1, minZ, height: 1.5 });
    const frame = engine.frame(), all = { minX: -1, minY: -1, maxX: 1, maxY: 1 };
    assert.deepEqual(asTexts(frame.pairs().array), ["0 1"]);
    assert.deepEqual(frame.height(1), { minZ: 1, maxZ: 2.5 });
    assert.equal(frame.count(all, { minZ: 2, maxZ: 3 }), 2);
    const two = { boxes: new Float32Array([-1, -1, 1, 1, -1, -1, 1, 1]) };
    assert.deepEqual(Array.from(frame.countOf(two, { eachBand: new Float32Array([0, 1, 4, 9]) })), [2, 1]);
    assert.throws(() => engine.update({ x, y, minZ, maxZ: new Float32Array(3) }), { code: "INVERTED", argument: "HEIGHTS", index: 1 });
    assert.throws(() => frame.countOf({ x, y, minZ }), /no option minZ/);
});

test("casts along a slope", () => {
    const engine = new Engine();
    engine.update({ x: new Float32Array([4, 8]), y: new Float32Array(2), radius: 0.5, minZ: new Float32Array(2), height: 1 });
    const frame = engine.frame(), cast = { x: 0, y: 0, dx: 10, dy: 0 }, casts = new Float32Array([0, 0, 0, 0, 10, 0, 0]);
    const from = (z, rise) => ({ castHeights: new Float32Array([z, z, rise]) });
    assert.equal(frame.firstHit(cast, from(2, -1.25)).id, 1);
    assert.equal(frame.firstHits(casts, from(2, -1.25)).id[0], 1);
    assert.equal(frame.firstHit(cast, from(2, -3)).id, 0);
    assert.equal(frame.blocked(cast, from(2, 0)), false);
    assert.throws(() => frame.blocked(cast, from(NaN, 0)), { code: "NOT_FINITE" });
});

test("does without an engine", () => {
    const world = made[0], boxes = { x: world.x, y: world.y, radius: world.radius };
    const hits = arrays.overlapsOf(boxes, { boxes: new Float32Array([9, 9, 12, 12]) });
    assert.deepEqual(Array.from(hits.list(0)), inside(world, { minX: 9, minY: 9, maxX: 12, maxY: 12 }));
});

test("takes doubles with an origin", () => {
    const engine = new Engine();
    engine.update({ x: new Float64Array([1e9, 1e9 + 1.5, 1e9 + 9]), y: new Float64Array([0, 0, 0]), radius: 1, originX: 1e9 });
    assert.deepEqual(asTexts(engine.frame().pairs().array), ["0 1"]);
});

test("names the element at fault, and has changed nothing", () => {
    const engine = new Engine(), x = new Float32Array([1, 2, NaN]), y = new Float32Array(3);
    engine.update(new Float32Array([1]), new Float32Array([1]), 1);
    const before = engine.frame().fingerprint;
    assert.throws(() => engine.update(x, y, 1), (error) => {
        assert.ok(error instanceof ThrongError && error instanceof Error);
        assert.deepEqual([error.code, error.argument, error.index], ["NOT_FINITE", "BOXES", 2]);
        assert.match(error.message, /NaN.*index 2/);
        return true;
    });
    assert.equal(engine.frame().fingerprint, before);
    assert.throws(() => engine.frame().box(5), { code: "UNKNOWN_ID", index: -1 });
    assert.throws(() => engine.update(new Float32Array(2), new Float32Array(3), 1), { code: "SIZE_MISMATCH" });
    assert.throws(() => engine.frame().neighbours({ radius: -1 }), { code: "INVERTED", argument: "OPTIONS" });
    assert.deepEqual(engine.updateLegal({ x, y, radius: 1 }).length, 1);
});

test("says what was wanted instead of a wrong type", () => {
    const engine = new Engine(), floats = new Float32Array(2);
    for (const [call, words] of [
        [() => engine.update([1, 2], floats, 1), /boxes must be an object/],
        [() => engine.update({ x: [1, 2], y: floats }), /x must be a Float32Array or a Float64Array, and is Array/],
        [() => engine.update(floats, new Float64Array(2), 1), /y must be a Float32Array, and is Float64Array/],
        [() => engine.update(floats, floats, "1"), /radius must be a number, and is string/],
        [() => engine.remove([1]), /ids must be a Uint32Array, and is Array/],
        [() => engine.frame().count({ minX: 0 }), /minY must be a number, and is undefined/],
        [() => engine.frame().pairs({ within: 1, agents: "boxes" }), /no option agents. There are: a, b, otherGroupsOnly/],
        [() => engine.frame().neighbours({ radius: 1, agentsAs: "dots" }), /one of boxes, centres, circles, and is dots/],
        [() => engine.frame().firstHits(new Float32Array(8)), /7 numbers for each element/],
        [() => engine.frame().overlapsShape({ kind: "star" }), /one of box, circle, segment, polygon, and is star/],
        [() => engine.setStaticLayer({}), /must be a StaticLayer/],
        [() => engine.frame().pairs({}, engine), /must be a Pairs, and is Engine/],
    ])
        assert.throws(call, (error) => error instanceof TypeError && words.test(error.message), String(call));
});

test("shows answers again after the memory has grown", () => {
    const world = made[0], frame = frameOf(world), pairs = frame.pairs();
    const view = pairs.array, copy = view.slice();
    assert.equal(pairs.array, view);  // the same object, as long as it shows the same
    const many = 400_000, large = new Engine();
    large.update(new Float32Array(many).map((_, i) => i), new Float32Array(many), 0.4);
    assert.equal(view.length, 0);  // the buffer that it was of is gone
    assert.deepEqual(pairs.array, copy);
    // What lies in the module's memory is not copied there once more.
    assert.equal(frame.boxes(frame.overlapsOf({ boxes: new Float32Array([0, 0, 9, 9]) }).ids).length % 4, 0);
});

test("writes answers into the host's arrays", () => {
    const world = made[0], frame = frameOf(world), own = new Uint32Array(world.count);
    assert.equal(frame.rowOrder(own), own);
    assert.deepEqual(sorted(own), Array.from(own.keys()));
    assert.throws(() => frame.rowOrder(new Uint32Array(3)), RangeError);
    assert.throws(() => frame.rowOrder(new Float32Array(world.count)), TypeError);
});

test("frees what is freed, disposed of or forgotten", async () => {
    const engine = new Engine(), frame = engine.frame(), size = frame.size;
    engine.free();
    engine.free();
    assert.equal(frame.size, size);  // lives on
    assert.throws(() => engine.frame(), /this Engine was freed/);
    frame[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
    assert.throws(() => frame.size, /this Frame was freed/);
    // Would fill the 4 GB that there can be, if none were given back.
    const n = 200_000, x = new Float32Array(n), y = new Float32Array(n).map((_, i) => i);
    for (let k = 0; k < 300; ++k) {
        new Engine().update(x, y, 0.1);
        if (k % 10 === 9) {
            globalThis.gc();
            await new Promise((done) => setImmediate(done));
        }
    }
});

test("makes no array in a settled loop", () => {
    const world = made[0], engine = new Engine(), pairs = new Pairs(), changes = new PairChanges();
    let frame, sum = 0;
    const visit = (a, b) => { sum += a + b; };
    const step = (k) => {
        world.x[k % world.count] += 0.01;
        engine.update(world.x, world.y, world.radius);
        frame = engine.frame(frame);
        frame.pairs(undefined, pairs).forEach(visit);
        frame.pairChanges(undefined, changes);
    };
    for (let k = 0; k < 100; ++k) step(k);
    const kinds = [Uint8Array, Uint32Array, Float32Array, Float64Array, ArrayBuffer], own = kinds.map((kind) => globalThis[kind.name]);
    let count = 0;
    kinds.forEach((kind) => {
        globalThis[kind.name] = new Proxy(kind, { construct(target, given) { ++count; return new target(...given); } });
    });
    for (const name of ["slice", "subarray"])
        for (const kind of kinds.slice(0, 4)) {
            const old = kind.prototype[name];
            kind.prototype[name] = function (...given) { ++count; return old.apply(this, given); };
        }
    const memory = engine.memory().allocations;
    for (let k = 0; k < 100; ++k) step(k);
    assert.equal(count, 0);
    assert.equal(engine.memory().allocations, memory);
    kinds.forEach((kind, k) => { globalThis[kind.name] = own[k]; });
    assert.ok(sum > 0);
});

test("says so where there is no memory", () => {
    const engine = new Engine();
    engine.update(new Float32Array([1]), new Float32Array([1]), 1);
    assert.throws(() => engine.reserve(16_000_000_000, 0), (error) => error instanceof ThrongError);
    assert.throws(() => engine.reserve(16_000_000, 16_000_000), { code: "OUT_OF_MEMORY" });
    assert.equal(engine.frame().size, 1);
    // A count for each id up to the largest that there may be is 2^32 bytes, which are none in 32 bits.
    engine.updateByIds(new Uint32Array([2 ** 30 - 1]), { x: new Float32Array(1), y: new Float32Array(1), radius: 1 });
    assert.throws(() => engine.frame().countNeighbours({ radius: 1 }), { code: "OUT_OF_MEMORY" });
    engine.update(new Float32Array(100_000), new Float32Array(100_000).map((_, i) => i), 0.1);
    assert.equal(engine.frame().countPairs(), 0);
});
