"""The sound goes on over joins without a gap, a click or a step."""

import math

from browser import PlayerTest
from fixture import SAMPLE_RATE, TONE

CODED_FRAME = 1024 / SAMPLE_RATE  # seconds of an AAC frame
PERIOD = SAMPLE_RATE // TONE


class Tone:
    """The level and the phase of the tone, one swing at a time."""

    def __init__(self, samples):
        waves = [
            (math.cos(2 * math.pi * n / PERIOD), math.sin(2 * math.pi * n / PERIOD))
            for n in range(PERIOD)]
        self.levels, self.phases = [], []
        for start in range(0, len(samples) - PERIOD, PERIOD):
            swing = samples[start:start + PERIOD]
            c = sum(sample * wave[0] for sample, wave in zip(swing, waves))
            s = sum(sample * wave[1] for sample, wave in zip(swing, waves))
            self.levels.append(2 / PERIOD * math.hypot(c, s))
            self.phases.append(math.atan2(c, s) / (2 * math.pi) * PERIOD)
        usual = sorted(self.levels)[len(self.levels) // 2]
        heard = [i for i, level in enumerate(self.levels) if level > usual / 2]
        self.first, self.last, self.usual = heard[0], heard[-1], usual

    @property
    def seconds(self):
        return (self.last - self.first + 1) * PERIOD / SAMPLE_RATE

    def longest_dip(self, share):
        """Seconds for which the level stays off the usual one by more than a share."""
        longest = run = 0
        for level in self.levels[self.first + 1:self.last]:
            run = run + 1 if abs(level - self.usual) > share * self.usual else 0
            longest = max(longest, run)
        return longest * PERIOD / SAMPLE_RATE

    def widest_step(self):
        """Samples by which the tone is shifted from one swing to the next."""
        phases = self.phases[self.first + 2:self.last - 1]
        return max(
            abs((after - before + PERIOD / 2) % PERIOD - PERIOD / 2)
            for before, after in zip(phases, phases[1:]))


class Sound(PlayerTest):
    def test_a_tone_goes_on_over_every_kind_of_join(self):
        for _ in range(3):
            self.page.evaluate("record.listen()")
            self.begin()
            self.wait("door", "choosing")
            self.page.keyboard.press("o")
            self.wait("hall", "choosing")
            self.wait("hall", "playing")  # once round
            self.wait("hall", "choosing")
            self.page.keyboard.press("2")
            self.wait("garden", "choosing")
            self.page.keyboard.press("1")
            self.wait("tower", "ended")
            tone = Tone(self.sound())
            # Where the machine had no time for its sound, all of it is late, at joins or not.
            if tone.seconds < 9.85:
                break
            print(f"\n  the machine was busy, once more: {tone.seconds:.3f} s", end="")
            self.context.close()
            self.context = self.browser.new_context()
            self.page = self.open_page()
        expected = (45 + 75 + 43 + 43 + 42 + 45) / 30
        print(f"\n  {tone.seconds:.4f} s heard of {expected:.4f}, level off by a tenth for "
              f"{1000 * tone.longest_dip(0.1):.1f} ms at most, widest step "
              f"{tone.widest_step():.2f} samples", end=" ")
        self.assertAlmostEqual(tone.seconds, expected, delta=2 * CODED_FRAME)
        self.assertLess(tone.longest_dip(0.5), CODED_FRAME)
        # A gap or overlap of one sample at a join would be a step of one.
        self.assertLess(tone.widest_step(), 1)
