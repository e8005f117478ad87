import Foundation
import SampleMedia
import TestSupport
import Testing

@testable import TimeWarp

@Suite("Frames made from motion, on planes")
struct MotionSynthesisTests {
    private static let texture = MovingTexture(seed: 1)
    private static let other = MovingTexture(seed: 2)

    /// A scene: its plane at a time, counted in frames.
    struct Scene: Sendable, CustomStringConvertible {
        let description: String
        /// The least ratio of what is made to what is true, in dB.
        let least: Double
        let plane: @Sendable (_ time: Double) -> TestPlane

        init(
            _ description: String, atLeast least: Double,
            _ brightness: @escaping @Sendable (_ x: Double, _ y: Double, _ time: Double) -> Double
        ) {
            self.description = description
            self.least = least
            plane = { time in TestPlane { brightness($0, $1, time) } }
        }
    }

    // The bounds are 1 to 2 dB below what was measured. A mixture of both frames reaches 14 to 19 dB, and 51 dB for
    // the slow pan.
    static let scenes: [Scene] = [
        Scene("a fast pan", atLeast: 40) { x, y, t in texture.brightness(x + 36 * t, y + 9 * t) },
        Scene("a slow pan by fractions", atLeast: 50) { x, y, t in
            texture.brightness(x + 0.7 * t, y - 0.4 * t)
        },
        Scene("rotation and zoom", atLeast: 38) { x, y, t in
            let (angle, zoom) = (0.05 * t, 1 + 0.04 * t)
            let (dx, dy) = ((x - 128) / zoom, (y - 72) / zoom)
            return texture.brightness(
                300 + dx * cos(angle) - dy * sin(angle), 200 + dx * sin(angle) + dy * cos(angle))
        },
        Scene("a disc before a background that moves the other way", atLeast: 29) { x, y, t in
            hypot(x - 100 - 14 * t, y - 72) < 40
                ? other.brightness(x - 14 * t, y) : texture.brightness(x + 4 * t, y)
        },
        Scene("a letterboxed pan with a caption", atLeast: 20) { x, y, t in
            if y < 16 || y >= 128 { return 16 }
            let isInCaption = (104..<118).contains(y) && (60..<200).contains(x)
            return isInCaption && Int(x / 3) % 3 == 0 ? 235 : texture.brightness(x + 12 * t, y)
        },
        Scene("a pan that fades out", atLeast: 36) { x, y, t in
            16 + (texture.brightness(x + 14 * t, y + 3 * t) - 16) * (1 - 0.16 * t)
        },
        Scene("a pan while the camera adapts to less light", atLeast: 36) { x, y, t in
            12 + texture.brightness(x + 9 * t, y - 5 * t) * (0.8 + 0.1 * t)
        },
        Scene("credits that roll", atLeast: 17) { x, y, t in
            let row = y + 6 * t
            return other.brightness(x * 1.5, row * 1.5) > 150 && Int(row / 20) % 2 == 0 ? 220 : 18
        },
    ]

    @Test("what is made is what would have been seen", arguments: scenes, [0.5, 0.25, 0.8])
    func truth(scene: Scene, u: Double) {
        let (a, b) = (scene.plane(0), scene.plane(1))
        let made = PlanePair(a, b).plane(at: u)
        let truth = scene.plane(u)
        #expect(made.ratio(to: truth) >= scene.least)
        // A mixture of frames that hardly differ is as good.
        #expect(made.ratio(to: truth) > TestPlane.blend(a, b, at: u).ratio(to: truth) - 1)
    }

    @Test("what one frame doesn't show at its edge comes from the other frame")
    func edges() {
        let scene = Self.scenes[0]
        let made = PlanePair(scene.plane(0), scene.plane(1)).plane(at: 0.5)
        func edge(_ plane: TestPlane) -> TestPlane {
            TestPlane(20, plane.height) {
                Double(plane.samples[Int($1) * plane.width + plane.width - 20 + Int($0)])
            }
        }
        #expect(edge(made).ratio(to: edge(scene.plane(0.5))) > 31)
    }

    @Test(
        "near an edge, too, what moves before even ground is followed: the ground explains nothing",
        arguments: [5.0, 6, 8], [16.0, 30, 50])
    func evenGround(speed: Double, place: Double) {
        for (width, height, isAcross) in [(320, 180, true), (180, 320, false)] {
            for start in stride(from: 16.0, through: 244, by: 38) {
                func plane(_ t: Double) -> TestPlane {
                    TestPlane(width, height) { x, y in
                        let (along, across) = isAcross ? (x, y) : (y, x)
                        let distance = hypot(along - start - speed * t, across - place) - 14
                        return 128 + 107 * max(0, min(1, 0.5 - distance))
                    }
                }
                let made = PlanePair(plane(0), plane(1)).plane(at: 0.5)
                // A ghost, or the old place, is at 22 to 31 dB.
                #expect(made.ratio(to: plane(0.5)) > 42, "from \(start), across: \(isAcross)")
            }
        }
    }

    @Test("thin poles before a pan are at least as good as a mixture")
    func poles() {
        func plane(_ t: Double) -> TestPlane {
            TestPlane { x, y in
                let distance = abs((x - 9 * t).remainder(dividingBy: 40))
                let share = max(0, min(1, 2 - distance))
                return Self.texture.brightness(x + t, y) * (1 - share) + 25 * share
            }
        }
        let (a, b) = (plane(0), plane(1))
        let made = PlanePair(a, b).plane(at: 0.5)
        #expect(made.ratio(to: plane(0.5)) > TestPlane.blend(a, b, at: 0.5).ratio(to: plane(0.5)))
    }

    @Test("a grating that moves by less than half of its period isn't torn")
    func grating() {
        func plane(_ t: Double) -> TestPlane {
            TestPlane { x, _ in 128 + 80 * sin(2 * .pi * (x - 5 * t) / 16) }
        }
        #expect(PlanePair(plane(0), plane(1)).plane(at: 0.5).ratio(to: plane(0.5)) > 25)
    }

    @Test("what appears over even ground is mixed in, and isn't passed by", arguments: [0.5, 0.2])
    func appearing(u: Double) {
        let empty = TestPlane { _, _ in 128 }
        let letters = TestPlane { x, y in
            (60..<90).contains(y) && (60..<200).contains(x) && Int(x / 5) % 3 == 0 ? 235 : 128
        }
        for (a, b) in [(empty, letters), (letters, empty)] {
            let blend = TestPlane.blend(a, b, at: u)
            // Passed by, it is at 23.6 to 27.8 dB. Blocks overlap, so its rim takes part in the even ground around.
            #expect(PlanePair(a, b).plane(at: u).ratio(to: blend) > 31.5)
        }
    }

    // MARK: - When not to

    @Test("a cut and a flash are told from motion, in both directions of time")
    func unrelated() {
        let bright = TestPlane { x, y in Self.texture.brightness(x, y) * 0.5 + 8 }
        let flash = TestPlane { x, y in Self.texture.brightness(x, y) * 0.5 + 120 }
        let scene = TestPlane { x, y in Self.other.brightness(x, y) }
        let dark = TestPlane { x, y in Self.other.brightness(x, y) * 0.08 }
        let black = TestPlane { _, _ in 16 }
        for (a, b) in [(bright, scene), (bright, flash), (dark, scene), (black, scene)] {
            #expect(PlanePair(a, b).relation == .unrelated)
            #expect(PlanePair(b, a).relation == .unrelated)
        }
    }

    @Test("fast motion, new things and a fade aren't cuts")
    func related() {
        for scene in Self.scenes {
            #expect(PlanePair(scene.plane(0), scene.plane(1)).relation == .moving)
        }
    }

    @Test("a cross-fade is a mixture, within half a decibel")
    func fade() {
        func plane(_ t: Double) -> TestPlane {
            TestPlane { x, y in
                Self.texture.brightness(x, y) * (1 - t) + Self.other.brightness(x, y) * t
            }
        }
        let (a, b) = (plane(0.4), plane(0.5))
        let pair = PlanePair(a, b)
        #expect(pair.relation == .moving)
        let blend = TestPlane.blend(a, b, at: 0.5).ratio(to: plane(0.45))
        #expect(pair.plane(at: 0.5).ratio(to: plane(0.45)) >= blend - 0.5)
    }

    @Test("a still scene with noise is still, and so is a repeated frame", arguments: [0.0, 2, 5])
    func still(noise: Double) {
        var random = SplitMix64(seed: 7)
        func plane() -> TestPlane {
            TestPlane { x, y in
                Self.texture.brightness(x, y)
                    + noise
                    * (0..<4).reduce(0) { sum, _ in sum + .random(in: -1...1, using: &random) }
            }
        }
        #expect(PlanePair(plane(), plane()).relation == .still)
    }

    @Test("a small thing that moves in a still scene is seen")
    func smallThing() {
        func plane(_ t: Double) -> TestPlane {
            TestPlane { x, y in
                hypot(x - 100 - 6 * t, y - 60) < 7 ? 230 : Self.texture.brightness(x, y) * 0.5
            }
        }
        let pair = PlanePair(plane(0), plane(1))
        #expect(pair.relation == .moving)
        #expect(pair.plane(at: 0.5).ratio(to: plane(0.5)) > 35)
    }

    /// A disc with a soft edge before a ground that moves by `pan` a frame.
    private static func disc(
        at t: Double, radius: Double, speed: SIMD2<Double>, pan: Double
    ) -> TestPlane {
        TestPlane { x, y in
            let place = SIMD2(80.0, 100) + speed * t
            let share = max(0, min(1, radius + 0.5 - hypot(x - place.x, y - place.y)))
            return 235 * share + texture.brightness(x + pan * t, y) * 0.7 * (1 - share)
        }
    }

    @Test(
        "something small that moves by more than its own size is where it would have been seen",
        arguments: [3.0, 6], [0.0, 5])
    func smallObject(radius: Double, pan: Double) {
        let speeds = [
            SIMD2(2.2 * radius + 3, 2), SIMD2(4.3 * radius, -2.5 * radius), SIMD2(-33, -21.5),
        ]
        for speed in speeds {
            func plane(_ t: Double) -> TestPlane {
                Self.disc(at: t, radius: radius, speed: speed, pan: pan)
            }
            let pair = PlanePair(plane(0), plane(1))
            for u in [0.5, 0.2] {
                // Without the object, or with both of its places, it is at 22 to 33 dB.
                let ratio = pair.plane(at: u).ratio(to: plane(u))
                #expect(ratio > 44, "\(ratio) dB at \(u), by \(speed)")
            }
        }
    }

    @Test("before an even ground, too, it is whole wherever it is", arguments: [3.0, 6, 9])
    func smallObjectOnEvenGround(radius: Double) {
        for place in stride(from: 60.0, to: 76, by: 2.7) {
            func plane(_ t: Double) -> TestPlane {
                TestPlane { x, y in
                    let distance = hypot(x - place - 2.4 * radius * t, y - 0.8 * place - 4 * t)
                    return 110 + 120 * max(0, min(1, radius + 0.5 - distance))
                }
            }
            let ratio = PlanePair(plane(0), plane(1)).plane(at: 0.5).ratio(to: plane(0.5))
            // Where some of its cells found their match, half of it was left: 36 to 43 dB.
            #expect(ratio > 50, "\(ratio) dB from \(place)")
        }
    }

    @Test("of two that could be the same object neither is chosen, and what stays isn't one")
    func noObject() {
        // It might have gone to either side.
        let one = Self.disc(at: 0, radius: 4, speed: .zero, pan: 0)
        let two = TestPlane { x, y in
            let isThere = [-30.0, 30].contains { hypot(x - 80 - $0, y - 100) < 4 }
            return isThere ? 235 : Self.texture.brightness(x, y) * 0.7
        }
        #expect(PlanePair(one, two).objectCount == 0)
        // A dot of a caption, while the ground moves.
        let dots = [0.0, 1].map { t in
            Self.disc(at: t, radius: 4, speed: .zero, pan: 9)
        }
        #expect(PlanePair(dots[0], dots[1]).objectCount == 0)
        // One that has moved is one, and what turns and grows as a whole has none.
        let moved = Self.disc(at: 1, radius: 4, speed: SIMD2(30, 0), pan: 0)
        #expect(PlanePair(one, moved).objectCount == 1)
        #expect(PlanePair(Self.scenes[2].plane(0), Self.scenes[2].plane(1)).objectCount == 0)
    }

    @Test("small grey pictures, for measuring, are made alike, and held where frames would be held")
    func lumaInterpolation() {
        let scene = Self.scenes[2]
        let (a, b) = (scene.plane(0), scene.plane(1))
        let motion = LumaInterpolation(from: a.samples, to: b.samples, width: a.width)
        #expect(motion.samples(at: 0.25) == PlanePair(a, b).plane(at: 0.25).samples)
        let still = LumaInterpolation(from: a.samples, to: a.samples, width: a.width)
        #expect(still.samples(at: 0.5) == a.samples)
        let elsewhere = TestPlane { x, y in Self.other.brightness(x, y) }
        let other = LumaInterpolation(from: a.samples, to: elsewhere.samples, width: a.width)
        #expect(other.samples(at: 0.5) == nil)
    }

    // MARK: - The same for everyone

    @Test("any number of threads makes the same bytes")
    func threads() {
        let scene = Self.scenes[3]
        let planes = [1, 2, 5].map { threads in
            PlanePair(scene.plane(0), scene.plane(1), threads: threads).plane(at: 0.3)
        }
        #expect(planes[1] == planes[0])
        #expect(planes[2] == planes[0])
    }

    @Test(
        "frames of any size can be made",
        arguments: [(1, 1), (2, 3), (8, 8), (17, 9), (9, 170), (321, 45), (1279, 719)])
    func sizes(width: Int, height: Int) {
        func plane(_ t: Double) -> TestPlane {
            TestPlane(width, height) { x, y in Self.texture.brightness(x + 3 * t, y) }
        }
        let made = PlanePair(plane(0), plane(1)).plane(at: 0.5)
        #expect(made.samples.count == width * height)
        #expect(made.ratio(to: plane(0.5)) > (width < 20 || height < 20 ? 15 : 35))
    }

    @Test("an even surface stays as it is, at every brightness")
    func even() {
        for level in [0.0, 1, 16, 127, 128, 235, 254, 255] {
            let plane = TestPlane(64, 48) { _, _ in level }
            #expect(PlanePair(plane, plane).plane(at: 0.3) == plane)
        }
    }
}

@Suite("Sample arithmetic")
struct SampleArithmeticTests {
    /// What an arithmetic does, in exact numbers.
    private func plain(_ samples: [Double], _ taps: InterpolationTaps) -> Double {
        (0..<4).reduce(0) { $0 + samples[$1] * Double(taps.weights[$1]) } / 64
    }

    /// Both arithmetics on the same samples: sixteen columns in four rows, between which is interpolated.
    private func check<Arithmetic: SampleArithmetic>(
        _ arithmetic: Arithmetic, largest: Int, tolerance: Double
    ) {
        var random = SplitMix64(seed: 3)
        for _ in 0..<200 {
            let extremes = Bool.random(using: &random)
            let rows = (0..<4).map { _ in
                (0..<16).map { _ in
                    extremes
                        ? (Bool.random(using: &random) ? largest : 0)
                        : Int.random(in: 0...largest, using: &random)
                }
            }
            let (across, down) = (
                InterpolationTaps.phases.randomElement(using: &random)!,
                InterpolationTaps.phases.randomElement(using: &random)!
            )
            let read = rows.map { row in
                row.map { Arithmetic.Sample($0) }.withUnsafeBufferPointer {
                    arithmetic.across($0.baseAddress! + 1, across)
                }
            }
            let made = arithmetic.rounded(
                arithmetic.down((read[0], read[1], read[2], read[3]), down))
            for lane in 0..<8 {
                let exact = plain(
                    rows.map { row in plain(row[lane..<lane + 4].map(Double.init), across) }, down)
                let limited = max(0, min(Double(largest), exact))
                #expect(abs(Double(Int(made[lane])) - limited) <= tolerance)
            }
        }
    }

    @Test("8 bits are within one step of exact numbers, more bits within a half")
    func contract() {
        check(NarrowArithmetic(), largest: 255, tolerance: 0.75)
        for depth in [9, 10, 12, 16] {
            check(WideArithmetic(depth: depth), largest: 1 << depth - 1, tolerance: 0.51)
        }
    }

    @Test("the weights of each place sum to 64, and the first one is the sample itself")
    func taps() {
        for taps in InterpolationTaps.phases {
            #expect(taps.weights.wrappedSum() == 64)
        }
        #expect(InterpolationTaps.phases[0].weights == SIMD4(0, 64, 0, 0))
        #expect(InterpolationTaps.phases[16].weights[1] == InterpolationTaps.phases[16].weights[2])
    }
}
