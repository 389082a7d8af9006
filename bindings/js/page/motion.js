// The agents and how they move, in floats: every step is rounded as C does it, so that twin.c, which is the same for this machine's
// library, comes to the same agents and the same pairs. No sine is in it, since no two libraries agree about that.
const f = Math.fround;

export const SCENARIOS = ["crowd", "clustered", "crossing", "pile", "giants", "villages"];
export const MOST = 1_000_000;

/** A world as wide as that many agents of it want. */
export const sideOf = (count) => f(Math.ceil(f(Math.sqrt(f(count)))) * 2);

export class Agents {
    constructor() {
        this.count = 0;
        this.room = 0;
        this.side = 0;
        /** The page's module, which moves the crowd of the crossing. */
        this.native = undefined;
        this.isCrossing = false;
        /** More scenes, by name, which fill and move the agents by themselves; and their houses. */
        this.scenes = {};
        this.houses = [];
        /** Another number when radii are others. */
        this.filled = 0;
    }
    /** So that arrays are there for more: the brush pours agents in. */
    #reserve(count) {
        if (count <= this.room) return;
        this.room = Math.min(MOST, Math.max(count, this.room * 2));
        for (const name of ["x", "y", "vx", "vy", "radius"]) {
            const more = new Float32Array(this.room);
            if (this[name] !== undefined) more.set(this[name].subarray(0, this.count));
            this[name] = more;
        }
        this.touches = new Uint8Array(this.room);
        this.views = undefined;
    }
    any(most) {
        this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
        return f(f(f(this.state >>> 8) / 16777216) * f(most));
    }
    fill(scenario, count, seed) {
        this.#reserve(count);
        this.state = seed >>> 0;
        this.isCrossing = scenario === "crossing";
        ++this.filled;
        this.houses = [];
        this.scene = this.scenes[scenario];
        this.views = undefined;
        if (this.isCrossing) return this.#cross(count);
        if (this.scene !== undefined) return this.scene.fill(this, count);
        this.side = sideOf(count);
        this.count = count;
        this.views = undefined;
        const side = this.side, half = f(side / 2);
        for (let i = 0; i < count; ++i) {
            let x = this.any(side), y = this.any(side), vx = f(this.any(0.2) - f(0.1)), vy = f(this.any(0.2) - f(0.1)), radius = 0.5;
            const which = this.any(1);
            if (scenario === "clustered" || scenario === "villages") {
                // Around one of so many places, which follow from a number alone.
                const places = scenario === "villages" ? 9 : 40, wide = f(side / f(scenario === "villages" ? 12 : 8));
                const place = Math.floor(f(which * f(places)));
                x = f(f(f(f((place * 37) % places) / f(places)) * f(side * f(0.85))) + f(f(x / side) * wide));
                y = f(f(f(f((place * 23 + 5) % places) / f(places)) * f(side * f(0.85))) + f(f(y / side) * wide));
            } else if (scenario === "pile") {
                x = f(half + f(f(x - half) / 8));
                y = f(half + f(f(y - half) / 8));
            } else if (scenario === "giants" && i % 200 === 0) {
                radius = f(2 + f(which * 10));
            }
            this.x[i] = x;
            this.y[i] = y;
            this.vx[i] = vx;
            this.vy[i] = vy;
            this.radius[i] = radius;
        }
    }
    /** A crowd that avoids collisions, and is the same for each seed. */
    #cross(count) {
        this.side = this.native.page_crowd_make(count);
        this.due = 0;
        this.wanted = count;
        this.#take(count);
    }
    #take(count) {
        if (this.count !== count) ++this.filled;
        this.count = count;
        this.views = undefined;
        ["x", "y", "vx", "vy", "radius"].forEach((name, k) => {
            this[name].set(new Float32Array(this.native.memory.buffer, this.native.page_crowd_array(k), count));
        });
    }
    /** Of the crossing and of other scenes: the houses, four numbers each. */
    get walls() {
        if (!this.isCrossing) return this.houses;
        const { memory, page_crowd_array: array, page_crowd_walls: count } = this.native;
        return new Float32Array(memory.buffer, array(5), 4 * count());
    }
    #walk(speed) {
        for (this.due += speed; this.due >= 1; --this.due) this.#take(this.native.page_crowd_step());
        // When all have arrived it begins again.
        if (this.count === 0) this.#cross(this.wanted);
        this.touches.fill(0, 0, this.count);
    }
    /** A few more, around a place. */
    pour(x, y, count) {
        if (this.isCrossing || this.scene !== undefined) return;
        const first = this.count;
        ++this.filled;
        this.#reserve(Math.min(MOST, first + count));
        this.count = Math.min(this.room, first + count);
        this.views = undefined;
        for (let i = first; i < this.count; ++i) {
            this.x[i] = f(x + f(this.any(6) - 3));
            this.y[i] = f(y + f(this.any(6) - 3));
            this.vx[i] = f(this.any(0.2) - f(0.1));
            this.vy[i] = f(this.any(0.2) - f(0.1));
            this.radius[i] = 0.5;
        }
    }
    /** What an update takes: the same object and views, as long as there are as many agents. */
    boxes() {
        return (this.views ??= {
            x: this.x.subarray(0, this.count), y: this.y.subarray(0, this.count), radius: this.radius.subarray(0, this.count),
        });
    }
    /** Each goes on, and back from the walls. */
    move(speed) {
        if (this.isCrossing) return this.#walk(speed);
        if (this.scene !== undefined) return this.scene.move(this, speed);
        const { x, y, vx, vy, side, count } = this, pace = f(speed);
        for (let i = 0; i < count; ++i) {
            let at = f(x[i] + f(vx[i] * pace));
            if (at < 0) {
                at = 0;
                vx[i] = Math.abs(vx[i]);
            } else if (at > side) {
                at = side;
                vx[i] = -Math.abs(vx[i]);
            }
            x[i] = at;
            at = f(y[i] + f(vy[i] * pace));
            if (at < 0) {
                at = 0;
                vy[i] = Math.abs(vy[i]);
            } else if (at > side) {
                at = side;
                vy[i] = -Math.abs(vy[i]);
            }
            y[i] = at;
        }
        this.touches.fill(0, 0, count);
    }
    /** Two that touch and come nearer exchange where they go. A method that is kept, since each frame passes it on. */
    bounce = (a, b) => {
        const { x, y, vx, vy, touches } = this;
        touches[a] = touches[b] = 1;
        if (this.isCrossing) return;
        const near = f(f(f(x[b] - x[a]) * f(vx[b] - vx[a])) + f(f(y[b] - y[a]) * f(vy[b] - vy[a])));
        if (near >= 0) return;
        const ax = vx[a], ay = vy[a];
        vx[a] = vx[b];
        vy[a] = vy[b];
        vx[b] = ax;
        vy[b] = ay;
    };
}
