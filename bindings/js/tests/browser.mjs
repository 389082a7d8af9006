// One Chromium and one server for all tests of a program: of the folder of make_host, in which it runs. With the name 127.0.0.1
// pages are isolated, with localhost they are not.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { after, before } from "node:test";

const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const playwright = await import("playwright-core").catch(() => undefined);
/** What is missing, or false. */
export const lacks = chromium === undefined ? "there is no chromium" : playwright === undefined ? "npm did not give playwright-core to the tests" : false;

const KINDS = {
    ".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
};
/** Pages that are no files: what is at such a path, and with which policy for scripts. */
export const pages = new Map();
let server, browser;
before(async () => {
    if (lacks) return;
    server = createServer((request, response) => {
        const path = new URL(request.url, "http://localhost").pathname.replace(/\/$/, "/index.html"), page = pages.get(path);
        const headers = { "Content-Type": page ? "text/html" : KINDS[extname(path)] ?? "application/octet-stream" };
        if (page?.policy !== undefined) headers["Content-Security-Policy"] = page.policy;
        if (request.headers.host.startsWith("127."))
            Object.assign(headers, { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" });
        const isThere = page !== undefined || existsSync(`.${path}`);
        response.writeHead(isThere ? 200 : 404, headers);
        response.end(isThere ? page?.text ?? readFileSync(`.${path}`) : "");
    });
    await new Promise((done) => server.listen(0, done));
    browser = await playwright.chromium.launch({
        executablePath: chromium,
        args: ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    });
});
after(async () => {
    await browser?.close();
    server?.close();
});

/** A tab with such a path, once `isReady` holds in it. Nothing may be said in the console. */
export async function opened(path, isReady, { host = "localhost", ...options } = {}) {
    const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, ...options });
    const tab = await context.newPage(), said = [];
    tab.on("console", (message) => { if (["error", "warning"].includes(message.type())) said.push(message.text()); });
    tab.on("pageerror", (error) => said.push(String(error)));
    await tab.goto(`http://${host}:${server.address().port}${path}`);
    await tab.waitForFunction(isReady, undefined, { timeout: 30_000 }).catch((error) => { throw new Error(`${error.message}: ${said}`); });
    return { tab, async close() {
        // What the software renderer says of itself is not ours.
        assert.deepEqual(said.filter((text) => !/GPU stall|swiftshader|WebGL/i.test(text)), []);
        await context.close();
    } };
}
