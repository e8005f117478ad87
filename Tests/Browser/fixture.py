"""Makes the clip that the test story is cut from, with the ffmpeg program.

Every frame carries its number as a barcode (see frame_barcode.py), so that a test can tell which
frame of which segment is on the screen. The sound is a tone that swings a whole number of times
during each frame. If it is cut at any two frames and joined again, it continues without a step. So
any click or step at a join comes from the builder or the player.
"""

import array
import math
import subprocess
import wave

import frame_barcode

WIDTH, HEIGHT, FRAME_RATE, SAMPLE_RATE = 320, 180, 30, 48000
TONE = 600  # Hz: 20 swings during a frame at 30 frames a second


def write_tone(path, seconds):
    """The tone on both channels, starting at phase 0."""
    count = round(seconds * SAMPLE_RATE)
    period = SAMPLE_RATE // TONE
    swing = [round(8000 * math.sin(2 * math.pi * n / period)) for n in range(period)]
    samples = array.array("h", [level for level in swing for _ in range(2)]) * (count // period + 1)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(samples[:2 * count].tobytes())


def write_frames(path, count):
    """Raw grey frames: a moving gradient, and the number's barcode at the bottom."""
    top = frame_barcode.row_edge(0, HEIGHT)
    with open(path, "wb") as file:
        for number in range(count):
            row = bytes(60 + (x + 4 * number) % 120 for x in range(WIDTH))
            file.write(row * top)
            file.write(frame_barcode.strip(number, WIDTH, HEIGHT))


def make_clip(path, count):
    """A clip with a given number of frames."""
    frames, tone = path.with_suffix(".gray"), path.with_suffix(".wav")
    write_frames(frames, count)
    write_tone(tone, count / FRAME_RATE)
    subprocess.run([
        "ffmpeg", "-hide_banner", "-loglevel", "error", "-y",
        "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(FRAME_RATE),
        "-i", frames, "-i", tone, "-c:v", "libx264", "-preset", "veryfast", "-crf", "16",
        "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le", path,
    ], check=True)
    frames.unlink()
    tone.unlink()


def rendered(path):
    """The times and the numbers of a file's frames; a frame that was made of two has no number."""
    times = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0", path],
        check=True, capture_output=True, text=True).stdout.replace(",", "").split()
    pixels = subprocess.run(
        ["ffmpeg", "-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "gray", "-"],
        check=True, capture_output=True).stdout
    size = WIDTH * HEIGHT
    frames = [pixels[start:start + size] for start in range(0, len(pixels), size)]
    places = [(int((18.5 + row) * HEIGHT / 20), int((column + 0.5) * WIDTH / 22)) for row in range(2) for column in range(22)]
    numbers = [frame_barcode.number_in([frame[row * WIDTH + column] for row, column in places]) for frame in frames]
    return list(zip(map(float, times), numbers, strict=True))
