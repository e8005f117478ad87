extension RenderJob {
    /// What each key of a job says, for the schema: by places as `DocumentSchema` has them.
    package static let descriptions = [
        "timewarp": "The kind and version of the document: job/1.",
        "timeline": "What is shown when.",
        "output": "Where it is written to.",
        "output.path": "The file to write; - is stdout, for a pipe.",
        "output.container": "The container; by default the one that the path's extension says.",
        "output.existing": "What to do if the file exists: refuse or overwrite.",
        "output.range": "The part of the output to write: its start, and optionally its end.",
        "output.metadata": "Whether tags, chapters and attachments are kept.",
        "output.indexFirst": "Whether the index stands at the start, for playing over a network.",
        "video": "How the video is made.",
        "video.mode": """
        retimed; unretimed: frames keep their times while the sound follows the map; restamped: packets get new times, \
        and nothing is decoded; dropped; copied: the video of another file.
        """,
        "video.file": "The file whose video is copied, with the mode copied.",
        "video.rate": """
        Frames a second: a number, a fraction such as 30000/1001, source, or any: every source frame once, at exactly \
        its new time.
        """,
        "video.frames": """
        What slow motion shows between two source frames: hold repeats the earlier one, blend mixes both, motion makes \
        the frame in between.
        """,
        "video.skipRepeats":
            "Whether source frames that repeat the one before are dropped, with blend and motion.",
        "video.shutter": "Motion blur of fast motion, in degrees: 360 is open all the time.",
        "video.codec": "The codec; by default the container's usual one.",
        "video.pixelFormat": "How pixels are stored, such as yuv420p or yuv420p10le.",
        "video.hardware":
            "Whether hardware encodes: off, auto (the first that works, else software), or which.",
        "video.quality": "The constant quality on the encoder's scale (CRF): lower is better.",
        "video.bitRate": "Bits a second, 1000 to 10000000000, instead of a quality.",
        "video.preset": "The encoder's preset: speed against file size.",
        "video.smart": "Whether packets that show frames as they are stored are kept, unencoded.",
        "audio": "How the sound is made.",
        "audio.mode": """
        varispeed: the pitch follows the speed; keep-pitch: it is stretched; keep: the original speed; mute.
        """,
        "audio.tune": "Tunes keep-pitch for music or for speech.",
        "audio.freeze": "The sound of a freeze with keep-pitch: silence or hold.",
        "audio.interpolation":
            "Between samples: sinc is band-limited, smooth and linear are faster.",
        "audio.codec": "The codec; by default the container's usual one.",
        "audio.bitRate": "Bits a second of each audio track, 1000 to 100000000.",
        "resources": "What the render may use.",
        "resources.threads": "Threads for each codec, up to 256; 0 uses one for each core.",
        "resources.hardwareDecoding":
            "Whether hardware decodes: off, auto (the first that makes the same frames as software), or which.",
        "resources.jobs": "How many chunks of the video are encoded at a time, 1 to 64.",
        "resources.pieces": "How many pieces of about equal work the render is cut into.",
        "resources.memoryBytes": "How many bytes of decoded frames a reversal holds in memory.",
        "resources.temporaryFolder": "The folder for what doesn't fit there.",
        "resources.mediaFolders": "Folders in which media files of projects are looked for.",
        "resources.sequenceRate": "Frames a second of inputs that are sequences of images.",
        "timeline.name": "Its name, by which a segment plays it.",
        "timeline.format": """
        source: the one clip keeps its file's own format and all its tracks; packets: every packet of one whole file is \
        passed on; an object, or nothing: clips are converted to one format.
        """,
        "timeline.format.size": "Width and height in pixels.",
        "timeline.format.rate": "Frames a second: a number or a fraction.",
        "timeline.format.sampleRate": "Samples a second.",
        "timeline.format.channels": "The channel layout, such as stereo or 5.1.",
        "timeline.format.crossfade": "How long sound fades where clips meet.",
        "timeline.tracks": "The tracks, the lowest first.",
        "timeline.timelines": "Timelines that segments play by their names.",
        "timeline.tracks[].name": "Its name.",
        "timeline.tracks[].carries": "What of its media is used: both, video or sound.",
        "timeline.tracks[].segments": "What it plays, one after another.",
        "segment.media": "The media file, or the name of a timeline.",
        "segment.range": """
        The part of the media that is used: its start, and its end or else the media's. Seconds as a number, or a time \
        such as 1:30.5 or 2700/25.
        """,
        "segment.warp": "The curve of its speed.",
        "segment.timeMap": "Points of a time map, joined by straight lines.",
        "segment.timeMap[].output": "An instant of the output.",
        "segment.timeMap[].source": "The instant of the source that is shown then.",
        "segment.play": "forward or reversed.",
        "segment.freeze": "The instant of the media that is shown all the time.",
        "segment.thereAndBack": """
        Whether it plays forwards and then backwards; or the instant of the source where it turns.
        """,
        "segment.window": "The part of the result that is shown: its start and its end.",
        "segment.duration": "How long it lasts; a curve keeps its shape.",
        "segment.oneWay": "How long each way lasts, with thereAndBack.",
        "segment.scale": "Instead of a duration: by how much longer it lasts; 2 is half speed.",
        "segment.speed": "Instead of a duration: how many times faster it plays.",
        "segment.longerBy": "Instead of a duration: by how many seconds longer it lasts.",
        "segment.anchors": """
        On a track of sound alone: which instants are heard when; in between, time is stretched evenly.
        """,
        "segment.anchors[].output": "An instant of the output.",
        "segment.anchors[].source": "The instant of the source that is heard then.",
        "segment.gap": "Instead of media: nothing, for this long.",
        "segment.name": "Its name, for editors.",
        "segment.dissolve": "For how long it dissolves from the segment before.",
        "segment.fadeOut": "For how long it fades out at its end.",
        "segment.gain": "The gain of its sound in decibels, or a list of gains by instants.",
        "segment.gain[].at": "An instant of the segment.",
        "segment.gain[].dB": "The gain there, in decibels.",
        "segment.markers": "Markers on it, for editors.",
        "segment.markers[].at": "An instant of the segment.",
        "segment.markers[].name": "What it is called.",
        "segment.markers[].comment": "A remark.",
        "segment.markers[].colour": "The name of its colour.",
        "segment.markers[].duration": "How long what it marks lasts.",
        "curve.curve": "A built-in curve.",
        "curve.factor": "How strong it is: 2 slows to half speed, 0.5 doubles it.",
        "curve.modifier": "The share of the clip that it fills, or how fast it swings.",
        "curve.flip": "Whether it is mirrored, from its end to its start.",
        "curve.scale": "The time scale as a formula in t on [0,1]: 2 is half speed.",
        "curve.speed": "The speed as a formula in t on [0,1]: 2 is double speed.",
        "curve.integral": "The antiderivative of the time scale as a formula in t on [0,1].",
        "curve.keyframes": "Speeds at instants.",
        "curve.keyframes[].at": "A share of the clip, such as 0.5 or 50%, or a time such as 4s.",
        "curve.keyframes[].speed": "The speed; 0 freezes, and below 0 it plays backwards.",
        "curve.keyframes[].easing": """
        How the speed changes up to the next keyframe: linear, smooth, hold, or bezier(x1,y1,x2,y2).
        """,
        "curve.keyframes[].source": "The instant of the clip to which it cuts.",
        "curve.components": "Curves on parts of the clip; in between the speed is 1.",
        "curve.components[].curve": "The curve of the part.",
        "curve.components[].range": "Where the part starts and ends, on [0,1].",
    ]
}
