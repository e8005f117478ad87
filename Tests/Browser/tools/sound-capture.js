// Sends every block of sound to the page, with the position of its first sample.

registerProcessor("sound-capture", class extends AudioWorkletProcessor {
    process([input]) {
        this.port.postMessage({ place: currentFrame, samples: input[0]?.slice() });
        return true;
    }
});
