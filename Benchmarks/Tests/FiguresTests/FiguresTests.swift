import Testing

@testable import Figures

@Suite("Figures")
struct FiguresTests {
    @Test("the median is the middle, or the mean of the middle two")
    func middle() {
        #expect(median([3, 1, 2]) == 2)
        #expect(median([4, 1, 3, 2]) == 2.5)
        #expect(median([]) == nil)
    }

    @Test("a difference is a share of the other number")
    func difference() {
        #expect(relativeDifference(3, from: 2) == 0.5)
        #expect(relativeDifference(3, from: 0) == nil)
    }

    @Test("a table keeps its shape whatever its cells hold")
    func table() {
        var table = MarkdownTable(["a", "b"])
        table.add(["1 | 2\n3"])
        #expect(table.text == "| a | b |\n| --- | --- |\n| 1 \\| 2 3 |  |")
    }

    @Test(
        "a number has the decimals that its size deserves",
        arguments: [
            (0.0421, "0.042"), (1.254, "1.25"), (12.54, "12.5"), (125.4, "125"), (0, "0.00"),
        ])
    func numbers(number: Double, text: String) {
        #expect(figure(number) == text)
    }

    @Test("shares carry their sign")
    func shares() {
        #expect(percent(0.1) == "+10 %")
        #expect(percent(-0.25) == "-25 %")
        #expect(megabytes(339_000_000) == "339")
    }
}

@Suite("What other programs print")
struct ProgramOutputTests {
    @Test("ffprobe's count is read, with or without a trailing comma")
    func packets() {
        #expect(ProgramOutput.packetCount("1800\n") == 1800)
        #expect(ProgramOutput.packetCount("1800,\n") == 1800)
        #expect(ProgramOutput.packetCount("N/A\n") == nil)
    }

    @Test("the psnr filter's luma is read; equal frames are infinitely alike")
    func psnr() {
        let start = "frame=60\n[Parsed_psnr_4 @ 0x55d] PSNR y:"
        #expect(ProgramOutput.lumaPSNR(start + "41.25 u:45 v:46 average:42 min:38 max:50") == 41.25)
        #expect(ProgramOutput.lumaPSNR(start + "inf u:inf v:inf average:inf") == .infinity)
        #expect(ProgramOutput.lumaPSNR("no such line") == nil)
    }

    @Test("the volumedetect filter's count and peak are read")
    func loudness() {
        let text =
            "[x @ 1] n_samples: 192000\n[x @ 1] mean_volume: -20.5 dB\n[x @ 1] max_volume: -6.1 dB"
        #expect(ProgramOutput.loudness(text) == .init(samples: 192_000, peak: -6.1))
        #expect(ProgramOutput.loudness("n_samples: 0")?.peak == -.infinity)
        #expect(ProgramOutput.loudness("") == nil)
    }

    @Test("of a complaint, the line that speaks of an error is shown, else the last")
    func complaints() {
        #expect(
            ProgramOutput.complaint("Error: Unknown option '--x'\nUsage: y\n  See 'y --help'\n")
                == "Error: Unknown option '--x'")
        #expect(ProgramOutput.complaint("first\nlast\n\n") == "last")
        #expect(ProgramOutput.complaint("") == "")
    }
}

@Suite("What is in outputs")
struct OutputFactsTests {
    private func facts(
        bytes: Int = 1000, frames: Int? = 60, seconds: Double = 2, rate: Int = 48_000,
        peak: Double = -6
    ) -> OutputFacts {
        var facts = OutputFacts()
        facts.bytes = bytes
        facts.frames = frames
        facts.sound = .init(
            samples: Int(seconds * Double(rate)), sampleRate: rate, peak: peak)
        return facts
    }

    @Test("outputs that are alike need no note")
    func alike() {
        #expect(facts().differences(from: facts(bytes: 1050, frames: 61, seconds: 2.02)).isEmpty)
    }

    @Test("frames, sizes and lengths that differ are told")
    func different() {
        #expect(facts().differences(from: facts(frames: 58)) == ["60 frames against 58"])
        #expect(facts().differences(from: facts(bytes: 2000)) == ["our size -50 %"])
        #expect(facts().differences(from: facts(seconds: 3)) == ["sound of 2.0 s against 3.0 s"])
        #expect(facts().differences(from: facts(rate: 44_100)) == ["their sound is at 44100 Hz"])
    }

    @Test("sound that is missing or silent is told")
    func missing() {
        var mute = facts()
        mute.sound = nil
        #expect(facts().differences(from: mute) == ["their sound is missing"])
        #expect(mute.differences(from: facts()) == ["our sound is missing"])
        #expect(mute.differences(from: mute).isEmpty)
        #expect(
            facts().differences(from: facts(peak: -.infinity)) == ["their sound is silent"])
    }
}
