// Who else could answer: all pairs that touch, found as the page of each library advises for boxes that all move, or by hand.
// PEERS has the files of the libraries that whoever made the site put beside this page.
import { PEERS } from "./peers.js";

const MOST_AGAINST_ALL = 30_000;
const libraries = { flatbush: "Flatbush", rbush: "RBush", kdbush: "KDBush", "d3-quadtree": "d3" };
export const ANSWERERS = ["Throng", ...Object.keys(libraries).filter((name) => name in PEERS), "a plain grid", "all against all"];

const script = (file) => new Promise((done, failed) => {
    const element = document.createElement("script");
    Object.assign(element, { src: file, onload: done, onerror: () => failed(new Error(`${file} did not load`)) });
    document.head.append(element);
});

const largestOf = ({ radius, count }) => radius.subarray(0, count).reduce((most, each) => Math.max(most, each), 0);
/** Corners in floats, as Throng rounds them. */
function cornersOf({ x, y, radius, count }) {
    const [left, top, right, bottom] = Array.from({ length: 4 }, () => new Float32Array(count));
    for (let i = 0; i < count; ++i) {
        left[i] = x[i] - radius[i];
        top[i] = y[i] - radius[i];
        right[i] = x[i] + radius[i];
        bottom[i] = y[i] + radius[i];
    }
    return { left, top, right, bottom };
}
const touch = ({ left, top, right, bottom }, a, b) => left[a] <= right[b] && right[a] >= left[b] && top[a] <= bottom[b] && bottom[a] >= top[b];

/** Each returns how many pairs touch. */
const ways = {
    flatbush({ count }, { left, top, right, bottom }, Flatbush) {
        const index = new Flatbush(count, 16, Float32Array);
        for (let i = 0; i < count; ++i) index.add(left[i], top[i], right[i], bottom[i]);
        index.finish();
        let pairs = 0;
        for (let i = 0; i < count; ++i) pairs += index.search(left[i], top[i], right[i], bottom[i], (j) => j > i).length;
        return pairs;
    },
    rbush({ count }, { left, top, right, bottom }, RBush) {
        const boxes = Array.from({ length: count }, (_, i) => ({ minX: left[i], minY: top[i], maxX: right[i], maxY: bottom[i], i }));
        const index = new RBush();
        index.load(boxes);
        let pairs = 0;
        for (const box of boxes) for (const other of index.search(box)) pairs += other.i > box.i ? 1 : 0;
        return pairs;
    },
    kdbush(agents, corners, KDBush) {
        const { x, y, radius, count } = agents, index = new KDBush(count, 64, Float32Array), largest = largestOf(agents);
        for (let i = 0; i < count; ++i) index.add(x[i], y[i]);
        index.finish();
        let pairs = 0;
        for (let i = 0; i < count; ++i) {
            const reach = radius[i] + largest + 0.01;
            for (const j of index.range(x[i] - reach, y[i] - reach, x[i] + reach, y[i] + reach)) pairs += j > i && touch(corners, i, j) ? 1 : 0;
        }
        return pairs;
    },
    "d3-quadtree"(agents, corners, d3) {
        const { x, y, radius, count } = agents, largest = largestOf(agents);
        const tree = d3.quadtree(Array.from({ length: count }, (_, i) => i), (i) => x[i], (i) => y[i]);
        let pairs = 0;
        for (let i = 0; i < count; ++i) {
            const reach = radius[i] + largest + 0.01;
            tree.visit((node, left, top, right, bottom) => {
                if (!node.length) do { if (node.data > i && touch(corners, i, node.data)) ++pairs; } while ((node = node.next));
                return left > x[i] + reach || right < x[i] - reach || top > y[i] + reach || bottom < y[i] - reach;
            });
        }
        return pairs;
    },
    "a plain grid"(agents, corners) {
        const { x, y, radius, side, count } = agents, wide = Math.max(2 * largestOf(agents), 1), columns = Math.max(1, Math.ceil(side / wide) + 1);
        const at = (value) => Math.min(Math.max(Math.floor(value / wide), 0), columns - 1);
        const first = new Int32Array(columns * columns).fill(-1), next = new Int32Array(count);
        let pairs = 0;
        for (let i = 0; i < count; ++i) {
            const column = at(x[i]), row = at(y[i]);
            for (let r = Math.max(row - 1, 0); r <= Math.min(row + 1, columns - 1); ++r)
                for (let c = Math.max(column - 1, 0); c <= Math.min(column + 1, columns - 1); ++c)
                    for (let j = first[r * columns + c]; j >= 0; j = next[j]) pairs += touch(corners, i, j) ? 1 : 0;
            next[i] = first[row * columns + column];
            first[row * columns + column] = i;
        }
        return pairs;
    },
    "all against all"(agents, corners) {
        let pairs = 0;
        for (let i = 0; i < agents.count; ++i) for (let j = 0; j < i; ++j) pairs += touch(corners, i, j) ? 1 : 0;
        return pairs;
    },
};

export class Answerer {
    name = "Throng";
    async choose(name) {
        this.name = "Throng";
        this.took = undefined;
        if (name in libraries) {
            if (globalThis[libraries[name]] === undefined) await script(PEERS[name]);
            this.library = globalThis[libraries[name]].default ?? globalThis[libraries[name]];
        }
        this.name = name;
    }
    /** Answers for the agents as they are, if it can; whether it did. */
    answer(agents) {
        this.refused = this.name === "all against all" && agents.count > MOST_AGAINST_ALL;
        if (this.name === "Throng" || this.refused) return false;
        const begin = performance.now();
        this.pairs = ways[this.name](agents, cornersOf(agents), this.library);
        this.took = performance.now() - begin;
        return true;
    }
    said(expected) {
        if (this.name === "Throng") return "";
        if (this.refused) return `All against all is for at most ${MOST_AGAINST_ALL.toLocaleString("en")} agents here.`;
        const is = this.pairs === expected ? "as many as Throng finds" : `and Throng ${expected.toLocaleString("en")}`;
        return `${this.name} finds ${this.pairs.toLocaleString("en")} pairs, ${is}.`;
    }
}
