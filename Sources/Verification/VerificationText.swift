import Foundation
import Media

// How measurements are said.

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

func milliseconds(_ seconds: Double) -> String {
    String(format: "%.1f ms", abs(seconds) * 1000) + (seconds < 0 ? " too early" : " too late")
}

func rounded(_ value: Double) -> String {
    String(format: "%.3g", value)
}

extension StreamDamage {
    /// What a finished file shouldn't have.
    var faults: [Verification.Fault] {
        sentences.map { .init(.damage, "The output is damaged: \($0).") }
    }
}

extension Array {
    /// As many as can be shown, the highest of each stretch.
    func thinned(to count: Int, by height: (Element) -> Double) -> [Element] {
        guard self.count > count else {
            return self
        }
        return (0..<count).compactMap { place in
            self[place * self.count / count..<(place + 1) * self.count / count]
                .max { height($0) < height($1) }
        }
    }

    /// Of a sorted array.
    var middle: Element? {
        isEmpty ? nil : self[count / 2]
    }
}
