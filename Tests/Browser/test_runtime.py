"""The page's runtime follows the traces: some made by hand, a thousand made by the library's runtime."""

import json
from pathlib import Path

from browser import PlayerTest
from story import timewarp

# The page fetches the traces itself: passing ten megabytes through the driver would take longer than the rest.
REPLAY = """async (manifest) => {
    const lines = await (await fetch("/traces.jsonl")).text();
    const traces = lines.trim().split("\\n").map((line) => JSON.parse(line));
    const { freshState, step } = await import("/runtime.js");
    const sorted = (value) => JSON.stringify(value, (_, each) =>
        each && typeof each === "object" && !Array.isArray(each)
            ? Object.fromEntries(Object.entries(each).sort()) : each);
    const differences = [];
    traces.forEach((trace, line) => {
        let state = freshState(manifest);
        trace.forEach(({ input, ...expected }, index) => {
            const result = step(manifest, state, input);
            state = result.state;
            if (sorted(result) !== sorted(expected)) {
                differences.push({ line, index, input, expected, result });
            }
        });
    });
    return differences;
}"""


class Runtime(PlayerTest):
    def agree(self, manifest, lines):
        file = self.folder / "traces.jsonl"
        file.write_text(lines)
        self.addCleanup(file.unlink, missing_ok=True)
        differences = self.page.evaluate(REPLAY, manifest)
        traces = [json.loads(line) for line in lines.splitlines()]
        self.assertEqual(differences[:3], [])
        print(f"\n  {len(traces)} traces, {sum(map(len, traces))} steps", end=" ")
        return traces

    def test_it_agrees_with_traces_made_by_hand(self):
        folder = Path(__file__).parent / "traces"
        self.agree(
            json.loads((folder / "story.json").read_text()),
            (folder / "by-hand.jsonl").read_text())

    def test_it_agrees_with_the_library_on_1000_random_walks(self):
        for seed, story in enumerate([
                self.folder / "story.json", Path(__file__).parent / "traces/story.json"]):
            lines = timewarp(
                "story", "walk", story, "--random", "500", "--seed", str(seed + 1))
            traces = self.agree(json.loads(story.read_text()), lines)
            self.assertEqual(len(traces), 500)
            phases = {step["state"]["phase"] for trace in traces for step in trace}
            self.assertGreaterEqual(phases, {"playing", "choosing", "locked", "ended"})

    def test_formulas(self):
        cases = [
            ([1, 2, "+"], 3), ([7, 2, "-"], 5), ([3, 4, "*"], 12), ([1, 4, "/"], 0.25),
            ([2, 10, "^"], 1024), ([1, 2, "<"], 1), ([2, 2, "<="], 1), ([2, 3, ">"], 0),
            ([2, 3, ">="], 0), ([2, 2, "=="], 1), ([2, 2, "!="], 0), ([5, "neg"], -5),
            ([0, 7, 8, "?:"], 8), ([1, 7, 8, "?:"], 7), ([16, "sqrt"], 4), ([-3, "abs"], 3),
            ([2.5, "floor"], 2), ([2.5, "ceil"], 3), ([2, 3, "min"], 2), ([2, 3, "max"], 3),
            ([2, 3, "pow"], 8), ([5, 0, 1, "clamp"], 1), ([10, 20, 0.25, "mix"], 12.5),
            ([0, 2, 1, "smoothstep"], 0.5), ([8, "log2"], 3), ([100, "log10"], 2),
            ([1, "log"], 0), ([0, "exp"], 1), ([0, "sin"], 0), ([0, "cos"], 1), ([0, "tan"], 0),
            ([0, "asin"], 0), ([1, "acos"], 0), ([0, "atan"], 0), ([{"v": "x"}, 1, "+"], 42),
            ([1, 0, 0, "/", "^"], 1), ([0, 0, "/", 2, "min"], "NaN"), ([2, 0, 0, "/", "min"], 2),
        ]
        values = self.page.evaluate(
            """async (cases) => {
                const { valueOf } = await import("/formula.js");
                return cases.map(([steps]) => {
                    const value = valueOf(steps, { x: 41 });
                    return Number.isNaN(value) ? "NaN" : value;
                });
            }""", cases)
        self.assertEqual(values, [value for _, value in cases])

    def test_a_saved_state_of_another_story_is_refused(self):
        manifest = json.loads((Path(__file__).parent / "traces/story.json").read_text())
        good = {
            "segment": "hall", "variables": {"courage": 4, "luck": 1}, "phase": "choosing",
            "available": [0], "next": None, "fired": 1,
            "history": [{"segment": "door", "variables": {"courage": 0, "luck": 3}}],
        }
        bad = [
            {**good, "segment": "cellar"}, {**good, "variables": {"courage": 4}},
            {**good, "variables": {"courage": 4, "luck": "1"}}, {**good, "phase": "ended"},
            {**good, "history": [{"segment": "cellar", "variables": good["variables"]}]},
            {**good, "history": None}, {**good, "available": [2]}, {**good, "fired": 3},
            {**good, "phase": "locked"}, {**good, "next": "cellar"}, None, 5,
        ]
        results = self.page.evaluate(
            """async ([manifest, states]) => {
                const { resume } = await import("/runtime.js");
                return states.map((state) => resume(manifest, state));
            }""", [manifest, [good, *bad]])
        self.assertEqual(results[1:], [None] * len(bad))
        self.assertEqual(results[0]["actions"], [{"do": "play", "segment": "hall"}])
        self.assertEqual(results[0]["state"], {
            **good, "phase": "playing", "available": [], "fired": 0})
