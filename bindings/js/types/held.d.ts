/** Frees its memory by free(), by `using`, or at last when it is collected. */
export declare abstract class Held {
    free(): void;
    [Symbol.dispose](): void;
}
/** What a call fills, again and again. Its arrays are views of the module's memory: each is there until the next call of any
 * object, after which it may be empty. Copy with slice() what is to stay, or ask the object for it again. */
export declare abstract class Result extends Held {}
