// The package with its module in a file beside it. Browsers compile the file while it loads, and cache it compiled.
import { load as loadFrom, promised } from "./core.mjs";

async function streamed(simd) {
    if (!simd) throw new Error("throng2d/wasm has the module with WebAssembly's vectors alone: throng2d has one without them as well");
    const answer = await fetch(new URL("./throng.wasm", import.meta.url));
    if (!answer.ok) throw new Error(`throng: there is no ${answer.url}: ${answer.status}`);
    // Browsers compile it while it loads only if the server names its type.
    return /^application\/wasm/.test(answer.headers.get("Content-Type")) ? WebAssembly.compileStreaming(answer) : answer.arrayBuffer();
}
export const load = (options) => loadFrom(options, streamed);
export const ready = promised(load);
