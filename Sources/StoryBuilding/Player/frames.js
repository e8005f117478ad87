// Tells of every picture that is presented, as soon as the browser says so.

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
    // Nothing is presented on a page that isn't seen, but the story goes on.
    video.addEventListener("timeupdate", () => {
        if (document.hidden && !video.seeking) onPicture(video.currentTime);
    });
}

/** Without word from the browser: whatever time it is whenever the page is drawn. */
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
