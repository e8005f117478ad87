// The map of what was seen, if the author allows it: the scenes that were ever seen, the ways between them, and that
// there are others, without their titles.
//
//   column 0     1            2
//   ┌─────┐   ┌─────┐──────▶┌─────┐     A way forward leaves its room in each column that it passes.
//   │     │──▶│     │       └─────┘     A way back runs in a lane below all boxes.
//   └─────┘   └─────┘──┐
//      ▲───────────────┘

import { words } from "./words.js";

/** @typedef {import("../story/path.js").Path} Path */
/** @typedef {{ column: number, row: number, before: Slot[] }} Slot a room in a column; `before` leads to it */
/** @typedef {Slot & { name: string, isVisited: boolean }} Place */
/** @typedef {{ from: Place, to: Place, isBack: boolean, passes: Slot[] }} Way */
/** @typedef {{ places: Place[], ways: Way[] }} Graph */

/** A larger map helps nobody. */
const MOST_PLACES = 300;
const MOST_LANES = 8;
/** Sizes as in controls.css, in units that are a pixel each unless the viewer's font is larger. */
const UNITS_PER_REM = 16;
const BOX = { width: 132, height: 52, across: 60, down: 18, lane: 9 };

/** @type {(segment: import("../types.js").Segment) => string[]} the segments that directly follow a segment */
function followers({ choices, default: preset, loop, then }) {
    if (choices.length === 0) return then === null ? [] : [then];
    const rest = loop || preset === null ? [] : [preset];
    return [...new Set([...choices.map((choice) => choice.goto), ...rest])];
}

/** @type {(column: number) => Slot} */
const newSlot = (column) => ({ column, row: 0, before: [] });
/** @type {(name: string) => Place} */
const newPlace = (name) => ({ name, isVisited: false, ...newSlot(0) });

/**
 * What the map shows: the segments that were seen and those that follow them, and the ways between them.
 * @type {(manifest: import("../types.js").Manifest, path: Path) => Graph}
 */
function shownGraph(manifest, path) {
    const places = new Map([[manifest.start, newPlace(manifest.start)]]);
    const ways = [];
    for (const from of places.values()) {
        if (!path.hasSeen(from.name)) continue;
        for (const name of followers(manifest.segments[from.name])) {
            if (!places.has(name) && places.size < MOST_PLACES) places.set(name, newPlace(name));
            const to = places.get(name);
            if (to) ways.push({ from, to, isBack: false, passes: [] });
        }
    }
    return { places: [...places.values()], ways };
}

/**
 * Marks the ways that lead back, and puts every place behind all that lead to it by other ways.
 * @param {Graph} graph
 */
function putInColumns({ places, ways }) {
    const leaving = new Map(places.map((place) => [place, ways.filter((way) => way.from === place)]));
    /** @type {Set<Place>} */
    const open = new Set();
    /** @type {Place[]} */
    const order = [];
    const visit = (/** @type {Place} */ place) => {
        open.add(place);
        place.isVisited = true;
        for (const way of leaving.get(place) ?? []) {
            way.isBack = open.has(way.to);
            if (!way.to.isVisited) visit(way.to);
        }
        open.delete(place);
        order.unshift(place);
    };
    visit(places[0]);
    for (const place of order) {
        for (const { to, isBack } of leaving.get(place) ?? []) {
            if (!isBack) to.column = Math.max(to.column, place.column + 1);
        }
    }
}

/**
 * Gives each place a row, and each way that passes columns a free row in them.
 * @param {Graph} graph
 */
function putInRows({ places, ways }) {
    /** @type {Slot[][]} */
    const columns = [];
    /** @type {(slot: Slot, before: Slot[]) => void} */
    const add = (slot, before) => {
        columns[slot.column] ??= [];
        columns[slot.column].push(slot);
        slot.before = before;
    };
    for (const place of places) {
        add(place, ways.filter((way) => way.to === place && !way.isBack).map((way) => way.from));
    }
    for (const way of ways) {
        for (let column = way.from.column + 1; column < way.to.column; column += 1) {
            const slot = newSlot(column);
            add(slot, [way.passes.at(-1) ?? way.from]);
            way.passes.push(slot);
        }
    }
    const rows = Math.max(...columns.map((column) => column.length));
    for (const column of columns) {
        // Near what leads there, so that few ways cross.
        const wish = (/** @type {Slot} */ { before }) =>
            before.reduce((sum, { row }) => sum + row, 0) / before.length || 0;
        column.sort((a, b) => wish(a) - wish(b));
        column.forEach((slot, index) => { slot.row = index + (rows - column.length) / 2; });
    }
    return { columns: columns.length, rows };
}

const inRem = (/** @type {number} */ units) => `${units / UNITS_PER_REM}rem`;

const left = (/** @type {Slot} */ { column }) => column * (BOX.width + BOX.across) + BOX.across / 2;
const middle = (/** @type {Slot} */ { row }) => row * (BOX.height + BOX.down) + BOX.height / 2;

/**
 * A way forward: a curve between columns, and a line through each column that it passes.
 * @type {(way: Way) => string}
 */
function forwardPath({ from, to, passes }) {
    let [x, y] = [left(from) + BOX.width, middle(from)];
    let text = `M${x} ${y}`;
    for (const slot of [...passes, to]) {
        const [nextX, nextY] = [left(slot) - (slot === to ? 5 : 0), middle(slot)];
        const half = (nextX - x) / 2;
        text += `C${x + half} ${y} ${nextX - half} ${nextY} ${nextX} ${nextY}`;
        [x, y] = [left(slot) + BOX.width, nextY];
        if (slot !== to) text += `H${x}`;
    }
    return text;
}

/**
 * A way back: down beside its box, along a lane below all boxes, and up to the other box.
 * @type {(way: Way, low: number) => string}
 */
function backPath({ from, to }, low) {
    const [x1, y1] = [left(from) + BOX.width, middle(from) + 8];
    const [x2, y2] = [left(to), middle(to) + 8];
    return `M${x1} ${y1}h10q8 0 8 8V${low - 8}q0 8 -8 8H${x2 - 14}q-8 0 -8 -8V${y2 + 8}q0 -8 8 -8h9`;
}

/** @type {(tag: string, attributes: Record<string, string>) => SVGElement} */
function drawing(tag, attributes) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
}

/** @type {(ways: Way[], path: Path, size: { width: number, height: number }, bottom: number) => SVGElement} */
function drawnWays(ways, path, size, bottom) {
    const svg = drawing("svg", {
        viewBox: `0 0 ${size.width} ${size.height}`, "aria-hidden": "true",
        width: inRem(size.width), height: inRem(size.height),
    });
    let lane = 0;
    // Those that were taken are drawn over the others.
    for (const way of [...ways].sort((a, b) => Number(isTaken(path, a)) - Number(isTaken(path, b)))) {
        const line = way.isBack
            ? backPath(way, bottom + BOX.lane * (1 + (lane++) % MOST_LANES)) : forwardPath(way);
        const end = way.isBack ? middle(way.to) + 8 : middle(way.to);
        const tip = `M${left(way.to) - 7} ${end - 4}l7 4l-7 4z`;
        const kind = isTaken(path, way) ? "way taken" : "way";
        svg.append(drawing("path", { d: line, class: kind }), drawing("path", { d: tip, class: `${kind} tip` }));
    }
    return svg;
}

/** @type {(path: Path, way: Way) => boolean} */
const isTaken = (path, { from, to }) => path.hasTaken(from.name, to.name);

/**
 * @param {import("../types.js").Manifest} manifest
 * @param {Path} path
 * @param {(index: number) => void} act called with the number of the step whose scene was chosen
 * @returns {HTMLElement[]} the elements of the map
 */
export function storyMap(manifest, path, act) {
    const graph = shownGraph(manifest, path);
    putInColumns(graph);
    const { columns, rows } = putInRows(graph);
    const bottom = rows * (BOX.height + BOX.down) - BOX.down;
    const lanes = Math.min(MOST_LANES, graph.ways.filter((way) => way.isBack).length);
    const size = {
        width: columns * (BOX.width + BOX.across), height: bottom + BOX.lane * (lanes + 1),
    };
    const list = document.createElement("ul");
    list.className = "map";
    list.style.width = inRem(size.width);
    list.style.height = inRem(size.height);
    list.append(...graph.places.map((place) => placeItem(place, graph.ways, path, act)));
    const frame = document.createElement("div");
    frame.className = "map-frame";
    // The keyboard scrolls what has the focus.
    frame.tabIndex = 0;
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", words.say("map"));
    frame.append(drawnWays(graph.ways, path, size, bottom), list);
    const count = document.createElement("p");
    // English words may stand in a page that is written from right to left.
    const text = document.createElement("bdi");
    text.textContent = words.say("seenOf", {
        seen: path.seenCount, all: Object.keys(manifest.segments).length,
    });
    count.append(text);
    return [count, frame];
}

/**
 * What a screen reader says of the lines that leave a place.
 * @type {(place: Place, ways: Way[], path: Path) => HTMLElement}
 */
function spokenWays(place, ways, path) {
    const names = ways.filter(({ from }) => from === place).map(({ to: { name } }) =>
        (path.hasSeen(name) ? path.titleOf(name) : words.say("unseen")));
    const text = document.createElement("span");
    text.className = "unseen";
    if (names.length > 0) text.textContent = words.say("leadsTo", { scenes: names.join(words.say("optionGap")) });
    return text;
}

/** @type {(place: Place, ways: Way[], path: Path, act: (index: number) => void) => HTMLElement} */
function placeItem(place, ways, path, act) {
    const item = document.createElement("li");
    item.style.insetInlineStart = inRem(left(place));
    item.style.top = inRem(middle(place) - BOX.height / 2);
    const step = path.steps.findLastIndex(({ segment }) => segment === place.name);
    const isSeen = path.hasSeen(place.name);
    const box = document.createElement(step >= 0 ? "button" : "span");
    box.className = isSeen ? "place seen" : "place";
    box.textContent = isSeen ? path.titleOf(place.name) : "?";
    if (isSeen) {
        box.dir = "auto";
        box.title = box.textContent;
    } else {
        box.setAttribute("role", "img");
        box.setAttribute("aria-label", words.say("unseen"));
    }
    if (step >= 0) {
        box.setAttribute("type", "button");
        if (step === path.steps.length - 1) box.setAttribute("aria-current", "true");
        box.addEventListener("click", () => act(step));
    }
    item.append(box, spokenWays(place, ways, path));
    return item;
}
