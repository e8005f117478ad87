// Approximates a curve by keyframes: where its speed starts or stops changing, at its turning points,
// and once more in each piece that bends too much.

/** The largest number of keyframes: more would be hard to edit by hand. */
const MOST = 24;
/** The largest change of speed on a plateau, and the smallest at a turning point, as shares of its range. */
const STAYS = 1e-4, TURNS = 0.02;
/** The shortest plateau, as a share of the clip. */
const PLATEAU = 0.03;
/** How far a piece may deviate from its easing, as a share of its rise. */
const CLOSE = 0.1;

/**
 * @param {{ u: number[], speed: (number | null)[] }} curve of an evaluation
 * @returns {{ at: string, speed: number, easing: string }[]}
 */
export function seedKeyframes({ u, speed }) {
    const points = u.map((at, index) => ({ at, speed: speed[index] }))
        .filter((point) => Number.isFinite(point.speed));
    const speeds = points.map((point) => point.speed);
    const range = speeds.reduce((most, each) => Math.max(most, each), -Infinity)
        - speeds.reduce((least, each) => Math.min(least, each), Infinity);
    if (points.length < 2 || range < 1e-3 * Math.abs(speeds[0])) return flat(speeds[0] ?? 1);
    const corners = thinned(cornersOf(points, range), points);
    const joined = corners.flatMap((corner, place) => (place + 1 < corners.length
        ? joinedPiece(points, corner, corners[place + 1])
        : [{ index: corner, easing: "smooth" }]));
    return joined.map(({ index, easing }) => ({
        at: `${Number((100 * points[index].at).toFixed(1))}%`,
        speed: Number(points[index].speed.toPrecision(4)), easing,
    })).filter(({ at }, place, all) => at !== all[place - 1]?.at);
}

const flat = (speed) => ["0%", "100%"].map((at) => (
    { at, speed: Number(speed.toPrecision(4)), easing: "smooth" }));

/** The indexes of both ends, of the plateaus' edges, and of the turning points between these. */
function cornersOf(points, range) {
    const edges = [0, ...plateaus(points, STAYS * range).flat(), points.length - 1];
    const corners = new Set(edges);
    edges.slice(1).forEach((edge, place) => {
        for (const turn of turns(points, edges[place], edge, TURNS * range)) corners.add(turn);
    });
    return [...corners].sort((a, b) => a - b);
}

function plateaus(points, slack) {
    const found = [];
    for (let from = 0; from < points.length;) {
        let to = from;
        const { at, speed } = points[from];
        while (Math.abs((points[to + 1]?.speed ?? Infinity) - speed) <= slack) to += 1;
        if (points[to].at - at >= PLATEAU) found.push([from, to]);
        from = to + 1;
    }
    return found;
}

/** The indexes of maxima and minima; small waves are ignored. */
function turns(points, from, to, least) {
    const found = [];
    let high = from, low = from, way = 0;
    for (let index = from; index <= to; index += 1) {
        const { speed } = points[index];
        if (speed > points[high].speed) high = index;
        if (speed < points[low].speed) low = index;
        if (way >= 0 && points[high].speed - speed > least) {
            if (high !== from) found.push(high);
            way = -1;
            low = high = index;
        } else if (way <= 0 && speed - points[low].speed > least) {
            if (low !== from) found.push(low);
            way = 1;
            low = high = index;
        }
    }
    return found;
}

/** Removes the corners whose speed differs least from their neighbours' until there are at most `MOST`. */
function thinned(corners, points) {
    const kept = [...corners];
    const gain = (place) => {
        const [before, here, after] = [-1, 0, 1].map((by) => points[kept[place + by]].speed);
        return Math.max(Math.abs(here - before), Math.abs(here - after));
    };
    while (kept.length > MOST) {
        let least = 1;
        for (let place = 2; place < kept.length - 1; place += 1) {
            if (gain(place) < gain(least)) least = place;
        }
        kept.splice(least, 1);
    }
    return kept;
}

/** The first of two corners with its easing to the second; the piece is split once where it bends most. */
function joinedPiece(points, from, to, isBroken = false) {
    const { at: start, speed: first } = points[from];
    const span = points[to].at - start, rise = points[to].speed - first;
    if (rise === 0 || to - from < 3) return [{ index: from, easing: "linear" }];
    const shares = points.slice(from, to + 1).map(({ at, speed }) => (
        { x: (at - start) / span, y: (speed - first) / rise }));
    const worst = (shape) => shares.reduce(
        (most, { x, y }) => Math.max(most, Math.abs(y - shape(x))), 0);
    const bends = { linear: worst((x) => x), smooth: worst((x) => x * x * (3 - 2 * x)) };
    const easing = bends.linear <= bends.smooth ? "linear" : "smooth";
    if (isBroken || bends[easing] <= CLOSE) return [{ index: from, easing }];
    const off = shares.map(({ x, y }) => Math.abs(y - x));
    const middle = from + off.indexOf(Math.max(...off));
    return [...joinedPiece(points, from, middle, true), ...joinedPiece(points, middle, to, true)];
}
