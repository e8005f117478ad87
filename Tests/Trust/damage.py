"""Damages clips of many formats in many ways and counts what timewarp makes of them.

    python3 damage.py PROGRAM [--every N] [--format NAME] [--keep FOLDER]

Prints a table as Markdown. The exit code is 1 if there was a fault: a crash, a hang, an exit code that
blames something other than the input, a file left behind, or output that can't be decoded.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import shutil
import sys
import tempfile
import time

import damage_kinds
import damage_runs
import damage_seeds

SOUND_ENDINGS = {"wav", "flac", "m4a", "ogg", "mp3", "aac", "ac3"}


def has_pictures(name):
    """Whether a clip with this name was made with video."""
    return name.rsplit(".", 1)[1] not in SOUND_ENDINGS


def plan_of_damage(name, data, runs_each):
    """All damaged variants of a clip, each with the commands to run on it."""
    commands = list(damage_runs.COMMANDS)
    for number, (variant, content) in enumerate(damage_kinds.variants(name, data)):
        # Steps that share no divisor with the number of commands, so that every command meets every kind of damage.
        picked = [commands[(number * 7 + turn * 5) % len(commands)] for turn in range(runs_each)]
        yield variant, content, picked


def run_variant(bench, name, variant, content, commands):
    """The outcomes of some commands on a damaged variant."""
    stem, ending = name.rsplit(".", 1)
    clip = bench.folder / f"{stem}-{variant}.{ending}"
    clip.write_bytes(content)
    outcomes = [bench.run(command, clip, clip.name, has_pictures(name)) for command in commands]
    if not any(outcome.faults for outcome in outcomes):
        clip.unlink()
    return name, outcomes


def run_strange(bench, name, clip, commands):
    """The outcomes of some commands on a strange clip."""
    return "strange: " + name, [
        bench.run(command, clip, clip.name, has_pictures(name)) for command in commands]


def jobs(bench, options):
    """All runs, as functions without arguments."""
    for name, path in damage_seeds.make_seeds(bench.folder / "seeds").items():
        if options.format and options.format not in name:
            continue
        plan = list(plan_of_damage(name, path.read_bytes(), options.runs))
        for variant, content, commands in plan[::options.every]:
            yield lambda n=name, v=variant, c=content, w=commands: run_variant(bench, n, v, c, w)
    if options.every > 1 and not options.format:
        return
    for name, path in damage_seeds.make_strange(bench.folder / "strange").items():
        if options.format and options.format not in "strange: " + name:
            continue
        yield lambda n=name, p=path: run_strange(bench, n, p, list(damage_runs.COMMANDS))


def report(results):
    """Prints every fault as soon as it is found, and the table at the end; returns the number of faults."""
    counts = collections.defaultdict(collections.Counter)
    variants = collections.Counter()
    faults, slowest, largest = 0, 0, 0
    for name, outcomes in results:
        row = "strange" if name.startswith("strange") else name
        variants[row] += 1
        for outcome in outcomes:
            counts[row][outcome.kind] += 1
            slowest, largest = max(slowest, outcome.seconds), max(largest, outcome.peak_bytes)
            if outcome.faults:
                faults += 1
                said = outcome.stderr.strip().replace("\n", " / ")[:400]
                print(f"FAULT {outcome.command} {outcome.clip}: {'; '.join(outcome.faults)} "
                      f"[{outcome.exit_code}] {said}", file=sys.stderr, flush=True)
    kinds = sorted({kind for row in counts.values() for kind in row})
    print("| format | variants | runs | " + " | ".join(kinds) + " |")
    print("| --- " + "| ---: " * (2 + len(kinds)) + "|")
    rows = [(row, variants[row], counts[row]) for row in sorted(counts)]
    rows.append(("all", sum(variants.values()), sum(counts.values(), collections.Counter())))
    for row, made, count in rows:
        cells = " | ".join(str(count[kind] or "") for kind in kinds)
        print(f"| {row} | {made} | {sum(count.values())} | {cells} |")
    print(f"\nSlowest run {slowest:.1f} s of CPU, largest {largest / 1e6:.0f} MB.")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", help="the timewarp to try")
    parser.add_argument("--every", type=int, default=1, help="take one variant in this many")
    parser.add_argument("--runs", type=int, default=2, help="commands tried on each variant")
    parser.add_argument("--format", help="only clips whose name has this in it")
    parser.add_argument("--keep", help="a folder to work in, kept with the clips that show faults")
    options = parser.parse_args()
    folder = pathlib.Path(options.keep or tempfile.mkdtemp(prefix="timewarp-damage-"))
    started = time.monotonic()
    try:
        bench = damage_runs.Bench(os.path.abspath(options.program), folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            waiting = [pool.submit(job) for job in jobs(bench, options)]
            faults = report(job.result() for job in waiting)
        print(f"{faults} faults in {time.monotonic() - started:.0f} s.")
    finally:
        if not options.keep:
            shutil.rmtree(folder)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
