import Foundation
import Media
import TestSupport
import Testing

@Suite("Files that name other files")
struct NamedFilesTests {
    /// A folder with a clip that other files name.
    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=64x64:d=2", "-c:v", "libx264", folder.path("a.ts"),
        ])
        return folder
    }

    @Test(
        "nothing that a file names is opened",
        arguments: [
            ("list.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na.ts\n#EXT-X-ENDLIST\n"),
            ("list.ffconcat", "ffconcat version 1.0\nfile a.ts\n"),
            (
                "session.sdp",
                "v=0\nc=IN IP4 127.0.0.1\nm=video 5000 RTP/AVP 96\na=rtpmap:96 H264/90000\n"
            ),
        ])
    func playlists(name: String, content: String) throws {
        let folder = try folder()
        // ffprobe does follow the name, so the clip is where the file says.
        try content.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
        if !name.hasSuffix("sdp") {
            #expect(
                try ReferenceTools.ffprobe([
                    "-show_entries", "stream=codec_name", folder.path(name),
                ])
                .contains("h264"))
        }
        #expect(throws: MediaError.self) { try Asset(at: folder.path(name)) }
    }

    @Test("a raw stream isn't guessed into a file whose name promises a container")
    func rawStreams() throws {
        let folder = try TemporaryFolder()
        let raw = folder.path("a.h263")
        try ReferenceTools.ffmpeg([
            "-f", "lavfi", "-i", "testsrc=s=128x96:d=1", "-c:v", "h263", raw,
        ])
        #expect(try Asset(at: raw).formatName == "h263")
        for name in ["a.mkv", "a.MP4", "a.webm", "a.ogg"] {
            try FileManager.default.copyItem(atPath: raw, toPath: folder.path(name))
            let error = #expect(throws: MediaError.self) { try Asset(at: folder.path(name)) }
            #expect(error?.code == .damaged)
            #expect(error?.reason.contains("raw h263") == true)
            #expect(error?.remedy?.description.contains(".h263") == true)
        }
    }

    @Test("a file without anything to decode is refused, once")
    func hopeless() throws {
        let folder = try TemporaryFolder()
        // A header that looks valid, with nothing after it.
        let header = Data("RIFF".utf8) + Data([0x24, 0, 0, 0]) + Data("WAVEfmt ".utf8)
        try header.write(to: folder.url.appendingPathComponent("a.wav"))
        #expect(throws: MediaError.self) { try Asset(at: folder.path("a.wav")) }
    }
}
