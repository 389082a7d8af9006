// What twin.c says of frame 100 of some scenes: its fingerprint, and how many pairs touch. js.page asks it again.
export const FINGERPRINTS = {
    "crowd 20000 1": "13370151319677386684 1151",
    "clustered 20000 1": "17938619269944416525 4617",
    "crossing 20000 1": "16598403287369731077 0",
    "pile 20000 1": "4414547271206651735 256819",
    "giants 20000 1": "13788123908245003804 3717",
    "villages 20000 1": "17592488524873499739 42924",
    "crowd 1000 1": "1684566635427353960 66",
    "crowd 100000 1": "2101939386538077515 5671",
};
