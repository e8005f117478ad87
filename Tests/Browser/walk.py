"""Judges what was seen of a walk through segments, by what is true however busy the machine is.

A busy machine shows fewer pictures, and later. But each that is shown has its place: the film's time is
counted in pictures, the segments lie on it one behind the other, and so the time of one picture says
which picture of which segment it has to be, and where the segment's neighbours begin. Whether every
picture was there is known from how many were decoded, seen or not. And whatever a player can do to stop
a film is told by the video element, with how much of the film was at hand.
"""

from statistics import median

from fixture import FRAME_RATE
from story import SEGMENTS

FRAME = 1 / FRAME_RATE
STOPS = ("waiting", "stalled", "seeking", "pause", "ratechange", "error")
# Browsers count time in microseconds, and each picture's length in them as well.
ROUNDING = 1e-5
# Of the pictures of a pass, at the least: with fewer, what is out of place might not be seen. With four
# times the work that the processors can do, a third was.
SHARE = 1 / 8
# Seconds of film: who waits with as much at hand waits for decoders that have no processor.
ENOUGH = 0.2
# Pictures that may be decoded twice: on a busy machine four were, which decoders had queued before they
# were told to begin at the film's first picture.
THROWN_AWAY = 12
# Pictures to both sides of a join whose clocks are compared.
AROUND = 8


class Pass:
    """One time through a segment: where it begins, in pictures of the film's time, and what was seen."""

    def __init__(self, name, start):
        self.name, self.start, self.pictures = name, start, []
        self.frames = SEGMENTS[name].end - SEGMENTS[name].first

    @property
    def end(self):
        return self.start + self.frames

    @property
    def count(self):
        return len({picture["number"] for picture in self.pictures})


def lag(pictures):
    """Seconds from the film's clock to the machine's."""
    return median(each["shown"] / 1000 - each["told"] for each in pictures)


def segment_of(number):
    """The segment that a picture of the clip is in."""
    return next((name for name, each in SEGMENTS.items() if each.first <= number < each.end), None)


class Walk:
    """The passes that were seen, and in `wrong` what mustn't be on any machine.

    waits    segments at whose end the film stands until the viewer has chosen, or is over
    begun    segments that are begun by going back or restarting; what was shown is left in between
    changes  how often the viewer chose when something else was laid down already: only then the film
             is moved, and the beginning of what was laid may be on the screen before
    is_whole whether the last segment was played to its end
    """

    def __init__(self, record, waits=(), begun=(), changes=0, is_whole=True):
        self.waits, self.begun, self.changes, self.is_whole = waits, begun, changes, is_whole
        self.happened, self.decoded = record["happened"], record["decoded"]
        self.wrong, self.passes, self.withdrawn, self.busy, self.shifts = [], [], [], [], []
        for picture in record["pictures"]:
            self._add(picture)
        if not self.passes:
            self.wrong.append("no picture was seen")
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
                self.wrong.append(f"{self.decoded} pictures decoded of {expected}")

    @property
    def names(self):
        return [each.name for each in self.passes]

    def _add(self, picture):
        number, tick = picture["number"], round(picture["mediaTime"] * FRAME_RATE)
        name = None if number is None else segment_of(number)
        if name is None or abs(picture["mediaTime"] - tick * FRAME) > ROUNDING:
            self.wrong.append(("not a picture in its place", number, picture["mediaTime"]))
            return
        start = tick - (number - SEGMENTS[name].first)
        last = self.passes[-1] if self.passes else None
        if last is None or self._begins(name, start, number, last):
            self.passes.append(Pass(name, start))
        elif number < last.pictures[-1]["number"]:
            self.wrong.append(("back", last.pictures[-1]["number"], number))
        self.passes[-1].pictures.append(picture)

    def _begins(self, name, start, number, last):
        return (name, start) != (last.name, last.start)

    def _sort_out_withdrawn(self):
        """Takes out beginnings of a loop in whose place something else was laid as they were shown."""
        kept = []
        for each in self.passes:
            last = kept[-1] if kept else None
            is_loop = len(kept) > 1 and last.name == kept[-2].name and last.start == kept[-2].end
            if self.changes and is_loop and last.start == each.start:
                moved = next((at["now"] for at in self.happened if at["type"] == "seeked"
                              and at["now"] > last.pictures[0]["now"]), 0)
                if last.pictures[-1]["now"] > moved:
                    self.wrong.append(("shown after it was withdrawn", last.pictures[-1]["number"]))
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
                self.wrong.append(f"{each.count} of {each.frames} pictures of {each.name} seen")

    def _compare_clocks(self, last, each):
        before, after = last.pictures[-AROUND:], each.pictures[:AROUND]
        start, end = before[0]["now"], after[-1]["now"]
        if not any(start <= move["now"] <= end for move in self._moves()):
            self.shifts.append(lag(after) - lag(before))

    @property
    def _had_time(self):
        """Whether the machine had time: nearly all that was played was seen, and nothing waited."""
        return not self.busy and all(
            each.count > 0.9 * (each.pictures[-1]["number"] - each.pictures[0]["number"] + 1)
            for each in self.passes)

    def _judge_clock(self):
        """
        A film that isn't joined well stops its clock at its joins. Where the machine had no time, it stops
        the clock anywhere; then only what the video element tells of is judged, which is all that a player
        can do to stop a film.
        """
        worst = max(map(abs, self.shifts), default=0)
        if self._had_time and worst > 2 * FRAME:
            self.wrong.append(f"the clock shifts at joins by {self.shifts} s")

    def _moves(self):
        return [each for each in self.happened if each["type"] == "seeking"]

    def _unexpected_stops(self):
        """What stopped or moved the film where nothing should; whatever the machine did is in `busy`."""
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
        """Whether the film is to stand there: at its end, and where it waits for the viewer."""
        ends = [each.end for each in self.passes if each.name in self.waits]
        if self.is_whole:
            ends.append(self.passes[-1].end)
        return any(abs(at - end * FRAME) < 1.5 * FRAME for end in ends)

    def _belongs_to_a_move(self, stop):
        """A film that is moved waits until it is there."""
        if stop["type"] != "waiting":
            return False
        return any(move["at"] == stop["at"] for move in self._moves())

    def _judge_moves(self, moves):
        """A film that goes on differently is moved once, and to the next picture, not over any."""
        if len(moves) > self.changes + len(self.begun):
            self.wrong.append(f"moved to {[round(each['at'], 3) for each in moves]}")
        for move in moves if not self.begun else ():
            shown = [picture for each in [*self.passes, *self.withdrawn] for picture in each.pictures
                     if picture["now"] < move["now"]][-AROUND:]
            here = move["now"] / 1000 - lag(shown) if shown else 0
            # The next picture, by clocks that are compared to within one.
            if move["at"] > here + 2.5 * FRAME:
                self.wrong.append(f"moved from {here:.3f} to {move['at']:.3f} s")

    def __str__(self):
        seen = " > ".join(f"{each.name} {each.count}/{each.frames}" for each in self.passes)
        shifts = ", ".join(f"{1000 * shift:.1f}" for shift in self.shifts)
        withdrawn = sum(each.count for each in self.withdrawn)
        return (f"{seen}; clock at joins {shifts} ms"
                + f"; {len(self.busy)} times no processor" * bool(self.busy)
                + "; no time for its clock" * (not self._had_time)
                + f"; {withdrawn} pictures of what was withdrawn" * bool(withdrawn))


class SoughtWalk(Walk):
    """Without Media Source: one film with everything, and a seek behind the last picture of a segment."""

    def __init__(self, record, manifest, **options):
        self.places = {name: round(each["start"] * FRAME_RATE)
                       for name, each in manifest["segments"].items()}
        super().__init__(record, **options)

    def _begins(self, name, start, number, last):
        return name != last.name or number < last.pictures[-1]["number"]

    def _judge(self):
        """Each seek leads to a segment's start, and not before the last one's end, nor long behind."""
        for each in self.passes:
            if each.start != self.places[each.name]:
                self.wrong.append(f"{each.name} begins at {each.start}")
            if each.count < SHARE * each.frames:
                self.wrong.append(f"{each.count} of {each.frames} pictures of {each.name} seen")
        moves = self._moves()
        starts = [each.start for each in self.passes[1:]]
        if [round(each["at"] * FRAME_RATE) for each in moves] != starts:
            self.wrong.append(f"moved to {[each['at'] for each in moves]}")
            return
        for last, move in zip(self.passes, moves):
            if last.name not in self.waits:
                self._judge_move(last, move)

    def _judge_move(self, last, move):
        here = move["now"] / 1000 - lag(last.pictures[-AROUND:])
        late = here - last.end * FRAME
        self.shifts.append(late)
        # The page is told of pictures late where it is told late that their time is over.
        slow = max(each["now"] - each["shown"] for each in last.pictures) / 1000
        # The last picture has been shown by then; clocks are compared to within a picture.
        if not -2 * FRAME < late < 0.5 + max(0, slow):
            self.wrong.append(f"{last.name} was left {late:.3f} s after its end")
