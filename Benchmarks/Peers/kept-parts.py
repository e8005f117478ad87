"""Slows a part of a clip, and copies the packets of whole groups of pictures before and after it, by ffmpeg's concat.

kept-parts.py CLIP OUT START END: from START to END, in seconds, picture and sound take twice as long. This is the usual script:
the part's ends are moved outwards to keyframes for the encoder alone, and sound is encoded throughout.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

clip, out = (str(Path(name).resolve()) for name in sys.argv[1:3])
start, end = float(sys.argv[3]), float(sys.argv[4])
ENCODING = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "23"]


def run(program, *arguments):
    return subprocess.run([program, "-v", "error", *arguments], check=True, capture_output=True, text=True).stdout


def ffmpeg(*arguments):
    run("ffmpeg", "-nostdin", "-y", *arguments)


packets = run("ffprobe", "-select_streams", "v:0", "-show_entries", "packet=pts_time,flags", "-of", "csv=p=0", clip)
keyframes = [float(time) for time, flags, *_ in (line.split(",") for line in packets.split()) if "K" in flags]
first = max(time for time in keyframes if time <= start)
last = min((time for time in keyframes if time >= end), default=None)

with tempfile.TemporaryDirectory(dir=Path(out).parent) as folder:
    parts = [f"{folder}/{name}.mp4" for name in ("before", "part", "after")]
    ffmpeg("-i", clip, "-to", str(first), "-an", "-c:v", "copy", parts[0])
    # Seconds in the part's own time.
    slow, normal = start - first, end - first
    times = f"setpts='if(lt(T,{slow}),PTS,if(lt(T,{normal}),2*PTS-{slow}/TB,PTS+{normal - slow}/TB))',fps=30"
    until = [] if last is None else ["-to", str(last)]
    ffmpeg("-ss", str(first), *until, "-i", clip, "-an", "-vf", times, *ENCODING, parts[1])
    if last is None:
        parts.pop()
    else:
        ffmpeg("-ss", str(last), "-i", clip, "-an", "-c:v", "copy", parts[2])
    Path(f"{folder}/list.txt").write_text("".join(f"file '{part}'\n" for part in parts))
    sound = (f"[1:a]asplit=3[a][b][c];[a]atrim=end={start}[x];[b]atrim={start}:{end},asetpts=PTS-STARTPTS,atempo=0.5[y];"
             f"[c]atrim=start={end},asetpts=PTS-STARTPTS[z];[x][y][z]concat=n=3:v=0:a=1[s]")
    ffmpeg("-f", "concat", "-safe", "0", "-i", f"{folder}/list.txt", "-i", clip, "-filter_complex", sound,
           "-map", "0:v", "-map", "[s]", "-c:v", "copy", "-c:a", "aac", "-b:a", "128k", out)
