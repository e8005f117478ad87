import TimeMaps

extension TimeMap {
    /// Checks what every map promises, however it was made.
    ///
    /// - Parameter grace: how far source times may be off, in seconds.
    func checkPromises(grace: Double = 1e-6) {
        require(outputDuration.isFinite && outputDuration > 0, "it lasts \(outputDuration) s")
        require(sourceDuration.isFinite, "its source lasts \(sourceDuration) s")
        require(pieces.first?.outputStart == 0, "it doesn't start at 0")
        checkPieces()
        let steps = 40
        var cursor = cursor()
        for step in 0...steps {
            let y = outputDuration * Double(step) / Double(steps)
            let x = sourceTime(at: y)
            let rounding = 1e-9 * max(1, sourceDuration)
            require(x.isFinite, "at \(y) s it shows \(x)")
            require(
                x >= -grace - rounding && x <= sourceDuration + grace + rounding,
                "at \(y) s it shows \(x) s of \(sourceDuration) s")
            let walked = cursor.position(at: y).source
            require(
                abs(walked - x) <= 1e-6 * max(1, sourceDuration),
                "walking to \(y) s shows \(walked) s, going there \(x) s")
        }
        _ = speedRange
        _ = latestSourceTime
        _ = outputTimes(of: sourceDuration / 3)
        _ = outputRanges(from: sourceDuration / 3, to: sourceDuration / 2)
        checkInverse()
    }

    private func checkPieces() {
        for (piece, next) in zip(pieces, pieces.dropFirst()) {
            require(
                abs(piece.outputEnd - next.outputStart) <= 1e-9,
                "a gap at \(piece.outputEnd) s")
        }
        for piece in pieces.prefix(200) {
            require(piece.outputEnd > piece.outputStart, "a piece that lasts no time")
            checkOneWay(piece)
        }
    }

    /// Checks that a piece never changes direction.
    private func checkOneWay(_ piece: Piece) {
        let length = piece.outputEnd - piece.outputStart
        let rises = piece.sourceEnd >= piece.sourceStart
        let rounding = 1e-9 * max(1, sourceDuration)
        var last = piece.sourceStart
        for step in 1..<8 {
            let y = piece.outputStart + length * Double(step) / 8
            guard y > piece.outputStart, y < piece.outputEnd else {
                continue
            }
            let x = sourceTime(at: y)
            let way = rises ? x - last : last - x
            require(way >= -rounding, "at \(y) s a piece turns, from \(last) s to \(x) s")
            last = x
        }
    }

    /// Checks that the inverse finds each shown instant, or an instant right beside it.
    private func checkInverse() {
        for share in [0.0, 0.1, 0.25, 0.5, 0.77, 1] {
            let y = outputDuration * share
            let x = sourceTime(at: y)
            let found = outputTime(of: x)
            require(
                found.isFinite && found >= -1e-9 && found <= outputDuration + 1e-9,
                "\(x) s is found at \(found) s")
            // A nanosecond of output at the speed there, plus rounding.
            let nearby = [-1e-9, 0, 1e-9].map { sourceTime(at: found + $0) }
            let speed = abs(self.speed(at: found))
            let grace =
                1e-7 * max(1, sourceDuration) + 4e-9 * (speed.isFinite ? min(speed, 1e9) : 1e9)
                * max(1, outputDuration)
            require(
                nearby.contains { abs($0 - x) <= grace },
                "\(x) s, shown at \(y) s, is found at \(found) s, where \(nearby[1]) s is shown")
        }
    }
}
