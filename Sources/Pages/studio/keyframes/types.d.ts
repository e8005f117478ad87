// What the modules of the keyframes share.

import type { Axes, Evaluation, Final, Keyframe, Layout, Over, Point, Position } from "../plot/types";
import type { WarpDraft } from "../types";

export type { Axes, Evaluation, Final, Keyframe, Point };

/** Where lines are drawn to which a dragged keyframe has snapped, in pixels. */
export type Guides = { x?: number | null, y?: number | null };

/** x1, y1, x2 and y2 of the Bézier curve of an easing: shares of the way to the next keyframe and of the change of speed. */
export type Handles = number[];

/** The axis of a list of keyframes: its seconds, and the least distance of two keyframes on [0,1]. */
export type Axis = { duration: number, least: number };
/** A part of a curve, in seconds of its keyframes' axis. */
export type Stretch = { from: number, to: number };
/**
 * What a command works on. `playhead` and `stretch`: in seconds of the keyframes' axis, which is the output's if `isOutput`;
 * `ratio`: of the output's length to the one that the keyframes give; `isFit`: whether the output has an exact length; `source`: the used part of the clip; `stretchBy`: the
 * seconds to put in for the output to hold that long, null if it can't.
 */
export type Retimed = {
    keyframes: Keyframe[], playhead: number, stretch: Stretch, isSelected: boolean, isOutput: boolean, ratio: number, isFit: boolean,
    source: { duration: number, frameRate: number }, stretchBy(seconds: number): number | null,
};
/** `keyframes`: the change that makes keyframes of the curve, not flipped; null if it can't be, which has been said. */
export type RetimeActions = {
    keyframes(): Promise<Partial<WarpDraft> & { keyframes: Keyframe[] } | null>,
    position(): Position | null, selected(): number[], select(indexes: number[]): void,
};
/** The list after a command, and the keyframes between which it was done. */
export type Commanded = { keyframes: Keyframe[], selected: number[] };
/** The list after an edit, and the keyframe that was edited. */
export type Edited = { keyframes: Keyframe[], index: number };

/** `onDragging`: the axes must not change during a drag; `onStalks`: lines to the handles of an easing. */
export type KeyframeActions = {
    onKeyframes(keyframes: Keyframe[], options: Final): void,
    onSelect(index: number | null, all: number[]): void,
    onDragging(isDragging: boolean): void,
    onGuides(guides: Guides): void,
    onStalks(pairs: Point[][]): void,
    /** A keyframe was dropped onto a beat of the output, which moves with it. */
    onBeat(index: number, beat: number): void,
    /** A keyframe that may not be in the part that is shown has the focus. */
    onReveal(point: Point): void,
    /** The picture of a keyframe is to be shown, in seconds of the used part of the clip; `output`: when the output shows it. */
    onPicture(seconds: number, options: Final & { output: number | null }): void,
};
/** `onSelect(null)`: the keyframe is no longer selected. */
export type EasingActions = Pick<KeyframeActions, "onKeyframes" | "onDragging" | "onStalks"> & {
    onSelect(index: null): void,
};

/**
 * What keyframes are drawn from. `duration` and `frameRate`: of the keyframes' axis; `dot`: the playing position on that
 * axis; `beats`: on the plot's axis; `outputBeats`: in the output; `beatAt`: the time in the output of a beat there that
 * moves with the keyframes, else null; `turned`: converts a keyframe's place to the plot's and back, which differ if the
 * curve is flipped.
 */
export type Scene = {
    keyframes: Keyframe[], evaluation: Evaluation | null, axes: Axes, layout: Layout, duration: number,
    frameRate: number, offset: number, snap: boolean, fit: boolean, dot(): number | null, beats: number[],
    outputBeats: number[], beatAt(seconds: number): number | null, turned(share: number): number,
};
/** The scene of a drag. `ratio`: of the curve's speeds to the keyframes', which differ if the length is exact. */
export type DragScene = Scene & { ratio: number, axis: Axis };
/** The scene of the handles of an easing, with the keyframes' places, their points in the plot, and the one it follows. */
export type EasingScene = Scene & { ratio: number, index: number, places: number[], points: Point[] };

/**
 * A drag as it began: the handle's point, the pointer's distance from it, the keyframes, the axes, the selected
 * keyframes, and with Shift the one that was selected before. `beat`: see `Move`.
 */
export type Drag = {
    from: Point, offset: Point, keyframes: Keyframe[], axes: Axes, group: number[], anchor: number | null,
    beat?: number | null,
};
/**
 * A plateau or a jump of the curve that is gripped at `start`, by the first of its two keyframes; `isHeld`: null until the
 * pointer has moved.
 */
export type Grip = Drag & { index: number, isPlateau: boolean, start: Point, isHeld: boolean | null };
/** `guides`: the lines to draw; `beat`: the beat of the output onto which it was dragged, if it moves with the keyframe. */
export type Move = { keyframes: Keyframe[], guides(axes: Axes): Guides, beat?: number | null };
/** Where a drag moves a keyframe: to a point in pixels; `isFree`: whether it doesn't snap. */
export type Mover = (scene: DragScene, index: number, drag: Drag, point: Point, isFree: boolean) => Move;

/**
 * The keyframes of the table. `duration` and `frameRate`: of their axis. New ones lie on the curve of `evaluation`; `flip`:
 * whether it is mirrored.
 */
export type Table = {
    keyframes: Keyframe[], duration: number, frameRate: number, over: Over, evaluation: Evaluation | null, flip: boolean,
};
export type TableActions = {
    onKeyframes?(keyframes: Keyframe[], options: Final): void, onSelect?(index: number | null): void,
    /** Adds a keyframe at the playhead, and returns its place among them; null if there is one already. */
    onAdd?(): number | null,
    /** Goes to the keyframe before or after the playhead. */
    onStep?(way: -1 | 1): void,
};
