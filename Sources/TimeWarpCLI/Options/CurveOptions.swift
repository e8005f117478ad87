import ArgumentParser
import Foundation
import TimeMaps
import TimeWarp

/// The options that describe a speed curve.
struct CurveOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A built-in curve. (default: double-smoothstep)",
            valueName: "name"))
    var curve: BuiltInCurve?

    @Option(
        // A factor may begin with a minus: it is refused as a number, not as an option.
        parsing: .unconditional,
        help: ArgumentHelp(
            "Strength of the curve: 2 slows to half speed, 0.5 or 1/2 doubles it. (default: 1.5)",
            valueName: "number"),
        transform: Self.number)
    var factor: Double?

    @Option(help: "Share of the clip that the curve fills, or how fast it swings. (default: 0.5)")
    var modifier: Double?

    @Flag(help: "Use the curve mirrored, from its end to its start.")
    var flip = false

    @Option(
        // A formula may begin with a minus.
        parsing: .unconditional,
        help: ArgumentHelp(
            "The time scale s as a formula in t on [0,1], such as '1 + sin(pi*t)'.",
            valueName: "formula"))
    var scale: String?

    @Option(
        name: .customLong("speed"), parsing: .unconditional,
        help: ArgumentHelp(
            "The speed 1/s as a formula in t, such as '1 + 3*t'.", valueName: "formula"))
    var speedFormula: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The antiderivative of s as a formula in t, such as 't^2/2'.", valueName: "formula"))
    var integral: String?

    @Option(
        help: ArgumentHelp(
            """
            A speed ramp: speeds at instants of the source, such as '0:1, 40%:0.25, 6s:0.25, 1:1'. \
            If a speed is 0 or below, the instants are those of the output; '2s:-1@5s' there cuts \
            to 5 s of the source.
            """,
            valueName: "instant:speed,…"))
    var keyframes: String?

    @Option(
        help: ArgumentHelp(
            """
            How the speed changes between keyframes: \(Easing.forms). \
            (default: smooth)
            """,
            valueName: "easing"))
    var easing: String?

    @Option(
        help: ArgumentHelp("A file with a curve saved as JSON.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var curveFile: String?

    @Option(
        help: ArgumentHelp(
            "Make the output last exactly this long, such as 12.5s or 1:30; the curve keeps its shape.",
            valueName: "duration"))
    var fit: DurationArgument?

    private static func number(_ text: String) throws -> Double {
        let fraction = DecimalFraction(parsing: text)
        guard
            let number = Double(text)
                ?? fraction.map({ Double($0.numerator) / Double($0.denominator) })
        else {
            throw ValidationError(
                "\(text) is no number, such as 1.5, and no fraction, such as 3/2.")
        }
        return number
    }

    /// The options given on the command line that each describe a curve.
    private var given: [String] {
        [
            curve.map { _ in "--curve" }, scale.map { _ in "--scale" },
            speedFormula.map { _ in "--speed" }, integral.map { _ in "--integral" },
            keyframes.map { _ in "--keyframes" }, curveFile.map { _ in "--curve-file" },
        ].compactMap { $0 }
    }

    /// Whether no option says which curve it is, so that it is the default one.
    var isDefault: Bool { given.isEmpty }

    /// Whether any of these options was given.
    var isGiven: Bool {
        !given.isEmpty || factor != nil || modifier != nil || flip || fit != nil
    }

    func validate() throws {
        if given.count > 1 {
            throw ValidationError(
                "\(given.joined(separator: " and ")) each describe a curve; give one of them.")
        }
        let takesFactor = given.isEmpty || given == ["--curve"]
        if !takesFactor && (factor != nil || modifier != nil) {
            throw ValidationError(
                "--factor and --modifier change built-in curves only, not \(given[0]).")
        }
        if easing != nil && keyframes == nil {
            throw ValidationError("--easing needs --keyframes.")
        }
    }

    /// The curve that the options describe.
    ///
    /// - Throws: ``FormulaError`` or ``CurveError`` with the place of the mistake.
    func makeCurve() throws -> Curve {
        var curve = try describedCurve()
        if flip {
            curve.isFlipped.toggle()
        }
        return curve
    }

    private func describedCurve() throws -> Curve {
        if let scale {
            return .scale(try Formula(scale))
        }
        if let speedFormula {
            return .speed(try Formula(speedFormula))
        }
        if let integral {
            return .integral(try Formula(integral))
        }
        if let keyframes {
            return .keyframes(
                try Keyframe.list(
                    parsing: keyframes,
                    easing: try easing.map { try Easing(parsing: $0) } ?? .smooth))
        }
        if let curveFile {
            return try Curve(contentsOfFile: curveFile)
        }
        return .builtIn(
            curve ?? .defaultCurve, factor: factor ?? 1.5, modifier: modifier ?? 0.5)
    }
}

extension BuiltInCurve: ExpressibleByArgument {
    /// Reads a name in capital or small letters; nil if no curve has it.
    public init?(argument: String) {
        self.init(rawValue: argument.lowercased())
    }
}
