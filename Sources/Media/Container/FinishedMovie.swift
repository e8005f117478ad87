import Foundation
import TimeMaps

/// Changes what FFmpeg's muxer can't say in the index of a finished MP4 or MOV (ISO/IEC 14496-12).
///
/// It plays every packet from an edit list's start on, and in a MOV it knows no languages but those that the Macintosh had, by
/// its codes: French and Croatian aren't among them, and German isn't under `deu`. All is changed where it is, so that no byte moves:
/// ```
/// mvhd   duration of the movie
/// trak   tkhd   duration of the track
///        elst   durations of its edits    the last one ends earlier
///        mdhd   language                  three letters in five bits each
/// ```
struct FinishedMovie {
    /// When tracks end before their last packets do, by the tracks' numbers from 0.
    var ends: [Int: RationalTime] = [:]
    /// The languages of tracks, by the codes of ISO 639-2.
    var languages: [Int: String] = [:]

    /// Whether there is nothing to change.
    var isFinished: Bool { ends.isEmpty && languages.isEmpty }

    func apply(to output: AtomicFile) throws {
        do {
            let file = try FileHandle(
                forUpdating: URL(fileURLWithPath: output.temporaryPath))
            defer { try? file.close() }
            while let box = try BoxReader.next(in: file, output.path) {
                guard box.kind == "moov" else {
                    try file.seek(toOffset: box.end)
                    continue
                }
                let movie = changed(FragmentBoxes(try box.read(from: file)))
                try file.seek(toOffset: box.start)
                try file.write(contentsOf: movie.bytes)
                return
            }
        } catch let error as MediaError {
            throw error
        } catch {
            throw MediaError(
                .writeFailed, file: output.path,
                reason: "writing failed: \(error.localizedDescription)")
        }
    }

    /// A code of three letters as a box `mdhd` has it; nil for any other text.
    private static func packed(_ code: String) -> UInt64? {
        let letters = code.lowercased().utf8.map { UInt64($0) }
        guard letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else {
            return nil
        }
        return letters.reduce(0) { $0 << 5 | ($1 - 0x60) }
    }

    private func changed(_ movie: FragmentBoxes) -> FragmentBoxes {
        var movie = movie
        guard let header = movie.all(["moov", "mvhd"]).first,
            let scale = movie.timescale(ofHeader: header)
        else {
            return movie
        }
        var longest: UInt64 = 0
        for (number, track) in movie.all(["moov", "trak"]).enumerated() {
            guard let head = movie.all(["tkhd"], in: track.content).first else {
                continue
            }
            if let language = languages[number].flatMap(Self.packed),
                let media = movie.all(["mdia", "mdhd"], in: track.content).first
            {
                movie.set(language, at: movie.language(ofMediaHeader: media), bytes: 2)
            }
            let place = movie.duration(ofTrackHeader: head)
            if let end = ends[number],
                let edits = movie.all(["edts", "elst"], in: track.content).first
            {
                let ticks = UInt64(max(0, (end.seconds * Double(scale)).rounded()))
                let lasts = movie.shorten(edits, to: ticks)
                movie.set(lasts, at: place.lowerBound, bytes: place.count)
            }
            longest = max(longest, movie.number(at: place.lowerBound, bytes: place.count))
        }
        let place = movie.duration(ofMovieHeader: header)
        movie.set(longest, at: place.lowerBound, bytes: place.count)
        return movie
    }
}

extension FragmentBoxes {
    /// Ticks per second of a box `mvhd`.
    fileprivate func timescale(ofHeader box: Box) -> UInt64? {
        let place = box.content.lowerBound + (isLong(box) ? 20 : 12)
        return place + 4 <= box.end ? number(at: place, bytes: 4) : nil
    }

    /// Where a box `mvhd` states the duration.
    fileprivate func duration(ofMovieHeader box: Box) -> Range<Int> {
        let start = box.content.lowerBound + (isLong(box) ? 24 : 16)
        return start..<start + (isLong(box) ? 8 : 4)
    }

    /// Where a box `tkhd` states the duration.
    fileprivate func duration(ofTrackHeader box: Box) -> Range<Int> {
        let start = box.content.lowerBound + (isLong(box) ? 28 : 20)
        return start..<start + (isLong(box) ? 8 : 4)
    }

    /// Where a box `mdhd` states the language.
    fileprivate func language(ofMediaHeader box: Box) -> Int {
        box.content.lowerBound + (isLong(box) ? 32 : 20)
    }

    /// Whether its times have 64 bits.
    private func isLong(_ box: Box) -> Bool {
        bytes[box.content.lowerBound] == 1
    }

    /// Shortens the last edits of a box `elst`, so that all together last no longer than that.
    ///
    /// - Returns: how long all edits last, in ticks of the movie.
    fileprivate mutating func shorten(_ box: Box, to ticks: UInt64) -> UInt64 {
        let size = isLong(box) ? 8 : 4
        let first = box.content.lowerBound + 8
        let count = Int(number(at: first - 4, bytes: 4))
        var lasts: UInt64 = 0
        for entry in 0..<count {
            let place = first + entry * (2 * size + 4)
            guard place + size <= box.end else {
                break
            }
            let length = min(number(at: place, bytes: size), ticks - lasts)
            set(length, at: place, bytes: size)
            lasts += length
        }
        return lasts
    }
}
