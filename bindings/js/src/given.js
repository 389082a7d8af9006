// Boxes, labels, points, shapes and casts from JavaScript: objects with arrays.
import { BOXES, CAST, LABELS, POINTS, SHAPE } from "./calls.js";
import { Held } from "./held.js";
import { c, countIn, f32, f64, isArray, needArray, number, putF32, putF64, putU32, store, take, ThrongError, u32, u8, unknownOption,
    whichOf, whole, wrong } from "./memory.js";

const FORMS = { minMax: 0, centreHalf: 1, points: 2, circles: 3, shapes: 4 };

export const sizeOf = (at) => u32[at + 8 >>> 2];

/** An object with members: no number, and none of the package's own objects, as it is if the first argument was forgotten. */
export function needObject(given, what, wanted = "an object with options") {
    if (typeof given !== "object" || given === null || given instanceof Held) throw wrong(what, wanted, given);
}
/** Any other name is misspelt. */
export function needMembers(given, what, names) {
    for (const key in given)
        if (given[key] !== undefined && !names.includes(key)) throw unknownOption(what, key, names.join(", "));
}

function sameLength(length, array, name) {
    if (array.length === length) return;
    throw new ThrongError("SIZE_MISMATCH", "BOXES", Math.min(length, array.length),
        `arrays that belong together differ in length: ${name} has ${array.length} elements, and the first has ${length}`);
}

const ORIGIN = ["originX", "originY"];

/** Floats, or else all doubles, in the members that `fields` names. */
function writeArrays(at, layout, given, names, fields) {
    const first = given[names[0]];
    const isDouble = isArray(first, "Float64Array");
    if (!isDouble && !isArray(first, "Float32Array")) throw wrong(names[0], "a Float32Array or a Float64Array", first);
    names.forEach((name, k) => {
        const array = given[name];
        const field = isDouble ? "double" + fields[k][0].toUpperCase() + fields[k].slice(1) : fields[k];
        store(at + layout[field], isDouble ? putF64(array, name) : putF32(array, name));
        sameLength(first.length, array, name);
    });
    f64[at + layout.originX >>> 3] = number(given.originX ?? 0, "originX");
    f64[at + layout.originY >>> 3] = number(given.originY ?? 0, "originY");
    u32[at + layout.count >>> 2] = first.length;
}

const CORNERS = ["x", "y", "lastX", "lastY"];
const OF_AGENTS = "an object: { x, y, radius }, { x, y, halfX, halfY }, { minX, minY, maxX, maxY } or { boxes }";
const OF_QUERIES = "an object: { x, y, radius }, { x, y, halfX, halfY }, { minX, minY, maxX, maxY }, { boxes }, { circles } or { shapes }";

/** Boxes of agents. They may have heights, and the last ones may be ghosts. */
export function writeBoxes(given, what) {
    needObject(given, what, OF_AGENTS);
    const at = beginBoxes();
    if (!writeBoxArrays(at, given, what, ["ghosts", "minZ", "maxZ", "height"])) throw wrong(what, OF_AGENTS, given);
    u32[at + BOXES.ghosts >>> 2] = whole(given.ghosts ?? 0, "ghosts");
    if ((given.minZ ?? given.maxZ ?? given.height) !== undefined) writeHeights(at, given);
    return at;
}
/** The queries of a batch. */
export function writeQueries(given, what) {
    needObject(given, what, OF_QUERIES);
    const at = beginBoxes();
    if (given.circles !== undefined) writeCircles(at, given, what);
    else if (given.shapes !== undefined) writeShapes(at, given, what);
    else if (!writeBoxArrays(at, given, what, [])) throw wrong(what, OF_QUERIES, given);
    return at;
}
function beginBoxes() {
    const at = take(BOXES.bytes);
    c.throng_init_boxes(at, BOXES.bytes);
    return at;
}
/** Whether there are any. */
function writeBoxArrays(at, given, what, more) {
    let form = FORMS.centreHalf;
    const write = (names, others = ORIGIN) => {
        needMembers(given, what, [...names, ...others, ...more]);
        writeArrays(at, BOXES, given, names, CORNERS);
    };
    if (given.minX !== undefined) {
        form = FORMS.minMax;
        write(["minX", "minY", "maxX", "maxY"]);
    } else if (given.halfX !== undefined) {
        write(["x", "y", "halfX", "halfY"]);
    } else if (given.x !== undefined && ArrayBuffer.isView(given.radius)) {
        // Squares of different sizes: one array for both halves.
        write(["x", "y", "radius"]);
        store(at + BOXES.lastY, u32[at + BOXES.lastX >>> 2]);
        store(at + BOXES.doubleLastY, u32[at + BOXES.doubleLastX >>> 2]);
    } else if (given.x !== undefined) {
        form = FORMS.points;
        write(["x", "y"], ["radius", ...ORIGIN]);
        f32[at + BOXES.radius >>> 2] = number(given.radius ?? 0, "radius");
    } else if (given.boxes !== undefined) {
        form = FORMS.minMax;
        needMembers(given, what, ["boxes", ...more]);
        const first = putF32(given.boxes, "boxes");
        u32[at + BOXES.count >>> 2] = countIn(given.boxes, 4, "boxes");
        CORNERS.forEach((field, k) => {
            u32[at + BOXES[field] >>> 2] = first + 4 * k;
            u32[at + BOXES["stride" + field[0].toUpperCase() + field.slice(1)] >>> 2] = 16;
        });
    } else {
        return false;
    }
    u32[at + BOXES.form >>> 2] = form;
    return true;
}

/** From minZ to maxZ, or to minZ + height. */
function writeHeights(at, given) {
    for (const name of given.maxZ === undefined ? ["minZ"] : ["minZ", "maxZ"]) {
        store(at + BOXES[name], putF32(given[name], name));
        sameLength(u32[at + BOXES.count >>> 2], given[name], name);
    }
    f32[at + BOXES.height >>> 2] = number(given.height ?? 0, "height");
}

function writeCircles(at, given, what) {
    needMembers(given, what, ["circles", "agentsAs"]);
    needArray(given.circles, "Float32Array", "circles");
    const count = countIn(given.circles, 3, "circles");
    const all = take(16 * count), agentsAs = whichOf("agentsAs", given.agentsAs ?? "boxes");
    for (let k = 0; k < count; ++k) {
        for (let j = 0; j < 3; ++j) f32[(all >>> 2) + 4 * k + j] = given.circles[3 * k + j];
        u32[(all >>> 2) + 4 * k + 3] = agentsAs;
    }
    u32[at + BOXES.circles >>> 2] = all;
    u32[at + BOXES.count >>> 2] = count;
    u32[at + BOXES.form >>> 2] = FORMS.circles;
}
function writeShapes(at, given, what) {
    needMembers(given, what, ["shapes"]);
    if (!Array.isArray(given.shapes)) throw wrong("shapes", "an array of shapes", given.shapes);
    const all = take(SHAPE.bytes * given.shapes.length);
    given.shapes.forEach((shape, k) => fillShape(all + SHAPE.bytes * k, shape));
    u32[at + BOXES.shapes >>> 2] = all;
    u32[at + BOXES.count >>> 2] = given.shapes.length;
    u32[at + BOXES.form >>> 2] = FORMS.shapes;
}

export function writeLabels(given, what) {
    if (given === undefined || given === null) return 0;
    needObject(given, what, "an object: { categories, groups }");
    needMembers(given, what, ["categories", "groups"]);
    const at = take(LABELS.bytes);
    c.throng_init_labels(at, LABELS.bytes);
    let length;
    for (const name of ["categories", "groups"]) {
        if (given[name] === undefined) continue;
        store(at + LABELS[name], putU32(given[name], name));
        length ??= given[name].length;
        sameLength(length, given[name], name);
    }
    u32[at + LABELS.count >>> 2] = length ?? 0;
    return at;
}

export function writePoints(given, what) {
    needObject(given, what, "an object: { x, y }");
    needMembers(given, what, ["x", "y", ...ORIGIN]);
    const at = take(POINTS.bytes);
    c.throng_init_points(at, POINTS.bytes);
    writeArrays(at, POINTS, given, ["x", "y"], ["x", "y"]);
    return at;
}

const KINDS = ["box", "circle", "segment", "polygon"];
const MEMBERS = [["x", "y", "toX", "toY"], ["x", "y", "radius"], ["x", "y", "toX", "toY", "radius"], ["corners"]];
const OF_SHAPES = MEMBERS.map((names) => ["kind", ...names, "agentsAs"]);
function fillShape(at, shape) {
    const kind = KINDS.indexOf(shape?.kind);
    if (kind < 0) throw new TypeError(`throng: the kind of a shape must be one of ${KINDS.join(", ")}, and is ${shape?.kind}`);
    needMembers(shape, "a shape", OF_SHAPES[kind]);
    u8.fill(0, at, at + SHAPE.bytes);
    u32[at + SHAPE.kind >>> 2] = kind;
    u32[at + SHAPE.agentsAs >>> 2] = whichOf("agentsAs", shape.agentsAs ?? "boxes");
    if (KINDS[kind] === "polygon") {
        store(at + SHAPE.corners, putF32(shape.corners, "corners"));
        u32[at + SHAPE.cornerCount >>> 2] = countIn(shape.corners, 2, "corners");
        return;
    }
    for (const name of MEMBERS[kind]) f32[at + SHAPE[name] >>> 2] = number(shape[name], name);
}
export function writeShape(shape) {
    const at = take(SHAPE.bytes);
    fillShape(at, shape);
    return at;
}

const OF_RAYS = ["x", "y", "dx", "dy", "radius"], OF_BOXES = ["minX", "minY", "maxX", "maxY", "dx", "dy", "radius"];
/** A ray from (x, y), or a box that moves. A radius rounds its corners. */
export function writeCast(cast, what) {
    needObject(cast, what, "an object: { x, y, dx, dy } or { minX, minY, maxX, maxY, dx, dy }");
    const at = take(CAST.bytes);
    const isRay = cast.minX === undefined;
    needMembers(cast, what, isRay ? OF_RAYS : OF_BOXES);
    f32[at + CAST.minX >>> 2] = number(isRay ? cast.x : cast.minX, isRay ? "x" : "minX");
    f32[at + CAST.minY >>> 2] = number(isRay ? cast.y : cast.minY, isRay ? "y" : "minY");
    f32[at + CAST.maxX >>> 2] = number(isRay ? cast.x : cast.maxX, isRay ? "x" : "maxX");
    f32[at + CAST.maxY >>> 2] = number(isRay ? cast.y : cast.maxY, isRay ? "y" : "maxY");
    f32[at + CAST.dx >>> 2] = number(cast.dx, "dx");
    f32[at + CAST.dy >>> 2] = number(cast.dy, "dy");
    f32[at + CAST.radius >>> 2] = number(cast.radius ?? 0, "radius");
    return at;
}
