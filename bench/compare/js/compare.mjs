#!/usr/bin/env node
// Measures Throng's package for npm beside kdbush, flatbush, rbush, d3-quadtree and a grid by hand.
//
//     node bench/compare/js/compare.mjs --agents 100000 --csv compare.csv
//     node bench/compare/js/compare.mjs --quick
//     node bench/compare/js/compare.mjs --spoil grid --agents 300    fails, since the grid's answers lose one: so the check works
//
// All sides take turns in this process, on the same Float32Arrays. Answers are compared with brute force in worlds of up to 1,000
// agents, and with each other in larger ones. What cannot be had is left out, with a word. The CSV's columns are those of
// bench/compare/README.md.
import { appendFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installed } from "./installed.mjs";
import { D3, DropIn, Flatbush, Grid, KDBush, RBush, Throng } from "./peers.mjs";
import { Answer, World, bruteForce } from "./worlds.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
const FIELDS = ["date", "cpu", "language", "compiler", "world", "agents", "peer", "version", "settings", "threads", "task", "value",
    "unit", "answers", "checked"];
// Each with the share of the time that it may take in a world.
const TASKS = {
    within: 3, "within.coherent": 1, nearest: 2, "nearest.coherent": 1, touching: 2, boxes: 2, "boxes.coherent": 1, few: 2, single: 1,
};
const ORACLE = 1000, MOST_TURNS = 100, note = (text) => console.error(`compare: ${text}`);

function options() {
    const { values } = parseArgs({ options: {
        agents: { type: "string", default: "100000" }, quick: { type: "boolean", default: false }, csv: { type: "string" },
        spoil: { type: "string", default: "" }, help: { type: "boolean", default: false },
    } });
    if (values.help) {
        const text = readFileSync(fileURLToPath(import.meta.url), "utf8");
        console.log(text.slice(text.indexOf("//"), text.indexOf("import")).replace(/^\/\/ ?/gm, ""));
        process.exit(0);
    }
    const agents = Number(values.agents);
    if (!(agents >= 100)) throw new Error("--agents: a number of at least 100");
    return { ...values, agents };
}

// How the time is shared out, and how much is left.
class Clock {
    constructor(sizes, isQuick) {
        const total = (isQuick ? 24 : 100) * Math.max(0.1, sizes.at(-1) / 100_000);
        const shares = Object.values(TASKS).reduce((a, b) => a + b);
        const weights = sizes.reduce((sum, n) => sum + Math.sqrt(n), 0);
        this.share = (n, task) => total * Math.sqrt(n) * TASKS[task] / weights / shares;
        this.rest = total;
    }
    before(n, task) {
        const left = this.rest;
        this.rest -= this.share(n, task);
        return left;
    }
}

const median = (values) => {
    const sorted = values.slice().sort((a, b) => a - b), middle = sorted.length >> 1;
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

function timed(work) {
    const begin = performance.now(), result = work();
    return [performance.now() - begin, result];
}

// A peer at one task in one world: what its turns took, and what it answered in the first two.
class Entry {
    constructor(peer, label, world, spoilt) {
        const task = label.split(".")[0], stands = label === "single" || label !== task;
        Object.assign(this, { peer, label, task, stands, world, isSpoilt: peer.name === spoilt });
        Object.assign(this, { updates: [], asks: [], answers: [], spent: 0 });
        peer.begin?.(task, world);
    }
    step(turn) {
        return this.task === "few" ? this.world.ofFew(turn) : this.world.ofCrowd(this.stands ? 0 : turn);
    }
    who(step) {
        const isInRows = this.label !== this.task && !this.peer.asksForAll;
        return { few: step.moved, single: this.world.singles }[this.task] ?? (isInRows ? step.inRows : this.world.all);
    }
    turn(turn) {
        const { peer, task } = this, step = this.step(turn), who = this.who(step);
        const update = this.update(turn, step);
        const [asked, found] = timed(() => peer[task](this.index, step, who));
        this.updates.push(update);
        this.asks.push(asked);
        this.last = asked + (this.stands ? 0 : update);
        this.spent += this.last;
        if (turn >= 2) return;
        const answer = new Answer(step, task);
        peer[task](this.index, step, who, answer);
        this.answers.push(this.isSpoilt ? answer.keys().subarray(1) : answer.keys());
        this.found = this.found ?? found;
    }
    update(turn, step) {
        const { peer, task } = this, areBoxes = task === "touching" || task === "boxes";
        if (turn > 0 && this.stands) return 0;
        const made = areBoxes ? "indexOfBoxes" : "index";
        const moved = areBoxes ? "moveBoxes" : task === "few" ? "moveFew" : "move";
        const [took, index] = timed(() => (turn === 0 ? peer[made](step) : peer[moved](this.index, step)));
        this.index = index;
        return took;
    }
    // By task of the CSV: milliseconds.
    values() {
        const { asks, updates, task } = this, from = asks.length > 1 ? 1 : 0;
        const frames = asks.map((asked, turn) => asked + updates[turn]);
        if (this.stands) return { [this.label]: median(asks.slice(from)) };
        const prefix = task === "touching" ? "" : `${task}.`;
        const steady = frames.slice(from).sort((a, b) => a - b), of = task === "touching" ? "frame" : task;
        const values = {
            [task === "touching" ? "frame.pairs" : task]: median(asks.slice(from)), [`${prefix}frame`]: median(steady),
            [`${of}.update`]: median(updates.slice(from)), [`${prefix}first`]: frames[0],
        };
        if (steady.length >= MOST_TURNS / 2) values[`${of}.p99`] = steady[Math.floor(steady.length * 0.99)];
        return values;
    }
}

const equal = (one, other) => one.length === other.length && one.every((key, k) => key === other[k]);

// Those whose answers are not brute force's, or in a large world not those of most.
function wrong(entries, world) {
    const found = new Set();
    for (const turn of [0, 1]) {
        const answered = entries.filter((entry) => entry.answers.length > turn);
        if (!answered.length) continue;
        const of = (entry) => answered.filter((other) => equal(entry.answers[turn], other.answers[turn])).length;
        const step = answered[0].step(turn), honest = answered.filter((entry) => !entry.isSpoilt);
        const truth = world.agents <= ORACLE ? bruteForce(answered[0].task, step, answered[0].who(step))
            : honest.reduce((best, entry) => (of(entry) > of(best) ? entry : best)).answers[turn];
        for (const entry of answered) if (!equal(entry.answers[turn], truth)) found.add(entry);
    }
    return found;
}

function cpuName() {
    if (process.env.THRONG_COMPARE_CPU) return process.env.THRONG_COMPARE_CPU;
    const text = existsSync("/proc/cpuinfo") ? readFileSync("/proc/cpuinfo", "utf8") : "";
    const field = (name) => text.match(new RegExp(`^${name}\\s*: (.*)$`, "m"))?.[1];
    return field("model name") ? `${field("model name")} (family ${field("cpu family")}, model ${field("model")})` : process.arch;
}

// The rows of the CSV, written as they come.
class Report {
    constructor(path) {
        this.path = path;
        this.cpu = cpuName();
        if (path && !(existsSync(path) && statSync(path).size)) this.append([FIELDS]);
    }
    append(rows) {
        const quoted = (cell) => (/[",]/.test(cell) ? `"${String(cell).replaceAll('"', '""')}"` : cell);
        appendFileSync(this.path, rows.map((row) => `${row.map(quoted).join(",")}\n`).join(""));
    }
    add({ peer, task, world, answers }, values) {
        if (!this.path) return;
        const about = [new Date().toISOString().slice(0, 10), this.cpu, "javascript", `node ${process.versions.node}`, "crowd",
            world.agents, peer.name, peer.version, peer.settings, 1];
        const checked = world.agents <= ORACLE ? "oracle" : "peers";
        const count = answers[0].length;
        this.append(Object.entries(values).map(([name, ms]) => [...about, name, ms.toPrecision(5), "ms", count, checked]));
    }
}

function measure(clock, peers, task, world, spoilt) {
    const share = clock.share(world.agents, task) * 1e3, begin = performance.now();
    const entries = peers.filter((peer) => peer[task.split(".")[0]]).map((peer) => new Entry(peer, task, world, spoilt));
    for (let turn = 0; turn < MOST_TURNS && (turn < 2 || performance.now() - begin < share); ++turn) {
        for (const entry of entries) {
            if (entry.asks.length === turn && (turn === 0 || entry.spent + entry.last < share / entries.length)) entry.turn(turn);
        }
    }
    return entries;
}

function print(entries) {
    const first = (entry) => Object.values(entry.values())[0];
    for (const entry of entries.slice().sort((a, b) => first(a) - first(b))) {
        const texts = Object.entries(entry.values()).map(([name, ms]) => `${name} ${ms.toPrecision(4)}`);
        console.log(`    ${entry.peer.name.padEnd(14)} ${texts.join(", ")} ms`);
    }
}

async function present(spoilt) {
    const found = await installed(ROOT, note), peers = [];
    if (found.throng2d) {
        await found.throng2d.module.ready;
        peers.push(new Throng(found.throng2d), new DropIn(await found.throng2d.part("./kdbush")));
    }
    const kinds = { kdbush: KDBush, flatbush: Flatbush, rbush: RBush, "d3-quadtree": D3 };
    for (const [name, Kind] of Object.entries(kinds)) if (found[name]) peers.push(new Kind(found[name]));
    peers.push(new Grid());
    if (spoilt && !peers.some((peer) => peer.name === spoilt)) throw new Error(`there is no ${spoilt} to spoil`);
    return peers;
}

const asked = options(), peers = await present(asked.spoil), report = new Report(asked.csv), failed = [];
const sizes = [...[100, 1_000, 10_000].filter((n) => n < asked.agents), asked.agents], clock = new Clock(sizes, asked.quick);
for (const n of sizes) {
    const world = new World(n);
    for (const task of Object.keys(TASKS)) {
        console.log(`${n.toLocaleString("en")} agents, ${task}; about ${clock.before(n, task).toFixed(0)} s are left`);
        const entries = measure(clock, peers, task, world, asked.spoil), differing = wrong(entries, world);
        print(entries);
        for (const entry of entries) {
            if (differing.has(entry)) failed.push(`${entry.peer.name} differs: ${task} of ${n.toLocaleString("en")} agents`);
            else report.add(entry, entry.values());
        }
    }
}
for (const fault of failed) note(fault);
process.exitCode = failed.length ? 1 : 0;
