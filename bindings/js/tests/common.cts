// Compiled by tsc --strict as CommonJS, and run.
import { forceCollide } from "throng2d/d3";
import KDBush from "throng2d/kdbush";
import { Engine, ready } from "throng2d";

ready.then(() => {
    const index = new KDBush(1);
    index.add(1, 2);
    forceCollide(1).radius(2);
    console.log(new Engine().size + index.finish().range(0, 0, 3, 3).length);
});
