// Asks what bindings/c/tests/answers.c asks, in the same worlds, and comes to the same lines: of the module in the package they have
// to be those of the library on this machine, in node and in Chromium.
import { numbers } from "./worlds.mjs";

const agents = 5000, queries = 500, edits = 450, f = Math.fround;

/** As C has them: an id, a fraction, and whether it is static. */
function hitsAsInC({ id, fraction, isStatic }) {
    const words = new Uint32Array(3 * id.length), floats = new Float32Array(words.buffer);
    for (let k = 0; k < id.length; ++k) {
        words[3 * k] = id[k];
        floats[3 * k + 1] = fraction[k];
        words[3 * k + 2] = isStatic[k];
    }
    return words;
}

/** What is asked, with numbers in the order in which C makes them. */
class Asked {
    constructor() {
        const real = numbers(1);
        this.any = (most) => f(real(most));
        this.boxes = new Float32Array(4 * queries);
        this.casts = new Float32Array(7 * queries);
        this.circles = new Float32Array(3 * queries);
        this.points = { x: new Float32Array(queries), y: new Float32Array(queries) };
        this.ids = Uint32Array.from({ length: edits }, (_, i) => 10 * i);
        this.shapes = [];
        const { any } = this;
        for (let i = 0; i < queries; ++i) {
            this.boxes.set(this.anyBox(20), 4 * i);
            const x = any(300), y = any(200);
            this.casts.set([x, y, x, y, any(100) - 50, any(100) - 50, i % 2 === 0 ? 0 : any(2)], 7 * i);
            this.points.x[i] = any(300);
            this.points.y[i] = any(200);
            this.circles.set([any(300), any(200), any(10)], 3 * i);
            const fromX = any(300), fromY = any(200), toX = f(fromX + any(30)), toY = f(fromY + any(30)), radius = any(3);
            this.shapes.push(i % 2 === 0 ? { kind: "polygon", corners: Float32Array.of(fromX, fromY, toX, fromY, fromX, toY) }
                : { kind: "segment", x: fromX, y: fromY, toX, toY, radius });
        }
    }
    anyBox(side) {
        const x = this.any(300), y = this.any(200);
        return [x, y, f(x + this.any(side)), f(y + this.any(side))];
    }
    update(engine, kind) {
        const { any } = this, count = kind === "few" ? 12 : agents, boxes = new Float32Array(4 * count);
        const of = Uint32Array.from({ length: count }, (_, i) => Math.floor(i / 12));
        for (let i = 0; i < count; ++i) {
            boxes.set(this.anyBox(i % 100 === 0 ? 90 : 4), 4 * i);
            if (kind !== "crowded" && kind !== "octaves") continue;
            const spot = kind === "octaves" || i % 16 === 0 ? 0 : i % 20;
            const side = kind === "octaves" ? 64 * 2 ** (i % 24) : spot === 0 ? 0.25 : 8;
            const x = f(spot % 4 * 1000 + any(side)), y = f(Math.floor(spot / 4) * 1000 + any(side));
            boxes.set([x, y, f(x + any(side / 32)), f(y + any(side / 32))], 4 * i);
        }
        this.world = boxes;
        engine.update({ boxes }, { categories: of.map((k) => 1 << k % 3), groups: of.map((k) => k % 5) });
        return engine.frame();
    }
}

/** The lines that C prints, of this package. */
export function answers({ arrays, Engine, KeptNeighbours, PairChanges }) {
    const lines = [], asked = new Asked();
    function checksum(what, array, count = array.length) {
        let high = 0xcbf29ce4, low = 0x84222325;
        for (const byte of new Uint8Array(array.buffer, array.byteOffset, array.byteLength)) {
            low = (low ^ byte) >>> 0;
            const product = low * 0x1b3;
            high = (high * 0x1b3 + low * 256 + Math.floor(product / 2 ** 32)) % 2 ** 32;
            low = product % 2 ** 32;
        }
        lines.push(`${what}: ${count}, ${[high, low].map((half) => half.toString(16).padStart(8, "0")).join("")}`);
    }
    const pairsSum = (what, array) => checksum(what, array, array.length / 2);
    function askOne(frame) {
        for (let k = 0; k < 3; ++k) {
            const [minX, minY, maxX, maxY] = asked.boxes.subarray(4 * k), box = { minX, minY, maxX, maxY };
            checksum("in a box", frame.overlaps(box));
            checksum(frame.any(box) ? "some" : "none", new Uint8Array(0), frame.count(box));
            const { id, squaredDistance } = frame.neighboursNearestAt(asked.points.x[k], asked.points.y[k], { count: 8 });
            const both = new Uint32Array(2 * id.length), floats = new Float32Array(both.buffer);
            id.forEach((each, j) => { both[2 * j] = each; floats[2 * j + 1] = squaredDistance[j]; });
            checksum("near a point", both, id.length);
        }
    }
    function ask(frame, wraps) {
        const { boxes, casts, circles, shapes, points, world } = asked, filter = { categories: 3, notInGroup: 2 };
        for (const of of [boxes, world]) {
            checksum("overlaps", frame.overlapsOf({ boxes: of }).ids);
            checksum("counts", frame.countOf({ boxes: of }));
            checksum("any", frame.anyOf({ boxes: of }));
        }
        const pairs = frame.pairs();
        pairsSum("pairs", pairs.array);
        pairsSum("pairs with itself", (wraps ? pairs : frame.pairsWith(frame)).array);
        askOne(frame);
        for (let of = 1; of <= queries; of += 249) {
            const few = { boxes: boxes.subarray(0, 4 * of) };
            checksum("of arrays", arrays.overlapsOf({ boxes: world }, few).ids);
            checksum("counts of arrays", arrays.countOf({ boxes: world }, few));
        }
        for (const [name, wanted] of [["within", { radius: 7 }], ["nearest", { count: 8 }]]) {
            const lists = frame.neighbours({ ...wanted, distances: true });
            checksum(name, lists.ids);
            checksum("their distances", lists.squaredDistances);
        }
        checksum("first hits", hitsAsInC(frame.firstHits(casts)), queries);
        const all = hitsAsInC(frame.allHitsOf(casts).array);
        checksum("all hits", all, all.length / 3);
        checksum("in circles", frame.overlapsOf({ circles, agentsAs: "circles" }).ids);
        checksum("in shapes", frame.overlapsOf({ shapes }).ids);
        checksum("their counts", frame.countOf({ shapes }));
        checksum("any", frame.anyOf({ shapes }));
        pairsSum("near pairs", frame.pairs({ within: 2, agentsAs: "circles" }).array);
        pairsSum("circles that touch", frame.pairs({ agentsAs: "circles" }).array);
        pairsSum("filtered pairs", frame.pairs({ a: 1, b: 6, otherGroupsOnly: true }).array);
        checksum("filtered", frame.overlapsOf({ boxes }, filter).ids);
        checksum("blocked", frame.blockedOf(casts, filter));
        checksum("of points", frame.neighbours({ radius: 5, points }).ids);
        checksum("how many", frame.countNeighbours({ radius: 5 }));
        checksum("half lists", frame.neighbours({ radius: 1, half: true }).ids);
        checksum("nearest of points", frame.neighbours({ count: 5, points }).ids);
    }
    function askEdited(engine) {
        const kept = new KeptNeighbours({ radius: 3, skin: 2 }), changes = new PairChanges(), { world } = asked;
        for (let k = 0; k < 4; ++k) {
            const moved = world.length < 4 * agents ? 1 : k === 1 ? 60 : edits;
            if (k % 2 === 0) {
                engine.update({ boxes: world });
            } else {
                engine.move(asked.ids.subarray(0, moved), { boxes: asked.boxes.subarray(0, 4 * moved) });
                engine.commit();
            }
            const frame = engine.frame();
            checksum("kept", frame.neighboursKept(kept).ids);
            frame.pairChanges(undefined, changes);
            pairsSum("began", changes.began);
            pairsSum("ended", changes.ended);
        }
    }
    for (const config of [{}, { periodX: 320, periodY: 240 }])
        for (const kind of ["plain", "crowded", "octaves", "few"]) {
            const wraps = config.periodX !== undefined;
            if (wraps && kind !== "plain") continue;
            const engine = new Engine(config), frame = asked.update(engine, kind);
            ask(frame, wraps);
            askEdited(engine);
        }
    return lines;
}
