// The package's names.
export { arrays } from "./calls.js";
export { load, moduleBytes, promised, ready } from "./load.js";
export { ThrongError } from "./memory.js";
export { CastHits, Engine, Frame, Hits, KeptNeighbours, Neighbours, NO_AGENT, overlapping, PairChanges, Pairs, StaticLayer } from "./objects.js";
