// What the modules of the plot share.

import type { Part, WholeEvaluation } from "../../shared/types";
import type { Beats as FoundBeats, Media, Waveform } from "../../shared/server";
import type { Keyframe } from "../types";

export type { FoundBeats, Keyframe, Part, Waveform };
export type Evaluation = WholeEvaluation;

export type View = "scale" | "speed" | "time";
/** What seconds are of: the clip or the output. */
export type Over = "source" | "output";
export type Point = { x: number, y: number };
export type Box = { x: number, y: number, width: number, height: number };
/** Where frames or sound are drawn in a canvas that is `width` wide. */
export type Room = { y: number, width: number, height: number };
/** The used part of a clip, in seconds. */
export type Range = { start: number, end: number };
/** Whether a change is the last of its gesture. */
export type Final = { final: boolean };
/** `at`: the clip's time of the picture under the handle, the first or the last that is used. */
export type Trimmed = Final & { at: number };
export type Seek = (seconds: number, options: Final) => void;
/** `output`: the instant of the output that is meant; null for the first that shows the picture. */
export type Sought = Final & { output?: number | null };

/** `share` of a value is 0 at `low` and 1 at `high`, and continues beyond both. */
export type Scale = {
    kind: "linear" | "log" | "signed", low: number, high: number,
    share(value: number): number, value(share: number): number,
};

/**
 * `length`: seconds of the horizontal axis; `from` and `to`: the part of it that is shown; `origin`: the time written at
 * its beginning.
 */
export type Axes = {
    view: View, over: Over, length: number, from: number, to: number, origin: number, across: Scale, up: Scale,
};

/** `box`: where the curve is drawn; `em`: the size of the text. */
export type Layout = { em: number, box: Box, width: number, height: number };

/** The playing position: seconds of the clip and of the output, null where the output doesn't show it. */
export type Position = { source: number, output: number | null };

/** `over`: whether the times are seconds of the clip or of the output; sorted. */
export type Beats = FoundBeats & { over: Over };
export type Clip = { duration: number, frameRate: number | null, range: Range | null };
export type Strip = NonNullable<Media["strip"]> & { url: string };
/** Finer strips, by their addresses, and waveforms, see plot-tiles.js. */
export type FinerTiles = {
    key: string, strip(level: number, tile: number): string,
    waveform(level: number, tile: number): Promise<Waveform | null>,
};

/** `flip`: whether the keyframes' curve is mirrored; `fit`: whether the output has an exact length. */
export type PlotState = {
    evaluation: Evaluation | null, view: View, keyframes: Keyframe[] | null, flip: boolean, fit: boolean, snap: boolean,
    clip: Clip | null, strip: Strip | null, waveform: Waveform | null, beats: Beats | null, tiles: FinerTiles | null,
};

/**
 * When a drag is cancelled, the last call has the state from before the drag, and `final` is true. `onSelect`: `all` are
 * selected, and one of them has the focus; `onBeat`: a keyframe was dropped onto a beat of the output, which has moved
 * with it; `onPart`: another part of the horizontal axis is shown, in seconds.
 */
export type PlotActions = {
    onKeyframes?(keyframes: Keyframe[], options: Final): void,
    onSeek?(sourceSeconds: number, options: Sought): void,
    /** The picture of a keyframe that is dragged or selected. */
    onPicture?(sourceSeconds: number, options: Sought): void,
    onRange?(range: Range, options: Trimmed): void,
    onSelect?(index: number | null, all: number[]): void,
    onBeat?(index: number, output: number): void,
    onPart?(part: Part | null): void,
    /** The menu is asked for, at a point of the window. */
    onMenu?(point: Point): void,
};

/** The clip's time in seconds at a share of the width. */
export type TimeAt = (share: number) => number;
/** Where a frame is in an image. */
export type Picture = { image: CanvasImageSource, x: number, width: number, height: number };
export type PictureAt = (time: number) => Picture;
/** The levels of the tiles that a lane is drawn with. */
export type Levels = { strip: number, waveform: number };
/** What the lanes are drawn from. */
export type LaneState = PlotState & { clip: Clip, axes: Axes, layout: Layout };

/** The place of a player: seconds of its clip, and of the preview; `evaluation`: of the result. */
export type Place = { isSource: boolean, time: number, output: number | null, evaluation: Evaluation | null };
export type PanelActions = {
    onKeyframes(keyframes: Keyframe[], final: boolean): void,
    onSeek(sourceSeconds: number, sought: Sought): void, onPicture(sourceSeconds: number, sought: Sought): void,
    onSelect(index: number | null): void, onView(): void, onMenu(point: Point): void,
    /** `part`: of the curve, as shares, that is looked at closely. */
    onPart(part: Part | null): void,
};
