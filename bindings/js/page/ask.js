// What the mouse asks a frame, and how long the answer took. From (x, y) it was dragged to (toX, toY).
const f = Math.fround;
export const TOOLS = ["box", "circle", "radius", "nearest", "ray", "pour"];
export const NEAREST = 16;

const reachOf = ({ x, y, toX, toY }) => f(Math.hypot(toX - x, toY - y));
const queries = {
    box: (frame, { x, y, toX, toY }) =>
        frame.overlaps({ minX: Math.min(x, toX), minY: Math.min(y, toY), maxX: Math.max(x, toX), maxY: Math.max(y, toY) }),
    circle: (frame, asked) => frame.overlapsShape({ kind: "circle", x: asked.x, y: asked.y, radius: reachOf(asked), agentsAs: "circles" }),
    radius: (frame, asked) => frame.neighboursWithinAt(asked.x, asked.y, { radius: reachOf(asked) }).id,
    nearest: (frame, asked) => frame.neighboursNearestAt(asked.x, asked.y, { count: NEAREST }).id,
    ray: (frame, { x, y, toX, toY }) => {
        const hit = frame.firstHit({ x, y, dx: toX - x, dy: toY - y });
        return hit === null ? [] : [hit.id];
    },
};

/** The ids, and the microseconds of one query: asked again and again for as long as a clock that is coarse wants. */
export function ask(frame, asked) {
    const query = queries[asked.kind], begin = performance.now();
    let ids, times = 0, now;
    do {
        ids = query(frame, asked);
        ++times;
        now = performance.now();
    } while (now - begin < 0.3);
    return { ids, microseconds: (now - begin) * 1000 / times };
}
