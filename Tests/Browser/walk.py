"""Judges a recorded walk through segments by rules that hold however busy the machine is.

A busy machine shows fewer frames, and shows them later. But each frame that is shown has a known place:
the film's time is counted in frames, and the segments follow each other on it. So a frame's time tells
which frame of which segment it has to be, and where the neighbouring segments begin. The number of
decoded frames tells whether every frame was there, seen or not. And the video element reports every
event by which a player can stop a film, with the number of seconds that were buffered then.
"""

from statistics import median

from fixture import FRAME_RATE
from story import SEGMENTS

FRAME = 1 / FRAME_RATE
STOPS = ("waiting", "stalled", "seeking", "pause", "ratechange", "error")
# Browsers count time in microseconds, and round each frame's duration to them as well.
ROUNDING = 1e-5
# The smallest share of a pass's frames that must be seen: with fewer, a misplaced frame might be missed.
# With four times as much work as the processors could do, a third was seen.
SHARE = 1 / 8
# Seconds of film: a player that waits although this much is buffered waits for a decoder without a processor.
ENOUGH = 0.2
# Frames that may be decoded twice: on a busy machine there were four. Decoders had queued them before they
# were told to begin at the film's first frame.
THROWN_AWAY = 12
# The number of frames on either side of a join whose clocks are compared.
AROUND = 8


class Pass:
    """One pass through a segment: where it begins, counted in frames of the film, and what was seen."""

    def __init__(self, name, start):
        self.name, self.start, self.presented = name, start, []
        self.frames = SEGMENTS[name].end - SEGMENTS[name].first

    @property
    def end(self):
        return self.start + self.frames

    @property
    def count(self):
        return len({frame["number"] for frame in self.presented})


def lag(presented):
    """The offset between the film's clock and the machine's clock, in seconds."""
    return median(each["shown"] / 1000 - each["told"] for each in presented)


def segment_of(number):
    """The segment that contains a frame of the clip."""
    return next((name for name, each in SEGMENTS.items() if each.first <= number < each.end), None)


class Walk:
    """The passes that were seen, and in `wrong` everything that mustn't happen on any machine.

    waits    segments at whose end the film stops, because it waits for a choice or is over
    begun    segments that are begun by going back or restarting; the segment before may be left half-way
    changes  how often the viewer chose when another segment had been appended already. Only then may the
             film be moved, and only then may frames of the wrongly appended segment be seen first
    is_whole whether the last segment was played to its end
    """

    def __init__(self, record, waits=(), begun=(), changes=0, is_whole=True):
        self.waits, self.begun, self.changes, self.is_whole = waits, begun, changes, is_whole
        self.happened, self.decoded = record["happened"], record["decoded"]
        self.wrong, self.passes, self.withdrawn, self.busy, self.shifts = [], [], [], [], []
        for frame in record["frames"]:
            self._add(frame)
        if not self.passes:
            self.wrong.append("no frame was seen")
            return
        self._judge()

    def _judge(self):
        self._sort_out_withdrawn()
        stops = self._unexpected_stops()
        self._judge_joins()
        self._judge_clock()
        self._judge_moves([each for each in stops if each["type"] == "seeking"])
        self.wrong += [(each["type"], each["at"]) for each in stops if each["type"] != "seeking"]
        if self.is_whole and not self.begun and not self.changes:
            expected = sum(each.frames for each in self.passes)
            if not expected <= self.decoded <= expected + THROWN_AWAY:
                self.wrong.append(f"{self.decoded} frames decoded of {expected}")

    @property
    def names(self):
        return [each.name for each in self.passes]

    def _add(self, frame):
        number, tick = frame["number"], round(frame["mediaTime"] * FRAME_RATE)
        name = None if number is None else segment_of(number)
        if name is None or abs(frame["mediaTime"] - tick * FRAME) > ROUNDING:
            self.wrong.append(("not a frame in its place", number, frame["mediaTime"]))
            return
        start = tick - (number - SEGMENTS[name].first)
        last = self.passes[-1] if self.passes else None
        if last is None or self._begins(name, start, number, last):
            self.passes.append(Pass(name, start))
        elif number < last.presented[-1]["number"]:
            self.wrong.append(("back", last.presented[-1]["number"], number))
        self.passes[-1].presented.append(frame)

    def _begins(self, name, start, number, last):
        return (name, start) != (last.name, last.start)

    def _sort_out_withdrawn(self):
        """Removes beginnings of a loop that were shown and then replaced by another segment."""
        kept = []
        for each in self.passes:
            last = kept[-1] if kept else None
            is_loop = len(kept) > 1 and last.name == kept[-2].name and last.start == kept[-2].end
            if self.changes and is_loop and last.start == each.start:
                moved = next((at["now"] for at in self.happened if at["type"] == "seeked"
                              and at["now"] > last.presented[0]["now"]), 0)
                if last.presented[-1]["now"] > moved:
                    self.wrong.append(("shown after it was withdrawn", last.presented[-1]["number"]))
                self.withdrawn.append(kept.pop())
            kept.append(each)
        self.passes = kept

    def _judge_joins(self):
        for place, (last, each) in enumerate(zip(self.passes, self.passes[1:]), 1):
            is_begun = each.name in self.begun and each.start > last.end
            if each.start != last.end and not is_begun:
                self.wrong.append((f"{last.name} ends at {last.end}, {each.name} begins at {each.start}"))
            if not is_begun and last.name not in self.waits:
                self._compare_clocks(last, each)
        is_cut = self.begun or self.changes
        for place, each in enumerate(self.passes):
            is_last = place == len(self.passes) - 1
            if not is_cut and (self.is_whole or not is_last) and each.count < SHARE * each.frames:
                self.wrong.append(f"{each.count} of {each.frames} frames of {each.name} seen")

    def _compare_clocks(self, last, each):
        before, after = last.presented[-AROUND:], each.presented[:AROUND]
        start, end = before[0]["now"], after[-1]["now"]
        if not any(start <= move["now"] <= end for move in self._moves()):
            self.shifts.append(lag(after) - lag(before))

    @property
    def _had_time(self):
        """Whether the machine had time: nearly all frames were seen, and no decoder waited for a processor."""
        return not self.busy and all(
            each.count > 0.9 * (each.presented[-1]["number"] - each.presented[0]["number"] + 1)
            for each in self.passes)

    def _judge_clock(self):
        """
        A badly joined film stops its clock at its joins. A busy machine stops the clock anywhere. If the machine
        was busy, only the events of the video element are judged: a player can't stop a film without them.
        """
        worst = max(map(abs, self.shifts), default=0)
        if self._had_time and worst > 2 * FRAME:
            self.wrong.append(f"the clock shifts at joins by {self.shifts} s")

    def _moves(self):
        return [each for each in self.happened if each["type"] == "seeking"]

    def _unexpected_stops(self):
        """Events that stopped or moved the film where nothing should. `busy` gets those caused by the machine."""
        found = []
        for stop in self.happened:
            if stop["type"] not in STOPS or self._rests(stop["at"]) or self._belongs_to_a_move(stop):
                continue
            if stop["type"] == "waiting" and stop["ahead"] > ENOUGH:
                self.busy.append(stop)
            else:
                found.append(stop)
        return found

    def _rests(self, at):
        """Whether the film is meant to stop there: at its end, and where it waits for the viewer."""
        ends = [each.end for each in self.passes if each.name in self.waits]
        if self.is_whole:
            ends.append(self.passes[-1].end)
        return any(abs(at - end * FRAME) < 1.5 * FRAME for end in ends)

    def _belongs_to_a_move(self, stop):
        """Whether the film waits because it is being moved."""
        if stop["type"] != "waiting":
            return False
        return any(move["at"] == stop["at"] for move in self._moves())

    def _judge_moves(self, moves):
        """A film that continues differently is moved once, to the next frame, and skips no frame."""
        if len(moves) > self.changes + len(self.begun):
            self.wrong.append(f"moved to {[round(each['at'], 3) for each in moves]}")
        for move in moves if not self.begun else ():
            shown = [frame for each in [*self.passes, *self.withdrawn] for frame in each.presented
                     if frame["now"] < move["now"]][-AROUND:]
            here = move["now"] / 1000 - lag(shown) if shown else 0
            # To the next frame at most; the clocks are compared to within one frame.
            if move["at"] > here + 2.5 * FRAME:
                self.wrong.append(f"moved from {here:.3f} to {move['at']:.3f} s")

    def __str__(self):
        seen = " > ".join(f"{each.name} {each.count}/{each.frames}" for each in self.passes)
        shifts = ", ".join(f"{1000 * shift:.1f}" for shift in self.shifts)
        withdrawn = sum(each.count for each in self.withdrawn)
        return (f"{seen}; clock at joins {shifts} ms"
                + f"; {len(self.busy)} times no processor" * bool(self.busy)
                + "; no time for its clock" * (not self._had_time)
                + f"; {withdrawn} frames of what was withdrawn" * bool(withdrawn))


class SoughtWalk(Walk):
    """Without Media Source Extensions: one film with all segments, and a seek after a segment's last frame."""

    def __init__(self, record, manifest, **options):
        self.places = {name: round(each["start"] * FRAME_RATE)
                       for name, each in manifest["segments"].items()}
        super().__init__(record, **options)

    def _begins(self, name, start, number, last):
        return name != last.name or number < last.presented[-1]["number"]

    def _judge(self):
        """Each seek leads to a segment's start. It comes after the end of the segment before, and soon after it."""
        for each in self.passes:
            if each.start != self.places[each.name]:
                self.wrong.append(f"{each.name} begins at {each.start}")
            if each.count < SHARE * each.frames:
                self.wrong.append(f"{each.count} of {each.frames} frames of {each.name} seen")
        moves = self._moves()
        starts = [each.start for each in self.passes[1:]]
        if [round(each["at"] * FRAME_RATE) for each in moves] != starts:
            self.wrong.append(f"moved to {[each['at'] for each in moves]}")
            return
        for last, move in zip(self.passes, moves):
            if last.name not in self.waits:
                self._judge_move(last, move)

    def _judge_move(self, last, move):
        here = move["now"] / 1000 - lag(last.presented[-AROUND:])
        late = here - last.end * FRAME
        self.shifts.append(late)
        # Where the page is notified late of frames, it also learns late that a segment is over.
        slow = max(each["now"] - each["shown"] for each in last.presented) / 1000
        # The last frame has been shown by then. The clocks are compared to within a frame.
        if not -2 * FRAME < late < 0.5 + max(0, slow):
            self.wrong.append(f"{last.name} was left {late:.3f} s after its end")
