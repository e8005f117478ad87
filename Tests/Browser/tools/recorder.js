// Records what a viewer sees and hears: every presented frame, by the number in its barcode,
// every event of the player, and all of the sound. It runs in the page, before the player.

(() => {
    const columns = 22, whitening = 0x5ac3961b4en;
    /** Milliseconds. */
    const BEAT = 20;
    /** Seconds between the end of what is buffered and that of the film: its last sample of sound or picture. */
    const AFTER_THE_LAST = 0.04;
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("2d", { willReadFrequently: true });

    function checksum(number) {
        let remainder = 0xffff;
        for (let bit = 23; bit >= 0; bit -= 1) {
            const turns = (remainder >> 15 === 1) !== ((number >> bit & 1) === 1);
            remainder = remainder << 1 & 0xffff;
            if (turns) remainder ^= 0x1021;
        }
        return remainder;
    }

    /** The number in the barcode in a frame's lowest tenth, or null. Only that tenth is drawn and read. */
    function numberIn(frame) {
        const { displayWidth: width } = frame, top = Math.floor(0.9 * frame.displayHeight);
        const height = frame.displayHeight - top;
        if (canvas.width !== width || canvas.height !== height) {
            Object.assign(canvas, { width, height });
        }
        context.drawImage(frame, 0, -top);
        const pixels = context.getImageData(0, 0, width, height).data;
        const mean = (x0, x1, y0, y1) => {
            let sum = 0, count = 0;
            for (let y = Math.floor(y0); y < y1; y += 1) {
                for (let x = Math.floor(x0); x < x1; x += 1) {
                    sum += pixels[4 * (y * width + x) + 1];
                    count += 1;
                }
            }
            return sum / count;
        };
        const cell = (row, column) => mean(
            (column + 0.3) * width / columns, (column + 0.7) * width / columns,
            (row + 0.3) * height / 2, (row + 0.7) * height / 2);
        const white = (cell(0, 0) + cell(1, 21)) / 2, black = (cell(0, 21) + cell(1, 0)) / 2;
        if (white - black < 32) return null;
        let word = 0n;
        for (let row = 0; row < 2; row += 1) {
            for (let column = 1; column < columns - 1; column += 1) {
                const share = (cell(row, column) - black) / (white - black);
                if (share > 0.4 && share < 0.6) return null;
                word = word << 1n | (share > 0.5 ? 1n : 0n);
            }
        }
        word ^= whitening;
        const number = Number(word & 0xffffffn);
        return BigInt(checksum(number)) === word >> 24n ? number : null;
    }

    const record = {
        frames: [], events: [], happened: [], moves: [], sound: [], late: [],
        /** The video that is on the screen. */
        get video() { return document.querySelector("video:not(.standby)"); },
    };
    globalThis.record = record;

    /**
     * The frame that is on the screen, and its time, taken together: when a callback runs, the screen may
     * already show another frame than the one that the callback reports. Null if the browser has no copy of it: not yet,
     * or, in WebKitGTK, for a moment after the video has begun to play.
     */
    function frame(video) {
        let frame;
        try {
            frame = new VideoFrame(video);
        } catch {
            return null;
        }
        try {
            return { number: numberIn(frame), mediaTime: frame.timestamp / 1e6 };
        } finally {
            frame.close();
        }
    }

    function watch(video) {
        // A test may have hidden this function from the player and kept it here for the recorder.
        const onFrame = video.requestVideoFrameCallback ?? video.callbackForTests;
        const next = (now, data) => {
            onFrame.call(video, next);
            const seen = video === record.video && frame(video);
            if (!seen) return;
            record.frames.push({
                ...seen, now: performance.now(), told: data.mediaTime,
                shown: data.expectedDisplayTime, clock: video.currentTime, element: video.id,
            });
            move();
        };
        onFrame.call(video, next);
    }

    /** Records whatever stops or moves the film, how many seconds of it were buffered then, and whether that was all. */
    function watchForStops(video) {
        for (const type of ["waiting", "stalled", "seeking", "seeked", "pause", "ratechange", "error"]) {
            video.addEventListener(type, () => {
                if (video !== record.video) return;
                const at = video.currentTime, { buffered } = video;
                let ahead = 0;
                for (let range = 0; range < buffered.length; range += 1) {
                    const [start, end] = [buffered.start(range), buffered.end(range)];
                    if (start <= at && at < end) ahead = end - at;
                }
                const isAll = at + ahead > video.duration - AFTER_THE_LAST;
                record.happened.push({ type, at, ahead, isAll, now: performance.now() });
            });
        }
    }

    // A timer that has nothing to do, and how late it was: as late is the player on a machine without time.
    let due = performance.now() + BEAT;
    setInterval(() => {
        const now = performance.now();
        if (now - due > BEAT) record.late.push({ from: due, now });
        due = now + BEAT;
    }, BEAT);

    // Moves are what the simulated viewer in the page does; the test lists them. The next move is made as soon
    // as the story is in the move's segment and in one of its phases, and one of its frames is on the screen. If the
    // film has stopped at a segment's end, its last frame counts as shown even if no callback reported it. Such a
    // viewer is in time on a busy machine too, where a key from outside may come a second late.

    const player = () => document.getElementById("player").dataset;

    function isTime({ segment, phases, frames }, phase) {
        const { number } = record.frames.at(-1) ?? {};
        return player().segment === segment && phases.includes(phase)
            && (!frames || phase === "waiting" || (number >= frames[0] && number < frames[1]));
    }

    /** How fast the film plays where no move is due, if that isn't left to the page, and how fast where one is. */
    let speed = null;
    const SLOW = 0.5;

    /**
     * Has a fast film slow in the segment of the next move until that is made: what is offered there may be
     * offered for a second, and a page without time would see the offer and its end in one turn.
     */
    function pace() {
        if (speed === null) return;
        const [next] = record.moves;
        const rate = next && next.key !== null && next.segment === player().segment ? SLOW : speed;
        for (const video of document.querySelectorAll("video")) {
            if (video.defaultPlaybackRate !== rate) video.defaultPlaybackRate = video.playbackRate = rate;
        }
    }

    /** Skips moves without a key: the test only wants to know that the story has been there. */
    function pass(phase) {
        while (record.moves[0]?.key === null && isTime(record.moves[0], phase)) record.moves.shift();
    }

    function move() {
        pass(player().phase);
        if (record.moves[0] && isTime(record.moves[0], player().phase)) setTimeout(act);
    }

    /** Runs after the current callback, as a key event would. By then it may be too late for the move. */
    function act() {
        const [next] = record.moves;
        if (!next || next.key === null || !isTime(next, player().phase)) return;
        record.moves.shift();
        pace();
        press(next.key);
    }

    function press(key) {
        const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
        (document.activeElement ?? document.body).dispatchEvent(event);
    }

    record.listen = async () => {
        const audio = new AudioContext({ sampleRate: 48000 });
        await audio.audioWorklet.addModule("/-test/sound-capture.js");
        const capture = new AudioWorkletNode(audio, "sound-capture");
        capture.port.onmessage = ({ data }) => record.sound.push(data);
        audio.createMediaElementSource(document.getElementById("video")).connect(capture);
        capture.connect(audio.destination);
        await audio.resume();
    };

    /** Forgets everything recorded before, and has the viewer in the page make these moves, in a film of this speed. */
    record.begin = (moves, rate) => {
        for (const each of ["frames", "events", "happened", "late"]) record[each].length = 0;
        record.moves = moves;
        speed = rate === 1 ? null : rate;
        pace();
    };

    /** Everything but the sound. */
    record.all = () => {
        const { frames, events, happened, moves, late } = record;
        const { totalVideoFrames: decoded } = record.video.getVideoPlaybackQuality();
        return { frames, events, happened, moves, decoded, late };
    };

    /** The sound in runs of blocks without a hole: the first sample's position, and floats as base64. */
    record.takeSound = () => {
        const runs = [];
        for (const block of record.sound) {
            const run = runs.at(-1);
            if (run && run.place + 128 * run.blocks.length === block.place) run.blocks.push(block.samples);
            else runs.push({ place: block.place, blocks: [block.samples] });
        }
        return runs.map(({ place, blocks }) => [place, coded(blocks)]);
    };

    function coded(blocks) {
        const samples = new Float32Array(128 * blocks.length);
        blocks.forEach((block, index) => block && samples.set(block, 128 * index));
        const bytes = new Uint8Array(samples.buffer);
        let text = "";
        for (let place = 0; place < bytes.length; place += 8192) {
            text += String.fromCharCode(...bytes.subarray(place, place + 8192));
        }
        return btoa(text);
    }

    document.addEventListener("timewarp:event", ({ detail }) => {
        record.events.push({ ...detail, now: performance.now() });
    });
    document.addEventListener("DOMContentLoaded", () => {
        for (const video of document.querySelectorAll("video")) {
            watch(video);
            watchForStops(video);
        }
        new MutationObserver((changes) => {
            // After a stall the story may go through more than one phase at once.
            const phases = changes.filter(({ attributeName }) => attributeName === "data-phase");
            for (const { oldValue } of phases.slice(1)) pass(oldValue);
            pace();
            move();
        }).observe(document.getElementById("player"), {
            attributeFilter: ["data-segment", "data-phase"], attributeOldValue: true,
        });
        const live = document.getElementById("live");
        record.captions = [];
        const captions = document.getElementById("captions");
        new MutationObserver(() => record.captions.push({
            text: captions.innerText, frames: record.frames.length,
            italic: captions.querySelector("i")?.innerText,
        })).observe(captions, { childList: true });
        record.said = [];
        // A screen reader never sees what was replaced within a turn.
        new MutationObserver((changes) => {
            for (const { addedNodes: [line] } of changes) {
                if (line?.isConnected) record.said.push(line.textContent);
            }
        }).observe(live, { childList: true });
    });
})();
