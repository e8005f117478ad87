// Reports every frame that is presented, as soon as the browser reports it.

/**
 * @param {HTMLVideoElement} video
 * @param {(mediaTime: number) => void} onFrame
 */
export function watchFrames(video, onFrame) {
    if (video.requestVideoFrameCallback) {
        const next = (_, { mediaTime }) => {
            video.requestVideoFrameCallback(next);
            onFrame(mediaTime);
        };
        video.requestVideoFrameCallback(next);
    } else {
        watchTime(video, onFrame);
    }
    // A hidden page presents no frames, but the story goes on.
    video.addEventListener("timeupdate", () => {
        if (document.hidden && !video.seeking) onFrame(video.currentTime);
    });
}

/** For browsers that don't report frames: reports the current time whenever the page is drawn. */
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
