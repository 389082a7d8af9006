/** Memory is freed by free(), by `using`, or when the object is collected. */
export declare abstract class Held {
    free(): void;
    [Symbol.dispose](): void;
}
/** A result, which calls fill again and again. Its arrays are views of the module's memory. They are valid until the next call of
 * any object; then they may be empty. Copy with slice() what you want to keep, or ask the object again. */
export declare abstract class Result extends Held {}
