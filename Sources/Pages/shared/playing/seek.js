// Seeks a video element, also in engines that fail at its end.

/** Seconds before its end to which a video is sought at most: WebKit never ends a seek to the end itself. */
const BEFORE_END = 1e-4;

/**
 * @param {HTMLVideoElement} video
 * @param {number} seconds the place, which may lie outside of the video
 */
export function seekVideo(video, seconds) {
    // WebKit never ends a seek of a video that has ended, unless the video was told to play before.
    if (video.ended) {
        video.play().catch(() => {});
        video.pause();
    }
    video.currentTime = Math.max(0, Math.min(seconds, (video.duration || Infinity) - BEFORE_END));
}
