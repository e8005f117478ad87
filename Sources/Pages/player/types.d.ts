// The shapes that the player's modules share. Where Swift writes or reads them too, its type is named.

export type Variables = Record<string, number>;

/** `StoryFormula`: numbers, variables, and names of operations in postfix order. */
export type Formula = (number | string | { v: string })[];

/** `StoryManifest`. Times are in seconds. */
export type Manifest = {
    timewarp: string, id: string, title: string, language: string, start: string,
    controls?: { progress: boolean, map: boolean },
    analytics?: string | null,
    variables: Variables,
    media: { type: string, init: string, width: number, height: number, frameRate: number, sampleRate: number },
    segments: Record<string, Segment>,
};

/** `StoryManifest.Segment`. */
export type Segment = {
    title: string | null, role: string, file: string, start: number, duration: number, frames: number,
    dissolve: { frames: number, from: Record<string, File>, rest: File } | null,
    captions: { file: string, language: string, label: string }[],
    events: { at: number, do: string }[],
    choices: Choice[],
    default: string | null, loop: boolean, then: string | null,
};

/** `StoryManifest.File`. */
type File = { file: string, start: number };

/** `StoryManifest.Choice`; `area` is left, top, width and height in shares of the frame. */
export type Choice = {
    label: string, key: string | null, goto: string, when: Formula | null, set: [variable: string, formula: Formula][],
    area: [number, number, number, number] | null, immediately: boolean,
};

/** `StoryState.Visit`: an earlier decision. */
export type Moment = { segment: string, variables: Variables };

/** `StoryState`. */
export type State = Moment & { available: number[], fired: number, history: Moment[] } & (
    { phase: "locked", next: string } | { phase: "playing" | "choosing" | "waiting" | "ended", next: null });

/** `StoryInput`; `time` is in seconds of the segment. */
export type Input = { do: "start" | "finished" | "back" | "restart" }
    | { do: "reached", time: number } | { do: "chose", choice: number };

/** `StoryAction`. */
export type Action = { do: "play" | "lock" | "jump", segment: string } | { do: "hide" | "leave" | "end" }
    | { do: "show", choices: number[] } | { do: "event", name: string }
    | { do: "choice", segment: string, choice: number };

/** What has come of an input. */
export type Result = { state: State, actions: Action[] };

/** Where the story is after a step. The times are those of the segment; a jump resets them to 0. */
export type After = { state: State, timeBefore: number, time: number };

/** `StoryVisitLine.Beginning`: how a segment begins that doesn't follow another one. */
export type Beginning = "start" | "resume" | "back" | "scene";

export type Happening =
    { type: "choice", choice: number, label: string } | { type: "event", name: string } | { type: "end" };

/** Something that is told to the page around the player, and to the author. */
export type Told = { segment: string, time: number } & Happening;

/** `StoryVisitLine.Event`. */
export type VisitEvent = Told | { type: Beginning, segment: string }
    | { type: "way", from: string, to: string, by: string, choice?: number };

/** A scene that the viewer has come through: `depth` is how many decisions were made before. */
export type PathStep = Moment & { depth: number, choice: number | null };

/** The viewer's settings: `captions` is a language, `shortcuts` tells whether letters and digits are shortcuts. */
export type Settings = {
    volume: number, isMuted: boolean, captions: string | null, captionSize: string, shortcuts: boolean,
};

/** A choice that is offered, with its number among the segment's choices. */
export type Offered = Choice & { index: number };

/** A button on a card. */
export type Labelled = [label: string, act: () => void];

/** A box of an MP4 file: where it begins, where its content does, and where it ends. */
export type Box = { kind: string, place: number, content: number, end: number };

/** A track of an initialisation segment: `defaults` are those of its samples. */
export type Track = {
    id: number, trak: Box, isVideo: boolean, timescale: number,
    defaults: { duration: number, size: number, flags: number },
};

export type Sample = {
    time: number, duration: number, size: number, offset: number, isSync: boolean, bytes: Uint8Array,
};

/** Frames from one file: the time of the first in the file, its number in the segment, and how many there are. */
export type Part = File & { first: number, frames: number };

/** A segment on a timeline. */
export type Piece = { name: string, frames: number, parts: Part[] };

/** A piece on the timeline of a Media Source, from its frame `begin` on. */
export type StreamPiece = Piece & {
    first: number, begin: number, dropped: AbortController,
    isBegun?: boolean, isAppended?: boolean, isLeft?: boolean, onAppended?: (() => void) | null,
};

/** A piece that is a file of its own: until it is `settled`, the element on standby is for it. */
export type FilePiece = Piece & {
    zero: number, dropped: AbortController, isShown: boolean, isLeft?: boolean,
    prepared?: Promise<void>, settled: Promise<void>, onShown: () => void,
};

/** What plays pieces one after the other. Times are those of the video; `frame` counts from the piece's first. */
export interface Timeline {
    readonly pieces: Piece[];
    /** Whether the next piece is about to be on the screen. */
    readonly isCrossing: boolean;
    /** Resolves when the video may be played. */
    readonly ready: Promise<unknown>;
    /** The time of the last presented frame. `Playback` sets it. */
    shown: number;
    open(): Promise<void>;
    close(): void;
    begin(name: string, frame?: number): Piece;
    append(name: string): Piece;
    conclude(): void;
    withdrawAfter(piece: Piece): void;
    leave(piece: Piece, frame: number): void;
    forgetBefore(piece: Piece): void;
    after(piece: Piece): Piece | null;
    at(mediaTime: number): { piece: Piece, frame: number } | null;
    untilCrossing(piece: Piece, frame: number | null): number;
    cross(goesOn: () => boolean, onError: (error: Error) => void): void;
}
