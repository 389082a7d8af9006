// The package of Throng, and the indexes that JavaScript has: kdbush, flatbush, rbush, d3-quadtree, and a grid by hand.
//
// Each peer is a class: `index` makes what is asked, `move` makes it again after a step or brings it up to date. A method by the name of
// a task answers that task, returns how many it found, and gives them to `answer` where that is there. A peer without that method has
// no such call. Where agents are boxes, the methods are indexOfBoxes and moveBoxes.
import { NEAREST, QUERY_HALF, RADIUS, inQuery, touch, within } from "./worlds.mjs";

class Peer {
    constructor(name, found, settings) {
        Object.assign(this, { name, module: found.module, version: found.version, settings });
    }
    move(index, step) {
        return this.index(step);
    }
    moveFew(index, step) {
        return this.move(index, step);
    }
    indexOfBoxes(step) {
        return this.index(step);
    }
    moveBoxes(index, step) {
        return this.indexOfBoxes(step);
    }
    few(index, step, who, answer) {
        return this.within(index, step, who, answer);
    }
    single(index, step, who, answer) {
        return this.within(index, step, who, answer);
    }
}

export class Throng extends Peer {
    constructor(found) {
        super("throng", found, "WebAssembly with vectors; update for all agents, move and commit for few; objects are kept");
        this.asksForAll = true;  // in one call, so that there is no order in which they ask
        const { Hits, Neighbours, Pairs } = this.module;
        this.pairs = new Pairs();
        this.hits = new Hits();
        this.lists = new Neighbours();
    }
    index(step) {
        return this.move({ engine: new this.module.Engine(), frame: undefined }, step);
    }
    move(index, step) {
        index.engine.update({ x: step.x, y: step.y, radius: 0 });
        index.frame = index.engine.frame(index.frame);
        return index;
    }
    moveFew(index, step) {
        const at = (all) => Float32Array.from(step.moved, (i) => all[i]);
        index.engine.move(step.moved, { x: at(step.x), y: at(step.y), radius: 0 });
        index.engine.commit();
        index.frame = index.engine.frame(index.frame);
        return index;
    }
    indexOfBoxes(step) {
        return this.moveBoxes({ engine: new this.module.Engine(), frame: undefined }, step);
    }
    moveBoxes(index, step) {
        index.engine.update({ x: step.x, y: step.y, halfX: step.halfX, halfY: step.halfY });
        index.frame = index.engine.frame(index.frame);
        return index;
    }
    listed(lists, who, answer) {
        if (answer) for (let k = 0; k < who.length; ++k) answer.list(who[k], lists.list(k));
        return lists.ids.length;
    }
    within({ frame }, step, who, answer) {
        return this.listed(frame.neighbours({ radius: RADIUS }, {}, this.lists), who, answer);
    }
    few({ frame }, step, who, answer) {
        const at = (all) => Float32Array.from(who, (i) => all[i]);
        const wanted = { radius: RADIUS, points: { x: at(step.x), y: at(step.y) } };
        return this.listed(frame.neighbours(wanted, {}, this.lists), who, answer);
    }
    single({ frame }, step, who, answer) {
        let found = 0;
        for (const i of who) {
            const ids = frame.neighboursWithinAt(step.x[i], step.y[i], { radius: RADIUS }).id;
            found += ids.length;
            answer?.list(i, ids);
        }
        return found;
    }
    nearest({ frame }, step, who, answer) {
        return this.listed(frame.neighbours({ count: NEAREST }, {}, this.lists), who, answer);
    }
    boxes({ frame }, step, who, answer) {
        return this.listed(frame.overlapsOf({ x: step.x, y: step.y, radius: QUERY_HALF }, {}, this.hits), who, answer);
    }
    touching({ frame }, step, who, answer) {
        frame.pairs({}, this.pairs);
        if (answer) this.pairs.forEach((a, b) => answer.pair(a, b));
        return this.pairs.size;
    }
}

export class KDBush extends Peer {
    constructor(found, name = "kdbush") {
        super(name, found, "Float32Array, node size 64");
    }
    index(step) {
        const index = new this.module.default(step.x.length, 64, Float32Array);
        for (let i = 0; i < step.x.length; ++i) index.add(step.x[i], step.y[i]);
        index.finish();
        return index;
    }
    within(index, step, who, answer) {
        let found = 0;
        for (const i of who) {
            const ids = index.within(step.x[i], step.y[i], RADIUS);
            found += ids.length;
            answer?.list(i, ids);
        }
        return found;
    }
}

// throng2d/kdbush, whose index may be filled again.
export class DropIn extends KDBush {
    constructor(found) {
        super(found, "throng.kdbush");
        this.settings = "Float32Array, filled again";
    }
    move(index, step) {
        for (let i = 0; i < step.x.length; ++i) index.add(step.x[i], step.y[i]);
        return index.finish();
    }
}

export class Flatbush extends Peer {
    constructor(found) {
        super("flatbush", found, "Float32Array, node size 16; a filter for circles");
    }
    index(step) {
        const index = new this.module.default(step.x.length, 16, Float32Array);
        for (let i = 0; i < step.x.length; ++i) index.add(step.x[i], step.y[i]);
        index.finish();
        return index;
    }
    indexOfBoxes({ x, y, halfX, halfY }) {
        const index = new this.module.default(x.length, 16, Float32Array);
        for (let i = 0; i < x.length; ++i) index.add(x[i] - halfX[i], y[i] - halfY[i], x[i] + halfX[i], y[i] + halfY[i]);
        index.finish();
        return index;
    }
    within(index, step, who, answer) {
        const { x, y } = step;
        let found = 0;
        for (const i of who) {
            const ids = index.search(x[i] - RADIUS, y[i] - RADIUS, x[i] + RADIUS, y[i] + RADIUS, (j) => within(step, i, j));
            found += ids.length;
            answer?.list(i, ids);
        }
        return found;
    }
    nearest(index, { x, y }, who, answer) {
        let found = 0;
        for (const i of who) {
            const ids = index.neighbors(x[i], y[i], NEAREST + 1);
            found += ids.length;
            answer?.list(i, ids);
        }
        return found;
    }
    boxes(index, { x, y }, who, answer) {
        let found = 0;
        for (const i of who) {
            const ids = index.search(x[i] - QUERY_HALF, y[i] - QUERY_HALF, x[i] + QUERY_HALF, y[i] + QUERY_HALF);
            found += ids.length;
            answer?.list(i, ids);
        }
        return found;
    }
    touching(index, { x, y, halfX, halfY }, who, answer) {
        let found = 0;
        for (const i of who) {
            const ids = index.search(x[i] - halfX[i], y[i] - halfY[i], x[i] + halfX[i], y[i] + halfY[i], (j) => j > i);
            found += ids.length;
            if (answer) for (const j of ids) answer.pair(i, j);
        }
        return found;
    }
}

export class RBush extends Peer {
    constructor(found) {
        super("rbush", found, "load for all agents, remove and insert for few; 9 entries a node");
    }
    index({ x, y }) {
        return this.loaded(Array.from(x, (_, i) => ({ minX: x[i], minY: y[i], maxX: x[i], maxY: y[i], i })));
    }
    indexOfBoxes({ x, y, halfX, halfY }) {
        return this.loaded(Array.from(x, (_, i) => (
            { minX: x[i] - halfX[i], minY: y[i] - halfY[i], maxX: x[i] + halfX[i], maxY: y[i] + halfY[i], i })));
    }
    loaded(items) {
        return { tree: new this.module.default().load(items), items };
    }
    moveFew(index, { x, y, moved }) {
        for (const i of moved) {
            index.tree.remove(index.items[i]);
            index.tree.insert(index.items[i] = { minX: x[i], minY: y[i], maxX: x[i], maxY: y[i], i });
        }
        return index;
    }
    within(index, step, who, answer) {
        let found = 0;
        for (const i of who) {
            const items = this.around(index, step, i, RADIUS).filter((item) => within(step, i, item.i));
            found += items.length;
            answer?.list(i, items.map((item) => item.i));
        }
        return found;
    }
    boxes(index, step, who, answer) {
        let found = 0;
        for (const i of who) {
            const items = this.around(index, step, i, QUERY_HALF);
            found += items.length;
            answer?.list(i, items.map((item) => item.i));
        }
        return found;
    }
    touching({ tree, items }, step, who, answer) {
        let found = 0;
        for (const i of who) {
            for (const { i: j } of tree.search(items[i])) {
                if (j <= i) continue;
                ++found;
                answer?.pair(i, j);
            }
        }
        return found;
    }
    around({ tree }, { x, y }, i, half) {
        return tree.search({ minX: x[i] - half, minY: y[i] - half, maxX: x[i] + half, maxY: y[i] + half });
    }
}

export class D3 extends Peer {
    constructor(found) {
        super("d3-quadtree", found, "addAll for all agents, remove and add for few; visit");
    }
    index({ x, y }) {
        const items = Array.from(x, (_, i) => ({ x: x[i], y: y[i], i }));
        return { tree: this.module.quadtree(items, (item) => item.x, (item) => item.y), items };
    }
    moveFew(index, { x, y, moved }) {
        for (const i of moved) {
            index.tree.remove(index.items[i]);
            index.tree.add(index.items[i] = { x: x[i], y: y[i], i });
        }
        return index;
    }
    within({ tree }, step, who, answer) {
        let found = 0;
        for (const i of who) {
            const ids = this.circle(tree, step, i);
            found += ids.length;
            answer?.list(i, ids);
        }
        return found;
    }
    circle(tree, step, i) {
        const ids = [], left = step.x[i] - RADIUS, right = step.x[i] + RADIUS, low = step.y[i] - RADIUS, high = step.y[i] + RADIUS;
        tree.visit((node, x0, y0, x1, y1) => {
            if (!node.length) {
                for (let leaf = node; leaf; leaf = leaf.next) if (within(step, i, leaf.data.i)) ids.push(leaf.data.i);
            }
            return x0 > right || x1 < left || y0 > high || y1 < low;
        });
        return ids;
    }
}

// Cells as wide as what is asked, in typed arrays that are kept: a sort by counting, and nine cells for each query.
export class Grid extends Peer {
    constructor() {
        super("grid", { version: process.version.slice(1) }, "by hand: typed arrays that are kept, cells as wide as what is asked");
    }
    begin(task, world) {
        const largest = 2 * Math.max(world.halfX.reduce((a, b) => Math.max(a, b)), world.halfY.reduce((a, b) => Math.max(a, b)));
        this.width = { boxes: QUERY_HALF + largest / 2, touching: largest }[task] ?? RADIUS;
        this.columns = Math.floor(2 * Math.sqrt(world.agents) / this.width) + 4;
        this.starts = new Uint32Array(this.columns * this.columns + 1);
        this.cells = new Uint32Array(world.agents);
        this.order = new Uint32Array(world.agents);
    }
    cellOf(x, y) {
        return (Math.floor(y / this.width) + 1) * this.columns + Math.floor(x / this.width) + 1;
    }
    index({ x, y }) {
        const { starts, cells, order } = this;
        starts.fill(0);
        for (let i = 0; i < x.length; ++i) ++starts[cells[i] = this.cellOf(x[i], y[i])];
        for (let cell = 1; cell < starts.length; ++cell) starts[cell] += starts[cell - 1];
        for (let i = x.length - 1; i >= 0; --i) order[--starts[cells[i]]] = i;
        return this;
    }
    // The agents in the nine cells around agent i of which `test` is true.
    around(step, i, test) {
        const ids = [], { starts, order, columns } = this;
        for (let first = this.cells[i] - columns - 1, row = 0; row < 3; ++row, first += columns) {
            for (let k = starts[first]; k < starts[first + 3]; ++k) if (test(step, i, order[k])) ids.push(order[k]);
        }
        return ids;
    }
    listed(step, who, test, answer) {
        let found = 0;
        for (const i of who) {
            const ids = this.around(step, i, test);
            found += ids.length;
            answer?.list(i, ids);
        }
        return found;
    }
    within(index, step, who, answer) {
        return this.listed(step, who, within, answer);
    }
    boxes(index, step, who, answer) {
        return this.listed(step, who, inQuery, answer);
    }
    touching(index, step, who, answer) {
        let found = 0;
        for (const i of who) {
            for (const j of this.around(step, i, (at, a, b) => b > a && touch(at, a, b))) {
                ++found;
                answer?.pair(i, j);
            }
        }
        return found;
    }
}
