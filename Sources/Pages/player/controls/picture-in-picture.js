// The small window of the system that goes on showing a video, by the standard or as in Safari.

const SMALL = "picture-in-picture";

/** @type {(video: HTMLVideoElement) => boolean} */
const isStandard = (video) => Boolean(document.pictureInPictureEnabled && video.requestPictureInPicture);

/** @type {(video: HTMLVideoElement) => boolean} */
const isInside = (video) => Boolean(document.pictureInPictureElement) || video.webkitPresentationMode === SMALL;

/** @param {HTMLVideoElement} video */
export function canPictureInPicture(video) {
    if (video.disablePictureInPicture) return false;
    return isStandard(video) || Boolean(video.webkitSupportsPresentationMode?.(SMALL));
}

/** @param {HTMLVideoElement} video */
export function leavePictureInPicture(video) {
    if (document.pictureInPictureElement) document.exitPictureInPicture().catch(() => {});
    else if (isInside(video)) video.webkitSetPresentationMode("inline");
}

/** @param {HTMLVideoElement} video */
export function togglePictureInPicture(video) {
    if (isInside(video)) leavePictureInPicture(video);
    // It may be refused, for instance before the first frame; then nothing happens.
    else if (isStandard(video)) video.requestPictureInPicture().catch(() => {});
    else video.webkitSetPresentationMode(SMALL);
}
