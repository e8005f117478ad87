// All texts of the player.

const seconds = (count) => (count === 1 ? "1 second" : `${count} seconds`);

export const words = {
    choose: (labels, time) => {
        const list = labels.map((label, index) => `${index + 1}, ${label}`).join("; ");
        const limit = time === null ? "" : ` ${seconds(Math.ceil(time))} to choose.`;
        return `Choose: ${list}.${limit}`;
    },
    countdown: (time) => seconds(Math.ceil(time)),
    chosen: (label) => `Chosen: ${label}.`,
    unchosen: "No choice was made. The story continues.",
    back: "Back at the last choice.",
    restarted: "From the beginning.",
    ended: "The end.",
    loading: "Loading",
    offline: "The next part of the video can't be loaded. Check your network connection.",
    noManifest: "The story can't be loaded. Check your network connection.",
    damaged: (reason) => `The video can't be played: ${reason}.`,
    unsupported: "This browser can't play this video's format.",
    play: "Play",
    pause: "Pause",
    resume: "Resume",
    startAgain: "Start again",
    retry: "Retry",
    backToChoice: "Back to the last choice",
    restart: "Restart",
    mute: "Mute",
    unmute: "Sound on",
    captionsOn: (label) => `Captions: ${label}`,
    captionsOff: "Captions: off",
    fullScreen: "Full screen",
    leaveFullScreen: "Leave full screen",
};
