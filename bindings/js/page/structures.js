// What the lines over the scene are of: the engine's rows, cells and islands, or the nodes and cells of a small structure, which is then
// given all agents in every frame, beside the engine.
export const STRUCTURES = ["quadtree", "loose quadtree", "loose grid", "uniform grid", "row grid", "grid hierarchy", "static index"];
export const LINES = ["none", "engine", ...STRUCTURES];
const NUMBERS = 6;  // a part has

export class Structure {
    constructor(native) {
        this.native = native;
        this.kind = "none";
    }
    choose(kind) {
        this.kind = kind;
        this.made = undefined;
        this.pairs = -1;
    }
    get isOne() { return STRUCTURES.includes(this.kind); }

    /** All agents of the frame, as a host assigns them whose agents all move. */
    update(frame, agents) {
        if (!this.isOne) return;
        const { native } = this, key = `${agents.side} ${agents.count}`;
        if (this.made !== key) {
            const largest = agents.radius.subarray(0, agents.count).reduce((most, radius) => Math.max(most, radius), 0.5);
            native.page_structure_make(STRUCTURES.indexOf(this.kind), agents.side, agents.count, 2 * largest);
            this.made = key;
        }
        native.page_structure_read(frame.pointer);
        const begin = performance.now();
        native.page_structure_assign();
        this.assignTook = performance.now() - begin;
        this.pairs = native.page_structure_pairs();
        this.pairsTook = performance.now() - begin - this.assignTook;
    }
    said(expected, isCrossing) {
        if (!this.isOne) return "";
        const words = `The ${this.kind} takes ${this.assignTook.toFixed(1)} ms for all agents and ${this.pairsTook.toFixed(1)} ms for its `
            + `${this.pairs.toLocaleString("en")} pairs`;
        const are = isCrossing ? "of boxes that touch" : this.pairs === expected ? "as many as the engine finds"
            : this.kind === "uniform grid" ? "candidates: its boxes are as large as the largest" : "which is not what the engine finds";
        return `${words}, ${are}.`;
    }

    /** Parts, six numbers each: a box, what it is, and its cells. A view that is there until the module is called again. */
    lines(frame) {
        if (this.kind === "none") return [];
        const { native } = this;
        const count = this.isOne ? native.page_parts_of_structure() : native.page_parts_of_frame(frame.pointer);
        return new Float32Array(native.memory.buffer, native.page_parts(), NUMBERS * count);
    }
}
