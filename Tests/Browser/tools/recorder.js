// Writes down what a viewer sees and hears: every picture that is presented, by the number in its
// barcode, every event of the player, and all of the sound. Runs in the page, before the player.

(() => {
    const columns = 22, whitening = 0x5ac3961b4en;
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

    /** The number in the picture that the video shows, or null; and how bright its middle is. */
    function look(video) {
        const { videoWidth: width, videoHeight: height } = video;
        if (canvas.width !== width || canvas.height !== height) {
            Object.assign(canvas, { width, height });
        }
        context.drawImage(video, 0, 0);
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
            (18 + row + 0.3) * height / 20, (18 + row + 0.7) * height / 20);
        const white = (cell(0, 0) + cell(1, 21)) / 2, black = (cell(0, 21) + cell(1, 0)) / 2;
        const level = mean(width / 4, width / 2, height / 4, height / 2);
        if (white - black < 32) return { number: null, level };
        let word = 0n;
        for (let row = 0; row < 2; row += 1) {
            for (let column = 1; column < columns - 1; column += 1) {
                const share = (cell(row, column) - black) / (white - black);
                if (share > 0.4 && share < 0.6) return { number: null, level };
                word = word << 1n | (share > 0.5 ? 1n : 0n);
            }
        }
        word ^= whitening;
        const number = Number(word & 0xffffffn);
        return { number: BigInt(checksum(number)) === word >> 24n ? number : null, level };
    }

    const record = { pictures: [], events: [], sound: [], states: [] };
    globalThis.record = record;

    function watch(video) {
        // A test may have taken it away from the player, and put it aside for this.
        const onPicture = video.requestVideoFrameCallback ?? video.callbackForTests;
        const next = (now, data) => {
            onPicture.call(video, next);
            const cover = document.getElementById("cover");
            record.pictures.push({
                ...look(video), now: performance.now(), mediaTime: data.mediaTime,
                shown: data.expectedDisplayTime, count: data.presentedFrames,
                isCovered: !cover.hidden,
            });
        };
        onPicture.call(video, next);
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

    /** All sound as base64 of 32-bit floats, with silence where a block is missing. */
    record.takeSound = () => {
        const blocks = record.sound;
        if (blocks.length === 0) return "";
        const first = blocks[0].place;
        const samples = new Float32Array(blocks.at(-1).place - first + 128);
        for (const block of blocks) {
            if (block.samples) samples.set(block.samples, block.place - first);
        }
        const bytes = new Uint8Array(samples.buffer);
        let text = "";
        for (let place = 0; place < bytes.length; place += 8192) {
            text += String.fromCharCode(...bytes.subarray(place, place + 8192));
        }
        return btoa(text);
    };

    document.addEventListener("timewarp:event", ({ detail }) => {
        record.events.push({ ...detail, now: performance.now() });
    });
    document.addEventListener("DOMContentLoaded", () => {
        watch(document.getElementById("video"));
        const live = document.getElementById("live");
        record.captions = [];
        const captions = document.getElementById("captions");
        new MutationObserver(() => record.captions.push({
            text: captions.innerText, mediaTime: record.pictures.at(-1)?.mediaTime,
        })).observe(captions, { childList: true });
        record.said = [];
        new MutationObserver(() => record.said.push(live.textContent))
            .observe(live, { childList: true });
    });
})();
