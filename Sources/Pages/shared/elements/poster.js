// The pictures by which clips are known in lists.

import { urls } from "../api.js";
import { icon } from "./icons.js";
import { view } from "./view.js";

/**
 * @typedef {import("../server").Media} Media
 * @typedef {import("./view.js").Child} Child
 */

/** The address of a clip's poster; null as long as there is none. */
export const posterOf = (/** @type {Media | undefined} */ clip) => (
    clip?.video && clip.analysis === "ready" ? urls.poster(clip) : null);

/**
 * The picture of a clip, or an icon.
 * @type {(clip: Media | undefined, ...children: Child[]) => import("./view.js").View}
 */
export const posterView = (clip, ...children) => {
    const src = posterOf(clip);
    return view("span", { class: "poster" },
        src ? view("img", { src, alt: "", draggable: "false", loading: "lazy" }) : icon(clip?.video ? "film" : "note"), ...children);
};
