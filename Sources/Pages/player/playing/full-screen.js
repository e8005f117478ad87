// Full screen, by the standard or as in older Safari. A page that embeds the player may forbid it.

export const canBeFull = () => Boolean(document.fullscreenEnabled ?? document.webkitFullscreenEnabled);

export const isFull = () => Boolean(document.fullscreenElement ?? document.webkitFullscreenElement);

/** @param {() => void} act called whenever full screen begins or ends */
export function onFullChange(act) {
    for (const event of ["fullscreenchange", "webkitfullscreenchange"]) document.addEventListener(event, act);
}

/**
 * Fills the screen with an element, or shows the page again.
 * @param {HTMLElement} element
 * @param {HTMLVideoElement | null} [video] what fills the screen on an iPhone, where only a video can
 */
export function toggleFull(element, video = null) {
    if (!canBeFull()) {
        video?.webkitEnterFullscreen?.();
        return;
    }
    const change = isFull()
        ? (document.exitFullscreen ?? document.webkitExitFullscreen).call(document)
        : (element.requestFullscreen ?? element.webkitRequestFullscreen).call(element);
    // Safari's own gives no promise. If it is refused, nothing happens.
    change?.catch(() => {});
}
