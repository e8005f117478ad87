"""Curves that are Python functions: sampled into keyframes, within a stated error."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Callable

from .jobs import Curve, Keyframe
from .values import text

#: Of what is between two keyframes, this many instants are compared with the function.
LOOKS = 8
#: What is shorter than this share of the clip isn't divided: a function may jump there.
SHORTEST = 1e-6
#: Into this many parts the clip is divided at first, so that no bump is overlooked that is wider than one.
PARTS = 64
#: The most keyframes: a function that takes more isn't a speed.
MOST = 3000


def speed_curve(speed: Callable[[float], float], error: float = 1e-4) -> Curve:
    """The curve of a speed: keyframes between which it changes linearly.

    Args:
        speed: the speed at an instant, as a share of the clip from 0 to 1; 2 is double speed. Above 0.
        error: by how much of the output's length each instant may be early or late.

    Raises:
        ValueError: a speed isn't above 0, or the function changes too often.
    """
    points = list(_points(speed, error))
    return Curve(keyframes=[
        Keyframe(at=text(at), speed=float(f"{value:.12g}"), easing="linear") for at, value in points])


def scale_curve(scale: Callable[[float], float], error: float = 1e-4) -> Curve:
    """The curve of a time scale, which is 1 / speed: 2 is half speed. See `speed_curve`."""
    return speed_curve(lambda instant: 1 / _positive(scale(instant), instant), error)


def _points(speed: Callable[[float], float], error: float) -> Iterator[tuple[float, float]]:
    """The keyframes: between two of them the function is straight enough."""
    def look(at: float) -> float:
        return _positive(speed(at), at)

    ends = [index / PARTS for index in range(PARTS + 1)]
    start, count = (0.0, look(0.0)), 1
    yield start
    waiting = [(end, look(end)) for end in reversed(ends[1:])]
    while waiting:
        end = waiting[-1]
        if _is_straight(look, start, end, error) or end[0] - start[0] < SHORTEST:
            start = waiting.pop()
            count += 1
            yield start
        else:
            middle = (start[0] + end[0]) / 2
            waiting.append((middle, look(middle)))
        if count + len(waiting) > MOST + PARTS:
            raise ValueError(f"the speed changes too often: {MOST} keyframes don't follow it within {error}")


def _is_straight(look: Callable[[float], float], start: tuple[float, float], end: tuple[float, float],
                 error: float) -> bool:
    """Whether the time that passes between two keyframes differs by no more than the error's share of it, at any place."""
    lost = passed = 0.0
    for index in range(LOOKS):
        share = (index + 0.5) / LOOKS
        exact = 1 / look(start[0] + share * (end[0] - start[0]))
        lost += abs(exact - 1 / (start[1] + share * (end[1] - start[1])))
        passed += exact
    return lost <= error * passed


def _positive(value: float, at: float) -> float:
    if not 0 < value < float("inf"):
        raise ValueError(f"the curve is {value} at {at}, and must be above 0; keyframes can freeze and go back")
    return float(value)
