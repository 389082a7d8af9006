// The packages that are compared, in a folder of the build: Throng's from build/npm, the others from npm's registry, in the
// versions named here. What cannot be had is left out, with a word.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PINNED = { kdbush: "4.1.0", flatbush: "4.7.0", rbush: "4.0.1", "d3-quadtree": "3.0.2" };

const versionOf = (folder, name) => {
    const path = join(folder, "node_modules", name, "package.json");
    return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
};

function npm(folder, ...what) {
    try {
        execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel", "error", ...what], { cwd: folder, stdio: "pipe" });
        return true;
    } catch {
        return false;
    }
}

// The file that scripts/npm-package made, if it is there and newer than what is installed.
function installThrong(root, folder, note) {
    const built = join(root, "build", "npm");
    const file = existsSync(built) && readdirSync(built).find((name) => /^throng2d-.*\.tgz$/.test(name));
    if (!file) return note("throng is left out: scripts/npm-package builds it");
    const stamp = join(folder, "throng2d.stamp"), made = String(statSync(join(built, file)).mtimeMs);
    if (versionOf(folder, "throng2d") && existsSync(stamp) && readFileSync(stamp, "utf8") === made) return;
    if (npm(folder, "--offline", "--force", join(built, file))) writeFileSync(stamp, made);
    else note("throng is left out: npm cannot install it");
}

export async function installed(root, note) {
    const folder = join(root, "build", "compare-js");
    mkdirSync(folder, { recursive: true });
    const about = join(folder, "package.json");
    if (!existsSync(about)) writeFileSync(about, '{ "name": "compare", "private": true }\n');
    installThrong(root, folder, note);
    const lacking = Object.entries(PINNED).filter(([name, version]) => versionOf(folder, name)?.version !== version);
    const quick = ["--prefer-offline", "--fetch-retries=0", "--fetch-timeout=20000"];
    if (lacking.length) npm(folder, ...quick, ...lacking.map(([name, version]) => `${name}@${version}`));
    const found = {};
    for (const name of ["throng2d", ...Object.keys(PINNED)]) {
        const its = versionOf(folder, name);
        if (its) found[name] = await loaded(folder, name, its);
        else if (name !== "throng2d") note(`${name} is left out: npm's registry did not give it`);
    }
    return found;
}

async function loaded(folder, name, about, part = ".") {
    const entry = about.exports?.[part] ?? about.exports ?? about.module ?? about.main;
    const file = entry.import?.default ?? entry.import ?? entry.default ?? entry;
    const module = await import(pathToFileURL(join(folder, "node_modules", name, file)));
    return { module, version: about.version, part: (other) => loaded(folder, name, about, other) };
}
