// A page that has only the plot and the table of keyframes. Tests set its state and read its calls.

import { setCapabilities } from "/studio/app/capabilities.js";
import { createKeyframeTable } from "/studio/keyframes/keyframe-table.js";
import { createPlot } from "/studio/plot/plot.js";
import { EMPTY } from "/studio/plot/plot-view.js";

setCapabilities({ easings: ["Linear", "Smooth", "Hold", "Bézier"].map(
    (title) => ({ title, name: title.toLowerCase().replace("é", "e") })) });

const calls = [];

/** Records a call, and shows the edited state, as the studio does. */
const note = (name) => (value, options) => {
    calls.push({ name, value, final: options?.final ?? null });
    if (name !== "onKeyframes") return;
    harness.state.keyframes = value;
    harness.show();
};

const noteSelection = (other) => (index) => {
    calls.push({ name: "onSelect", value: index, final: null });
    harness[other].select(index);
};

const harness = {
    calls, state: {}, plot: null, table: null,
    /** Resets the page. */
    renew() {
        harness.plot?.destroy();
        getSelection().removeAllRanges();
        calls.length = 0;
        harness.state = { ...EMPTY };
        harness.plot = createPlot(document.getElementById("plot"), {
            onKeyframes: note("onKeyframes"), onSeek: note("onSeek"), onRange: note("onRange"),
            onSelect: noteSelection("table"), onPart: note("onPart"),
            onBeat: (index, beat) => calls.push({ name: "onBeat", value: index, beat, final: null }),
        });
        harness.table = createKeyframeTable(document.getElementById("table"), {
            onKeyframes: note("onKeyframes"), onSelect: noteSelection("plot"),
        });
    },
    /** Shows a state. */
    show(change = {}) {
        Object.assign(harness.state, change);
        harness.plot.show({ ...harness.state });
        const { keyframes, evaluation } = harness.state;
        if (keyframes) {
            const over = evaluation?.curve.over ?? "source";
            const duration = evaluation?.[`${over}Duration`] ?? 10;
            harness.table.show({ keyframes, duration, frameRate: 30, over, evaluation });
        }
    },
};
harness.renew();
window.harness = harness;
