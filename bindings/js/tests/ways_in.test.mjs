// The package's files: each of its ways in leads to one module, which is loaded once.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test from "node:test";
import * as throng from "throng2d";
import * as streamed from "throng2d/wasm";

const { load, ready } = throng, require = createRequire(import.meta.url);
const esbuild = await import("esbuild").catch(() => undefined);
const inNode = (text, ...more) => execFileSync(process.execPath, [...more, "-e", text], { encoding: "utf8" }).trim();

test("is loaded once, and says so to whoever comes too late with other options", async () => {
    assert.equal(String(ready), "[object Promise]");
    assert.deepEqual(await Promise.all([ready.catch(() => 0), ready.finally(() => {}), ready].map((each) => each.then(() => 1))), [1, 1, 1]);
    const exports = await load({ simd: true });
    assert.equal(await load(), exports);
    assert.equal(await streamed.load({ simd: true }), exports);
    await assert.rejects(load({ simd: false }), /another module is loaded already/);
    await assert.rejects(load({ module: throng.moduleBytes(true) }), /another module is loaded already/);
    assert.equal(new throng.Engine().isa, "wasm128");
});

test("has one module, however it is loaded", () => {
    const common = require("throng2d");
    assert.equal(common.Engine, throng.Engine);
    assert.equal(streamed.Engine, throng.Engine);
    assert.deepEqual(Object.keys(common).sort(), Object.keys(throng).filter((name) => name !== "default").sort());
    assert.equal(require("throng2d/d3").forceCollide(1).radius()(), 1);
});

test("CommonJS finds the drop-in's class itself, and as its default, which a transpiled import asks for", () => {
    const common = require("throng2d/kdbush");
    assert.deepEqual(new common(0).finish().range(0, 0, 1, 1), []);
    assert.equal(common.default, common);
    assert.equal(common.KDBush, common);
    assert.equal(common.__esModule, true);
    assert.deepEqual(new common.default(0).finish().range(0, 0, 1, 1), []);
});

test("has the module in a file as well, where nothing is unpacked", () => {
    const text = `import { Engine, ready } from "throng2d/wasm"; import { KDBush } from "throng2d/kdbush"; await ready;
        const packed = Object.getOwnPropertySymbols(globalThis).filter((symbol) => /throng2d .*packed/.test(symbol.description));
        console.log(new Engine().isa, new KDBush(0).finish().numItems, packed.length);`;
    assert.equal(inNode(text, "--input-type=module"), "wasm128 0 0");
    const without = `import { load } from "throng2d/wasm"; await load({ simd: false }).catch((error) => console.log(error.message));`;
    assert.match(inNode(without, "--input-type=module"), /vectors alone/);
});

test("what a module imports is modules alone", { skip: esbuild === undefined && "npm did not give esbuild to the tests" }, async () => {
    for (const entry of ["throng2d", "throng2d/wasm", "throng2d/kdbush", "throng2d/d3"]) {
        const { metafile } = await esbuild.build({ stdin: { contents: `export * from "${entry}";`, resolveDir: "." }, bundle: true, format: "esm",
            metafile: true, write: false, logLevel: "error" });
        const inputs = Object.entries(metafile.inputs).filter(([name]) => name.includes("throng2d"));
        assert.ok(inputs.length > 1);
        // Packed modules are a plain script, which is all three.
        for (const [name, { format }] of inputs) assert.ok(format === "esm" || name.endsWith("packed.js"), `${name}: ${format}`);
    }
});

test("is a file that npm would publish: licence, README, types, and all that its exports name", () => {
    const read = (name) => readFileSync(`node_modules/throng2d/${name}`, "utf8"), described = JSON.parse(read("package.json"));
    assert.equal(described.private, undefined);
    assert.equal(described.license, "MIT");
    assert.match(read("LICENSE"), /^MIT License/);
    const named = JSON.stringify([described.main, described.module, described.types, described.exports]).match(/\.\/[\w.]+\.\w+/g);
    assert.ok(named.length > 10);
    for (const name of named) assert.ok(name === "./package.json" || existsSync(`node_modules/throng2d/${name}`), `${name} is named, and not there`);
    // Links of the README lead into the README, since the repository is not there.
    for (const [, target] of read("README.md").matchAll(/\]\(([^)]*)\)/g)) assert.match(target, /^#/);
});
