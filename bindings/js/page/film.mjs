// Films the page in Chromium, for the head of the README: a circle that asks goes through a crowd with giants.
//
//     node film.mjs PAGE FILE.gif      in the folder of tests/make_host, which has Playwright
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [folder, file] = process.argv.slice(2), WIDTH = 440, HEIGHT = 440, FRAMES = 60, HUNDREDTHS = 8;

/** A GIF of few colours: each pixel is a number below 16 of the palette. Of each frame only the rows that changed are written. */
class Gif {
    constructor(palette) {
        this.parts = [Buffer.from("GIF89a"), this.words(WIDTH, HEIGHT), Buffer.from([0xf3, 0, 0])];
        const colours = Buffer.alloc(48);
        palette.forEach((colour, k) => colours.set(colour, 3 * k));
        this.parts.push(colours, Buffer.from([0x21, 0xff, 11]), Buffer.from("NETSCAPE2.0"), Buffer.from([3, 1, 0, 0, 0]));
    }
    words(...numbers) {
        const found = Buffer.alloc(2 * numbers.length);
        numbers.forEach((number, k) => found.writeUInt16LE(number, 2 * k));
        return found;
    }
    /** What is as it was becomes the last colour, which is seen through, so that equal pixels follow each other. */
    add(pixels) {
        const shown = this.before === undefined ? pixels : pixels.map((pixel, k) => (pixel === this.before[k] ? 15 : pixel));
        this.before = pixels;
        this.parts.push(Buffer.from([0x21, 0xf9, 4, 0x05]), this.words(HUNDREDTHS), Buffer.from([15, 0, 0x2c]),
            this.words(0, 0, WIDTH, HEIGHT), Buffer.from([0, 4]), this.packed(shown));
    }
    /** Lempel, Ziv and Welch's, in blocks of at most 255 bytes. */
    packed(pixels) {
        const CLEAR = 16, END = 17, bytes = [];
        let codes = new Map(), next = 18, bits = 5, held = 0, count = 0;
        const write = (code) => {
            held |= code << count;
            for (count += bits; count >= 8; count -= 8, held >>>= 8) bytes.push(held & 255);
        };
        write(CLEAR);
        let run = pixels[0];
        for (let k = 1; k < pixels.length; ++k) {
            const key = run * 16 + pixels[k], known = codes.get(key);
            if (known !== undefined) {
                run = known;
                continue;
            }
            write(run);
            run = pixels[k];
            if (next === 4096) {
                write(CLEAR);
                codes = new Map();
                next = 18;
                bits = 5;
                continue;
            }
            codes.set(key, next++);
            if (next > 1 << bits && bits < 12) ++bits;
        }
        write(run);
        write(END);
        if (count > 0) bytes.push(held & 255);
        const blocks = [];
        for (let k = 0; k < bytes.length; k += 255) blocks.push(Buffer.from([Math.min(255, bytes.length - k)]), Buffer.from(bytes.slice(k, k + 255)));
        return Buffer.concat([...blocks, Buffer.from([0])]);
    }
    end() { return Buffer.concat([...this.parts, Buffer.from([0x3b])]); }
}

const PALETTE = [[15, 18, 26], [107, 140, 184], [255, 140, 51], [255, 255, 89], [200, 100, 40], [60, 78, 104], [160, 160, 60], [34, 44, 58],
    [50, 66, 86], [90, 110, 140], [220, 220, 120], [130, 75, 35], [230, 234, 242], [80, 80, 40], [24, 30, 42], [0, 0, 0]];
const KINDS = { html: "text/html", css: "text/css", js: "text/javascript", mjs: "text/javascript" };
const server = createServer((request, response) => {
    const path = join(folder, new URL(request.url, "http://localhost").pathname.replace(/^\/$/, "/index.html"));
    response.writeHead(existsSync(path) ? 200 : 404, { "Content-Type": KINDS[path.split(".").pop()] ?? "application/octet-stream" });
    response.end(existsSync(path) ? readFileSync(path) : "");
});
await new Promise((done) => server.listen(0, done));
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--headless", "--no-sandbox"] });
const tab = await browser.newPage({ viewport: { width: 1000, height: 1000 } });
await tab.goto(`http://localhost:${server.address().port}/#count=2500&scenario=giants&seed=3&draw=canvas&pause=1&tool=circle`);
await tab.waitForFunction(() => globalThis.page !== undefined);
// The scene as large as the film, and the world as wide as it.
await tab.addStyleTag({ content: `#scene { width: ${WIDTH}px !important; height: ${HEIGHT}px !important; }` });
await tab.evaluate(() => { for (let k = 0; k < 60; ++k) page.step(); });

const gif = new Gif(PALETTE);
for (let k = 0; k < FRAMES; ++k) {
    const text = await tab.evaluate(([k, frames, palette]) => {
        page.step();
        page.step();
        const turn = 2 * Math.PI * k / frames, half = page.agents.side / 2;
        const x = half * (1 + 0.6 * Math.cos(turn)), y = half * (1 + 0.5 * Math.sin(turn));
        page.asks({ kind: "circle", x, y, toX: x + half * 0.3, toY: y });
        page.draw();
        const both = ["picture", "over"].map((id) => document.getElementById(id)), { width, height } = both[0];
        const film = document.createElement("canvas");
        [film.width, film.height] = [width, height];
        const context = film.getContext("2d", { willReadFrequently: true });
        for (const each of both) context.drawImage(each, 0, 0);
        const data = context.getImageData(0, 0, width, height).data, nearest = new Map();
        let text = "";
        for (let at = 0; at < data.length; at += 4) {
            const key = data[at] << 16 | data[at + 1] << 8 | data[at + 2];
            if (!nearest.has(key)) {
                const far = palette.map(([r, g, b]) => (data[at] - r) ** 2 + (data[at + 1] - g) ** 2 + (data[at + 2] - b) ** 2);
                nearest.set(key, far.indexOf(Math.min(...far.slice(0, 15))));
            }
            text += nearest.get(key).toString(16);
        }
        return text;
    }, [k, FRAMES, PALETTE]);
    gif.add(Uint8Array.from(text, (digit) => parseInt(digit, 16)));
}
await browser.close();
server.close();
writeFileSync(file, gif.end());
console.log(`${file}: ${gif.end().length} bytes`);
