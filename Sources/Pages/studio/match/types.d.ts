// What the modules of matching share.

import type { Waveform } from "../../shared/server";
import type { MatchResponse } from "../../shared/types";
import type { Room } from "../plot/types";
import type { Tiles } from "../plot/plot-tiles.js";

export type { MatchResponse, Room, Waveform };
export type { Part } from "../../shared/types";
export type { How } from "../types";

/** An instant of a recording and the output time at which it is heard, in seconds. */
export type Anchor = [number, number];
export type LaneName = "reference" | "recording";
export type Lane = {
    key: string, name: string, duration: number, waveform: Waveform | null,
    load(level: number, tile: number): Promise<Waveform | null>,
};
export type Match = { reference: Lane | null, recording: Lane, anchors: Anchor[], windows: Anchor[] };
/** The first half of an anchor that is being set. */
export type Pending = { lane: LaneName, time: number };
export type LaneTiles = Record<LaneName, Tiles<Waveform>>;

/** What is drawn: `window` is the part of the output that is shown. */
export type Drawn = {
    match: Match, window: { from: number, to: number }, tiles: LaneTiles, size: { width: number, height: number },
    selected: number | null, pending: Pending | null, colours: CSSStyleDeclaration,
};
export type Scene = Drawn & {
    colour(name: string): string, placeOf(output: number): number, roomOf(name: LaneName | "drift"): Room,
};
