// Dragging with mouse, pen or finger: one pointer at a time, captured; Escape cancels a drag.

/** How far a pointer must move before a press becomes a drag, in pixels. */
const TREMBLE = 3;

/**
 * Lets the user drag on an element.
 *
 * @param {Element} element
 * @param {{
 *     begin: (event: PointerEvent) => any,
 *     move: (drag: any, event: PointerEvent) => void,
 *     end: (drag: any, hasMoved: boolean) => void,
 *     cancel: (drag: any, hasMoved: boolean) => void,
 *     atOnce?: boolean,
 * }} actions `begin` returns the `drag` that is passed to the others, or null if nothing can be dragged
 *     there; `atOnce`: the press itself is the first move
 */
export function onDrag(element, { begin, move, end, cancel, atOnce = false }) {
    let active = null;
    // Where text is selected, the browser would drag the text instead. It begins at whatever holds the selection.
    const refuse = (event) => event.preventDefault();

    function finish(action) {
        const { drag, hasMoved } = active;
        active = null;
        window.removeEventListener("keydown", onKey, true);
        window.removeEventListener("dragstart", refuse, true);
        action(drag, hasMoved);
    }

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
        if (active?.id !== event.pointerId) return;
        const way = Math.hypot(event.clientX - active.x, event.clientY - active.y);
        if (!active.hasMoved && way < TREMBLE) return;
        active.hasMoved = true;
        move(active.drag, event);
    });
    const over = (action) => (event) => {
        if (active?.id === event.pointerId) finish(action);
    };
    element.addEventListener("pointerup", over(end));
    element.addEventListener("pointercancel", over(cancel));
    element.addEventListener("lostpointercapture", over(end));
}
