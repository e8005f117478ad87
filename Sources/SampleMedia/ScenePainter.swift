import Foundation
import Plotting

/// Draws one frame of the sample clip without its barcode.
///
/// The drawing takes an area of 16 by 8.1 units, as large as fits above the barcode.
struct ScenePainter {
    private let scene: SampleScene
    private let frame: Int
    private let surface: CairoSurface
    private let colours: SceneColours
    private let time: Double
    private let unit: Double
    private let origin: CanvasPoint

    init(scene: SampleScene, frame: Int, surface: CairoSurface) {
        self.scene = scene
        self.frame = frame
        self.surface = surface
        colours = scene.isFlash(frame: frame) ? .flash : .night
        time = scene.seconds(atFrame: frame)
        let width = Double(scene.width)
        let height = Double(FrameBarcode.top(height: scene.height))
        unit = min(width / 16, height / 8.1)
        origin = CanvasPoint(x: (width - 16 * unit) / 2, y: (height - 8.1 * unit) / 2)
    }

    func draw() {
        surface.prepareText()
        let picture = CanvasBox(
            x: 0, y: 0, width: Double(scene.width), height: Double(scene.height))
        surface.fill(picture, from: colours.sky, downTo: colours.ground)
        drawDial()
        drawHands()
        drawNumbers()
        drawBall()
        drawProgress()
    }

    // MARK: Dial

    private var dialCentre: CanvasPoint { place(3.95, 3.2) }
    private var dialRadius: Double { 2.7 * unit }

    private func drawDial() {
        surface.fill(circleAt: dialCentre, radius: dialRadius, colours.face)
        drawTrail()
        surface.stroke(
            circleAt: dialCentre, radius: dialRadius,
            LineStyle(width: 0.14 * unit, colour: colours.rim))
        for mark in 0..<20 {
            let isLong = mark % 5 == 0
            let turn = Double(mark) / 20
            let ends = [isLong ? 0.8 : 0.87, 0.94].map { onDial(turn: turn, radius: $0) }
            surface.stroke(
                ends,
                LineStyle(
                    width: (isLong ? 0.16 : 0.07) * unit,
                    colour: colours.mark.faded(to: isLong ? 1 : 0.6)))
        }
    }

    /// Draws a fading trail of the hand's last quarter of a second.
    private func drawTrail() {
        let slices = 24
        let quarter = min(0.25, time)
        for slice in 0..<slices {
            let start = time - quarter * Double(slice + 1) / Double(slices)
            let end = time - quarter * Double(slice) / Double(slices)
            let fade = 1 - Double(slice) / Double(slices)
            surface.fill(
                wedgeAt: dialCentre, radius: 0.78 * dialRadius, from: angle(ofTurn: start),
                to: angle(ofTurn: end), colours.hand.faded(to: 0.5 * fade * fade))
        }
    }

    /// Draws a hand that turns once a second, and a short hand that turns once in ten seconds.
    private func drawHands() {
        surface.stroke(
            [dialCentre, onDial(turn: time / 10, radius: 0.46)],
            LineStyle(width: 0.2 * unit, colour: colours.slowHand))
        surface.stroke(
            [dialCentre, onDial(turn: time, radius: 0.78)],
            LineStyle(width: 0.16 * unit, colour: colours.hand))
        surface.fill(circleAt: dialCentre, radius: 0.27 * unit, colours.hand)
        surface.fill(circleAt: dialCentre, radius: 0.11 * unit, colours.face)
    }

    private func onDial(turn: Double, radius: Double) -> CanvasPoint {
        let angle = angle(ofTurn: turn)
        return CanvasPoint(
            x: dialCentre.x + cos(angle) * radius * dialRadius,
            y: dialCentre.y + sin(angle) * radius * dialRadius)
    }

    /// The angle in radians. Whole turns are dropped first, so that late frames are as exact as early ones.
    private func angle(ofTurn turn: Double) -> Double {
        2 * .pi * (turn - turn.rounded(.down)) - .pi / 2
    }

    // MARK: Numbers

    private func drawNumbers() {
        let left = 7.9
        let digits = String(frame)
        let number = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        label("FRAME", at: place(left + 0.1, 1.15), size: 0.62, colours.muted)
        let room = 7.3 * unit
        let natural = surface.width(of: number, size: 2.75 * unit, weight: .bold)
        label(
            number, at: place(left, 3.45), size: 2.75 * min(1, room / natural), colours.ink,
            weight: .bold)
        let clock = PlotText.clock(floor(time * 1000 + 1e-6) / 1000, decimals: 3)
        label(clock, at: place(left + 0.05, 4.75), size: 1.1, colours.hand, weight: .bold)
        let (n, d) = scene.frameRate
        let rate = PlotText.fixed(Double(n) / Double(d), decimals: 3, keepingZeros: .no)
        label("\(rate) frames a second", at: place(left + 0.1, 5.55), size: 0.52, colours.muted)
    }

    private func label(
        _ text: String, at point: CanvasPoint, size: Double, _ colour: CanvasColour,
        weight: TextStyle.Weight = .regular
    ) {
        surface.text(
            text, at: point, TextStyle(size: size * unit, weight: weight, colour: colour))
    }

    // MARK: Ball and progress

    /// Draws a ball that crosses the track once a second, back and forth, and its trail.
    private func drawBall() {
        surface.stroke(
            [place(1, 6.65), place(15, 6.65)], LineStyle(width: 0.1 * unit, colour: colours.rim))
        for mark in 0...8 {
            let x = 1.35 + 13.3 * Double(mark) / 8
            surface.stroke(
                [place(x, 6.53), place(x, 6.77)],
                LineStyle(width: 0.07 * unit, colour: colours.mark.faded(to: 0.7)))
        }
        for step in stride(from: 6, through: 1, by: -1) {
            let before = time - 0.035 * Double(step)
            guard before >= 0 else { continue }
            let strength = 1 - Double(step) / 7
            surface.fill(
                circleAt: ballPlace(at: before), radius: (0.2 + 0.16 * strength) * unit,
                colours.ball.faded(to: 0.38 * strength))
        }
        surface.fill(circleAt: ballPlace(at: time), radius: 0.42 * unit, colours.ball)
        let glint = ballPlace(at: time)
        surface.fill(
            circleAt: CanvasPoint(x: glint.x - 0.13 * unit, y: glint.y - 0.14 * unit),
            radius: 0.1 * unit, colours.glint)
    }

    private func ballPlace(at time: Double) -> CanvasPoint {
        let lap = time - 2 * (time / 2).rounded(.down)
        return place(1.35 + 13.3 * (lap <= 1 ? lap : 2 - lap), 6.65)
    }

    private func drawProgress() {
        let bar = CanvasBox(
            x: place(1, 0).x, y: place(0, 7.5).y, width: 14 * unit, height: 0.22 * unit)
        surface.fill(rounded: bar, radius: bar.height / 2, colours.rim)
        var done = bar
        let last = max(1, scene.frameCount - 1)
        done.width = max(bar.height, bar.width * Double(frame) / Double(last))
        surface.fill(rounded: done, radius: bar.height / 2, colours.progress)
        guard scene.flashSeconds.count <= 60 else { return }
        for second in scene.flashSeconds {
            let x = bar.x + bar.width * Double(second) / scene.durationInSeconds
            surface.fill(
                CanvasBox(x: x - 0.03 * unit, y: bar.y, width: 0.06 * unit, height: bar.height),
                colours.sky)
        }
    }

    private func place(_ x: Double, _ y: Double) -> CanvasPoint {
        CanvasPoint(x: origin.x + x * unit, y: origin.y + y * unit)
    }
}

/// The scene's colours: light in a flash, otherwise dark.
struct SceneColours {
    var sky: CanvasColour
    var ground: CanvasColour
    var face: CanvasColour
    var rim: CanvasColour
    var mark: CanvasColour
    var hand: CanvasColour
    var slowHand: CanvasColour
    var ball: CanvasColour
    var glint: CanvasColour
    var progress: CanvasColour
    var ink: CanvasColour
    var muted: CanvasColour

    static let night = SceneColours(
        sky: CanvasColour(0x1a2747), ground: CanvasColour(0x0a0f20), face: CanvasColour(0x111a33),
        rim: CanvasColour(0x35477a), mark: CanvasColour(0xb9c6ea), hand: CanvasColour(0xffcf5c),
        slowHand: CanvasColour(0x7cc4f0), ball: CanvasColour(0xff6f61),
        glint: CanvasColour(0xffffff, opacity: 0.75), progress: CanvasColour(0x2dd4a7),
        ink: CanvasColour(0xf5f8ff), muted: CanvasColour(0x9db0dc))

    static let flash = SceneColours(
        sky: CanvasColour(0xffffff), ground: CanvasColour(0xffffff), face: CanvasColour(0xffffff),
        rim: CanvasColour(0xc9d3e8), mark: CanvasColour(0x5a6b94), hand: CanvasColour(0xc98a00),
        slowHand: CanvasColour(0x2b86c5), ball: CanvasColour(0xe5483a),
        glint: CanvasColour(0xffffff, opacity: 0.75), progress: CanvasColour(0x12a880),
        ink: CanvasColour(0x1a2747), muted: CanvasColour(0x5a6b94))
}
