"""TimeWarp: speed ramps, slow motion with made frames, reverse, exact sound stretching, and edits.

    import timewarp_video as tw

    tw.warp("in.mp4", "out.mp4", keyframes=[(0, 1), ("50%", 0.25), (1, 1)], frames="motion")
    job = tw.warp.job("in.mp4", "out.mp4", curve="ramp")
    for frame in tw.frames(job):
        model(frame.image)

Each command of the program is a function, whose keyword arguments are the command's options. Those that render return a
`Report`; what fails raises `TimeWarpError`, and nothing half-written stays.
"""

from .calls import drift, join, plan, plan_pieces, render, render_pieces, verify_job
from .commands import (
    beats,
    compose,
    copy,
    demo,
    inspect,
    job,
    play,
    plot,
    reverse,
    scale,
    story_build,
    story_check,
    story_play,
    story_schema,
    story_strings,
    story_walk,
    stretch,
    studio,
    verify,
    warp,
)
from .curves import scale_curve, speed_curve
from .errors import Cancelled, TimeWarpError
from .frames import Frame, frames
from .jobs import (
    Anchor,
    Audio,
    Curve,
    CurveComponent,
    Format,
    GainPoint,
    Job,
    Keyframe,
    Marker,
    Output,
    Resources,
    Segment,
    Timeline,
    TimeMapPoint,
    Track,
    Video,
)
from .results import Beats, Drift, Inspection, Plan, Progress, Report, Verification
from .version import __version__

__all__ = [
    "Anchor", "Audio", "Beats", "Cancelled", "Curve", "CurveComponent", "Drift", "Format", "Frame", "GainPoint",
    "Inspection", "Job", "Keyframe", "Marker", "Output", "Plan", "Progress", "Report", "Resources", "Segment",
    "TimeMapPoint", "TimeWarpError", "Timeline", "Track", "Verification", "Video", "__version__", "beats", "compose",
    "copy", "demo", "drift", "frames", "inspect", "job", "join", "plan", "plan_pieces", "play", "plot", "render",
    "render_pieces", "reverse", "scale", "scale_curve", "speed_curve", "story_build", "story_check", "story_play",
    "story_schema", "story_strings", "story_walk", "stretch", "studio", "verify", "verify_job", "warp",
]
