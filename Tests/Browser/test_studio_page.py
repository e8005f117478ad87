"""The studio's page with the real program behind it, used as a person would."""

import difflib
import functools
import json

from accessibility import focused
from engines import needs
from frame_barcode import number_in
from shared import MANUAL_CLOCK, PATIENCE, computing
from studio import FRAMES, StudioTest, close_all, job_request, shared_pages, source_at

# Moves the slider this many times, each once the plot has been redrawn for the last, while timers stand still.
MOVES = """async ([moves, patience]) => {
    const slider = document.getElementById("factor"), root = document.documentElement;
    let isLate = false;
    setTimeout(() => { isLate = true; }, patience);
    manualClock.install();
    performance.clearResourceTimings();
    let followed = 0;
    for (; followed < moves && !isLate; followed += 1) {
        const redrawn = Number(root.dataset.evaluated) + 1;
        slider.value = 1 + followed / 20;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        while (Number(root.dataset.evaluated) < redrawn && !isLate) {
            await new Promise(requestAnimationFrame);
        }
    }
    const asked = performance.getEntriesByType("resource")
        .filter(({ name }) => name.endsWith("/api/evaluate")).length;
    manualClock.remove();
    slider.dispatchEvent(new Event("change", { bubbles: true }));
    return [followed, asked, isLate];
}"""

# What there is in and around the page once all has arrived, but for numbers that count on and the sizes of scroll areas.
EVERYTHING = """async () => {
    const all = [...document.querySelectorAll("*")];
    const images = all.filter((each) => each.matches("img[src]") && each.checkVisibility());
    await Promise.all(images.map((image) => image.decode()));
    const plain = (text) => text.replace(/blob:[^"]+/g, "blob:");
    const html = plain(document.documentElement.outerHTML).replace(/ data-evaluated="\\d+"/, "");
    return {
        html: html.replace(/\\b(plot-[a-z]+)-\\d+/g, "$1-N").split("<"),
        fields: all.filter((each) => each.matches("input, select, textarea"))
            .map(({ id, name, value, checked }) => [id, name, value, checked]),
        scrolled: all.filter((each) => each.scrollTop || each.scrollLeft).map(({ id }) => id),
        videos: all.filter((each) => each.matches("video")).map((each) => [
            plain(each.src), each.paused, each.currentTime, each.playbackRate, each.muted, each.preservesPitch, each.readyState]),
        focus: [document.hasFocus(), document.activeElement.tagName, getSelection().type],
        address: location.href, title: document.title,
        stored: [{ ...localStorage }, { ...sessionStorage }],
        globals: Object.getOwnPropertyNames(globalThis).sort(), document: Object.getOwnPropertyNames(document).sort(),
        listeners: startAgain.listeners, plays: HTMLMediaElement.prototype.play.toString(),
    };
}"""


class StartAgain(StudioTest):
    """What the tests of the studio rely on: see tools/start-again.js."""

    def everything(self):
        """What there is, with the clip that the page shows at the start."""
        self.wait_until("document.getElementById('source-video').readyState === 4")
        self.wait_until("document.getElementById('result-name').textContent === ''"
                        " || document.getElementById('result-video').readyState === 4")
        self.wait_until("document.getElementById('figure-length').textContent !== '–'")
        # The server's news may come later than all that was asked for.
        self.wait_until("document.documentElement.dataset.listens === 'true'")
        return self.page.evaluate(EVERYTHING)

    def use(self):
        """Changes whatever can be changed."""
        self.use_clip()
        self.evaluated(lambda: self.choose_curve("Keyframes"))
        self.page.locator(".plot-keyframe").nth(1).focus()
        self.evaluated(lambda: self.page.keyboard.press("ArrowUp"))
        for each in ("#output", "#command-group", "#saved-curves", "#workspace"):
            self.page.locator(f"{each} > summary").click()
        self.page.locator("#zoom-in").click()
        self.page.get_by_role("button", name="Add to an edit").click()
        self.page.locator(".edit-block").wait_for()
        self.page.get_by_text("Speed", exact=True).first.click()
        self.evaluated(lambda: self.page.get_by_role("tab", name="Scale").click())
        self.page.locator("#scale-duration").evaluate("(field) => { field.value = 'half typed'; }")
        self.region("Source").get_by_role("button", name="Loop").click()
        self.page.get_by_role("button", name="Preview").click()
        self.page.get_by_role("slider", name="Source position").fill("2")
        self.page.get_by_role("button", name="Keyboard help").click()
        self.page.get_by_role("switch", name="Shortcuts of one character").uncheck()
        self.page.evaluate("""() => {
            document.getElementById("settings").scrollTop = 100;
            sessionStorage.setItem("left", "behind");
            globalThis.leftBehind = true;
            globalThis.fetch = HTMLMediaElement.prototype.play = () => new Promise(() => {});
            Object.defineProperty(document, "hidden", { configurable: true, get: () => true });
        }""")
        self.page.mouse.move(700, 400)
        self.page.mouse.down()

    def test_a_page_that_started_again_is_like_one_that_was_loaded(self):
        self.use()
        self.leave()
        self.open_page()
        again = self.everything()
        self.leave()
        close_all(shared_pages())
        self.open_page()
        loaded = self.everything()
        for kind in again:
            if again[kind] != loaded[kind]:
                both = [each[kind] if isinstance(each[kind], list) else [str(each[kind])] for each in (again, loaded)]
                self.fail("\n".join([kind, *difflib.unified_diff(*([str(part) for part in each] for each in both), n=0)]))


class Editing(StudioTest):
    def setUp(self):
        super().setUp()
        self.use_clip()

    def drop_curve(self, curve):
        path = self.folder / "dropped.json"
        path.write_text(json.dumps({"timewarp": "curve/1", **curve}))
        self.evaluated(lambda: self.drop(path))
        self.page.wait_for_selector("#curves [aria-label='Rename dropped']", state="attached")

    def kept(self, **parts):
        """Waits until the page has saved a draft in which these members have these values."""
        def is_kept(draft):
            return all(functools.reduce(lambda at, key: (at or {}).get(key), path.split("__"), draft) == value
                       for path, value in parts.items())
        self.until(lambda: is_kept(self.draft()), f"{parts} never was kept")

    def keyframes(self, other_than=None):
        """The keyframes of the saved draft, once they are those of the page's table and differ from `other_than`.

        In the middle of a drag the page may save one as well.
        """
        saved = []

        def are_saved():
            saved[:] = self.draft().get("warp", {}).get("keyframes") or []
            speeds = self.page.evaluate("""[...document.querySelectorAll("#keyframes-form [aria-label$=', speed']")]
                .map(({ value }) => Number(value))""")
            return saved not in ([], other_than) and len(saved) == len(speeds) and all(
                abs(each["speed"] - speed) < 1e-3 for each, speed in zip(saved, speeds))
        self.until(are_saved, "the draft never has the keyframes of the table")
        return saved

    def test_a_dropped_clip_is_there_and_comes_back_when_it_was_removed(self):
        path = self.folder / "dropped.mov"
        path.write_bytes(self.clip.read_bytes())
        self.bring(path)
        row = self.page.locator("#media li", has_text=path.name)
        self.assertIn("4 s · 320×180", row.inner_text())
        row.locator("img").wait_for()
        self.wait_until("document.getElementById('source-video').readyState >= 2")
        number, _ = self.shown("source-video")
        self.assertEqual(number, 0)
        self.allowed.append("415")
        other = self.folder / "nothing.txt"
        other.write_text("This is no film.")
        self.drop(other)
        self.wait_until("document.getElementById('error-media').textContent !== ''")
        self.becomes("#figure-length", "5 s")
        count = self.page.locator("#media > li").count()
        length = self.text("#figure-length")
        self.page.get_by_role("button", name=f"Remove {path.name}").first.click()
        self.wait_until(f"document.querySelectorAll('#media > li').length === {count - 1}")
        self.page.get_by_role("button", name=f"Bring back {path.name}").click()
        self.becomes("#figure-length", length)
        self.assertEqual(self.page.locator("#media > li").count(), count)
        self.wait_until("document.getElementById('source-video').readyState >= 2")
        # Another clip has its own waveform.
        other = self.page.locator("#media button.pick", has_text="sample.mp4")
        with self.page.expect_response(lambda answer: "/waveform" in answer.url) as answer:
            other.click()
        # The browser may have kept it.
        self.assertIn(answer.value.status, (200, 304))

    def test_keyframes_that_come_late_or_never_leave_what_was_chosen(self):
        held, pattern = [], "**/api/keyframes"
        # Before the clip is known, keyframes have no curve to follow, and none are asked for.
        self.wait_until("/\\d/.test(document.getElementById('figure-length').textContent)")
        self.page.route(pattern, lambda route: held.append(route))
        self.choose_curve("Keyframes")
        self.until(lambda: held, "keyframes aren't asked for")
        self.evaluated(lambda: self.choose_curve("Triangle"))
        with self.page.expect_response(pattern):
            held.pop().continue_()
        self.page.unroute(pattern)
        self.assertTrue(self.page.locator("input[value=triangle]").is_checked())
        error = {"error": {"message": "No keyframes today.", "field": "curve"}}
        self.page.route(pattern, lambda route: route.fulfill(
            status=422, content_type="application/json", body=json.dumps(error)))
        self.choose_curve("Keyframes")
        self.becomes("#error-curve", "No keyframes today.")
        self.assertTrue(self.page.locator("input[value=triangle]").is_checked())
        self.page.unroute(pattern)
        self.evaluated(lambda: self.choose_curve("Keyframes"))
        self.assertTrue(self.page.locator("#keyframes-form").is_visible())

    def test_the_curve_its_sliders_and_undo_and_redo(self):
        self.evaluated(lambda: self.choose_curve("Triangle"))
        self.evaluated(lambda: self.set_number("Factor", 2))
        # What was taken over is undone in the field, too; what is being typed is undone there alone.
        self.evaluated(lambda: self.page.keyboard.press("Control+z"))
        self.assertEqual(self.page.locator("#factor-number").input_value(), "1.5")
        self.evaluated(lambda: self.page.get_by_role("button", name="Undo").click())
        self.assertTrue(self.page.locator("input[value=double-smoothstep]").is_checked())
        self.evaluated(lambda: self.page.keyboard.press("Control+Shift+z"))
        self.evaluated(lambda: self.page.get_by_role("button", name="Redo").click())
        self.becomes("#figure-length", "5 s")
        slider = self.page.locator("#factor")
        box = slider.bounding_box()
        y = box["y"] + box["height"] / 2
        self.page.mouse.move(box["x"] + 0.5 * box["width"], y)
        self.page.mouse.down()
        for share in (0.6, 0.7, 0.8):
            self.page.mouse.move(box["x"] + share * box["width"], y)
        self.page.mouse.up()
        self.assertGreater(float(self.page.locator("#factor-number").input_value()), 2.9)
        self.evaluated(lambda: self.page.keyboard.press("Control+z"))
        self.assertEqual(self.page.locator("#factor-number").input_value(), "2", "one step")
        curve = self.page.locator(".plot-curve").first
        self.evaluated(lambda: self.set_number("Factor", 1.5))
        self.becomes("#figure-length", "4.5 s")
        drawn = curve.get_attribute("d")
        self.evaluated(lambda: self.set_number("Factor", 2))
        self.becomes("#figure-length", "5 s")
        self.becomes("#figure-minimum", "0.5×")
        self.becomes("#figure-frames", "150")
        self.becomes("#figure-source-rate", "24 of the source's")
        self.assertNotEqual(curve.get_attribute("d"), drawn)
        slider = self.page.get_by_role("slider", name="Factor", exact=True)
        slider.focus()
        self.evaluated(lambda: slider.press("ArrowRight"))
        self.assertEqual(self.page.locator("#factor-number").input_value(), "2.01")
        self.evaluated(lambda: self.set_number("Factor", 9))
        self.becomes("#figure-minimum", "0.111×")
        self.evaluated(lambda: self.choose_curve("Ramp"))
        self.assertFalse(self.page.get_by_role("slider", name="Modifier").is_visible())
        self.becomes("#figure-maximum", "1×")
        self.page.get_by_text("Time scale", exact=True).first.click()
        self.becomes("#figure-minimum", "1×")
        self.page.get_by_text("Speed", exact=True).first.click()
        fit = self.page.get_by_role("switch", name="Exact length")
        self.evaluated(fit.check)
        field = self.page.get_by_role("textbox", name="Exact length")
        self.evaluated(lambda: field.fill("0:03.5"))
        self.becomes("#figure-length", "3.5 s")
        self.evaluated(lambda: field.fill("soon"))
        self.assertIn("soon", self.text("#error-fit"))
        self.assertEqual(field.get_attribute("aria-invalid"), "true")

    def test_each_clip_keeps_its_curve(self):
        pick = lambda name: self.evaluated(lambda: self.page.locator("#media button.pick", has_text=name).click())
        checked = lambda name: self.page.locator(f"input[value={name}]").is_checked()
        self.evaluated(lambda: self.choose_curve("Triangle"))
        # 3 of 4 s, which become 4.5 s.
        self.evaluated(lambda: self.page.locator("#range-in").fill("30f"))
        self.becomes("#figure-length", "3.38 s")
        pick("sample.mp4")
        self.assertTrue(checked("double-smoothstep"), "a new clip has a new curve")
        self.assertEqual(self.page.locator("#range-in").input_value(), "")
        # 10 s: a part is typed as a share, and ends where the clip ends.
        self.evaluated(lambda: self.page.locator("#range-in").fill("50%"))
        self.becomes("#figure-length", "6.25 s")
        self.page.locator("#range-out").fill("20")
        self.page.locator("#range-out").press("Enter")
        self.until(lambda: self.page.locator("#range-out").input_value() == "10")
        self.evaluated(lambda: self.choose_curve("Ramp"))
        pick(self.clip.name)
        self.assertTrue(checked("triangle"))
        self.becomes("#figure-length", "3.38 s")
        pick("sample.mp4")
        self.assertTrue(checked("ramp"))

    def test_keyframes_are_dragged(self):
        self.evaluated(lambda: self.choose_curve("Keyframes"))
        seeded = self.keyframes()
        self.assertEqual((seeded[0]["at"], seeded[-1]["at"]), ("0%", "100%"))
        self.assertLess(len(seeded), 10)
        length = self.text("#figure-length")
        self.assertAlmostEqual(float(length.split()[0]), 5, delta=0.1)
        handle = self.page.locator(".plot-keyframe").nth(2)
        box = handle.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        before = self.count
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + 20, y + 25, steps=4)
        self.page.mouse.move(x + 30, y + 40, steps=4)
        self.page.mouse.up()
        self.wait_until(f"Number(document.documentElement.dataset.evaluated) > {before}")
        dragged = self.keyframes(other_than=seeded)
        self.assertLess(dragged[2]["speed"], seeded[2]["speed"])
        self.assertNotEqual(dragged[2]["at"], seeded[2]["at"])
        self.assertNotEqual(self.text("#figure-length"), length)
        handle.press("ArrowUp")
        self.assertGreater(self.keyframes(other_than=dragged)[2]["speed"], dragged[2]["speed"])
        self.page.keyboard.press("Control+z")
        self.kept(warp__keyframes=dragged)
        self.page.keyboard.press("Control+z")
        # The whole drag was a single undo step.
        self.kept(warp__keyframes=seeded)
        self.choose_curve("Triangle")
        self.page.keyboard.press("Control+z")
        self.assertTrue(self.page.locator("#keyframes-form table").is_visible())

    def test_a_speed_through_zero_leaves_the_other_keyframes_at_their_pictures(self):
        self.evaluated(lambda: self.choose_curve("Keyframes"))
        before = self.keyframes()
        duration = FRAMES / 30
        pictures = [float(each["at"].rstrip("%")) / 100 * duration for each in before]
        for speed in ("0", "-1"):
            with self.subTest(speed=speed):
                field = self.page.get_by_role("textbox", name="Keyframe 3, speed")
                self.evaluated(lambda speed=speed: (field.fill(speed), field.press("Enter")))
                after = self.keyframes(other_than=before)
                if speed == "0":
                    self.becomes("#figure-minimum", "0×")
                answer = self.api("/api/evaluate", job_request(
                    self.draft()["media"], {"warp": {"keyframes": after}}))
                # The plot has the keyframes' axis, so that they lie on the curve.
                curve = answer["curve"]
                self.assertEqual(curve["over"], "output")
                for each in after:
                    place = float(each["at"].rstrip("%")) / 100
                    near = min(range(len(curve["u"])), key=lambda i, place=place: abs(curve["u"][i] - place))
                    self.assertAlmostEqual(curve["speed"][near], each["speed"], delta=0.05)
                for number, (each, picture) in enumerate(zip(after, pictures)):
                    if number in (2, 3) and speed == "-1":
                        continue  # On the way to the fourth the film turns, so that one comes after as long as before.
                    output = float(each["at"].rstrip("%")) / 100 * answer["outputDuration"]
                    self.assertAlmostEqual(source_at(answer["map"], output), picture, delta=0.002)
                self.page.get_by_role("button", name="Undo").click()
                self.kept(warp__keyframes=before)

    def test_a_formula_is_wrong_at_its_column(self):
        self.evaluated(lambda: self.choose_curve("Formula"))
        field = self.page.get_by_role("textbox", name="Formula of t")
        self.evaluated(lambda: field.fill("1 + sin(pi*t) + ?"))
        self.wait_until("document.getElementById('formula').dataset.column === '17'")
        self.assertEqual(self.page.locator("#formula-caret").text_content(), " " * 16 + "^")
        self.assertIn("17", self.text("#error-curve"))
        self.assertNotIn("\n", self.text("#error-curve"))
        # What the last right curve gave isn't promised for this one.
        render = self.page.locator("#render")
        self.assertEqual(render.get_attribute("aria-disabled"), "true")
        self.assertEqual(render.get_attribute("data-summary"), "· the curve is wrong")
        self.assertEqual(self.text("#figure-length"), "–")
        character, caret = self.page.evaluate("""() => {
            const field = document.getElementById("formula"), caret = field.nextElementSibling;
            const range = document.createRange();
            range.setStart(caret.firstChild, 16);
            range.setEnd(caret.firstChild, 17);
            const probe = document.createElement("canvas").getContext("2d");
            const style = getComputedStyle(field);
            probe.font = `${style.fontSize} ${style.fontFamily}`;
            const start = field.getBoundingClientRect().x + parseFloat(style.paddingLeft)
                + parseFloat(style.borderLeftWidth);
            return [start + probe.measureText("1 + sin(pi*t) + ").width,
                range.getBoundingClientRect().x];
        }""")
        self.assertAlmostEqual(character, caret, delta=3, msg="the mark is below the character")
        self.evaluated(lambda: field.fill("1 + sin(pi*t)"))
        self.assertFalse(self.page.locator("#formula-caret").is_visible())
        self.assertEqual(self.text("#error-curve"), "")
        self.assertEqual(render.get_attribute("aria-disabled"), "false")
        self.assertIn("frames", render.get_attribute("data-summary"))
        self.evaluated(lambda: self.page.get_by_text("Integral", exact=True).click())
        self.evaluated(lambda: field.fill("t^2/2 + t/2"))
        self.becomes("#figure-length", "4 s")

    def test_the_other_tasks(self):
        tab = lambda name: self.page.get_by_role("tab", name=name)
        self.evaluated(lambda: tab("Scale").click())
        self.becomes("#figure-length", "2 s")
        speed = self.page.get_by_role("textbox", name="Speed value")
        self.evaluated(lambda: (speed.fill("25%"), speed.press("Enter")))
        self.becomes("#figure-length", "16 s")
        self.assertEqual(speed.input_value(), "0.25")
        self.page.locator("#scale-by label", has_text="Length").click()
        self.evaluated(lambda: self.page.locator("#scale-duration").fill("10"))
        self.becomes("#figure-length", "10 s")
        # Frames made from motion: the page says what the preview doesn't show, and the command has it.
        self.evaluated(lambda: self.page.locator("#frames label", has_text="Motion").click())
        self.becomes("#frames-hint", "Slow motion gets new frames, made from motion: at quarter speed a ball is "
                                     "seen at three more places of its path. Best without much blur.")
        self.kept(video__frames="motion")
        self.page.locator("#frames label", has_text="Hold").click()
        self.evaluated(lambda: self.page.locator("#scale-duration").fill("20"))
        self.page.locator("#source-transport input.position").fill("1")
        self.becomes("#source-transport .now", "0:01.000")
        self.becomes("#source-transport .frame", "frame 30")
        # A step shows a whole frame's time, though it seeks to the middle of the frame.
        self.page.get_by_role("button", name="Forward one frame").first.click()
        self.becomes("#source-transport .now", "0:01.033")
        self.becomes("#source-transport .frame", "frame 31")
        # As timecode, if wished.
        self.page.locator("#source-transport .now").click()
        self.becomes("#source-transport .now", "00:00:01:01")
        self.page.locator("#source-transport .now").click()
        self.becomes("#source-transport .now", "0:01.033")
        self.page.get_by_role("button", name="Back one frame").first.click()
        self.becomes("#source-transport .frame", "frame 30")
        # A time is typed, in any form.
        typed = self.page.get_by_role("textbox", name="Source time")
        for text, frame in [("45f", 45), ("0:03", 90), ("00:00:02:05", 65), ("25%", 30), ("soon", 30), ("1s", 30)]:
            if not typed.is_visible():
                self.page.locator("#source-transport .now").dblclick()
            typed.fill(text)
            typed.press("Enter")
            self.becomes("#source-transport .frame", f"frame {frame}")
            # What isn't a time stays to be mended.
            self.assertEqual(typed.is_visible(), text == "soon")
        # The slider is filled up to where it was put, and the last frame is the end's.
        self.page.locator("#source-transport input.position").fill("3")
        share = self.page.locator("#source-transport input.position").evaluate("(each) => each.style.getPropertyValue('--share')")
        self.assertAlmostEqual(float(share.rstrip("%")), 75, delta=0.2)
        self.page.get_by_role("button", name="Play", exact=True).first.click()
        self.becomes("#source-transport .frame", f"frame {FRAMES - 1}")
        self.becomes("#source-transport .now", "0:03.967")
        self.wait_until("document.getElementById('source-video').paused")
        self.page.locator("#source-transport input.position").fill("1")
        self.page.get_by_role("button", name="Sample", exact=True).click()
        self.becomes("#result-name", "barcodes-scaled-sample.mp4")
        # A second before and a second after what the player shows.
        self.becomes("#result-transport .length", "0:02.000")
        # The next sample replaces it, and it can be brought back.
        self.page.get_by_role("button", name="Sample", exact=True).click()
        self.page.get_by_text("barcodes-scaled-sample.mp4 was replaced", exact=True).wait_for()
        samples = self.page.locator("#renders .name", has_text="-sample")
        self.until(lambda: samples.count() == 1)
        self.page.get_by_role("button", name="Bring back").click()
        self.until(lambda: samples.count() == 2)
        self.evaluated(lambda: tab("Reverse").click())
        self.becomes("#figure-length", "4 s")
        self.assertFalse(self.page.get_by_text("Keep pitch").is_visible())
        self.evaluated(lambda: self.page.get_by_role("switch", name="Boomerang").check())
        # The frame at the turning point is shown only once.
        self.assertAlmostEqual(float(self.text("#figure-length").split()[0]), 8, delta=0.05)
        self.evaluated(lambda: self.page.get_by_role("switch", name="Boomerang").uncheck())
        self.evaluated(lambda: self.page.locator("#range-in").fill("1"))
        self.evaluated(lambda: self.page.locator("#range-out").fill("0:03"))
        self.becomes("#figure-length", "2 s")
        self.page.get_by_text("Command line").click()
        command = self.text("#command")
        self.assertTrue(command.startswith("timewarp reverse barcodes.mov"), command)
        self.assertIn("--range", command)
        self.evaluated(lambda: self.page.get_by_role("button", name="Whole clip").click())
        self.page.locator("#source-title").click()
        self.page.keyboard.press(".")
        self.page.keyboard.press(".")
        self.page.keyboard.press(".")
        self.evaluated(lambda: self.page.keyboard.press("i"))
        # Three frames after the second at which the player was left.
        self.kept(range={"start": "1.1", "end": "4"})
        self.evaluated(lambda: tab("Stretch").click())
        self.page.locator("#range-clear").click()
        self.page.get_by_text("Change", exact=True).click()
        self.evaluated(lambda: self.page.locator("#stretch-by").fill("+1"))
        self.becomes("#figure-length", "5 s")

    def test_smart_rendering_says_what_it_keeps(self):
        self.evaluated(lambda: self.page.get_by_role("tab", name="Scale").click())
        self.evaluated(lambda: self.page.locator("#scale-by label", has_text="Length").click())
        self.becomes("#figure-length", "4 s")
        self.becomes("#smart-hint", "encode only what changes")
        self.page.locator("#output > summary").click()
        self.becomes("#smart-hint", "would keep 100 % of the video as it is stored")
        self.page.get_by_role("switch", name="Smart").check()
        self.becomes("#smart-hint", "keeps 100 % of the video as it is stored")
        self.evaluated(lambda: self.page.locator("#scale-duration").fill("10"))
        self.becomes("#smart-hint", "keeps nothing: frames are repeated, dropped, mixed or played backwards")

    def test_motion_blur_repeated_frames_and_the_sound_of_a_freeze_are_as_on_the_command_line(self):
        skip = self.page.get_by_role("switch", name="Skip repeated frames")
        hold = self.page.get_by_role("switch", name="Hold the sound in a freeze")
        self.assertFalse(skip.is_visible() or hold.is_visible())
        self.evaluated(lambda: self.page.locator("#frames label", has_text="Blend").click())
        self.evaluated(skip.check)
        self.evaluated(lambda: self.page.get_by_role("spinbutton", name="Shutter").fill("180"))
        self.evaluated(lambda: self.page.locator("#sound-mode label", has_text="Keep pitch").click())
        self.evaluated(hold.check)
        command = self.page.locator("#command").text_content()
        self.assertIn("--frames blend --skip-repeats --shutter 180 --audio keep-pitch --freeze-sound hold", command)
        # An angle that no shutter has is told at its place.
        self.evaluated(lambda: self.page.get_by_role("spinbutton", name="Shutter").fill("400"))
        self.wait_until("document.getElementById('error-video').textContent.includes('360')")
        self.evaluated(lambda: self.page.locator("#rate label", has_text="Any").click())
        self.assertFalse(skip.is_visible())

    @needs("clipboard")
    def test_the_command_is_copied(self):
        self.page.get_by_text("Command line").click()
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page.get_by_role("button", name="Copy").click()
        self.wait_until("document.getElementById('live').textContent.includes('copied')")
        self.assertEqual(self.page.evaluate("navigator.clipboard.readText()"), self.text("#command"))

    def test_curves_are_saved_renamed_exported_and_opened(self):
        self.evaluated(lambda: self.choose_curve("Power"))
        self.page.locator("#saved-curves summary").click()
        name = self.page.get_by_role("textbox", name="Name of this curve")
        name.fill("Whoosh")
        self.page.get_by_role("button", name="Save", exact=True).click()
        self.page.get_by_role("button", name="Rename Whoosh").click()
        field = self.page.get_by_role("textbox", name="New name of Whoosh")
        field.fill("Swish")
        field.press("Enter")
        self.page.wait_for_selector("#curves [aria-label='Rename Swish']")
        self.assertEqual(focused(self.page), "Rename Swish", "the focus stays")
        points = self.page.locator("#curves .curve-picture polyline").get_attribute("points").split()
        self.assertEqual((points[0], points[-1]), ("2.0,25.0", "46.0,3.0"), "its picture rises")
        self.assertGreater(len(points), 40)
        with self.page.expect_download() as download:
            self.page.get_by_role("link", name="Export Swish").click()
        saved = json.loads(download.value.path().read_text())
        self.assertEqual((saved["timewarp"], saved["curve"]), ("curve/1", "power"))
        with self.page.expect_download() as download:
            self.page.get_by_role("button", name="Export", exact=True).click()
        self.assertEqual(json.loads(download.value.path().read_text())["curve"], "power")
        self.evaluated(lambda: self.choose_curve("Triangle"))
        self.evaluated(lambda: self.page.locator("#curves .pick", has_text="Swish").click())
        self.assertTrue(self.page.locator("input[value=power]").is_checked())
        for _ in range(2):
            self.page.get_by_role("button", name="Delete Swish").click()
            self.wait_until("!document.getElementById('curves').textContent.includes('Swish')")
            self.page.get_by_role("button", name="Bring back Swish").click()
            self.page.wait_for_selector("#curves [aria-label='Rename Swish']")
        parts = {"components": [{"range": [0.2, 0.5], "curve": {"curve": "triangle", "factor": 3}}]}
        self.drop_curve(parts)
        self.page.wait_for_selector("#file-curve:visible")
        self.becomes("#figure-minimum", "0.333×")

    def test_a_retimed_clip_is_exported_for_editors(self):
        self.page.locator("#export-group summary").click()
        formats = {"fcpxml": "<fcpxml", "xml": "<xmeml", "otio": '"OTIO_SCHEMA"', "edl": "M2",
                   "mlt": "<mlt", "kdenlive": "<mlt", "json": '"composition/1"'}
        options = self.page.locator("#export-format option")
        self.assertEqual(
            [options.nth(at).get_attribute("value") for at in range(options.count())],
            list(formats))
        for ending, sign in formats.items():
            self.page.locator("#export-format").select_option(ending)
            with self.page.expect_download() as download:
                self.page.locator("#export-edit").click()
            self.assertEqual(download.value.suggested_filename.rsplit(".", 1)[-1], ending)
            with open(download.value.path(), encoding="utf-8") as file:
                text = file.read()
            # The copy in the workspace has another name.
            self.assertIn(sign, text)
            self.assertIn(self.clip.name.split(".")[0], text)
            self.assertEqual(self.page.locator("#error-export").inner_text(), "")
        # An edit list has no curves: a note says what it has instead.
        self.page.locator("#export-format").select_option("edl")
        with self.page.expect_download():
            self.page.locator("#export-edit").click()
        line = self.page.locator("#export-report summary")
        self.assertRegex(line.inner_text(), r"^barcodes\S*\.edl was saved\. \d+ notes?$")
        self.assertFalse(self.page.locator("#export-report li").first.is_visible())
        line.click()
        self.assertTrue(self.page.locator("#export-report li").first.is_visible())

    @needs("thread time")
    def test_a_slider_is_followed_at_once(self):
        self.evaluated(lambda: self.choose_curve("Triangle"))
        self.page.evaluate(MANUAL_CLOCK)
        moves, before = 40, self.studio.computed
        (followed, asked, is_late), page = computing(
            self.page, lambda: self.page.evaluate(MOVES, [moves, PATIENCE]))
        self.assertFalse(is_late, f"after {followed} moves it waits for a timer")
        self.assertEqual((followed, asked), (moves, moves), "one question for each move")
        server = self.studio.computed - before
        print(f"\n  from slider to frame: the page computes for {1000 * page / moves:.1f} ms, the "
              f"server for {1000 * server / moves:.1f} ms", end=" ")
        self.assertLess((page + server) / moves, 0.05)


class Close(StudioTest):
    """The whole studio, zoomed in."""

    def test_frames_and_waveform_are_fetched_for_the_part(self):
        self.use_clip()
        fetched = self.requests()
        for _ in range(4):
            self.page.locator("#zoom-in").click()

        def has_fetched(part):
            # Requests are told of only while the page is asked something.
            self.page.evaluate("1")
            return any(part in url for url in fetched)
        self.until(lambda: has_fetched("strip?level="))
        self.until(lambda: has_fetched("evaluate?from="))
        self.assertEqual(self.page.locator("#zoom-fit").get_attribute("aria-disabled"), "false")
        self.page.locator("#zoom-fit").click()
        self.assertEqual(self.page.locator("#zoom-fit").get_attribute("aria-disabled"), "true")
        self.assertFalse(self.page.locator("#plot .plot-scroll").is_visible())

    def test_each_frame_beneath_is_the_one_of_its_time(self):
        self.use_clip()
        # Four seconds in 32 parts of 1/8 s: 3.75 frames each.
        numbers = self.page.evaluate("""async (id) => {
            const image = new Image();
            image.src = `/api/media/${id}/strip?level=5&tile=9`;
            await image.decode();
            const canvas = document.createElement("canvas");
            Object.assign(canvas, { width: image.width, height: image.height });
            const context = canvas.getContext("2d");
            context.drawImage(image, 0, 0);
            const wide = image.width / 24;
            return Array.from({ length: 24 }, (_, n) => Array.from({ length: 44 }, (_, i) => {
                const x = n * wide + Math.floor(((i % 22) + 0.5) * wide / 22);
                const y = Math.floor((18.5 + Math.floor(i / 22)) * image.height / 20);
                return context.getImageData(x, y, 1, 1).data[1];
            }));
        }""", self.media)
        wanted = [int((9 + (n + 0.5) / 24) / 8 * 30 + 1e-9) for n in range(24)]
        self.assertEqual([number_in(levels) for levels in numbers], wanted)
        self.assertLess(max(wanted), FRAMES)


class OtherClips(StudioTest):
    def make(self, name, *options):
        import subprocess
        path = self.folder / name
        subprocess.run(["ffmpeg", "-v", "error", "-y", *options, path], check=True)
        return path

    def open(self, path):
        self.bring(path)
        self.wait_until("document.getElementById('figure-length').textContent !== '–'")

    @needs("sound alone")
    def test_sound_alone(self):
        self.open(self.make("tone.wav", "-f", "lavfi", "-i", "sine=duration=3"))
        self.assertIn("Audio only", self.text("#source-card"))
        self.assertTrue(self.page.locator("#no-video").is_visible())
        self.becomes("#figure-frames", "–")
        self.page.get_by_role("button", name="Preview").click()
        self.wait_until("Number(document.getElementById('source-video').dataset.output) > 0.5")

    def test_a_video_without_sound(self):
        self.open(self.make("mute.mp4", "-f", "lavfi", "-i", "testsrc=duration=2:size=320x180",
                            "-pix_fmt", "yuv420p"))
        self.assertTrue(self.page.locator("#no-sound").is_visible())
        self.assertFalse(self.page.locator("#sound-mode").is_visible())
        # Images that are still loading would be missing.
        media = next(each["id"] for each in self.api("/api/media")["media"] if each["name"] == "mute.mp4")
        self.page.wait_for_function("""(media) => ["poster", "strip"].every(
            (image) => performance.getEntriesByType("resource").some(
                ({ name }) => name.includes(`/${media}/${image}?`)))""", arg=media)
        self.page.get_by_role("button", name="Remove mute.mp4").click()
        self.wait_until("!document.getElementById('media').textContent.includes('mute.mp4')")
        self.assertTrue(self.page.evaluate("document.activeElement !== document.body"))


class WithoutKey(StudioTest):
    @needs("cookies")
    def test_a_page_without_its_key_says_so(self):
        self.allowed.append("403")
        self.use_clip()
        # No other test can use the page.
        self.isSpoiled = True
        self.context.clear_cookies()
        self.page.locator("#factor").press("ArrowRight")
        self.wait_until("!document.getElementById('locked').hidden")
        self.assertIn("address that timewarp studio printed", self.text("#locked-text"))
