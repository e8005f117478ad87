"""Judges a recorded walk through segments by rules that hold however busy the machine is.

A busy machine shows fewer frames, and shows them later. But each frame that is shown has a known place:
the film's time is counted in frames, and the segments follow each other on it. So a frame's time tells
which frame of which segment it has to be, and where the neighbouring segments begin. The number of
decoded frames tells whether every frame was there, seen or not. And the video element reports every
event by which a player can stop a film, with the number of seconds that were buffered then.
"""

from statistics import median

from engines import ENGINE
from fixture import FRAME_RATE
from story import SEGMENTS

FRAME = 1 / FRAME_RATE
STOPS = ("waiting", "stalled", "seeking", "pause", "ratechange", "error")
# Browsers count time in microseconds, and round each frame's duration to them as well.
ROUNDING = 1e-5
# The smallest share of a pass's frames that must be seen: with fewer, a misplaced frame might be missed.
# With four times as much work as the processors could do, a third was seen.
SHARE = 1 / 8
# Seconds of film: a player that waits although this much is buffered, or all that is left, waits for a decoder without a
# processor.
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
    def media_start(self):
        """The film's time at which the pass begins, in seconds, as its frames say; in Firefox, whose frames tell the times of
        their file, as the video's clock says, which a busy machine reads a few frames late."""
        first = SEGMENTS[self.name].first
        clock = "clock" if ENGINE == "firefox" else "mediaTime"
        return median(each[clock] - (each["number"] - first) * FRAME for each in self.presented)

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
        self.happened, self.decoded, self.late = record["happened"], record["decoded"], record["late"]
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
        # WebKitGTK counts a frame again that it drops.
        if ENGINE != "webkit" and self.is_whole and not self.begun and not self.changes:
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
            self._judge_back(last.presented[-1], frame)
            return
        self.passes[-1].presented.append(frame)

    def _judge_back(self, before, frame):
        """A picture that is taken between two refreshes of the screen may be the one after the next refresh's: Chromium
        chooses it for that instant. It was shown too early only if what the browser told of the screen went back, too.
        On a busy machine Chromium shows a picture before its time, and then the one that is due. That is no player's
        doing: whoever moves the film back moves its clock.
        """
        if frame["told"] >= before["told"]:
            return
        is_same_film = before["element"] == frame["element"] and before["clock"] <= frame["clock"]
        if not is_same_film or before["told"] <= before["clock"]:
            self.wrong.append(("back", before, frame))

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
        for last, each in zip(self.passes, self.passes[1:]):
            is_begun = each.name in self.begun and each.start > last.end
            if each.start != last.end and not is_begun:
                self.wrong.append(f"{last.name} ends at {last.end}, {each.name} begins at {each.start}")
            if not is_begun and last.name not in self.waits:
                self._compare_clocks(last, each)
        if self.begun or self.changes:
            return
        whole = self.passes if self.is_whole else self.passes[:-1]
        for each in whole:
            if each.count < SHARE * each.frames and not self._is_busy_in(each):
                self.wrong.append(f"{each.count} of {each.frames} frames of {each.name} seen")
        if sum(each.count for each in whole) < SHARE * sum(each.frames for each in whole):
            self.wrong.append("too few frames seen")

    def _is_busy_in(self, each):
        """Whether no processor was had for its frames: then few of them are seen."""
        return any(each.start * FRAME - 0.3 <= stop["at"] <= each.end * FRAME + 0.3 for stop in self.busy)

    def _compare_clocks(self, last, each):
        before, after = last.presented[-AROUND:], each.presented[:AROUND]
        start, end = before[0]["now"], after[-1]["now"]
        if not any(start <= move["now"] <= end for move in self._moves()):
            self.shifts.append(lag(after) - lag(before))

    @property
    def _had_time(self):
        """
        Whether the machine had time: nearly all frames were seen, no decoder waited for a processor, and an idle timer was
        never later than the clock may shift.
        """
        return not self.busy and self._lateness(0, float("inf")) < 2 * FRAME and all(
            each.count > 0.9 * (each.presented[-1]["number"] - each.presented[0]["number"] + 1)
            for each in self.passes)

    def _lateness(self, start, end):
        """How late an idle timer of the page was between two times, added up: times in milliseconds, in seconds."""
        return sum(each["now"] - each["from"] for each in self.late
                   if each["now"] >= start and each["from"] <= end) / 1000

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
            if stop["type"] == "waiting" and (stop["ahead"] > ENOUGH or stop["isAll"]):
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
        """Whether the film waits because it is being moved, or stands still since the viewer went back or restarted."""
        if stop["type"] == "pause":
            return bool(self.begun) and any(move["now"] > stop["now"] for move in self._moves())
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


class WalkOnScreen(Walk):
    """Judges only by what is on the screen and when, for every engine and with or without Media Source.

    A pass begins when its first frame should have been shown, as its frames say: each has its place in the segment.
    `shifts` has how much later each pass began than the one before ended, in seconds; below zero it was earlier.

    speed    the speed at which all is played
    """

    def __init__(self, record, speed=1, **options):
        self.frame = FRAME / speed
        super().__init__(record, **options)

    def _add(self, frame):
        number = frame["number"]
        name = None if number is None else segment_of(number)
        last = self.passes[-1] if self.passes else None
        if name is None:
            # WebKitGTK gives an empty copy of a video that has just begun to play.
            if ENGINE != "webkit" or frame["clock"] > 3 * FRAME:
                self.wrong.append(("not a frame", number, frame["mediaTime"]))
            return
        goes_back = last is not None and number < last.presented[-1]["number"]
        if last is None or name != last.name or (goes_back and self._is_round(last, number)):
            self.passes.append(Pass(name, 0))
        elif goes_back and last.presented[-1]["number"] - number > 1:
            self.wrong.append(("back", last.presented[-1]["number"], number))
        self.passes[-1].presented.append(frame)

    def _is_round(self, last, number):
        """Whether a loop begins again: most of the segment has been passed."""
        return last.presented[-1]["number"] - number > last.frames / 2

    def _judge(self):
        # An engine that has just begun to play may show a machine without time only a few frames of the first pass.
        whole = self.passes if self.is_whole else self.passes[:-1]
        if sum(each.count for each in whole) < SHARE * sum(each.frames for each in whole):
            self.wrong.append("too few frames seen")
        self.wrong += [("moved", each["at"]) for each in self._moves()]
        for last, each in zip(self.passes, self.passes[1:]):
            if last.name not in self.waits:
                self._judge_join(last, each)

    def _judge_join(self, last, each):
        late = self._begun(each) - self._begun(last) - last.frames * self.frame
        self.shifts.append(late)
        # On a machine without time, whatever is done at a join comes as late as the page's idle timer and its frames do,
        # and the median of a pass may have moved by as much.
        slow = max(0, max(frame["now"] - frame["shown"] for frame in last.presented) / 1000)
        slow += self._lateness(last.presented[0]["now"], each.presented[-1]["now"])
        if not -3 * FRAME - slow < late < 0.25 + slow:
            self.wrong.append(f"{each.name} began {late:.3f} s after the end of {last.name}")

    def _begun(self, each):
        first = SEGMENTS[each.name].first
        return median(frame["now"] / 1000 - (frame["number"] - first) * self.frame for frame in each.presented)
