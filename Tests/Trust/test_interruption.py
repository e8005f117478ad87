"""An output appears complete or not at all, nothing is left behind, and nothing is replaced by surprise."""

import errno
import functools
import os
import signal
import subprocess
import unittest

from interruption import (
    COMMANDS,
    FAST,
    Workplace,
    contents,
    defaults,
    failing,
    failing_disk,
    fill,
    interrupt,
    limit_size,
    measured,
    names,
    once_computed,
    poll,
    run,
    sentences,
    start,
)

LINUX = failing_disk() is not None
# A render that doesn't end by itself during a test.
ENDLESS = ["scale", "in.mp4", "-o", "out.mp4", "--factor", "1000", "--preset", "ultrafast",
           "--progress", "json"]


@functools.cache
def workplace():
    """One for all tests: each begins by clearing it."""
    place = Workplace()
    unittest.addModuleCleanup(place.remove)
    return place


class Trust(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = workplace()
        cls.folder = cls.place.folder

    def setUp(self):
        self.place.clear()

    def begin(self, arguments=ENDLESS, **more):
        """Starts a render and waits until it is running."""
        process = start(arguments, self.folder, **more)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        process.stderr.readline()
        return process

    def parts(self):
        return [name for name in names(self.folder) if name.endswith(".timewarp-part")]

    def assert_refused(self, arguments, code, *words, **more):
        """Checks that it fails with this exit code and one message with these words, and changes nothing."""
        before = contents(self.folder)
        actual, output, said = run(arguments, self.folder, timeout=30, **more)
        self.assertEqual(actual, code, said)
        self.assertEqual(len(sentences(said)), 1, said)
        for word in words:
            self.assertIn(word, sentences(said)[0])
        self.assertEqual(contents(self.folder), before)
        return output


class Signals(Trust):
    def test_each_signal_has_its_exit_code(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            with self.subTest(number):
                process = self.begin()
                process.send_signal(number)
                _, words = process.communicate(timeout=30)
                self.assertEqual(process.returncode, code, words)
                self.assertIn("interrupted; unfinished files were removed", words)
                self.assertEqual(contents(self.folder), self.place.inputs)

    def test_a_signal_that_was_ignored_stays_so(self):
        def without_hangup():
            defaults()
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        process = self.begin(prepare=without_hangup)
        process.send_signal(signal.SIGHUP)
        for _ in range(3):
            self.assertTrue(process.stderr.readline().startswith("{"))
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, 143)

    def test_a_program_that_waits_for_a_pipe_ends_at_the_second_signal(self):
        os.mkfifo(self.folder / "curve.json")
        process = start(["plot", "--curve-file", "curve.json", "-o", "x.svg"], self.folder)
        self.addCleanup(process.kill)
        self.hold_open_once_read(self.folder / "curve.json")
        # Two signals of a kind that come close together would be heard as one. These two are heard in any order.
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        # Sooner than ten seconds after the first signal, when the program ends without a second one.
        process.communicate(timeout=9)
        self.assertIn(process.returncode, (130, 143))

    def hold_open_once_read(self, pipe):
        """Opens a pipe as soon as the program has opened it to read, and never writes to it."""
        def is_read():
            try:
                self.addCleanup(os.close, os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
            except OSError as error:
                # ENXIO: nobody reads it.
                self.assertEqual(error.errno, errno.ENXIO)
                return False
            return True
        poll(is_read, "the program never opens the pipe")

    def test_commands_are_whole_or_absent_at_any_instant(self):
        for command, number, share, has_old in (
            ("warp", signal.SIGTERM, 0.6, True), ("reverse", signal.SIGINT, 0.5, False),
            ("copy", signal.SIGINT, 0.8, True), ("stretch", signal.SIGTERM, 0.5, False),
            ("compose", signal.SIGINT, 0.5, False), ("story", signal.SIGINT, 0.5, True),
        ):
            with self.subTest(command):
                interrupt(self.place, command, number,
                          once_computed(self.place, command, share), has_old)

    def test_what_a_kill_leaves_is_removed_by_the_next_run(self):
        process = self.begin()
        process.kill()
        process.wait()
        self.assertEqual(len(self.parts()), 1)
        code, _, words = run(COMMANDS["warp"], self.folder)
        self.assertEqual(code, 0, words)
        self.assertEqual(self.parts(), [])
        for command in ("reverse", "story"):
            with self.subTest(command):
                interrupt(self.place, command, signal.SIGKILL,
                          once_computed(self.place, command, 0.5), False)

    def test_what_another_program_writes_is_left_alone(self):
        first = self.begin()
        parts = self.parts()
        self.assertEqual(len(parts), 1)
        # A leftover. The process number in its name may be that of another program, or of another machine's process.
        dead = ".out.mp4.1-abc.timewarp-part"
        (self.folder / dead).write_bytes(b"half")
        (self.folder / ".out.mp4.b.1-abc.timewarp-part").write_bytes(b"of another file")
        code, _, words = run(COMMANDS["warp"], self.folder)
        self.assertEqual(code, 0, words)
        self.assertEqual(self.parts(), sorted([*parts, ".out.mp4.b.1-abc.timewarp-part"]))
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=30)
        self.assertEqual(self.parts(), [".out.mp4.b.1-abc.timewarp-part"])

    def test_a_file_that_came_meanwhile_is_not_replaced(self):
        command = ["stretch", "in.wav", "-o", "late.wav", "--by", "1s", "--progress", "json"]
        process = self.begin(command)
        (self.folder / "late.wav").write_bytes(b"mine")
        _, words = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 73, words)
        self.assertEqual((self.folder / "late.wav").read_bytes(), b"mine")
        self.assertEqual(self.parts(), [])


class Disks(Trust):
    @unittest.skipUnless(LINUX, "preloading is Linux's")
    def test_a_full_disk_is_told_and_nothing_is_left(self):
        for command, call, after, error, has_old in (
            ("warp", "write", 0, errno.ENOSPC, False),
            ("warp", "write", 60_000, errno.EDQUOT, True),
            ("copy", "write", 40_000, errno.ENOSPC, False),
            ("reverse", "write", 3_000_000, errno.ENOSPC, False),
            ("stretch", "write", 20_000_000, errno.EIO, True),
            ("compose", "write", 100_000, errno.ENOSPC, False),
            ("story", "write", 100_000, errno.ENOSPC, True),
            ("copy", "fsync", 0, errno.EIO, True),
            ("copy", "rename", 0, errno.ENOSPC, False),
            ("story", "rename", 3, errno.EIO, True),
        ):
            with self.subTest(f"{command} {call} {after}"):
                self.assertIn("exit code 74", fill(
                    self.place, command, call, after, error, has_old))

    @unittest.skipUnless(LINUX, "preloading is Linux's")
    def test_a_folder_is_replaced_where_names_cannot_be_exchanged(self):
        """Each rename fails in turn, until none fails."""
        codes = []
        for after in range(100):
            arguments, old = self.place.ready("story", has_old=True)
            code, _, words = run(arguments, self.folder, env={
                **failing("rename", after, errno.EIO), "FAILING_TIMES": "1", "FAILING_FLAGS": "1"})
            # The new story is identical to the old one.
            self.assertEqual(self.place.require_sound("story", old), "as it was")
            self.place.require_clean("story")
            self.assertIn(code, (0, 74), words)
            codes.append(code)
            # First only the rename that cleans up fails, which is harmless, and then none fails.
            if codes[-2:] == [0, 0]:
                break
        self.assertGreater(codes.count(74), 1)

    @unittest.skipUnless(LINUX, "preloading is Linux's")
    def test_a_file_is_spared_where_the_disk_cannot(self):
        old_disk = {**failing("none", 0, 0), "FAILING_FLAGS": "1"}
        code, _, words = run(COMMANDS["copy"], self.folder, env=old_disk)
        self.assertEqual(code, 0, words)
        self.place.require_clean("copy")
        self.assert_refused(COMMANDS["copy"], 73, "exists already", env=old_disk)

    def test_a_limit_on_the_size_of_files_is_told(self):
        for command in ("warp", "copy"):
            with self.subTest(command):
                self.assertIn("exit code 74", limit_size(self.place, command, 30_000))

    @unittest.skipUnless(LINUX, "preloading is Linux's")
    def test_small_files_on_a_full_disk(self):
        full = failing("write", 100, errno.ENOSPC)
        self.assert_refused(
            ["plot", "--curve", "cosine", "-o", "c.svg"], 74, "c.svg", "No space left", env=full)
        self.assert_refused(
            ["compose", "in.mp4", "b.mp4", "-o", "edit.json"], 74, "edit.json", env=full)

    @unittest.skipUnless(LINUX, "preloading is Linux's")
    def test_an_input_on_failing_media(self):
        size = (self.folder / "in.mp4").stat().st_size
        for after in (0, size // 2, 2 * size):
            with self.subTest(after):
                self.assert_refused(
                    COMMANDS["warp"], 74, "in.mp4", "Input/output error",
                    env=failing("read", after, errno.EIO, "in.mp4"))

    def test_an_input_that_is_removed_meanwhile(self):
        source = self.folder / "gone.mp4"
        source.write_bytes((self.folder / "in.mp4").read_bytes())
        process = self.begin(["scale", "gone.mp4", "-o", "out.mp4", "--factor", "30",
                              "--preset", "ultrafast", "--progress", "json"])
        source.unlink()
        _, words = process.communicate(timeout=120)
        # A file that is open stays readable.
        self.assertIn(process.returncode, (0, 74), words)
        self.assertEqual(self.parts(), [])

    def test_a_folder_that_is_read_only(self):
        shut = "shut"
        (self.folder / shut).mkdir(mode=0o555)
        if os.geteuid() == 0:
            # Root may write everywhere, except where the kernel refuses files.
            shut = "/sys"
        self.assert_refused(["copy", "in.mp4", "-o", f"{shut}/out.mkv"], 73, shut)

    def test_no_folder(self):
        self.assert_refused(["copy", "in.mp4", "-o", "none/out.mkv"], 73, "there is no folder")


class Streams(Trust):
    INSPECT = ["inspect", "in.mp4", "--json"]

    def test_a_closed_pipe(self):
        reading, writing = os.pipe()
        os.close(reading)
        for arguments in (self.INSPECT, ["story", "schema"], ["--help"], [*COMMANDS["warp"],
                          "--dry-run"]):
            with self.subTest(arguments):
                self.assert_refused(arguments, 74, "stdout", "Broken pipe", stdout=writing)
        os.close(writing)

    @unittest.skipUnless(LINUX, "macOS has no /dev/full")
    def test_a_full_device(self):
        with open("/dev/full", "w") as full:
            self.assert_refused(self.INSPECT, 74, "stdout", "No space left", stdout=full)

    def test_a_stdout_that_is_closed_is_no_file(self):
        def shut():
            defaults()
            os.close(1)
        code, _, words = run([*COMMANDS["copy"], "--overwrite"], self.folder, prepare=shut)
        self.assertEqual(code, 0, words)
        self.assert_refused(self.INSPECT, 74, "stdout", prepare=shut)

    def test_work_goes_on_when_nobody_reads_stderr(self):
        reading, writing = os.pipe()
        os.close(reading)
        code, _, _ = run(
            ["warp", "in.mp4", "-o", "out.mp4", "--preset", "ultrafast", "--progress", "json"],
            self.folder, stderr=writing)
        os.close(writing)
        self.assertEqual(code, 0)
        measured(self.folder / "out.mp4")


class Surprises(Trust):
    # The file that is read, and the command that reads it, without its output.
    READERS = (
        ("in.mp4", ["warp", "in.mp4", *FAST]),
        ("in.mp4", ["scale", "in.mp4", "--speed", "2", *FAST]),
        ("in.mp4", ["reverse", "in.mp4", *FAST]),
        ("in.mp4", ["copy", "in.mp4"]),
        ("in.mp4", ["compose", "b.mp4", "in.mp4", *FAST]),
        ("in.wav", ["stretch", "in.wav", "--by", "1s"]),
        ("b.wav", ["stretch", "in.wav", "--like", "b.wav"]),
        ("b.wav", ["stretch", "in.wav", "--match", "b.wav"]),
        ("pairs.wav", ["stretch", "in.wav", "--anchors", "pairs.wav"]),
        ("map.mp4", ["warp", "in.mp4", "--time-map", "map.mp4", *FAST]),
        ("curve.json", ["plot", "--curve-file", "curve.json"]),
        ("edit.json", ["compose", "edit.json"]),
        ("story.json", ["story", "check", "story.json", "--graph"]),
        ("one.mp4", ["story", "build", "one.json", "--single-file"]),
    )

    def setUp(self):
        super().setUp()
        (self.folder / "b.wav").write_bytes((self.folder / "in.wav").read_bytes())
        (self.folder / "one.mp4").write_bytes((self.folder / "in.mp4").read_bytes())
        (self.folder / "pairs.wav").write_text("1 1\n5 6\n")
        (self.folder / "map.mp4").write_text("1\t1\n50\t100\n")
        (self.folder / "one.json").write_text(
            (self.folder / "story.json").read_text().replace('"in.mp4"', '"one.mp4"'))
        for name in ("curve.json", "edit.json"):
            made = ["plot", "--curve", "cosine"] if name[0] == "c" else ["compose", "in.mp4"]
            code, _, words = run([*made, "-o", name], self.folder)
            self.assertEqual(code, 0, words)
        (self.folder / "curve.json").write_text(
            '{"timewarp": "curve/1", "scale": "1 + t"}')

    def test_an_output_that_is_an_input_is_refused_by_whatever_name(self):
        (self.folder / "aside").mkdir()
        for number, (source, arguments) in enumerate(self.READERS):
            ending = source[source.index("."):]
            os.symlink(source, self.folder / f"soft{ending}")
            os.link(self.folder / source, self.folder / f"hard{ending}")
            all_names = [source, f"soft{ending}", f"hard{ending}", f"aside/../{source}",
                         str(self.folder / source)]
            # One place tells which files are the same; every reader has to ask it.
            for name in (all_names[number % 5], all_names[(number + 2) % 5]):
                with self.subTest(f"{arguments[0]} {name}"):
                    to = [name] if arguments[-1] == "--graph" else ["-o", name]
                    more = [] if arguments[0] == "inspect" else ["--overwrite"]
                    self.assert_refused([*arguments, *to, *more], 73, name)
            for each in (f"soft{ending}", f"hard{ending}"):
                (self.folder / each).unlink()

    def test_a_report_that_is_input_or_output_is_refused(self):
        for report, words in (("in.mp4", "input"), ("./out.mp4", "output"), ("map.mp4", "input")):
            with self.subTest(report):
                self.assert_refused(
                    ["warp", "in.mp4", "-o", "out.mp4", "--time-map", "map.mp4", "--report",
                     report, "--overwrite", *FAST], 73, words)

    def test_a_report_is_replaced_only_if_told(self):
        (self.folder / "report.json").write_text("mine")
        with_report = [*COMMANDS["warp"], "--report", "report.json"]
        self.assert_refused(with_report, 73, "report.json", "--overwrite")
        code, _, words = run([*with_report, "--overwrite"], self.folder)
        self.assertEqual(code, 0, words)
        self.assertIn("outputDurationSeconds", (self.folder / "report.json").read_text())

    def test_a_demo_replaces_only_if_told(self):
        (self.folder / "sample.mp4").write_bytes(b"mine")
        self.assert_refused(["demo", "."], 73, "sample.mp4", "--overwrite")

    def test_permissions_are_what_umask_says(self):
        for mask, mode in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
            def prepare():
                defaults()
                os.umask(mask)
            for command in ("copy", "story"):
                with self.subTest(f"{command} {mask:o}"):
                    output = self.place.output(command)
                    if output.exists():
                        self.place.clear()
                    code, _, words = run(COMMANDS[command], self.folder, prepare=prepare)
                    self.assertEqual(code, 0, words)
                    wanted = mode | (mode & 0o444) >> 2 if output.is_dir() else mode
                    self.assertEqual(output.stat().st_mode & 0o777, wanted)

    def test_links_are_followed_and_stay(self):
        (self.folder / "far").mkdir()
        os.symlink("far/film.mkv", self.folder / "out.mkv")
        for more in ([], ["--overwrite"]):
            code, _, words = run([*COMMANDS["copy"], *more], self.folder)
            self.assertEqual(code, 0, words)
            self.assertTrue((self.folder / "out.mkv").is_symlink())
            measured(self.folder / "far/film.mkv")
            self.assertEqual(names(self.folder / "far"), ["film.mkv"])
        self.assert_refused(COMMANDS["copy"], 73, "exists already")
        (self.folder / "out.mkv").unlink()
        os.symlink("out.mkv", self.folder / "out.mkv")
        self.assert_refused([*COMMANDS["copy"], "--overwrite"], 73, "out.mkv", "link")

    def test_what_is_no_file_is_not_replaced(self):
        os.mkfifo(self.folder / "out.mkv")
        self.assert_not_replaced(["--overwrite"], "device or a pipe")
        (self.folder / "out.mkv").unlink()
        os.symlink("/dev/null", self.folder / "out.mkv")
        self.assert_not_replaced(["--overwrite"], "device or a pipe")

    def assert_not_replaced(self, more, words):
        before = os.lstat(self.folder / "out.mkv")
        code, _, said = run([*COMMANDS["copy"], *more], self.folder)
        self.assertEqual(code, 73, said)
        self.assertIn(words, said)
        self.assertEqual(os.lstat(self.folder / "out.mkv").st_ino, before.st_ino)

    def test_a_report_to_a_pipe_or_a_device_is_written_to_it(self):
        arguments = ["warp", "in.mp4", "-o", "out.mp4", *FAST, "--overwrite", "--report"]
        code, output, words = run([*arguments, "/dev/stdout"], self.folder)
        self.assertEqual(code, 0, words)
        self.assertIn("outputDurationSeconds", output)
        code, _, words = run([*arguments, "/dev/null"], self.folder)
        self.assertEqual(code, 0, words)
        self.assertFalse(os.path.isfile("/dev/null"))
        os.mkfifo(self.folder / "report")
        reader = subprocess.Popen(["cat", self.folder / "report"], stdout=subprocess.PIPE)
        code, _, words = run([*arguments, "report"], self.folder)
        self.assertEqual(code, 0, words)
        self.assertIn(b"outputDurationSeconds", reader.communicate(timeout=5)[0])

    @unittest.skipUnless(LINUX, "/proc is Linux's")
    def test_an_input_by_its_descriptor(self):
        with open(self.folder / "in.mp4", "rb") as file:
            os.set_inheritable(file.fileno(), True)
            name = f"/proc/self/fd/{file.fileno()}"
            code, _, words = run(
                ["copy", name, "-o", "in.mp4", "--overwrite"], self.folder,
                pass_fds=[file.fileno()])
        self.assertEqual(code, 73, words)
        self.assertEqual(contents(self.folder)["in.mp4"], self.place.inputs["in.mp4"])


if __name__ == "__main__":
    unittest.main()
