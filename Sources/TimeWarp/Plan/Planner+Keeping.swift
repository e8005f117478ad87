import Media
import TimeMaps

/// Decides which packets are kept where only the rest is encoded.
extension Planner {
    /// The codec of the source, in which the rest is encoded; nil if nothing shall be kept or it can't be written.
    var codecToKeep: VideoCodec? {
        guard settings.video.keepsPackets,
            let stream = file?.asset.videoStreams.first
                ?? seen.lazy.joined().compactMap({ video(0, of: $0.asset) }).first,
            let codec = VideoCodec(rawValue: stream.codecName),
            container.videoCodecs.contains(codec)
        else {
            return nil
        }
        return codec
    }

    /// Finds what of each track can be kept, if that is asked for.
    ///
    /// - Complexity: O(frames), and a pass over each file.
    func keep(_ video: [RenderPlan.VideoTrack]) throws -> [RenderPlan.VideoTrack] {
        guard settings.video.keepsPackets else {
            return video
        }
        return try video.map { track in
            guard case .encoded(let codec, _) = track.making else {
                return track
            }
            var (track, found) = (track, TrackKeeping())
            var match = SeamMatch(codec, track, container)
            var keepsAll = true
            for number in track.segments.indices {
                try Task.checkCancellation()
                let isWhole = try keep(
                    &track.segments[number], timing: track.timing, &match, &found)
                keepsAll = keepsAll && isWhole
            }
            found.seam = found.keptSeconds > 0 ? try match.joined(keepsAll: keepsAll) : nil
            found.encoded.sort { $0.seconds > $1.seconds }
            track.keeping = found
            return track
        }
    }

    /// - Returns: whether all frames of the segment are kept.
    private func keep(
        _ segment: inout VideoSegment, timing: RenderPlan.Timing, _ match: inout SeamMatch,
        _ found: inout TrackKeeping
    ) throws -> Bool {
        let seconds = segment.seconds(timing)
        guard var frames = segment.frames else {
            found.encode(
                seconds, because: segment.isMixed ? "clips are seen through each other" : "black")
            return false
        }
        if let objection = try match.objection(to: frames) {
            found.encode(seconds, because: "\(frames.clip.asset.path): \(objection)")
            return false
        }
        guard let index = frames.index else {
            return false
        }
        let shown = frames.unchanged(index, fillsPlace: segment.ticks != nil, match.shortest)
        frames.kept = shown.kept
        segment.frames = frames
        let lasts = timing.timeBase.seconds
        found.keptSeconds += Double(shown.keptTicks) * lasts
        found.encode(
            Double(shown.ticks - shown.keptTicks) * lasts,
            because: "between a cut or a change of speed and a keyframe")
        found.encode(
            seconds - Double(shown.ticks) * lasts,
            because: "frames are repeated, dropped, mixed or played backwards")
        return shown.isAll
    }
}

extension VideoSegment {
    /// How long it is shown.
    fileprivate func seconds(_ timing: RenderPlan.Timing) -> Double {
        switch timing {
        case .fixed(_, let count):
            Double(ticks.map { Int64($0.count) } ?? count) * timing.timeBase.seconds
        case .variable:
            ticks.map { Double($0.count) * timing.timeBase.seconds }
                ?? clip?.map.outputDuration ?? 0
        }
    }
}

extension ClipFrames {
    /// The frames that the output shows as they are, each once, and which of them can be kept.
    ///
    /// - Parameters:
    ///   - fillsPlace: whether the first frame is shown from the segment's start on, even if it comes later.
    ///   - shortest: how many frames are kept at least.
    fileprivate func unchanged(
        _ index: PacketIndex, fillsPlace: Bool, _ shortest: Int
    ) -> UnchangedFrames {
        var grid = grid(index.times)
        let needed = neededPresentations(index.times)
        var stretches = KeptStretches(index, shortest: shortest)
        var found = UnchangedFrames()
        var ends: [Int64] = [fillsPlace ? 0 : -1]
        var collides = false
        // Frames that are shown as they are, one after another.
        var run = (next: -1, frames: 0, ticks: Int64(0))
        func endRun() {
            found.ticks += run.frames < shortest ? 0 : run.ticks
            run = (-1, 0, 0)
        }
        var following = needed.next()
        while let presentation = following {
            following = needed.next()
            let before = ends.last ?? 0
            let shown = grid?.assignment.assign(
                from: presentation.start.seconds, until: following?.start.seconds,
                presentation.direction)
            let ticks: Range<Int64>
            var isUnchanged = presentation.direction == .forward
            if let shown, let grid {
                ticks = shown.ticks
                isUnchanged =
                    isUnchanged && ticks.count == 1 && !shown.isFast
                    && isAlone(presentation, at: ticks.lowerBound, grid, index.times)
            } else {
                let start = presentation.start.tick
                ticks = start..<max(start, following?.start.tick ?? presentation.end.tick)
                // Of frames that fall on one tick the last one is shown.
                isUnchanged = isUnchanged && !ticks.isEmpty && !collides
                collides = ticks.isEmpty
            }
            // What follows a gap is shown in it, too.
            let goesOn = before < 0 || ticks.lowerBound == before
            isUnchanged = isUnchanged && goesOn
            stretches.take(presentation, isUnchanged: isUnchanged)
            if !isUnchanged || presentation.frame != run.next {
                endRun()
            }
            if isUnchanged {
                run = (presentation.frame + 1, run.frames + 1, run.ticks + Int64(ticks.count))
            }
            ends.append(ticks.upperBound)
        }
        stretches.finish()
        endRun()
        found.kept = stretches.found
        found.isAll = found.kept.reduce(0) { $0 + $1.frames.count } == ends.count - 1
        found.keptTicks = found.kept.reduce(0) {
            // The first one of a track begins where its frame does.
            let start = max(ends[$1.presentations.lowerBound], 0)
            return $0 + ends[$1.presentations.upperBound] - start
        }
        return found
    }

    /// Whether nothing is mixed into a frame that is shown at a tick.
    private func isAlone(
        _ presentation: Presentation, at tick: Int64, _ grid: TickGrid, _ times: FrameTimes
    ) -> Bool {
        guard settings.video.frames.usesNeighbours else {
            return true
        }
        let start = times.start(of: presentation.frame).relative(to: clip.range.start).seconds
        let end = times.end(of: presentation.frame).relative(to: clip.range.start).seconds
        let source = clip.map.sourceTime(at: Double(tick) * grid.secondsPerTick + grid.offset)
        return (source - start) / (end - start) <= FrameSynthesiser.leastDistance
    }
}

/// The frames that an output shows as they are.
private struct UnchangedFrames {
    var kept: [KeptStretch] = []
    /// Whether all frames are kept.
    var isAll = false
    /// For how many ticks enough of them to be kept are shown, and for how many of these what is kept.
    var ticks: Int64 = 0
    var keptTicks: Int64 = 0
}

/// Which streams' packets can be in one track with those of our encoder.
private struct SeamMatch {
    let codec: VideoCodec
    let track: RenderPlan.VideoTrack
    let container: Container
    /// What the packets have in common; nil until a stream fits.
    private var seam: TrackSeam?
    /// What the first stream's packets are as they are stored, and what is asked for them.
    private var stored: (format: EncodedFormat, settings: RenderSettings)?
    /// Whether streams have different headers with the same numbers.
    private var clashes = false
    private var known: [String: String?] = [:]

    init(_ codec: VideoCodec, _ track: RenderPlan.VideoTrack, _ container: Container) {
        (self.codec, self.track, self.container) = (codec, track, container)
    }

    /// What the packets have in common; nil if no stream fits. Packets of one stream alone stay as they are stored, with their
    /// header in front. Our encoder's is put beside it where both can be told apart: many players of MP4 read no other.
    ///
    /// - Parameter keepsAll: whether nothing is encoded.
    func joined(keepsAll: Bool) throws -> TrackSeam? {
        guard let seam, let stored, !clashes else {
            return seam
        }
        if keepsAll, known.count == 1 {
            return TrackSeam(format: stored.format, coding: seam.coding)
        }
        guard seam.coding.headerNumber != nil,
            let own = try PacketFilter.forSeams(
                of: encodedFormat(beside: seam, stored.settings), path: "")
        else {
            return seam
        }
        return TrackSeam(
            format: try EncodedFormat(seam.format, besides: own.format, path: ""),
            coding: seam.coding)
    }

    /// How many frames are kept at least. Fewer aren't worth a change of encoders, unless every frame is a keyframe.
    var shortest: Int { codec.isIntraOnly ? 1 : 12 }

    /// Why the packets of a clip can't be kept; nil if they can.
    mutating func objection(to frames: ClipFrames) throws -> String? {
        let key = "\(frames.stream.index) \(frames.clip.asset.path)"
        if let known = known[key] {
            return known ?? conversion(of: frames)
        }
        let found = try findObjection(to: frames)
        known[key] = .some(found)
        return found ?? conversion(of: frames)
    }

    private mutating func findObjection(to frames: ClipFrames) throws -> String? {
        let (stream, settings) = (frames.stream, frames.settings.video)
        guard [.mp4, .mov, .mkv].contains(container) else {
            return "packets are kept in .mp4, .mov and .mkv files only"
        }
        guard stream.codecName == codec.rawValue else {
            return "it is \(stream.codecName), and the output is \(codec.rawValue)"
        }
        guard codec != .av1, codec != .gif else {
            return "\(codec.rawValue) is encoded as a whole"
        }
        guard !settings.bridgesRepeats else {
            return "which of its frames are repeated is known only when they are decoded"
        }
        guard let index = frames.index, index.isComplete else {
            return "it doesn't say when each of its frames is presented"
        }
        guard !index.changesHeader else {
            return "its codec settings change in the middle"
        }
        guard codec.isIntraOnly || frames.format.fieldOrder == .progressive else {
            return "it is interlaced"
        }
        guard index.groups.contains(where: { $0.beginning != .open }) else {
            return "decoding can begin at none of its frames without those before"
        }
        return try join(frames, index)
    }

    /// Makes the packets part of the track.
    ///
    /// - Returns: why they can't be.
    private mutating func join(_ frames: ClipFrames, _ index: PacketIndex) throws -> String? {
        let path = frames.clip.asset.path
        let source = try PacketReader(of: frames.clip.asset, streams: [frames.stream])
            .encodedFormat(
                of: frames.stream, timeBase: track.timing.timeBase, rate: track.frameRate)
        guard let coding = SeamCoding(of: source, as: codec, delay: index.reorderingDelay) else {
            return "its profile can't be encoded"
        }
        if let seam {
            guard coding.delay <= seam.coding.delay else {
                return "its frames are reordered further than those of the first clip"
            }
            guard
                codec.hasHeaderInFrames || seam.format.hasHeadersInPackets
                    || source.hasSameHeader(as: seam.format)
            else {
                return "its header isn't that of the first clip"
            }
            clashes = clashes || stored.map { !source.hasSameHeader(as: $0.format) } ?? false
            return nil
        }
        let format: EncodedFormat
        do {
            format = try PacketFilter.forSeams(of: source, path: path)?.format ?? source
        } catch let error as MediaError {
            return error.reason
        }
        guard
            try codec.hasHeaderInFrames || format.hasHeadersInPackets
                || hasSameHeader(source, coding, frames.settings)
        else {
            return "our encoder's header is another"
        }
        seam = TrackSeam(format: format, coding: coding)
        stored = (source, frames.settings)
        return nil
    }

    /// Whether our encoder writes the header that packets without headers of their own need.
    private func hasSameHeader(
        _ source: EncodedFormat, _ coding: SeamCoding, _ settings: RenderSettings
    ) throws -> Bool {
        try encodedFormat(beside: TrackSeam(format: source, coding: coding), settings)
            .hasSameHeader(as: source)
    }

    /// What our encoder says of its packets.
    private func encodedFormat(
        beside seam: TrackSeam, _ settings: RenderSettings
    ) throws -> EncodedFormat {
        var frames = FrameCoding(track, as: codec)
        frames.seam = seam
        return try VideoEncoder(
            frames, settings, endsTrack: false, threads: 1, for: container, path: ""
        ).encodedFormat()
    }

    /// Why a clip's frames aren't shown as they are stored; nil if they are.
    private func conversion(of frames: ClipFrames) -> String? {
        let (own, wanted) = (frames.format, track.format.cropped(for: codec))
        guard (own.width, own.height) == (wanted.width, wanted.height) else {
            return "its frames have \(own.width)×\(own.height) pixels, and the output's "
                + "\(wanted.width)×\(wanted.height)"
        }
        guard own.pixelFormat == track.pixelFormat ?? wanted.pixelFormat else {
            return "it is \(own.pixelFormat), and the output is \(wanted.pixelFormat)"
        }
        guard own.color == wanted.color else {
            return "its colours are described otherwise than the output's"
        }
        guard own.shownRatio(turned: 0) == wanted.shownRatio(turned: 0) else {
            return "its pixels have another shape than the output's"
        }
        guard
            track.segments.allSatisfy({ $0.ticks == nil })
                || QuarterTurn(degrees: frames.stream.rotation) == .none
        else {
            return "it is turned"
        }
        guard frames.shapes.allSatisfy({ abs($0 / wanted.shownRatio(turned: 0) - 1) < 0.001 })
        else {
            return "it is fitted into another shape"
        }
        return nil
    }
}

extension PacketIndex {
    /// By how many frames presentation lags behind decoding.
    ///
    /// - Complexity: O(n log n).
    fileprivate var reorderingDelay: Int {
        let stored = (0..<times.count).sorted { packet(ofFrame: $0) < packet(ofFrame: $1) }
        return DTSFromPTS.delay(ofOrder: stored.indices.sorted { stored[$0] < stored[$1] })
    }
}
