"""The studio's page with the real program behind it, used as a person would."""

import difflib
import functools
import json
import statistics

from accessibility import serious
from engines import needs
from fixture import FRAME_RATE
from frame_barcode import number_in
from shared import MANUAL_CLOCK, PATIENCE, computing
from studio import CLIPS, FRAMES, StudioTest, close_all, job_request, shared_pages, source_at

# Frames of the clip that is played.
SHORT = CLIPS["short.mov"]

WHERE = """() => {
    const each = document.activeElement;
    // Firefox also stops at areas that scroll.
    if (each.tabIndex < 0 && each !== document.body) return null;
    return each === document.body ? "body" : each.id || each.getAttribute("aria-label")
        || each.closest("[data-value]")?.dataset.value || each.value || each.textContent.trim();
}"""

# Remembers where the focus goes from now on: "body" is nowhere.
WALK = """() => {
    const where = %s, focused = globalThis.focusedForTests = [];
    document.body.addEventListener("focusin", () => focused.push(where()));
    document.body.addEventListener("focusout", ({ relatedTarget }) => relatedTarget ?? focused.push("body"));
}""" % WHERE

# Everything that can take the focus. Of each group of radio buttons or tabs only one element can.
FOCUSABLE = """() => {
    const all = document.querySelectorAll("a[href], button, input, select, summary, [tabindex='0']");
    const radios = new Set();
    return [...all].filter((each) => {
        if (!each.checkVisibility({ visibilityProperty: true }) || each.tabIndex < 0) return false;
        if (each.disabled || each.closest("[disabled]")) return false;
        if (each.type !== "radio") return true;
        if (!each.checked || radios.has(each.name)) return false;
        radios.add(each.name);
        return true;
    }).length;
}"""

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
        self.assertEqual(self.page.evaluate(WHERE), "Rename Swish", "the focus stays")
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


class Access(StudioTest):
    startsWith = "short.mov"

    def setUp(self):
        super().setUp()
        self.use_clip()

    def check(self, text, *parts, isNarrow=True):
        """Checks the whole page or the given parts of it, in both colour schemes and in a narrow window."""
        width, height = self.size
        looks = [("light", (width, height)), ("dark", (width, height)), *([("light", (400, 800))] if isNarrow else [])]
        for scheme, size in looks:
            with self.subTest(text, scheme=scheme, size=size):
                self.page.set_viewport_size({"width": size[0], "height": size[1]})
                self.page.emulate_media(color_scheme=scheme)
                wide = self.page.evaluate("document.documentElement.scrollWidth")
                self.assertLessEqual(wide, size[0], "nothing hangs over the side")
                # Rules that don't concern colours give the same result in both schemes.
                self.assertEqual(serious(self.page, *parts, only_colours=scheme == "dark"), [])
        self.page.set_viewport_size({"width": width, "height": height})
        self.page.emulate_media(color_scheme=self.scheme)

    @needs("emulation")
    def test_axe_finds_nothing(self):
        for each in ("#output", "#command-group", "#saved-curves", "#workspace"):
            self.page.locator(f"{each} > summary").click()
        self.evaluated(lambda: self.choose_curve("Keyframes"))
        self.check("keyframes")
        for tab in ("Scale", "Stretch", "Reverse"):
            self.evaluated(lambda: self.page.get_by_role("tab", name=tab).click())
            self.check(tab, "#settings", "#plot-panel", isNarrow=False)
        self.page.get_by_role("tab", name="Warp").click()
        self.choose_curve("Formula")
        self.page.get_by_role("textbox", name="Formula of t").fill("1 +")
        self.wait_until("document.getElementById('error-curve').textContent !== ''")
        self.check("formula", "#settings", "#plot-panel")
        self.choose_curve("Triangle")
        self.page.get_by_role("button", name="Keyboard help").click()
        self.check("help", "#help")

    def test_player_and_plot_stay_in_view_while_settings_scroll(self):
        inside = """() => ["source-video", "preview", "plot"].map((id) => {
            const box = document.getElementById(id).getBoundingClientRect();
            return box.top >= 0 && box.bottom <= innerHeight;
        })"""
        for width, height in (390, 844), (1024, 768), self.size:
            with self.subTest(width=width, height=height):
                self.page.set_viewport_size({"width": width, "height": height})
                self.page.evaluate("scrollTo(0, 0)")
                self.page.locator("#export-group > summary").scroll_into_view_if_needed()
                self.assertEqual(self.page.evaluate(inside), [True, True, True])
                self.page.locator("#export-group > summary").click(trial=True)

    def test_nothing_scrolls_the_head_away(self):
        """Not even the focus in a field at the end of the settings, whose radio buttons can't be seen."""
        self.assertLessEqual(self.page.evaluate("document.documentElement.scrollHeight - innerHeight"), 0)
        self.page.locator("#sound-mode input").first.focus()
        self.page.locator("#sound-mode input").last.focus()
        self.assertEqual(self.page.evaluate("[scrollY, document.querySelector('.top').getBoundingClientRect().y]"), [0, 0])

    def test_players_and_curve_share_the_height(self):
        heights = lambda: [each["height"] for each in self.boxes(*map(self.page.locator, ["#source .screen", ".plot-stage"]))]
        players, plot = heights()
        bar = self.page.get_by_role("separator", name="Height of the players")
        box = bar.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        mouse.move(x, y - 40)
        mouse.move(x, y - 90)
        mouse.up()
        self.until(lambda: abs(heights()[0] - (players - 90)) < 10)
        self.assertAlmostEqual(heights()[1], plot + 90, delta=10)
        # A key makes them larger again, a double click as they were; a small window leaves the curve its least height.
        lower = heights()[0]
        bar.press("ArrowDown")
        self.until(lambda: heights()[0] > lower + 5)
        self.page.set_viewport_size({"width": 1280, "height": 720})
        self.until(lambda: heights()[1] >= 160)
        self.page.set_viewport_size({"width": self.size[0], "height": self.size[1]})
        bar.dblclick()
        self.until(lambda: heights() == [players, plot])

    def test_the_lists_and_the_settings_get_more_of_the_width(self):
        width = lambda part: self.page.locator(part).bounding_box()["width"]
        for name, key, by in [("lists", "ArrowRight", 60), ("settings", "ArrowLeft", -60)]:
            part = {"lists": "#clips", "settings": "#settings"}[name]
            before, stage = width(part), width("main.stage")
            bar = self.page.get_by_role("separator", name=f"Width of the {name}")
            box = bar.bounding_box()
            self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 100)
            self.page.mouse.down()
            self.page.mouse.move(box["x"] + by / 2, box["y"] + 100)
            self.page.mouse.move(box["x"] + box["width"] / 2 + by, box["y"] + 100)
            self.page.mouse.up()
            self.until(lambda part=part, before=before: abs(width(part) - before - 60) < 8)
            self.assertAlmostEqual(width("main.stage"), stage - 60, delta=8)
            wide = width(part)
            bar.press(key)
            self.until(lambda part=part, wide=wide: width(part) > wide + 10)
            bar.dblclick()
            self.until(lambda part=part, before=before: width(part) == before)

    def test_player_and_curve_fill_the_screen(self):
        full = lambda: self.page.evaluate("document.fullscreenElement?.id ?? ''")
        self.page.locator("#source-title").click()
        for key, section in [("f", "source"), ("Shift+F", "plot-panel")]:
            self.page.keyboard.press(key)
            self.until(lambda section=section: full() == section)
            self.page.keyboard.press(key)
            self.until(lambda: full() == "")
        for section, button in [("source", self.region("Source")), ("plot-panel", self.region("Curve"))]:
            button.get_by_role("button", name="Full screen").click()
            self.until(lambda section=section: full() == section)
            self.page.evaluate("document.exitFullscreen()")
            self.until(lambda: full() == "")

    def test_the_keyboard_reaches_everything(self):
        for each in ("#output", "#command-group", "#saved-curves"):
            self.page.locator(f"{each} > summary").click()
        self.page.locator(".skip").focus()
        count = self.page.evaluate(FOCUSABLE)
        first = self.page.evaluate(WHERE)
        self.page.evaluate(WALK)
        for _ in range(count + 10):
            self.page.keyboard.press("Tab")
        walked = [where for where in self.page.evaluate("focusedForTests") if where is not None]
        end = next(at for at, where in enumerate(walked) if where in ("body", first))
        order = [first, *walked[:end]]
        self.assertEqual(len(order), count, order)
        for name in ("Skip to the settings", "choose-file", "preview", "Source position", "factor",
                     "tab-warp", "fit-on", "range-in", "container", "render"):
            self.assertTrue(any(name == each or name in each for each in order), name)

    def test_it_works_from_the_keyboard_alone(self):
        press = self.page.keyboard.press
        self.page.locator("#tab-warp").focus()
        press("ArrowRight")
        self.assertEqual(self.page.evaluate(WHERE), "tab-scale")
        press("ArrowLeft")
        self.page.locator("#curve-menu input:checked").focus()
        press("ArrowDown")
        self.assertEqual(self.page.evaluate("document.activeElement.name"), "curve")
        press("Control+z")
        press("?")
        self.assertTrue(self.page.get_by_role("dialog", name="Keyboard").is_visible())
        press("Escape")
        press("p")
        self.wait_until("document.getElementById('preview').getAttribute('aria-pressed') === 'true'")
        self.wait_until("!document.getElementById('source-video').paused")
        press("p")
        press("k")
        self.wait_until("document.getElementById('source-video').paused")
        press("Control+Enter")
        self.wait_until("document.querySelector('#renders > .finished')")


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
