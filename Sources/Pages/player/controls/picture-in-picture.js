// The small window of the system that goes on showing a video, by the standard or as in Safari.

const SMALL = "picture-in-picture";

const isStandard = (video) => Boolean(document.pictureInPictureEnabled && video.requestPictureInPicture);

const isInside = (video) => Boolean(document.pictureInPictureElement) || video.webkitPresentationMode === SMALL;

export function canPictureInPicture(video) {
    if (video.disablePictureInPicture) return false;
    return isStandard(video) || Boolean(video.webkitSupportsPresentationMode?.(SMALL));
}

export function leavePictureInPicture(video) {
    if (document.pictureInPictureElement) document.exitPictureInPicture().catch(() => {});
    else if (isInside(video)) video.webkitSetPresentationMode("inline");
}

export function togglePictureInPicture(video) {
    if (isInside(video)) leavePictureInPicture(video);
    // It may be refused, for instance before the first frame; then nothing happens.
    else if (isStandard(video)) video.requestPictureInPicture().catch(() => {});
    else video.webkitSetPresentationMode(SMALL);
}
