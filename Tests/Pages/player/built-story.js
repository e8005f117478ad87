// The story that the browser's tests walk through.

import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { program, root, temporaryPath } from "../program.js";

/**
 * The folder in which the story is built as film/: the one that TIMEWARP_TEST_STORY names, where whichever test needs it
 * first builds it, or one of its own. Building takes ffmpeg and some seconds.
 */
export function builtStory() {
    const folder = process.env.TIMEWARP_TEST_STORY ?? temporaryPath("story");
    execFileSync("python3", ["-B", "-c", "import story; story.built()"], {
        cwd: join(root, "Tests/Browser"), stdio: ["ignore", "ignore", "inherit"],
        env: { ...process.env, TIMEWARP: program, TIMEWARP_TEST_STORY: folder },
    });
    return folder;
}
