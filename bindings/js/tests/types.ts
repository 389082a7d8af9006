// Compiled by tsc --strict, and not run.
import { Engine, Frame, Hits, KeptNeighbours, load, NO_AGENT, Pairs, ready, StaticLayer, ThrongError, type Boxes, type Held } from "throng2d";
import { forceCollide, forceManyBody } from "throng2d/d3";
import KDBush from "throng2d/kdbush";

async function all(): Promise<number> {
    await ready;
    await load({ simd: true });
    const engine = new Engine({ cellWidth: 2 });
    const x = new Float32Array(3), y = new Float32Array(3);
    engine.update(x, y, 0.5);
    const boxes: Boxes = { x, y, halfX: x, halfY: y };
    engine.update(boxes, { categories: new Uint32Array(3) });
    const frame: Frame = engine.frame();
    const pairs: Pairs = frame.pairs({ within: 2, agentsAs: "circles" });
    const hits: Hits = frame.overlapsOf({ boxes: x }, { withStatic: true });
    const near = frame.nearest(1, 2);
    const kept = new KeptNeighbours({ radius: 2 });
    new StaticLayer(boxes).free();
    try {
        frame.firstHit({ x: 0, y: 0, dx: 1, dy: 1 });
    } catch (error) {
        if (error instanceof ThrongError && error.code === "NOT_FINITE") console.log(error.index);
    }
    // @ts-expect-error: an array of numbers is no Float32Array
    engine.update([1], y, 1);
    // @ts-expect-error: there is no such option
    frame.pairs({ distance: 1 });
    // @ts-expect-error: either a radius or a count
    frame.neighbours({ radius: 1, count: 2 });
    // @ts-expect-error: one of the two
    frame.neighbours({});
    // @ts-expect-error: agents are boxes
    engine.update({ circles: x });
    frame.neighbours({ count: 2, points: { x, y } });
    frame.countOf({ circles: x, agentsAs: "centres" });
    // @ts-expect-error: what all objects have in common is a type, and no class that is there
    console.log(Held);
    const held: Held = frame;
    held.free();
    ready.catch(() => undefined).finally(() => undefined);
    interface Body { x?: number; y?: number; r: number }
    forceCollide<Body>((node) => node.r).strength(0.5).iterations(2);
    forceManyBody().distanceMax(50);
    const index = KDBush.from(new KDBush(0, 64, Float32Array, SharedArrayBuffer).data);
    index.withinInto(1, 2, 3, new index.IndexArrayType(new index.ArrayType(1).length));
    index.add(1, 2);
    return pairs.size + hits.size + kept.size + (near?.id ?? NO_AGENT) + index.finish().range(0, 0, 1, 1).length;
}
void all;
