// What an author does to a story, as changes of its file's text. Nothing else of the file changes.

/**
 * @typedef {import("./types").StoryText} StoryText
 * @typedef {import("./types").Segment} Segment
 * @typedef {import("./types").Change} Change
 */

/** A JSON Pointer (RFC 6901). */
const pointer = (/** @type {(string | number)[]} */ steps) => steps
    .map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** @type {(value: unknown, ...steps: (string | number)[]) => Change} */
export const set = (value, ...steps) => ({ path: pointer(steps), value: JSON.stringify(value) });

/**
 * A time of a segment's media, which is moved to a frame.
 * @type {(seconds: number, ...steps: (string | number)[]) => Change}
 */
export const setTime = (time, ...steps) => ({ path: pointer(steps), time });

/** @type {(...steps: (string | number)[]) => Change} */
export const remove = (...steps) => ({ path: pointer(steps) });

/**
 * A value that may be left out: it is, if it is empty.
 * @param {object} owner what has it, or not
 * @param {unknown} value
 * @param {(string | number)[]} steps
 * @returns {Change[]}
 */
export function setOrRemove(owner, value, ...steps) {
    const isEmpty = value === "" || value === false || value === null;
    if (!isEmpty) return [set(value, ...steps)];
    return Object.hasOwn(owner, steps.at(-1) ?? "") ? [remove(...steps)] : [];
}

/** The event from which on choices are shown. */
export const SHOW = "showControls";

/** What a segment does if nobody chooses, and one without choices at its end: it plays again. */
export const AGAIN = "again";
/** The same: another segment follows, by its name. */
export const TO = "to:";

/** @type {(segment: Segment) => string} what follows a segment of itself; empty if nothing does */
export function followerOf({ choices = [], default: other, loop, then }) {
    if (loop) return AGAIN;
    const name = choices.length > 0 ? other : then ?? other;
    return name === undefined ? "" : TO + name;
}

const hasWays = (/** @type {Segment} */ { choices = [], default: other, loop, then }) => (
    choices.length > 0 || other !== undefined || then !== undefined || loop === true);

/**
 * An epilogue that leads on isn't one any more.
 * @type {(segment: Segment, name: string) => Change[]}
 */
const notAtEnd = (segment, name) => (segment.role === "epilogue" && !hasWays(segment)
    ? [remove("segments", name, "role")] : []);

/** @type {(story: StoryText, name: string, value: string) => Change[]} */
export function setFollower(story, name, value) {
    const segment = story.segments[name];
    const path = ["segments", name];
    const key = value.startsWith(TO) ? (segment.choices ?? []).length > 0 ? "default" : "then"
        : value === AGAIN ? "loop" : "";
    const gone = ["default", "loop", "then"].filter((each) => each !== key && Object.hasOwn(segment, each));
    return [
        ...gone.map((each) => remove(...path, each)),
        ...key === "" ? [] : [set(key === "loop" ? true : value.slice(TO.length), ...path, key), ...notAtEnd(segment, name)],
    ];
}

/** @type {(text: string, taken: object) => string} a name that isn't taken */
function freeName(text, taken) {
    for (let number = 1; ; number += 1) {
        const name = number === 1 ? text : `${text} ${number}`;
        if (!Object.hasOwn(taken, name)) return name;
    }
}

/** @type {(path: string) => string} */
const stemOf = (path) => path.split("/").at(-1)?.replace(/(.)\.[^.]*$/, "$1").trim().slice(0, 100) || "segment";

/** A segment's name as words, which an author changes. */
const wordsOf = (/** @type {string} */ name) => {
    const words = name.replace(/[_-]+/g, " ").trim();
    return words.charAt(0).toUpperCase() + words.slice(1);
};

/**
 * Adds a segment that plays a file. It ends the story until something follows it.
 * @param {StoryText} story
 * @param {string} media
 * @returns {{ name: string, changes: Change[] }}
 */
export function addSegment(story, media) {
    const name = freeName(stemOf(media), story.segments);
    return { name, changes: [set({ media, role: "epilogue" }, "segments", name)] };
}

/**
 * Adds an event, in the order of time.
 * @param {StoryText} story
 * @param {string} name of the segment
 * @param {string} cue what it does
 * @param {number} at in seconds of the media file
 * @param {number[]} times of the events that are there
 * @returns {Change[]}
 */
export function addEvent({ segments }, name, cue, at, times) {
    const { events } = segments[name];
    const path = ["segments", name, "events"], event = { at: "0", do: cue };
    const place = times.filter((time) => time <= at).length;
    const list = events && [...events.slice(0, place), event, ...events.slice(place)];
    return [
        place === events?.length ? set(event, ...path, "-") : set(list ?? [event], ...path), setTime(at, ...path, place, "at"),
    ];
}

/**
 * Adds a choice. With a segment's first one, it is also what follows if nobody chooses, and the choices are shown from
 * some time on.
 * @param {StoryText} story
 * @param {string} from
 * @param {string} to
 * @param {{ showAt: number, times: number[] }} seconds when they are shown, and when there are events, in the media file
 * @returns {Change[]}
 */
export function addChoice(story, from, to, { showAt, times }) {
    const segment = story.segments[from];
    const choice = { label: story.segments[to]?.title ?? wordsOf(to), goto: to };
    const path = ["segments", from];
    const isLed = segment.default !== undefined || segment.loop;
    return [
        segment.choices ? set(choice, ...path, "choices", "-") : set([choice], ...path, "choices"),
        ...isLed ? [] : [set(segment.then ?? to, ...path, "default")],
        ...segment.then === undefined ? [] : [remove(...path, "then")],
        ...notAtEnd(segment, from),
        ...(segment.events ?? []).some((event) => event.do === SHOW) ? [] : addEvent(story, from, SHOW, showAt, times),
    ];
}

/**
 * Takes choices from a segment. One that has none left ends the story.
 * @type {(segment: Segment, name: string, isTaken: (choice: import("./types").Choice, index: number) => boolean) => Change[]}
 */
function takeChoices(segment, name, isTaken) {
    const { choices = [], default: other } = segment;
    const path = ["segments", name];
    const left = choices.filter((choice, index) => !isTaken(choice, index));
    if (left.length === choices.length) return [];
    if (left.length === 0) {
        return [
            remove(...path, "choices"), ...other === undefined ? [] : [remove(...path, "default")],
            ...segment.role === undefined && !segment.loop ? [set("epilogue", ...path, "role")] : [],
        ];
    }
    // From the last one on, so that the numbers of those before it stay.
    const taken = choices.map((_, index) => index).filter((index) => isTaken(choices[index], index)).reverse();
    const isLost = choices.some(({ goto }) => goto === other) && left.every(({ goto }) => goto !== other);
    return [
        ...taken.map((index) => remove(...path, "choices", index)),
        ...isLost ? [set(left[0].goto, ...path, "default")] : [],
    ];
}

/** @type {(story: StoryText, from: string, index: number) => Change[]} */
export const removeChoice = (story, from, index) => takeChoices(story.segments[from], from, (_, each) => each === index);

/**
 * Renames a segment wherever the story names it.
 * @type {(story: StoryText, from: string, to: string) => Change[]}
 */
export function renameSegment(story, from, to) {
    const changes = Object.entries(story.segments).flatMap(([name, segment]) => [
        ...["default", "then"].filter((key) => segment[/** @type {"default" | "then"} */ (key)] === from)
            .map((key) => set(to, "segments", name, key)),
        ...(segment.choices ?? []).flatMap(({ goto }, index) => (
            goto === from ? [set(to, "segments", name, "choices", index, "goto")] : [])),
    ]);
    return [
        ...changes, ...story.start === from ? [set(to, "start")] : [],
        { path: pointer(["segments", from]), key: to },
    ];
}

/**
 * Removes a segment, and what leads there. The last one stays: a story has one.
 * @type {(story: StoryText, gone: string) => Change[]}
 */
export function removeSegment(story, gone) {
    const others = Object.entries(story.segments).filter(([name]) => name !== gone);
    if (others.length === 0) return [];
    const changes = others.flatMap(([name, segment]) => {
        const taken = takeChoices(segment, name, ({ goto }) => goto === gone);
        if (taken.length > 0) return taken;
        return followerOf(segment) === TO + gone ? setFollower(story, name, "") : [];
    });
    return [
        ...changes, ...story.start === gone ? [set(others[0][0], "start")] : [], remove("segments", gone),
    ];
}

/**
 * The text of a new story of some files: the first begins it.
 * @type {(title: string, media: string[]) => string}
 */
export function newStory(title, media) {
    /** @type {StoryText} */
    const story = { title, start: "", segments: {} };
    for (const file of media) {
        const name = freeName(stemOf(file), story.segments);
        story.start ||= name;
        story.segments[name] = { media: file, role: "epilogue" };
    }
    const lines = Object.entries(story.segments).map(([name, { media: file, role }]) => (
        `    ${JSON.stringify(name)}: { "media": ${JSON.stringify(file)}, "role": ${JSON.stringify(role)} }`));
    return `{ "timewarp": "story/1", "title": ${JSON.stringify(title)}, "start": ${JSON.stringify(story.start)},\n`
        + `  "segments": {\n${lines.join(",\n")}\n  } }\n`;
}

/**
 * A file's path from the folder of another, both relative to the workspace.
 * @type {(file: string, story: string) => string}
 */
export function pathFrom(file, story) {
    const folders = story.split("/").slice(0, -1), parts = file.split("/");
    let same = 0;
    while (same < folders.length && same < parts.length - 1 && folders[same] === parts[same]) same += 1;
    return [...folders.slice(same).map(() => ".."), ...parts.slice(same)].join("/");
}
