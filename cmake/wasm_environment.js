// Linked into each program: it sees the environment that node was called with, which Emscripten keeps from it.
Module["preRun"] = () => {
    if (typeof ENV !== "undefined" && typeof process !== "undefined") Object.assign(ENV, process.env);
};
