"""The Python module: its functions, values, errors and frames."""

import json
import math
import os
import pickle
import re
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

import numpy
from module import FRAMES, PACKAGE, RATE, ROOT, ModuleTest, ffmpeg, tw, write_clip

GUIDE = ROOT / "Documentation/guides/python.md"


class Sources(unittest.TestCase):
    def test_what_is_made_from_the_program_is_current(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([ROOT / "Scripts/python-module", os.environ["TIMEWARP"], folder], check=True)
            for file in Path(folder).iterdir():
                self.assertEqual(
                    (PACKAGE / "timewarp_video" / file.name).read_text(), file.read_text(),
                    "it isn't current: run Scripts/python-module .build/release/timewarp")

    def test_its_types_are_right(self):
        done = subprocess.run(
            [sys.executable, "-m", "mypy", "--no-incremental", "--config-file", "pyproject.toml", "timewarp_video"],
            cwd=PACKAGE, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_all_that_the_program_says_is_known(self):
        # Every key of the results: none is passed over unseen.
        with tempfile.TemporaryDirectory() as folder:
            clip, out, sound = (Path(folder, name) for name in ("in.mp4", "out.mp4", "out.wav"))
            write_clip(clip)
            for kind, *command in [
                    (tw.Inspection, "inspect", clip, "--json"),
                    (tw.Drift, "stretch", clip, "-o", sound, "--to", 3, "--json"), (tw.Beats, "beats", clip, "--json"),
                    (tw.Plan, "warp", clip, "-o", out, "--dry-run", "--json"),
                    (tw.Report, "warp", clip, "-o", out, "--report", "-", "--progress", "none"),
                    (tw.Verification, "verify", clip, out, "--curve", "double-smoothstep", "--json")]:
                words = [os.environ["TIMEWARP"], *map(str, command)]
                text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
                found = json.loads(text)
                found.pop("verification", None)
                self.assertEqual(set(found) - {"timewarp"} | {"timewarp"} & set(kind.__dataclass_fields__),
                                 {camel(name) for name in kind.__dataclass_fields__} & set(found), command)
                for name in ("video", "audio", "sound", "streams", "sections", "pieces"):
                    for part in found.get(name, []):
                        [item] = re.findall(r"list\[(\w+)\]", kind.__dataclass_fields__[name].type)
                        known = getattr(sys.modules[kind.__module__], item).__dataclass_fields__
                        self.assertLessEqual(set(part), {camel(each) for each in known})


def camel(name):
    return re.sub(r"_(\w)", lambda match: match[1].upper(), name)


class Rendering(ModuleTest):
    def test_a_ramp_is_rendered_and_told(self):
        seen = []
        report = tw.warp("in.mp4", Path("out.mp4"), keyframes=[(0, 1), ("50%", Fraction(1, 2)), (1, 1)],
                         easing="linear", progress=seen.append)
        # The integral of 1 / v, where v falls evenly to 1/2 and rises again.
        self.assertAlmostEqual(report.expected_duration_seconds, 2 * 2 * math.log(2), places=6)
        self.assertEqual(tw.inspect("out.mp4").streams[0].codec, "h264")
        self.assertEqual(seen[-1].fraction, 1)
        self.assertEqual(seen[-1].frames, report.video[0].frames_written)

    def test_values_are_said_exactly(self):
        job = tw.warp.job("in.mp4", "out.mp4", curve="ramp", range=(Fraction(1, 3), 1.5),
                          fit=timedelta(seconds=2, microseconds=1), fps="30000/1001", frames="blend")
        [[segment]] = [track.segments for track in job.timeline.tracks]
        self.assertEqual(segment.range, ["1/3", "1.5"])
        self.assertEqual(segment.duration, "2.000001")
        self.assertEqual((job.video.rate, job.video.frames), ("30000/1001", "blend"))
        self.assertEqual(tw.Job.from_json(job.to_json()), job)

    def test_a_job_is_planned_rendered_and_measured(self):
        clip = tw.Segment(media="in.mp4", warp=tw.Curve(curve="ramp", factor=2))
        job = tw.Job(output=tw.Output(path="out.mp4"), video=tw.Video(rate=50),
                     timeline=tw.Timeline(format="source", tracks=[tw.Track(segments=[clip])]))
        plan = tw.plan(job)
        self.assertEqual((plan.video[0].frame_rate, plan.output_exists), ("50", False))
        self.assertEqual(self.files, ["in.mp4"])
        report = tw.render(job)
        self.assertEqual(report.video[0].frames_written, plan.video[0].frames)
        self.assertEqual(report.source_duration, Fraction(FRAMES, RATE))
        self.assertAlmostEqual(float(report.output_duration), report.output_duration_seconds, places=12)
        self.assertTrue(tw.verify_job(job).is_right)
        other = tw.scale("in.mp4", "other.mp4", speed=2)
        self.assertLess(other.output_duration_seconds, 1.1)
        self.assertFalse(tw.verify_job(job, "other.mp4").is_right)
        # As a file, its paths start at its folder.
        Path("jobs").mkdir()
        Path("jobs/job.json").write_text(job.to_json().replace('"in.mp4"', '"../in.mp4"'))
        tw.render("jobs/job.json")
        self.assertEqual(Path("jobs/out.mp4").read_bytes(), Path("out.mp4").read_bytes())
        self.assertTrue(tw.verify_job("jobs/job.json").is_right)

    def test_media_folders_of_a_job_file_start_at_its_folder(self):
        Path("jobs/lib").mkdir(parents=True)
        Path("in.mp4").rename("jobs/lib/in.mp4")
        edit = {"timewarp": "composition/1", "tracks": [{"segments": [{"media": "/gone/in.mp4", "range": ["0", "1"]}]}]}
        Path("jobs/edit.json").write_text(json.dumps(edit))
        job = tw.Job(output=tw.Output(path="out.mp4"), resources=tw.Resources(media_folders=["lib"]),
                     timeline=tw.Timeline(format="source", tracks=[tw.Track(segments=[tw.Segment(media="edit.json")])]))
        Path("jobs/job.json").write_text(job.to_json())
        self.assertAlmostEqual(tw.render("jobs/job.json").output_duration_seconds, 1, delta=0.05)

    def test_pieces_are_joined_into_the_render(self):
        job = tw.scale.job("in.mp4", "out.mp4", speed="1/2")
        tw.plan_pieces(job, "pieces", 3)
        tw.render_pieces("pieces", 0)
        tw.render_pieces("pieces")
        report = tw.join("pieces", clean=True)
        self.assertEqual(report.video[0].frames_written, 2 * FRAMES)
        self.assertEqual(self.files, ["in.mp4", "out.mp4"])

    def test_clocks_that_drift_apart_are_compared(self):
        ffmpeg("-f", "lavfi", "-i", "anoisesrc=seed=5:duration=60:sample_rate=48000", "reference.wav")
        # It begins 2 s later, and its clock is slow: what has 48010 samples in the reference has 48000 in it.
        ffmpeg("-ss", 2, "-i", "reference.wav", "-af", "asetrate=48010,aresample=48000", "recording.wav")
        found = tw.drift("recording.wav", "reference.wav")
        self.assertAlmostEqual(found.match.offset_seconds, 2, delta=0.002)
        self.assertAlmostEqual(found.parts_per_million, 1e6 * 10 / 48000, delta=2)
        self.assertEqual(len(found.pieces), 1)
        with self.assertRaises(tw.TimeWarpError):
            tw.drift("recording.wav", "in.mp4")

    def test_other_commands_answer(self):
        tw.plot("curve.svg", curve="cosine")
        self.assertIn("<svg", Path("curve.svg").read_text())
        self.assertIsNone(tw.beats("in.mp4").tempo)
        self.assertTrue(tw.verify(["in.mp4", "in.mp4"], unchanged=True).is_right)


class Curves(ModuleTest):
    def test_a_function_is_the_curve_within_the_stated_error(self):
        for error in (1e-2, 1e-3, 1e-4):
            for speed, scale in [
                    (lambda t: 1 + 0.6 * math.sin(6 * math.pi * t), None),
                    (lambda t: 0.25 if 0.4 < t < 0.6 else 1, None),
                    (None, lambda t: 1 + t * t)]:
                curve = tw.speed_curve(speed, error) if speed else tw.scale_curve(scale, error)
                exact = integral(scale or (lambda t: 1 / speed(t)))
                points = [(float(each.at), 1 / each.speed) for each in curve.keyframes]
                # Between two keyframes the speed changes linearly, so its inverse integrates to a logarithm.
                time, largest = 0, 0
                for (start, slow), (end, fast) in zip(points, points[1:]):
                    ratio = slow / fast
                    log = 1 if abs(ratio - 1) < 1e-9 else math.log(ratio) / (ratio - 1)
                    time += (end - start) * slow * log
                    largest = max(largest, abs(time - exact(end)))
                self.assertLess(largest, 1.05 * error * exact(1))

    def test_the_render_is_as_long_as_the_function_says(self):
        report = tw.warp("in.mp4", "out.wav", scale=lambda t: 1 + t * t)
        self.assertAlmostEqual(report.output_duration_seconds, 2 * 4 / 3, delta=1e-4 * 2 * 4 / 3)

    def test_what_is_no_speed_is_refused(self):
        for speed, words in [(lambda t: t - 0.5, "must be above 0"), (lambda t: math.nan, "must be above 0"),
                             (lambda t: 1.5 + math.sin(1e5 * t), "changes too often")]:
            with self.assertRaisesRegex(ValueError, words):
                tw.warp.job("in.mp4", "out.mp4", speed=speed)


def integral(function, steps=200_000):
    """The integral from 0, by the midpoint rule; of a jump it is right within a step."""
    sums = [0.0]
    for index in range(steps):
        sums.append(sums[-1] + function((index + 0.5) / steps) / steps)
    return lambda place: sums[round(place * steps)]


class Frames(ModuleTest):
    def frames_of(self, path, pixel_format, kind, shape):
        # A matrix that isn't said is that of high definition where a frame is as high, as players have it.
        matrix = "bt709" if shape[0] >= 720 else "bt601"
        raw = subprocess.run(
            ["ffmpeg", "-v", "error", "-i", path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", pixel_format,
             "-vf", f"scale=in_color_matrix={matrix}:flags=bicubic+accurate_rnd+full_chroma_int", "-"],
            check=True, capture_output=True).stdout
        return numpy.frombuffer(raw, dtype=kind).reshape(-1, *shape)

    def test_they_are_those_of_the_render_at_their_times(self):
        job = tw.warp.job("in.mp4", "out.mkv", curve="ramp", frames="motion", video_codec="ffv1")
        tw.render(job)
        for pixel_format, kind, shape in [
                ("rgb24", "u1", (64, 96, 3)), ("rgb48le", "<u2", (64, 96, 3)), ("rgba", "u1", (64, 96, 4))]:
            frames = list(tw.frames(job, pixel_format=pixel_format))
            self.assertEqual([frame.time for frame in frames], [Fraction(n, RATE) for n in range(len(frames))])
            expected = self.frames_of("out.mkv", pixel_format, kind, shape)
            self.assertEqual(len(frames), len(expected))
            for frame, other in zip(frames, expected):
                self.assertEqual(frame.image.dtype, numpy.dtype(kind))
                self.assertEqual(abs(frame.image.astype(int) - other).max(), 0)
            frames[0].image[:] = 0

    def test_uneven_frames_have_their_own_times(self):
        job = tw.warp.job("in.mp4", "out.mp4", curve="ramp", fps="any")
        tw.render(job)
        times = subprocess.run(
            ["ffprobe", "-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-of", "csv=p=0",
             "out.mp4"], check=True, capture_output=True, text=True).stdout.replace(",", "").split()
        found = [float(frame.time) for frame in tw.frames(job)]
        self.assertEqual(len(found), FRAMES)
        for one, other in zip(found, times):
            self.assertAlmostEqual(one, float(other), delta=2e-5)

    def test_those_of_a_phone_are_upright(self):
        ffmpeg("-i", "in.mp4", "-c", "copy", "-metadata:s:v", "rotate=270", "phone.mp4")
        first = next(tw.frames(tw.scale.job("phone.mp4", "out.mp4", speed=1)))
        upright = self.frames_of("phone.mp4", "rgb24", "u1", (96, 64, 3))[0]
        self.assertEqual(abs(first.image.astype(int) - upright).max(), 0)

    def test_they_come_whatever_the_job_says_of_its_encoder(self):
        job = tw.scale.job("in.mp4", "out.mp4", speed=numpy.float64(2), video_bitrate="1M", hardware="auto", preset="slow")
        self.assertEqual(len(list(tw.frames(job))), FRAMES // 2)

    def test_large_ones_come_whole(self):
        ffmpeg("-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=25:duration=0.4", "-c:v", "ffv1", "large.mkv")
        frames = list(tw.frames(tw.scale.job("large.mkv", "out.mkv", speed=1)))
        expected = self.frames_of("large.mkv", "rgb24", "u1", (1080, 1920, 3))
        self.assertEqual(len(frames), 10)
        for frame, other in zip(frames, expected):
            self.assertEqual(abs(frame.image.astype(int) - other).max(), 0)

    def test_leaving_early_ends_the_program(self):
        write_clip("long.mp4", seconds=120)
        for _, frame in zip(range(3), tw.frames(tw.scale.job("long.mp4", "out.mp4", speed=1))):
            self.assertEqual(frame.image.shape, (64, 96, 3))
        self.assertEqual(children(), [])
        # Also one that waits for its full pipe: it isn't killed after some seconds, but told that nobody reads.
        frames = tw.frames(tw.scale.job("long.mp4", "out.mp4", speed=1))
        next(frames)
        [child] = children()
        used = [-1]
        while len(used) < 10 or used[-10] != used[-1]:
            time.sleep(0.05)
            used.append(processor_ticks(child.split()[0]))
        began = time.monotonic()
        frames.close()
        self.assertEqual(children(), [])
        self.assertLess(time.monotonic() - began, 8, "it waited for the ten seconds after which a signal ends it")

    def test_what_fails_is_raised(self):
        job = tw.scale.job("in.mp4", "out.mp4", speed=1)
        with self.assertRaisesRegex(ValueError, "rgb24"):
            tw.frames(job, pixel_format="yuv420p")
        Path("in.mp4").unlink()
        with self.assertRaises(tw.TimeWarpError) as raised:
            tw.frames(job)
        self.assertEqual(raised.exception.code, 66)


class Failing(ModuleTest):
    def test_errors_say_what_and_what_to_do(self):
        tw.scale("in.mp4", "out.mp4", speed=2)
        for call, code, file, words in [
                (lambda: tw.scale("in.mp4", "out.mp4", speed=2), 73, "out.mp4", "exists"),
                (lambda: tw.inspect("missing.mp4"), 66, "missing.mp4", "no such file"),
                (lambda: tw.warp("in.mp4", "other.mp4", scale="1 +"), 65, None, "formula is wrong"),
                (lambda: tw.warp("in.mp4", "other.xyz"), 64, "other.xyz", "kind of file")]:
            with self.assertRaisesRegex(tw.TimeWarpError, words) as raised:
                call()
            self.assertEqual((raised.exception.code, raised.exception.file), (code, file))
            self.assertEqual(vars(pickle.loads(pickle.dumps(raised.exception))), vars(raised.exception))
        self.assertEqual(self.files, ["in.mp4", "out.mp4"])

    def test_a_remedy_names_keyword_arguments(self):
        Path("out.mp4").touch()
        for more, remedy in [({}, "pass overwrite=True"), ({"overwrite": True, "video_codec": "copy", "fps": 60}, 'fps="any"')]:
            with self.assertRaises(tw.TimeWarpError) as raised:
                tw.scale("in.mp4", "out.mp4", speed=2, **more)
            self.assertIn(remedy, raised.exception.remedy)
            self.assertNotIn("--", str(raised.exception))

    def test_documents_say_only_what_is_known(self):
        text = tw.scale.job("in.mp4", "out.mp4", speed=2).to_json()
        for old, new, words in [('"video"', '"vidoe"', "vidoe isn't known"), ("job/1", "job/2", "no job/1"),
                                ('"tracks"', '"trakcs"', "timeline.trakcs isn't known")]:
            with self.assertRaisesRegex(ValueError, words):
                tw.Job.from_json(text.replace(old, new))

    def test_a_pipe_is_no_output(self):
        with self.assertRaisesRegex(ValueError, "frames"):
            tw.scale("in.mp4", "-", speed=2)

    def test_what_a_listener_raises_cancels(self):
        def stop(_):
            raise KeyError("enough")
        with self.assertRaisesRegex(KeyError, "enough"):
            tw.scale("in.mp4", "out.mp4", speed="1/50", frames="motion", progress=stop)
        self.assertEqual((self.files, children()), (["in.mp4"], []))

    def test_a_hundred_cancellations_leave_nothing(self):
        job = tw.scale.job("in.mp4", "out.mp4", speed="1/200", frames="motion")
        for index in range(100):
            cancelled = threading.Event()
            # Most of them while it starts.
            timer = threading.Timer(4e-5 * index ** 2, cancelled.set)
            timer.start()
            with self.assertRaises(tw.Cancelled):
                tw.render(job, cancelled=cancelled)
            timer.join()
        self.assertEqual((self.files, children()), (["in.mp4"], []))


def children():
    """Programs that this one has started and that still run."""
    listed = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(os.getpid())], capture_output=True, text=True).stdout
    return [each for each in listed.splitlines() if "timewarp" in each]


def processor_ticks(process):
    """The processor time that a program has used, in ticks: it stands still while the program waits."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return int(fields[11]) + int(fields[12])


class Guide(ModuleTest):
    def test_its_examples_run(self):
        write_clip("run.mp4", seconds=3)
        Path("clips").mkdir()
        write_clip("clips/a.mp4", seconds=1)
        Path("clips/b.mp4").write_bytes(b"damaged")
        Path("heart.csv").write_text("second,bpm\n0,120\n1,160\n2,180\n3,140\n")
        examples = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(), re.M | re.S)
        self.assertEqual(len(examples), 7)
        said = [self.said(each) for each in examples]
        self.assertEqual(said[1], "66 missing.mp4 there is no such file\n")
        self.assertEqual(round(tw.inspect("felt.mp4").duration_seconds, 1), 10)
        self.assertIn("a.mp4: 2.00 s\nclips/b.mp4: ", said[5])
        self.assertRegex(said[6], r"^\d.*\(64, 96, 3\)\n$")

    def said(self, example):
        done = subprocess.run(
            [sys.executable, "-c", example], env={**os.environ, "PYTHONPATH": str(PACKAGE)}, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, example + done.stderr)
        return done.stdout


if __name__ == "__main__":
    unittest.main()
