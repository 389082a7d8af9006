// What the package has.
export { ARGUMENTS, arrays, CODES } from "./calls.js";
export { load, moduleBytes, ready } from "./load.js";
export { ThrongError } from "./memory.js";
export { CastHits, Engine, Frame, Hits, KeptNeighbours, Neighbours, NO_AGENT, PairChanges, Pairs, StaticLayer } from "./objects.js";
