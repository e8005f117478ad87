// Everything that the player says.

const seconds = (count) => (count === 1 ? "1 second" : `${count} seconds`);

export const words = {
    choose: (labels, time) => {
        const list = labels.map((label, index) => `${index + 1}, ${label}`).join("; ");
        const limit = time === null ? "" : ` ${seconds(Math.ceil(time))} to choose.`;
        return `Choose: ${list}.${limit}`;
    },
    countdown: (time) => seconds(Math.ceil(time)),
    chosen: (label) => `Chosen: ${label}.`,
    unchosen: "The story goes on by itself.",
    back: "Back at the last choice.",
    restarted: "From the beginning.",
    ended: "The end.",
    loading: "Loading",
    offline: "The next part of the film can't be loaded. Is the network there?",
    noManifest: "The story can't be loaded. Is the network there?",
    damaged: (reason) => `The film can't be played: ${reason}.`,
    unsupported: "This browser can't play the film's picture or sound.",
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
