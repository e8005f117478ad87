"""Reads a timeline with OpenTimelineIO's own library, reports what it contains, and writes it again.

    opentimelineio_witness.py copy IN.otio OUT.otio     prints a report as JSON
    opentimelineio_witness.py build OUT.otio            writes a timeline that the library built
"""
import json
import sys

import opentimelineio as otio
from opentimelineio.opentime import RationalTime, TimeRange


def seconds(time):
    return time.value / time.rate


def item_report(item):
    report = {
        "kind": type(item).__name__,
        "name": item.name,
        "start": seconds(item.trimmed_range().start_time),
        "duration": seconds(item.duration()),
        "place": seconds(item.range_in_parent().start_time),
        "speeds": [effect.time_scalar for effect in item.effects],
        "effects": [type(effect).__name__ for effect in item.effects],
        "markers": [
            {
                "name": marker.name,
                "at": seconds(marker.marked_range.start_time),
                "duration": seconds(marker.marked_range.duration),
                "comment": marker.comment,
                "colour": marker.color,
            }
            for marker in item.markers
        ],
    }
    if isinstance(item, otio.schema.Clip):
        report["url"] = item.media_reference.target_url
        error = item.metadata.get("timewarp", {}).get("error")
        report["error"] = error
    return report


def copy(source, target):
    timeline = otio.adapters.read_from_file(source)
    report = {
        "name": timeline.name,
        "duration": seconds(timeline.duration()) if timeline.tracks else 0,
        "tracks": [
            {
                "name": track.name,
                "kind": track.kind,
                "duration": seconds(track.duration()) if len(track) else 0,
                "items": [
                    item_report(item)
                    for item in track
                    if not isinstance(item, otio.schema.Transition)
                ],
            }
            for track in timeline.tracks
        ],
    }
    otio.adapters.write_to_file(timeline, target)
    print(json.dumps(report))


def clip(name, url, start, duration, rate, *effects, available=None):
    reference = otio.schema.ExternalReference(target_url=url, available_range=available)
    result = otio.schema.Clip(
        name,
        media_reference=reference,
        source_range=TimeRange(RationalTime(start, rate), RationalTime(duration, rate)),
    )
    result.effects.extend(effects)
    return result


def build(target):
    rate = 30000 / 1001
    schema = otio.schema
    timeline = schema.Timeline("built", global_start_time=RationalTime(86400, 24))
    video = schema.Track("V1", kind=schema.TrackKind.Video)
    timecode = TimeRange(RationalTime(86400, 24), RationalTime(480, 24))
    first = clip("one", "file:///films/b%20c.mp4", 86424, 48, 24, available=timecode)
    first.markers.append(
        schema.Marker(
            "beat",
            TimeRange(RationalTime(86436, 24), RationalTime(12, 24)),
            color=schema.MarkerColor.GREEN,
            comment="here",
        )
    )
    video.append(first)
    video.append(
        schema.Transition(
            transition_type=schema.TransitionTypes.SMPTE_Dissolve,
            in_offset=RationalTime(5, 24),
            out_offset=RationalTime(5, 24),
        )
    )
    video.append(clip("fast", "a.mp4", 30, 30, rate, schema.LinearTimeWarp(time_scalar=2)))
    video.append(schema.Gap(duration=RationalTime(36, 24)))
    video.append(clip("back", "a.mp4", 48, 24, 24, schema.LinearTimeWarp(time_scalar=-1)))
    video.append(clip("third", "a.mp4", 24, 72, 24, schema.LinearTimeWarp(time_scalar=1 / 3)))
    video.append(clip("held", "a.mp4", 72, 24, 24, schema.FreezeFrame()))
    video.append(
        schema.Clip(
            "lost",
            media_reference=schema.MissingReference(),
            source_range=TimeRange(RationalTime(0, 24), RationalTime(24, 24)),
        )
    )
    video.append(clip("blurred", "a.mp4", 0, 24, 24, schema.Effect("soft", "Blur")))
    nested = schema.Track("inner")
    nested.append(clip("x", "a.mp4", 0, 48, 24))
    nested.append(clip("y", "a.mp4", 96, 48, 24))
    nested.source_range = TimeRange(RationalTime(24, 24), RationalTime(48, 24))
    video.append(nested)
    both = schema.Stack("both at once")
    both.append(clip("p", "a.mp4", 0, 24, 24))
    both.append(clip("q", "a.mp4", 24, 24, 24))
    video.append(both)
    audio = schema.Track("A1", kind=schema.TrackKind.Audio)
    audio.append(clip("sound", "a.mp4", 0, 480, 24))
    timeline.tracks.extend([video, audio])
    timeline.metadata["some program"] = {"colour": 3}
    collection = schema.SerializableCollection("bin")
    collection.append(timeline)
    collection.append(schema.Timeline("other"))
    otio.adapters.write_to_file(collection, target)


if __name__ == "__main__":
    if sys.argv[1] == "copy":
        copy(sys.argv[2], sys.argv[3])
    else:
        build(sys.argv[2])
