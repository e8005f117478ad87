import Testing

@testable import TimeWarpStudio

@Suite("Names of files")
struct FileNameTests {
    @Test("what a file's name can't have is left out or replaced")
    func usable() {
        #expect(FileName.usable("a ramp.mp4", else: "other") == "a ramp.mp4")
        #expect(FileName.usable("../../etc/pass\u{0}wd", else: "other") == "-..-etc-passwd")
        #expect(FileName.usable("C:\\clips\\a.mov", else: "other") == "C--clips-a.mov")
        #expect(FileName.usable(".hidden", else: "other") == "hidden")
        for nothing in ["", "...", "\n"] {
            #expect(FileName.usable(nothing, else: "other") == "other")
        }
    }

    @Test("a long name is cut between characters so that it fits with what is added to it")
    func long() {
        for character in ["a", "é", "語", "👩‍👩‍👧"] {
            let name = FileName.usable(String(repeating: character, count: 300), else: "other")
            #expect(name.utf8.count <= 160 && name.utf8.count > 160 - 30)
            #expect(name.replacing(character, with: "").isEmpty)
        }
    }
}
