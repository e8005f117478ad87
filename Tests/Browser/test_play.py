"""`timewarp play`: the page with nothing but a player, which plays what would be rendered: clips, projects and stories."""

import json
import shutil
import statistics
import subprocess
import tempfile
import unittest
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from engines import needs
from fixture import FRAME_RATE, make_clip, rendered
from frame_barcode import number_in
from shared import PATIENCE, browser, poll
from story import timewarp
from studio import CELLS, INTERRUPTED, ServedPage, source_at

FRAMES, SHORT = 90, 45
SEGMENT = {"media": "clip.mov", "range": ["0", "0.5"]}
# Notes the frames that the browser shows, each with its own time: a late page sees a later one than it was told of.
RECORD = """() => {
    const look = %s, video = document.getElementById("video");
    globalThis.shown = [];
    const next = () => {
        const frame = new VideoFrame(video);
        shown.push({ time: frame.timestamp / 1e6, levels: look("video", frame).levels });
        frame.close();
        video.requestVideoFrameCallback(next);
    };
    video.requestVideoFrameCallback(next);
}""" % CELLS

# Notes by the video's own clock when its sound was loud after a quiet. The clip hums, so a silence is one that a busy page made
# while the video's clock stood, and it isn't counted.
HEAR = """async () => {
    const video = document.getElementById("video"), audio = new AudioContext({ sampleRate: 48000 });
    const ear = new AnalyserNode(audio, { fftSize: 32768 }), samples = new Float32Array(ear.fftSize);
    audio.createMediaElementSource(video).connect(ear).connect(audio.destination);
    // A click is found again in each look while it is in the window: one look of a busy page may be late.
    globalThis.heard = [];
    const listen = () => {
        requestAnimationFrame(listen);
        ear.getFloatTimeDomainData(samples);
        const now = video.currentTime, loud = samples.findIndex((sample) => Math.abs(sample) > 0.2);
        if (loud < 0) return;
        const after = samples.subarray(loud);
        const silent = after.filter((sample, index) => sample === 0 && after[index - 1] === 0);
        const time = now - (after.length - silent.length) / audio.sampleRate;
        const known = heard.find(([first]) => Math.abs(time - first) < 0.2);
        if (known) known.push(time);
        else heard.push([time]);
    };
    listen();
    await audio.resume();
}"""


class Play(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="play-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        make_clip(cls.folder / "clip.mov", FRAMES)
        make_clip(cls.folder / "short.mov", SHORT)

    def play(self, name, *options):
        """Serves an input of the folder, opens its page, and waits until something is shown."""
        self.open(name, *options)
        self.page.wait_for_function("() => document.getElementById('video').readyState >= 2")

    def open(self, name, *options):
        self.served = ServedPage("play", self.folder / name, *options, "--no-open")
        self.addCleanup(self.end)
        self.context = browser().new_context()
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.errors = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.goto(self.served.url)

    def end(self):
        self.context.close()
        self.assertIn(self.served.close(), (0, INTERRUPTED))
        self.assertEqual(self.errors, [])

    def write(self, name, content):
        (self.folder / name).write_text(json.dumps(content))

    def seek(self, output):
        slider = self.page.get_by_label("Clip position")
        slider.evaluate(
            """(slider, output) => {
                slider.value = output;
                for (const kind of ["input", "change"]) slider.dispatchEvent(new Event(kind));
            }""",
            output)

    def number(self):
        return number_in(self.page.evaluate(CELLS, "video")["levels"])

    def facts(self):
        """What the page is told."""
        return self.page.evaluate("async () => (await (await fetch('clip')).json())")

    def shows(self, *numbers):
        poll(lambda: self.number() in numbers, f"none of the frames {numbers} ever came")

    def test_a_clip_follows_its_curve_at_once(self):
        self.play("clip.mov", "--keyframes", "0:1, 1:3", "--range", "0.5..2.5")
        facts = self.facts()
        self.assertEqual(facts["map"]["source"][-1], 2)
        # Each frame of the output shows the source frame at its own instant.
        for output in (0.3, 0.71, facts["length"] - 0.1):
            self.seek(output)
            tick = int(output * FRAME_RATE) / FRAME_RATE
            place = (0.5 + source_at(facts["map"], tick)) * FRAME_RATE
            self.shows(int(place - 0.02), int(place + 0.02))
        self.page.keyboard.press("Home")
        self.shows(15)
        self.page.keyboard.press(".")
        self.shows(15, 16)
        self.page.keyboard.press("Space")
        self.page.wait_for_function("() => document.getElementById('video').currentTime > 0.6")
        self.page.get_by_role("button", name="Pause").click()
        self.page.wait_for_function("() => document.getElementById('video').paused")

    def test_a_place_is_asked_for_once(self):
        self.play("clip.mov", "--keyframes", "0:0.1, 1:0.1")
        asked = []
        self.page.on("request", lambda request: asked.append(request.url))
        # A slider that is let go says its place twice.
        self.seek(20.01)
        self.shows(60)
        self.page.wait_for_function("() => !document.getElementById('video').seeking")
        self.assertEqual(len([each for each in asked if "stream?" in each]), 1, asked)

    @needs("exact frames")
    def test_every_frame_that_plays_is_the_one_that_is_rendered(self):
        def made(name, *options):
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", self.folder / "short.mov", *options, self.folder / name],
                           check=True)
        made("prores.mov", "-c:v", "prores_ks", "-c:a", "copy")
        made("hevc.mp4", "-c:v", "libx265", "-x265-params", "log-level=error", "-pix_fmt", "yuv420p10le", "-c:a", "aac")
        clip = {"media": "clip.mov", "range": ["1", "1.6"]}
        self.write("dissolve.json", {
            "timewarp": "composition/1", "tracks": [{"segments": [
                clip, {"media": "prores.mov", "range": ["0.2", "1"], "dissolve": "0.2"},
                {**clip, "play": "reversed"}]}]})
        for name, *options in [
                ("short.mov", "--keyframes", "0:1, 50%:0.25, 1:1.5"),
                ("short.mov", "--keyframes", "0:1, 50%:-1, 1:1"),
                ("prores.mov", "--keyframes", "0:1, 40%:0, 60%:0, 1:2", "--boomerang"),
                ("hevc.mp4", "--curve", "constant", "--factor", "2", "--frames", "motion"),
                ("short.mov", "--curve", "ramp", "--fps", "any"),
                ("dissolve.json",)]:
            with self.subTest(name=name, options=options):
                out = self.folder / "out.mkv"
                command = "compose" if name.endswith("json") else "warp"
                timewarp(command, self.folder / name, "-o", out, "--video-codec", "ffv1", *options, "--overwrite")
                expected = rendered(out)
                self.play(name, *options)
                self.page.evaluate(RECORD)
                # Twice as fast, which shows as many frames on most screens.
                self.page.keyboard.press("l")
                self.page.keyboard.press("l")
                self.page.wait_for_function(
                    "(end) => document.getElementById('video').currentTime > end", arg=expected[-1][0] - 0.1)
                shown = self.page.evaluate("shown")
                self.assertGreater(len(shown), 10)
                for look in shown:
                    time, number = min(expected, key=lambda each: abs(each[0] - look["time"]))
                    self.assertAlmostEqual(time, look["time"], delta=0.0015)
                    seen = number_in(look["levels"])
                    # Of a frame that was made, the barcode may be read by chance.
                    is_made = "motion" in options and round(time * FRAME_RATE) % 2 == 1
                    if number is not None and not (is_made and seen is None):
                        self.assertEqual(seen, number, f"at {time} s")
                self.doCleanups()

    @needs("exact frames")
    def test_each_click_is_heard_when_its_frame_is_shown(self):
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-i", self.folder / "clip.mov", "-f", "lavfi", "-i",
             "aevalsrc=0.05*sin(200*PI*t)+0.75*sin(2000*PI*t)*lt(mod(t\\,0.5)\\,0.003):s=48000:d=3",
             "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "pcm_s16le", self.folder / "clicks.mov"], check=True)
        # What is heard while a busy page's clock begins to run can't be timed: no click is near the start.
        for start, *options in [
                (0.1, "--keyframes", "0:1, 50%:0.5, 1:1.5"),
                (2, "--curve", "constant", "--factor", "1.5", "--audio", "keep-pitch")]:
            with self.subTest(options=options):
                self.play("clicks.mov", *options)
                facts = self.facts()["map"]
                shown_at = {"output": facts["source"], "source": facts["output"]}
                clicks = [source_at(shown_at, number / 2) for number in range(6)]
                self.page.evaluate(HEAR)
                self.seek(start)
                self.page.keyboard.press("Space")
                self.page.wait_for_function("() => document.getElementById('video').ended")
                heard = [statistics.median(times) for times in self.page.evaluate("heard")]
                expected = [click for click in clicks if click >= start]
                self.assertEqual(len(heard), len(expected), heard)
                for time, click in zip(heard, expected):
                    self.assertAlmostEqual(time, click, delta=0.02)
                self.doCleanups()

    def test_backwards_it_shows_frames_in_order(self):
        self.play("short.mov")
        self.page.keyboard.press("End")
        self.shows(SHORT - 1)
        self.page.keyboard.press("j")
        numbers = []

        def look():
            number = self.number()
            if number is not None:
                numbers.append(number)
            return number == 0
        poll(look, "it never came to the start")
        self.assertEqual(numbers, sorted(numbers, reverse=True))

    def test_places_are_shown_that_are_sought_while_others_are_still_coming(self):
        # Noise, of which each fragment comes in many parts.
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=gray:s=640x360:r=30:d=12,noise=alls=60:allf=t",
             "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", self.folder / "noise.mp4"], check=True)
        self.play("noise.mp4")
        self.page.keyboard.press("Space")
        for place in (8, 3, 10, 5.5, 0.5, 9, 2):
            self.seek(place)
            self.page.evaluate("() => new Promise((go) => setTimeout(go, 30))")
        self.page.wait_for_function("""() => {
            const { currentTime, readyState, buffered } = document.getElementById("video");
            // What is here begins at the last place, or a little later if the machine was too slow.
            return currentTime > 2.2 && readyState >= 3 && buffered.length > 0 && buffered.start(0) < 5;
        }""")
        self.assertEqual(self.page.locator("#error").inner_text(), "")

    def test_while_the_slider_is_dragged_each_instant_is_heard_for_a_moment(self):
        self.play("clip.mov")
        self.page.evaluate("""() => {
            const video = document.getElementById("video");
            globalThis.heard = [];
            for (const kind of ["play", "pause"]) {
                video.addEventListener(kind, () => heard.push(kind));
            }
        }""")
        slider = self.page.get_by_label("Clip position").bounding_box()
        x = lambda share: slider["x"] + slider["width"] * share
        y = slider["y"] + slider["height"] / 2
        self.page.mouse.move(x(0.2), y)
        self.page.mouse.down()
        for times, share in enumerate((0.2, 0.4, 0.6), 1):
            self.page.mouse.move(x(share), y)
            self.page.wait_for_function("(count) => heard.length >= count && heard.at(-1) === 'pause'", arg=2 * times)
        # Held, it shows the frame at the slider again, though sound was played on from there.
        place = float(self.page.get_by_label("Clip position").input_value())
        self.shows(int(place * FRAME_RATE))
        self.page.mouse.up()
        self.page.wait_for_function(
            "(place) => Math.abs(document.getElementById('video').currentTime - place) < 0.002", arg=place)
        self.assertTrue(self.page.evaluate("document.getElementById('video').paused"))

    @needs("exact frames")
    def test_the_first_frame_is_fetched_though_what_is_here_begins_just_after_it(self):
        self.play("clip.mov", "--keyframes", "0:1, 10%:1, 10%:0.1, 1:0.1")
        # The first place is so far away that nothing of the beginning is kept. Its tenth plays at normal speed, so that the
        # second place is in frame 1.
        for place, number in [(10.35, 39), (0.05, 1), (0, 0)]:
            self.seek(place)
            self.shows(number)

    @needs("exact frames")
    def test_a_pause_lets_the_connection_go_and_what_follows_joins(self):
        asked = []
        is_small = lambda request: "size=240" in request.url
        self.play("clip.mov", "--curve", "constant", "--factor", "8")
        # So small, it is never asked for again in smaller frames, however slow the machine is.
        self.page.set_viewport_size({"width": 320, "height": 240})
        with self.page.expect_event("requestfailed", is_small):
            self.page.reload()
        end = self.page.evaluate("(({ buffered }) => buffered.end(buffered.length - 1))(document.getElementById('video'))")
        self.assertLess(end, 23)
        self.page.on("request", lambda request: is_small(request) and asked.append(request.url))
        self.page.evaluate(RECORD)
        self.page.keyboard.press("l")
        self.page.keyboard.press("l")
        self.page.wait_for_function("(end) => document.getElementById('video').currentTime > end + 0.5", arg=end)
        joins = float(parse_qs(urlsplit(asked[0]).query)["from"][0])
        self.assertAlmostEqual(joins, end, delta=0.1)
        # Eight times as slow, each frame is shown at eight instants.
        for look in self.page.evaluate("shown"):
            self.assertEqual(number_in(look["levels"]), int(look["time"] * FRAME_RATE + 0.01) // 8, f"at {look['time']} s")

    @needs("exact frames")
    def test_the_end_is_found_after_a_pause_that_let_the_connection_go_before_it(self):
        # All four seconds are fetched ahead, but not that there are no more.
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=duration=4.004:rate=30000/1001:size=320x180",
                        "-pix_fmt", "yuv420p", self.folder / "mute.mp4"], check=True)
        self.play("mute.mp4")
        self.page.set_viewport_size({"width": 320, "height": 240})
        # The page before asked for larger frames, and its connection is cut off by the reload.
        with self.page.expect_event("requestfailed", lambda request: "size=240" in request.url):
            self.page.reload()
        self.page.keyboard.press("End")
        self.page.keyboard.press("ArrowLeft")
        self.page.keyboard.press("Space")
        self.page.wait_for_function(
            "() => document.getElementById('error').textContent || document.getElementById('video').ended")
        self.assertEqual(self.page.locator("#error").text_content(), "")

    def test_what_the_server_refuses_is_said(self):
        self.play("clip.mov")
        self.page.route("**/clip", lambda route: route.fulfill(
            status=500, json={"error": {"message": "The file is gone."}}))
        self.page.reload()
        self.page.wait_for_function("() => document.getElementById('error').textContent === 'The file is gone.'")

    def test_a_project_plays_across_its_cuts(self):
        self.write("edit.json", {
            "timewarp": "composition/1",
            "tracks": [{"segments": [{**SEGMENT, "range": ["1", "2"]}, SEGMENT]}]})
        self.play("edit.json")
        self.assertEqual(self.facts()["map"], {"output": [0, 1.5], "source": [0, 1.5]})
        for output, number in [(0.517, 45), (1.217, 6)]:
            self.seek(output)
            self.shows(number)

    def test_a_story_is_built_and_plays(self):
        self.write("story.json", {
            "timewarp": "story/1", "title": "A short one", "start": "one",
            "segments": {
                "one": {"media": "clip.mov", "range": ["0", "1"], "role": "epilogue"}}})
        self.open("story.json")
        self.page.wait_for_function("() => document.title === 'A short one'")
        self.page.wait_for_selector("video")


if __name__ == "__main__":
    unittest.main()
