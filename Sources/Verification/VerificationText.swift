import Foundation
import Media

// Measurements as text.

/// A count with its noun, followed by `verb`, or by "is" or "are" if that is nil.
func counted(_ count: Int, _ noun: String, _ verb: String? = nil) -> String {
    let words = count == 1 ? "\(count) \(noun)" : "\(count) \(noun)s"
    guard let verb else {
        return words + (count == 1 ? " is" : " are")
    }
    return words + verb
}

func secondsText(_ seconds: Double) -> String {
    String(format: "%.3f s", seconds)
}

/// A lag such as "12.3 ms too late".
func milliseconds(_ seconds: Double) -> String {
    String(format: "%.1f ms", abs(seconds) * 1000) + (seconds < 0 ? " too early" : " too late")
}

func rounded(_ value: Double) -> String {
    String(format: "%.3g", value)
}

extension StreamDamage {
    /// The damage as faults of the output.
    var faults: [VerificationReport.Fault] {
        sentences.map { .init(.damage, "The output is damaged: \($0).") }
    }

    /// The damage as faults of the output, unless its packets were passed on with it.
    ///
    /// - Parameter source: the damage of the stream whose packets they may be; nil if they can't be.
    func faults(passedOnFrom source: StreamDamage?) -> [VerificationReport.Fault] {
        source.map(isWithin) == true ? [] : faults
    }
}

extension Array {
    /// At most `count` elements: the highest of each of `count` sections of the array.
    func thinned(to count: Int, by height: (Element) -> Double) -> [Element] {
        guard self.count > count else {
            return self
        }
        return (0..<count).compactMap { place in
            self[place * self.count / count..<(place + 1) * self.count / count]
                .max { height($0) < height($1) }
        }
    }

    /// The median of a sorted array, the upper one for an even count; nil if the array is empty.
    var middle: Element? {
        isEmpty ? nil : self[count / 2]
    }
}
