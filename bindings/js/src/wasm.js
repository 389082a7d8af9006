// The package with its module in a file beside it, which browsers compile while it comes, and keep compiled.
import { load as loadFrom, promised } from "./core.mjs";

async function streamed(simd) {
    if (!simd) throw new Error("throng2d/wasm has the module with WebAssembly's vectors alone: throng2d has one without them as well");
    const answer = await fetch(new URL("./throng.wasm", import.meta.url));
    if (!answer.ok) throw new Error(`throng: there is no ${answer.url}: ${answer.status}`);
    // Browsers compile while it comes only where the server says what it is.
    return /^application\/wasm/.test(answer.headers.get("Content-Type")) ? WebAssembly.compileStreaming(answer) : answer.arrayBuffer();
}
export const load = (options) => loadFrom(options, streamed);
export const ready = promised(load);
