// The site in Chromium: pages of each kind say nothing in the console, fetch nothing from elsewhere, and fit a phone.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import test from "node:test";
import { lacks, opened } from "./browser.mjs";

const PAGES = [
    "index.html", "docs/start.html", "docs/which_call.html", "docs/queries.html", "docs/map.html", "docs/recipes.html", "structures/docs/choosing.html", "api/python.html",
    "api/javascript.html", "api/cpp/index.html", "api/cpp/classthrong_1_1Frame.html", "api/c/throng_8h.html", "api/csharp/index.html",
    "code/engine/include/throng/frame.hpp.html",
];
const axe = await import("axe-core").catch(() => undefined);
const isReady = () => document.readyState === "complete";

for (const page of PAGES) {
    test(`${page} is quiet, of one piece, and no wider than a phone`, { skip: lacks }, async () => {
        for (const width of [390, 1280]) {
            const { tab, close } = await opened(`/site/${page}`, isReady, { viewport: { width, height: 800 } });
            const elsewhere = await tab.evaluate(() =>
                performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => !name.startsWith(location.origin) && !name.startsWith("data:")));
            assert.deepEqual(elsewhere, []);
            assert.deepEqual(await tab.evaluate(() => [...document.images].filter((each) => each.naturalWidth === 0).map(({ src }) => src)), []);
            assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `wider than ${width}`);
            // Of the theme's own frame and of Doxygen's pages nothing is ours to mend.
            if (axe !== undefined && !page.startsWith("api/c")) {
                await tab.evaluate(axe.default.source);
                const faults = await tab.evaluate(async () => (await axe.run(document.querySelector("article") ?? document.querySelector("main"))).violations
                    .map(({ id, nodes }) => `${id}: ${nodes[0].html}`));
                assert.deepEqual(faults, []);
            }
            await close();
        }
    });
}

test("search finds pages and names of the references", { skip: lacks }, async () => {
    for (const [words, found] of [["lockstep", "docs/recipes.html"], ["count_pairs", "api/cpp/classthrong_1_1Frame.html"]]) {
        const { tab, close } = await opened("/site/index.html", isReady);
        await tab.click(".md-search__input");
        await tab.type(".md-search__input", words);
        await tab.waitForFunction((page) => document.querySelector(`.md-search-result__link[href*="${page}"]`) !== null, found, { timeout: 60_000 });
        await close();
    }
});

test("the live page compares with libraries, and all find the same", { skip: lacks || (!existsSync("site/live/index.html") && "there is no live page") }, async () => {
    const { tab, close } = await opened("/site/live/index.html#count=3000&scenario=town", () => globalThis.page !== undefined);
    const names = (await tab.locator("#who option").allTextContents()).slice(1);
    assert.ok(names.length >= 2, `${names}`);
    for (const name of names) {
        await tab.selectOption("#who", name);
        await tab.waitForFunction((name) => document.getElementById("who-said").textContent.startsWith(name), name);
        assert.match(await tab.textContent("#who-said"), /, as many as Throng finds\.$/);
    }
    await close();
});

test("takes its own picture", { skip: lacks || (process.env.THRONG_PICTURE === undefined && "nobody asks for one") }, async () => {
    const { tab, close } = await opened(`/site/${process.env.THRONG_PICTURE_OF}`, isReady, { viewport: { width: 1280, height: 800 } });
    await tab.screenshot({ path: process.env.THRONG_PICTURE });
    await close();
});
assert.ok(existsSync("site/index.html"), "there is no site: run scripts/site first");
