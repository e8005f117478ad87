// The manifest of the built story, from the page itself or from story.json beside it.

import { textOf } from "./segment-store.js";

export async function loadManifest() {
    const inline = document.getElementById("story");
    const manifest = JSON.parse(inline ? inline.textContent : await textOf("story.json"));
    if (manifest.timewarp !== "story-manifest/1") {
        throw new Error(`story.json has the format ${manifest.timewarp} instead of story-manifest/1`);
    }
    return manifest;
}
