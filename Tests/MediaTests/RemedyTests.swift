import Media
import Testing

@Suite("Remedies")
struct RemedyTests {
    @Test("settings are in plain words, or as the program calls them")
    func words() {
        let remedy: Remedy = "Leave out \(.copiedVideo), or write \(".mp4") with \(.videoCodec)"
        #expect(
            remedy.description
                == "Leave out the copying of video packets, or write .mp4 with video codec")
        #expect(
            remedy.worded { $0 == .videoCodec ? "B" : "A" }
                == "Leave out A, or write .mp4 with B")
        let error = MediaError(.incompatible, file: "a.mp4", reason: "no", remedy: remedy)
        #expect(error.description == "a.mp4: no. " + remedy.description)
        #expect(error.worded { _ in "A" } == "a.mp4: no. Leave out A, or write .mp4 with A")
    }
}
