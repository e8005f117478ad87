import TimeMaps
import TimeWarp

extension TimelineReader {
    /// The segments of a track's children.
    mutating func segments(inTrack track: OTIOObject) throws -> [Segment] {
        let children = track.children ?? []
        let name = track.name ?? ""
        var segments: [Segment] = []
        var index = 0
        var dissolve: RationalTime?
        while index < children.count {
            if children[index].kindOfSchema == "Transition" {
                dissolve = try self.dissolve(children[index], in: name, after: segments.last)
                index += 1
                continue
            }
            let first = segments.count
            defer {
                if let dissolve, segments.count > first {
                    segments[first].blending.dissolve = dissolve
                }
                dissolve = nil
            }
            if let whole = try reassembled(children[index...], in: name) {
                segments.append(whole.segment)
                index += whole.count
                continue
            }
            segments += try self.segments(of: children[index], in: name)
            index += 1
        }
        // A transition behind the last clip is its fade out.
        if let dissolve, let last = segments.indices.last {
            segments[last].blending.fadeOut = dissolve
        }
        return segments
    }

    /// For how long the next clip dissolves with the one before; nil if it doesn't.
    private mutating func dissolve(
        _ item: OTIOObject, in track: String, after segment: Segment?
    ) throws -> RationalTime? {
        let place = "Track \"\(track)\": the transition \"\(item.name ?? "")\""
        let words = item.transitionType ?? ""
        let before = max(.zero, try item.inOffset?.time ?? .zero)
        let after = max(.zero, try item.outOffset?.time ?? .zero)
        guard before > .zero || after > .zero else {
            notes.add("\(place) has no length and became a cut.")
            return nil
        }
        if words != "SMPTE_Dissolve" {
            notes.add("\(place) (\(words)) became a dissolve.")
        }
        // After a gap a clip fades in, all of it after its start.
        guard let segment, !segment.isGap else {
            return after
        }
        if before != after {
            notes.add(
                "\(place) was \(before.secondsText) s before its cut and \(after.secondsText) s after; here its middle is at the cut."
            )
        }
        return try before.sum(after)
    }

    /// The segments of one child of a track. They last as long on the track as the child did.
    mutating func segments(of item: OTIOObject, in track: String) throws -> [Segment] {
        switch item.kindOfSchema {
        case "Clip" where item.isEnabled:
            return try segments(ofClip: item, in: track)
        case "Gap":
            noteExtras(of: item, called: "a gap in track \"\(track)\"")
            return try gap(item)
        case "Track" where item.isEnabled, "Stack" where item.isEnabled:
            return try segments(ofNested: item, in: track)
        case "Clip", "Track", "Stack":
            notes.add("Track \"\(track)\": \(item.title) is switched off and became a gap.")
            return try gap(item)
        default:
            notes.add(
                "Track \"\(track)\": a \(item.schema) can't be placed on a track; "
                    + "a gap took its place.")
            return try gap(item)
        }
    }

    private func gap(_ item: OTIOObject) throws -> [Segment] {
        let duration = try length(of: item)
        return duration > .zero ? [try .gap(lasting: duration)] : []
    }

    /// The duration of an item on its track.
    private func length(of item: OTIOObject) throws -> RationalTime {
        if let range = item.sourceRange {
            return try range.duration.time
        }
        switch item.kindOfSchema {
        case "Clip":
            if let range = item.activeReference?.usableRange {
                return range.duration
            }
            guard let url = item.activeReference?.targetURL else {
                return .zero
            }
            return try lengths.duration(of: MediaLocation.path(ofURL: url))
        case "Track":
            return try (item.children ?? []).reduce(.zero) { try $0 + length(of: $1) }
        case "Stack":
            return try (item.children ?? []).map { try length(of: $0) }.max() ?? .zero
        default:
            return .zero
        }
    }

    // MARK: - Clips

    private mutating func segments(
        ofClip item: OTIOObject, in track: String
    ) throws -> [Segment] {
        let place = "Track \"\(track)\": \(item.title)"
        noteExtras(of: item, called: item.title)
        guard try item.sourceRange == nil || length(of: item) > .zero else {
            notes.add("\(place) has no duration and was dropped.")
            return []
        }
        if let reference = item.activeReference, reference.kindOfSchema != "ExternalReference",
            item.mediaName == nil
        {
            let kind = reference.kindOfSchema
            notes.add("\(place) has no file but a \(kind); a gap took its place.")
            return try gap(item)
        }
        let ask = lengths.duration(of:)
        do {
            let plain = try PlainClip(item, mediaDuration: ask)
            if item.isPlaceholder {
                notes.add("\(place) has no file; it is looked for by its name.")
                placeholders.insert(plain.url)
            }
            for effect in plain.otherEffects {
                notes.add("\(place): the effect \(effect) was dropped.")
            }
            if MediaLocation.isForeign(plain.url) {
                notes.add("\(place) names \(plain.url), which is not a local file.")
            }
            if plain.hasBrokenRange {
                notes.add("\(place): the range of its file is impossible and was ignored.")
            }
            noteRates(of: item)
            var segment = try plain.segment(fileDuration: lengths.find)
            if let available = plain.available, let clip = segment.clip,
                clip.range.end > available
            {
                notes.add(
                    "\(place) uses its file up to \(clip.range.end.secondsText) s, beyond the "
                        + "\(available.secondsText) s that the timeline says there are.")
            }
            segment.markers = markers(of: item, plain, place)
            return [segment]
        } catch let error as CompositionError {
            notes.add("\(place) became a gap: \(error).")
        } catch let error as TimeError {
            notes.add("\(place) became a gap: \(error).")
        }
        return try gap(item)
    }

    private mutating func noteRates(of item: OTIOObject) {
        if item.sourceRange?.duration.hasRoundedRate == true {
            notes.add("Rates such as 29.97 were taken for 30000/1001 and the like.")
        }
    }

    private mutating func markers(
        of item: OTIOObject, _ plain: PlainClip, _ place: String
    ) -> [Marker] {
        var markers: [Marker] = []
        for object in item.markers ?? [] {
            do {
                guard let range = object.markedRange else {
                    throw CompositionError(.malformed, "it marks nothing")
                }
                let isColourless =
                    object.ours?.isColourless == true
                    && object.color?.name == TimelineWriter.anyColour
                markers.append(
                    try Marker(
                        object.name ?? "", at: range.startTime.time - plain.zero,
                        lasting: range.duration.time, comment: object.comment,
                        colour: isColourless ? nil : object.color?.name))
            } catch {
                notes.add("\(place): \(object.title) was dropped: \(error).")
            }
        }
        return markers
    }

    // MARK: - Segments that TimeWarp wrote

    /// The segment that TimeWarp wrote as this row of clips; nil if another program wrote or changed them.
    private mutating func reassembled(
        _ items: ArraySlice<OTIOObject>, in track: String
    ) throws -> (segment: Segment, count: Int)? {
        guard let first = items.first, first.isEnabled, let stored = first.ours?.segment else {
            return nil
        }
        let count = first.ours?.of ?? 1
        let place = "Track \"\(track)\": \(first.title)"
        let pieces = items.prefix(max(count, 1))
        let isUnchanged =
            pieces.count == count
            && zip(pieces, 0...).allSatisfy { item, number in
                item.isEnabled && item.ours?.piece == number && item.ours?.of == count
                    && item.ours?.written != nil && item.ours?.written == Self.said(item)
            }
        guard isUnchanged else {
            notes.add(
                "\(place) was changed by another program and is read without its original.")
            return nil
        }
        do {
            var segment = try FileSegment(text: stored).segment { media, _ in
                try lengths.duration(of: media)
            }
            for item in pieces {
                segment.markers += markers(of: item, try PlainClip(item), place)
                noteExtras(of: item, called: item.title)
            }
            return (segment, count)
        } catch {
            notes.add(
                "\(place) is read without its original, which can't be read: \(error).")
            return nil
        }
    }

    /// The present values of a clip; nil if it has more than a file, a range and a speed.
    private static func said(_ item: OTIOObject) -> OTIOOurs.Written? {
        guard let plain = try? PlainClip(item), plain.otherEffects.isEmpty else {
            return nil
        }
        return plain.written
    }

    // MARK: - Nesting

    /// Flattens a composition inside a track: a nested track, or a stack with one child.
    private mutating func segments(
        ofNested item: OTIOObject, in track: String
    ) throws -> [Segment] {
        let place = "Track \"\(track)\": \(item.title)"
        if let effect = item.effects?.first(where: \.isEnabled) {
            notes.add(
                "\(place) can't be flattened with the effect \(effect.described); "
                    + "a gap took its place.")
            return try gap(item)
        }
        noteExtras(of: item, called: item.title)
        var flat: Track
        if item.kindOfSchema == "Track" {
            flat = try Track(segments: segments(inTrack: item))
        } else {
            let shown = (item.children ?? []).filter(\.isEnabled)
            guard shown.count <= 1 else {
                notes.add(
                    "\(place) holds \(shown.count) layers and can't be flattened; a gap "
                        + "took its place.")
                return try gap(item)
            }
            flat = try Track(segments: shown.flatMap { try segments(of: $0, in: track) })
        }
        if let range = item.sourceRange {
            try flat.trim(to: TimeRange(reading: range))
        }
        return flat.segments
    }
}
