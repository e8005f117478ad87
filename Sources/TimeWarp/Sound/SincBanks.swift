import Foundation
import Synchronization

/// The banks for variable speeds: sixteen for each octave, made when first needed and shared.
///
/// A speed uses the next higher bank. In the lowest quarter of the interval between two banks, it uses a
/// mixture that leads from the lower to the upper one, so that there is no jump when the speed changes. The
/// cutoff is thus between 1/64 of an octave above the ideal one and 1/16 of an octave below it.
struct SincBanks {
    private static let banksPerOctave = 16.0
    private static let made = Mutex<[Int: SincBank]>([:])
    /// The banks of two octaves, which take 25 MB.
    private static let capacity = 32

    private(set) var low: SincBank
    private(set) var high: SincBank
    /// The speeds for which these two banks are used.
    private var speeds: Range<Double>
    /// From this speed on, only the upper bank is used.
    private var unmixed: Double

    init() {
        low = Self.bank(0)
        high = low
        speeds = 0..<1
        unmixed = 0
        enter(1)
    }

    /// Sets ``low`` and ``high`` to the banks for a speed, which is at least 1.
    ///
    /// - Returns: the share of the upper bank, 0 to 1.
    @inline(__always)
    mutating func share(atSpeed speed: Double) -> Float {
        if !speeds.contains(speed) {
            enter(speed)
        }
        return Float(min((speed - speeds.lowerBound) / (unmixed - speeds.lowerBound), 1))
    }

    /// Whether a speed uses the present two banks.
    @inline(__always)
    func holds(_ speed: Double) -> Bool {
        speeds.contains(speed)
    }

    private mutating func enter(_ speed: Double) {
        func limit(_ index: Double) -> Double { exp2(index / Self.banksPerOctave) }
        var index = (log2(speed) * Self.banksPerOctave).rounded(.down)
        // Rounding may put a speed at a limit on its wrong side.
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

    /// The bank for an exact stretch: the shared one for normal speed, or else a new one.
    static func steady(_ stretch: Double) -> SincBank {
        stretch == 1 ? bank(0) : SincBank(stretch: stretch)
    }

    private static func bank(_ index: Int) -> SincBank {
        if let bank = made.withLock({ $0[index] }) {
            return bank
        }
        // Made without the lock, so that nobody waits. At worst a bank is made twice.
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
