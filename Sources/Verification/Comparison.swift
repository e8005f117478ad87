import Media

/// Compares every frame of the output with what it should show, and with what it could show by mistake.
struct Comparison {
    private let entries: [FrameTimetable.Entry]
    private let frameCount: Int
    private let contents: Contents
    private let identical: IdenticalFrames

    /// The number of frames that were compared, and of those that show the right frame and clearly no other.
    private(set) var compared = 0
    private(set) var identified = 0
    /// The output seconds of frames that show neither what they should nor anything near it.
    private(set) var foreign: [Double] = []
    /// The output seconds of frames that show another frame of the source, and by how many output frames that
    /// one is late; negative if it is early.
    private(set) var wrong: [(seconds: Double, late: Int)] = []
    private(set) var kinds = FrameKinds()
    /// The frames made from motion that are oddest, the oddest first.
    private(set) var oddest: [VerificationReport.MadeFrame] = []
    /// The output seconds of frames that differ from the source frame that they show, although they should be identical.
    private var changed: [Double] = []
    private var lags: [(seconds: Double, lag: Double)] = []
    private var differences: [Float] = []
    /// How often each rotation of the right frame fitted best.
    private var turns: [FrameSignature.Turn: Int] = [:]

    /// One frame fits clearly better than another if its difference is this many times smaller, and smaller by
    /// ``leastStep`` besides.
    private static let clearly = 2.0
    /// See ``clearly``: a mean square in 8-bit steps. Codecs drop smaller changes; block by block, so that in a frame of few
    /// blocks they may drop all of one.
    private let leastStep: Double
    /// How many frames before and after the right one are compared, too.
    private static let reach = 2
    /// The number of frames in which rotation is tested.
    private static let turnsTried = 40

    init(
        entries: [FrameTimetable.Entry], table: FrameTimetable, expectation: FrameExpectation,
        frameCount: Int, pixelCount: Int, identical: IdenticalFrames
    ) {
        self.identical = identical
        self.entries = entries
        let blockCount = Double(pixelCount) / 256
        leastStep = max(1, FrameSignature.unlike / blockCount)
        self.frameCount = frameCount
        contents = Contents(entries: entries, table: table, expectation: expectation)
    }

    // MARK: - Running

    private typealias Content = FrameExpectation.Content

    /// What a frame may show, what it might show by mistake, and the source frames needed to compare them.
    private struct Candidates {
        var right: [Content]
        var others: [(content: Content, late: Int)] = []
        var frames: Set<Int> = []
    }

    mutating func run(
        _ source: SignatureReader, _ output: SignatureReader, rises: Bool,
        checkCancelled: () throws -> Void
    ) throws {
        try output.start(entries.map(\.frame).makeIterator())
        var ahead = try output.next()
        // For a rising map the source is read once; for other maps 64 output frames at a time.
        let length = rises ? max(1, entries.count) : 64
        for start in stride(from: 0, to: entries.count, by: length) {
            let stretch = start..<min(start + length, entries.count)
            try source.start(needs(stretch, rises: rises))
            var known: [Int: FrameSignature] = [:]
            var last = -1
            for place in stretch {
                try checkCancelled()
                let candidates = candidates(place)
                let highest = candidates.frames.max() ?? 0
                while last < highest, let (frame, signature) = try source.next() {
                    known[frame] = signature
                    last = frame
                }
                while let found = ahead, found.frame < entries[place].frame {
                    ahead = try output.next()
                }
                if let found = ahead, found.frame == entries[place].frame {
                    compare(found.signature, candidates, known, place)
                }
                if rises, let lowest = candidates.frames.min() {
                    known = known.filter { $0.key >= lowest }
                }
            }
        }
    }

    /// The numbers of the source frames that output frames are compared with, in increasing order.
    private func needs(_ stretch: Range<Int>, rises: Bool) -> AnyIterator<Int> {
        guard rises else {
            let all = stretch.reduce(into: Set<Int>()) { $0.formUnion(candidates($1).frames) }
            return AnyIterator(all.sorted().makeIterator())
        }
        var places = stretch.makeIterator()
        var next = places.next().map { candidates($0).frames }
        var waiting = Set<Int>()
        var told = -1
        return AnyIterator {
            // Later output frames need no source frame before those that the next one needs.
            while let frames = next {
                if let first = waiting.min(), let lowest = frames.min(), first < lowest {
                    break
                }
                waiting.formUnion(frames)
                next = places.next().map { candidates($0).frames }
            }
            while let first = waiting.min() {
                waiting.remove(first)
                if first > told {
                    told = first
                    return first
                }
            }
            return nil
        }
    }

    private func candidates(_ place: Int) -> Candidates {
        var found = Candidates(right: contents.of(place))
        for right in found.right {
            for step in -Self.reach...Self.reach where step != 0 || right.share > 0 {
                let other = Content(frame: right.frame + step)
                if (0..<frameCount).contains(other.frame), !found.right.contains(other) {
                    found.others.append((other, step <= 0 ? 1 : -1))
                }
            }
        }
        for distance in 1...Self.reach {
            for neighbour in [place - distance, place + distance]
            where entries.indices.contains(neighbour) {
                for content in contents.of(neighbour) where !found.right.contains(content) {
                    found.others.append((content, place - neighbour))
                }
            }
        }
        found.frames = Set(
            (found.right + found.others.map(\.content)).flatMap(\.frames)
                .filter { $0 < frameCount })
        return found
    }

    // MARK: - One frame

    private mutating func compare(
        _ shown: FrameSignature, _ candidates: Candidates, _ known: [Int: FrameSignature],
        _ place: Int
    ) {
        let right = candidates.right.compactMap { signature(of: $0, known) }
        guard let nearest = right.map({ shown.difference(from: $0) }).min() else {
            return
        }
        compared += 1
        count(shown, candidates.right, known, place)
        differences.append(Float(nearest))
        if compared <= Self.turnsTried, let first = right.first {
            note(shown, against: first)
        }
        let others = candidates.others.compactMap { content, late in
            signature(of: content, known).map {
                (difference: shown.difference(from: $0), late: late)
            }
        }
        let best = others.min { $0.difference < $1.difference }
        if let best, isClearly(best.difference, below: nearest) {
            let named = others.filter { $0.difference == best.difference }
            let late = named.map(\.late).min { abs($0) > abs($1) } ?? best.late
            let seconds = entries[place].seconds
            wrong.append((seconds, late))
            // The frame shown belongs to the output frame `late` places before. At the ends of a stretch that
            // one isn't among the entries.
            let right = place - late
            if entries.indices.contains(right),
                entries[place].frame - entries[right].frame == late
            {
                lags.append((seconds, seconds - entries[right].seconds))
            }
        } else if !right.contains(where: { shown.resembles($0) }) {
            foreign.append(entries[place].seconds)
        } else if let best, isClearly(nearest, below: best.difference) {
            identified += 1
            lags.append((entries[place].seconds, 0))
        }
    }

    private func isClearly(_ one: Double, below other: Double) -> Bool {
        other > Self.clearly * one + leastStep
    }

    private func signature(
        of content: Content, _ known: [Int: FrameSignature]
    ) -> FrameSignature? {
        guard let frame = known[content.frame] else {
            return nil
        }
        guard content.share > 0, let next = known[content.frame + 1] else {
            return frame
        }
        let share = Double(content.share) / 256
        guard content.isMoved else {
            return frame.mixed(with: next, share: share)
        }
        return frame.moved(toward: next, share: share) ?? (share <= 0.5 ? frame : next)
    }

    // MARK: - How frames were made

    /// Counts how a frame was made: held if it is identical to a source frame, or else by what it resembles most. Where
    /// ways look alike, it is the way that was asked for.
    private mutating func count(
        _ shown: FrameSignature, _ right: [Content], _ known: [Int: FrameSignature], _ place: Int
    ) {
        guard let content = right.first, content.share > 0, let frame = known[content.frame],
            let next = known[content.frame + 1]
        else {
            kinds.source += 1
            countIdentical(shown, right, known, place)
            return
        }
        if let digest = shown.digest, [frame.digest, next.digest].contains(digest) {
            kinds.held += 1
            return
        }
        let share = Double(content.share) / 256
        let mixed = frame.mixed(with: next, share: share)
        let held = min(shown.difference(from: frame), shown.difference(from: next))
        var ways = [
            (difference: shown.difference(from: mixed), kind: \FrameKinds.blended), (held, \.held),
        ]
        let moved = content.isMoved ? frame.moved(toward: next, share: share) : nil
        if let moved {
            // The way that is asked for comes first.
            ways.insert((shown.difference(from: moved), \.synthesised), at: 0)
        } else if content.isMoved {
            ways.reverse()
        }
        let best = ways.min { $0.difference < $1.difference } ?? ways[0]
        let isOther = isClearly(best.difference, below: ways[0].difference)
        let kind = isOther ? best.kind : ways[0].kind
        kinds[keyPath: kind] += 1
        if let moved, kind == \.synthesised {
            let oddity = shown.oddity(beside: [frame, next, moved])
            oddest = (oddest + [.init(atSeconds: entries[place].seconds, oddity: oddity)]).oddest
        }
    }

    private mutating func countIdentical(
        _ shown: FrameSignature, _ right: [Content], _ known: [Int: FrameSignature], _ place: Int
    ) {
        let digests = right.compactMap { known[$0.frame]?.digest }
        guard let digest = shown.digest, !digests.isEmpty,
            identical.contains(entries[place].seconds)
        else {
            return
        }
        let isIdentical = digests.contains(digest)
        kinds.identical = (kinds.identical ?? 0) + (isIdentical ? 1 : 0)
        if !isIdentical {
            changed.append(entries[place].seconds)
        }
    }

    private mutating func note(_ shown: FrameSignature, against right: FrameSignature) {
        let ways = FrameSignature.Turn.allCases.map { turn in
            (turn: turn, difference: shown.difference(from: right.turned(turn)))
        }
        guard let best = ways.min(by: { $0.difference < $1.difference }) else {
            return
        }
        let isTurned = isClearly(best.difference, below: ways[0].difference)
        turns[isTurned ? best.turn : .upright, default: 0] += 1
    }

    // MARK: - Results

    /// The average lag of the frames in a part of the output, given as shares of it, in seconds; nil if it can't
    /// be measured.
    func lag(in part: Range<Double>) -> Double? {
        guard let last = entries.last?.seconds else {
            return nil
        }
        let told = lags.filter { part.contains(last > 0 ? $0.seconds / last : 0) }
        return told.isEmpty ? nil : told.reduce(0) { $0 + $1.lag } / Double(told.count)
    }

    /// The median of the root mean square differences between frames and what they should show.
    var typicalDifference: Double {
        Double(differences.sorted().middle ?? 0).squareRoot()
    }

    var turnFaults: [VerificationReport.Fault] {
        let all = turns.values.reduce(0, +)
        guard let most = turns.max(by: { $0.value < $1.value }), most.key != .upright,
            most.value * 2 > all
        else {
            return []
        }
        return [.init(.rotation, "The frames are \(most.key.sentence).")]
    }

    /// Wrong frames and foreign content. Nothing is reported for rotated frames, which fit no source frame.
    var faults: [VerificationReport.Fault] {
        turnFaults.isEmpty ? placeFaults + contentFaults + identityFaults : []
    }

    private var identityFaults: [VerificationReport.Fault] {
        // Frames of another pixel format, or of a converted source, are all different.
        guard let first = changed.first, (kinds.identical ?? 0) > 0 || !identical.mayAllDiffer,
            wrong.isEmpty, foreign.isEmpty
        else {
            return []
        }
        return [
            .init(
                .frameContent, at: first,
                "\(changed.count) of \(kinds.source) frames differ from the source frame that they "
                    + "show, although \(identical.reason): the first at \(secondsText(first)).")
        ]
    }

    private var contentFaults: [VerificationReport.Fault] {
        guard let first = foreign.first else {
            return []
        }
        return [
            .init(
                .frameContent, at: first,
                "\(foreign.count) of \(compared) frames don't resemble the source at that time: "
                    + "the first at \(secondsText(first)).")
        ]
    }

    private var placeFaults: [VerificationReport.Fault] {
        guard let first = wrong.first else {
            return []
        }
        let late = Dictionary(grouping: wrong, by: \.late).max { $0.value.count < $1.value.count }
        let most = late.map { $0.value.count * 2 > wrong.count ? $0.key : 0 } ?? 0
        let way =
            switch most {
            case 0: ""
            case 1...: ", most of them \(counted(most, "frame", "")) late"
            default: ", most of them \(counted(-most, "frame", "")) early"
            }
        return [
            .init(
                .wrongFrames, at: first.seconds,
                "\(wrong.count) of \(compared) frames show another source frame than they "
                    + "should\(way): the first at \(secondsText(first.seconds)).")
        ]
    }
}

/// Caches what each output frame may show, because its neighbours need that, too. Used on one thread.
private final class Contents {
    private let entries: [FrameTimetable.Entry]
    private let table: FrameTimetable
    private let expectation: FrameExpectation
    /// The most recent results, each at the index `place` modulo the count.
    private var recent = [(place: Int, contents: [FrameExpectation.Content])](
        repeating: (-1, []), count: 256)

    init(
        entries: [FrameTimetable.Entry], table: FrameTimetable, expectation: FrameExpectation
    ) {
        self.entries = entries
        self.table = table
        self.expectation = expectation
    }

    func of(_ place: Int) -> [FrameExpectation.Content] {
        let slot = place % recent.count
        if recent[slot].place != place {
            recent[slot] = (place, workedOut(place))
        }
        return recent[slot].contents
    }

    private func workedOut(_ place: Int) -> [FrameExpectation.Content] {
        let seconds = entries[place].seconds
        let next = place + 1 < entries.count ? entries[place + 1].seconds : seconds
        let end = table.secondsPerFrame.map { seconds + $0 } ?? next
        return expectation.contents(at: seconds + table.offset, until: end + table.offset)
    }
}
