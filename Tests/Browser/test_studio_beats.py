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
    def setUp(self):
        super().setUp()
        self.use_clip()
        names = [each["name"] for each in self.api("/api/media")["media"]]
        if "song.wav" not in names:
            self.bring(song(self.folder / "song.wav"))
            self.use_clip()
        self.evaluated(lambda: self.choose_curve("Keyframes"))

    def listen(self, label="Beats: song.wav"):
        self.page.locator("#beats").select_option(label=label)
        self.until(lambda: self.text("#tempo") not in ("", "Listening…"))

    def outputs(self):
        """When keyframes are shown, by the server's map."""
        media = next(each for each in self.api("/api/media")["media"]
                     if each["name"] == self.clip.name)
        keyframes = self.draft()["warp"]["keyframes"]
        evaluation = self.api(
            "/api/evaluate?from=0&to=0.01", job_request(media["id"], {"warp": {"keyframes": keyframes}}))
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

    def test_the_tempo_is_told_and_the_beats_are_drawn(self):
        self.listen()
        self.assertEqual(self.text("#tempo"), "100 BPM")
        self.assertTrue(self.page.locator(".plot-beats-canvas").is_visible())
        count = self.page.locator(".plot-beat-lines").get_attribute("d").count("M")
        self.assertEqual(count, len([each for each in range(20)
                                     if FIRST + each * 60 / TEMPO <= 5]))
        self.assertEqual(serious(self.page), [])
        self.page.locator("#beats").select_option("none")
        self.assertFalse(self.page.locator(".plot-beats-canvas").is_visible())

    def test_hit_brings_the_keyframe_there_and_shows_the_same(self):
        self.listen()
        self.page.locator(".plot-keyframe").nth(2).focus()
        self.saved(lambda keyframes: len(keyframes) >= 4)
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

    def test_a_key_hits_several_one_after_another(self):
        self.listen()
        self.page.locator(".plot-keyframe").nth(2).focus()
        self.page.locator(".plot-keyframe").nth(4).click(modifiers=["Control"])
        self.saved(lambda keyframes: len(keyframes) >= 6)
        old = self.draft()["warp"]["keyframes"]
        self.evaluated(lambda: self.page.keyboard.press("b"))
        self.saved(lambda keyframes: keyframes != old)
        after, _ = self.outputs()
        self.assertLess(self.off(after[2]), 0.006)
        self.assertLess(self.off(after[4]), 0.006)

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
        self.saved(lambda keyframes: keyframes != old
                   and len(keyframes[3]["at"]) > 7)
        after, new = self.outputs()
        self.assertLess(self.off(after[3]), 0.006)
        self.assertEqual([each["speed"] for each in new], [each["speed"] for each in old])

    def test_the_choice_survives_a_reload(self):
        self.listen()
        self.until(lambda: (self.api("/api/session")["session"] or {}).get("beats") not in (None, "none"))
        self.page.reload()
        self.wait_until("document.documentElement.dataset.ready === 'true'")
        self.until(lambda: self.text("#tempo") == "100 BPM")
