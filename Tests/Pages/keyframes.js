// Lists of keyframes, and what they mean by small steps, as the program has it.

export const EASINGS = ["linear", "smooth", "hold", "bezier(0.3,0,0.7,1)", "bezier(0.1,0.6,0.4,0.9)"];

/** Numbers that look random, the same in each run. */
export function* numbers(seed) {
    for (let state = seed; ; state = (state * 48271) % 2147483647) yield state / 2147483647;
}

export const list = (...entries) => entries.map(([at, speed, easing = "smooth"]) => ({ at, speed, easing }));

/** Points of the curves of easings, which many pieces have: straight lines between this many are right within 1e-7. */
const POINTS = 4096, points = new Map();

function pointsOf(easing) {
    if (!points.has(easing)) {
        const handles = { linear: [1 / 3, 1 / 3, 2 / 3, 2 / 3], smooth: [1 / 3, 0, 2 / 3, 1] }[easing]
            ?? JSON.parse(easing.replace("bezier(", "[").replace(")", "]"));
        const along = (t, one, two) => 3 * (1 - t) ** 2 * t * one + 3 * (1 - t) * t * t * two + t ** 3;
        points.set(easing, Array.from({ length: POINTS + 1 }, (_, index) => ({
            time: along(index / POINTS, handles[0], handles[2]), share: along(index / POINTS, handles[1], handles[3]),
        })));
    }
    return points.get(easing);
}

/** The speed of a piece at a share of its time, by bisection. */
export function speedAt({ speed, easing }, next, time) {
    if (easing === "hold") return speed;
    const curve = pointsOf(easing);
    let [low, high] = [0, POINTS];
    while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (curve[middle].time < time) low = middle;
        else high = middle;
    }
    const { time: start, share } = curve[low];
    return speed + (next - speed) * (share + (curve[high].share - share) * (time - start) / (curve[high].time - start));
}

/**
 * The pictures of keyframes at steps of the output, by summing up small steps of their axis.
 * @returns the picture at an instant of the output
 */
export function played(keyframes, duration, steps = 4000) {
    const isOutput = keyframes.some(({ speed, source }) => speed <= 0 || source);
    const isInSeconds = isOutput && keyframes[0].at.endsWith("s");
    const places = keyframes.map(({ at }) => Number(at.slice(0, -1)) / (isInSeconds ? 1 : 100));
    const end = isInSeconds ? places[places.length - 1] : 1;
    // Where each step begins and ends; a film that cuts begins elsewhere than the step before has ended.
    const ways = [0], ends = [], times = [0];
    for (let step = 0; step < steps; step += 1) {
        const place = end * (step + 0.5) / steps;
        const i = places.findLastIndex((each) => each <= place);
        const isNew = i >= 0 && places[i] > place - end / steps;
        if (isNew && keyframes[i].source) ways[step] = Number(keyframes[i].source.slice(0, -1));
        const speed = i < 0 ? keyframes[0].speed : i === places.length - 1 ? keyframes[i].speed
            : speedAt(keyframes[i], keyframes[i + 1].speed, (place - places[i]) / (places[i + 1] - places[i]));
        ends.push(ways[step] + (isOutput ? speed : 1) * end / steps);
        ways.push(ends[step]);
        times.push(times[step] + (isOutput ? 1 : 1 / speed) * end / steps);
    }
    const low = isInSeconds ? 0 : Math.min(...ways), range = isInSeconds ? 1 : duration / (Math.max(...ways) - low);
    const whole = isOutput ? range : duration;
    return (output) => {
        const i = Math.min(steps - 1, Math.max(0, times.findLastIndex((time) => time * whole <= output)));
        const share = Math.min(1, (output / whole - times[i]) / (times[i + 1] - times[i]));
        return (ways[i] + share * (ends[i] - ways[i]) - (isOutput ? low : 0)) * range;
    };
}
