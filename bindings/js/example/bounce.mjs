// A crowd that bounces off itself and off the walls of its world, drawn as text: bounce.c in JavaScript, which prints the same.
//
//     node bounce.mjs [AGENTS] [FRAMES]
//
// In each frame the agents move, the engine is given all of them, and each pair that touches bounces: the two take on each other's
// movement along the axis on which they overlap least. The last frame is drawn, a digit for each agent in a field.
import { Engine, Pairs, ready } from "throng2d";

const f = Math.fround, side = 100;
const count = Number(process.argv[2] ?? 1000), frames = Number(process.argv[3] ?? 100);
const [x, y, half, vx, vy] = Array.from({ length: 5 }, () => new Float32Array(count));

// Any number from 0 to 1, the same in every run.
let state = 1;
function any() {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return f((state >>> 8) / 16777216);
}

function walk(at, speed, i) {
    at[i] += speed[i];
    if ((at[i] < half[i] && speed[i] < 0) || (at[i] > f(side - half[i]) && speed[i] > 0)) speed[i] = -speed[i];
}

function bounce(a, b) {
    const dx = f(x[b] - x[a]), dy = f(y[b] - y[a]), reach = f(half[a] + half[b]);
    const isAlongX = f(reach - Math.abs(dx)) < f(reach - Math.abs(dy)), v = isAlongX ? vx : vy;
    if (f(f(v[a] - v[b]) * (isAlongX ? dx : dy)) <= 0) return;  // they part already
    [v[a], v[b]] = [v[b], v[a]];
}

// One frame: walk, index, bounce. All objects are kept, so that nothing is allocated.
function step(engine, frame, pairs) {
    for (let i = 0; i < count; ++i) {
        walk(x, vx, i);
        walk(y, vy, i);
    }
    engine.update({ x, y, halfX: half, halfY: half });
    frame = engine.frame(frame);
    frame.pairs({}, pairs).forEach(bounce);
    return frame;
}

function draw(frame) {
    const columns = 64, rows = 24, width = f(side / columns), height = f(side / rows);
    for (let row = 0; row < rows; ++row) {
        let line = "";
        for (let column = 0; column < columns; ++column) {
            const minX = f(column * width), minY = f(row * height);
            const here = frame.count({ minX, minY, maxX: f(minX + width), maxY: f(minY + height) });
            line += here === 0 ? "." : Math.min(here, 9);
        }
        console.log(line);
    }
}

await ready;
for (let i = 0; i < count; ++i) {
    x[i] = side * any();
    y[i] = side * any();
    half[i] = f(f(0.2) + f(f(0.3) * any()));
    vx[i] = any() - 0.5;
    vy[i] = any() - 0.5;
}
const engine = new Engine(), pairs = new Pairs();
let frame, bounces = 0;
for (let k = 0; k < frames; ++k) {
    frame = step(engine, frame, pairs);
    bounces += pairs.size;
}
draw(frame);
console.log(`${count} agents touched ${bounces} times`);
