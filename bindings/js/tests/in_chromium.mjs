// The installed package in real Chromium, as a host's page has it: imported as it lies in node_modules, and bundled by esbuild into one
// plain script, under a policy that lets no script be made of text. THRONG_ANSWERS is the program of answers.c.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import test from "node:test";
import { lacks, opened, pages } from "./browser.mjs";

const esbuild = await import("esbuild").catch(() => undefined);

const expected = () => execFileSync(process.env.THRONG_ANSWERS, { encoding: "utf8" }).trim().split("\n");
const PATHS = { "throng2d": "throng.mjs", "throng2d/d3": "d3.mjs", "throng2d/kdbush": "kdbush.mjs", "throng2d/wasm": "wasm.mjs" };
const imports = Object.fromEntries(Object.entries(PATHS).map(([name, file]) => [name, `/node_modules/throng2d/${file}`]));

const HOST = `
import { Engine, load } from "throng2d";
import * as throng from "throng2d";
import { forceCollide } from "throng2d/d3";
import KDBush from "throng2d/kdbush";
import { answers } from "/asked.mjs";

/** Four nodes in one place, and how far they are apart after some ticks. */
function parted() {
    const nodes = [0, 1, 2, 3].map((k) => ({ x: k / 100, y: (k * k) / 100, vx: 0, vy: 0 })), force = forceCollide(1);
    force.initialize(nodes, Math.random);
    for (let tick = 0; tick < 100; ++tick) {
        force(1);
        for (const node of nodes) { node.x += node.vx *= 0.6; node.y += node.vy *= 0.6; }
    }
    return Math.min(...nodes.flatMap((a, i) => nodes.slice(i + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y))));
}
function within() {
    const index = new KDBush(100);
    for (let k = 0; k < 100; ++k) index.add(k % 10, Math.floor(k / 10));
    return index.finish().within(0, 0, 1).sort((a, b) => a - b);
}
globalThis.run = async (simd) => {
    await load({ simd });
    return { isa: new Engine().isa, lines: answers(throng), parted: parted(), within: within() };
};
`;

async function check(path, simd) {
    const { tab, close } = await opened(path, () => globalThis.run !== undefined, { host: simd ? "localhost" : "127.0.0.1" });
    const found = await tab.evaluate((simd) => globalThis.run(simd), simd);
    assert.equal(found.isa, simd ? "wasm128" : "wasm32");
    assert.deepEqual(found.lines, expected());
    assert.ok(found.parted > 1.9, `${found.parted}`);
    assert.deepEqual(found.within, [0, 1, 10]);
    await close();
}

const d3 = await import("d3-force").catch(() => undefined), lacksD3 = (d3 && esbuild) === undefined && "npm did not give d3-force and esbuild to the tests";

/** Not where this file is read, since node ends all once the tests that it knows of are over. */
export function testPackage() {
    const importing = (script) => {
        const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
        return { text: `<!doctype html><link rel="icon" href="data:,">${map}<script type="module">${script}</script>` };
    };
    test("imported by a page, it answers as this machine's library does", { skip: lacks }, async () => {
        pages.set("/imports.html", importing(HOST));
        await check("/imports.html", true);
    });

    test("imported with its module in a file, it fetches that and unpacks nothing", { skip: lacks }, async () => {
        pages.set("/streamed.html", importing(`
            import { Engine, ready } from "throng2d/wasm";
            import { KDBush } from "throng2d/kdbush";
            await ready;
            globalThis.found = [new Engine().isa, new KDBush(0).finish().numItems, performance.getEntriesByType("resource").map(({ name }) => name)];`));
        const { tab, close } = await opened("/streamed.html", () => globalThis.found !== undefined);
        const [isa, size, files] = await tab.evaluate(() => globalThis.found);
        assert.deepEqual([isa, size, files.some((name) => name.endsWith("/throng.wasm")), files.some((name) => name.includes("packed"))], ["wasm128", 0, true, false]);
        await close();
    });

    test("bundled into one plain script, it does so without vectors, and where no text may become a script",
        { skip: lacks || (esbuild === undefined && "npm did not give esbuild to the tests") }, async () => {
            writeFileSync("bundled.mjs", HOST.replace("/asked.mjs", "./asked.mjs"));
            await esbuild.build({ entryPoints: ["bundled.mjs"], bundle: true, minify: true, format: "iife", outfile: "bundle.js", logLevel: "error" });
            pages.set("/bundle.html", {
                text: '<!doctype html><link rel="icon" href="data:,"><script src="bundle.js"></script>',
                policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; img-src data:",
            });
            await check("/bundle.html", false);
        });

    test("the example beside d3-force's own runs", { skip: lacks || lacksD3 }, async () => {
        const folder = "d3_collide";
        await esbuild.build({ entryPoints: [`${folder}/page.js`], bundle: true, format: "esm", outfile: `${folder}/bundle.js`, logLevel: "error" });
        const { tab, close } = await opened(`/${folder}/#500`, () => globalThis.example?.ticks.every((ticks) => ticks > 1));
        assert.match(await tab.textContent("#ratio"), /times as fast/);
        await close();
    });
}
