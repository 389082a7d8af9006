// Worlds, and brute force over them: boxes in floats, as the engine rounds them.
const f = Math.fround;

export function numbers(seed) {
    let state = seed >>> 0;
    return (most = 1) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return ((state >>> 8) / 16777216) * most;
    };
}

/** Agents at random, on a lattice on which very many only touch, and in a pile. */
export function worlds(count = 400) {
    const any = numbers(7), made = [];
    for (const place of [
        () => [any(40), any(40)],
        () => [Math.floor(any(20)), Math.floor(any(20))],
        () => [any() < 0.5 ? 3 : any(2000), 5],
    ]) {
        const x = new Float32Array(count), y = new Float32Array(count), radius = new Float32Array(count);
        for (let i = 0; i < count; ++i) {
            [x[i], y[i]] = place();
            radius[i] = any() < 0.02 ? 8 : 0.5;
        }
        made.push({ x, y, radius, count });
    }
    return made;
}

export const boxOf = ({ x, y, radius }, i) =>
    ({ minX: f(x[i] - radius[i]), minY: f(y[i] - radius[i]), maxX: f(x[i] + radius[i]), maxY: f(y[i] + radius[i]) });
export const overlap = (a, b) => a.minX <= b.maxX && b.minX <= a.maxX && a.minY <= b.maxY && b.minY <= a.maxY;

export function pairsOf(world) {
    const boxes = Array.from(world.x, (_, i) => boxOf(world, i)), found = [];
    for (let i = 0; i < world.count; ++i)
        for (let j = i + 1; j < world.count; ++j) if (overlap(boxes[i], boxes[j])) found.push(`${i} ${j}`);
    return found.sort();
}
export const inside = (world, box) =>
    Array.from(world.x.keys()).filter((i) => overlap(boxOf(world, i), box));
/** The squared distance of centres, which are the middles of boxes; on these worlds both are exact enough to agree. */
export const near = (world, px, py, radius) =>
    Array.from(world.x.keys()).filter((i) => (world.x[i] - px) ** 2 + (world.y[i] - py) ** 2 <= radius ** 2);
export const sorted = (ids) => Array.from(ids).sort((a, b) => a - b);
export function asTexts(pairs) {
    const found = [];
    for (let k = 0; k < pairs.length; k += 2)
        found.push(`${Math.min(pairs[k], pairs[k + 1])} ${Math.max(pairs[k], pairs[k + 1])}`);
    return found.sort();
}
