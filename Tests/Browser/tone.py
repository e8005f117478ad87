"""Judges the tone that every clip of the tests sounds (see fixture.py) by what a page has heard of it."""

import math
from itertools import accumulate, groupby

from fixture import SAMPLE_RATE, TONE

CODED_FRAME = 1024 / SAMPLE_RATE  # seconds of an AAC frame
PERIOD = SAMPLE_RATE // TONE
WAVES = [(math.cos(2 * math.pi * n / PERIOD), math.sin(2 * math.pi * n / PERIOD)) for n in range(PERIOD)]


class Tone:
    """The level and the phase of the tone, one swing at a time, where it is heard.

    On a busy machine the browser may play no sound for a while, and then continue with the next sample of
    the film. So the tone is heard in `runs` of swings with silence in between, and the runs together make
    up the film. Blocks of sound may also never reach the page. Then some of the film is `lost`, but the
    rest stays at its time.
    """

    # Seconds within which a silence is at a join, and by which the film's sound may be longer or shorter.
    nearly = 2 * CODED_FRAME

    def __init__(self, blocks):
        captured = [self._swings(samples) for _, samples in blocks]
        levels = sorted(level for swings in captured for level, _ in swings if level > 0.01)
        self.usual = levels[len(levels) // 2]
        self.runs = [run for swings in captured for run in self._heard(swings)]
        self.lost = sum(
            after - (place + len(samples)) for (place, samples), (after, _) in zip(blocks, blocks[1:])
        ) / SAMPLE_RATE

    def _swings(self, samples):
        return [self._swing(samples[start:start + PERIOD])
                for start in range(0, len(samples) - PERIOD, PERIOD)]

    def _heard(self, swings):
        """Runs of swings without silence between them."""
        for is_heard, run in groupby(swings, lambda swing: swing[0] > self.usual / 2):
            if is_heard:
                yield list(run)

    @staticmethod
    def _swing(swing):
        c = sum(sample * wave[0] for sample, wave in zip(swing, WAVES))
        s = sum(sample * wave[1] for sample, wave in zip(swing, WAVES))
        return 2 / PERIOD * math.hypot(c, s), math.atan2(c, s) / (2 * math.pi) * PERIOD

    @property
    def seconds(self):
        """Seconds of the film that were heard."""
        return sum(map(len, self.runs)) * PERIOD / SAMPLE_RATE

    @property
    def unheard(self):
        """Seconds that may count as silent beside each silence: up to two swings."""
        return 2 * len(self.gaps) * PERIOD / SAMPLE_RATE

    @property
    def inexact(self):
        """By how many seconds `seconds` may be wrong."""
        return self.nearly + self.unheard

    @property
    def gaps(self):
        """The instants of the film, in seconds, at which silence began."""
        lengths = accumulate(len(run) for run in self.runs)
        return [length * PERIOD / SAMPLE_RATE for length in lengths][:-1]

    def longest_dip(self, share):
        """The longest time, in seconds, for which the level is off by more than a share, except in silence."""
        longest = run = 0
        for swings in self.runs:
            for level, _ in swings[1:-1]:
                run = run + 1 if abs(level - self.usual) > share * self.usual else 0
                longest = max(longest, run)
        return longest * PERIOD / SAMPLE_RATE

    def widest_step(self):
        """The largest shift of the tone from one swing to the next, in samples, except across silence."""
        return max(
            abs((after - before + PERIOD / 2) % PERIOD - PERIOD / 2)
            for swings in self.runs
            for (_, before), (_, after) in zip(swings[2:-2], swings[3:-1]))
