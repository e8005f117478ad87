// The Bézier curves of easings: from (0,0) to (1,1), with two handles.

/**
 * A point of an easing.
 *
 * @param {number[]} handles x1, y1, x2, y2
 * @param {number} t the curve's parameter, from 0 to 1
 * @returns {{ x: number, y: number, pace: number }} shares of time and of the change; `pace`: how fast x grows with t
 */
export function pointOn([x1, y1, x2, y2], t) {
    const r = 1 - t;
    return {
        x: 3 * r * r * t * x1 + 3 * r * t * t * x2 + t * t * t,
        y: 3 * r * r * t * y1 + 3 * r * t * t * y2 + t * t * t,
        pace: 3 * r * r * x1 + 6 * r * t * (x2 - x1) + 3 * t * t * (1 - x2),
    };
}

/**
 * The integral over time of a weight of the change, by Simpson's rule over the parameter.
 *
 * @param {number[]} handles
 * @param {(y: number) => number} weight
 * @param {number} steps an even number
 */
export function integralAlong(handles, weight, steps) {
    let sum = 0;
    for (let step = 0; step <= steps; step += 1) {
        const { y, pace } = pointOn(handles, step / steps);
        sum += (step % steps === 0 ? 1 : step % 2 === 0 ? 2 : 4) * weight(y) * pace;
    }
    return sum / (3 * steps);
}
