import Foundation

/// A number with as many decimals as suit its size: 0.042, 1.25, 12.5, 125.
public func figure(_ number: Double) -> String {
    let size = abs(number)
    let decimals = size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 1 || size == 0 ? 2 : 3
    return String(format: "%.\(decimals)f", number)
}

/// Millions of bytes.
public func megabytes(_ bytes: Int) -> String {
    figure(Double(bytes) / 1e6)
}

/// `+4 %`
public func percent(_ share: Double) -> String {
    String(format: "%+.0f %%", share * 100)
}

/// A number without trailing zeros: 2, 0.5, 1.001.
public func plain(_ number: Double) -> String {
    String(format: "%g", number)
}
