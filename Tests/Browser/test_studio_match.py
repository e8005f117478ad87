"""Stretching a recording by the sound of another one in the studio: the match, the anchors, and the drift."""

import math
import random
import struct
import wave

from accessibility import serious
from studio import StudioTest

RATE = 16000
# The recorder's clock: 1.5 s into the other recording, and 200 ppm off.
OFFSET, RATIO = 1.5, 1.0002


def write(path, seconds, at):
    """A recording of an event of random notes; `at` gives the event's time at a time of the recording."""
    notes = random.Random(11)
    pitches = [notes.uniform(120, 1500) for _ in range(400)]

    def event(time):
        beat = int(time / 0.1)
        age = time - beat * 0.1
        return 0.4 * math.exp(-20 * age) * math.sin(2 * math.pi * pitches[beat] * age)
    samples = (event(at(each / RATE)) for each in range(int(seconds * RATE)))
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(b"".join(struct.pack("<h", int(32767 * each)) for each in samples))
    return path


class Match(StudioTest):
    startsWith = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.studio.upload(write(cls.folder / "camera.wav", 30, lambda time: time))
        cls.recording = cls.studio.upload(write(cls.folder / "recorder.wav", 20, lambda time: OFFSET + RATIO * time))

    def fresh(self):
        return {"draft": {"media": self.recording, "task": "stretch"}}

    def setUp(self):
        super().setUp()
        self.becomes("#source-name", "recorder.wav")
        self.page.get_by_text("By sound", exact=True).click()
        self.page.locator("#match canvas").wait_for()

    def test_an_edit_below_the_recordings_stays_in_the_window(self):
        self.isSpoiled = True
        self.page.set_viewport_size({"width": 1440, "height": 900})
        clips = self.page.locator("#media button.pick")
        clips.filter(has_text="sample.mp4").click()
        self.page.get_by_role("tab", name="Warp").click()
        self.page.get_by_role("button", name="Add to an edit").click()
        panel = self.page.locator("#edit-panel")
        panel.wait_for()
        clips.filter(has_text="recorder.wav").click()
        self.page.get_by_role("tab", name="Stretch").click()
        self.until(lambda: (box := panel.bounding_box()) and box["y"] + box["height"] <= 900)
        self.assertGreaterEqual(self.page.locator("#match canvas").bounding_box()["height"], 200)

    def times(self):
        fields = self.page.locator("#anchors input")
        values = [float(fields.nth(at).input_value()) for at in range(fields.count())]
        return [tuple(values[at:at + 2]) for at in range(0, len(values), 2)]

    def match(self):
        self.page.locator("#match-reference").select_option(label="camera.wav")
        self.evaluated(lambda: self.page.get_by_role("button", name="Match the sound").click())
        self.wait_until("document.getElementById('match-state').textContent.includes('ppm')")

    def place(self, lane, output, length=30):
        """Where an output time is in a lane of the drawing."""
        box = self.page.locator("#match canvas").bounding_box()
        share = {"upper": 0.2, "lower": 0.54}[lane]
        return box["x"] + output / length * box["width"], box["y"] + share * box["height"]

    def press(self, lane, output):
        self.page.mouse.move(*self.place(lane, output))
        self.page.mouse.down()
        self.page.mouse.up()

    def command(self):
        return self.page.locator("#command").text_content()

    def test_the_sound_is_matched_zoomed_to_samples_and_rendered_and_the_command_says_so(self):
        render = self.page.locator("#render")
        self.becomes("#error-match", "Match the sound of another recording, or press the same instant in both waveforms, "
                                     "at two places or more.")
        self.assertEqual(render.get_attribute("data-summary"), "· not matched yet")
        self.match()
        text = self.text("#match-state")
        self.assertIn("begins 1.5 s into camera.wav", text)
        self.assertIn("0.72 s an hour (200 ppm)", text)
        (first, begins), *_, (last, ends) = self.times()
        self.assertAlmostEqual(begins - first, OFFSET, delta=1e-3)
        self.assertAlmostEqual((ends - begins) / (last - first), RATIO, delta=1e-5)
        self.becomes("#figure-length", "30 s")
        self.assertIn("--match camera.wav", self.command())
        self.assertEqual(serious(self.page), [])
        # It is zoomed to samples.
        canvas = self.page.locator("#match canvas")
        canvas.focus()
        canvas.press("ArrowDown")
        for _ in range(8):
            canvas.press("+")
        bar = self.page.get_by_role("scrollbar", name="Part of the recordings")
        bar.wait_for()
        start, end = map(float, bar.get_attribute("aria-valuetext").replace(" seconds", "").split(" to "))
        self.assertLess(end - start, 0.3)
        self.assertTrue(start <= OFFSET <= end)
        canvas.press("0")
        bar.wait_for(state="hidden")
        # The whole way to the file, and back to these settings.
        self.render()
        row = self.page.locator("#renders > li").first
        self.page.get_by_text("Exact length", exact=True).last.click()
        self.evaluated(lambda: self.use_settings(row))
        self.assertIn("--match camera.wav", self.command())
        self.assertEqual(self.times()[0], (first, begins))

    def test_anchors_are_set_moved_typed_and_removed(self):
        self.page.locator("#match-reference").select_option(label="camera.wav")
        self.press("upper", 6)
        self.becomes("#match-state", "Now press the same instant in the lower waveform.")
        self.press("lower", 4.5)
        self.until(lambda: len(self.times()) == 1)
        (source, output), = self.times()
        self.assertAlmostEqual(source, 4.5, delta=0.05)
        self.assertAlmostEqual(output, 6, delta=0.05)
        # The recording lies by this anchor now, so the same instant is in the same place.
        self.press("upper", 18)
        self.press("lower", 18)
        self.until(lambda: len(self.times()) == 2)
        self.until(lambda: "--anchors anchors.txt" in self.command())
        field = self.page.get_by_label("Anchor 2 in the recording")
        field.fill("16.25")
        self.evaluated(lambda: field.press("Enter"))
        self.assertEqual(self.times()[1][0], 16.25)
        with self.page.expect_download() as download:
            self.page.locator("#command-group > summary").click()
            self.page.locator("#save-curve-file").click()
        self.assertEqual(download.value.suggested_filename, "anchors.txt")
        with open(download.value.path(), encoding="utf-8") as file:
            saved = [tuple(map(float, line.split())) for line in file]
        self.assertEqual(saved, self.times())
        # From the keyboard.
        canvas = self.page.locator("#match canvas")
        canvas.focus()
        for _ in range(3):
            canvas.press("ArrowUp")
        before = self.times()
        self.evaluated(lambda: canvas.press("Shift+ArrowRight"))
        self.assertAlmostEqual(self.times()[0][0], before[0][0] + 0.01, delta=1e-6)
        canvas.press("Delete")
        self.until(lambda: len(self.times()) == 1)
        self.evaluated(lambda: self.page.get_by_role("button", name="Undo").click())
        self.assertEqual(len(self.times()), 2)
        # Times that don't rise are refused in words.
        field = self.page.get_by_label("Anchor 1 in the output")
        field.fill("25")
        field.press("Enter")
        self.until(lambda: field.get_attribute("aria-invalid") == "true")
        self.assertIn("keeps the anchors in order", self.text("#match-state"))

    def test_a_recording_of_something_else_is_said_to_be_one(self):
        self.page.locator("#match-reference").select_option(label="sample.mp4")
        self.page.get_by_role("button", name="Match the sound").click()
        self.wait_until("document.getElementById('match-state').textContent.includes('different events')")
        self.assertEqual(self.times(), [])
