// A crowd in steps, what it is asked, and brute force's answers.
//
// All coordinates are multiples of 1/64 and all radii whole numbers. So squared distances are exact in floats too, and answers are
// compared to the last bit, with no tolerance.
export const GRAIN = 64, RADIUS = 2, NEAREST = 8, QUERY_HALF = 2, STEPS = 8, SINGLES = 1000;

// xorshift: the same worlds on every machine.
function randomOf(seed) {
    let state = seed;
    return (bound) => {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        return (state >>> 0) % bound;
    };
}

// A square with one agent to four units of area, about 18 % of it covered; each moves at most half a unit a step.
export class World {
    constructor(agents) {
        this.agents = agents;
        this.random = randomOf(7);
        this.side = Math.floor(2 * Math.sqrt(agents) + 1) * GRAIN;
        this.all = Uint32Array.from({ length: agents }, (_, i) => i);
        const half = () => Float32Array.from(this.all, () => (20 + this.random(16)) / GRAIN);
        this.halfX = half();
        this.halfY = half();
        this.singles = Uint32Array.from({ length: SINGLES }, () => this.random(agents));
        const place = () => Float32Array.from(this.all, () => this.random(this.side + 1) / GRAIN);
        this.start = { x: place(), y: place() };
        this.crowd = [];
        this.few = [];
    }

    // All agents move. The world repeats itself after a few steps.
    ofCrowd(turn) {
        while (this.crowd.length < Math.min(turn + 1, STEPS)) this.crowd.push(this.after(this.crowd, this.all));
        return this.crowd[turn % STEPS];
    }

    // One agent in a hundred moves.
    ofFew(turn) {
        while (this.few.length < turn + 1) {
            const who = new Set();
            while (who.size < Math.max(Math.floor(this.agents / 100), 1)) who.add(this.random(this.agents));
            this.few.push(this.after(this.few, Uint32Array.from(who)));
        }
        return this.few[turn];
    }

    after(earlier, moved) {
        const from = earlier.at(-1) ?? this.start, x = from.x.slice(), y = from.y.slice(), last = this.side / GRAIN;
        for (const i of moved) {
            x[i] = Math.min(Math.max(x[i] + (this.random(GRAIN + 1) - GRAIN / 2) / GRAIN, 0), last);
            y[i] = Math.min(Math.max(y[i] + (this.random(GRAIN + 1) - GRAIN / 2) / GRAIN, 0), last);
        }
        // The order in which those who ask one after the other are near each other: rows two high, each from left to right.
        const row = (i) => Math.floor(y[i] / 2), inRows = this.all.slice().sort((i, j) => row(i) - row(j) || x[i] - x[j]);
        return { x, y, halfX: this.halfX, halfY: this.halfY, moved, inRows };
    }
}

export const apart = (step, i, j) => (step.x[i] - step.x[j]) ** 2 + (step.y[i] - step.y[j]) ** 2;
export const within = (step, i, j) => apart(step, i, j) <= RADIUS * RADIUS;
export const touch = (step, i, j) => Math.abs(step.x[i] - step.x[j]) <= step.halfX[i] + step.halfX[j]
    && Math.abs(step.y[i] - step.y[j]) <= step.halfY[i] + step.halfY[j];
export const inQuery = (step, i, j) => Math.abs(step.x[i] - step.x[j]) <= QUERY_HALF + step.halfX[j]
    && Math.abs(step.y[i] - step.y[j]) <= QUERY_HALF + step.halfY[j];

// An answer that does not depend on the order of lists: one number for each who asks and each whom it finds; of the nearest, one
// for each who asks and each squared distance.
export class Answer {
    constructor(step, task) {
        this.step = step;
        this.task = task;
        this.found = [];
    }

    // What agent i found, which may have itself in it.
    list(i, ids) {
        const { step, task, found } = this, agents = step.x.length;
        for (const j of ids) {
            if (j === i && task !== "boxes") continue;
            found.push(task === "nearest" ? i * 2 ** 24 + apart(step, i, j) * GRAIN * GRAIN : i * agents + j);
        }
    }

    pair(i, j) {
        this.found.push(Math.min(i, j) * this.step.x.length + Math.max(i, j));
    }

    keys() {
        return Float64Array.from(this.found).sort();
    }
}

const asks = { within, few: within, single: within, boxes: inQuery };

// The true answer.
export function bruteForce(task, step, who) {
    const answer = new Answer(step, task), agents = step.x.length, others = Array.from({ length: agents }, (_, i) => i);
    if (task === "touching") {
        for (let i = 0; i < agents; ++i) {
            for (let j = i + 1; j < agents; ++j) if (touch(step, i, j)) answer.pair(i, j);
        }
    } else {
        for (const i of who) {
            const nearer = (a, b) => apart(step, i, a) - apart(step, i, b);
            if (task === "nearest") answer.list(i, others.slice().sort(nearer).slice(0, NEAREST + 1));
            else answer.list(i, others.filter((j) => asks[task](step, i, j)));
        }
    }
    return answer.keys();
}
