// What is refused in words of JavaScript, before the module hears of it.
import assert from "node:assert/strict";
import test from "node:test";
import { arrays, Engine, Frame, Hits, load, PairChanges, Pairs, StaticLayer } from "throng2d";

const { memory } = await load();
const floats = (...values) => Float32Array.from(values), words = (...values) => Uint32Array.from(values);
const x = floats(0, 1, 50, 51), y = floats(0, 0, 50, 50);
function framed() {
    const engine = new Engine();
    engine.update(x, y, 1);
    return engine.frame();
}
const refuses = (call, text) => assert.throws(call, (error) => error instanceof TypeError && text.test(error.message), String(call));

test("refuses a member that none has, wherever it is given", async () => {
    const engine = new Engine(), frame = framed(), box = { minX: 0, minY: 0, maxX: 9, maxY: 9 };
    for (const call of [
        () => engine.update({ x, y, mine: 2 }),
        () => engine.update({ x, y, halfX: x, halfY: y, mine: 2 }),
        () => engine.update({ minX: x, minY: y, maxX: x, maxY: y, mine: 0 }),
        () => engine.update({ boxes: floats(0, 0, 1, 1), mine: 1 }),
        () => engine.update({ x, y }, { mine: words(1, 2, 3, 4) }),
        () => frame.count({ ...box, mine: 1 }),
        () => frame.countOf({ circles: floats(0, 0, 1), mine: "centres" }),
        () => frame.countOf({ shapes: [], mine: 1 }),
        () => frame.countShape({ kind: "circle", x: 0, y: 0, radius: 1, mine: "centres" }),
        () => frame.countShape({ kind: "polygon", corners: floats(0, 0, 1, 0, 1, 1), mine: 1 }),
        () => frame.firstHit({ x: -9, y: 4, dx: 50, dy: 0, mine: 3 }),
        () => frame.blocked({ ...box, dx: 50, dy: 0, mine: 3 }),
        () => frame.neighbours({ radius: 1, points: { x, y, mine: 1 } }),
        () => frame.neighbours({ radius: 1, mine: 1 }),
        () => new Engine({ mine: 1 }),
    ])
        refuses(call, /no option mine. There are: /);
    await assert.rejects(load({ mine: 1 }), /no option mine. There are: /);
    await assert.rejects(load(null), TypeError);
    refuses(() => engine.update({ x, y, halfX: x, halfY: y, radius: 2 }), /no option radius/);
    assert.equal(frame.count({ ...box, mine: undefined }), 2);
});

test("refuses numbers that are no ids and no counts, which would become those of others", () => {
    const engine = new Engine(), frame = framed();
    for (const id of [NaN, 1.7, -0.5, -1, 2 ** 32, Infinity, true, "1", undefined])
        for (const call of [() => frame.box(id), () => frame.label(id), () => frame.isGhost(id)]) refuses(call, /id must be a whole number/);
    refuses(() => frame.neighbours({ count: 2.9 }), /count must be a whole number/);
    refuses(() => engine.update({ x, y, radius: 1, ghosts: 1.5 }), /ghosts must be a whole number/);
    refuses(() => frame.count({ minX: 0, minY: 0, maxX: 1, maxY: 1 }, { self: -1 }), /self must be a whole number/);
    refuses(() => engine.reserve(1.5, 0), /agents must be a whole number/);
    // Masks are what JavaScript's operators make.
    engine.update({ x, y }, { categories: words(1, 2, 0x80000000, 0x80000000) });
    const all = { minX: -99, minY: -99, maxX: 99, maxY: 99 }, masks = { [~0]: 4, [1 << 31]: 2, [0x80000001]: 3 };
    for (const [categories, count] of Object.entries(masks)) assert.equal(engine.frame().count(all, { categories: Number(categories) }), count);
    refuses(() => engine.frame().count(all, { categories: 0.5 }), /mask of 32 bits/);
});

test("refuses a list that is not there", () => {
    const lists = framed().neighbours({ radius: 3 });
    assert.deepEqual([...lists.list(3)], [2]);
    for (const k of [4, 5, 99, -1, 0.5, NaN, undefined, "1"])
        assert.throws(() => lists.list(k), (error) => error instanceof RangeError && /there are 4/.test(error.message), String(k));
});

test("refuses an array for answers before anything has changed", () => {
    const engine = new Engine(), boxes = { x, y, radius: 1 };
    assert.throws(() => engine.insert(boxes, undefined, words(0, 0, 0)), (error) => error instanceof RangeError && /has 3 of 4 elements/.test(error.message));
    refuses(() => engine.insert(boxes, undefined, [0, 0, 0, 0]), /the array for answers must be a Uint32Array, and is Array/);
    assert.equal(engine.staged, 0);
    assert.deepEqual([...engine.insert(boxes, undefined, words(9, 9, 9, 9, 9))], [0, 1, 2, 3, 9]);
});

test("refuses the upper ends of heights without their lower ends", () => {
    const engine = new Engine();
    for (const given of [{ maxZ: floats(1, 1, 1, 1) }, { height: 2 }])
        refuses(() => engine.update({ x, y, radius: 1, ...given }), /minZ must be a Float32Array, and is undefined/);
});

test("says which object was freed", () => {
    const engine = new Engine(), frame = framed(), pairs = frame.pairs(), hits = new Hits(), layer = new StaticLayer({ x, y });
    for (const each of [engine, frame, pairs, hits, layer]) each.free();
    for (const call of [() => pairs.size, () => pairs.array, () => pairs.forEach(() => {}), () => framed().pairs({}, pairs)]) refuses(call, /this Pairs was freed/);
    for (const call of [() => frame.size, () => frame.fingerprint, () => frame.isGhost(0), () => frame.pairs(), () => framed().pairsWith(frame)])
        refuses(call, /this Frame was freed/);
    for (const call of [() => engine.size, () => engine.isa, () => engine.update(x, y, 1), () => new Hits(engine)]) refuses(call, /this Engine was freed/);
    refuses(() => hits.list(0), /this Hits was freed/);
    refuses(() => new Engine().setStaticLayer(layer), /this StaticLayer was freed/);
    refuses(() => new Engine().frame(frame), /this Frame was freed/);
    pairs.free();
});

test("takes no result, number or frame for options", () => {
    const frame = framed(), pairs = new Pairs(), wanted = /must be an object/;
    for (const given of [pairs, new PairChanges(), frame, 5, "no", true])
        for (const call of [() => frame.pairs(given), () => frame.count({ minX: 0, minY: 0, maxX: 1, maxY: 1 }, given), () => new Engine(given)])
            refuses(call, wanted);
    refuses(() => new Engine().update({ x, y }, pairs), wanted);
    refuses(() => frame.neighboursWithin(pairs), wanted);
});

test("says what a call cannot be asked", () => {
    const frame = framed(), circles = floats(0, 0, 1);
    refuses(() => frame.neighbours({ radius: 2, count: 8 }), /within a radius, or so many nearest/);
    refuses(() => frame.neighbours({}), /within a radius, or so many nearest/);
    refuses(() => arrays.overlapsOf({ x, y, radius: 1 }, { circles }), /queries must be an object: .* or { boxes }, and/);
    refuses(() => new Engine().update({ circles }), /boxes must be an object: .* or { boxes }, and/);
    assert.throws(() => frame.count({ minX: -Infinity, minY: 0, maxX: 1, maxY: 1 }), { code: "NOT_FINITE" });
});

test("makes no object of a number, and no result of a frame", () => {
    refuses(() => new StaticLayer(4096), /boxes must be an object/);
    refuses(() => new Frame(4096), /a Frame comes from a call/);
    refuses(() => new Hits(framed()), /engine must be an Engine/);
});

test("refuses a view of memory that has grown", () => {
    const frame = framed(), pairs = frame.pairs(), view = pairs.array, many = 400_000;
    const distances = frame.neighbours({ radius: 3, distances: true }).squaredDistances;
    new Engine().update(new Float32Array(many).map((_, i) => i), new Float32Array(many), 0.4);
    assert.deepEqual([view.length, distances.length], [0, 0]);
    refuses(() => frame.boxes(view), /ids is a view of memory that has grown/);
    refuses(() => new Engine().update(distances, distances, 1), /x is a view of memory that has grown/);
    refuses(() => frame.countOf({ circles: distances }), /circles is a view of memory that has grown/);
    assert.equal(frame.boxes(pairs.array).length, 16);
    assert.equal(frame.boxes(words()).length, 0);
});

test("a layer that is moved into another frees what that held", () => {
    const many = new Float32Array(20_000), layer = new StaticLayer({ x: many, y: many.map((_, i) => i), radius: 1 }), other = layer.rebased(1, 1);
    for (let k = 0; k < 5; ++k) assert.equal(layer.rebased(k, 0, other), other);
    const before = memory.buffer.byteLength;
    for (let k = 0; k < 100; ++k) layer.rebased(k, 0, other);
    assert.ok(memory.buffer.byteLength - before < 4e6, `${memory.buffer.byteLength - before}`);  // each has 320 kB
    assert.equal(other.frame().box(0).minX, -100);
    assert.throws(() => layer.rebased(NaN, 0, other), { code: "NOT_FINITE" });
    assert.equal(other.frame().box(0).minX, -100);
});
