"""Doubles a clip's speed with moviepy. Usage: double-speed.py IN OUT"""

import os
import sys

from moviepy import VideoFileClip
from moviepy.video.fx import MultiplySpeed

with VideoFileClip(sys.argv[1]) as clip:
    clip.with_effects([MultiplySpeed(2)]).write_videofile(
        sys.argv[2],
        fps=30,
        codec="libx264",
        preset="veryfast",
        ffmpeg_params=["-crf", "23"],
        audio_codec="aac",
        audio_bitrate="128k",
        temp_audiofile_path=os.path.dirname(sys.argv[2]) or ".",
        logger=None,
    )
