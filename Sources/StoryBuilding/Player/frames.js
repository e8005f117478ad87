// Reports every frame that is presented, as soon as the browser reports it.

/**
 * @param {HTMLVideoElement} video
 * @param {(mediaTime: number) => void} onPicture
 */
export function watchFrames(video, onPicture) {
    if (video.requestVideoFrameCallback) {
        const next = (_, { mediaTime }) => {
            video.requestVideoFrameCallback(next);
            onPicture(mediaTime);
        };
        video.requestVideoFrameCallback(next);
    } else {
        watchTime(video, onPicture);
    }
    // A hidden page presents no frames, but the story goes on.
    video.addEventListener("timeupdate", () => {
        if (document.hidden && !video.seeking) onPicture(video.currentTime);
    });
}

/** For browsers that don't report frames: reports the current time whenever the page is drawn. */
function watchTime(video, onPicture) {
    let last = -1;
    const next = () => {
        requestAnimationFrame(next);
        if (video.currentTime === last || video.seeking || video.readyState < 2) return;
        last = video.currentTime;
        onPicture(last);
    };
    requestAnimationFrame(next);
}
