// What the studio's server takes and gives. Made from its Swift types: see APIDescriptionTests.

export type Beats = {
    beats: number[],
    onsets: number[],
    sections: {
        end: number,
        start: number,
        tempo: number,
    }[],
    tempo?: number,
};

export type Capabilities = {
    codecs: Choice[],
    containers: {
        audioCodecs: string[],
        name: string,
        title: string,
        videoCodecs: string[],
    }[],
    curves: {
        factor: string,
        modifier?: string,
        name: string,
        picture: CurvePicture,
        title: string,
    }[],
    easings: Choice[],
    formats: Choice[],
    frames: Choice[],
    ramps: {
        keyframes: Keyframe[],
        motion: {
            output: number[],
            source: number[],
        },
        name: string,
        picture: CurvePicture,
        summary: string,
    }[],
    soundModes: {
        hints: Record<string, string>,
        name: string,
        title: string,
    }[],
    tunes: Choice[],
};

export type Choice = {
    hint?: string,
    name: string,
    title: string,
};

export type Curve = {
    components?: {
        curve: Curve,
        range: number[],
    }[],
    curve?: "constant" | "cosine" | "double-smoothstep" | "power" | "ramp" | "sine" | "smoothstep" | "tapered-cosine" | "tapered-sine" | "triangle",
    factor?: number,
    flip?: boolean,
    integral?: string,
    keyframes?: {
        at: string,
        easing?: string,
        source?: string,
        speed: number,
    }[],
    modifier?: number,
    scale?: string,
    speed?: string,
};

export type CurveFile = {
    components?: {
        curve: Curve,
        range: number[],
    }[],
    curve?: "constant" | "cosine" | "double-smoothstep" | "power" | "ramp" | "sine" | "smoothstep" | "tapered-cosine" | "tapered-sine" | "triangle",
    factor?: number,
    flip?: boolean,
    integral?: string,
    keyframes?: {
        at: string,
        easing?: string,
        source?: string,
        speed: number,
    }[],
    modifier?: number,
    scale?: string,
    speed?: string,
    timewarp?: string,
};

export type CurveList = {
    curves: KeptCurve[],
};

export type CurvePicture = {
    scale: (number | null)[],
    speed: (number | null)[],
    u: number[],
};

export type Edit = {
    basis?: number,
    clips: EditClip[],
    name: string,
    sounds?: EditClip[],
};

export type EditClip = {
    at?: string,
    dissolve?: string,
    end?: string,
    fadeOut?: string,
    gain?: number,
    rate?: string,
    segment: Segment,
    start?: string,
    whole?: number,
};

export type EditList = {
    edits: KeptEdit[],
};

export type EditorFile = {
    content: string,
    name: string,
    notes: string[],
};

export type Evaluation = {
    anchorFile?: string,
    averageFrameRate?: number,
    command: string,
    curve: {
        over: "source" | "output",
        scale: (number | null)[],
        speed: (number | null)[],
        u: number[],
    },
    curveFile?: CurveFile,
    frames?: number,
    map: {
        output: number[],
        source: number[],
    },
    maximum?: number,
    minimum?: number,
    outputDuration: number,
    rising: boolean,
    segment: Segment,
    sourceDuration: number,
    sourceFrameRate?: number,
    sourceStart: number,
    title: string,
    warnings: string[],
};

export type Events = {
    curves: NoContent,
    hello: NoContent,
    media: Media,
    preview: PreviewEvent,
    progress: ProgressEvent,
    removed: Removal,
    render: Render,
    returned: Removal,
    story: StoryEvent,
};

export type ExportRequest = {
    format: string,
    job: Job,
    reference?: string,
};

export type Failure = {
    error: {
        column?: number,
        field?: "media" | "curve" | "length" | "match" | "range" | "video" | "sound" | "container" | "sample",
        message: string,
        place?: number,
    },
};

export type HitRequest = {
    job: Job,
    kept?: number,
    keyframe: number,
    output: number,
    reference?: string,
    way: "speed" | "place",
};

export type HitResponse = {
    changes: {
        keyframe: number,
        place?: number,
        speed?: number,
    }[],
    output: number,
};

export type ImportRequest = {
    file: string,
};

export type Job = {
    audio?: {
        bitRate?: number,
        codec?: "aac" | "flac" | "mp3" | "opus" | "pcm",
        freeze?: "hold" | "silence",
        interpolation?: "linear" | "sinc" | "smooth",
        mode?: "keep" | "keep-pitch" | "mute" | "varispeed",
        tune?: "music" | "speech",
    },
    output: {
        container?: "flac" | "gif" | "m4a" | "mkv" | "mov" | "mp3" | "mp4" | "nut" | "ogg" | "opus" | "wav" | "webm" | "y4m",
        existing?: "overwrite" | "refuse",
        indexFirst?: boolean,
        metadata?: boolean,
        path: string,
        range?: (number | string)[],
    },
    resources?: {
        hardwareDecoding?: "auto" | "cuda" | "off" | "vaapi" | "vdpau" | "videotoolbox" | "vulkan",
        jobs?: number,
        mediaFolders?: string[],
        memoryBytes?: number,
        pieces?: number,
        sequenceRate?: number | string,
        temporaryFolder?: string,
        threads?: number,
    },
    timeline: Timeline,
    timewarp: string,
    video?: {
        bitRate?: number,
        codec?: "av1" | "dnxhd" | "dvvideo" | "ffv1" | "gif" | "h264" | "hevc" | "mjpeg" | "prores" | "rawvideo" | "vp9",
        file?: string,
        frames?: "blend" | "hold" | "motion",
        hardware?: "amf" | "auto" | "nvenc" | "off" | "qsv" | "v4l2m2m" | "vaapi" | "videotoolbox",
        mode?: "copied" | "dropped" | "restamped" | "retimed" | "unretimed",
        pixelFormat?: string,
        preset?: string,
        quality?: number,
        rate?: number | string,
        shutter?: number,
        skipRepeats?: boolean,
        smart?: boolean,
    },
};

export type KeepingEstimate = {
    encoded: number,
    kept: number,
    reason?: string,
};

export type KeptCurve = {
    changed: string,
    curve: CurveFile,
    id: string,
    name: string,
    picture?: CurvePicture,
};

export type KeptEdit = {
    clips: EditClip[],
    id: string,
    name: string,
    sounds?: EditClip[],
    version?: number,
};

export type Keyframe = {
    at: string,
    easing: string,
    source?: string,
    speed: number,
};

export type KeyframeList = {
    keyframes: Keyframe[],
};

export type Listing = {
    files: WorkspaceFile[],
    isCut: boolean,
};

export type MatchRequest = {
    media: string,
    reference: string,
    way: "match" | "like",
};

export type MatchResponse = {
    agreement?: {
        largestResidual: number,
        offset: number,
        residual: number,
        windowCount: number,
        windows: number[][],
        windowsMatched: number,
    },
    anchors: number[][],
    duration: string,
    millisecondsPerHour: number,
    notes: string[],
    partsPerMillion: number,
};

export type Media = {
    added: string,
    analysis: "waiting" | "ready" | "failed",
    audio?: {
        channels: string,
        codec: string,
        sampleRate: number,
    },
    bytes: number,
    duration: number,
    file: string,
    format: string,
    id: string,
    name: string,
    origin: "sample" | "upload" | "workspace",
    stamp: string,
    strip?: {
        count: number,
        height: number,
        width: number,
    },
    video?: {
        codec: string,
        frameRate?: number,
        height: number,
        width: number,
    },
};

export type MediaList = {
    media: Media[],
};

export type NamedCurve = {
    curve: Curve,
    name: string,
};

export type NewStory = {
    name: string,
    text: string,
};

export type NoContent = {
};

export type PreviewEvent = {
    height: number,
    id: string,
    image: string,
    outputSeconds: number,
    width: number,
};

export type Progress = {
    elapsedSeconds: number,
    fraction: number,
    frames: number,
    framesPerSecond: number,
    remainingSeconds?: number,
};

export type ProgressEvent = {
    elapsedSeconds: number,
    fraction: number,
    frames: number,
    framesPerSecond: number,
    id: string,
    remainingSeconds?: number,
};

export type Removal = {
    id: string,
    kind: "media" | "render",
};

export type Render = {
    bytes?: number,
    command: string,
    created: string,
    ended?: string,
    error?: string,
    id: string,
    isRecorded: boolean,
    job: Job,
    media: string,
    mediaStamp?: string,
    name: string,
    outputDuration: number,
    picture?: CurvePicture,
    position?: number,
    progress?: Progress,
    reference?: string,
    report?: {
        audio: {
            lengthErrorSamples: number,
            offsetAtEndSeconds: number,
            offsetAtStartSeconds: number,
            samplesIn: number,
            samplesKept: number,
            samplesOut: number,
            samplesPresented: number,
        }[],
        cpuSeconds: number,
        durationErrorSeconds: number,
        expectedDuration?: {
            timescale: number,
            value: number,
        },
        expectedDurationSeconds: number,
        output: string,
        outputDuration: {
            timescale: number,
            value: number,
        },
        outputDurationSeconds: number,
        peakMemoryBytes: number,
        peakSpillBytes: number,
        source: string,
        sourceDuration: {
            timescale: number,
            value: number,
        },
        sourceDurationSeconds: number,
        video: {
            averageFrameRate: number,
            endSeconds: number,
            framesBlended: number,
            framesDecoded: number,
            framesHeld: number,
            framesKept: number,
            framesRead: number,
            framesRepeated: number,
            framesSkipped: number,
            framesSynthesised: number,
            framesWritten: number,
            largestTimeErrorSeconds: number,
            repeatsFound: number,
            repeatsSkipped: number,
            rmsTimeErrorSeconds: number,
            startSeconds: number,
        }[],
        wallSeconds: number,
        warnings: string[],
    },
    state: "queued" | "running" | "finished" | "failed" | "cancelled" | "interrupted",
};

export type RenderList = {
    renders: Render[],
};

export type Request = {
    job: Job,
    reference?: string,
};

export type Room = {
    largest: number,
};

export type Segment = {
    anchors?: ({
        output: number | string,
        source: number | string,
    })[],
    dissolve?: number | string,
    duration?: number | string,
    fadeOut?: number | string,
    freeze?: number | string,
    gain?: ({
        at: number | string,
        dB: number,
    })[] | number,
    gap?: number | string,
    longerBy?: number | string,
    markers?: ({
        at: number | string,
        colour?: string,
        comment?: string,
        duration?: number | string,
        name: string,
    })[],
    media?: string,
    name?: string,
    oneWay?: number | string,
    play?: "forward" | "reversed",
    range?: (number | string)[],
    scale?: number | string,
    speed?: number | string,
    thereAndBack?: boolean | number | string,
    timeMap?: ({
        output: number | string,
        source: number | string,
    })[],
    warp?: Curve,
    window?: (number | string)[],
};

export type Story = {
    build?: StoryBuild,
    command: string,
    findings: {
        column?: number,
        line?: number,
        message: string,
        path: string,
        segment?: string,
        severity: string,
    }[],
    graph?: {
        boxes: {
            height: number,
            name: string,
            width: number,
            x: number,
            y: number,
        }[],
        height: number,
        pictureHeight: number,
        version: string,
        width: number,
    },
    id: string,
    isCurrent?: boolean,
    name: string,
    segments: {
        line: number,
        media: string,
        name: string,
        role: string,
        times?: {
            duration: number,
            events: {
                at: number,
                do: string,
            }[],
            frameDuration?: number,
            range?: number[],
        },
    }[],
    text?: string,
    title?: string,
    version: string,
};

export type StoryBuild = {
    count?: number,
    fraction?: number,
    notes: string[],
    number?: number,
    segment?: string,
    state: "building" | "built" | "failed" | "cancelled",
};

export type StoryChangeRequest = {
    changes?: {
        key?: string,
        path: string,
        time?: number,
        value?: string,
    }[],
    text?: string,
    version: string,
};

export type StoryEvent = {
    build: StoryBuild,
    id: string,
};

export type StoryList = {
    folder: string,
    isCut: boolean,
    stories: WorkspaceFile[],
};

export type Timeline = {
    format?: {
        channels?: string,
        crossfade?: number | string,
        rate?: number | string,
        sampleRate?: number,
        size?: number[],
    } | string,
    name?: string,
    timelines?: Timeline[],
    tracks: ({
        carries?: "both" | "sound" | "video",
        name?: string,
        segments: Segment[],
    })[],
};

export type Waveform = {
    maximum: number[],
    minimum: number[],
};

export type WorkspaceFile = {
    bytes: number,
    id: string,
    name: string,
};
