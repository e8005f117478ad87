"""The result beside its source: played by itself, linked, and wiped."""

from accessibility import serious
from fixture import FRAME_RATE
from studio import FRAMES, StudioTest, number_in, source_at

# Whenever the wipe draws the source, remembers which frame that was, at which time of the result.
WATCH_WIPE = """() => {
    const { drawImage } = CanvasRenderingContext2D.prototype;
    globalThis.looksAtWipe = [];
    CanvasRenderingContext2D.prototype.drawImage = function (...given) {
        drawImage.apply(this, given);
        const { canvas } = this;
        if (!canvas.matches(".wipe-picture")) return;
        const frame = this.getImageData(0, 0, canvas.width, canvas.height);
        const levels = [];
        for (let row = 0; row < 2; row += 1) {
            for (let column = 0; column < 22; column += 1) {
                const x = Math.floor((column + 0.5) * canvas.width / 22);
                const y = Math.floor((18.5 + row) * canvas.height / 20);
                levels.push(frame.data[4 * (y * canvas.width + x) + 1]);
            }
        }
        looksAtWipe.push({ levels, time: document.getElementById("result-video").currentTime });
    };
}"""


class Result(StudioTest):
    def setUp(self):
        super().setUp()
        self.use_clip()
        self.evaluated(lambda: self.choose_curve("Triangle"))
        self.evaluated(lambda: self.set_number("Factor", 2))
        self.evaluated(lambda: self.page.locator("#video-group [name=rate][value='30']").locator("..").click())

    def evaluation(self):
        """The evaluation of the newest render."""
        return self.api("/api/evaluate", {"job": self.api("/api/renders")["renders"][0]["job"]})

    def time(self, player):
        return self.page.evaluate(f"document.getElementById('{player}-video').currentTime")

    def result_at(self, seconds):
        self.page.get_by_role("slider", name="Result position").fill(str(seconds))

    def pause(self):
        self.page.locator("#result-title").click()
        self.page.keyboard.press("k")
        self.wait_until("document.getElementById('result-video').paused")

    def test_a_result_plays_by_itself(self):
        self.render()
        self.wait_until("!document.getElementById('result-video').paused")
        self.until(lambda: self.time("result") > 0.3)
        self.pause()

    def test_what_is_being_watched_goes_on(self):
        self.page.get_by_role("switch", name="Boomerang").click()
        self.region("Source").get_by_role("button", name="Loop").click()
        self.region("Source").get_by_role("button", name="Play").click()
        self.wait_until("!document.getElementById('source-video').paused")
        self.render()
        self.assertTrue(self.page.evaluate("document.getElementById('result-video').paused"))
        self.assertFalse(self.page.evaluate("document.getElementById('source-video').paused"))

    def test_linked_players_follow_each_other_by_the_map(self):
        self.render()
        self.pause()
        link = self.region("Result").get_by_role("button", name="Link source and result")
        self.until(lambda: link.get_attribute("aria-disabled") == "false")
        link.click()
        time_map = self.evaluation()["map"]
        for output in (0.5, 2.0, 3.3):
            self.result_at(output)
            expected = source_at(time_map, output)
            self.until(lambda: abs(self.time("source") - expected) < 0.05,
                       f"the source is at {self.time('source')}, not {expected}")
        self.page.get_by_role("slider", name="Source position").fill("1.5")
        self.until(lambda: abs(source_at(time_map, self.time("result")) - 1.5) < 0.05,
                   "the result doesn't follow the source")
        self.page.keyboard.press("g")
        self.assertEqual(link.get_attribute("aria-pressed"), "false")
        self.result_at(0.2)
        self.assertLess(abs(self.time("source") - 1.5), 0.05)

    def test_the_source_follows_a_playing_result(self):
        self.render()
        self.pause()
        time_map = self.evaluation()["map"]
        self.page.keyboard.press("g")
        self.result_at(0)
        self.page.locator("#result-title").click()
        self.page.evaluate("""() => {
            globalThis.seeks = 0;
            document.getElementById("source-video").addEventListener("seeking", () => { seeks += 1; });
        }""")
        self.page.keyboard.press("Space")
        offs = []

        def look():
            output, place = self.page.evaluate(
                "['result', 'source'].map((each) => document.getElementById(`${each}-video`).currentTime)")
            if output > 1:
                offs.append(abs(source_at(time_map, output) - place))
            return output > 4
        self.until(look)
        print(f"\n  the source is off by {sorted(offs)[len(offs) // 2]:.3f} s in the middle, "
              f"{max(offs):.3f} s at most", end=" ")
        self.assertLess(sorted(offs)[len(offs) // 2], 0.1)
        # It plays along: it is sought when it begins, and perhaps once more where the machine was busy.
        self.assertLessEqual(self.page.evaluate("seeks"), 2)
        self.pause()
        self.assertFalse(self.page.evaluate("document.getElementById('source-video').muted"))
        self.until(lambda: abs(source_at(time_map, self.time("result")) - self.time("source")) < 0.05)

    def test_the_source_follows_backwards_by_small_frames(self):
        self.evaluated(lambda: self.page.get_by_role("tab", name="Reverse").click())
        self.render()
        self.pause()
        self.page.keyboard.press("w")
        self.result_at(0)
        self.page.locator("#result-title").click()
        self.page.evaluate(WATCH_WIPE)
        self.page.keyboard.press("Space")
        # Which frame is left of the divider, where the wipe has everything.
        self.page.get_by_role("slider", name="Wipe", exact=True).press("End")
        self.until(lambda: self.time("result") > 3)
        seen = [(look["time"], number_in(look["levels"])) for look in self.page.evaluate("looksAtWipe")]
        seen = [(time, number) for time, number in seen if number is not None and time > 0.5]
        # Of what it has drawn when, not of what is there now: a busy machine draws less often while the result plays on.
        offs = sorted(abs(FRAMES - 1 - time * FRAME_RATE - number) for time, number in seen)
        print(f"\n  backwards, {len(set(number for _, number in seen))} frames are drawn, off by "
              f"{offs[len(offs) // 2]:.1f} in the middle", end=" ")
        self.assertGreater(len(offs), 5)
        self.assertLess(offs[len(offs) // 2], 8)

    def test_the_wipe_shows_both_and_is_moved(self):
        self.render()
        self.pause()
        self.region("Result").get_by_role("button", name="Wipe between source and result").click()
        divider = self.page.get_by_role("slider", name="Wipe", exact=True)
        self.assertEqual(divider.get_attribute("aria-valuetext"), "source 50 %, result 50 %")
        self.wait_until("""(() => {
            const { width, height } = document.querySelector(".wipe-picture");
            return width === 320 && height === 180;
        })()""")
        self.assertEqual(
            self.page.locator("#link").get_attribute("aria-pressed"), "true", "it isn't linked")
        divider.focus()
        for key, share in [("ArrowRight", 51), ("Shift+ArrowLeft", 41), ("Home", 0), ("End", 100)]:
            divider.press(key)
            self.assertEqual(divider.get_attribute("aria-valuenow"), str(share))
        screen = self.page.locator("#result-screen").bounding_box()
        middle = screen["y"] + screen["height"] / 2
        self.page.mouse.move(screen["x"] + screen["width"] - 3, middle)
        self.page.mouse.down()
        self.page.mouse.move(screen["x"] + screen["width"] * 0.25, middle, steps=5)
        self.page.mouse.up()
        self.assertEqual(divider.get_attribute("aria-valuenow"), "25")
        self.assertTrue(self.page.evaluate("document.getElementById('result-video').paused"))
        self.assertEqual(serious(self.page, "#result"), [])
        self.page.locator("#result-title").click()
        self.page.keyboard.press("w")
        self.assertFalse(divider.is_visible())

    def test_another_clip_can_t_be_linked(self):
        self.render()
        self.pause()
        self.page.locator("#media button.pick", has_text="sample.mp4").click()
        link = self.region("Result").get_by_role("button", name="Link source and result")
        self.until(lambda: link.get_attribute("aria-disabled") == "true")
        self.assertIn("made from another clip", link.get_attribute("title"))

    def test_a_result_has_its_name_in_its_folder(self):
        self.render()
        self.pause()
        render = self.api("/api/renders")["renders"][0]
        file = self.workspace / "results" / render["id"] / render["name"]
        self.assertTrue(file.exists())
        self.allowed.append("409")
        self.region("Result").get_by_role("button", name="Show in folder").click()
        self.until(lambda: str(file) in self.text("#error-renders"))
        rows = self.page.locator("#renders > li").count()
        self.page.locator("#renders > li").first.get_by_role("button", name="Delete").click()
        self.wait_until(f"document.querySelectorAll('#renders > li').length === {rows - 1}")
        self.page.get_by_role("button", name=f"Bring back {render['name']}").click()
        self.wait_until(f"document.querySelectorAll('#renders > li').length === {rows}")
        self.assertTrue(file.exists())
