import ArgumentParser
import Media
import TimeWarp

/// The options for how the file is written, and what that may take.
struct FileOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The kind of file, whatever its name. A pipe (-o -) needs one: \
            \(Container.piped.map(\.rawValue).joined(separator: ", ")).
            """, valueName: "container"))
    var format: Container?

    @Option(
        help: ArgumentHelp(
            """
            Memory for decoded frames where they are played in another order (reverse, freeze), \
            such as 512MiB; what doesn't fit is kept on disk. (default: 256MiB)
            """, valueName: "size"))
    var memory: ByteCount?

    @Flag(
        help: """
            Leave out the tags of the file and of its tracks: titles, dates, places, names of devices. \
            Languages stay.
            """)
    var stripMetadata = false

    @Flag(
        help: """
            Leave the index of an MP4 or MOV at its end. It otherwise comes first, so that the file plays while it \
            is loaded, for which the file is read and written once more.
            """)
    var indexAtEnd = false

    func apply(to settings: inout RenderSettings) {
        settings.output.container = format
        settings.output.keepsMetadata = !stripMetadata
        settings.output.putsIndexFirst = !indexAtEnd
        settings.resources.memoryBytes = memory?.bytes ?? settings.resources.memoryBytes
    }
}
