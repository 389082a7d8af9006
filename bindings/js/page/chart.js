// What frames take, in parts, one column a frame.
export const PARTS = ["motion", "update", "pairs", "draw"];
const COLOURS = { motion: "#7ad3a4", update: "#6ea8ff", pairs: "#ff9d5c", draw: "#c79bff" };
const FRAMES = 240;

export class Chart {
    constructor(canvas) {
        this.canvas = canvas;
        this.context = canvas.getContext("2d");
        this.times = new Float32Array(FRAMES * PARTS.length);
        this.sums = new Float64Array(FRAMES);
        this.sorted = new Float64Array(FRAMES);
        this.frames = 0;
    }
    add(motion, update, pairs, draw) {
        const at = this.frames++ % FRAMES, times = this.times;
        times[4 * at] = motion;
        times[4 * at + 1] = update;
        times[4 * at + 2] = pairs;
        times[4 * at + 3] = draw;
        this.sums[at] = motion + update + pairs + draw;
    }
    /** Of the frames that are shown, how much such a part of them takes at most. */
    quantile(part) {
        const shown = Math.min(this.frames, FRAMES);
        if (shown === 0) return 0;
        this.sorted.fill(Infinity);
        for (let k = 0; k < shown; ++k) this.sorted[k] = this.sums[k];
        this.sorted.sort();
        return this.sorted[Math.min(shown - 1, Math.floor(shown * part))];
    }
    mean(part) {
        const shown = Math.min(this.frames, FRAMES), k = PARTS.indexOf(part);
        let sum = 0;
        for (let i = 0; i < shown; ++i) sum += this.times[4 * i + k];
        return shown === 0 ? 0 : sum / shown;
    }
    draw() {
        const { context, canvas } = this, width = canvas.width / FRAMES, most = Math.max(this.quantile(0.99) * 1.2, 1);
        context.clearRect(0, 0, canvas.width, canvas.height);
        for (let k = 0; k < Math.min(this.frames, FRAMES); ++k) {
            let bottom = canvas.height;
            for (let part = 0; part < PARTS.length; ++part) {
                const tall = this.times[4 * k + part] / most * canvas.height;
                context.fillStyle = COLOURS[PARTS[part]];
                context.fillRect(k * width, bottom - tall, width, tall);
                bottom -= tall;
            }
        }
    }
}
