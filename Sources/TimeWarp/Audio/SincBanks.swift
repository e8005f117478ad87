import Foundation
import Synchronization

/// The banks for speeds that change: sixteen to an octave, made when first needed and shared.
///
/// A speed takes the bank above it; in the lowest quarter of the interval between two, a mixture
/// that leads from the lower to the upper one, so that nothing jumps as the speed moves on. The
/// cutoff thereby lies between a sixty-fourth of an octave above the ideal and a sixteenth below it.
struct SincBanks {
    private static let banksPerOctave = 16.0
    private static let made = Mutex<[Int: SincBank]>([:])
    /// Two octaves; 25 MB.
    private static let capacity = 32

    private(set) var low: SincBank
    private(set) var high: SincBank
    /// The speeds that these two are for, and from where on it is the upper one alone.
    private var speeds: Range<Double>
    private var unmixed: Double

    init() {
        low = Self.bank(0)
        high = low
        speeds = 0..<1
        unmixed = 0
        enter(1)
    }

    /// Makes ``low`` and ``high`` those for a speed of at least 1.
    ///
    /// - Returns: the share of the upper one.
    @inline(__always)
    mutating func share(atSpeed speed: Double) -> Float {
        if !speeds.contains(speed) {
            enter(speed)
        }
        return Float(min((speed - speeds.lowerBound) / (unmixed - speeds.lowerBound), 1))
    }

    /// Whether a speed takes the same two banks as the last.
    @inline(__always)
    func holds(_ speed: Double) -> Bool {
        speeds.contains(speed)
    }

    private mutating func enter(_ speed: Double) {
        func limit(_ index: Double) -> Double { exp2(index / Self.banksPerOctave) }
        var index = (log2(speed) * Self.banksPerOctave).rounded(.down)
        // Rounding may put a speed on a limit to its wrong side.
        if speed < limit(index) {
            index -= 1
        } else if speed >= limit(index + 1) {
            index += 1
        }
        speeds = limit(index)..<limit(index + 1)
        unmixed = limit(index + 0.25)
        low = Self.bank(Int(index))
        high = Self.bank(Int(index) + 1)
    }

    /// The bank of an exact stretch: a shared one for normal speed, or else a new one.
    static func steady(_ stretch: Double) -> SincBank {
        stretch == 1 ? bank(0) : SincBank(stretch: stretch)
    }

    private static func bank(_ index: Int) -> SincBank {
        if let bank = made.withLock({ $0[index] }) {
            return bank
        }
        // Made outside of the lock: twice at worst, and nobody waits.
        let bank = SincBank(stretch: exp2(Double(index) / banksPerOctave))
        made.withLock { made in
            if made.count >= capacity {
                made.removeAll()
            }
            made[index] = bank
        }
        return bank
    }
}
