"""A part of what damage.py does: the same part every time, in less than a minute."""

import os
import pathlib
import tempfile
import unittest

import damage
import damage_kinds
import damage_runs
import damage_seeds

PROGRAM = os.environ["TIMEWARP"]
# One in this many variants of each clip is tried, different ones for each clip.
EVERY = 21
CLIPS = ["h264-aac.mp4", "h264-fragments.mp4", "h264-flac.mkv", "hevc-ac3.mkv", "vp9-opus.webm",
         "av1-aac.mp4", "mpeg4-mp3.avi", "prores-pcm.mov", "h264-aac.ts", "pcm.wav", "flac.flac",
         "vorbis.ogg"]
# Strange clips that are quick to make, each of a different kind, with the commands to run on them.
STRANGE = {
    "all-at-once.mp4": ["warp", "copy"], "backwards-times.mkv": ["copy", "reverse"],
    "years-apart.mkv": ["warp", "inspect"], "negative-start.mkv": ["copy", "any"],
    "change-of-size.ts": ["warp", "reverse"], "change-of-rate.mp3": ["stretch"],
    "sound-minutes-late.mkv": ["inspect"], "one-picture.mp4": ["warp", "reverse"],
    "one-sample.wav": ["reverse"], "encrypted.mp4": ["warp"], "promised-huge.mov": ["warp"],
    "huge-picture.mkv": ["warp"], "timescale-0.mp4": ["warp"], "samples-last-nothing.mp4": ["any"],
    "sample-lasts-for-ever.mp4": ["warp"], "sound-rate-max.wav": ["stretch"],
    "channels-max.wav": ["warp"], "header-only.mp4": ["warp"], "zeros.mp4": ["inspect"],
    "chained.ogg": ["warp", "stretch"], "years-apart.mp4": ["compose", "reverse"],
    "timescale-max.mp4": ["compose"], "promised-samples.mp4": ["inspect"],
    "promised-run.mp4": ["warp"], "promised-chunks.mov": ["warp"], "far-edit.mp4": ["verify", "warp"],
    "late-stream.ts": ["inspect", "warp"], "coprime-rates.mkv": ["any", "move"],
    "two-rates.flac": ["stretch"],
}


class Damage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="timewarp-damage-")
        cls.addClassCleanup(cls.place.cleanup)
        cls.folder = pathlib.Path(cls.place.name)
        cls.bench = damage_runs.Bench(PROGRAM, cls.folder)

    def judge(self, outcomes):
        for outcome in outcomes:
            with self.subTest(clip=outcome.clip, command=outcome.command):
                self.assertEqual(outcome.faults, [], outcome.stderr)

    def test_damaged_clips(self):
        seeds = damage_seeds.make_seeds(self.folder / "seeds", CLIPS)
        for number, (name, path) in enumerate(seeds.items()):
            plan = list(damage.plan_of_damage(name, path.read_bytes(), runs_each=1))
            for variant, content, commands in plan[number % EVERY::EVERY]:
                self.judge(damage.run_variant(self.bench, name, variant, content, commands)[1])

    def test_strange_clips(self):
        for name, path in damage_seeds.make_strange(self.folder / "strange", STRANGE).items():
            self.judge(damage.run_strange(self.bench, name, path, STRANGE[name])[1])

    def test_variants_are_the_same_every_time(self):
        data = bytes(range(256)) * 40
        first = list(damage_kinds.variants("a.mkv", data + b"\x44\x89\x88"))
        self.assertEqual(first, list(damage_kinds.variants("a.mkv", data + b"\x44\x89\x88")))


class Told(unittest.TestCase):
    """Whenever damaged input is rendered, a note says where something is missing, and how much."""

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="timewarp-damage-")
        cls.addClassCleanup(cls.place.cleanup)
        cls.folder = pathlib.Path(cls.place.name)
        cls.seeds = damage_seeds.make_seeds(
            cls.folder, ["h264-faststart.mp4", "h264-flac.mkv", "pcm.wav", "h264-aac.ts"])

    def words(self, content, ending, *command):
        """What timewarp prints about a file, and its exit code."""
        clip = self.folder / f"damaged.{ending}"
        clip.write_bytes(content)
        target = self.folder / "out.mkv"
        target.unlink(missing_ok=True)
        arguments = [str(clip) if word == "IN" else word for word in command]
        code, _, stderr, _, _ = damage_runs.limited_run([PROGRAM, *arguments, "-o", str(target)])
        return code, stderr

    def test_a_file_cut_short_says_how_much_is_missing(self):
        data = self.seeds["h264-faststart.mp4"].read_bytes()
        for command in ("warp", "reverse", "copy"):
            code, words = self.words(data[:len(data) // 2], "mp4", command, "IN")
            self.assertEqual(code, 0, words)
            self.assertRegex(
                words, r"the file says that it lasts 1\.2\d* s, but what can be read of it ends at "
                       r"0\.\d+ s: the last 0\.\d+ s are missing")

    def test_damaged_pictures_say_where(self):
        data = bytearray(self.seeds["h264-faststart.mp4"].read_bytes())
        middle = data.index(b"mdat") + (len(data) - data.index(b"mdat")) // 2
        data[middle:middle + 600] = bytes(600)
        for command in ("warp", "reverse"):
            code, words = self.words(bytes(data), "mp4", command, "IN")
            self.assertEqual(code, 0, words)
            self.assertRegex(words, r"stream \d \(\w+\): \d+ damaged (packet|frame)s? "
                                    r"(skipped|partly concealed), (at|between) 0\.\d+ s")

    def test_a_hole_in_sound_says_how_long(self):
        data = self.seeds["h264-aac.ts"].read_bytes()
        middle = len(data) // 188 // 2 * 188
        code, words = self.words(
            data[:middle] + data[middle + 188 * 40:], "ts", "stretch", "IN", "--by", "100ms",
            "--audio-codec", "flac")
        self.assertEqual(code, 0, words)
        self.assertRegex(
            words, r"0\.\d+ s of sound missing, replaced by silence, between 0\.\d+ s and 0\.\d+ s")

    def test_times_that_do_not_increase_are_told(self):
        name = "backwards-times.mkv"
        path = damage_seeds.make_strange(self.folder, [name])[name]
        code, words = self.words(path.read_bytes(), "mkv", "copy", "IN")
        self.assertEqual(code, 0, words)
        self.assertRegex(words, r"\d+ packets had no times, or times that don't increase")

    def test_times_years_apart_are_refused(self):
        path = damage_seeds.make_strange(self.folder, ["years-apart.mkv"])["years-apart.mkv"]
        code, words = self.words(path.read_bytes(), "mkv", "warp", "IN")
        self.assertEqual(code, 65, words)

    def test_sound_years_apart_is_not_compared(self):
        path = damage_seeds.make_strange(self.folder, ["sound-years-apart.mkv"])[
            "sound-years-apart.mkv"]
        code, words = self.words(path.read_bytes(), "mkv", "stretch", "IN", "--match",
                                 str(self.seeds["pcm.wav"]))
        self.assertEqual(code, 65, words)
        self.assertIn("its times jump", words)

    def test_streams_that_come_too_late_are_told(self):
        path = damage_seeds.make_strange(self.folder, ["late-stream.ts"])["late-stream.ts"]
        code, words = self.words(path.read_bytes(), "ts", "copy", "IN")
        self.assertEqual(code, 0, words)
        self.assertIn("stream 1 begins too late in the file to be found", words)

    def test_headers_that_promise_too_much_are_refused_at_once(self):
        for name in ("promised-samples.mp4", "promised-run.mp4", "promised-chunks.mov"):
            path = damage_seeds.make_strange(self.folder, [name])[name]
            code, _, words, seconds, peak = damage_runs.limited_run([PROGRAM, "inspect", str(path)])
            self.assertEqual(code, 65, words)
            self.assertIn("promises more samples than the file has bytes", words)
            self.assertLess(seconds, 1)
            self.assertLess(peak, 100_000_000)

    def test_gigantic_pictures_are_refused(self):
        path = damage_seeds.make_strange(self.folder, ["huge-picture.mkv"])["huge-picture.mkv"]
        code, words = self.words(path.read_bytes(), "mkv", "warp", "IN")
        self.assertEqual(code, 65, words)
        self.assertIn("no frame of it can be decoded", words)

    def test_encrypted_films_are_named_as_such(self):
        path = damage_seeds.make_strange(self.folder, ["encrypted.mp4"])["encrypted.mp4"]
        code, words = self.words(path.read_bytes(), "mp4", "warp", "IN")
        self.assertEqual(code, 65, words)
        self.assertIn("encrypted", words)

    def test_a_copy_keeps_pictures_that_only_say_when_they_are_decoded(self):
        path = damage_seeds.make_seeds(self.folder, ["mpeg4-mp3.avi"])["mpeg4-mp3.avi"]
        code, words = self.words(path.read_bytes(), "avi", "copy", "IN")
        self.assertEqual((code, words), (0, ""))

    def test_a_whole_file_is_saved_without_a_word(self):
        for name, path in self.seeds.items():
            ending = name.rsplit(".", 1)[1]
            command = "stretch" if ending == "wav" else "reverse"
            more = ["--by", "1s"] if ending == "wav" else []
            clip_words = self.words(path.read_bytes(), ending, command, "IN", *more,
                                    "--audio-codec", "flac")
            self.assertEqual(clip_words[0], 0, name)
            self.assertNotIn("note:", clip_words[1], name)


if __name__ == "__main__":
    unittest.main()
