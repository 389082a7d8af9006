// Asks what bindings/c/tests/answers.c asks, in the same world, and prints the same lines: of the module in the package they have
// to be those of the library on this machine.
//
//     node answers.mjs PROGRAM simd|plain      compares with what PROGRAM prints
import { execFileSync } from "node:child_process";
import { Engine, load } from "throng";
import { numbers } from "./worlds.mjs";

const [program, kind] = process.argv.slice(2);
await load({ simd: kind === "simd" });

const agents = 5000, queries = 500, real = numbers(1), any = (most) => Math.fround(real(most));
// In the order in which C asks for them.
const anyBox = (side) => {
    const x = any(300), y = any(200);
    return [x, y, Math.fround(x + any(side)), Math.fround(y + any(side))];
};
const world = new Float32Array(4 * agents), asked = new Float32Array(4 * queries), casts = new Float32Array(7 * queries);
for (let i = 0; i < agents; ++i) world.set(anyBox(i % 100 === 0 ? 90 : 4), 4 * i);
for (let i = 0; i < queries; ++i) {
    asked.set(anyBox(20), 4 * i);
    const x = any(300), y = any(200);
    casts.set([x, y, x, y, any(100) - 50, any(100) - 50, i % 2 === 0 ? 0 : any(2)], 7 * i);
}

const lines = [];
function checksum(what, array, count, bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)) {
    let hash = 14695981039346656037n;
    for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 1099511628211n);
    lines.push(`${what}: ${count}, ${hash.toString(16).padStart(16, "0")}`);
}
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

const engine = new Engine();
engine.update({ boxes: world });
const frame = engine.frame();
const hits = frame.overlapsOf({ boxes: asked });
checksum("overlaps", hits.ids, hits.ids.length);
checksum("counts", frame.countOf({ boxes: asked }), queries);
const pairs = frame.pairs();
checksum("pairs", pairs.array, pairs.size);
for (const [name, wanted] of [["within", { radius: 7 }], ["nearest", { count: 8 }]]) {
    const lists = frame.neighbours({ ...wanted, distances: true });
    checksum(name, lists.ids, lists.ids.length);
    checksum("their distances", lists.squaredDistances, lists.squaredDistances.length);
}
checksum("first hits", hitsAsInC(frame.firstHits(casts)), queries);
const all = frame.allHitsOf(casts);
checksum("all hits", hitsAsInC(all.array), all.array.id.length);

const expected = execFileSync(program, { encoding: "utf8" }).trim().split("\n");
let differ = Math.abs(expected.length - lines.length);
lines.forEach((line, k) => {
    const same = line === expected[k];
    console.log(same ? line : `${line}, and on this machine ${expected[k]}`);
    differ += same ? 0 : 1;
});
console.log(`${engine.isa}: ${lines.length - differ} of ${expected.length} are the same`);
process.exit(differ === 0 ? 0 : 1);
