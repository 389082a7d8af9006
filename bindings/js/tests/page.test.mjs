// The page in Chromium, and before that what moves in it, in node. THRONG_TWIN is the program of twin.c.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import test from "node:test";
import { Engine, Pairs, ready } from "throng2d";
import * as browser from "./browser.mjs";
import { FINGERPRINTS } from "./fingerprints.mjs";
import { Agents } from "./motion.mjs";
import { testPackage } from "./in_chromium.mjs";

const { lacks } = browser;

await ready;
testPackage();
test("agents and pairs of frame 100 are those of C on this machine", () => {
    for (const [scene, expected] of Object.entries(FINGERPRINTS)) {
        const [scenario, count, seed] = scene.split(" ");
        assert.equal(execFileSync(process.env.THRONG_TWIN, [scenario, count, seed], { encoding: "utf8" }).trim(), expected, scene);
        // The crossing's crowd is in the page's module alone.
        if (Number(count) > 20_000 || scenario === "crossing") continue;
        const agents = new Agents(), engine = new Engine(), pairs = new Pairs();
        agents.fill(scenario, Number(count), Number(seed));
        for (let k = 0; k < 100; ++k) {
            agents.move(1);
            engine.updateWithPairs(agents.boxes(), undefined, pairs).forEach(agents.bounce);
        }
        assert.equal(`${engine.frame().fingerprint} ${pairs.size}`, expected, scene);
    }
});

/** The page with such an address, once agents move or stand. */
const opened = (hash, options) => browser.opened(`/page/${hash}`, () => globalThis.page !== undefined, options);

test("counts, pairs and the fingerprint are the native build's in every scenario", { skip: lacks }, async () => {
    const { tab, close } = await opened("#count=1&pause=1");
    for (const [scene, expected] of Object.entries(FINGERPRINTS)) {
        const [scenario, count, seed] = scene.split(" ");
        const found = await tab.evaluate(async (hash) => {
            const changed = new Promise((done) => addEventListener("hashchange", done, { once: true }));
            location.hash = hash;
            await changed;
            while (page.number < 100) page.step();
            return `${page.fingerprint} ${page.pairs.size}`;
        }, `#scenario=${scenario}&count=${count}&seed=${seed}&pause=1`);
        assert.equal(found, expected);
        assert.match(await tab.textContent("#fingerprint"), /the same as the native build's/);
    }
    await close();
});

test("agents move, with and without the headers of isolation", { skip: lacks }, async () => {
    for (const host of ["localhost", "127.0.0.1"]) {
        const { tab, close } = await opened("#count=20000", { host });
        const first = await tab.evaluate(() => page.agents.x[5]);
        await tab.waitForFunction(() => page.number > 20);
        assert.notEqual(await tab.evaluate(() => page.agents.x[5]), first);
        assert.equal(await tab.evaluate(() => crossOriginIsolated), host === "127.0.0.1");
        assert.equal(await tab.evaluate(() => page.painter), "webgl");
        await tab.waitForFunction(() => document.getElementById("numbers").textContent.includes("20,000 agents"));
        console.log(await tab.textContent("#numbers"), await tab.evaluate(() => page.startedAfter), "ms to start");
        await close();
    }
});

test("what the mouse asks is what brute force finds", { skip: lacks }, async () => {
    const { tab, close } = await opened("#count=5000&pause=1");
    const box = await tab.locator("#scene").boundingBox(), at = (x, y) => [box.x + box.width * x, box.y + box.height * y];
    for (const tool of ["box", "circle", "radius", "nearest", "ray"]) {
        await tab.selectOption("#tool", tool);
        await tab.mouse.move(...at(0.4, 0.4));
        await tab.mouse.down();
        await tab.mouse.move(...at(0.5, 0.6));
        await tab.mouse.up();
        const [found, expected] = await tab.evaluate((kind) => {
            const { agents, answer } = page, { x, y, toX, toY } = answer.asked, f = Math.fround;
            const all = [...Array(agents.count).keys()], reach = f(Math.hypot(toX - x, toY - y));
            const distance = (i) => Math.hypot(agents.x[i] - x, agents.y[i] - y);
            const isIn = {
                box: (i) => agents.x[i] - 0.5 <= Math.max(x, toX) && agents.x[i] + 0.5 >= Math.min(x, toX)
                    && agents.y[i] - 0.5 <= Math.max(y, toY) && agents.y[i] + 0.5 >= Math.min(y, toY),
                circle: (i) => distance(i) <= reach + 0.5,
                radius: (i) => distance(i) <= reach,
            }[kind];
            const sorted = (ids) => [...ids].sort((a, b) => a - b);
            if (isIn) return [sorted(answer.ids), all.filter(isIn)];
            if (kind === "nearest") return [sorted(answer.ids), sorted(all.sort((a, b) => distance(a) - distance(b)).slice(0, 16))];
            // A ray: when it enters each box.
            let first = Infinity, id = -1;
            for (const i of all) {
                const along = (from, d, low, high) => d === 0 ? (from < low || from > high ? [Infinity, -Infinity] : [-Infinity, Infinity])
                    : [Math.min((low - from) / d, (high - from) / d), Math.max((low - from) / d, (high - from) / d)];
                const [a, b] = along(x, toX - x, agents.x[i] - 0.5, agents.x[i] + 0.5), [c, d] = along(y, toY - y, agents.y[i] - 0.5, agents.y[i] + 0.5);
                const enter = Math.max(a, c, 0);
                if (enter <= Math.min(b, d, 1) && enter < first) [first, id] = [enter, i];
            }
            return [[...answer.ids], id < 0 ? [] : [id]];
        }, tool);
        assert.deepEqual(found, expected, tool);
        assert.match(await tab.textContent("#answer"), new RegExp(`By ${tool}: .* µs`));
    }
    await close();
});

test("opens on a town with giants, where a circle goes round until the mouse asks", { skip: lacks }, async () => {
    const { tab, close } = await opened("");
    const asked = () => tab.evaluate(() => page.answer.asked.x);
    await tab.waitForFunction(() => page.answer?.ids.length > 0);
    const first = await asked();
    await tab.waitForFunction((x) => page.answer.asked.x !== x, first);
    const town = await tab.evaluate(() => {
        const { agents: { x, y, radius, count, walls } } = page;
        let inside = 0;
        for (let i = 0; i < count; ++i)
            for (let k = 0; k < walls.length; k += 4)
                inside += x[i] > walls[k] && x[i] < walls[k + 2] && y[i] > walls[k + 1] && y[i] < walls[k + 3] ? 1 : 0;
        return { inside, houses: walls.length / 4, giants: radius.slice(0, count).filter((each) => each > 1).length, heading: page.view.byHeading };
    });
    assert.equal(town.inside, 0);
    assert.ok(town.houses > 4 && town.giants > 10 && town.heading, JSON.stringify(town));
    const box = await tab.locator("#scene").boundingBox();
    await tab.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const [number, stays] = [await tab.evaluate(() => page.number), await asked()];
    await tab.waitForFunction((at) => page.number > at + 3, number);
    assert.equal(await asked(), stays);
    await close();
});

test("whoever else answers finds Throng's pairs", { skip: lacks }, async () => {
    for (const scenario of ["town", "giants", "pile"]) {
        const { tab, close } = await opened(`#count=1500&scenario=${scenario}`);
        for (const name of (await tab.locator("#who option").allTextContents()).slice(1)) {
            await tab.selectOption("#who", name);
            await tab.waitForFunction((name) => document.getElementById("who-said").textContent.startsWith(name), name);
            assert.match(await tab.textContent("#who-said"), /, as many as Throng finds\.$/, scenario);
            assert.equal(await tab.locator("#bars li").count(), 2);
        }
        await close();
    }
});

test("the wheel zooms to what is under it, and a finger scrolls past the scene", { skip: lacks }, async () => {
    const { tab, close } = await opened("#count=500&pause=1");
    const box = await tab.locator("#scene").boundingBox();
    const under = () => tab.evaluate(({ width, height }) => [(0.3 * width - width / 2) / page.view.scale + page.view.x,
        (0.4 * height - height / 2) / page.view.scale + page.view.y, page.view.scale], box);
    const [x, y, scale] = await under();
    await tab.mouse.move(box.x + 0.3 * box.width, box.y + 0.4 * box.height);
    await tab.mouse.wheel(0, -400);
    await tab.waitForFunction((before) => page.view.scale > before * 1.5, scale);
    const [atX, atY] = await under();
    assert.ok(Math.hypot(atX - x, atY - y) < 0.1, `${[x, y, atX, atY]}`);
    assert.equal(await tab.evaluate(() => getComputedStyle(document.getElementById("scene")).touchAction), "pan-y");
    await close();
});

test("each structure finds the engine's pairs, and shows parts that hold all agents", { skip: lacks }, async () => {
    const { tab, close } = await opened("#count=3000&pause=1&scenario=giants");
    const names = await tab.locator("#lines option").allTextContents();
    assert.equal(names.length, 9);
    // Thousands of lines a frame took a second where no graphics card draws them, and 50 ms on a canvas in memory.
    assert.equal(await tab.evaluate(() => document.getElementById("over").getContext("2d").getContextAttributes().willReadFrequently), true);
    for (const name of names) {
        await tab.selectOption("#lines", name);
        const { found, expected, parts, held } = await tab.evaluate(() => {
            page.step();
            page.draw();
            const { agents, structure, frame } = page, lines = structure.lines(frame), side = agents.side;
            // Whether each agent's middle is in a part; those that moved out of the extents aside.
            const isIn = (i) => {
                for (let k = 0; k < lines.length; k += 6)
                    if (lines[k] <= agents.x[i] && agents.x[i] <= lines[k + 2] && lines[k + 1] <= agents.y[i] && agents.y[i] <= lines[k + 3]) return true;
                return agents.x[i] <= 1 || agents.y[i] <= 1 || agents.x[i] >= side - 1 || agents.y[i] >= side - 1;
            };
            let held = 0;
            for (let i = 0; i < agents.count; ++i) held += isIn(i) ? 1 : 0;
            return { found: structure.pairs, expected: page.pairs.size, parts: lines.length / 6, held };
        });
        assert.equal(parts > 0, name !== "none", name);
        if (name !== "none") assert.equal(held, 3000, name);
        if (name === "none" || name === "engine") continue;
        assert.ok(name === "uniform grid" ? found >= expected : found === expected, `${name}: ${found} and ${expected}`);
        assert.match(await tab.textContent("#structure"), new RegExp(`^The ${name} takes`));
    }
    await close();
});

test("the crowd at the crossing walks, and none walks into another or a house", { skip: lacks }, async () => {
    const { tab, close } = await opened("#count=2000&pause=1&scenario=crossing");
    const { touching, inside, walked } = await tab.evaluate(() => {
        const { agents } = page, first = agents.x.slice(0, 20);
        for (let k = 0; k < 60; ++k) page.step();
        let touching = 0, inside = 0;
        for (let i = 0; i < agents.count; ++i) {
            for (let j = 0; j < i; ++j)
                touching += Math.hypot(agents.x[i] - agents.x[j], agents.y[i] - agents.y[j]) < 0.99 * (agents.radius[i] + agents.radius[j]) ? 1 : 0;
            const { walls } = agents;
            for (let k = 0; k < walls.length; k += 4)
                inside += agents.x[i] > walls[k] && agents.x[i] < walls[k + 2] && agents.y[i] > walls[k + 1] && agents.y[i] < walls[k + 3] ? 1 : 0;
        }
        page.draw();
        return { touching, inside, walked: first.some((x, i) => x !== agents.x[i]) };
    });
    assert.deepEqual([touching, inside, walked], [0, 0, true]);
    await close();
});

test("the brush pours agents in, and the address holds the scene", { skip: lacks }, async () => {
    const { tab, close } = await opened("#count=1000&tool=pour&scenario=giants&seed=7&colour=heading&lines=engine");
    await tab.locator("#scene").hover();
    await tab.mouse.down();
    await tab.waitForFunction(() => page.agents.count > 1500);
    await tab.mouse.up();
    await tab.selectOption("#tool", "ray");
    const address = new URL(tab.url()).hash;
    for (const part of ["scenario=giants", "count=1000", "seed=7", "tool=ray", "colour=heading", "lines=engine"]) assert.ok(address.includes(part), address);
    await close();
});

test("works by keyboard, and with reduced motion stands until it is told", { skip: lacks }, async () => {
    const { tab, close } = await opened("#count=2000", { reducedMotion: "reduce" });
    const number = await tab.evaluate(() => page.number);
    await tab.waitForTimeout(200);
    assert.equal(await tab.evaluate(() => page.number), number);
    await tab.focus("#scene");
    for (const key of ["Enter", "ArrowLeft", "+"]) await tab.keyboard.press(key);
    assert.match(await tab.textContent("#answer"), /By box: [1-9]/);
    await tab.focus("#step");
    await tab.keyboard.press("Enter");
    assert.equal(await tab.evaluate(() => page.number), number + 1);
    await tab.focus("#pause");
    await tab.keyboard.press("Enter");
    await tab.waitForFunction((at) => page.number > at + 2, number);
    await close();
});

test("keys pour, never turn what is asked over, and tell an answer once", { skip: lacks }, async () => {
    const { tab, close } = await opened("#count=500&pause=1&tool=pour");
    await tab.focus("#scene");
    await tab.keyboard.press("Enter");
    assert.deepEqual(await tab.evaluate(() => [page.agents.count, document.getElementById("count").value]), [600, "600"]);
    assert.match(await tab.textContent("#told"), /600 agents/);
    await tab.selectOption("#tool", "box");
    await tab.waitForTimeout(600);  // in which the page looks at what was poured
    await tab.focus("#scene");
    for (let k = 0; k < 20; ++k) await tab.keyboard.press("-");
    const sizes = () => tab.evaluate(() => [page.answer.asked.toX - page.answer.asked.x, page.answer.asked.toY - page.answer.asked.y]);
    const [width, height] = await sizes();
    await tab.keyboard.press("+");
    const [wider, taller] = await sizes();
    assert.ok(width > 0 && height > 0 && wider > width && taller > height, `${width} ${height} ${wider} ${taller}`);
    // A screen reader is told what was asked once, while agents move.
    await tab.click("#pause");
    const changes = await tab.evaluate(async () => {
        let told = 0, shown = 0;
        for (const each of document.querySelectorAll("[role=status], [aria-live]")) new MutationObserver(() => ++told).observe(each, { childList: true, subtree: true });
        const done = new Promise((done) => new MutationObserver(() => ++shown > 2 && done()).observe(document.getElementById("answer"), { childList: true }));
        await done;
        return told;
    });
    assert.equal(changes, 0);
    assert.match(await tab.textContent("#told"), /By box: \d+ agent/);
    assert.match(await tab.textContent("#numbers"), /\d+ a second are drawn/);
    await close();
});

test("takes from the address what there is", { skip: lacks }, async () => {
    const { tab, close } = await opened("#count=400&seed=-1&speed=99&colour=zz&pause=1&scenario=none");
    assert.deepEqual(await tab.evaluate(() => [page.state.count, page.state.seed, page.state.speed, page.state.colour, page.state.scenario]),
        [400, 0, 4, "touching", "crowd"]);
    assert.match(await tab.textContent("#missing"), /press Go on/);
    await tab.evaluate(() => { location.hash = "#count=300&pause=1"; });
    await tab.waitForFunction(() => page.agents.count === 300);
    await tab.click("#pause");
    assert.equal(await tab.textContent("#missing"), "");
    await close();
});

test("draws on a canvas once the browser has taken WebGL away, and says so", { skip: lacks }, async () => {
    const { tab, close } = await opened("#count=500");
    await tab.evaluate(() => document.getElementById("picture").getContext("webgl2").getExtension("WEBGL_lose_context").loseContext());
    await tab.waitForFunction(() => page.painter === "canvas");
    assert.match(await tab.textContent("#missing"), /has taken WebGL away/);
    const number = await tab.evaluate(() => page.number);
    await tab.waitForFunction((at) => page.number > at + 2, number);
    assert.ok(await tab.evaluate(() => {
        const { width, height } = document.getElementById("picture"), { data } = document.getElementById("picture").getContext("2d").getImageData(0, 0, width, height);
        return new Set(new Uint32Array(data.buffer)).size > 1;
    }));
    await close();
});

test("does without WebGL and without vectors, and says so", { skip: lacks }, async () => {
    const { tab, close } = await opened("#draw=canvas&simd=off&count=2000");
    await tab.waitForFunction(() => page.number > 5);
    assert.equal(await tab.evaluate(() => page.engine.isa), "wasm32");
    assert.match(await tab.textContent("#missing"), /no WebGL 2/);
    assert.match(await tab.textContent("#missing"), /no vectors/);
    await close();
});

test("has no fault that axe finds, on a phone's width either", { skip: lacks }, async () => {
    const axe = await import("axe-core").catch(() => undefined);
    for (const width of [1000, 360]) {
        const { tab, close } = await opened("#count=2000&lines=engine", { viewport: { width, height: 780 } });
        await tab.waitForFunction(() => page.number > 5);
        assert.equal(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${width}`);
        if (axe !== undefined) {
            await tab.evaluate(axe.default.source);
            const found = await tab.evaluate(async () => (await axe.run()).violations.map((each) => `${each.id}: ${each.nodes[0].html}`));
            assert.deepEqual(found, []);
        }
        await close();
    }
});

test("frames are made at the pace that is promised", { skip: lacks }, async () => {
    const { tab, close } = await opened("#count=100000&pause=1");
    const times = await tab.evaluate(() => {
        for (let k = 0; k < 100; ++k) page.step();
        const start = performance.now();
        for (let k = 0; k < 100; ++k) page.step();
        return 100_000 / (performance.now() - start);
    });
    console.log(`${times.toFixed(0)} frames a second of 100,000 agents, without drawing`);
    assert.ok(times > 5);  // on a machine that does much else; the figure is in the page's README
    const bytes = await tab.evaluate(() => {
        const kinds = ["Float32Array", "Uint32Array", "Uint8Array", "ArrayBuffer"], own = kinds.map((kind) => globalThis[kind]);
        let count = 0;
        kinds.forEach((kind) => { globalThis[kind] = new Proxy(globalThis[kind], { construct(target, given) { ++count; return new target(...given); } }); });
        for (let k = 0; k < 20; ++k) page.step();
        kinds.forEach((kind, k) => { globalThis[kind] = own[k]; });
        return count;
    });
    assert.equal(bytes, 0);
    await close();
});

test("takes its own picture", { skip: lacks || (process.env.THRONG_PICTURE === undefined && "nobody asks for one") }, async () => {
    const { tab, close } = await opened("#count=20000&scenario=town&tool=circle&colour=heading", { viewport: { width: 1280, height: 800 } });
    await tab.waitForFunction(() => page.number > 30);
    const box = await tab.locator("#scene").boundingBox();
    await tab.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
    await tab.mouse.down();
    await tab.mouse.move(box.x + box.width * 0.58, box.y + box.height * 0.66);
    await tab.mouse.up();
    await tab.waitForTimeout(600);
    await tab.screenshot({ path: process.env.THRONG_PICTURE, type: process.env.THRONG_PICTURE.endsWith(".png") ? "png" : "jpeg" });
    await close();
});
