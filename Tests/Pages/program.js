// The program that the pages belong to. TIMEWARP names it; else it is the one that `make build` makes.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's folder. */
export const root = fileURLToPath(new URL("../../", import.meta.url));

export const program = resolve(process.env.TIMEWARP ?? join(root, ".build/release/timewarp"));

/** Bytes of output; 500 walks through a story are about ten million. */
const MOST_OUTPUT = 2 ** 28;

/** Runs the program and returns its output. */
export function timewarp(...options) {
    return execFileSync(program, options, {
        encoding: "utf8", maxBuffer: MOST_OUTPUT, stdio: ["ignore", "pipe", "pipe"],
    });
}

let folder = null, files = 0;

/** A path for a new file or folder, which is removed when the tests of this file have ended. */
export function temporaryPath(name) {
    if (folder === null) {
        folder = mkdtempSync(join(tmpdir(), "page-tests-"));
        process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    }
    files += 1;
    return join(folder, `${files}-${name}`);
}

/** The parts of a curve's evaluation over 10 s of source that the modules read, with the numbers of `timewarp plot`. */
export function fromProgram(...options) {
    const duration = 10, file = temporaryPath("plot.json");
    timewarp("plot", ...options, "--duration", String(duration), "-o", file);
    const { samples } = JSON.parse(readFileSync(file, "utf8"));
    const u = samples.map((sample) => sample.u), scale = samples.map((sample) => sample.scale);
    const output = samples.map(({ integral }) => duration * integral);
    return {
        outputDuration: output.at(-1),
        curve: { over: "source", u, scale, speed: scale.map((each) => 1 / each) },
        map: { output, source: u.map((each) => duration * each) },
    };
}
