// Every kind of answer of the installed package beside those of this machine's library, which PROGRAM prints: answers.c's.
//
//     node answers.mjs PROGRAM simd|plain
import { execFileSync } from "node:child_process";
import * as throng from "throng2d";
import { answers } from "./asked.mjs";

const [program, kind] = process.argv.slice(2);
await throng.load({ simd: kind === "simd" });
const lines = answers(throng), expected = execFileSync(program, { encoding: "utf8" }).trim().split("\n");
const differ = [...expected.keys()].filter((k) => lines[k] !== expected[k]);
for (const k of differ) console.log(`${lines[k]}, and on this machine ${expected[k]}`);
console.log(`${new throng.Engine().isa}: ${expected.length - differ.length} of ${expected.length} are the same, of ${lines.length}`);
process.exit(differ.length === 0 && lines.length === expected.length ? 0 : 1);
