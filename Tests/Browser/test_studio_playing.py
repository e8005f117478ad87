"""What the players of the studio show and sound, with the real program behind them."""

import statistics

from engines import needs
from fixture import FRAME_RATE
from frame_barcode import number_in
from studio import CLIPS, StudioTest, job_request, source_at

# Frames of the clip that is played.
SHORT = CLIPS["short.mov"]


class Playing(StudioTest):
    """The clip is short: what is judged plays in real time."""

    startsWith = "short.mov"

    def setUp(self):
        super().setUp()
        self.use_clip()

    def use_curve(self, name, factor, modifier):
        self.evaluated(lambda: self.choose_curve(name))
        self.page.locator("#view label", has_text="Time scale").click()
        self.set_number("Factor", factor)
        self.set_number("Modifier", modifier)
        self.wait_until(f"document.getElementById('figure-maximum').textContent === '{factor}×'")

    def kept_curve(self, name, factor, modifier):
        """Waits until the page has saved this curve in its draft."""
        def is_kept():
            warp = self.draft().get("warp", {})
            return (warp.get("name"), warp.get("factor"), warp.get("modifier")) == (name, factor, modifier)
        self.until(is_kept)

    def evaluation(self):
        draft = self.draft()
        warp = {key: draft["warp"][key] for key in ("factor", "modifier")} | {"curve": draft["warp"]["name"]}
        used = draft["range"]
        part = {"range": [used["start"], used["end"]]} if used else {}
        return self.api("/api/evaluate", job_request(draft["media"], {"warp": warp, **part}))

    def seek_result(self, output):
        """Has the result's player show the frame at an output time."""
        self.page.get_by_role("slider", name="Result position").fill(str(output))

    def off(self, time_map, looks):
        """By how many frames each observation was off. A frame is right until the next frame's time."""
        return [abs(number + 0.5 - source_at(time_map, output) * FRAME_RATE)
                for _, number, output in looks]

    def follows(self, time_map, looks):
        """On a busy machine some frames are late; a wrong map would make most of them wrong."""
        off = self.off(time_map, looks)
        frames = len({number for _, number, _ in looks})
        print(f"\n  {len(off)} looks, {frames} frames, off the map: median {statistics.median(off):.1f}, "
              f"most {max(off):.1f}", end=" ")
        self.assertGreater(len(off), 10)
        self.assertLessEqual(sorted(off)[len(off) * 3 // 4], 2.5)

    def test_the_preview_shows_what_the_render_will(self):
        self.use_curve("Triangle", 2, 1)
        self.kept_curve("triangle", 2, 1)
        time_map = self.evaluation()["map"]
        self.watch()
        self.page.get_by_role("button", name="Preview").click()
        self.wait_until("!document.getElementById('source-video').paused")
        self.wait_until("Number(document.getElementById('source-video').dataset.output) > 2")
        looks = self.watched()
        self.follows(time_map, looks)
        self.wait_until("document.getElementById('source-video').paused")
        self.page.get_by_role("button", name="Preview").click()
        self.render()
        self.page.evaluate("document.getElementById('result-video').pause()")
        # Ten instants at which the preview wasn't late.
        near = [look for look, off in zip(looks, self.off(time_map, looks)) if off <= 1.5]
        self.assertGreaterEqual(len(near), 10)
        for _, number, output in near[::len(near) // 10][:10]:
            self.seek_result(output)
            self.until(lambda: self.shown("result-video")[0] in range(number - 2, number + 3),
                       f"at {output} s the result never shows frame {number}")

    def test_the_preview_stays_in_its_place_when_the_curve_changes(self):
        self.use_curve("Triangle", 2, 1)
        self.kept_curve("triangle", 2, 1)
        before = self.evaluation()["map"]
        self.watch()
        self.page.get_by_role("button", name="Preview").click()
        # There, the same output time is 0.15 s earlier in the new map.
        self.wait_until("Number(document.getElementById('source-video').dataset.output) > 1")
        self.evaluated(lambda: self.set_number("Factor", 3))
        self.kept_curve("triangle", 3, 1)
        after = self.evaluation()["map"]
        # By the page's own clock, whose longest step is 0.2 s: what a busy browser shows lags behind it. The step after the
        # change is the first in the new map.
        looks = self.watched_outputs()
        index = [maximum for _, maximum in looks].index("3×")
        moved = source_at(after, looks[index + 1][0]) - source_at(before, looks[index - 1][0])
        self.assertGreaterEqual(moved, -1 / FRAME_RATE, "it goes on where it was")
        self.assertLessEqual(moved, 2 * 0.2 + 1 / FRAME_RATE, "it goes on where it was")
        self.watch()
        self.wait_until("looksAtPreview() >= 36")
        self.follows(after, self.watched())
        self.page.get_by_role("button", name="Preview").click()
        self.assertIsNone(self.page.locator("#source-video").get_attribute("data-output"))

    @needs("quick drawing")
    def test_backwards_every_picture_is_shown_in_order(self):
        self.page.locator("#source-title").click()
        self.page.keyboard.press("End")
        self.shows(SHORT - 1)
        self.watch()
        self.page.keyboard.press("j")
        self.until(lambda: self.shown("source-video")[0] == 0, "it never came to the start")
        looks = [(number_in(look["levels"]), look["time"]) for look in self.page.evaluate("endLooks()")]
        looks = [(number, time) for number, time in looks if number is not None]
        numbers = [number for number, _ in looks]
        self.assertEqual(numbers, sorted(numbers, reverse=True), "no picture out of order")
        # A busy machine looks and draws less often: of what is due when it does, every picture is shown.
        due = {min(SHORT - 1, int(time * FRAME_RATE)) for _, time in looks}
        shown = len(due & set(numbers))
        print(f"\n  backwards: {shown} of the {len(due)} pictures that were due", end=" ")
        self.assertGreater(len(due), 10)
        self.assertGreater(shown, 0.8 * len(due))
        self.wait_until("document.querySelector('#source-transport .play').ariaLabel === 'Play'")
        self.shows(0)

    def test_the_sound_of_the_preview_is_that_of_the_render(self):
        preview = self.page.get_by_role("button", name="Preview")
        mode = lambda name: self.page.locator("#sound-mode label", has_text=name).click
        for act, codecs in [
                (preview.click, "avc1.640028, mp4a.40.2"), (mode("Keep pitch"), "avc1.640028, mp4a.40.2"),
                (mode("Mute"), "avc1.640028")]:
            with self.page.expect_response(lambda answer: "/api/stream" in answer.url) as answer:
                act()
            self.assertEqual(answer.value.header_value("content-type"), f'video/mp4; codecs="{codecs}"')
            self.wait_until("document.getElementById('source-video').readyState >= 3")
            self.assertFalse(self.page.evaluate("document.getElementById('source-video').muted"))

    def shows(self, *numbers):
        """Waits until one of these frames is in the source player."""
        self.until(lambda: self.shown("source-video")[0] in numbers, f"frame {numbers} never came")

    def test_the_transport(self):
        self.region("Source").get_by_role("button", name="To the start").click()
        self.page.locator("#source-title").click()
        for key, number in [(".", 1), (".", 2), ("ArrowRight", 3), (",", 2), ("End", SHORT - 1),
                            ("ArrowLeft", SHORT - 2), ("Shift+ArrowLeft", SHORT - 12), ("Home", 0)]:
            self.page.keyboard.press(key)
            self.shows(number)
        self.page.keyboard.press("l")
        self.page.keyboard.press("l")
        self.wait_until("document.getElementById('source-video').playbackRate === 2")
        self.until(lambda: (self.shown("source-video")[0] or 0) > 30)
        self.page.keyboard.press("j")
        place = self.shown("source-video")[0]
        self.until(lambda: (self.shown("source-video")[0] or place) < place, "it never went backwards")
        self.page.keyboard.press("k")
        self.wait_until("document.getElementById('source-video').paused")
        self.page.get_by_role("slider", name="Source position").fill("1")
        self.shows(29, 30)
        dot = self.page.locator(".plot-dot").get_attribute("style")
        self.page.keyboard.press("Home")
        self.until(lambda: self.page.locator(".plot-dot").get_attribute("style") != dot)

    def test_a_result_is_played_downloaded_and_found_again(self):
        self.use_curve("Triangle", 2, 1)
        self.render()
        result = self.region("Result")
        self.assertIn("short", result.locator(".subject").inner_text())
        dots = set()
        result.get_by_role("button", name="Play").click()

        def has_moved():
            dots.add(self.page.locator(".plot-dot").get_attribute("style"))
            return len(dots) >= 4
        self.until(has_moved, "the dot doesn't follow the result")
        self.page.keyboard.press("k")
        with self.page.expect_download() as download:
            result.get_by_role("link", name="Download").click()
        self.assertGreater(download.value.path().stat().st_size, 10_000)
        rows = self.page.locator("#renders > li").count()
        name = self.text("#result-name")
        self.page.reload()
        self.wait_until("document.documentElement.dataset.ready === 'true'")
        self.wait_until("document.getElementById('result-video').readyState >= 2")
        self.assertEqual(self.text("#source-name"), self.clip.name)
        self.assertEqual(self.text("#result-name"), name)
        self.assertEqual(self.page.locator("#renders > li").count(), rows)
        self.assertTrue(self.page.locator("input[value=triangle]").is_checked())
        self.evaluated(lambda: self.choose_curve("Ramp"))
        self.evaluated(lambda: self.use_settings(self.page.locator("#renders > li").first))
        self.assertTrue(self.page.locator("input[value=triangle]").is_checked())
        first = self.text("#renders > li:first-child .name")
        self.page.locator("#renders > li").first.get_by_role("button", name="Delete").click()
        self.wait_until(f"document.querySelectorAll('#renders > li').length === {rows - 1}")
        self.page.get_by_role("button", name=f"Bring back {first}").click()
        self.wait_until(f"document.querySelectorAll('#renders > li').length === {rows}")
        self.assertEqual(self.text("#renders > li:first-child .name"), first)
        # The list may be told before the response comes.
        self.becomes("#removed-render", "")
        self.page.locator("#renders > li").first.get_by_role("button", name="Delete").click()
        self.wait_until(f"document.querySelectorAll('#renders > li').length === {rows - 1}")

    def test_progress_moves_and_a_render_is_cancelled(self):
        self.page.get_by_role("tab", name="Scale").click()
        self.page.locator("#scale-by label", has_text="Length").click()
        self.evaluated(lambda: self.page.locator("#scale-duration").fill("10:00"))
        self.evaluated(lambda: self.page.locator("#rate label", has_text="60").click())
        render = self.page.get_by_role("button", name="Render", exact=True)
        render.click()
        bar = self.page.get_by_role("progressbar", name="Render progress")
        bar.wait_for()
        values = []

        def has_moved():
            values.append(float(bar.evaluate("bar => bar.value")))
            return len(set(values)) >= 4
        self.until(has_moved, "the bar doesn't move")
        self.assertEqual(values, sorted(values))
        self.wait_until("document.querySelector('.rendering .thumbnail').naturalWidth > 0")
        self.assertIn("frames/s", self.text(".rendering .detail"))
        render.click()
        self.page.wait_for_selector("#renders > .queued")
        self.page.locator("#renders > .queued").get_by_role("button", name="Cancel").click()
        self.page.wait_for_selector("#renders > .cancelled")
        self.region("Result").get_by_role("button", name="Cancel").click()
        self.wait_until("document.querySelectorAll('#renders > .cancelled').length === 2")
        self.assertFalse(self.page.locator("#rendering").is_visible())
        for _ in range(2):
            rows = self.page.locator("#renders > .cancelled").count()
            self.page.locator("#renders > .cancelled").first.get_by_role(
                "button", name="Delete").click()
            self.until(lambda: self.page.locator("#renders > .cancelled").count() < rows)
