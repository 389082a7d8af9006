// Zooms by the wheel and by two fingers, and moves the picture by these and by the right button.
const LEAST = 0.5, MOST = 60;

export class Gestures {
    zoom = 1;
    /** By how much the middle of the picture is away from that of the world. */
    x = 0;
    y = 0;
    #fingers = new Map();

    /** `pointAt` tells the place in the world, and `changed` is called after a change. */
    constructor(scene, pointAt, changed) {
        const at = (event) => pointAt({ clientX: event.clientX, clientY: event.clientY });
        const by = (event, factor) => {
            const [x, y] = at(event), zoom = Math.min(Math.max(this.zoom * factor, LEAST), MOST), share = 1 - this.zoom / zoom;
            // What is under it stays there.
            this.x += (x - pointAt.middle().x) * share;
            this.y += (y - pointAt.middle().y) * share;
            this.zoom = zoom;
            changed();
        };
        scene.addEventListener("wheel", (event) => {
            event.preventDefault();
            by(event, Math.exp(-event.deltaY / 400));
        }, { passive: false });
        scene.addEventListener("contextmenu", (event) => event.preventDefault());
        scene.addEventListener("pointerdown", (event) => { this.#fingers.set(event.pointerId, event); });
        scene.addEventListener("pointermove", (event) => {
            const before = this.#fingers.get(event.pointerId);
            if (before === undefined) return;
            const others = [...this.#fingers.values()].filter((each) => each !== before);
            this.#fingers.set(event.pointerId, event);
            if (others.length !== 1 && event.buttons !== 2) return;
            const [x, y] = at(event), [wasX, wasY] = at(before), share = others.length === 1 ? 0.5 : 1;
            this.x -= (x - wasX) * share;
            this.y -= (y - wasY) * share;
            if (others.length === 1) {
                const far = (each) => Math.hypot(each.clientX - others[0].clientX, each.clientY - others[0].clientY);
                by({ clientX: (event.clientX + others[0].clientX) / 2, clientY: (event.clientY + others[0].clientY) / 2 }, far(event) / Math.max(far(before), 1));
            } else changed();
        });
        for (const name of ["pointerup", "pointercancel"]) scene.addEventListener(name, (event) => this.#fingers.delete(event.pointerId));
    }
    /** Whether a press is for moving the picture, and asks nothing. */
    isMoving(event) { return this.#fingers.size > 1 || event.button === 2 || event.buttons === 2; }
    reset() {
        this.zoom = 1;
        this.x = this.y = 0;
    }
}
