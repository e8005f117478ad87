// The manifest of the built story, from the page itself or from story.json beside it.

import { textOf } from "./segment-store.js";

/** @typedef {import("../types.js").Manifest} Manifest */

/**
 * The files of a segment as it is played after another one, with their first frames in the segment and their numbers of
 * frames: one file, or two where it dissolves.
 * @param {Manifest} manifest
 * @param {string} name
 * @param {string | null} before the name of the segment that was played to its end before; null for none
 * @returns {import("../types.js").Part[]}
 */
export function partsOf(manifest, name, before) {
    const { file, start, frames, dissolve } = manifest.segments[name];
    const mixed = before === null ? null : dissolve?.from[before];
    if (!dissolve || !mixed) return [{ file, start, first: 0, frames }];
    return [
        { ...mixed, first: 0, frames: dissolve.frames },
        { ...dissolve.rest, first: dissolve.frames, frames: frames - dissolve.frames },
    ];
}

/** The story's manifest isn't one that this player can read. */
export class ManifestError extends Error {}

/** @returns {Promise<Manifest>} */
export async function loadManifest() {
    const text = document.getElementById("story")?.textContent ?? await textOf("story.json");
    let manifest;
    try {
        manifest = JSON.parse(text);
    } catch (error) {
        throw new ManifestError(/** @type {Error} */ (error).message);
    }
    if (manifest?.timewarp !== "story-manifest/1") {
        throw new ManifestError(`story.json has the format ${manifest?.timewarp} instead of story-manifest/1`);
    }
    return manifest;
}
