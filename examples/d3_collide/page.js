// Both simulations beside each other. #5000 in the address takes as many nodes. They are drawn as squares: at 20,000 each has two pixels.
import { ready } from "throng2d";
import { FORCES, median, nodesOf, overlap, simulationOf } from "./nodes.js";

const count = Number(location.hash.slice(1)) || 20_000;

function draw(context, nodes) {
    const { width } = context.canvas, scale = width / (5.6 * Math.sqrt(count));
    context.clearRect(0, 0, width, width);
    context.fillStyle = "#6b8cb8";
    for (const { x, y, r } of nodes) {
        const size = Math.max(r * scale, 0.5);
        context.fillRect(width / 2 + x * scale - size, width / 2 + y * scale - size, 2 * size, 2 * size);
    }
}

await ready;
const sides = Object.keys(FORCES).map((name) => {
    const figure = document.createElement("figure"), canvas = document.createElement("canvas"), caption = document.createElement("figcaption");
    canvas.width = canvas.height = 720;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `Nodes by the forceCollide of ${name}`);
    figure.append(canvas, caption);
    document.getElementById("both").append(figure);
    return { name, caption, context: canvas.getContext("2d"), simulation: simulationOf(name, nodesOf(count)), spent: 0, ticks: 0 };
});

let frames = 0;
function run() {
    // Whoever has spent less time is next, so that both have as much of it.
    const side = sides[0].spent <= sides[1].spent ? sides[0] : sides[1], begin = performance.now();
    side.simulation.tick();
    side.spent += performance.now() - begin;
    ++side.ticks;
    draw(side.context, side.simulation.nodes);
    if (frames++ % 4 === 0) tell();
    requestAnimationFrame(run);
}
function tell() {
    const times = sides.map(({ name, caption, simulation, ticks }) => {
        const took = simulation.took.length === 0 ? NaN : median(simulation.took.slice(-60));
        caption.textContent = `${name}: ${ticks.toLocaleString("en")} ticks, ${took.toFixed(1)} ms of each; `
            + `overlap ${(overlap(simulation.nodes) / count).toFixed(4)} for each node`;
        return took;
    });
    const ratio = times[0] / times[1];
    if (Number.isFinite(ratio)) document.getElementById("ratio").textContent = `${ratio.toFixed(1)} times as fast`;
    // For the test, and for whoever asks from the console.
    globalThis.example = { ratio, ticks: sides.map(({ ticks }) => ticks) };
}
run();
