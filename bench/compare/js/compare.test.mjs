// Runs the comparison small, with every peer that can be had.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url)), folder = mkdtempSync(join(tmpdir(), "compare-"));
after(() => rmSync(folder, { recursive: true }));

function run(name, ...options) {
    const path = join(folder, name), command = [join(here, "compare.mjs"), "--quick", "--csv", path, ...options];
    const done = spawnSync(process.execPath, command, { encoding: "utf8" });
    const [heading, ...rows] = readFileSync(path, "utf8").trim().split("\n").map((line) => line.match(/"[^"]*"|[^,]+/g));
    return { ...done, heading, rows: rows.map((row) => Object.fromEntries(heading.map((name, k) => [name, row[k]]))) };
}

test("peers answer alike, and rows have the columns of the page", () => {
    const { status, stderr, heading, rows } = run("all.csv", "--agents", "300");
    assert.equal(status, 0, stderr);
    const page = readFileSync(join(here, "../README.md"), "utf8");
    const columns = page.slice(page.indexOf("## The columns")).split("| task |")[0];
    assert.deepEqual(heading, [...columns.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1]));
    const peers = new Set(rows.map((row) => row.peer));
    assert.ok(peers.has("throng") && peers.has("throng.kdbush") && peers.has("grid"), [...peers].join());
    assert.deepEqual([...new Set(rows.map((row) => row.agents))], ["100", "300"]);
    for (const row of rows) {
        assert.ok(row.checked === "oracle" && row.value >= 0 && row.version && row.settings, JSON.stringify(row));
    }
});

test("a peer that loses an answer fails, and gets no row", () => {
    const { status, stderr, rows } = run("spoilt.csv", "--agents", "100", "--spoil", "grid");
    assert.equal(status, 1);
    assert.match(stderr, /grid differs: within of 100 agents/);
    assert.doesNotMatch(stderr, /throng differs/);
    assert.ok(rows.some((row) => row.peer === "throng" && row.task === "within"));
    assert.ok(!rows.some((row) => row.peer === "grid" && row.task === "within"));
});
