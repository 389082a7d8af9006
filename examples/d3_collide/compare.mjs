// Both simulations in node: how long forceCollide takes of a tick, and how much overlap is left.
//
//     node compare.mjs [NODES] [TICKS]
import { ready } from "throng2d";
import { FORCES, median, nodesOf, overlap, simulationOf } from "./nodes.js";

await ready;
const count = Number(process.argv[2] ?? 20_000), ticks = Number(process.argv[3] ?? 60), found = {};
for (const name of Object.keys(FORCES)) {
    const simulation = simulationOf(name, nodesOf(count));
    for (let k = 0; k < ticks; ++k) simulation.tick();
    found[name] = { milliseconds: median(simulation.took), overlap: overlap(simulation.nodes) / count };
    console.log(`${name}: ${found[name].milliseconds.toFixed(1)} ms of a tick, ${found[name].overlap.toFixed(4)} of overlap for each node`);
}
const [theirs, ours] = Object.values(found);
console.log(`${(theirs.milliseconds / ours.milliseconds).toFixed(1)} times as fast`);
process.exit(ours.overlap <= theirs.overlap * 1.05 ? 0 : 1);
