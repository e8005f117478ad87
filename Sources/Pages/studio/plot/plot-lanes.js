// Draws the clip's frames and waveform along a time axis into a canvas. A function gives the clip's time at
// each place, so the same code draws the clip as it is, a part of it, and the output, where pieces in slow
// motion take more room.

/**
 * @typedef {import("./types").PictureAt} PictureAt
 * @typedef {import("./types").Room} Room
 * @typedef {import("./types").TimeAt} TimeAt
 * @typedef {import("./types").Waveform} Waveform
 * @typedef {CanvasRenderingContext2D} Context
 */

/**
 * Sizes a canvas for the screen's resolution, and returns its cleared context in CSS pixels.
 * @type {(canvas: HTMLCanvasElement, width: number, height: number) => Context}
 */
export function prepared(canvas, width, height) {
    const ratio = window.devicePixelRatio || 1;
    const size = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
    if (canvas.width !== size.width) canvas.width = size.width;
    if (canvas.height !== size.height) canvas.height = size.height;
    const context = /** @type {Context} */ (canvas.getContext("2d"));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
}

/** A frame at least this wide is shown as one, from when until when it is shown, in pixels. */
const ROOMY = 14;

/**
 * Draws frames side by side. Each is the frame at the middle of its room; where there is room for every frame, each has
 * its own, and a line at its beginning.
 *
 * @param {Context} context
 * @param {PictureAt} pictureAt
 * @param {Room} room
 * @param {TimeAt} timeAt
 * @param {number | null} rate frames a second; null if frames aren't told apart
 */
export function drawFrames(context, pictureAt, room, timeAt, rate) {
    context.save();
    context.beginPath();
    context.rect(0, room.y, room.width, room.height);
    context.clip();
    const count = Math.abs(timeAt(1) - timeAt(0)) * (rate ?? Infinity);
    if (rate !== null && room.width / count >= ROOMY) drawEach(context, pictureAt, room, timeAt, rate);
    else drawSome(context, pictureAt, room, timeAt);
    context.restore();
}

/** @type {(context: Context, pictureAt: PictureAt, room: Room, timeAt: TimeAt) => void} */
function drawSome(context, pictureAt, room, timeAt) {
    const first = pictureAt(timeAt(0));
    const wide = Math.max(8, (first.width / first.height) * room.height);
    const count = Math.max(1, Math.ceil(room.width / wide));
    for (let i = 0; i < count; i += 1) {
        const { image, x, width, height } = pictureAt(timeAt(Math.min(1, ((i + 0.5) * wide) / room.width)));
        context.drawImage(image, x, 0, width, height, i * wide, room.y, wide, room.height);
    }
}

/** @type {(context: Context, pictureAt: PictureAt, room: Room, timeAt: TimeAt, rate: number) => void} */
function drawEach(context, pictureAt, room, timeAt, rate) {
    // A time that is a frame's own must not become the frame before it by rounding.
    const frameOf = (/** @type {number} */ x) =>
        Math.floor(timeAt(Math.max(0, Math.min(1, x / room.width))) * rate + 1e-4);
    let start = 0;
    for (let x = 1; x <= room.width + 1; x += 1) {
        if (x <= room.width && frameOf(x) === frameOf(start)) continue;
        const wide = Math.min(x, room.width) - start;
        const { image, x: left, width, height } = pictureAt((frameOf(start) + 0.5) / rate);
        // The middle of the frame, or all of it.
        const used = Math.min(width, (wide / room.height) * height);
        const shown = (used / height) * room.height;
        context.drawImage(image, left + (width - used) / 2, 0, used, height, start, room.y, shown,
            room.height);
        context.fillRect(start, room.y, 1, room.height);
        start = x;
    }
}

/** @type {(count: number, time: number, duration: number) => number} the index of a strip's frame that is nearest */
export const frameAt = (count, time, duration) =>
    Math.max(0, Math.min(count - 1, Math.floor((time / (duration || 1)) * count)));

/**
 * Draws the waveform: for each pixel, the smallest and largest sample in its stretch of time.
 *
 * @param {Context} context
 * @param {(from: number, to: number) => [number, number]} boundsOf the smallest and largest sample between two times
 * @param {Room} room
 * @param {TimeAt} timeAt
 */
export function drawWaveform(context, boundsOf, room, timeAt) {
    const middle = room.y + room.height / 2;
    const half = room.height / 2 - 1;
    const columns = Math.max(1, Math.round(room.width));
    const tops = [];
    context.beginPath();
    let before = timeAt(0);
    for (let x = 0; x <= columns; x += 1) {
        const after = timeAt(Math.min(1, (x + 1) / columns));
        const [low, high] = boundsOf(Math.min(before, after), Math.max(before, after));
        tops.push(middle - Math.max(high * half, 0.5));
        context.lineTo(x, middle - Math.min(low * half, -0.5));
        before = after;
    }
    for (let x = columns; x >= 0; x -= 1) context.lineTo(x, tops[x]);
    context.fill();
}

/**
 * The smallest and largest sample between two times.
 * @type {(waveform: Waveform, start: number, end: number, from: number, to: number) => [number, number]} `start` and
 *     `end`: of the waveform
 */
export function boundsIn({ minimum, maximum }, start, end, from, to) {
    const count = minimum.length;
    const toColumn = (/** @type {number} */ time) =>
        Math.max(0, Math.min(count - 1, ((time - start) / (end - start || 1)) * count));
    let [low, high] = [0, 0];
    const last = toColumn(to);
    for (let i = Math.floor(toColumn(from)); i <= last; i += 1) {
        if (minimum[i] < low) low = minimum[i];
        if (maximum[i] > high) high = maximum[i];
    }
    return [low, high];
}
