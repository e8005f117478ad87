// Dragging with mouse, pen or finger: one pointer at a time, captured; Escape cancels a drag.

/** How far a pointer must move before a press becomes a drag, in pixels. */
export const TREMBLE = 3;

/**
 * Lets the user drag on an element.
 *
 * @template Drag
 * @param {HTMLElement | SVGElement} source
 * @param {{
 *     begin: (event: PointerEvent) => Drag | null,
 *     move: (drag: Drag, event: PointerEvent) => void,
 *     end: (drag: Drag, hasMoved: boolean) => void,
 *     cancel: (drag: Drag, hasMoved: boolean) => void,
 *     atOnce?: boolean,
 * }} actions `begin` returns the `drag` that is passed to the others, or null if nothing can be dragged
 *     there; `atOnce`: the press itself is the first move
 */
export function onDrag(source, { begin, move, end, cancel, atOnce = false }) {
    const element = /** @type {HTMLElement} */ (source);
    /** @type {{ drag: Drag, id: number, x: number, y: number, hasMoved: boolean } | null} */
    let active = null;
    // Where text is selected, the browser would drag the text instead. It begins at whatever holds the selection.
    const refuse = (/** @type {Event} */ event) => event.preventDefault();

    /** @param {(drag: Drag, hasMoved: boolean) => void} action */
    function finish(action) {
        if (!active) return;
        const { drag, hasMoved } = active;
        active = null;
        window.removeEventListener("keydown", onKey, true);
        window.removeEventListener("dragstart", refuse, true);
        action(drag, hasMoved);
    }

    /** @param {KeyboardEvent} event */
    function onKey(event) {
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        finish(cancel);
    }

    element.addEventListener("pointerdown", (event) => {
        if (active || event.button !== 0) return;
        const drag = begin(event);
        if (drag === null) return;
        active = { drag, id: event.pointerId, x: event.clientX, y: event.clientY, hasMoved: atOnce };
        element.setPointerCapture(event.pointerId);
        window.addEventListener("keydown", onKey, true);
        window.addEventListener("dragstart", refuse, true);
        if (atOnce) move(drag, event);
    });
    element.addEventListener("pointermove", (event) => {
        if (!active || active.id !== event.pointerId) return;
        const way = Math.hypot(event.clientX - active.x, event.clientY - active.y);
        if (!active.hasMoved && way < TREMBLE) return;
        active.hasMoved = true;
        move(active.drag, event);
    });
    /** @type {(action: typeof end) => (event: PointerEvent) => void} */
    const over = (action) => (event) => {
        if (active?.id === event.pointerId) finish(action);
    };
    element.addEventListener("pointerup", over(end));
    element.addEventListener("pointercancel", over(cancel));
    element.addEventListener("lostpointercapture", over(end));
}
