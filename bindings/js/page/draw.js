// The picture: one point an agent, as a disc, by WebGL 2; where there is none, on a canvas, as many as that can take. Instances of a
// square took a renderer in software 13 us each, and points take it a tenth of that.

const VERTEX = `#version 300 es
in float x, y, vx, vy, radius;
in float mark;
uniform vec2 centre, scale;
uniform float least, byHeading, pixels;
out vec3 colour;
vec3 wheel(float t) { return 0.55 + 0.4 * cos(6.2831853 * (t + vec3(0.0, 0.33, 0.67))); }
void main() {
    gl_PointSize = 2.0 * pixels * max(radius, least);
    gl_Position = vec4((vec2(x, y) - centre) * scale, mark >= 2.0 ? 0.0 : 0.5, 1.0);
    bool touches = mod(mark, 2.0) >= 1.0;
    // A branch, since a renderer in software else works out the wheel for all.
    if (byHeading > 0.5) colour = wheel(atan(vy, vx) / 6.2831853);
    else colour = touches ? vec3(1.0, 0.55, 0.2) : vec3(0.42, 0.55, 0.72);
    if (mark >= 2.0) colour = vec3(1.0, 1.0, 0.35);
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
in vec3 colour;
out vec4 pixel;
void main() {
    vec2 place = 2.0 * gl_PointCoord - 1.0;
    if (dot(place, place) > 1.0) discard;
    pixel = vec4(colour, 1.0);
}`;

function program(gl) {
    const made = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
        const shader = gl.createShader(kind);
        gl.shaderSource(shader, text);
        gl.compileShader(shader);
        if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
        gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    return made;
}

class ByWebGl {
    constructor(gl) {
        this.gl = gl;
        this.program = program(gl);
        gl.useProgram(this.program);
        this.buffers = {};
        this.room = 0;
        this.uniforms = {};
        for (const name of ["centre", "scale", "least", "byHeading", "pixels"]) this.uniforms[name] = gl.getUniformLocation(this.program, name);
    }
    #upload(name, array, count, kind) {
        const { gl } = this, at = gl.getAttribLocation(this.program, name);
        this.buffers[name] ??= gl.createBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
        if (this.fresh) gl.bufferData(gl.ARRAY_BUFFER, array.byteLength, gl.DYNAMIC_DRAW);
        gl.bufferSubData(gl.ARRAY_BUFFER, 0, array, 0, count);
        gl.enableVertexAttribArray(at);
        gl.vertexAttribPointer(at, 1, kind, false, 0, 0);
    }
    draw(agents, marks, view, width, height, isFound) {
        const { gl } = this;
        this.fresh = this.room !== agents.room;
        this.room = agents.room;
        for (const name of ["x", "y"]) this.#upload(name, agents[name], agents.count, gl.FLOAT);
        // What is as it was is there already: radii of the same agents, and headings that nobody sees.
        if (view.byHeading || this.fresh) for (const name of ["vx", "vy"]) this.#upload(name, agents[name], agents.count, gl.FLOAT);
        if (this.filled !== agents.filled || this.fresh) this.#upload("radius", agents.radius, agents.count, gl.FLOAT);
        this.filled = agents.filled;
        this.#upload("mark", marks, agents.count, gl.UNSIGNED_BYTE);
        // What was found lies above all others.
        (isFound ? gl.enable : gl.disable).call(gl, gl.DEPTH_TEST);
        gl.viewport(0, 0, width, height);
        gl.clearColor(0.06, 0.07, 0.1, 1);
        gl.clear(isFound ? gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT : gl.COLOR_BUFFER_BIT);
        gl.uniform2f(this.uniforms.centre, view.x, view.y);
        gl.uniform2f(this.uniforms.scale, 2 * view.scale / width, -2 * view.scale / height);
        gl.uniform1f(this.uniforms.least, 0.6 / view.scale);
        gl.uniform1f(this.uniforms.pixels, view.scale);
        gl.uniform1f(this.uniforms.byHeading, view.byHeading ? 1 : 0);
        gl.drawArrays(gl.POINTS, 0, agents.count);
    }
}

class ByCanvas {
    constructor(context) { this.context = context; }
    draw(agents, marks, view, width, height) {
        const { context } = this, every = Math.ceil(agents.count / 30_000);
        context.fillStyle = "#0f121a";
        context.fillRect(0, 0, width, height);
        for (const [wanted, colour] of [[0, "#6b8cb8"], [1, "#ff8c33"], [2, "#ffff59"]]) {
            context.fillStyle = colour;
            for (let i = 0; i < agents.count; i += marks[i] >= 2 ? 1 : every) {
                if (Math.min(marks[i], 2) !== wanted) continue;
                const size = Math.max(agents.radius[i] * view.scale, 0.6);
                context.fillRect((agents.x[i] - view.x) * view.scale + width / 2 - size,
                    (agents.y[i] - view.y) * view.scale + height / 2 - size, 2 * size, 2 * size);
            }
        }
    }
}

/** `kind` is webgl or canvas; a canvas has one kind of context for good. A browser may take WebGL away, and then calls `lost`. */
export function painter(canvas, kind, lost) {
    const gl = kind === "canvas" ? null : canvas.getContext("webgl2", { antialias: false, alpha: false });
    if (gl !== null) {
        canvas.addEventListener("webglcontextlost", lost, { once: true });
        return { kind: "webgl", painter: new ByWebGl(gl) };
    }
    return { kind: "canvas", painter: new ByCanvas(canvas.getContext("2d", { alpha: false, willReadFrequently: true })) };
}

// A row of the engine, an island, a node over its largest agents; a node of a structure, and a leaf or a cell.
const PARTS = ["rgba(140, 200, 255, 0.35)", "rgba(255, 120, 200, 0.9)", "rgba(120, 255, 160, 0.6)", "rgba(140, 200, 255, 0.5)", "rgba(140, 200, 255, 0.5)"];
const SMALLEST = 3;  // pixels: what is smaller is left out

/** Rows that lie on each other with the same cells, from part k on: lines between them, and of the cells once for all. The next part. */
function drawRows(context, parts, k, atX, atY) {
    const same = (next) => next < parts.length && parts[next + 4] === 0 && parts[next + 1] === parts[next - 3]
        && parts[next] === parts[k] && parts[next + 2] === parts[k + 2] && parts[next + 5] === parts[k + 5];
    const left = atX(parts[k]), right = atX(parts[k + 2]), top = atY(parts[k + 1]), cells = Math.max(parts[k + 5], 1);
    const line = (x, y, toX, toY) => {
        context.moveTo(x, y);
        context.lineTo(toX, toY);
    };
    let next = k, bottom;
    do {
        bottom = atY(parts[next + 3]);
        line(left, atY(parts[next + 1]), right, atY(parts[next + 1]));
        next += 6;
    } while (same(next));
    line(left, bottom, right, bottom);
    const every = (right - left) / cells < SMALLEST ? cells : 1;
    for (let cell = 0; cell <= cells; cell += every) line(left + cell * (right - left) / cells, top, left + cell * (right - left) / cells, bottom);
    return next;
}

function drawParts(context, parts, atX, atY, scale) {
    context.lineWidth = 1;
    PARTS.forEach((colour, wanted) => {
        context.strokeStyle = colour;
        context.beginPath();
        for (let k = 0; k < parts.length;) {
            const width = (parts[k + 2] - parts[k]) * scale, height = (parts[k + 3] - parts[k + 1]) * scale;
            if (parts[k + 4] === wanted && wanted === 0) {
                k = drawRows(context, parts, k, atX, atY);
                continue;
            }
            if (parts[k + 4] === wanted && (width >= SMALLEST || height >= SMALLEST)) context.rect(atX(parts[k]), atY(parts[k + 1]), width, height);
            k += 6;
        }
        context.stroke();
    });
}

/** Thousands of lines a frame. Where a program stands in for a graphics card, a canvas of that takes a second for them, and one in memory 50 ms. */
export const overContext = (canvas) => canvas.getContext("2d", { willReadFrequently: true });

/** Over the scene: parts of what answers, six numbers each; houses, four each; and what was asked. */
export function drawOver(context, view, width, height, parts, walls, asked) {
    // An empty canvas stays as it is, so that no browser puts it over the picture anew.
    const isEmpty = parts.length === 0 && walls.length === 0 && asked === null, wasEmpty = context.canvas.isEmpty;
    context.canvas.isEmpty = isEmpty;
    context.canvas.style.visibility = isEmpty ? "hidden" : "visible";
    if (isEmpty && wasEmpty) return;
    context.clearRect(0, 0, width, height);
    const atX = (x) => (x - view.x) * view.scale + width / 2, atY = (y) => (y - view.y) * view.scale + height / 2;
    context.fillStyle = "#2b3448";
    for (let k = 0; k < walls.length; k += 4)
        context.fillRect(atX(walls[k]), atY(walls[k + 1]), (walls[k + 2] - walls[k]) * view.scale, (walls[k + 3] - walls[k + 1]) * view.scale);
    if (parts.length !== 0) drawParts(context, parts, atX, atY, view.scale);
    if (asked === null) return;
    context.strokeStyle = "#ffff59";
    context.lineWidth = 2;
    context.beginPath();
    const { kind, x, y, toX, toY } = asked, reach = Math.hypot(toX - x, toY - y) * view.scale;
    if (kind === "box") context.rect(atX(Math.min(x, toX)), atY(Math.min(y, toY)), Math.abs(toX - x) * view.scale, Math.abs(toY - y) * view.scale);
    else if (kind === "circle" || kind === "radius") context.arc(atX(x), atY(y), reach, 0, 2 * Math.PI);
    else if (kind === "nearest") context.arc(atX(x), atY(y), 4, 0, 2 * Math.PI);
    else {
        context.moveTo(atX(x), atY(y));
        context.lineTo(atX(toX), atY(toY));
    }
    context.stroke();
}
