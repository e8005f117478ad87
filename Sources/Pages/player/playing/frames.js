// Reports every frame that is presented, as soon as the browser reports it.

/** Milliseconds after which a playing video has surely presented another frame. */
const UNREPORTED = 500;

/**
 * @param {import("./screen.js").Screen} screen
 * @param {(mediaTime: number) => void} onFrame
 */
export function watchFrames(screen, onFrame) {
    for (const video of screen.videos) {
        watchVideo(video, (mediaTime) => video === screen.active && onFrame(mediaTime));
    }
}

/** @type {(video: HTMLVideoElement, onFrame: (mediaTime: number) => void) => void} */
function watchVideo(video, onFrame) {
    let reported = -Infinity;
    if (video.requestVideoFrameCallback) {
        /** @type {VideoFrameRequestCallback} */
        const next = (_, { mediaTime }) => {
            video.requestVideoFrameCallback(next);
            reported = performance.now();
            onFrame(mediaTime);
        };
        video.requestVideoFrameCallback(next);
    } else {
        watchTime(video, onFrame);
    }
    // A hidden page presents no frames, and Firefox may stop to report them, but the story goes on.
    video.addEventListener("timeupdate", () => {
        const isUnreported = document.hidden || performance.now() - reported > UNREPORTED;
        if (isUnreported && !video.seeking && !video.paused) onFrame(video.currentTime);
    });
}

/**
 * For browsers that don't report frames: reports the current time whenever the page is drawn.
 * @type {(video: HTMLVideoElement, onFrame: (mediaTime: number) => void) => void}
 */
function watchTime(video, onFrame) {
    let last = -1;
    const next = () => {
        requestAnimationFrame(next);
        if (video.currentTime === last || video.seeking || video.readyState < 2) return;
        last = video.currentTime;
        onFrame(last);
    };
    requestAnimationFrame(next);
}
