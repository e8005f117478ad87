// What the modules of several pages share, and how the server is asked.

import type {
    Beats, Capabilities, Curve as AnyCurve, EditClip as AnyClip, EditorFile, Evaluation as AnyEvaluation, HitRequest,
    HitResponse, Job as AnyJob, KeepingEstimate, KeptCurve as AnyKept, KeyframeList, MatchRequest, MatchResponse as AnyMatch, Media,
    Render as AnyRender, Room, Segment as AnySegment, Story, StoryBuild, Waveform, WorkspaceFile,
} from "./server";

/** The same, with any text where one of several words is expected: the words come from the server's lists. */
type Open<Values> = { [Key in keyof Values]: Values[Key] extends string | undefined ? string : Values[Key] };

/** A curve as in a curve file, which says its version. */
export type Curve = Open<AnyCurve> & { timewarp?: string };
export type KeptCurve = Omit<AnyKept, "curve"> & { curve: Curve };

/** A clip, which its media is the identity of, and how it is retimed. */
export type Segment = Omit<AnySegment, "warp"> & { media: string, warp?: Curve };

/** What the studio renders: a job of one clip that keeps its format. */
export type Job = {
    timewarp: string,
    timeline: { format: "source", tracks: { carries?: "sound", segments: Segment[] }[] },
    output: Pick<AnyJob["output"], "path" | "range">,
    video?: Open<NonNullable<AnyJob["video"]>>, audio?: Open<NonNullable<AnyJob["audio"]>>,
};
export type Render = Omit<AnyRender, "job"> & { job: Job };

export type EditClip = Omit<AnyClip, "segment"> & { segment: Segment };
export type Edit = { name: string, clips: EditClip[], sounds?: EditClip[], basis?: number };
export type KeptEdit = { id: string, name: string, clips: EditClip[], sounds?: EditClip[], version?: number };

type Pairs = [number, number][];
export type MatchResponse = Omit<AnyMatch, "anchors" | "agreement"> & {
    anchors: Pairs, agreement?: Omit<NonNullable<AnyMatch["agreement"]>, "windows"> & { windows: Pairs },
};

/** Status 0: the server can't be reached. */
export type Failure = {
    status: number, message: string, field: string | null, column: number | null, place: number | null,
};
export type Answer<Value> = { ok: true, value: Value } | { ok: false, error: Failure };

/** What the server evaluates and renders; `reference` is the clip that the sound was compared with. */
export type Request = { job: Job, reference?: string };

/** An evaluation in which what the server omits is null or empty. */
export type WholeEvaluation = Omit<AnyEvaluation, "segment" | "minimum" | "maximum" | "curveFile" | "anchorFile"> & {
    segment: Segment, minimum: number | null, maximum: number | null, curveFile: Curve | null, anchorFile: string | null,
};

/** How a change came: all changes of one gesture, up to the final one, are one step of undo. */
export type How = { gesture?: string | null, final?: boolean };

/** A part of an axis or of a curve. */
export type Part = { from: number, to: number };

type Asked<Value> = Promise<Answer<Value>>;
type Clip = Pick<Media, "id" | "stamp">;

/** Every request to the server. Except for streams nothing is thrown. */
export type API = {
    /** `part`: the part of the curve that is looked at closely, on [0,1]; null for none. */
    evaluate(request: Request, part?: Part | null): Asked<WholeEvaluation>,
    /** Plays what a job makes, from an instant on, in frames whose shorter side has `size` pixels at most. */
    stream(request: Request, from: number, size: number, signal: AbortSignal): Promise<Response>,
    capabilities(): Asked<Capabilities>,
    /** What of a job's video smart rendering keeps. */
    keeping(request: Request): Asked<KeepingEstimate>,
    /** Keyframes that follow a job's curve. */
    keyframes(request: Request): Asked<KeyframeList>,
    /** Finds how a keyframe comes to an instant of the output. */
    hit(hit: Omit<HitRequest, "job"> & Request, signal?: AbortSignal): Asked<HitResponse>,
    /** Compares the sound of two clips. */
    match(match: MatchRequest): Asked<MatchResponse>,
    /** `format`: the extension of an editor's project files. */
    exportEdit(request: Request, format: string): Asked<EditorFile>,

    listMedia(): Asked<{ media: Media[] }>,
    media(id: string): Asked<Media>,
    deleteMedia(id: string): Asked<null>,
    returnMedia(id: string): Asked<Media>,
    beats(id: string): Asked<Beats>,
    waveform(id: string): Asked<Waveform>,
    waveformTile(id: string, level: number, tile: number): Asked<Waveform>,
    inspect(id: string): Asked<any>,
    /** The largest file that there is room for, in bytes. */
    room(bytes: number): Asked<{ largest: number }>,
    listFiles(): Asked<{ files: WorkspaceFile[], isCut: boolean }>,
    importFile(file: string): Asked<Media>,

    listCurves(): Asked<{ curves: KeptCurve[] }>,
    addCurve(name: string, curve: Curve): Asked<KeptCurve>,
    saveCurve(id: string, name: string, curve: Curve): Asked<KeptCurve>,
    deleteCurve(id: string): Asked<null>,

    listRenders(): Asked<{ renders: Render[] }>,
    startRender(request: Request): Asked<Render>,
    render(id: string): Asked<Render>,
    cancelRender(id: string): Asked<Render>,
    renderAgain(id: string): Asked<Render>,
    /** Plays a finished render in the same way as `stream`. */
    playRender(id: string, from: number, size: number, signal: AbortSignal): Promise<Response>,
    /** Makes a clip of a finished render. */
    clipOfRender(id: string): Asked<Media>,
    showRender(id: string): Asked<null>,
    deleteRender(id: string): Asked<null>,
    returnRender(id: string): Asked<Render>,

    listEdits(): Asked<{ edits: KeptEdit[] }>,
    edit(id: string): Asked<KeptEdit>,
    addEdit(edit: Edit): Asked<Media>,
    /** `isLast`: whether the page may be closed before the response arrives. */
    saveEdit(id: string, edit: Edit, isLast?: boolean): Asked<Media>,
    editFile(id: string, format: string): Asked<EditorFile>,

    listStories(): Asked<{ folder: string, stories: WorkspaceFile[], isCut: boolean }>,
    story(id: string): Asked<Story>,
    /** Changes a time in the story file: `at` in seconds, or `text` as it is written. */
    addStory(story: { name: string, text: string }): Asked<Story>,
    changeStory(id: string, change: object): Asked<Story>,
    buildStory(id: string): Asked<StoryBuild>,
    cancelStory(id: string): Asked<null>,

    session(): Asked<{ session: any }>,
    keepSession(session: object, isLast?: boolean): Asked<null>,
};

/** The addresses that elements of the page load. */
export type URLs = {
    events: string,
    poster(media: Clip): string,
    strip(media: Clip): string,
    stripTile(media: Clip, level: number, tile: number): string,
    curveFile(id: string): string,
    storyStrip(id: string, segment: string, from: number, to: number, frames?: number): string,
    storyGraph(id: string): string,
    film(id: string): string,
    download(id: string): string,
};


export type { Media };
