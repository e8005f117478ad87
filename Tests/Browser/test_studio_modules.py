"""The studio's modules that don't use the page: requests, history, preview decisions, errors, times."""

import json
import math
import shutil
import tempfile
from pathlib import Path

from shared import MANUAL_CLOCK
from story import ROOT
from studio import source_at
from studio_modules import ModulesTest, from_program

FRAME = 1 / 30

# A simulated video: it obeys play and seek with the delays of a real one, and stalls when told to.
SIMULATE = """async ([map, options]) => {
    const { freshPreview, previewStep } = await import("/preview.js");
    const { sourceAt } = await import("/plot-map.js");
    const { pace = 1, loop = false, output = 0, latency = 0.04, seconds = 20, frame = 1 / 30,
        stall = null, jitter = 0, fetching = null, ahead = null } = options;
    // Each second of small frames takes `fetching` seconds to arrive.
    const arrives = new Map();
    const hasImage = fetching === null ? null : (source) => {
        const second = Math.floor(source);
        if (!arrives.has(second)) arrives.set(second, now + fetching);
        return arrives.get(second) <= now;
    };
    const video = { time: output === 0 ? 0 : sourceAt(map, output), rate: 1, paused: true,
        target: null, until: 0, starts: 0 };
    let state = freshPreview(output, 0), small = null, seeks = 0, over = false, now = 0;
    const log = [], end = map.output.at(-1);
    for (let tick = 1; now < seconds && !over; tick += 1) {
        const step = 1 / 60 + jitter * (tick % 3 - 1) / 60;
        now += step;
        const isStalled = stall && now > stall[0] && now < stall[1];
        if (video.target !== null && now >= video.until) {
            video.time = video.target;
            video.target = null;
        }
        // Some browsers' time runs at once, although nothing is shown yet.
        const moves = !video.paused && video.target === null && !isStalled
            && (ahead !== null || now >= video.starts);
        if (moves) video.time += video.rate * step;
        const result = previewStep(state, {
            now, map, pace, loop, source: video.time, isSeeking: video.target !== null,
            isShowing: ahead === null || now >= video.starts, canPlay: video.target === null && !isStalled, frame, latency, hasImage,
        });
        state = result.state;
        const { act } = result;
        if (act.paused) video.paused = true;
        if (act.seekTo !== null) {
            seeks += 1;
            video.target = act.seekTo;
            video.until = now + latency;
        }
        if (!act.paused) {
            if (video.paused || act.seekTo !== null) video.starts = now + (ahead ?? 0.05);
            video.paused = false;
            video.rate = act.rate;
        }
        over = act.isOver;
        // A small frame covers the video until the video shows its own.
        small = act.show ?? (video.target === null && state.awaits === null ? null : small);
        log.push([state.output, small ?? video.time, sourceAt(map, Math.min(state.output, end)), act.rate,
            act.paused]);
    }
    return { log, seeks, over, now };
}"""


class Pure(ModulesTest):
    def setUp(self):
        super().setUp()
        self.open()

    def run_in_page(self, script, *arguments):
        return self.page.evaluate(script, list(arguments))


class Orders(Pure):
    def request_of(self, change, duration=10):
        return self.run_in_page("""async ([change, duration]) => {
            const { changed, freshDraft, requestOf } = await import("/render-request.js");
            return requestOf(changed(freshDraft("a"), change), duration);
        }""", change, duration)

    def test_a_fresh_draft_is_the_default_curve(self):
        self.assertEqual(self.request_of({}), {
            "media": "a", "task": "warp", "range": None, "boomerang": False, "container": "mp4",
            "video": {
                "rate": "source", "frames": "hold", "codec": None, "quality": None, "preset": None},
            "sound": {"mode": "varispeed", "tune": "music", "codec": None, "bitRate": None},
            "curve": {"curve": "double-smoothstep", "factor": 1.5, "modifier": 0.5}, "fit": None})

    def test_every_kind_of_curve(self):
        flipped = self.request_of({"warp": {"name": "triangle", "factor": 2, "flip": True}})
        self.assertEqual(flipped["curve"], {
            "curve": "triangle", "factor": 2, "modifier": 0.5, "flip": True})
        formula = self.request_of({"warp": {
            "kind": "formula", "formula": {"as": "speed", "text": "1+t"}}})
        self.assertEqual(formula["curve"], {"speed": "1+t"})
        keys = [{"at": "0%", "speed": 1}, {"at": "100%", "speed": -1}]
        timed = self.request_of({"warp": {"kind": "keyframes", "keyframes": keys, "flip": True}})
        self.assertEqual(timed["curve"], {"keyframes": keys}, "what plays backwards can't be flipped")
        parts = {"components": [], "flip": True}
        file = self.request_of({"warp": {"kind": "file", "file": {"name": "x", "curve": parts}}})
        self.assertEqual(file["curve"], parts)

    def test_an_empty_length_is_the_clips(self):
        self.assertEqual(self.request_of({"warp": {"fit": {"on": True, "text": " "}}}, 12.5)["fit"], "12.5")
        self.assertEqual(self.request_of({"warp": {"fit": {"on": False, "text": "3"}}})["fit"], None)
        stretch = self.request_of({"task": "stretch"}, 7.25)
        self.assertEqual(stretch["stretch"], {"duration": "7.25"})
        scale = self.request_of({"task": "scale", "scale": {"by": "duration", "duration": "1:30"}})
        self.assertEqual(scale["scale"], {"duration": "1:30"})
        self.assertEqual(self.request_of({"task": "scale"})["scale"], {"speed": 2})

    def test_a_task_has_only_its_modes_of_sound(self):
        kept = self.request_of({"task": "reverse", "sound": {"mode": "keep"}})
        self.assertEqual(kept["sound"]["mode"], "keep")
        other = self.request_of({"task": "reverse", "sound": {"mode": "keep-pitch"}})
        self.assertEqual(other["sound"]["mode"], "varispeed")
        self.assertNotIn("curve", other)

    def test_a_container_takes_only_its_codecs(self):
        codecs = self.run_in_page("""async () => {
            const { changed, freshDraft, withContainer } = await import("/render-request.js");
            const draft = changed(freshDraft(), {
                video: { codec: "vp9" }, sound: { codec: "aac" } });
            const { video, sound, container } = withContainer(draft, "webm");
            return [video.codec, sound.codec, container];
        }""")
        self.assertEqual(codecs, ["vp9", None, "webm"])

    def test_a_draft_comes_back_from_its_request(self):
        changes = [
            {"warp": {"name": "power", "factor": 3, "flip": True, "fit": {"on": True, "text": "9"}}},
            {"warp": {"kind": "formula", "formula": {"as": "integral", "text": "t^2"}}},
            {"warp": {"kind": "keyframes", "keyframes": [{"at": "0", "speed": 1, "easing": "hold"}]}},
            {"warp": {"kind": "file", "file": {"name": "c", "curve": {"components": []}}}},
            {"task": "scale", "scale": {"by": "factor", "factor": 3}, "boomerang": True},
            {"task": "stretch", "stretch": {"to": "by", "by": "-250ms"}},
            {"task": "reverse", "range": {"start": "1", "end": "2"}, "container": "mkv",
             "video": {"rate": "24", "codec": "ffv1"}, "sound": {"mode": "mute"}},
            {"task": "scale", "sound": {"mode": "keep-pitch", "tune": "speech"}},
        ]
        for change in changes:
            with self.subTest(change):
                request = self.request_of(change)
                again = self.run_in_page("""async ([request]) => {
                    const { freshDraft, requestOf, withRequest } = await import("/render-request.js");
                    return requestOf(withRequest(freshDraft("b"), request), 10);
                }""", request)
                self.assertEqual(again, request)

    def test_what_was_kept_badly_is_mended(self):
        kept = {"media": "m", "task": "scale", "warp": {"factor": "many", "kind": "keyframes"},
                "video": 5, "range": {"start": "1", "end": "2"}, "unknown": 1}
        draft = self.call("render-request.js", "mendedDraft", kept)
        fresh = self.call("render-request.js", "freshDraft")
        self.assertEqual(draft, {
            **fresh, "media": "m", "task": "scale", "range": {"start": "1", "end": "2"}})
        self.assertIsNone(self.call("desk.js", "mendedDesk", None))
        self.assertEqual(self.call("desk.js", "mendedDesk", {"view": "x"})["view"], "scale")


class History(Pure):
    def run_history(self, steps):
        """The values after each step; a step is a value, [value, gesture, final], "undo" or "redo"."""
        return self.run_in_page("""async ([steps]) => {
            const { edited, freshHistory, redone, undone } = await import("/history.js");
            let history = freshHistory(0);
            return steps.map((step) => {
                if (step === "undo") history = undone(history);
                else if (step === "redo") history = redone(history);
                else if (Array.isArray(step)) {
                    history = edited(history, step[0], { gesture: step[1], final: step[2] });
                } else history = edited(history, step);
                return [history.present, history.past.length, history.future.length];
            });
        }""", steps)

    def test_undo_and_redo(self):
        self.assertEqual(
            self.run_history([1, 2, "undo", "undo", "undo", "redo", 5, "redo"]),
            [[1, 1, 0], [2, 2, 0], [1, 1, 1], [0, 0, 2], [0, 0, 2], [1, 1, 1], [5, 2, 0], [5, 2, 0]])

    def test_a_drag_is_one_step(self):
        drag = [[each, "a", False] for each in (1, 2, 3)]
        self.assertEqual(
            [step[:2] for step in self.run_history(
                [*drag, [4, "a", True], [5, "a", False], [6, "b", False], "undo", "undo", "undo"])],
            [[1, 1], [2, 1], [3, 1], [4, 1], [5, 2], [6, 3], [5, 2], [4, 1], [0, 0]])

    def test_what_changes_nothing_is_no_step(self):
        self.assertEqual([step[1] for step in self.run_history([0, 1, 1, [1, "a", False]])],
                         [0, 1, 1, 1])

    def test_old_steps_are_forgotten(self):
        self.assertEqual(self.run_history(list(range(1, 300)))[-1], [299, 200, 0])


class Preview(Pure):
    def simulate(self, points, **options):
        time_map = {"output": [each[0] for each in points], "source": [each[1] for each in points]}
        return self.run_in_page(SIMULATE, time_map, options)

    def worst(self, run, after=0.0):
        """The largest distance in frames between the wanted and the shown frame, after `after`."""
        return max(abs(wanted - seen) / FRAME for output, seen, wanted, *_ in run["log"]
                   if output >= after)

    def check(self, points, seconds, **options):
        run = self.simulate(points, **options)
        self.assertTrue(run["over"])
        self.assertLess(self.worst(run), 2)
        self.assertLess(abs(run["now"] - seconds), 0.3, run["now"])
        return run

    def test_a_ramp_is_followed_by_the_rate_alone(self):
        # Half speed, double speed, normal speed.
        run = self.check([(0, 0), (2, 1), (3, 3), (5, 5)], 5)
        self.assertEqual(run["seeks"], 0)
        rates = {round(rate, 1) for output, *_, rate, paused in run["log"] if not paused
                 and 0.5 < output < 1.8}
        self.assertLessEqual(max(rates), 0.6)

    def test_an_uneven_clock_does_no_harm(self):
        self.check([(0, 0), (2, 1), (3, 3), (5, 5)], 5, jitter=0.8)

    def test_a_video_whose_time_runs_before_it_shows_anything(self):
        for points, seconds in [([(0, 0), (2, 1), (3, 3), (5, 5)], 5), ([(0, 0), (4, 4)], 4), ([(0, 0), (2, 8)], 2)]:
            with self.subTest(points):
                run = self.simulate(points, ahead=0.15)
                self.assertTrue(run["over"])
                self.assertLessEqual(run["seeks"], 1)
                self.assertLess(abs(run["now"] - seconds), 0.3)
                self.assertLess(self.worst(run, after=0.5), 2)

    def test_a_freeze_stands_still(self):
        run = self.check([(0, 0), (1, 1), (3, 1), (4, 2)], 4)
        still = [each for each in run["log"] if 1.2 < each[0] < 2.8]
        self.assertEqual({paused for *_, paused in still}, {True})
        self.assertLessEqual(run["seeks"], 2)

    def test_backwards_is_sought(self):
        run = self.check([(0, 0), (1, 1), (2, 0), (3, 1)], 3)
        self.assertGreater(run["seeks"], 10)

    def test_backwards_shows_small_frames(self):
        points = [(0, 0), (4, 4), (6, 0), (8, 2)]
        run = self.check(points, 8, fetching=0)
        self.assertLessEqual(run["seeks"], 2)
        back = [each for each in run["log"] if 4.05 < each[0] < 5.95]
        self.assertEqual(max(abs(shown - wanted) for _, shown, wanted, *_ in back), 0)
        late = self.simulate(points, fetching=0.25)
        self.assertTrue(late["over"])
        self.assertLess(self.worst(late), 2, "the clock waits for them")
        self.assertGreater(late["now"], 8.9)
        self.assertEqual(self.simulate([(0, 0), (1, 40)], fetching=0)["seeks"], 0)

    def test_backwards_waits_for_slow_seeks(self):
        run = self.simulate([(0, 2), (1, 0)], output=0.0001, latency=0.3)
        self.assertTrue(run["over"])
        self.assertLess(self.worst(run, after=0.01), 2)
        self.assertGreater(run["now"], 2)

    def test_a_cut_is_crossed(self):
        for points, options in [
                ([(0, 0), (1, 1), (1, 5), (2, 6)], {}),
                ([(0, 5), (1, 4), (1, 1), (2, 0)], {"output": 0.001})]:
            run = self.simulate(points, seconds=10, **options)
            self.assertTrue(run["over"])
            wrong = [each for each in run["log"] if abs(each[1] - each[2]) > 2 * FRAME]
            self.assertLess(len(wrong), 10, "no longer than the one seek takes")
            self.assertLess(run["now"], 2.5)

    def test_faster_than_browsers_is_sought(self):
        run = self.simulate([(0, 0), (1, 40)], seconds=60)
        self.assertTrue(run["over"])
        self.assertLess(self.worst(run), 2)
        self.assertEqual({paused for *_, paused in run["log"]}, {True})

    def test_the_clock_waits_while_the_video_stalls(self):
        run = self.simulate([(0, 0), (4, 4)], stall=[1, 2])
        self.assertTrue(run["over"])
        self.assertLess(self.worst(run), 2)
        self.assertGreater(run["now"], 4.9)

    def test_a_shuttle_backwards_and_a_loop(self):
        run = self.simulate([(0, 0), (2, 1), (3, 3)], pace=-1, output=2.999, seconds=5)
        self.assertTrue(run["over"])
        self.assertLess(run["log"][-1][0], 0.01)
        loop = self.simulate([(0, 0), (1, 1)], loop=True, seconds=3.5)
        self.assertFalse(loop["over"])
        outputs = [each[0] for each in loop["log"]]
        turns = sum(a - b > 0.5 for a, b in zip(outputs, outputs[1:]))
        self.assertGreaterEqual(turns, 3)

    def test_a_new_map_goes_on_at_the_same_place(self):
        def carried(output, before, after, shift=0):
            return self.run_in_page("""async ([output, before, after, shift]) => {
                const { carriedOver } = await import("/preview.js");
                const map = (points) => ({
                    output: points.map(([each]) => each), source: points.map(([, each]) => each) });
                return carriedOver({ output }, map(before), map(after), shift).output;
            }""", output, before, after, shift)
        plain, slow = [(0, 0), (4, 4)], [(0, 0), (8, 4)]
        self.assertAlmostEqual(carried(1, plain, slow), 2)
        self.assertAlmostEqual(carried(2, slow, plain), 1)
        self.assertAlmostEqual(carried(2, plain, [(0, 0), (2, 2)], shift=1), 1, 6, "a later range")
        self.assertAlmostEqual(carried(3, plain, [(0, 0), (2, 2)]), 2, 6, "beyond the new range")
        there_and_back = [(0, 0), (4, 4), (8, 0)]
        self.assertAlmostEqual(carried(6, there_and_back, there_and_back), 6, 6, "the way back stays")


# Lists the page's notifications when the server goes away and comes back. A fake EventSource simulates it.
CONNECTIONS = """async () => {
    const sources = [], told = [];
    globalThis.EventSource = class extends EventTarget {
        static CLOSED = 2;
        readyState = 0;
        constructor() {
            super();
            sources.push(this);
        }
        close() {
            this.readyState = 2;
        }
    };
    const { listen } = await import("/events.js");
    manualClock.install();
    listen({ hello: () => told.push("hello"), render: ({ id }) => told.push(id) },
        (isThere) => told.push(isThere));
    const say = (kind, data) => sources.at(-1).dispatchEvent(
        data === undefined ? new Event(kind) : new MessageEvent(kind, { data }));
    say("open");
    say("hello", "{}");
    say("error");
    say("open");
    say("hello", "{}");
    manualClock.pass(1700);
    told.push("break");
    sources.at(-1).readyState = 2;
    say("error");
    say("error");
    manualClock.pass(2300);
    say("open");
    say("render", '{"id":"r"}');
    manualClock.remove();
    return [told, sources.length];
}"""


class Connection(Pure):
    def test_a_break_is_said_once_and_mended(self):
        self.page.evaluate(MANUAL_CLOCK)
        told, sources = self.run_in_page(CONNECTIONS)
        self.assertEqual(told, ["hello", "hello", "break", False, True, "r"])
        self.assertGreater(sources, 1, "a connection that was given up is opened anew")

    def test_of_many_questions_the_latest_is_asked(self):
        asked, answered = self.run_in_page("""async () => {
            const { createEvaluator } = await import("/evaluator.js");
            const asked = [], answered = [], open = [];
            const ask = createEvaluator((request) => new Promise((done) => {
                asked.push(request);
                open.push(() => done({ request }));
            }), ({ request }, _, isLatest) => answered.push([request, isLatest]));
            const answer = async () => {
                open.shift()();
                // A timer comes after everything that promises have to carry on.
                await new Promise((done) => setTimeout(done));
            };
            ["a", "b", "c"].forEach(ask);
            await answer();
            await answer();
            ask("d");
            ask(null);
            await answer();
            return [asked, answered];
        }""")
        self.assertEqual(asked, ["a", "c", "d"])
        self.assertEqual(answered, [["a", False], ["c", True]])


class Words(Pure):
    def test_errors_are_sentences(self):
        failure = self.call("api.js", "failureOf", 422, {"error": {
            "message": "curve.scale: the formula is wrong at column 3\n1+?\n  ^",
            "field": "curve", "column": 3}})
        self.assertEqual(failure, {
            "status": 422, "message": "The formula is wrong at column 3.", "field": "curve",
            "column": 3, "place": None})
        self.assertIn("printed", self.call("api.js", "failureOf", 403, None)["message"])
        self.assertIn("reached", self.call("api.js", "failureOf", 0, None)["message"])
        self.assertIn("500", self.call("api.js", "failureOf", 500, None)["message"])

    def test_durations(self):
        for text, seconds in {
                "12.5": 12.5, "90s": 90, "1:30": 90, "00:01:30.250": 90.25, "1500ms": 1.5,
                "2700/25": 108, " 3 ": 3, "": None, "-1": None, "1:": None, "1/0": None, "x": None,
        }.items():
            self.assertEqual(self.call("times.js", "parseDuration", text), seconds, text)
        self.assertEqual(self.call("times.js", "durationText", 1 / 3), "0.333333")
        for seconds, text in {0: "0:00.000", 61.2345: "1:01.235", 3723.5: "1:02:03.500"}.items():
            self.assertEqual(self.call("times.js", "clockText", seconds), text)
        for seconds, text in {12.5: "12.5 s", 90: "1:30", 36000: "10:00:00"}.items():
            self.assertEqual(self.call("times.js", "lengthText", seconds), text)

    def test_figures(self):
        self.assertEqual(self.call("figures.js", "short", 0.66666), "0.667")
        self.assertEqual(self.call("figures.js", "short", -1.5), "−1.5")
        self.assertEqual(self.call("figures.js", "times", 12345.6), "12346×")
        self.assertEqual(self.call("figures.js", "sizeText", 999_600), "1 MB")
        self.assertEqual(self.call("figures.js", "counted", 1, "frame"), "1 frame")
        self.assertEqual(self.call("figures.js", "counted", 1200, "frame"), "1,200 frames")


class Seeds(Pure):
    """Keyframes made from a curve's samples."""

    def seed(self, speed):
        u = [i / 500 for i in range(501)]
        return self.call("seed.js", "seedKeyframes", {"u": u, "speed": [speed(x) for x in u]})

    def test_a_constant_speed_is_two(self):
        self.assertEqual(self.seed(lambda u: 2), [
            {"at": "0%", "speed": 2, "easing": "smooth"},
            {"at": "100%", "speed": 2, "easing": "smooth"}])

    def test_a_valley_with_a_floor(self):
        def speed(u):
            x = min(max((u - 0.2) / 0.2 if u < 0.5 else (0.8 - u) / 0.2, 0), 1)
            return 1 - 0.75 * x * x * (3 - 2 * x)
        self.assertEqual(
            [(each["at"], each["speed"], each["easing"]) for each in self.seed(speed)],
            [("0%", 1, "linear"), ("20%", 1, "smooth"), ("40%", 0.25, "linear"),
             ("60%", 0.25, "smooth"), ("80%", 1, "linear"), ("100%", 1, "smooth")])

    def test_every_built_in_curve_keeps_its_length_with_one_easing_a_piece(self):
        for name, pieces in [
            ("double-smoothstep", 5), ("triangle", 4), ("constant", 1), ("ramp", 1), ("smoothstep", 1),
            ("power", 1), ("cosine", 6), ("tapered-cosine", 7), ("sine", 7), ("tapered-sine", 7),
        ]:
            for factor in "1.5", "0.5":
                with self.subTest(name, factor=factor):
                    old = from_program("--curve", name, "--factor", factor)
                    keyframes = self.call("seed.js", "seedKeyframes", old["curve"])
                    new = from_program("--curve-file", self.curve_file(keyframes))
                    self.assertEqual(len(keyframes), pieces + 1)
                    self.assertAlmostEqual(
                        new["outputDuration"] / old["outputDuration"], 1, delta=3e-5)

    def test_a_jump_is_a_hold(self):
        seeded = self.call("seed.js", "seedKeyframes", {
            "u": [0, 0.1, 0.2, 0.3, 0.3, 0.5, 0.7, 1], "speed": [1, 1, 1, 1, 3, 3, 3, 3]})
        self.assertEqual([each["at"] for each in seeded], ["0%", "30%", "100%"])
        self.assertEqual([each["speed"] for each in seeded], [1, 3, 3])
        self.assertEqual(seeded[0]["easing"], "hold")

    def test_smooth_curves_have_no_kinks(self):
        seeded = self.seed(lambda u: 2 + math.sin(4 * math.pi * u))
        for before in seeded[1:-2]:
            x1, y1, x2, y2 = json.loads(before["easing"].replace("bezier(", "[").replace(")", "]"))
            self.assertEqual((y1, y2), (0, 1))

    def curve_file(self, keyframes):
        path = Path(tempfile.mkdtemp()) / "curve.json"
        self.addCleanup(shutil.rmtree, path.parent)
        path.write_text(json.dumps({"timewarp": "curve/1", "keyframes": keyframes}))
        return path

    def test_many_waves_are_thinned(self):
        keyframes = self.seed(lambda u: 1.5 + math.sin(60 * math.pi * u))
        self.assertLessEqual(len(keyframes), 24)
        self.assertEqual((keyframes[0]["at"], keyframes[-1]["at"]), ("0%", "100%"))


class Maps(Pure):
    def outputs(self, points, source):
        time_map = {"output": [each[0] for each in points], "source": [each[1] for each in points]}
        return self.call("plot-map.js", "outputsOf", time_map, source)

    def test_every_instant_between_two_pieces_is_found_once(self):
        for end, start in [(8, 8), (8 - 1e-15, 8 + 2e-15), (8 + 1e-12, 8 - 1e-12)]:
            with self.subTest(start - end):
                points = [(0, 0), (4, end), (4, 8), (4, start), (6, 10)]
                self.assertEqual([round(each, 6) for each in self.outputs(points, 8)], [4])
        self.assertEqual(self.outputs([(0, 0), (4, 4), (8, 0)], 4), [4])
        self.assertEqual(self.outputs([(0, 0), (4, 4), (4, 6), (8, 8)], 5), [])


class Edits(Pure):
    """Rows of clips: what can't be is mended."""

    def row(self, script, *lengths):
        """The clips after a change, as (start, end, dissolve)."""
        return self.run_in_page("""async ([script, lengths]) => {
            const draft = await import("/edit-draft.js");
            const clips = lengths.map((length) => draft.clipOf({ media: "m" }, "n", length));
            const edit = new Function("draft", "edit", `return ${script}`)(
                draft, { id: "e", name: "e", clips, selected: null });
            return edit.clips.map(({ start, end, dissolve }) => [start, end, dissolve]);
        }""", script, lengths)

    def test_a_dissolve_leaves_both_clips_some_time(self):
        trimmed = "draft.withTrim(edit, 0, { start: 3.5 })"
        cases = [
            ("draft.withChange(edit, 1, { dissolve: 1 })", [[0, 3.5, 0], [0.5, 4, 1]]),
            # The clip before begins at 3.5 s of 4.
            (f"draft.withChange({trimmed}, 1, {{ dissolve: 3 }})", [[3.5, 3.6, 0], [0.4, 4, 0.8]]),
            ("draft.withChange(draft.withTrim(edit, 1, { end: 0.3 }), 1, { dissolve: 3 })",
             [[0, 3.8, 0], [0.2, 0.3, 0.4]]),
            ("draft.withChange(edit, 0, { dissolve: 3 })", [[0, 4, 0], [0, 4, 0]]),
        ]
        for script, wanted in cases:
            with self.subTest(script):
                found = self.row(script, 4, 4)
                for each, other in zip(found, wanted, strict=True):
                    for a, b in zip(each, other, strict=True):
                        self.assertAlmostEqual(a, b)

    def test_the_order_of_members_makes_no_other_edit(self):
        same = self.run_in_page("""async () => {
            const { clipOf, editOf, bodyOf, textOf } = await import("/edit-draft.js");
            const edit = { id: "e", name: "e",
                clips: [clipOf({ task: "warp", media: "m", range: null, sound: { mode: "mute" } }, "n", 4)] };
            const [{ request, ...clip }] = JSON.parse(JSON.stringify(bodyOf(edit))).clips;
            const back = editOf({ clips: [{ ...clip, request: { sound: { mode: "mute" }, media: "m", task: "warp" } }],
                name: "e", id: "e" });
            return textOf(edit) === textOf(back);
        }""")
        self.assertTrue(same)


class Tally(Pure):
    def judged(self, *parts):
        """The shortage after each part, given as `(seconds, frames due a second, frames shown a second)`."""
        return self.run_in_page("""async ([parts]) => {
            const { FrameTally } = await import("/frame-tally.js");
            const tally = new FrameTally(), STEPS = 60;
            let now = 0, shown = 0;
            tally.show(1, now);
            return parts.map(([seconds, due, rate]) => {
                for (let step = 0; step < seconds * STEPS; step += 1) {
                    now += 1 / STEPS;
                    shown += rate / STEPS;
                    tally.show(Math.floor(shown), now);
                    shown -= Math.floor(shown);
                    tally.step(now, due);
                }
                return tally.shortage;
            });
        }""", list(parts))

    def test_a_shortage_is_said_while_it_lasts(self):
        enough, short, better, again = self.judged((4.1, 30, 30), (4, 30, 15), (4, 30, 25), (4, 30, 29))
        self.assertIsNone(enough)
        self.assertEqual(short, {"shown": 15, "due": 30})
        self.assertEqual(better, {"shown": 25, "due": 30}, "it isn't said and unsaid all the time")
        self.assertIsNone(again)

    def test_a_screen_shows_sixty_frames_a_second(self):
        self.assertEqual(self.judged((4.1, 240, 58), (4, 240, 30)), [None, {"shown": 30, "due": 60}])

    def test_nothing_is_said_of_a_freeze(self):
        self.assertEqual(self.judged((4.1, 0, 0), (4, 2, 0)), [None, None])

    def test_a_paused_page_misses_nothing(self):
        self.assertIsNone(self.run_in_page("""async () => {
            const { FrameTally } = await import("/frame-tally.js");
            const tally = new FrameTally();
            tally.show(1, 0);
            for (let pause = 1; pause <= 7; pause += 1) tally.step(20 * pause, 30);
            return tally.shortage;
        }"""))


class Presets(Pure):
    def test_the_ramps_by_intent_are_the_example_files(self):
        presets = self.run_in_page(
            """async () => (await import("/curve-presets.js")).PRESETS""")
        self.assertEqual(len(presets), 7)
        for name, _, keyframes in presets:
            path = ROOT / "Examples/curves" / f"{name.lower().replace(' ', '-')}.json"
            self.assertEqual(json.loads(path.read_text())["keyframes"], keyframes, name)

    def test_their_tiles_move_as_the_curve_does(self):
        outputs = [share / 20 for share in range(21)]
        hero = json.loads((ROOT / "Examples/curves/hero.json").read_text())["keyframes"]
        moved = self.run_in_page("""async ([keyframes, outputs]) => {
            const { motionOf } = await import("/preset-motion.js");
            return outputs.map(motionOf(keyframes));
        }""", hero, outputs)
        time_map = from_program("--curve-file", ROOT / "Examples/curves/hero.json")["map"]
        for share, source in zip(outputs, moved):
            wanted = source_at(time_map, share * time_map["output"][-1])
            self.assertAlmostEqual(source, wanted / 10, delta=0.01)
        freeze = json.loads((ROOT / "Examples/curves/freeze-the-moment.json").read_text())["keyframes"]
        still = self.run_in_page("""async ([keyframes]) => {
            const { motionOf } = await import("/preset-motion.js");
            return [0.45, 0.55].map(motionOf(keyframes));
        }""", freeze)
        self.assertAlmostEqual(still[0], still[1])


    def test_keyframes_in_seconds_have_a_path_to_the_last_one(self):
        path = self.run_in_page("""async () => {
            const { pathOf } = await import("/preset-motion.js");
            const at = (place, speed) => ({ at: place, speed, easing: "linear" });
            return [pathOf([at("1s", 2), at("4s", 1)]), pathOf([at("30%", 3)])];
        }""")
        self.assertEqual([path[0]["u"][place] for place in (0, 1, -1)], [0, 0.25, 1])
        self.assertEqual([path[0]["speed"][place] for place in (0, 1, -1)], [2, 2, 1])
        self.assertEqual(path[1], {"u": [0, 1], "speed": [3, 3]})


class Lists(Pure):
    def test_what_was_removed_is_not_brought_back_by_late_news(self):
        self.assertEqual(self.run_in_page("""async () => {
            const { Store } = await import("/store.js");
            const store = new Store();
            const removed = { id: "a", analysis: "waiting" }, left = { id: "b" };
            store.setList("media", [removed, left]);
            store.remove("media", "a");
            store.put("media", { ...removed, analysis: "ready" });
            store.add("media", removed);
            store.setList("media", [removed, left]);
            return store.media.map(({ id }) => id);
        }"""), ["b"])
