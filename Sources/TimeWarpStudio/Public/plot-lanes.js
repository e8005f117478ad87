// Draws the clip's frames and waveform along a time axis into a canvas. A function gives the clip's time at
// each place, so the same code draws the clip as it is, a part of it, and the output, where pieces in slow
// motion take more room.

/**
 * @typedef {(share: number) => number} TimeAt the clip's time in seconds at a share of the width
 * @typedef {{ image: HTMLImageElement, count: number, width: number, height: number }} Strip
 * @typedef {{ minimum: number[], maximum: number[] }} Waveform over the whole clip
 */

/** Sizes a canvas for the screen's resolution, and returns its cleared context in CSS pixels. */
export function prepared(canvas, width, height) {
    const ratio = window.devicePixelRatio || 1;
    const size = { width: Math.round(width * ratio), height: Math.round(height * ratio) };
    if (canvas.width !== size.width) canvas.width = size.width;
    if (canvas.height !== size.height) canvas.height = size.height;
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
}

/**
 * Draws frames side by side; each is the frame at the middle of its room.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Strip} strip
 * @param {{ y: number, width: number, height: number }} room
 * @param {TimeAt} timeAt
 * @param {number} duration of the clip
 */
export function drawFrames(context, strip, room, timeAt, duration) {
    const wide = Math.max(8, (strip.width / strip.height) * room.height);
    const count = Math.max(1, Math.ceil(room.width / wide));
    context.save();
    context.beginPath();
    context.rect(0, room.y, room.width, room.height);
    context.clip();
    for (let i = 0; i < count; i += 1) {
        const time = timeAt(Math.min(1, ((i + 0.5) * wide) / room.width));
        const frame = frameAt(strip.count, time, duration);
        context.drawImage(strip.image, frame * strip.width, 0, strip.width, strip.height,
            i * wide, room.y, wide, room.height);
    }
    context.restore();
}

/** The index of a film strip's frame that is nearest to a time. */
export const frameAt = (count, time, duration) =>
    Math.max(0, Math.min(count - 1, Math.floor((time / (duration || 1)) * count)));

/**
 * Draws the waveform: for each pixel, the smallest and largest sample in its stretch of time.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Waveform} waveform
 * @param {{ y: number, width: number, height: number }} room
 * @param {TimeAt} timeAt
 * @param {number} duration of the clip
 */
export function drawWaveform(context, waveform, room, timeAt, duration) {
    const count = waveform.minimum.length;
    const middle = room.y + room.height / 2;
    const half = room.height / 2 - 1;
    const columns = Math.max(1, Math.round(room.width));
    const toColumn = (time) => Math.max(0, Math.min(count - 1, (time / (duration || 1)) * count));
    const tops = [];
    context.beginPath();
    let before = toColumn(timeAt(0));
    for (let x = 0; x <= columns; x += 1) {
        const after = toColumn(timeAt(Math.min(1, (x + 1) / columns)));
        const [low, high] = range(waveform, Math.min(before, after), Math.max(before, after));
        tops.push(middle - Math.max(high * half, 0.5));
        context.lineTo(x, middle - Math.min(low * half, -0.5));
        before = after;
    }
    for (let x = columns; x >= 0; x -= 1) context.lineTo(x, tops[x]);
    context.fill();
}

/** The smallest and largest values of the columns from one to another, both included. */
function range({ minimum, maximum }, from, to) {
    let [low, high] = [0, 0];
    for (let i = Math.floor(from); i <= to; i += 1) {
        if (minimum[i] < low) low = minimum[i];
        if (maximum[i] > high) high = maximum[i];
    }
    return [low, high];
}
