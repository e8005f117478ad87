"""Beats of a clip's sound or of music in the studio, and keyframes that hit them."""

import math
import struct
import wave

from accessibility import serious
from studio import StudioTest, job_request

RATE = 44100
TEMPO = 100
FIRST = 0.3


def song(path, seconds=12):
    """A file with short notes on the beats."""
    samples = [0.0] * int(seconds * RATE)
    beat = FIRST
    while beat < seconds - 0.3:
        start = round(beat * RATE)
        for i in range(int(0.25 * RATE)):
            fade = min(1, i / 90) * math.exp(-12 * i / RATE)
            samples[start + i] += 0.5 * fade * math.sin(2 * math.pi * 330 * i / RATE)
        beat += 60 / TEMPO
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, RATE, 0, "NONE", ""))
        file.writeframes(struct.pack(f"<{len(samples)}h", *(int(32767 * each) for each in samples)))
    return path


class Beats(StudioTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.studio.upload(song(cls.folder / "song.wav"))

    def setUp(self):
        super().setUp()
        self.use_clip()
        self.evaluated(lambda: self.choose_curve("Keyframes"))

    def listen(self, label="Beats: song.wav"):
        self.page.locator("#beats").select_option(label=label)
        self.until(lambda: self.text("#tempo") not in ("", "Listening…"))

    def beat_lines(self):
        return self.page.locator(".plot-beat-lines").get_attribute("d").count("M")

    def outputs(self):
        """When keyframes are shown, by the server's map."""
        keyframes = self.draft()["warp"]["keyframes"]
        evaluation = self.api(
            "/api/evaluate?from=0&to=0.01", job_request(self.media, {"warp": {"keyframes": keyframes}}))
        places = [float(each["at"][:-1]) / 100 * 4 for each in keyframes]
        sources, outputs = evaluation["map"]["source"], evaluation["map"]["output"]

        def at(place):
            right = next((i for i, each in enumerate(sources) if each > place), len(sources) - 1)
            share = (place - sources[right - 1]) / (sources[right] - sources[right - 1])
            return outputs[right - 1] + share * (outputs[right] - outputs[right - 1])
        return [at(place) for place in places], keyframes

    def off(self, output):
        """How far a time is from the nearest beat."""
        away = (output - FIRST) % (60 / TEMPO)
        return min(away, 60 / TEMPO - away)

    def saved(self, is_so):
        """Waits until the stored draft's keyframes are as they should be."""
        self.until(lambda: is_so(self.draft().get("warp", {}).get("keyframes") or []))

    def test_the_tempo_is_told_the_beats_are_drawn_and_the_choice_survives_a_reload(self):
        self.listen()
        self.assertEqual(self.text("#tempo"), "100 BPM")
        self.assertTrue(self.page.locator(".plot-beats-canvas").is_visible())
        count = self.beat_lines()
        self.assertEqual(count, len([each for each in range(20)
                                     if FIRST + each * 60 / TEMPO <= 5]))
        self.assertEqual(serious(self.page), [])
        # Half of the tempo and twice it: as many beats as before, or half of them, or twice as many.
        half, double = (self.page.get_by_role("button", name=f"{each} the tempo") for each in ("Half", "Twice"))
        for button, tempo, beats in ((half, 50, (count + 1) // 2), (double, 100, count), (double, 200, 2 * count - 1)):
            button.click()
            self.assertEqual(self.text("#tempo"), f"{tempo} BPM")
            self.until(lambda beats=beats: self.beat_lines() in (beats, beats + 1))
        self.until(lambda: self.stored().get("beats") not in (None, "none"))
        self.page.reload()
        self.wait_until("document.documentElement.dataset.ready === 'true'")
        self.until(lambda: self.text("#tempo") == "200 BPM")
        self.page.locator("#beats").select_option("none")
        self.assertFalse(self.page.locator(".plot-beats-canvas").is_visible())

    def test_hit_brings_keyframes_there_and_shows_the_same(self):
        self.listen()
        self.page.locator(".plot-keyframe").nth(2).focus()
        self.saved(lambda keyframes: len(keyframes) >= 6)
        before, old = self.outputs()
        self.assertGreater(self.off(before[2]), 0.05)
        self.evaluated(lambda: self.page.locator("#hit").click())
        self.saved(lambda keyframes: keyframes != old)
        after, new = self.outputs()
        # The outline of the map is within a thousandth of a hundredth of the output; the note starts within 5 ms.
        self.assertLess(self.off(after[2]), 0.006)
        self.assertEqual([each["at"] for each in new], [each["at"] for each in old])
        self.assertEqual(new[2:], old[2:])
        self.evaluated(lambda: self.page.keyboard.press("Control+z"))
        self.saved(lambda keyframes: keyframes == old)
        # A key hits several, one after another.
        self.page.locator(".plot-keyframe").nth(2).focus()
        self.page.locator(".plot-keyframe").nth(4).click(modifiers=["Control"])
        self.evaluated(lambda: self.page.keyboard.press("b"))
        self.saved(lambda keyframes: keyframes != old)
        after, _ = self.outputs()
        self.assertLess(self.off(after[2]), 0.006)
        self.assertLess(self.off(after[4]), 0.006)

    def test_what_was_hit_stays_on_its_beat_when_a_later_one_is_hit(self):
        self.listen()
        self.saved(lambda keyframes: len(keyframes) >= 6)
        for index in (2, 3, 4):
            _, old = self.outputs()
            self.page.locator(".plot-keyframe").nth(index).click()
            self.evaluated(lambda: self.page.keyboard.press("b"))
            self.saved(lambda keyframes, old=old: keyframes != old)
            after, _ = self.outputs()
            for each in range(2, index + 1):
                self.assertLess(self.off(after[each]), 0.006, f"{each} after {index} was hit")

    def test_dropped_on_a_beat_it_stays_on_the_beat(self):
        self.listen()
        self.saved(lambda keyframes: len(keyframes) >= 4)
        old = self.draft()["warp"]["keyframes"]
        lane = self.page.locator(".plot-beats-canvas").bounding_box()
        path = self.page.locator(".plot-beat-lines").get_attribute("d")
        stage = self.page.locator(".plot-stage").bounding_box()["x"]
        lines = [float(each.split()[0]) + stage for each in path.split("M")[1:]]
        handle = self.page.locator(".plot-keyframe").nth(3).bounding_box()
        x, y = handle["x"] + 14, handle["y"] + 14
        beat = min((line for line in lines if line > x + 10), default=lane["x"])
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x + 5, y)
        mouse.move(beat, y)
        mouse.up()
        self.saved(lambda keyframes: keyframes != old)
        # The beat moves with the keyframe, and the keyframe after it.
        self.until(lambda: self.off(self.outputs()[0][3]) < 0.006, "it isn't on the beat")
        _, new = self.outputs()
        self.assertEqual([each["speed"] for each in new], [each["speed"] for each in old])

    def test_what_was_edited_meanwhile_isn_t_overwritten_by_a_hit(self):
        self.listen()
        held = []
        self.page.route("**/api/hit", lambda route: held.append(route))
        self.page.locator(".plot-keyframe").nth(2).focus()
        self.page.locator("#hit").click()
        self.until(lambda: held)
        self.page.locator(".plot-keyframe").nth(2).focus()
        self.page.keyboard.press("ArrowUp")
        speeds = lambda: self.page.evaluate("""[...document.querySelectorAll(".plot-keyframe")]
            .map((each) => each.getAttribute("aria-valuenow"))""")
        edited = speeds()
        with self.page.expect_response("**/api/hit") as answer:
            held[0].continue_()
        answer.value.finished()
        self.page.evaluate("new Promise((done) => setTimeout(done))")
        self.assertEqual(speeds(), edited)
