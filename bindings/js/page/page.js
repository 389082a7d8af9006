// The page: it loads the module, lets the agents move, and asks what the mouse asks.
import { Engine, load, moduleBytes, Pairs } from "./throng.mjs";
import { Answerer, ANSWERERS } from "./answerers.js";
import { ask, TOOLS } from "./ask.js";
import { Chart, PARTS } from "./chart.js";
import { drawOver, overContext, painter } from "./draw.js";
import { LINES, Structure } from "./structures.js";
import { FINGERPRINTS } from "./fingerprints.js";
import { Gestures } from "./gestures.js";
import { Agents, MOST, SCENARIOS as MOVED } from "./motion.js";
import { TOWN } from "./town.js";

const $ = (id) => document.getElementById(id);
const began = performance.now();

// --- The address, which holds all of it ---

const SCENARIOS = ["town", ...MOVED], COLOURS = ["touching", "heading"], MOST_SEED = 2 ** 32 - 1, FASTEST = 4;
const DEFAULTS = { scenario: "crowd", count: 20_000, seed: 1, tool: "box", speed: 1, colour: "touching", lines: "none", pause: 0, draw: "webgl", simd: "auto" };
// What the page opens with, unless the address says something.
const OPENING = { scenario: "town", tool: "circle", colour: "heading" };
const within = (value, least, most) => Math.min(Math.max(value, least), most);
function readAddress() {
    const given = new URLSearchParams(location.hash.slice(1)), state = { ...DEFAULTS, ...location.hash.length > 1 ? {} : OPENING };
    for (const [key, value] of given)
        if (key in state) state[key] = typeof DEFAULTS[key] === "number" ? Number(value) || 0 : value;
    if (!SCENARIOS.includes(state.scenario)) state.scenario = DEFAULTS.scenario;
    if (!TOOLS.includes(state.tool)) state.tool = DEFAULTS.tool;
    if (!LINES.includes(state.lines)) state.lines = DEFAULTS.lines;
    if (!COLOURS.includes(state.colour)) state.colour = DEFAULTS.colour;
    state.count = within(Math.floor(state.count), 1, MOST);
    state.seed = within(Math.floor(state.seed), 0, MOST_SEED);
    state.speed = within(state.speed, 0, FASTEST);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches && !given.has("pause")) state.pause = 1;
    return state;
}
const state = readAddress();
function writeAddress() {
    const said = Object.entries(state).filter(([key, value]) => value !== DEFAULTS[key]);
    history.replaceState(null, "", "#" + new URLSearchParams(said));
}

// --- What is missing, in a sentence each ---

function say(text) {
    const item = document.createElement("li");
    item.textContent = text;
    $("missing").append(item);
    return item;
}

// --- The world ---

const agents = new Agents(), answerer = new Answerer(), chart = new Chart($("chart"));
let engine, pairs, frame, picture, painted, structure, marks = new Uint8Array(0);
agents.scenes = { town: TOWN };
// Until somebody asks, a circle goes round by itself.
let isShowing = location.hash.length < 2, gestures;
let asked = null, answer = null, number = 0, fingerprint = null, isPouring = false;
const view = { x: 0, y: 0, scale: 1, byHeading: false };

function begin() {
    engine?.free();
    engine = new Engine();
    frame?.free();
    frame = undefined;
    agents.fill(state.scenario, state.count, state.seed);
    if (marks.length < agents.room) marks = new Uint8Array(agents.room);
    structure.choose(state.lines);
    number = 0;
    answer = asked = null;
    gestures.reset();
    fingerprint = null;
    chart.frames = 0;
    $("fingerprint").textContent = "The fingerprint of frame 100 follows.";
    step();
    draw();
}

const CIRCLES = { agentsAs: "circles" };
let motionTook = 0, updateTook = 0, pairsTook = 0;
function step() {
    const start = performance.now();
    agents.move(state.speed);
    const moved = performance.now();
    engine.update(agents.boxes());
    frame = engine.frame(frame);
    const updated = performance.now();
    // Those at the crossing avoid each other as circles.
    frame.pairs(agents.isCrossing ? CIRCLES : undefined, pairs).forEach(agents.bounce);
    pairsTook = performance.now() - updated;
    updateTook = updated - moved;
    motionTook = moved - start;
    structure.update(frame, agents);
    if (++number === 100) tellFingerprint();
    if (isPouring && asked !== null) pour();
    if (isShowing) goRound();
}
function pour() {
    agents.pour(asked.toX, asked.toY, 100);
    if (marks.length < agents.room) marks = new Uint8Array(agents.room);
    $("count").value = agents.count;
}

function tellFingerprint() {
    fingerprint = frame.fingerprint;
    const text = `Frame 100 has the fingerprint ${fingerprint} and ${pairs.size} pairs`;
    const expected = state.speed === 1 ? FINGERPRINTS[`${state.scenario} ${state.count} ${state.seed}`] : undefined;
    const is = expected === undefined ? "that of another scene than the native build was asked about"
        : expected === `${fingerprint} ${pairs.size}` ? "the same as the native build's" : `the native build's is ${expected}`;
    $("fingerprint").textContent = `${text}: ${is}.`;
}

function goRound() {
    const half = agents.side / 2, reach = Math.min(half, 90) / 4, turn = number / 90;
    const wide = Math.min(half, $("picture").width / view.scale / 2) * 0.6, tall = Math.min(half, $("picture").height / view.scale / 2) * 0.6;
    const x = Math.fround(view.x + wide * Math.sin(turn)), y = Math.fround(view.y + tall * Math.sin(1.6 * turn));
    asked = { kind: "circle", x, y, toX: Math.fround(x + reach), toY: y };
    look(false);
}

/** What is asked is answered in every frame, shown four times a second, and told to a screen reader once. */
function look(isSaid, isTold) {
    if (asked === null || asked.kind === "pour" || state.tool === "pour") return;
    const found = ask(frame, asked);
    answer = { ids: Array.from(found.ids), microseconds: found.microseconds, asked: { ...asked } };
    if (!isSaid) return;
    const some = answer.ids.slice(0, 12).join(", ") + (answer.ids.length > 12 ? ", .." : "");
    const what = answer.ids.length === 1 ? "1 agent" : `${answer.ids.length.toLocaleString("en")} agents`;
    $("answer").textContent = `By ${asked.kind}: ${what} in ${answer.microseconds.toFixed(1)} µs${some ? `: ${some}` : ""}`;
    if (isTold) $("told").textContent = `By ${asked.kind}: ${what}`;
}

// --- Frames ---

let lastSaid = 0, lastFrames = 0;
function draw() {
    const start = performance.now();
    const canvas = $("picture"), over = $("over"), ratio = Math.min(devicePixelRatio || 1, 2);
    const width = Math.round(canvas.clientWidth * ratio), height = Math.round(canvas.clientHeight * ratio);
    for (const each of [canvas, over])
        if (each.width !== width || each.height !== height) {
            each.width = width;
            each.height = height;
            each.isEmpty = false;
        }
    view.x = agents.side / 2 + gestures.x;
    view.y = agents.side / 2 + gestures.y;
    // A town is all over the picture; other scenes are in it as a whole.
    const fits = state.scenario === "town" ? Math.max(width / agents.side, height / agents.side, 3 * ratio) : Math.min(width, height) / agents.side * 0.98;
    view.scale = fits * gestures.zoom;
    view.byHeading = state.colour === "heading";
    marks.set(agents.touches.subarray(0, agents.count));
    if (answer !== null) for (const id of answer.ids) marks[id] |= 2;
    picture.draw(agents, marks, view, width, height, answer !== null);
    drawOver(overContext(over), view, width, height, structure.lines(frame), agents.walls, asked);
    return performance.now() - start;
}

function tell(now) {
    if (now - lastSaid < 250) return;
    const drawn = Math.max(chart.frames - lastFrames, 0) * 1000 / (now - lastSaid);
    lastSaid = now;
    lastFrames = chart.frames;
    look(true);
    $("structure").textContent = structure.said(pairs.size, agents.isCrossing);
    const p50 = chart.quantile(0.5), p99 = chart.quantile(0.99);
    $("numbers").textContent = `Frame ${number.toLocaleString("en")}: ${agents.count.toLocaleString("en")} agents, `
        + `${pairs.size.toLocaleString("en")} pairs touch. A frame takes ${p50.toFixed(1)} ms, and 99 of 100 at most ${p99.toFixed(1)}; `
        + `${drawn.toFixed(0)} a second are drawn.`;
    for (const part of PARTS) $(`part-${part}`).textContent = `${part} ${chart.mean(part).toFixed(2)} ms`;
    chart.draw();
    compare(now);
}

/** Twice a second, since some take longer than a frame. */
let lastCompared = 0;
function compare(now) {
    if (now - lastCompared < 500) return;
    if (answerer.answer(agents)) lastCompared = performance.now();
    $("who-said").textContent = answerer.said(pairs.size);
    const times = { Throng: updateTook + pairsTook, [answerer.name]: answerer.name === "Throng" ? updateTook + pairsTook : answerer.took };
    const most = Math.max(...Object.values(times).filter(Number.isFinite), 0.001);
    $("bars").replaceChildren(...Object.entries(times).filter(([, took]) => took !== undefined).map(([name, took]) => {
        const bar = document.createElement("li");
        bar.style.setProperty("--share", `${100 * took / most}%`);
        bar.textContent = `${name}: ${took.toFixed(1)} ms`;
        return bar;
    }));
}

function run(now) {
    if (!state.pause) {
        step();
        chart.add(motionTook, updateTook, pairsTook, draw());
    }
    tell(now);
    requestAnimationFrame(run);
}

// --- Controls ---

function show() {
    for (const id of ["scenario", "count", "seed", "tool", "speed", "colour", "lines"]) $(id).value = state[id];
    $("pause").textContent = state.pause ? "Go on" : "Pause";
    $("step").disabled = !state.pause;
}
function listen() {
    for (const [id, words] of [["scenario", SCENARIOS], ["tool", TOOLS], ["lines", LINES], ["who", ANSWERERS]])
        for (const word of words) $(id).add(new Option(word === "pour" ? "pour agents in" : word, word));
    for (const part of PARTS) {
        const each = document.createElement("span");
        each.className = part;
        each.id = `part-${part}`;
        $("legend").append(each, " ");
    }
    const changed = (isNew) => {
        writeAddress();
        show();
        if (isNew) begin();
        else draw();
    };
    for (const id of ["scenario", "count", "seed"])
        $(id).addEventListener("change", () => {
            state[id] = id === "scenario" ? $(id).value : within(Math.floor(Number($(id).value)) || 0, id === "count" ? 1 : 0, id === "count" ? MOST : MOST_SEED);
            changed(true);
        });
    for (const id of ["tool", "colour", "speed"])
        $(id).addEventListener("change", () => {
            state[id] = id === "speed" ? Number($(id).value) : $(id).value;
            answer = null;
            changed(false);
        });
    $("lines").addEventListener("change", () => {
        state.lines = $("lines").value;
        structure.choose(state.lines);
        structure.update(frame, agents);
        $("structure").textContent = structure.said(pairs.size, agents.isCrossing);
        changed(false);
    });
    $("who").addEventListener("change", () => answerer.choose($("who").value).catch((error) => say(error.message)));
    $("pause").addEventListener("click", () => {
        state.pause = state.pause ? 0 : 1;
        askedToStand?.remove();
        changed(false);
    });
    $("step").addEventListener("click", () => {
        step();
        draw();
    });
    $("again").addEventListener("click", () => changed(true));
    $("controls").addEventListener("submit", (event) => event.preventDefault());
    addEventListener("hashchange", () => {
        Object.assign(state, readAddress());
        isShowing = false;
        show();
        begin();
    });
    addEventListener("resize", () => draw());
}

/** Larger or smaller in its own direction, and never turned over. */
function resize(asked, by) {
    const dx = asked.toX - asked.x, dy = asked.toY - asked.y, length = Math.hypot(dx, dy), least = agents.side / 400;
    const factor = Math.max(length + by, least) / length;
    asked.toX = Math.fround(asked.x + (length === 0 ? least : dx * factor));
    asked.toY = Math.fround(asked.y + (length === 0 ? 0 : dy * factor));
}

function pointAt(event) {
    const box = $("picture").getBoundingClientRect(), ratio = $("picture").width / box.width;
    return [((event.clientX - box.left) * ratio - $("picture").width / 2) / view.scale + view.x,
        ((event.clientY - box.top) * ratio - $("picture").height / 2) / view.scale + view.y].map(Math.fround);
}
function listenToMouse() {
    const scene = $("scene");
    let isDown = false;
    pointAt.middle = () => view;
    gestures = new Gestures(scene, pointAt, () => { if (state.pause) draw(); });
    scene.addEventListener("pointerdown", (event) => {
        if (gestures.isMoving(event)) return void (isDown = isPouring = false);
        isShowing = false;
        const [x, y] = pointAt(event);
        isDown = true;
        isPouring = state.tool === "pour";
        asked = { kind: state.tool, x, y, toX: x, toY: y };
        scene.setPointerCapture(event.pointerId);
    });
    scene.addEventListener("pointermove", (event) => {
        const [x, y] = pointAt(event);
        if (isDown) [asked.toX, asked.toY] = [x, y];
        else if (state.tool === "nearest" && !isShowing) asked = { kind: "nearest", x, y, toX: x, toY: y };
        else return;
        look(false);
        if (state.pause) draw();
    });
    const end = () => {
        if (isDown) look(true, true);
        isDown = isPouring = false;
        if (state.pause) draw();
    };
    scene.addEventListener("pointerup", end);
    scene.addEventListener("pointercancel", end);
    scene.addEventListener("keydown", (event) => {
        const by = agents.side / 40, middle = agents.side / 2;
        const step = { ArrowLeft: [-by, 0], ArrowRight: [by, 0], ArrowUp: [0, -by], ArrowDown: [0, by] }[event.key];
        const grow = { "+": by, "-": -by }[event.key], isPoured = state.tool === "pour";
        if (step === undefined && grow === undefined && event.key !== "Enter") return;
        event.preventDefault();
        isShowing = false;
        asked ??= { kind: state.tool, x: middle, y: middle, toX: middle + 4 * by, toY: middle + 2 * by };
        asked.kind = state.tool;
        for (const name of ["x", "toX"]) asked[name] = Math.fround(asked[name] + (step?.[0] ?? 0));
        for (const name of ["y", "toY"]) asked[name] = Math.fround(asked[name] + (step?.[1] ?? 0));
        if (grow !== undefined) resize(asked, grow);
        if (isPoured && event.key === "Enter") {
            pour();
            $("told").textContent = `Now there are ${agents.count.toLocaleString("en")} agents`;
        }
        look(true, true);
        draw();
    });
}

// --- Begin ---

const vectors = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 23, 1, 21, 0, 253, 12,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 26, 11]);
let askedToStand;
function paint(kind) {
    const canvas = $("picture"), found = painter(canvas, kind, () => {
        say("The browser has taken WebGL away, so the picture is drawn on a canvas until the page is loaded again, with at most 30,000 agents of all.");
        canvas.replaceWith(canvas.cloneNode());
        paint("canvas");
        draw();
    });
    picture = found.painter;
    painted = found.kind;
}
async function main() {
    const simd = state.simd !== "off" && WebAssembly.validate(vectors);
    const packed = new Uint8Array(await (await fetch("throng.packed")).arrayBuffer());
    agents.native = await load({ module: moduleBytes(simd, packed) });
    structure = new Structure(agents.native);
    paint(state.draw);
    if (!simd) say("This browser has no vectors for WebAssembly, or was asked not to use them: frames take about six times as long.");
    if (painted === "canvas") say("There is no WebGL 2 here, so the picture is drawn on a canvas, with at most 30,000 agents of all.");
    if (state.pause) askedToStand = say("Your system asks for less motion, or the address for a pause: press Go on.");
    pairs = new Pairs();
    listen();
    listenToMouse();
    show();
    begin();
    requestAnimationFrame(run);
    // For the tests, and for whoever wants to ask from the console: what the page itself asks. Other calls are not in its module.
    globalThis.page = {
        state, agents, chart, structure, view, startedAfter: performance.now() - began,
        get painter() { return painted; },
        get engine() { return engine; },
        get frame() { return frame; },
        get number() { return number; },
        get fingerprint() { return fingerprint; },
        get pairs() { return pairs; },
        get answer() { return answer; },
        asks(what) {
            asked = what;
            look(true, true);
        },
        step,
        draw,
    };
}
main().catch((error) => {
    say(`It did not start: ${error.message}`);
    for (const each of $("controls").elements) each.disabled = true;
});
